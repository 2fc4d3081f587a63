"""The peers count rightly, where they are installed."""

import subprocess
import sys

import pytest
from conftest import SOLUTIONS

from nqbench import peers
from nqbench.peers import Peer


@pytest.mark.parametrize("peer", peers.peers(), ids=lambda peer: peer.name)
def test_a_peer_counts_what_is_published(peer):
    if peer.installed() is None:
        pytest.skip(f"{peer.name} is not installed")
    assert [peer.count(n) for n in range(1, 7)] == [SOLUTIONS[n] for n in range(1, 7)]


def test_the_version_is_that_of_the_package():
    assert Peer("pytest", "pytest", "", len).installed() == pytest.__version__
    assert Peer("none", "no-such-package", "", len).installed() is None


def test_a_file_adds_a_peer(add_member):
    add_member(peers, {"mine.py": "from nqbench.peers import Peer\n"
                       "PEER = Peer('mine', 'pytest', 'known', [1].index, 45)\n"})
    assert [peer.name for peer in peers.PEERS][3:5] == ["exact-cover", "mine"]


def test_an_installed_package_adds_a_peer(install_package):
    install_package(peers._FOLDER, "from nqbench.peers import Peer\n"
                    "MINE = Peer('Mine', 'pytest', 'known', [1].index, 45)\n",
                    "mine = queens_mine:MINE")
    assert [peer.name for peer in peers.PEERS][3:5] == ["exact-cover", "Mine"]


@pytest.mark.slow
def test_no_peer_is_imported_before_it_is_used():
    code = ("import sys\nimport nqbench.peers, nqbench.study\n"
            "[peer.installed() for peer in nqbench.peers.PEERS]\n"
            "print({'clingo', 'dlxsolver', 'exact_cover', 'numba', 'ortools', 'pysat'}"
            " & set(sys.modules))")
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "set()\n"
