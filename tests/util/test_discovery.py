"""The members of a kind are found by name; those in a folder are imported when they are needed."""

import sys

import pytest

from nqbench.errors import InvalidTypeError, InvalidValueError
from nqbench.util.discovery import Folder

FAULTY = "FRUIT = {}['missing']\n"


@pytest.fixture
def fruits(tmp_path, monkeypatch):
    """A package with two members, a shared module, a private one, and one that fails."""
    package = tmp_path / "orchard"
    package.mkdir()
    for name, text in {"__init__": "", "apple": "FRUIT = 'red'", "pear": "FRUIT = 'green'",
                       "shared": "", "_private": "FRUIT = 'none'", "rotten": FAULTY}.items():
        (package / f"{name}.py").write_text(text, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield Folder("orchard", "FRUIT", "fruit", shared={"shared"})
    for name in [name for name in sys.modules if name.partition(".")[0] == "orchard"]:
        del sys.modules[name]


def test_names_are_those_of_the_public_modules_but_the_shared_ones(fruits):
    assert fruits.names() == tuple(fruits) == ("apple", "pear", "rotten")
    assert len(fruits) == 3
    assert "pear" in fruits
    assert "shared" not in fruits
    assert "_private" not in fruits


def test_a_module_is_imported_when_its_member_is_needed(fruits):
    assert "apple" in fruits
    assert "orchard.apple" not in sys.modules
    assert fruits["apple"] == fruits.find("apple") == "red"
    assert "orchard.apple" in sys.modules
    assert "orchard.pear" not in sys.modules


def test_an_unknown_name_is_answered_with_the_nearest_ones(fruits):
    with pytest.raises(InvalidValueError, match="there is no fruit 'peer'; did you mean pear"):
        fruits.find("peer")
    with pytest.raises(InvalidTypeError, match="fruit"):
        fruits.find(3)
    with pytest.raises(KeyError):
        fruits["shared"]
    assert fruits.get("_private") is None


def test_the_error_of_a_module_is_not_taken_for_an_unknown_name(fruits):
    with pytest.raises(KeyError, match="missing"):
        fruits.find("rotten")


def test_a_folder_that_is_added_to_the_package_is_searched(fruits, tmp_path, monkeypatch):
    import orchard

    before = fruits.names()
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "plum.py").write_text("FRUIT = 'blue'", "utf-8")
    monkeypatch.setattr(orchard, "__path__", [*orchard.__path__, str(tmp_path / "more")])
    assert fruits.names() == (*before[:2], "plum", "rotten")
    assert fruits.find("plum") == "blue"


@pytest.mark.parametrize(("text", "says"), [
    ("FRUIT = type('Fruit', (), {'name': 'pear'})", "must hold the fruit 'plum', not 'pear'"),
    ("BUSH = 1", "must define FRUIT; the name of a module that is")])
def test_a_member_has_the_name_of_its_file(fruits, tmp_path, text, says):
    (tmp_path / "orchard/plum.py").write_text(text, "utf-8")
    with pytest.raises(ValueError, match=rf"plum\.py {says}"):
        fruits.find("plum")
