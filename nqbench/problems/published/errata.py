"""What the published listings get wrong, and how each fault was shown.

The algorithms of the catalogue give the right answer in each of these cases. To show a fault, the
published text was compiled (gcc 12.2 on x86-64 Linux) and run, under AddressSanitizer and
UndefinedBehaviorSanitizer if the fault is in memory or arithmetic. If a run would take too long,
the fault is shown by the same program with smaller arrays or by arithmetic, and `shown` says so.
"""

from dataclasses import dataclass

from nqbench.errors import InvalidValueError
from nqbench.util.arguments import require_text
from nqbench.util.text import unknown


@dataclass(frozen=True)
class Erratum:
    """A fault of a published listing.

    Attributes
    ----------
    listings
        the algorithms of the catalogue that port the listings.
    fault
        what is wrong.
    shown
        the evidence.
    right
        what is right, or what nqbench does.

    Examples
    --------
    >>> print(ERRATA[0].listing, "-", ERRATA[0].shown)
    marks_mirror - for n = 1 it prints 2
    """

    listings: tuple[str, ...]
    fault: str
    shown: str
    right: str

    @property
    def listing(self) -> str:
        """The listings as one text."""
        return ", ".join(self.listings)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the listings, without their problem."""
        return tuple(listing.partition(" ")[0] for listing in self.listings)

    def as_dict(self) -> dict[str, str]:
        """Return the four texts by name."""
        return {"listing": self.listing, "fault": self.fault, "shown": self.shown,
                "right": self.right}


def find_errata(name: str) -> tuple[Erratum, ...]:
    """Return the errata of one listing; none if it has no known fault.

    Raises
    ------
    TypeError, ValueError
        if there is neither a listing nor an algorithm of that name; the message has the nearest
        names.

    Examples
    --------
    >>> [erratum.shown for erratum in find_errata("recursive")][1]
    'an unchanged copy does not compile: the character is not valid there'
    >>> find_errata("canonical")
    ()
    """
    from nqbench.problems.queens import catalogue

    found = tuple(each for each in ERRATA if require_text(name, "listing") in each.names)
    known = {*catalogue(), *(listing for each in ERRATA for listing in each.names)}
    if name not in known:
        raise InvalidValueError(unknown("listing", name, sorted(known)))
    return found


ERRATA = (
    Erratum(("marks_mirror",),
            "every placement is counted twice, even the single queen",
            "for n = 1 it prints 2",
            "1; only from n = 2 on does a placement differ from its mirror image"),
    Erratum(("somers",),
            "for odd n the middle queen is placed and the search continues in the second row, "
            "which n = 1 does not have",
            "for n = 1 it prints 0",
            "1"),
    Erratum(("bitmask_even_mirror", "marks_mirror"),
            "the empty placement is counted twice",
            "for n = 0 both print 2",
            "1"),
    Erratum(("somers",),
            "the empty placement is not found",
            "for n = 0 it prints 0",
            "1"),
    Erratum(("somers", "marks_mirror", "recursive", "probe_stack"),
            "solutions are counted in a 32-bit int (recursive and probe_stack do not show the "
            "declaration; int is usual)",
            "Somers' program, run to the end for n = 19, prints 673090552, which is "
            "4968057848 - 2^32",
            "4968057848; totals are Python integers, and have 64 bits in the Cython cores"),
    Erratum(("bitmask", "bitmask_even_mirror"),
            "the total is a long, which has 32 bits on Windows",
            "for n = 19 it wraps around there: 4968057848 - 2^32 = 673090552",
            "4968057848"),
    Erratum(("bitmask", "bitmask_even_mirror"),
            "bits of the diagonal mask that leave the board are never removed, and reach the sign"
            " bit of a 32-bit word",
            "for n = 17 with a 32-bit type the sanitizer reports the left shift of a negative "
            "value; undefined before C++20, but compilers wrap around and count correctly",
            "unsigned words in the Cython cores, where bits drop out by definition"),
    Erratum(("somers",),
            "arrays of 21 rows, and no check for more",
            "for n = 22 the sanitizer reports a write past the end of Col[21]",
            "n up to 32 compiled, up to 10,000 in Python; more is rejected"),
    Erratum(("somers",),
            "n is not checked before it is used in a shift",
            "for n = -1 the sanitizer reports shifts by -1, and the program crashes",
            "negative n is rejected"),
    Erratum(("somers",),
            "a comment says that a bit is shifted right, where the statement shifts it left",
            "reading `1 << (size >> 1)` with its comment",
            "left: the middle column"),
    Erratum(("somers",),
            "`register` was removed from C++ in 2017",
            "compilers for C++17 and later warn or reject it",
            "not used"),
    Erratum(("marks_mirror",),
            "an array of 32 rows counted from 1, and no check for more than 31",
            "for n = 32 the sanitizer reports a write past the end of a[32]",
            "n up to 500; more is rejected"),
    Erratum(("bitmask", "bitmask_even_mirror"),
            "n is not checked before it is used in a shift",
            "for n = 64, the width of the word, bitmask prints 1",
            "n up to 32 compiled, up to 500 in Python; more is rejected"),
    Erratum(("marks_mirror",),
            "negative n is not rejected",
            "for n = -1 it prints 2",
            "negative n is rejected"),
    Erratum(("marks_mirror",),
            "the text gives the diagonal that falls to the left as x = i+k and, a few lines "
            "later, as x = -i+k",
            "reading it; k is called a difference the first time and a sum the second",
            "the difference x - i is constant along one kind of diagonal, the sum x + i along "
            "the other"),
    Erratum(("marks_mirror",),
            "the text says that the sums of row and column run from 1 to 15 on the board of 8",
            "by arithmetic: both are counted from 1",
            "from 2 to 16, and the array has room for them"),
    Erratum(("marks_mirror", "somers"),
            '`system("pause")` is a command of Windows',
            "elsewhere the shell says that it does not know `pause`",
            "programs end when they have finished"),
    Erratum(("one_loop",),
            "the array has 99 entries and n rows need n + 1: at a solution the row below the last"
            " one is written; there is no check for more than 98",
            "the same program with 8 entries: the sanitizer finds nothing for n = 7 and a write "
            "past the end for n = 8",
            "n up to 1,000,000; more is rejected"),
    Erratum(("one_loop",),
            "the copy in the lecture is damaged: `1^v` and `1^j` for `l^v` and `l^j`, `+1` for "
            "`++l`, `+a[--i]` for `++a[--i]`, and two `)` too many: one after `!l<<!j`, one before "
            "the `+1`",
            "it does not compile: expected statement before ')'",
            "with these repairs it prints what its authors meant"),
    Erratum(("one_loop",),
            "n = -1 is not rejected",
            "the sanitizer reports index -1 of a[99]",
            "negative n is rejected"),
    Erratum(("one_loop",),
            "main returns void, which is not C",
            "the exit status is undefined: 1 after n = 0, 0 after n = 2",
            "status 0"),
    Erratum(("flat_marks",),
            "the number of command-line arguments is used as the first row",
            "started with one argument it prints eight numbers 312 times, not 92 times: one for "
            "each placement of seven queens on rows 2 to 8",
            "the search always starts in row 1"),
    Erratum(("flat_marks",),
            "no type is declared, nor is printf",
            "compilers for C99 and later warn or reject it",
            "typed"),
    Erratum(("char_board",),
            "there is room for 400 solutions, and no check whether it is full",
            "n = 9 has 352; for n = 10, which has 724, the sanitizer reports a write past the "
            "end of the heap block in copyPath",
            "solutions are yielded one by one"),
    Erratum(("char_board", "iterative"),
            "memory is never freed",
            "the sanitizer reports it as lost at the end",
            "Python frees it"),
    Erratum(("char_board",),
            "no header is included for malloc",
            "compilers reject it or warn: the listing is a fragment",
            "a module that runs"),
    Erratum(("string_board", "char_board"),
            'the second example of the text lacks a bracket: `[["Q"]`',
            "it cannot be parsed",
            '[["Q"]]'),
    Erratum(("iterative",),
            "n = 0 and negative n are not rejected: the first row is always written",
            "for n = 0 the sanitizer reports a write past the end of the heap block in nQueens",
            "for n = 0 the empty placement; negative n is rejected"),
    Erratum(("iterative",),
            "the text names the steps of its figure (g), (f), and then (g) as the solution",
            "reading it: between (f) and the solution it goes through (g), (f)",
            "(f), (g), and the solution (2, 4, 1, 3) as the step after them"),
    Erratum(("probe_stack",),
            "for n = 0 the first step takes a queen from the empty stack",
            "the sanitizer reports a read before the start of the heap block in pop, with a stack"
            " that has no check, like that of the lecture",
            "1 for n = 0; negative n is rejected"),
    Erratum(("probe_stack",),
            "the operators of Queen are not const, so a find that takes a const reference cannot "
            "call them",
            "it does not compile: passing const Queen as this discards qualifiers",
            "no such distinction in Python"),
    Erratum(("bitmask",),
            "negative n is not rejected: the mask of the board is never reached",
            "for n = -1 it does not end within the limit of 20 seconds",
            "negative n is rejected"),
    Erratum(("recursive",),
            "the listing is indented with non-breaking spaces",
            "an unchanged copy does not compile: the character is not valid there",
            "plain spaces"),
    Erratum(("brute_force", "pruned_loops"),
            "collide, displaySolution and the counter nSolu are used but not shown",
            "a fragment that does not compile",
            "a queen collides with a queen of an earlier row, as the use of collide implies; what"
            " displaySolution prints is not known, so --format original prints the count"),
    Erratum(("column_array",),
            "print is called but not defined, and no header is included",
            "it does not compile: 'print' was not declared",
            "solutions are printed as those of the listing before it, board_matrix"),
    Erratum(("board_matrix",),
            "no header is included for memset and printf",
            "it does not compile: 'memset' was not declared",
            "a module that runs"),
    Erratum(("textbook (Sudoku)",),
            "givens that are equal in a row, column or box are not detected",
            "72 empty cells above a last row 5...5.... give no answer after 60 seconds and "
            "737,665,316 calls; the same for 5...5.... above 72 empty cells",
            "rejected before the search, naming the row, column or box and the digit"),
    Erratum(("textbook (Sudoku)",),
            "equal givens are accepted if the other cells can be filled",
            "a first row that begins with 44 and one empty cell at the end: true after 2 calls",
            "no solution, and why"),
    Erratum(("textbook (Sudoku)",),
            "a full grid is always taken for a solution",
            "81 ones: true after 1 call, unchanged",
            "no solution: row 1 has 1 nine times"),
    Erratum(("textbook (Sudoku)",),
            "0 for an empty cell, as in many lists of puzzles, is taken for a digit",
            "the first puzzle of easy50, written with zeros: true after 1 call, all zeros still "
            "there",
            "0 and . are both empty cells"),
    Erratum(("textbook (Sudoku)",),
            "solveSudoku discards the result of the search",
            "for 12345678. above ........9 the search says false; the grid stays unchanged, and "
            "no result says so",
            "no solution is an answer, with an exit status"),
    Erratum(("textbook (Sudoku)",),
            "the size of the board is a parameter, and the test supports only 9 and 3",
            "for a board of 4 x 4 the sanitizer reports a read past the end in isValid",
            "grids of other sizes are rejected"),
    Erratum(("textbook (Sudoku)",),
            "bool is used and no header included; in the C++ listing isValid is used before it is "
            "printed, and solveSudoku is missing",
            "neither compiles: unknown type name 'bool'; 'isValid' was not declared",
            "a module that runs"),
    Erratum(("textbook (Sudoku)",),
            "in the C listing the comments on the tests of row and column are swapped",
            "the loop under 'row' reads board[i][col], which is the column",
            "the loops are named after what they read"),
)
