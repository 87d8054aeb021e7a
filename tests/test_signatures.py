"""Functions whose annotations name what is imported for type checkers alone."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import symtape as tf
from symtape.signatures import own_annotations, read_signature

TEXT = """
def cubes(x: Absent, n: int = 3) -> Absent:
    return tf.reduce_sum(x ** n)

class Block(tf.Module):
    def __call__(self, x: Absent) -> Absent:
        return 2 * x

class Pair:
    first: Absent
    second: int
"""
"""Annotations are not computed when this is defined: later Pythons compute none of themselves."""


@pytest.fixture
def absent() -> Any:
    """What `TEXT` defines, as this Python does it where nothing is computed early."""
    deferring = 0 if sys.version_info >= (3, 14) else annotations.compiler_flag
    module = ModuleType("of_absent")
    code = compile(TEXT, "of_absent.py", "exec", flags=deferring, dont_inherit=True)
    exec(code, vars(module) | {"tf": tf, "__name__": "of_absent"}, vars(module))  # noqa: S102
    return module


X = np.array([1.0, 2.0])

CALLS = {
    "grad": lambda f: tf.grad(f)(X),
    "value_and_grad": lambda f: tf.value_and_grad(f)(X)[1],
    "jacobian": lambda f: tf.jacobian(f)(X),
    "jvp": lambda f: tf.jvp(f)((X,), (X,)),
    "function": lambda f: tf.function(f)(tf.constant(X)),
    "custom_gradient": lambda f: tf.custom_gradient(lambda x: (f(x), lambda g: g))(tf.constant(X)),
    "objective": lambda f: tf.objective(f).jac(X),
    "text": lambda f: repr(tf.grad(f)),
}


@pytest.mark.parametrize("name", CALLS)
def test_annotations_may_name_what_is_not_there(absent, name):
    """Nobody needs them: a function is taken as it would be without."""
    plain = CALLS[name](lambda x, n=3: tf.reduce_sum(x**n))
    found = CALLS[name](absent.cubes)
    if isinstance(plain, str):
        assert found == "<grad by x of cubes(x, n)>"
    else:
        np.testing.assert_array_equal(found, plain)


def test_methods_may_name_what_is_not_there(absent):
    """Those of a module that `tf.function` takes."""
    np.testing.assert_array_equal(tf.function(absent.Block())(tf.constant(X)), 2 * X)


def test_what_is_there_is_given(absent):
    """The rest is a reference or a text, as the Python has it."""
    assert [*read_signature(absent.cubes).parameters] == ["x", "n"]
    assert [*own_annotations(absent.Pair)] == ["first", "second"]
    assert "Absent" in str(own_annotations(absent.Pair)["first"])
