"""The player shows the steps of `nqbench trace`, forwards and backwards, by keyboard too."""

import pytest
from replaying import replay

from nqbench.cli.trace import format_line
from nqbench.explain.recordings import MOST_EVENTS, RECORDED_N, record
from nqbench.explain.trace import collect_events
from nqbench.problems.instances import catalogue, parse
from nqbench.problems.queens import find
from nqbench.report.player import INSTANCES

WALK = """(steps) => Array.from({length: steps}, () => {
    document.getElementById("watch-player").dispatchEvent(
        new KeyboardEvent("keydown", {key: "ArrowRight", bubbles: true, cancelable: true}));
    return document.getElementById("watch-line").textContent;
})"""
QUICK = [(4, "iterative"), (5, "somers"), (5, "fewest_lines")]
THOROUGH = [(4, "one_loop"), (5, "forward_checking"), (6, "canonical"), (5, "width_limited")]
PLACED, BLOCKED, EXCLUDED, TORUS = INSTANCES.values()
QUICK += [(BLOCKED, "fewest_lines"), (EXCLUDED, "restarts_luby")]
THOROUGH += [(PLACED, "row_by_row"), (TORUS, "arc_consistency")]
COUNTERS = ("step", "tests", "nodes", "backtracks", "solutions")


@pytest.fixture(scope="module")
def player(opened):
    return Player(opened())


class Player:
    """The player of an open page."""

    def __init__(self, page):
        self.page = page

    def choose(self, n, name):
        """Choose a board, by n or as the text of an instance, and a search; return when it has been
        read.
        """
        for field, chosen in (("n", {"value": str(n)}), ("algorithm", {"label": name})):
            self.page.select_option(f"#watch-{field}", **chosen)
            self.page.wait_for_selector("#watch-player[aria-busy=false]")
        self.page.focus("#watch-player")

    def press(self, key, times=1):
        for _ in range(times):
            self.page.keyboard.press(key)

    def seek(self, step):
        self.page.locator("#watch-seek").fill(str(step))
        self.page.focus("#watch-player")

    def walk(self, steps):
        """Press the right arrow key `steps` times; return the line after each step."""
        return self.page.evaluate(WALK, steps)

    @property
    def line(self):
        return self.page.locator("#watch-line").text_content()

    @property
    def counts(self):
        found = self.page.evaluate(
            "(ids) => ids.map((id) => document.getElementById(id).textContent)",
            [f"watch-{name}" for name in COUNTERS])
        return tuple(int(text.replace(",", "")) for text in found)

    @property
    def picture(self):
        """Everything that is drawn: board, stack, levels, tree, counters, text."""
        return self.page.evaluate(
            "[...document.querySelectorAll('.stage > *, .numbers, .tree')]"
            ".map((part) => part.outerHTML).join()")


@pytest.mark.parametrize(("chosen", "name"), [
    *QUICK, *(pytest.param(*one, marks=pytest.mark.thorough) for one in THOROUGH)])
def test_steps_are_numbered_and_told_as_by_trace(player, chosen, name):
    player.choose(chosen, name)
    board = parse(chosen) if isinstance(chosen, str) else chosen
    known = collect_events(board, name)
    assert player.walk(len(known)) == [
        f"step {number}  {format_line(board, step)}"
        + ". The search is over." * (number == len(known))
        for number, step in enumerate(known, 1)]
    *_, last = replay(record(board, name))
    assert player.counts == (len(known), last.tests, last.nodes, last.backtracks, last.solutions)


def test_an_instance_is_drawn_with_what_it_has_from_the_start(player):
    for text, selector, many in ((PLACED, ".queen.given", 2), (BLOCKED, "rect.barred", 3),
                                 (EXCLUDED, "line.barred", 4), (TORUS, ".queen, .barred", 0)):
        player.choose(text, "row_by_row")
        assert player.page.locator(f"#watch-board :is({selector})").count() == many, text
    player.choose(PLACED, "row_by_row")
    assert player.line == "([4] * * * * [1] * *)  before the first step"
    player.press("ArrowRight")
    assert player.line == "step 1  ([4] 2 * * * [1] * *)  place: row 2, column 2"


def test_each_board_offers_its_algorithms_and_keeps_the_name(player):
    names = player.page.locator("#watch-algorithm option")
    player.choose(8, "bitmask")
    whole = names.all_text_contents()
    player.choose(TORUS, "bitmask")
    assert names.all_text_contents() == [
        name for name, search in catalogue().items() if search.tree != "none"]
    assert "n=7 torus" in player.page.locator("#watch-note").text_content()
    player.page.select_option("#watch-n", "8")
    player.page.wait_for_selector("#watch-player[aria-busy=false]")
    assert names.all_text_contents() == whole
    assert len(whole) > 20
    assert player.page.locator("#watch-algorithm option:checked").text_content() == "bitmask"


@pytest.mark.parametrize("n", [
    pytest.param(n, marks=pytest.mark.thorough if n != 6 else []) for n in RECORDED_N[::2]])
