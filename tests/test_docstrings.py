"""Docstrings of public names: an example of each function, and the state errors of its code."""

from __future__ import annotations

import gc
import inspect
import re
from collections.abc import Iterator
from types import FunctionType
from typing import NamedTuple

import numpy as np
import pytest

import symtape as tf
from symtape.errors import ReleasedError, SymtapeError, UnsupportedError
from tests.docstrings import function_of, raised
from tests.sampling import all_hold, batches
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
    "tf.nn.max_pool_with_argmax": "its windows have no dilations",
}
"""Functions that call one which raises, but never in that way."""

WITHOUT_EXAMPLE = {
    "tf.from_jax": "the plain tests have no JAX; docs/frontends.md shows it",
    "tf.from_torch": "nor PyTorch",
    "tf.test.main": "it ends the process",
}
"""Functions that docs show and that no doctest can call."""


def missing(row: Public) -> set[str]:
    """Name the state errors that the code raises and the docstring does not name."""
    return {name for name in raised(row.function, row.owner) if name not in row.text}


@pytest.mark.parametrize("paths", batches(PUBLIC, 50), ids=lambda paths: paths[0])
def test_docstrings_name_state_errors(paths):
    """What a public function raises of symtape's family, or as `RuntimeError`, its text names."""

    def judge(path):
        row = PUBLIC[path]
        assert row.text.strip()
        assert bool(missing(row)) == (path in UNREACHABLE), missing(row)

    all_hold(judge, paths)


@pytest.mark.parametrize("paths", batches(FUNCTIONS, 50), ids=lambda paths: paths[0])
def test_functions_have_an_example(paths):
    """The docstring of a public function has an example, which runs as a doctest."""

    def judge(path):
        assert (">>> " in PUBLIC[path].text) == (path not in WITHOUT_EXAMPLE)

    all_hold(judge, paths)


KEYWORD = re.compile(r"(?<!`)`(\w+)=[^`(]*`")

OF_OTHERS = {
    "tf.custom_gradient": {"variables"},  # the function of cotangents has it
    "tf.objective": {"jac"},  # SciPy's function that is called with what it gives
    "tf.residuals": {"jac_sparsity"},  # likewise
}
"""Keywords in docstrings that are no arguments of the function, but of one beside it."""


@pytest.mark.parametrize("paths", batches(FUNCTIONS, 50), ids=lambda paths: paths[0])
def test_docstrings_name_arguments_that_exist(paths):
    """A keyword in a docstring, as `back_prop=False`, is an argument of the function."""

    def judge(path):
        function, named = PUBLIC[path].function, set(KEYWORD.findall(PUBLIC[path].text))
        assert named - set(inspect.signature(function).parameters) == OF_OTHERS.get(path, set())

    all_hold(judge, paths)


# --- what readings raise --------------------------------------------------------------------------

READINGS = {
    **{
        name: lambda t, name=name: getattr(t, name)
        for name in "expr entries matrix_expr structure conditions leaves sizes".split()
    },
    **{
        name: lambda t, name=name: getattr(t, name)()
        for name in "to_expr to_entries index_expr text parts latex exact evalf sparsity".split()
    },
    "structure_of": lambda t: t.structure_of(1),
    "lambdify": lambda t: t.lambdify()(np.ones(t.shape, np.float32)),
}


def released():
    """A formula of which a leaf was freed with its tape."""
    x = tf.Variable(np.ones(2, np.float32), name="x")
    with tf.GradientTape() as tape:
        factor = tf.constant(np.arange(2.0, dtype=np.float32)) * 1.0
        y = x * tf.stop_gradient(factor)
    tape.gradient(y, x)
    del x, factor, tape
    gc.collect()
    return y


def long():
    """A formula of a million nodes."""
    x = tf.Variable(0.5, name="x")
    with tf.GradientTape() as tape:
        y = x
        for _ in range(20):
            y = tf.tanh(y) * y + y * y
    return tape.gradient(y, x)


def of_products():
    """A formula without matrix notation."""
    x = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="x")
    with tf.GradientTape() as tape:
        y = tf.math.cumprod(x, axis=1) ** 2
    return tape.gradient(y, x)


def undefined():
    """A formula that has no value at the recorded point."""
    x = tf.Variable(0.0, name="x")
    with tf.GradientTape() as tape:
        y = tf.math.log(x) * x
    return tape.gradient(y, x)


def large():
    """A formula of 40,000 entries."""
    x = tf.Variable(np.ones((200, 200), np.float32), name="x")
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(x * x * x)
    return tape.gradient(y, x)


STATES = {state.__name__: state for state in (released, long, of_products, undefined, large)}


def error_of(reading, tensor):
    """Name the error of the family that a reading raises, or nothing."""
    try:
        READINGS[reading](tensor)
    except (SymtapeError, ValueError) as error:
        return type(error).__name__
    return ""


def inside(reading):
    """Read within a function that is differentiated, and name the error."""
    told = []

    def function(x):
        y = x * x * 3.0
        told.append(error_of(reading, y))
        return tf.reduce_sum(y)

    tf.grad(function, pure=True)(np.ones((2, 2)))
    return told[0]


@pytest.mark.parametrize("reading", READINGS)
def test_readings_name_the_errors_of_states(reading):
    """In each state of a tensor, what a reading raises stands in its docstring."""
    text = inspect.getdoc(inspect.getattr_static(tf.Tensor, reading))
    found = {error_of(reading, state()) for state in STATES.values()} | {inside(reading)}
    assert [name for name in found if name not in text] == []


@pytest.mark.parametrize(
    ("state", "reading", "error"),
    [
        ("released", "exact", "ReleasedError"),
        ("long", "expr", "ExpansionError"),
        ("of_products", "matrix_expr", "NoMatrixFormError"),
        ("undefined", "exact", "NoExactFormError"),
        ("large", "entries", "ExpansionError"),
    ],
)
def test_states_are_what_they_say(state, reading, error):
    """Each state makes the reading fail for which it is there."""
    assert error_of(reading, STATES[state]()) == error


def test_a_reading_inside_of_a_function_would_lose_a_derivative():
    """Within a function that is differentiated, a number that leaves is refused."""
    assert inside("exact") == "EscapedValueError"


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
