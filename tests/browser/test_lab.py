"""The lab in a browser, as `nqbench lab` serves it."""

import csv
import re
import subprocess
import sys
from math import prod

import pytest

from lab import LAB, build
from lab import STARTER as SIX
from nqbench.problems.published import published

pytestmark = pytest.mark.thorough  # a build of the lab, and Python in a browser

LOSES = SIX.replace("len(columns) - r)", "len(columns) - r, r - 3)")
RETURNS = """\
def queens(n):
    found, columns = [], []
    def place(row):
        if row == n:
            found.append(tuple(columns))
            return
        for column in range(n):
            if all(abs(column - c) not in (0, row - r) for r, c in enumerate(columns)):
                columns.append(column)
                place(row + 1)
                columns.pop()
    place(0)
    return found
"""
README = LAB.parent / "README.md"
RIGHT = "Right, up to n = "  # 8, or less on a busy machine
READY = "document.body.dataset.python === 'ready'"


@pytest.fixture(scope="module")
def built_lab(tmp_path_factory):
    """A lab that was built now."""
    out = tmp_path_factory.mktemp("lab")
    build(out, report=False)
    return out


@pytest.fixture(scope="module")
def served(built_lab):
    """The address of the lab, which is served by the command."""
    server = subprocess.Popen(
        [sys.executable, "-m", "nqbench", "lab", str(built_lab), "--no-browser"],
        stderr=subprocess.PIPE, text=True)
    with server:
        yield re.search(r"http://\S+/", server.stderr.readline())[0]
        server.terminate()
    assert server.returncode == 143


@pytest.fixture(scope="module")
def lab(showing, served):
    """The lab with Python ready."""
    page = showing(served, ".cm-content", viewport={"width": 1280, "height": 800},
                   reduced_motion="reduce")
    page.wait_for_function(READY)
    yield page
    assert page.said == []


@pytest.fixture
def other(showing, served):
    """The lab in another browser, before Python is ready."""
    return showing(served, ".cm-content")


def write(lab, code):
    lab.locator(".cm-content").fill(code)


def text(page):
    return page.inner_text(".cm-content")


def open_listing(page, name):
    page.select_option("#open", name)
    page.wait_for_selector(".cm-idea")


def run(lab, action, shown=".verdict", n="5"):
    lab.select_option("#n", n)
    lab.click(f"#{action}")
    lab.wait_for_selector(f"#result {shown}", timeout=60_000)
    return lab.inner_text(f"#result {shown} >> nth=0")


def test_the_story_is_read_without_scripts_and_each_screen_has_a_number(showing, served):
    page = showing(served, java_script_enabled=False)
    asked = page.inner_text("h1").replace("Why does one program count ", "")
    assert f"count {asked}" in README.read_text("utf-8")
    assert page.locator(".screen").count() == 10
    for screen in page.locator(".screen").all():
        assert re.search(r"\d", screen.locator(".number b").inner_text())
        assert screen.locator("[data-try]").count() == screen.locator(".board").count() == 1


@pytest.mark.parametrize(("first", "last"), [(2, 7), (9, 10)])
def test_the_factors_of_the_story_multiply_to_the_total_that_it_shows(showing, served, first, last):
    page = showing(served, java_script_enabled=False)
    shown = [page.inner_text(f"#screen-{number} .number b").removesuffix(" times")
             for number in range(first, last + 1)]
    bar = page.locator(f"#screen-{last} .product")
    *factors, total = bar.locator("b").all_inner_texts()
    assert factors == shown
    assert f"{float(f'{prod(map(float, factors)):.2g}'):,.0f}" == total
    assert page.inner_text(f"#screen-{last} .growth .end") == total
    if first == 2:
        assert f"count {total} times as fast" in page.inner_text("h1")


