"""Old names of modules, functions and attributes. They still work, each with one warning."""

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
RENAMED = {
    "api": {"predicted_seconds": "predict_seconds"},
    "traces.tracing": {"Step": "Event", "steps": "collect_events"},
}


def is_module(name: str) -> bool:
    """Return whether a module of the package had this name, given without that of the package."""
    return name in MODULES


def find_spec(name: str) -> ModuleSpec | None:
    """Return the specification of the module that had this full name; None for other names."""
    old = name.partition(".")[2]
    if not is_module(old):
        return None
    _warn(old, MODULES[old])
    loader: Any = Loader(import_module(f"{PACKAGE}.{MODULES[old]}"))
    return ModuleSpec(name, loader)


class Loader:
    """A loader that returns a module which is already loaded under its new name."""

    def __init__(self, module: ModuleType) -> None:
        self.module, self.spec = module, module.__spec__

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module."""
        return self.module

    def exec_module(self, module: ModuleType) -> None:
        """Restore the specification that the import replaced."""
        module.__spec__ = self.spec


def moved(module: str) -> Callable[[str], Any]:
    """Return the `__getattr__` of a module, some of whose names moved or changed."""
    own = module.partition(".")[2]
    homes = {name: (home, name) for name, home in FUNCTIONS.get(own, {}).items()}
    homes |= {old: (own, new) for old, new in RENAMED.get(own, {}).items()}

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        home, new = homes[name]
        _warn(f"{own}.{name}", f"{home}.{new}")
        return getattr(import_module(f"{PACKAGE}.{home}"), new)

    return find


def renamed_attribute(old: str, new: str) -> Any:
    """Return a property for the old name of an attribute."""

    def get(instance: Any) -> Any:
        owner = type(instance)
        _warn(*(f"{owner.__module__.partition('.')[2]}.{owner.__qualname__}.{name}"
                for name in (old, new)))
        return getattr(instance, new)

    return property(get)


def _warn(old: str, new: str) -> None:
    warnings.warn(f"{PACKAGE}.{old} is deprecated; use {PACKAGE}.{new}", DeprecationWarning,
                  stacklevel=3)
