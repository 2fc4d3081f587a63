// Walks on for ever without queens.
const n = Number(process.argv[2]);
const columns = [0];
let found = 0;
while (columns.length) {
  const row = columns.length - 1, column = columns[row];
  if (column > 0 && column === n) {
    columns.pop();
    if (columns.length) columns[columns.length - 1]++;
  } else if (columns.slice(0, row).some((c, r) => c === column || Math.abs(c - column) === row - r)) {
    columns[row]++;
  } else if (columns.length === n) {
    found++;
    columns[row]++;
  } else {
    columns.push(0);
  }
}
console.log(found);
