// Sorts and filters the page's tables. Without it they stand as they are.
"use strict";

(() => {
  const LONG = 15; // rows; a longer table can be filtered
  const collator = new Intl.Collator("en", { numeric: true });

  // A cell's number is its data-value, where what is shown is rounded or has a unit.
  function key(cell) {
    const text = cell.textContent.trim();
    const number = cell.dataset.value ?? text.replaceAll(",", "");
    return { text, number: text === "" ? NaN : Number(number) };
  }

  // Numbers come before words and these before what is empty, up and down.
  function compared(a, b, sign) {
    if (a.text === "" || b.text === "") return (a.text === "") - (b.text === "");
    const words = Number.isNaN(a.number) - Number.isNaN(b.number);
    return words || sign * (a.number - b.number || collator.compare(a.text, b.text));
  }

  function sort(head, column, body) {
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const keyed = [...body.rows].map((row) => ({ row, key: key(row.cells[column]) }));
    keyed.sort((a, b) => compared(a.key, b.key, down ? -1 : 1));
    body.append(...keyed.map(({ row }) => row));
  }

  function sortable(table) {
    const [body] = table.tBodies;
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      if (new Set([...body.rows].map((row) => key(row.cells[column]).text)).size < 2) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(head, column, body));
      head.append(button);
    });
  }

  function filtered(box, table) {
    const rows = [...table.tBodies[0].rows];
    const texts = rows.map((row) => row.textContent.toLowerCase());
    const words = box.querySelector("input").value.toLowerCase().split(/\s+/);
    rows.forEach((row, k) => {
      row.hidden = !words.every((word) => texts[k].includes(word));
    });
    const left = rows.filter((row) => !row.hidden).length;
    box.querySelector("output").textContent = `${left} of ${rows.length} rows`;
  }

  function filterable(region, table) {
    const box = document.createElement("div");
    box.className = "filter";
    box.innerHTML = "<label>Filter <span class=unseen></span> <input type=search></label> <output></output>";
    box.querySelector("span").textContent = region.getAttribute("aria-label");
    box.querySelector("input").addEventListener("input", () => filtered(box, table));
    filtered(box, table);
    region.before(box);
  }

  for (const region of document.querySelectorAll(".table")) {
    const table = region.querySelector("table");
    sortable(table);
    if (table.tBodies[0].rows.length > LONG) filterable(region, table);
  }
})();
