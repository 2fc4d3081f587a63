// The scores of Sphinx's search, but commands come first, then their options; objects of Python last.
const ADDED = {title: 80, object: 40};
var Scorer = {
  score: ([page, , , , score, , kind]) =>
    score + (page === "reference/commands" ? ADDED[kind] ?? 60 : kind === "object" ? -30 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: {0: 15, 1: 5, 2: -5},
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