@pytest.fixture(scope="module", params=[1280, 390])
def story(request, showing, served):
    """The story with its drawings."""
    page = showing(served, "#screen-10 .says", viewport={"width": request.param, "height": 800},
                   reduced_motion="reduce")
    yield page
    assert page.said == []


def choose(screen, place):
    """Move what a screen draws to a place; return what it says."""
    screen.locator("input").evaluate("""(input, place) => {
        input.value = place;
        input.dispatchEvent(new Event("input"));
    }""", place)
    return screen.locator(".says").inner_text()


def every_place(screen):
    """Return what a screen says at each of its places; it ends at the last."""
    return screen.evaluate("""(screen) => {
        const input = screen.querySelector("input");
        return Array.from({ length: Number(input.max) + 1 }, (_, place) => {
            input.value = place;
            input.dispatchEvent(new Event("input"));
            return screen.querySelector(".says").innerText;
        });
    }""")


# What of a drawing is cut off, or overlaps another text.
FAULTS = """(scene) => {
    const within = (inner, outer, slack) => inner.left >= outer.left - slack
        && inner.top >= outer.top - slack && inner.right <= outer.right + slack
        && inner.bottom <= outer.bottom + slack;
    const around = ({ x, y, width, height }) =>
        ({ left: x, top: y, right: x + width, bottom: y + height });
    const whole = scene.getBoundingClientRect();
    const texts = [];
    const walker = document.createTreeWalker(scene, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const [text, range] = [walker.currentNode, document.createRange()];
        range.selectNodeContents(text);
        for (const box of range.getClientRects()) { // of each line
            texts.push([text.data, box, text.parentElement.getBoundingClientRect()]);
        }
    }
    return [
        ...texts.filter(([, box, own]) => !within(box, own, 4) || !within(box, whole, 0))
            .map(([text]) => `outside its box: ${text}`),
        ...texts.flatMap(([text, box], k) => texts.slice(0, k).filter(([, other]) =>
            box.left < other.right - 1 && other.left < box.right - 1
            && box.top < other.bottom - 4 && other.top < box.bottom - 4)
            .map(([other]) => `${text} overlaps ${other}`)),
        ...[...scene.querySelectorAll("svg")].filter((svg) =>
            !within(svg.getBoundingClientRect(), whole, 0)
            || !within(around(svg.getBBox()), around(svg.viewBox.baseVal), 0.5))
            .map(() => "a drawing is cut"),
        ...document.documentElement.scrollWidth > innerWidth ? ["the page scrolls sideways"] : []];
}"""


