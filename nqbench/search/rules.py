"""The rules of a search in its syntax tree: `if` statements in which it refuses a candidate.

A search names the rule in the branch that skips the candidate, after the candidate was tested::

    if not allowed(row, column):
        tally.refused(level, "hall")    below a node of this level, the number of queens
        continue

Such an `if` is changed in two builds (`nqbench.search.builds`). *Without* a rule, the branch is
taken only if the tally says so, see `nqbench.search.refusals`; everything else stays, so that the
candidate is kept. *Clocked*, the clock is read before and after each test of an `if`.
"""

import ast
from typing import Any, NamedTuple

from nqbench.errors import BuildError
from nqbench.search.plain import NAME, is_counting

CLOCK = "__clock__"  # among the globals of the clocked build
REFUSED = "refused"  # the method of a tally
ASK = {True: "and", False: "or not"}  # by the value of the test for which the rule refuses
# The tests of two builds. The clock is read three times before, as the first reading is slower, and
# the second and third say what a reading takes; and once after.
FORMS = {"without": "({test}) {ask} tally.refuses({level}, {name!r})",
         "clocked": "CLOCK({level}, {name!r}, NOW, NOW, NOW, ({test}), NOW)".replace(
             "NOW", "CLOCK.now()").replace("CLOCK", CLOCK)}
ALLOWED = ('write tally.refused(level, "rule") once, directly in the branch of an `if` that skips '
           "the candidate")


class Rule(NamedTuple):
    """An `if` in which a rule refuses a candidate.

    `when` is the value of its test for which it does; `level` is the expression of the level.
    """

    name: str
    branching: ast.If
    when: bool
    level: ast.expr

    def change(self, kind: str) -> None:
        """Change the test of the `if` for a build, on its line."""
        form = FORMS[kind].format(test=ast.unparse(self.branching.test), name=self.name,
                                  level=ast.unparse(self.level), ask=ASK[self.when])
        made = ast.parse(form, mode="eval").body
        self.branching.test = ast.increment_lineno(made, self.branching.test.lineno - 1)


def find_rules(tree: ast.AST, filename: str) -> list[Rule]:
    """Return the rules in a syntax tree, in their order.

    Raises
    ------
    BuildError
        naming the line of a refusal that cannot be turned off, or that names no rule.

    Examples
    --------
    >>> source = "if a > b: tally.refused(row, 'far'); continue"
    >>> [(rule.name, rule.when) for rule in find_rules(ast.parse(source), "<source>")]
    [('far', True)]
    """
    left, found = list(filter(_is_refusal, ast.walk(tree))), []
    for branching in ast.walk(tree):
        if isinstance(branching, ast.If) and not is_counting(branching):
            for when, block in (True, branching.body), (False, branching.orelse):
                refusals: list[Any] = list(filter(_is_refusal, block))
                match [each.value.args for each in refusals]:
                    case [[level, ast.Constant(value=str(name))]] if name.isidentifier():
                        found.append(Rule(name, branching, when, level))
                        left.remove(refusals[0])
    for refusal in left:
        raise BuildError(f"{filename}, line {getattr(refusal, 'lineno', '?')}: {ALLOWED}")
    return sorted(found, key=lambda rule: rule.branching.lineno)


def _is_refusal(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and ast.unparse(node).startswith(f"{NAME}.{REFUSED}(")
