// Marks in the contents where the reader is, and folds them on a narrow screen. Without it they are
// plain links.
"use strict";

(() => {
  const box = document.querySelector(".toc details");
  const here = box.querySelector("summary span");
  const links = [...box.querySelectorAll("a")].map(
    (link) => ({ link, target: document.getElementById(link.hash.slice(1)) }));
  const sections = links.filter(({ target }) => target.matches("section"));
  const seen = new Set(); // the sections on the line that the reader reads

  function mark() {
    const current = sections.find(({ target }) => seen.has(target));
    if (!current) return; // between two sections the last one stays
    for (const { link } of links) link.removeAttribute("aria-current");
    current.link.setAttribute("aria-current", "location");
    here.textContent = `: ${current.link.textContent}`;
    box.scrollTop += box.offsetHeight < box.scrollHeight
      ? current.link.getBoundingClientRect().top - box.getBoundingClientRect().top
        - box.clientHeight / 2 : 0;
  }

  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      seen[isIntersecting ? "add" : "delete"](target);
    }
    mark();
  }, { rootMargin: "-20% 0px -79% 0px" });
  for (const { target } of sections) observer.observe(target);

  const wide = window.matchMedia("(min-width: 72rem)");
  const fit = () => { box.open = wide.matches; };
  wide.addEventListener("change", fit);
  box.addEventListener("click", (event) => {
    if (event.target.matches("a") && !wide.matches) box.open = false;
  });
  fit();
})();
