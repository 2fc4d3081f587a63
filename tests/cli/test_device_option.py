"""The option --device of count, audit and plan."""

import json

import pytest

from nqbench.engine.devices import OpenCL

pytest.importorskip("nqbench._join")
pytest.importorskip("pyopencl")
pytestmark = [pytest.mark.slow,
              pytest.mark.skipif(not OpenCL.find(), reason="there is no device of OpenCL")]


def test_a_count_on_a_device_is_audited_by_a_kernel_and_the_other_way_round(run, tmp_path):
    path = str(tmp_path / "12.checkpoint")
    status, out, err = run("count", "12", "--device", "opencl:0", "--checkpoint", path, "--json")
    assert (status, err) == (0, "")
    counted = json.loads(out)
    assert (counted["solutions"], counted["kernel"], counted["algorithm"]) == (
        14200, "opencl:0", "join")
    for device in ([], ["--device", "opencl:0"]):
        status, out, _ = run("audit", path, "--sample", "3", "--json", *device)
        assert status == 0
        assert json.loads(out) | {"ok": True, "counted_again": 3} == json.loads(out)


@pytest.mark.thorough
def test_a_local_cluster_has_a_worker_for_each_device(run):
    status, out, _ = run("count", "12", "--device", "opencl:0", "--cluster", "local", "--json")
    assert status == 0
    counted = json.loads(out)
    assert (counted["solutions"], counted["kernel"], counted["jobs"]) == (14200, "opencl:0", 1)


def test_a_plan_is_made_of_parts_that_a_device_counts(run):
    status, out, _ = run("plan", "16", "--device", "opencl:0", "--json")
    assert status == 0
    planned = json.loads(out)
    assert planned["kernel"] == "opencl:0"
    assert 0 < planned["core_hours"]["estimate"] < 1


@pytest.mark.parametrize(("words", "says"), [
    (["--device", "opencl:99"], "there is no device opencl:99, only opencl:0 ("),
    (["--device", "opencl:0", "-a", "cross"],
     "opencl:0 counts by the join only, not cross"),
    (["--device", "opencl:0", "--cluster", "local", "-j", "2"],
     "--kernel and --jobs are not supported with --cluster: each worker uses its fastest kernel, "
     "or one --device")])
def test_what_is_wrong_with_a_device_is_one_line(run, words, says):
    status, out, err = run("count", "12", *words)
    assert (status, out) == (2, "")
    assert err.startswith(f"nqbench: {says}")
    assert err.count("\n") == 1


def test_levels_are_counted_on_no_device(run):
    for words in ([], ["--cluster", "local"]):
        status, out, err = run("levels", "12", "--kernel", "opencl:0", *words)
        assert (status, out) == (2, "")
        assert err.count("\n") == 1


def test_the_devices_are_listed(run):
    _, out, _ = run("list")
    assert "\ndevice of the join here: opencl:0 (" in out