def test_at_the_end_the_counters_are_those_of_the_search(player, n):
    player.choose(n, "iterative")
    names = player.page.locator("#watch-algorithm option").all_text_contents()
    for name in names[::1 if n != 6 else 8]:
        if find(name).jumps:  # tests/browser/test_jumping.py
            continue
        player.choose(n, name)
        player.press("End")
        moments = [*replay(record(n, name, MOST_EVENTS))]
        last = moments[-1]
        assert player.counts == (
            len(moments), last.tests, last.nodes, last.backtracks, last.solutions), name


def test_a_search_that_is_cut_says_so(player):
    player.choose(8, "brute_force")
    assert "The first 20,000 steps are recorded; the search is longer." in (
        player.page.locator("#watch-note").text_content())
    player.press("End")
    assert player.line.endswith("The recording ends here; the search continues.")


def test_going_back_shows_what_was_shown_before(player):
    player.choose(5, "iterative")
    seen = [player.picture]
    for _ in range(12):
        player.press("ArrowRight")
        seen.append(player.picture)
    assert len(set(seen)) == 13
    for before in reversed(seen[:-1]):
        player.press("ArrowLeft")
        assert player.picture == before
    player.seek(9)
    assert player.picture == seen[9]


def test_keys_and_buttons_go_to_the_ends_and_no_farther(player):
    player.choose(4, "iterative")
    for key, step in [("ArrowLeft", 0), ("End", 77), ("ArrowRight", 77), ("ArrowLeft", 76),
                      ("Home", 0)]:
        player.press(key)
        assert player.counts[0] == step
    for name, step in [("step", 1), ("step", 2), ("back", 1), ("end", 77), ("start", 0)]:
        player.page.locator(f"[data-do={name}]").click()
        assert player.counts[0] == step


def test_space_plays_to_the_end_and_pauses(player):
    button = player.page.locator("[data-do=play]")
    player.page.locator("#watch-speed").fill("3")
    player.choose(8, "iterative")
    player.press("Space")
    player.page.wait_for_function("Number(document.getElementById('watch-seek').value) > 3")
    assert button.text_content() == "Pause"
    player.press("Space")
    assert button.text_content() == "Play"
    stopped = player.counts
    player.page.wait_for_timeout(300)
    assert player.counts == stopped
    player.choose(4, "iterative")
    player.page.locator("#watch-speed").fill("10")
    button.click()
    player.page.wait_for_function(
        "document.getElementById('watch-line').textContent.endsWith('The search is over.')")
    assert button.text_content() == "Play"
    assert player.counts[0] == 77


@pytest.mark.thorough
def test_playing_tells_a_screen_reader_once_at_the_end(player):
    player.choose(4, "iterative")
    player.page.wait_for_timeout(800)
    player.page.evaluate("""() => {
        window.heard = [];
        const status = document.getElementById("watch-heard");
        new MutationObserver(() => heard.push(status.textContent)).observe(
            status, {childList: true});
    }""")
    player.page.locator("#watch-speed").fill("5")
    player.page.locator("[data-do=play]").click()
    player.page.wait_for_function("window.heard.length > 0")
    assert player.page.evaluate("heard") == [
        "Step 77 of 77: (* * * *)  back. The search is over.; 60 tests, 2 solutions."]


def test_every_control_is_reached_by_tab(player):
    player.page.focus("#watch-player")
    reached = []
    for _ in range(10):
        player.press("Tab")
        reached.append(player.page.evaluate(
            "document.activeElement.dataset.do ?? document.activeElement.id"))
    assert reached == ["watch-n", "watch-algorithm", "rival-algorithm", "start", "back", "play",
                       "step", "end", "watch-seek", "watch-speed"]


def test_it_begins_at_the_first_solution_and_nothing_moves_by_itself(opened):
    page = opened(reduced_motion="reduce", viewport={"width": 1280, "height": 720})
    page.wait_for_timeout(300)
    assert Player(page).counts == (982, 876, 114, 105, 1)
    # Below the answers, it begins on the first screen, a small one, too.
    assert page.locator("#watch h2").bounding_box()["y"] < 720


def test_the_speed_says_how_long_the_search_takes(player):
    player.choose(8, "iterative")
    for speed, text in (("3", "8 steps a second, 37 minutes in all"),
                        ("10", "1,024 steps a second, 18 seconds in all")):
        player.page.locator("#watch-speed").fill(speed)
        assert player.page.locator("#watch-pace").text_content() == text


def test_the_tree_is_drawn_up_to_6_and_else_the_page_says_so(player):
    for n, drawn in (("6", True), ("7", False)):
        player.choose(n, "iterative")
        assert player.page.locator("#watch-tree svg").is_visible() == drawn
        assert player.page.locator("#watch-tree .large").is_visible() != drawn
    player.choose(4, "iterative")
    player.press("End")
    assert player.counts == (77, 60, 17, 15, 2)
    assert player.page.locator("#watch-tree circle.solution").count() == 2


def test_keys_outside_the_player_are_those_of_the_page(player):
    player.choose(4, "iterative")
    player.page.focus("#steps .plot")
    player.press("End")
    assert player.counts[0] == 0
