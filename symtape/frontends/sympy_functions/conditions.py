"""Cases and conditions; conditions on indices alone are known before anything is computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import sympy as sp

from symtape.frontends.sympy_functions.axes import Grid, Named, applied, on_grid
from symtape.frontends.sympy_functions.reader import Reader, Rule, unreadable
from symtape.frontends.sympy_functions.scalars import folded
from symtape.ops.elementwise import arithmetic, comparison
from symtape.tensor.tensor import Literal, Tensor


def _cases(reader: Reader, e: Any) -> Named:
    """The expression of the first condition that holds; without one it is nan."""
    *branches, last = e.args
    if last.cond is sp.true:
        found = reader.read(last.expr)
    else:
        branches.append(last)
        found = Named(Literal.of(float("nan"), reader.dtype))
    for branch in reversed(branches):
        chosen = reader.within({}, grid_of_truth(reader, branch.cond)).read(branch.expr)
        found = applied(arithmetic.where, truth(reader, branch.cond), chosen, found)
    return found


_RELATIONS: dict[Any, Callable[..., Tensor]] = {
    sp.Eq: comparison.equal,
    sp.Ne: comparison.not_equal,
    sp.Lt: comparison.less,
    sp.Le: comparison.less_equal,
    sp.Gt: comparison.greater,
    sp.Ge: comparison.greater_equal,
    sp.And: folded(comparison.logical_and),
    sp.Or: folded(comparison.logical_or),
    sp.Xor: folded(comparison.logical_xor),
    sp.Not: comparison.logical_not,
}
_ON_GRID: dict[Any, Callable[..., Any]] = {
    sp.Eq: np.equal,
    sp.Ne: np.not_equal,
    sp.Lt: np.less,
    sp.Le: np.less_equal,
    sp.Gt: np.greater,
    sp.Ge: np.greater_equal,
    sp.And: np.logical_and,
    sp.Or: np.logical_or,
    sp.Not: np.logical_not,
}


def truth(reader: Reader, condition: Any) -> Named:
    """Read a condition."""
    if condition in {sp.true, sp.false}:
        return Named(Tensor(np.bool_(condition is sp.true)))
    kind = _RELATIONS.get(type(condition))
    if kind is None:
        raise unreadable(condition, "it is no condition that is known")
    is_relation = isinstance(condition, sp.core.relational.Relational)
    read = reader.read if is_relation else lambda c: truth(reader, c)
    return applied(kind, *map(read, condition.args))


def grid_of_truth(reader: Reader, condition: Any) -> Grid | None:
    """Read a condition on indices and sizes alone; None for others."""
    if condition in {sp.true, sp.false}:
        return Grid(np.asarray(condition is sp.true))
    if not condition.free_symbols <= reader.ranges.keys() | reader.sizes.keys():
        return None
    function = _ON_GRID.get(type(condition))
    if function is None:
        return None
    is_relation = isinstance(condition, sp.core.relational.Relational)
    parts = [grid(reader, a) if is_relation else grid_of_truth(reader, a) for a in condition.args]
    if any([part is None for part in parts]):
        return None
    first, *rest = parts
    made = on_grid(function, first, *rest[:1]) if rest else on_grid(function, first)  # type: ignore[arg-type]  # none is None
    for part in rest[1:]:
        made = on_grid(function, made, part)  # type: ignore[arg-type]  # likewise
    return made


_INTEGERS: dict[Any, Callable[..., Any]] = {
    sp.Add: lambda *a: sum(a[1:], a[0]),
    sp.Mul: lambda *a: np.prod(np.broadcast_arrays(*a), axis=0),
    sp.Max: lambda *a: np.max(np.broadcast_arrays(*a), axis=0),
    sp.Min: lambda *a: np.min(np.broadcast_arrays(*a), axis=0),
    sp.Mod: np.mod,
    sp.Abs: np.abs,
    sp.Pow: np.power,
}


def grid(reader: Reader, e: Any) -> Grid:
    """Compute integers of indices and sizes."""
    if e in reader.ranges:
        return Grid(reader.ranges[e], (e,))
    if e in reader.sizes:
        return Grid(np.asarray(reader.sizes[e]))
    if e.is_Integer:
        return Grid(np.asarray(int(e)))
    function = _INTEGERS.get(type(e))
    if function is None:
        raise unreadable(e, "a place or a bound is made of integers, indices and sizes")
    return on_grid(function, *[grid(reader, a) for a in e.args])


def _delta(reader: Reader, e: Any) -> Named:
    return reader.read(sp.Piecewise((1, sp.Eq(*e.args)), (0, True)))


RULES: dict[Any, Rule] = {sp.Piecewise: _cases, sp.KroneckerDelta: _delta}
