"""A JAX function as an imported function: traced on each call for the shapes that are given."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from symtape.differentiation.custom_gradient import passing_over
from symtape.frontends.imported import ImportedFunction, positional_names
from symtape.frontends.jax_functions.framework import has_64_bits, module, with_bits
from symtape.frontends.jax_functions.interpreter import evaluate
from symtape.frontends.jax_functions.values import LEAVES, Leaves, lifted
from symtape.nest.trees import Tree, take_apart
from symtape.ops.elementwise.conversion import cast
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


def from_jax(f: Callable[..., Any], *examples: Any, backward: str = "own") -> ImportedFunction:
    """Give a JAX function as a function on tensors, which tapes record.

    `examples` are its arguments: arrays, numbers, and dicts, lists and tuples of them. They become
    tensors, the `examples` of the result by name: parameters are called as in the signature, parts
    of structures by their keys, `params_w`. On each call JAX traces `f` for the shapes and dtypes
    that are given, with 64 bits where one of them has them; each step is done with tensors and
    compared with the value that JAX has. Branches and loops are taken as the values say and leave
    their conditions.

    The derivative is that of JAX, at kinks and ties, too: of a `custom_jvp` or `custom_vjp`
    function it is what its rule says. With `backward="forward"` it is that of what such functions
    compute, whatever their rules say.

    Raises `ValueError` for another `backward`, `ExtraNotInstalledError` without JAX; on a call
    `UnsupportedError` for a primitive that has no rule, naming it, the shapes, and the user's line,
    and what JAX itself raises, as where a Python `if` asks for a traced value. docs/frontends.md
    has examples, and

        f = tf.from_jax(lambda X, w, y: jnp.mean((X @ w - y) ** 2), X, w, y)
        f.gradient("w").text()  # 2 Xᵀ (X w - y) / 5
    """
    module()
    if backward not in {"own", "forward"}:
        raise ValueError(f'backward is "own" or "forward", not {backward!r}')
    run = _Run(f, nullcontext if backward == "own" else passing_over)
    tree = take_apart(examples)[1]
    own_names = positional_names(f, len(examples))
    return ImportedFunction(_title(f), run, examples, own_names, _names(own_names, tree), {})


_WIDE = ("float64", "complex128")
"""JAX has 64 bits where an argument is of these, or where it was told to have them."""


class _Run:
    """Runs a JAX function with tensors beside its values."""

    def __init__(self, f: Callable[..., Any], within: Callable[[], Any]) -> None:
        self._f, self._within = f, within

    def __call__(self, leaves: Sequence[Tensor], tree: Tree) -> Any:
        jax = module()
        are_64 = has_64_bits() or any(dtype_of(x).name in _WIDE for x in leaves)
        with with_bits(are_64), self._within():
            leaves = [_as_jax_has(x) for x in leaves]
            examples = [jax.ShapeDtypeStruct(shape_of(x), dtype_of(x)) for x in leaves]

            def flat(*values: Any) -> Any:
                return self._f(*tree.build(values))

            traced, shapes = jax.make_jaxpr(flat, return_shape=True)(*examples)
            token = LEAVES.set(Leaves(_names_of(traced.consts, self._f)))
            try:
                found = [lifted(x) for x in evaluate(traced.jaxpr, traced.consts, leaves)]
            finally:
                LEAVES.reset(token)
            return jax.tree_util.tree_unflatten(jax.tree_util.tree_structure(shapes), found)


def _as_jax_has(x: Tensor) -> Tensor:
    """Make integers of 64 bits narrower where JAX does."""
    dtype = module("jax.dtypes").canonicalize_dtype(dtype_of(x))
    return x if dtype == dtype_of(x) else cast(x, dtype)


def _names_of(constants: Sequence[Any], f: Callable[..., Any]) -> dict[int, str]:
    """Find out what arrays that a function reads from outside are called there."""
    try:
        read = inspect.getclosurevars(f)
    except TypeError:  # no function of Python's
        return {}
    outside = {**read.globals, **read.nonlocals}
    arrays = {name: x for name, x in outside.items() if hasattr(x, "dtype") and np.ndim(x)}
    return {
        id(c): name
        for c in constants
        for name, x in arrays.items()
        if c is x or (np.shape(c) == np.shape(x) and c.dtype == x.dtype and np.array_equal(c, x))
    }


def _title(f: Callable[..., Any]) -> str:
    return str(getattr(f, "__name__", type(f).__name__))


def _names(own_names: Sequence[str], tree: Tree) -> list[str]:
    """Name the leaves as the arguments are called, and their parts by their keys: `params_w`."""
    pairs = zip(own_names, tree.branches, strict=True)
    names = [label for name, branch in pairs for label in branch.labels(name)]
    return [n if names.count(n) == 1 else f"{n}_{k}" for k, n in enumerate(names)]
