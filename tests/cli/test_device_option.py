"""The option --device of count, audit and plan."""

import json
import sys

import emulated_cupy
import pytest
from conftest import refused

from nqbench.problems.published import published

pytest.importorskip("nqbench._join")
pytestmark = pytest.mark.slow


@pytest.fixture
def cuda(monkeypatch, tmp_path):
    """An emulated device."""
    monkeypatch.setitem(sys.modules, "cupy", emulated_cupy.emulate(tmp_path, devices=1))


@pytest.mark.needs("GPU")
@pytest.mark.parametrize(("n", "solutions"), [(8, 92), (16, 14772512)])
def test_a_graphics_processor_counts(run, n, solutions):
    assert run("count", n, "--device", "cuda")[:2] == (0, f"{solutions}\n")


@pytest.mark.needs("c++")
@pytest.mark.usefixtures("cuda")
@pytest.mark.thorough
def test_a_count_on_a_device_is_audited_by_a_kernel_and_the_other_way_round(run, tmp_path):
    path = str(tmp_path / "10.checkpoint")
    status, out, err = run("count", "10", "--device", "cuda:0", "--checkpoint", path, "--json")
    assert (status, err) == (0, "")
    counted = json.loads(out)
    assert (counted["solutions"], counted["kernel"], counted["algorithm"]) == (
        724, "cuda:0", "join")
    for device in ([], ["--device", "cuda:0"]):
        status, out, _ = run("audit", path, "--sample", "3", "--json", *device)
        assert status == 0
        assert json.loads(out) | {"ok": True, "counted_again": 3} == json.loads(out)


@pytest.mark.needs("c++")
@pytest.mark.usefixtures("cuda")
def test_a_plan_is_made_of_parts_that_a_device_counts(run, monkeypatch):
    for name, value in (("CARD_ENOUGH", 0.0), ("RANGES", 6)):
        monkeypatch.setattr(f"nqbench.engine.plans.{name}", value)
    status, out, _ = run("count", "11", "--plan", "--device", "cuda:0", "--json")
    assert status == 0
    planned = json.loads(out)
    assert planned["kernel"] == "cuda:0"
    assert planned["core_hours"]["estimate"] > 0
    low, high = planned["solutions"]["interval"]
    assert low < published("A000170")[11] < high


@pytest.mark.usefixtures("cuda")
@pytest.mark.parametrize(("words", "says"), [
    (["--device", "cuda:99"], "there is no device cuda:99, only cuda:0 ("),
    (["--device", "cuda:0", "-j", "2"],
     "--jobs is not supported with --device: a card has one thread"),
    (["--device", "cuda:0", "-a", "cross"],
     "cuda:0 counts by the join only, not cross"),
    (["--device", "cuda:0", "--cluster", "local", "-j", "2"],
     "--kernel and --jobs are not supported with --cluster: each worker uses its fastest kernel, "
     "or one --device")])
def test_what_is_wrong_with_a_device_is_one_line(run, words, says):
    assert refused(run("count", "12", *words)).startswith(says)


@pytest.mark.usefixtures("cuda")
def test_the_devices_are_listed(run, monkeypatch):
    monkeypatch.setattr("nqbench.cli.catalogue.practical_n", lambda *_: 9)
    _, out, _ = run("list")
    assert "\ndevice of the join here: cuda:0 (emulated)" in out
