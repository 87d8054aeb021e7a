"""Gather, scatter, and slices whose place is computed: JAX's general forms, as flat places.

JAX itself says which element goes where: the primitive is bound on the numbers of the places in
the array. Where indices depend on arguments, the places are computed of them by recorded steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape.frontends.jax_functions.framework import module, with_bits
from symtape.frontends.jax_functions.primitives.gathering import taken
from symtape.frontends.jax_functions.primitives.moving import sliced
from symtape.frontends.jax_functions.primitives.placing import placed
from symtape.frontends.jax_functions.steps import Rule, Step
from symtape.frontends.jax_functions.values import decided, literal
from symtape.frontends.places import elements
from symtape.ops.elementwise import arithmetic
from symtape.ops.shapes import repetition
from symtape.ops.shapes.shaping import with_shape
from symtape.program.kinds.segments import SegmentExtremum
from symtape.program.kinds.structural import Embed, Gather, Scatter
from symtape.tensor.dispatch import apply, apply1
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, look_at, shape_of, size_of

# --- slices whose place is computed ---------------------------------------------------------------


def _starts(step: Step, sizes: Sequence[int], places: Sequence[Tensor]) -> list[int]:
    """Read where a slice begins, held so that it lies inside, as JAX does."""
    values = step.operands[len(step.operands) - len(places) :]
    first = [int(decided(v)) for v in values]
    return [min(max(a, 0), n) for a, n in zip(first, sizes, strict=True)]


def _slice_at(step: Step, x: Tensor, *places: Tensor) -> Tensor:
    sizes = [int(n) for n in step["slice_sizes"]]
    if not sizes:
        return x
    room = [n - size for n, size in zip(shape_of(x), sizes, strict=True)]
    starts = _starts(step, room, places)
    limits = [a + n for a, n in zip(starts, sizes, strict=True)]
    return sliced(x, starts, limits, [1] * x.ndim)


def _update_at(step: Step, x: Tensor, update: Tensor, *places: Tensor) -> Tensor:
    sizes = shape_of(update)
    if not sizes or 0 in sizes:
        return x if 0 in sizes else update
    room = [n - size for n, size in zip(shape_of(x), sizes, strict=True)]
    starts = _starts(step, room, places)
    ranges = tuple([(a, 1, n) for a, n in zip(starts, sizes, strict=True)])
    if sizes == shape_of(x):
        return update
    inside = np.zeros(shape_of(x), bool)
    inside[tuple([slice(a, a + n) for a, _, n in ranges])] = True
    return arithmetic.where(inside, apply1(Embed(ranges, shape_of(x)), update), x)


# --- gather ---------------------------------------------------------------------------------------


def _gathered(step: Step, x: Tensor, indices: Tensor) -> Tensor:
    """Take slices along axes by their indices, else elements by their places."""
    whole = taken(step, x, indices)
    if whole is not None:
        return whole
    if 0 in step.shape:
        return literal_zeros(step)
    numbers = np.arange(size_of(x)).reshape(shape_of(x))
    places = _bound(step, numbers, decided(step.operands[1]), fill=-1)
    found = elements(x, np.maximum(places, 0))
    if (places >= 0).all():
        return found
    return arithmetic.where(places >= 0, found, literal(_fill(step), dtype_of(x)))


def literal_zeros(step: Step) -> Tensor:
    """Give an array without elements."""
    return Tensor(np.zeros(step.shape, step.dtype))


def _fill(step: Step) -> Any:
    """Give what stands in the place of elements outside: nan, or the least integer."""
    given = step.parameters.get("fill_value")
    if given is not None:
        return np.asarray(given).item()
    kind = step.dtype.kind
    if kind in "fcV":
        return float("nan")
    if kind == "b":
        return True
    info = np.iinfo(step.dtype)
    return int(info.min) if kind == "i" else int(info.max)


def _bound(step: Step, numbers: Any, indices: Any, **changed: Any) -> Any:
    """Bind a gather on the numbers of places."""
    parameters = dict(step.parameters)
    if "fill" in changed:
        parameters["fill_value"] = changed["fill"]
    return np.asarray(step.primitive.bind(numbers, np.asarray(indices), **parameters))


# --- scatter --------------------------------------------------------------------------------------


def _places_of_updates(step: Step, x: Tensor, update: Tensor) -> Any:
    """Say at which number of the array each update lands; -1 is outside.

    Adding updates is linear, and its transpose takes the numbers of places back to the updates.
    """
    jax = module()
    add = module("jax.lax").scatter_add_p
    parameters = dict(step.parameters) | {"update_jaxpr": None, "update_consts": ()}
    indices = decided(step.operands[1])

    def added(given: Any) -> Any:
        zeros = jax.numpy.zeros(shape_of(x))
        adding = jax.make_jaxpr(lambda a, b: a + b)(0.0, 0.0)
        own = parameters | {"update_jaxpr": adding.jaxpr}
        return add.bind(zeros, indices, given, **own)

    numbers = np.arange(1.0, size_of(x) + 1).reshape(shape_of(x))
    with with_bits(True):  # 32 bits do not count beyond 16 million elements
        example = jax.ShapeDtypeStruct(shape_of(update), np.float64)
        (found,) = jax.linear_transpose(added, example)(numbers)
    return np.asarray(found).astype(np.int64) - 1


def _puts(update: Any) -> bool:
    """Say whether what is put at a place is the update, and not a function of what is there."""
    return update is None or update.outvars[0] is update.invars[1]


_FOLLOWED = ("scatter", "scatter-add", "scatter-sub")
"""What is put where no two updates meet, and what is a sum of them."""


def _scattered(join: Callable[[Tensor, Tensor, Any], Tensor]) -> Rule:
    """Make a rule of a function of an array, the updates inside as a vector, and their places."""

    def rule(step: Step, x: Tensor, indices: Tensor, update: Tensor) -> Tensor:
        if not size_of(update):
            return x
        if step.name == "scatter" and not _puts(step["update_jaxpr"]):
            raise step.refused("a function is applied at places: write x.at[i].set(f(x[i]))")
        followed = placed(step, x, indices, update) if step.name in _FOLLOWED else None
        if followed is not None:
            return followed
        places = np.ravel(_places_of_updates(step, x, update))
        line = with_shape(update, (size_of(update),))
        if (places < 0).any():
            inside = np.flatnonzero(places >= 0)
            places, line = places[inside], apply(Gather(0, 0, 0), line, Tensor(inside))
        if not places.size:
            return x
        flat = with_shape(x, (size_of(x),))
        return with_shape(join(flat, line, places), shape_of(x))

    return rule


def _spread(line: Tensor, places: Any, size: int) -> Tensor:
    return apply(Scatter(0, 0, 0, size), line, Tensor(places))


def _added(x: Tensor, line: Tensor, places: Any) -> Tensor:
    wide = _spread(line, places, size_of(x))
    return wide if not np.any(look_at(x)) and x.origin is None else arithmetic.add(x, wide)


def _subtracted(x: Tensor, line: Tensor, places: Any) -> Tensor:
    return arithmetic.subtract(x, _spread(line, places, size_of(x)))


def _put(x: Tensor, line: Tensor, places: Any) -> Tensor:
    """Put updates in the place of elements; of several for one place, the last."""
    last = np.full(size_of(x), -1)
    last[places] = np.arange(len(places))
    if (last >= 0).all():
        return elements(line, last)
    return arithmetic.where(last >= 0, elements(line, np.maximum(last, 0)), x)


def _multiplied(x: Tensor, line: Tensor, places: Any) -> Tensor:
    """Multiply by updates, one round for each that a place has."""
    order = np.argsort(places, kind="stable")
    rank = np.empty(len(places), int)
    starts = np.flatnonzero(np.r_[True, np.diff(places[order]) > 0])
    rank[order] = np.arange(len(places)) - np.repeat(starts, np.diff(np.r_[starts, len(places)]))
    for k in range(rank.max() + 1):
        own = np.flatnonzero(rank == k)
        one = literal(1, dtype_of(x))
        factor = _put(repetition.broadcast_to(one, shape_of(x)), elements(line, own), places[own])
        x = arithmetic.multiply(x, factor)
    return x


def _extreme(which: str) -> Callable[[Tensor, Tensor, Any], Tensor]:
    """Make the join that takes the largest or smallest of an element and its updates."""

    def join(x: Tensor, line: Tensor, places: Any) -> Tensor:
        hit = np.unique(places)
        number = np.searchsorted(hit, places)
        rows = repetition.joined([elements(x, hit), line], 0)
        ids = np.r_[np.arange(len(hit)), number]
        found = apply(SegmentExtremum(which, 0, len(hit)), rows, Tensor(ids))
        return _put(x, found, hit)

    return join


RULES: dict[str, Rule] = {
    "dynamic_slice": _slice_at,
    "dynamic_update_slice": _update_at,
    "gather": _gathered,
    "scatter": _scattered(_put),
    "scatter-add": _scattered(_added),
    "scatter-sub": _scattered(_subtracted),
    "scatter-mul": _scattered(_multiplied),
    "scatter-max": _scattered(_extreme("max")),
    "scatter-min": _scattered(_extreme("min")),
}
