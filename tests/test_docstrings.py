"""Docstrings of public names: an example of each function, and the state errors of its code."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from types import FunctionType
from typing import NamedTuple

import pytest

from symtape.errors import ReleasedError, UnsupportedError
from tests.docstrings import function_of, raised
from tests.test_face import NAMESPACES, value_of


class Public(NamedTuple):
    """A public function or method, what is written about it, and the class that it is of."""

    path: str
    function: FunctionType
    text: str
    owner: type | None = None


def public() -> Iterator[Public]:
    """List the public functions, and the public methods of public classes, each once."""
    seen: set[int] = set()
    for path, (module, names) in NAMESPACES.items():
        for name in names:
            value = value_of(module, name)
            if id(value) in seen:
                continue
            seen.add(id(value))
            if isinstance(value, type):
                yield from methods(f"{path}.{name}", value)
            elif (function := function_of(value)) is not None:
                yield Public(f"{path}.{name}", function, inspect.getdoc(value) or "")


def methods(path: str, owner: type) -> Iterator[Public]:
    """List the public methods and properties of a class, and what makes and calls its objects."""
    about = inspect.getdoc(owner) or ""
    for name in dir(owner):
        function = function_of(inspect.getattr_static(owner, name))
        if function is not None and name in {"__init__", "__call__"}:
            yield Public(f"{path}.{name}", function, f"{about}\n{inspect.getdoc(function)}", owner)
        elif function is not None and not name.startswith("_"):
            yield Public(f"{path}.{name}", function, inspect.getdoc(function) or "", owner)


PUBLIC = {row.path: row for row in public()}
FUNCTIONS = [path for path, row in PUBLIC.items() if row.owner is None]

UNREACHABLE = {
    "tf.linalg.lstsq": "its products have no `output_type`",
    "tf.linalg.lu_reconstruct": "likewise",
    "tf.nn.max_pool_with_argmax": "its windows have no dilations",
}
"""Functions that call one which raises, but never in that way."""

WITHOUT_EXAMPLE = {
    "tf.from_jax": "the plain tests have no JAX; docs/frontends.md shows it",
    "tf.from_torch": "nor PyTorch",
    "tf.gradients": "it always refuses",
    "tf.hessians": "likewise",
    "tf.test.main": "it ends the process",
}
"""Functions that docs show and that no doctest can call."""


def missing(row: Public) -> set[str]:
    """Name the state errors that the code raises and the docstring does not name."""
    return {name for name in raised(row.function, row.owner) if name not in row.text}


@pytest.mark.parametrize("path", PUBLIC)
def test_docstrings_name_state_errors(path):
    """What a public function raises of symtape's family, or as `RuntimeError`, its text names."""
    row = PUBLIC[path]
    assert row.text.strip()
    assert bool(missing(row)) == (path in UNREACHABLE), missing(row)


@pytest.mark.parametrize("path", FUNCTIONS)
def test_functions_have_an_example(path):
    """The docstring of a public function has an example, which runs as a doctest."""
    assert (">>> " in PUBLIC[path].text) == (path not in WITHOUT_EXAMPLE)


KEYWORD = re.compile(r"(?<!`)`(\w+)=[^`(]*`")

OF_OTHERS = {
    "tf.custom_gradient": {"variables"},  # the function of cotangents has it
    "tf.objective": {"jac"},  # SciPy's function that is called with what it gives
    "tf.residuals": {"jac_sparsity"},  # likewise
}
"""Keywords in docstrings that are no arguments of the function, but of one beside it."""


@pytest.mark.parametrize("path", FUNCTIONS)
def test_docstrings_name_arguments_that_exist(path):
    """A keyword in a docstring, as `back_prop=False`, is an argument of the function."""
    function, named = PUBLIC[path].function, set(KEYWORD.findall(PUBLIC[path].text))
    assert named - set(inspect.signature(function).parameters) == OF_OTHERS.get(path, set())


# --- the judge of docstrings ----------------------------------------------------------------------


def deep(x):
    """Call what raises."""
    return deeper(x)


def deeper(x):
    """Raise."""
    if x:
        raise ReleasedError("gone")
    raise UnsupportedError("no")


def caught(x):
    """Catch all."""
    try:
        return deeper(x)
    except UnsupportedError:
        return None


class Kept:
    """Something with a state."""

    def read(self):
        """Read; raises `ReleasedError`."""
        return self._value

    @property
    def _value(self):
        raise RuntimeError("used up")


def test_the_judge_of_docstrings_convicts():
    """Errors of what a function calls are found, also through `self`, and caught ones are not."""
    assert not raised(caught)
    assert raised(deep) == {"ReleasedError", "UnsupportedError"}
    assert missing(Public("deep", deep, "Raises `ReleasedError`.")) == {"UnsupportedError"}
    assert missing(Public("read", Kept.read, Kept.read.__doc__, Kept)) == {"RuntimeError"}
    assert KEYWORD.findall("with `back_prop=False`, `f(x=1)` and `name`") == ["back_prop"]
