"""Old names of modules and functions that moved: they still work, with one warning each."""

import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

PACKAGE = __name__.partition(".")[0]
MODULES = {
    "engine.scheduling": "study.scheduling", "engine.symmetry": "symmetry",
    "probing": "estimation", "recording": "traces.recording", "reference.checking": "verification",
    "searchtree": "traces.tree", "study.clusters": "study.experiments.clusters",
    "study.context": "records.context",
    "study.identity": "records.identity", "study.plans": "study.presets",
    "study.records": "records.record",
    "study.store": "records.store", "tracing": "traces.tracing",
}
FUNCTIONS = {
    "reference": dict.fromkeys(("Check", "Verification", "run_checks"), "verification"),
    "engine": dict.fromkeys(("Symmetry", "half_turn", "quarter_turn"), "symmetry"),
}


def is_module(name: str) -> bool:
    """Return whether a module of the package had this name, which stands without the package."""
    return name in MODULES


def find_spec(name: str) -> ModuleSpec | None:
    """Return how to import the module that had this full name; None for other names."""
    old = name.partition(".")[2]
    if not is_module(old):
        return None
    _warn(old, MODULES[old])
    loader: Any = Loader(import_module(f"{PACKAGE}.{MODULES[old]}"))
    return ModuleSpec(name, loader)


class Loader:
    """Load a module that is loaded already, under its new name."""

    def __init__(self, module: ModuleType) -> None:
        self.module, self.spec = module, module.__spec__

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module."""
        return self.module

    def exec_module(self, module: ModuleType) -> None:
        """Leave the module as it is under its new name."""
        module.__spec__ = self.spec


def moved(package: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a package some of whose functions moved."""
    homes = FUNCTIONS[package.partition(".")[2]]

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        _warn(f"{package.partition('.')[2]}.{name}", f"{homes[name]}.{name}")
        return getattr(import_module(f"{PACKAGE}.{homes[name]}"), name)

    return find


def _warn(old: str, new: str) -> None:
    warnings.warn(f"{PACKAGE}.{old} is deprecated; use {PACKAGE}.{new}", DeprecationWarning,
                  stacklevel=3)
