"""The recordings on the page: those of the real searches, in few bytes."""

import json
import re
import zlib
from base64 import b64decode

import pytest
from replaying import replay

from nqbench.explain.recordings import MOST_EVENTS, Recording, record
from nqbench.problems.instances import Board, catalogue, parse
from nqbench.report.player import INSTANCES


@pytest.fixture(scope="module")
def page(reports):
    return (reports / "index.html").read_text("utf-8")


@pytest.fixture(scope="module")
def held(page):
    """What the page holds for its script."""
    (text,) = re.findall(r'<script type="application/json" id="recordings">(.*?)</script>', page)
    return json.loads(text)


def unpacked(kept):
    instance = Board.from_json(kept["instance"]) if "instance" in kept else kept["n"]
    return Recording(instance, zlib.decompress(b64decode(kept["codes"])), kept["whole"],
                     rules=tuple(kept.get("rules", ())))


def test_without_a_script_the_page_tells_of_one_step(page):
    (sentence,) = re.findall("<figcaption>(Step.*?)</figcaption>", page, re.DOTALL)
    assert "Step 982 of 17,777 of <code>iterative</code> on the board of 8" in sentence
    assert "after 876 tests, 114 nodes and 105 backtracks" in sentence


@pytest.mark.parametrize("name", ["iterative", "bitmask", "somers", "dancing_links"])
def test_the_page_holds_what_the_algorithm_did(held, name):
    (algorithm,) = (one for one in held["algorithms"] if one["name"] == name)
    for n, index in zip(held["sizes"], algorithm["recordings"], strict=True):
        assert unpacked(held["recordings"][index]) == record(n, name, MOST_EVENTS)


def test_the_page_holds_every_search_in_some_instances(held):
    assert [board["text"] for board in held["instances"]] == list(INSTANCES.values())
    for board in held["instances"]:
        assert [each["name"] for each in board["algorithms"]] == [
            name for name, search in catalogue().items() if search.tree != "none"]
        for algorithm in board["algorithms"]:
            (index,) = algorithm["recordings"]
            recorded = unpacked(held["recordings"][index])
            assert recorded == record(parse(board["text"]), algorithm["name"])


def test_every_search_of_a_tree_is_whole_or_its_first_solution_is_early(held):
    whole_boards = [kept for kept in held["recordings"] if not {"instance", "jumps"} & set(kept)]
    for recording in map(unpacked, whole_boards):
        number = next(number for number, moment in enumerate(replay(recording), 1)
                      if moment.solutions)
        assert recording.complete or number < MOST_EVENTS / 10


def test_all_of_it_is_small(page, held):
    assert sum(len(kept["codes"]) for kept in held["recordings"]) < 250_000
    assert len(page.encode()) < 3_000_000
