"""The public face: what a namespace shows, which is what somebody may rely on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import symtape as tf
from symtape.namespace import show
from tests.names import namespaces, value_of

ROOT = Path(__file__).parents[1]

NEEDS_AN_EXTRA = {"bfloat16"}
"""Names that can be asked for and are not listed: who asks for each listed name gets it."""


def module_of(path: str) -> ModuleType:
    """Give the namespace that a path as `tf.keras.losses` leads to."""
    found = tf
    for part in path.split(".")[1:]:
        found = getattr(found, part)
    return found


NAMESPACES = {path: (module_of(path), names) for path, names in namespaces().items()}


def leaks(module: ModuleType, names: list[str]) -> list[str]:
    """List what `dir` shows beside the names that are documented."""
    return sorted(set(dir(module)) - set(names))


def foreign(module: ModuleType, names: list[str]) -> list[str]:
    """List the documented names of what others made: NumPy's, `typing`'s, a room of the house."""
    found = []
    for name in names:
        value = value_of(module, name)
        if isinstance(value, ModuleType):
            is_own = value in [shown for shown, _ in NAMESPACES.values()]
        else:
            home = getattr(value, "__module__", None) or type(value).__module__
            is_own = value is None or home.partition(".")[0] == "symtape"
        found += [] if is_own else [name]
    return found


@pytest.mark.parametrize("path", NAMESPACES)
def test_a_namespace_shows_its_public_names(path):
    """`dir` lists what docs/tensorflow.md lists, and all of it is there and is symtape's own."""
    module, names = NAMESPACES[path]
    assert dir(module) == sorted(set(names) - NEEDS_AN_EXTRA)
    assert leaks(module, names) == []
    assert foreign(module, names) == []
    assert all(hasattr(module, name) for name in dir(module))


@pytest.fixture
def made(monkeypatch):
    """A namespace whose text imports two names for itself, and shows nothing yet."""
    module = ModuleType("symtape.made")
    exec("import numpy as np\nfrom typing import Any\ndef cube(x): return x ** 3", vars(module))  # noqa: S102
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return module


def test_the_judge_of_namespaces_convicts(made):
    """What a namespace imports for itself is found as long as nothing hides it."""
    assert {"Any", "np"} <= set(leaks(made, ["cube"]))
    show(made.__name__, ["cube"])
    assert leaks(made, ["cube"]) == []
    assert foreign(made, ["Any", "np"]) == ["Any", "np"]


def test_late_names_are_made_once_and_hidden_ones_are_not_listed(made):
    """A late name is made when it is asked for; `hidden` keeps one off the list alone."""
    asked = []
    show(made.__name__, ["cube"], {"late": lambda: asked.append(1) or object()}, ["late"])
    assert dir(made) == ["cube"]
    assert not asked
    assert made.late is made.late
    assert len(asked) == 1
    with pytest.raises(
        AttributeError, match=r"no tf\.made\.cubes; the nearest name is tf\.made\.cube$"
    ):
        _ = made.cubes


def test_all_names_can_be_imported_at_once():
    """`from symtape import *` binds what `dir` lists, with warnings as errors."""
    code = "from symtape import *; import symtape; assert {*dir(symtape)} <= {*globals()}"
    command = [sys.executable, "-W", "error", "-c", code]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0  # noqa: S603 - our command