@pytest.mark.parametrize("number", range(1, 11))
def test_a_drawing_is_whole_and_its_texts_are_apart_wherever_it_is_moved(story, number):
    screen = story.locator(f"#screen-{number}")
    assert screen.evaluate(FAULTS) == screen.locator(".growth").evaluate(FAULTS) == []
    most = int(screen.locator("input").get_attribute("max"))
    for place in {0, most // 3, most // 2, most}:
        choose(screen, place)
        assert screen.locator(".scene").evaluate(FAULTS) == []


def test_the_drawings_show_what_they_say(story):
    screens = [story.locator(f"#screen-{number}") for number in range(1, 11)]
    walls, shrunk, tree, lamps, words, mirror, pile, ahead, images, halves = screens
    for wall in (walls, shrunk):
        assert sum(": a solution" in said or ", a solution" in said
                   for said in every_place(wall)) == 2
    assert walls.locator(".wall .lit").count() == 2
    assert shrunk.locator(".wall:first-child g:not(.out)").count() == 24
    assert "17 nodes, and 44 branches cut" in every_place(tree)[-1]
    assert tree.locator(".tree .dead").count() == 44
    assert tree.locator(".tree .won").count() == 2
    for place, said in enumerate(every_place(lamps)):
        queens = int(said[0])
        choose(lamps, place)
        choose(words, place)
        assert lamps.locator(".lamps .on").count() == 3 * queens
        row, left, right, free = (word.locator("i").all_inner_texts()
                                  for word in words.locator(".word").all())
        assert free == ["0" if "1" in bits else "1" for bits in zip(row, left, right, strict=True)]
        assert lamps.locator(".open").count() == words.locator(".open").count() == free.count("1")
    assert len(every_place(mirror)) == 46
    assert mirror.locator(".queen").count() == 16
    assert {said[:6] for said in every_place(pile)} == {f"{k} call" for k in range(1, 6)}
    assert pile.locator(".call:not(.none)").count() == pile.locator(".board .queen").count()
    assert all("leaves row" in said for said in every_place(ahead))
    assert ahead.locator(".hit.none").count() == 8
    assert sum(int(re.search(r": (\d) solutions", said)[1]) for said in every_place(images)) == 92
    found = 0
    for place, said in enumerate(every_place(halves)):
        choose(halves, place)
        fits = halves.locator(".half.fits").count()
        assert halves.locator(".pair.now").count() == fits
        assert (f"{fits} right hal" if fits else "every right half") in said
        found += fits
    assert halves.locator(".pair").count() == found == 6


def test_a_drawing_is_tried_in_place(story):
    screen = story.locator("#screen-4")
    choose(screen, 0)
    assert screen.locator(".says").inner_text().startswith("0 queens, 0 lamps on.")
    screen.get_by_role("button", name="placement, next").click()
    assert screen.locator(".says").inner_text().startswith("1 queen, 3 lamps on.")
    wall = story.locator("#screen-1")
    wall.locator("[data-at='3']").click()
    assert wall.locator(".says").inner_text().startswith("Placement 4 of 256")


def why_not(chromium, address, missing=""):
    """What the page says if Python cannot run, without a file."""
    context = chromium.new_context()
    page = context.new_page()
    if missing:
        page.route(f"**/{missing}", lambda route: route.fulfill(status=404, body="not here"))
    page.goto(address)
    page.wait_for_selector("body[data-python=failed]", timeout=60_000)
    told = page.inner_text("#python")
    if page.locator("#check").is_enabled() and missing in ("nqbench.zip", "worker.js"):
        page.click("#check")
        page.wait_for_selector("#result .bad.verdict")
        assert page.inner_text("#result .verdict") == told
    context.close()
    return told


def test_a_page_that_is_opened_as_a_file_says_what_to_do(chromium, built_lab):
    told = why_not(chromium, (built_lab / "index.html").as_uri())
    assert told.startswith("Python does not run here: browsers run it only from a server.")
    assert "`nqbench lab FOLDER`" in told
    page = chromium.new_page()
    page.goto((built_lab / "index.html").as_uri())
    assert page.locator("button:visible").count() == 0
    page.close()


@pytest.mark.parametrize("missing", [
    "lab.js", "manifest.js", "worker.js", "nqbench.zip", "memory.bin", "pyodide.asm.wasm"])
def test_a_lab_without_one_of_its_files_says_that_python_cannot_be_loaded(
        chromium, served, missing):
    assert why_not(chromium, served, missing).startswith("Python cannot be loaded: ")


def test_a_browser_that_cannot_use_the_memory_of_python_starts_it(chromium, served):
    context = chromium.new_context()
    page = context.new_page()
    page.route("**/memory.bin", lambda route: route.fulfill(body=b"of another version"))
    page.goto(served)
    page.wait_for_function(READY, timeout=60_000)
    assert run(page, "check").startswith(RIGHT)
    context.close()


def test_nothing_is_loaded_from_elsewhere(lab, served):
    asked = lab.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    assert asked and all(address.startswith(served) for address in asked)


def test_a_right_search_is_right_and_its_levels_are_shown(lab):
    write(lab, SIX)
    assert run(lab, "check").startswith(RIGHT)
    assert lab.inner_text("#result h3") == "Calls at each level, for 6 queens"
    assert lab.locator("#result .bars > div").count() == 7


def test_a_wrong_search_is_shown_with_a_placement_that_it_loses(lab):
    write(lab, LOSES)
    assert "it loses solutions" in run(lab, "check")
    assert lab.locator("#result .board.missing .queen").count() >= 6


def test_an_error_stands_beside_its_line(lab):
    write(lab, "def queens(n):\n    return m\n")
    assert run(lab, "check").startswith("Line 2: ")
    assert lab.inner_text(".cm-wrong") == "    return m"
    assert "name 'm' is not defined" in lab.inner_text(".cm-note")
    write(lab, RETURNS.replace("tuple(columns)", "columns"))
    note = "columns is one list, which changes later; give tuple(columns)"
    assert run(lab, "check").endswith(f"; line 5: {note}")
    assert lab.inner_text(".cm-wrong").strip() == "found.append(columns)"
    assert lab.inner_text(".cm-note") == note


def test_a_method_is_checked_and_named(lab):
    write(lab, f"{SIX}\nclass Solution:\n    def solveNQueens(self, n):\n"
          "        return len(list(queens(n)))\n\ndef show(board):\n    print(board)\n")
    assert run(lab, "check").startswith(RIGHT)
    assert "Solution.solveNQueens returns the number of solutions." in lab.inner_text("#result")
    write(lab, "class Solution:\n    def place(self, board):\n        return len(board)\n")
    assert run(lab, "check").startswith("Line 3: TypeError")
    assert "The lab called Solution.place(n)" in lab.inner_text("#result")


def test_code_is_pasted_without_the_spaces_of_web_pages(lab):
    lab.click(".cm-content")
    lab.keyboard.press("Control+a")
    lab.evaluate("""code => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", code);
        document.activeElement.dispatchEvent(
            new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }""", "\ufeff" + SIX.replace("    ", "\u00a0   "))
    assert run(lab, "check").startswith(RIGHT)
    write(lab, SIX)


def test_an_endless_loop_costs_a_click_and_the_code_is_kept(lab):
    write(lab, "def queens(n):\n    while True:\n        pass\n")
    lab.click("#check")
    lab.wait_for_function("!document.getElementById('stop').disabled")
    lab.click("#stop")
    lab.wait_for_selector("#result .verdict")
    assert lab.inner_text("#result .verdict") == "stopped"
    lab.wait_for_selector("#result [role=status] >> text=Python is ready again.")
    assert "while True" in lab.evaluate("localStorage.getItem('nqbench lab')")
    write(lab, SIX)
    assert run(lab, "check").startswith(RIGHT)


@pytest.mark.parametrize(("code", "said"), [
    ("def queens(n):\n    kept = []\n    while True:\n        kept.append('x' * 10_000_000)\n",
     "Line 4: MemoryError"),
    ("import os\ndef queens(n):\n    os._exit(3)\n",
     "Python stopped: Program terminated with exit(3)"),
    ("import sys\ndef queens(n):\n    sys.exit(3)\n",
     "Line 3: exit() is not available here; remove it, or write return in its place"),
])
def test_python_goes_on_after_a_search_that_ends_it(lab, code, said):
    write(lab, code)
    assert run(lab, "check") == said
    lab.wait_for_function(READY, timeout=60_000)
    write(lab, SIX)
    assert run(lab, "check").startswith(RIGHT)


def test_a_flood_of_output_is_cut(lab):
    write(lab, "def queens(n):\n    for k in range(9999):\n        print(k)\n    return 0\n")
    run(lab, "check")
    printed = lab.inner_text("#result pre").splitlines()
    assert (len(printed), printed[-1]) == (201, "… only the first 200 lines are kept")


def test_a_search_is_stepped_through_with_its_line_masks_and_tree(lab):
    open_listing(lab, "bitmask")
    run(lab, "watch", ".told")
    assert lab.locator(".cm-here").count() == 1
    lab.get_by_role("button", name="Next solution").click()
    assert lab.locator("#result .board .queen").count() > 0
    assert lab.locator("#result .bits").count() >= 4
    lab.get_by_role("button", name="Next backtrack").click()
    assert "the search goes back" in lab.inner_text(".told")
    lab.get_by_role("button", name="End", exact=True).click()
    assert lab.locator("#result .tree .node:not(.later)").count() == 54


def test_watching_goes_on_by_arrow_keys_at_once(lab):
    open_listing(lab, "bitmask")
    run(lab, "watch", ".told")
    assert lab.evaluate("document.activeElement.innerText") == "Step"
    for key, step in ("ArrowRight", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("Home", 1):
        lab.keyboard.press(key)
        assert lab.inner_text(".told").startswith(f"Step {step} of ")


@pytest.mark.parametrize(("width", "height"), [(390, 844), (768, 1024)])
def test_on_a_narrow_screen_code_board_variables_and_step_are_in_view_together(
        showing, served, width, height):
    page = showing(served, ".cm-content", viewport={"width": width, "height": height},
                   reduced_motion="reduce")
    open_listing(page, "bitmask")
    run(page, "watch", ".told")
    page.get_by_role("button", name="Next solution").click()
    below = page.locator("header.bar").bounding_box()["height"]
    step = page.get_by_role("button", name="Step", exact=True)
    for scrolled in (0, 150):
        page.evaluate(f"scrollBy(0, {scrolled})")
        for part in (page.locator(".cm-here"), page.locator("#result .board"),
                     page.locator("#result .bits >> nth=0"), step):
            box = part.bounding_box()
            assert below <= box["y"] and box["y"] + box["height"] <= height
            assert page.evaluate("([x, y]) => document.elementFromPoint(x, y)?.closest("
                                 "'.cm-here, .board, td, button') !== null",
                                 [box["x"] + 9, box["y"] + box["height"] / 2])


def test_a_step_is_predicted_before_it_is_shown(lab):
    open_listing(lab, "bitmask")
    run(lab, "watch", ".told")
    lab.get_by_label("Predict first").check()
    assert lab.inner_text(".question p >> nth=0") == "Into which column goes the queen of row 1?"
    lab.get_by_role("button", name="Step", exact=True).click()
    assert lab.inner_text(".question [role=status]") == (
        "Answer first, or switch off Predict first.")
    lab.locator(".question").get_by_role("button", name="2", exact=True).click()
    assert lab.inner_text(".question [role=status]") == "Right. 1 of 1 predicted."
    lab.get_by_role("button", name="Go on").click()
    assert lab.locator(".question").is_visible()


def test_nobody_is_asked_whether_a_solution_is_a_dead_end(lab):
    lab.select_option("#open", "")
    write(lab, RETURNS)
    run(lab, "watch", ".told", n="4")
    lab.get_by_role("button", name="Next solution").click()
    assert ": 4 queens, 1 solution so far" in lab.inner_text(".told")
    lab.get_by_label("Predict first").check()
    assert lab.inner_text(".question p >> nth=0") == "Into which column goes the queen of row 1?"


def test_a_finished_race_says_who_won_and_shows_the_last_solutions(lab):
    lab.select_option("#open", "")
    write(lab, SIX)
    lab.select_option("#rival", "brute_force")
    run(lab, "race", ".lane")
    lab.wait_for_function("document.querySelector('#result .verdict').textContent")
    assert re.fullmatch(r"your search wins by lines of Python run, [\d,]+ : [\d,]+, [\d.]+ times "
                        r"fewer\.", lab.inner_text("#result .verdict"))
    assert lab.locator("#result .board.found").count() == 2
    assert "A time in a browser" in lab.inner_text("#result .small >> nth=0")


def test_a_race_that_would_take_too_long_is_for_fewer_queens_and_says_so(lab):
    open_listing(lab, "bitmask")
    run(lab, "race", ".lane", n="8")
    assert lab.inner_text("#result p >> nth=0") == (
        "brute_force takes too long for 8 queens; the race is for 6.")
    assert lab.inner_text("#result tbody tr:nth-child(2) td >> nth=1") == "no tree"
    lab.select_option("#open", "")


def test_a_wrong_search_does_not_win(lab):
    write(lab, LOSES)
    lab.select_option("#rival", "recursive")
    run(lab, "race", ".lane", n="7")
    lab.wait_for_function("document.querySelector('#result .verdict').textContent")
    assert lab.inner_text("#result .verdict") == (
        "The searches find different numbers: 8 solutions and 40. So neither wins.")


def test_lines_beyond_the_limit_and_long_times_are_said_as_such(lab):
    lab.evaluate("""async () => {
        const { racing } = await import("./racing.js");
        const racer = (name, lines, seconds, whole) =>
            ({ name, lines, seconds, whole, nodes: null, tests: 9, solutions: 92, moments: [] });
        racing(document.getElementById("result"), { n: 8, racers: [
            racer("your search", 41997, 0.0123, true), racer("slow", 2000001, 2.17, false)] });
    }""")
    assert lab.inner_text("#result .verdict") == (
        "your search wins by lines of Python run, 41,997 : more than 2,000,000, "
        "more than 47.6 times fewer.")
    assert "2.17 s" in lab.inner_text("#result table")
    assert "12.3 ms" in lab.inner_text("#result table")


def test_solutions_of_a_search_that_returns_a_list_are_counted_where_it_has_them(lab):
    write(lab, RETURNS)
    run(lab, "watch", ".told", n="4")
    for many in ("1 solution so far", "2 solutions so far"):
        lab.get_by_role("button", name="Next solution").click()
        assert f"4 queens, {many}" in lab.inner_text(".told")
        assert lab.locator("#result .board.found").count() == 1
    write(lab, "from itertools import permutations\ndef queens(n):\n    return list(filter("
               "lambda p: all(abs(p[r] - p[s]) != r - s for r in range(n) for s in range(r)),\n"
               "        permutations(range(n))))\n")
    run(lab, "watch", ".told")
    assert "its solutions come at its end" in lab.inner_text(".told")


def test_a_board_of_ones_own_is_searched_by_each_pruning(lab):
    lab.get_by_label("row 0, column 1: free").click()
    lab.get_by_role("button", name="Race the prunings").click()
    told = "document.querySelector('#board [role=status] p').innerText"
    lab.wait_for_function(f"{told}.includes('1 solution.')")
    said = lab.evaluate(told)
    assert re.search(r"The smallest trees, those of \d+ searches: .*singletons.*\. The shortest "
                     r"time here: \w+\.", said), said
    assert lab.locator("#board tbody tr").count() == 25
    cells = lab.locator("#board tbody td:last-child").all_inner_texts()
    assert all(re.fullmatch(r"[\d.e+]+ (ms|s)", cell) for cell in cells) and len(set(cells)) > 9
    nodes = [int(text.replace(",", "")) for text in lab.locator(
        "#board tbody td:nth-child(2)").all_inner_texts()]
    assert nodes == sorted(nodes)
    assert "nqbench count 'n=6 placed=0:1'" in lab.inner_text("#board")
    lab.get_by_role("button", name="Clear").click()


def test_an_algorithm_is_guessed_from_its_tree_and_from_its_replay(lab):
    for kind, shown in (("tree", ".bars"), ("replay", ".board")):
        lab.click(f"#guess-{kind}")
        lab.wait_for_selector(f"#guess-panel {shown}")
        signs = lab.locator(".guess li span").all_inner_texts()
        assert len(signs) == len({*signs}) == 5
        lab.click(".guess button >> nth=0")
        assert "guessed." in lab.inner_text("#guess-panel")


def test_an_exercise_of_the_notebooks_is_answered(lab):
    lab.select_option("#open", "lowest_bit")
    assert "Then it takes the free columns" in lab.inner_text("#opened")
    assert run(lab, "check").startswith("Not answered yet")
    write(lab, "def lowest_bit(mask):\n    return mask & -mask\n")
    assert run(lab, "check") == "Right."
    lab.select_option("#open", "")


def options(page):
    return page.locator("#open optgroup[label='Your earlier code'] option")


def test_a_link_opens_the_code_in_another_browser_beside_the_readers_own(lab, other):
    write(lab, LOSES)
    lab.click("#share")
    lab.wait_for_function("location.hash.startsWith('#code=')")
    assert len(lab.url) < 500
    write(other, "# mine")
    other.goto(lab.url)
    other.wait_for_function("document.querySelector('.cm-content')?.innerText.includes('r - 3')")
    assert "comes from a link" in other.inner_text("#opened")
    other.select_option("#open", "")
    assert text(other) == "# mine"
    other.select_option("#open", "link")
    assert "r - 3" in text(other)
    assert options(other).count() == 0
    write(other, "# changed")
    assert other.input_value("#open") == ""
    assert "#code" not in other.url
    other.reload()
    other.wait_for_selector(".cm-content")
    assert text(other) == "# changed"
    other.select_option("#open", options(other).get_attribute("value"))
    assert text(other) == "# mine"
    other.select_option("#open", "link")
    assert "r - 3" in text(other)


DAMAGES = (lambda url: url[:-5], lambda url: url + "A", lambda url: url[:url.index("#code=") + 6],
           lambda url: url[:-20] + ("B" if url[-20] == "A" else "A") + url[-19:],
           lambda url: url[:-40] + url[-39:], lambda url: url + ".", lambda url: url + "%20")


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_link_shows_no_code_but_says_so(lab, other, damage):
    """Neither the code of the link before, nor the default search, which is right."""
    write(lab, LOSES)
    lab.click("#share")
    lab.wait_for_function("location.hash.startsWith('#code=')")
    write(other, "# mine")
    other.goto(lab.url)
    other.wait_for_function("document.querySelector('.cm-content')?.innerText.includes('r - 3')")
    other.goto(damage(lab.url))
    other.wait_for_function("document.querySelector('#opened')?.innerText.includes('damaged')")
    assert "ask for the link again" in other.inner_text("#opened")
    assert text(other).strip() == ""
    other.select_option("#open", "")
    assert text(other) == "# mine"


CLASS = [("right", SIX), ("not right", LOSES), ("right", RETURNS),
         ("fails", "def queens(n):\n    retur")]
LINK = "async ([code, n]) => (await import('./address.js')).link({ code: `${code}# ${n}`, n })"


def collect(page, shown):
    page.get_by_role("button", name="Check all").click()
    page.wait_for_selector(f"#collect [role=status] >> text={shown}", timeout=90_000)


def test_a_class_of_thirty_links_is_collected_of_which_five_are_damaged(lab, tmp_path):
    expected, lines = [], []
    for number in range(30):
        result, code = CLASS[number % len(CLASS)]
        url = lab.evaluate(LINK, [code, number])
        if number % 6 == 5:
            result, url = "damaged", DAMAGES[number // 6](url)
        expected.append((f"Student {number}", result, url))
        lines.append(f"Student {number}{(' ', ', ', ': ', chr(9))[number % 4]}{url}")
    (tmp_path / "links.txt").write_text("\n".join(lines[10:]), "utf-8")
    lab.get_by_label("Links, one a line").fill("\n\n".join([*lines[:10], ""]))
    lab.locator("#collect input[type=file]").set_input_files(tmp_path / "links.txt")
    lab.wait_for_function("document.querySelector('textarea').value.includes('Student 29')")
    collect(lab, "30 lines: ")
    assert lab.inner_text("#collect [role=status]") == (
        "30 lines: 15 right, 5 damaged, 5 fails, 5 not right.")
    shown = [(row.locator("th").inner_text(), row.locator("b").inner_text())
             for row in lab.locator("#collect tbody tr").all()]
    assert shown == [(name, result) for name, result, _ in expected]
    with lab.expect_download() as kept:
        lab.get_by_role("button", name="Download as CSV").click()
    with kept.value.path().open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["name"], row["result"], row["link"]) for row in rows] == expected
    plain = str(sum(published("A319284")[6]))
    assert {(row["result"], row["nodes"]) for row in rows} == {
        ("right", plain), ("not right", rows[1]["nodes"]), ("fails", ""), ("damaged", "")}
    assert "ask for it again" in rows[5]["says"]


def test_a_line_without_a_link_is_named_and_no_line_is_lost(lab):
    lab.get_by_label("Links, one a line").fill(
        "=Ada http://127.0.0.1/#co\nBen forgot it\nhttp://a/#code=x")
    collect(lab, "3 lines: ")
    assert lab.inner_text("#collect [role=status]") == "3 lines: 1 damaged, 2 no link."
    assert lab.locator("#collect th[scope=row]").all_inner_texts() == [
        "=Ada", "Ben forgot it", "line 3"]


def test_without_a_link_the_readers_own_code_is_open(lab, other):
    write(lab, LOSES)
    lab.click("#share")
    lab.wait_for_function("location.hash.startsWith('#code=')")
    write(other, "# mine")
    plain = other.url
    other.goto(lab.url)
    other.wait_for_function("document.querySelector('.cm-content')?.innerText.includes('r - 3')")
    other.goto("about:blank")
    other.goto(plain)
    other.wait_for_selector(".cm-content")
    assert text(other) == "# mine" and other.input_value("#open") == ""


def test_an_edited_textbook_and_the_six_lines_cost_no_code(other):
    other.wait_for_function(READY)
    write(other, "# mine")
    other.select_option("#open", "six")
    open_listing(other, "bitmask")
    other.select_option("#open", "")
    assert text(other) == "# mine"
    open_listing(other, "bitmask")
    write(other, "# edited")
    other.select_option("#open", "lowest_bit")
    write(other, "# answered")
    other.select_option("#open", "")
    assert text(other) == "# edited"
    other.select_option("#open", options(other).get_attribute("value"))
    assert text(other) == "# mine"
    other.select_option("#open", "lowest_bit")
    assert text(other) == "# answered"


def test_it_works_offline_after_the_first_visit(lab):
    lab.wait_for_selector("#offline:not([hidden])", timeout=60_000)
    lab.context.set_offline(True)
    lab.reload()
    lab.wait_for_selector(".cm-content")
    lab.wait_for_function(READY, timeout=60_000)
    write(lab, SIX)
    assert run(lab, "check").startswith(RIGHT)
    lab.context.set_offline(False)


@pytest.mark.parametrize(("theme", "width"), [("light", 1280), ("dark", 390)])
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(lab, find_faults, theme, width):
    lab.emulate_media(color_scheme=theme)
    lab.set_viewport_size({"width": width, "height": 800})
    run(lab, "check")
    assert find_faults(lab) == []
    run(lab, "watch", ".told")
    assert find_faults(lab) == []
    assert lab.evaluate("document.documentElement.scrollWidth") <= width


def test_each_package_has_its_checksum_and_no_address():
    lock = (LAB / "package-lock.json").read_text("utf-8")
    assert lock.count('"integrity": "sha512-') == lock.count('"node_modules/')
    assert "http" not in lock


def test_the_keyboard_runs_the_search_and_leaves_the_editor(lab):
    write(lab, SIX)
    lab.locator(".cm-content").press("Control+Enter")
    lab.wait_for_selector("#result .verdict.ok")
    lab.locator(".cm-content").press("Escape")
    lab.keyboard.press("Tab")
    assert lab.evaluate("document.activeElement.id") == "share"
