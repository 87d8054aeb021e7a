# ruff: noqa: D103 - a reason is described by its name
"""Why a gradient is None, and why a function may not be run again."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

import symtape as tf
from symtape.verify.causes.changes.harmless import is_harmless

TOLD: dict[str, Callable[[], Any]] = {}


def _told(function: Callable[[], Any]) -> Callable[[], Any]:
    TOLD[function.__name__.strip("_").replace("_", " ")] = function
    return function


def _reasons(pairs: Callable[[Any], list[Any]], *, consumed: bool = False) -> list[str]:
    """Record some steps, and ask why pairs of them are not connected."""
    with tf.GradientTape(persistent=not consumed) as tape:
        found = pairs(tape)
    if consumed:
        tape.gradient(*found[0])
    return [tape.why_none(*pair) for pair in found]


def _of_variables(tape: Any) -> list[Any]:
    v, fixed = tf.Variable(3.0, name="v"), tf.Variable(2.0, name="fixed", trainable=False)
    count, unread = tf.Variable(2, name="count"), tf.Variable(1.0, name="unread")
    watched = tf.Variable(2.0, name="watched", trainable=False)
    tape.watch(watched)
    y = v * fixed * watched + tf.cast(count, tf.float32)
    return [(y, v), (y, fixed), (y, count), (y, unread), (y, watched), (v, watched)]


def _of_tensors(tape: Any) -> list[Any]:
    x, k = tf.constant(2.0, name="x"), tf.constant(3.0, name="k")
    before = x * 2.0
    tape.watch(x)
    y, other = x * k, k * 5.0
    cut, mask = tf.stop_gradient(x) * y, tf.cast(x > 1.0, tf.float32)
    part = tf.floor(y) + tf.round(y)
    pairs = [(y, x), (y, k), (y, before), (before, x), (other, x), (cut, x), (mask, x), (part, x)]
    return [*pairs, (tf.constant(1.0, name="other"), x), (part, y), (x, y), (tf.argmax([y, y]), x)]


def _of_authors(tape: Any) -> list[Any]:
    @tf.custom_gradient
    def clipped(x: Any) -> Any:
        return x * x, lambda g: None

    @tf.custom_gradient
    def halved(x: Any) -> Any:
        return x / 2.0, lambda g: None

    x = tf.constant(2.0, name="x")
    tape.watch(x)
    return [(halved(clipped(x)), x), (clipped(tf.floor(x)), x)]


@_told
def variables_that_nobody_watches() -> list[str]:
    v, value = tf.Variable(3.0, name="v"), tf.Variable(2.0, name="value")
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        y = v * v
    with tf.GradientTape() as other:
        z = tf.constant(value.numpy()) ** 2.0
    return [tape.why_none(y, v), other.why_none(z, value)]


@_told
def variables() -> list[str]:
    return _reasons(_of_variables)


@_told
def variables_of_a_tape_that_is_consumed() -> list[str]:
    return _reasons(_of_variables, consumed=True)


@_told
def tensors() -> list[str]:
    return _reasons(_of_tensors)


@_told
def tensors_of_a_tape_that_is_consumed() -> list[str]:
    return _reasons(_of_tensors, consumed=True)


@_told
def gradients_of_ones_own() -> list[str]:
    return _reasons(_of_authors)


def helper(x: Any) -> Any:
    """Compute, and no more."""
    return np.exp(x)


def writer(x: Any) -> Any:
    """Write to a file."""
    np.save("x", x)


def again(x: Any) -> Any:
    """Call itself."""
    return again(x)


_NAMES = {
    "np": np,
    "math": math,
    "sqrt": math.sqrt,
    "add": np.add,
    "helper": helper,
    "writer": writer,
    "again": again,
    "load": np.load,
    "sum": print,
    "given": [],
    "ast": ast,
}
_NAMES |= {name: ModuleType(name) for name in ("jax", "torch", "scipy", "symtape", "other")}
_NAMES |= {name: ModuleType(name) for name in ("cmath", "itertools", "functools", "os", "sys")}
HARMLESS = (
    "jax.numpy.exp(x)", "torch.exp(x)", "scipy.special.erf(x)", "symtape.exp(x)", "other.exp(x)",
    "torch.load(x)", "jax.numpy.save(x)",
    "np.exp(x)", "np.linalg.inv(x)", "np.save('x', x)", "math.sin(x)", "sqrt(x)", "add(x, x)",
    "helper(x)", "writer(x)", "again(x)", "load(x)", "sum(x)", "ast.parse(x)", "x.sum()",
    "x.tofile('x')", "x.dump('x')", "x.T.copy()", "x.dtype.type(3)",
    "x.nothing()", "given.append(x)", "x[0](x)", "del x", "global x", "import os",
    "from os import path", "with x: pass", "y = []; y.append(x); y.extend(x); y.insert(0, x)",
    "y = []; y.pop(); y.reverse()", "y = []; y.clear()", "f = np.exp; f(x)",
    "f, g = np.exp, np.log; f(g(x))", "f = np.exp; f = print; f(x)", "f = print; f(x)",
    "f, g = np.exp; f(x)", "f = np.save; f(x)", "f, g = x, np.exp, 1; g(x)",
    *(f"{name}(x)" for name in ("abs", "bool", "complex", "divmod", "enumerate", "float", "int")),
    *(f"{name}(x)" for name in ("len", "list", "map", "max", "min", "pow", "range", "reversed")),
    *(f"{name}(x)" for name in ("round", "slice", "sorted", "tuple", "zip", "open", "eval")),
    *(f"x.{name}(x)" for name in ("dumps", "setflags", "backward", "register_hook", "set_")),
    *(f"np.{name}(x)" for name in ("savez", "savez_compressed", "savetxt", "memmap", "load")),
    *(f"np.{name}(x)" for name in ("loadtxt", "fromfile", "io.read")),
    *(f"x.{name}(x)" for name in ("items", "keys", "values", "get", "share_memory_")),
    *(f"{name}(x)" for name in ("all", "any", "dict", "isinstance", "iter", "next", "set", "exec")),
    *(f"{name}.chain(x)" for name in ("cmath", "itertools", "functools", "os", "sys")),
    *(f"with torch.{name}(): y = x" for name in ("no_grad", "enable_grad", "inference_mode")),
    "with torch.save(): y = x",
    "with np.errstate(all='ignore'): y = x", "with np.errstate(), open(x): y = x",
    "with np.errstate(): print(x)", "with x.no_grad(): y = x",
)  # fmt: skip


@_told
def what_may_be_run() -> list[str]:
    """Say of each line whether it does nothing but compute."""
    found = []
    for line in HARMLESS:
        tree = ast.parse(f"def candidate(x):\n    {line}\n").body[0]
        found.append(f"{line}: {is_harmless(tree, _NAMES)}")
    return found
