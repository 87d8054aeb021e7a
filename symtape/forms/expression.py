"""Every entry of a position of a program as an ordinary SymPy expression."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import sympy as sp

from symtape.errors import UnsupportedError
from symtape.forms.limits import MAX_ENTRIES, Size, check_entries
from symtape.forms.scalars.cases.clipped import with_plain_cases
from symtape.program.evaluation.evaluation import as_objects, evaluate, written
from symtape.program.evaluation.symbolic import Symbolic, exact_objects
from symtape.program.kinds import structural
from symtape.program.kinds.matrices import PseudoInverse
from symtape.program.kinds.segments import SegmentExtremum
from symtape.program.program import Program
from symtape.program.rolls import roll_of_name
from symtape.program.turns import EPSILON


def leaf_entry(name: str, at: tuple[Any, ...], dtype: np.dtype[Any]) -> Any:
    """Write an entry of a leaf: `x[0, 1]`, or the plain symbol of a scalar; truth is `x[0] ≠ 0`."""
    if not at:
        return sp.Symbol(name)
    if name == EPSILON:
        return sp.LeviCivita(*at)
    if (roll := roll_of_name(name)) is not None:
        return sp.KroneckerDelta(sp.Mod(at[0] - roll[0], roll[1]), at[1])
    entry = sp.IndexedBase(name)[at]
    return sp.Ne(entry, 0) if dtype.kind == "b" else entry


def indexed(name: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Make the array of all entries of a leaf."""
    out = np.empty(shape, object)
    for place in np.ndindex(shape):
        out[place] = leaf_entry(name, place, dtype)
    return out


def entries(
    program: Program,
    position: int,
    names: Mapping[int, str],
    max_entries: int = MAX_ENTRIES,
    indices: Callable[[int], Any] | None = None,
    check: Size | None = None,
) -> Any:
    """Write every entry of a position out; raises `ExpansionError` for too many, or a long one.

    `indices` gives the value of a position of integers that chooses elements: the entries are those
    of the elements that it chose; see `forms/choices.py`.
    """
    check_entries(program, position, max_entries, "to_entries(max_entries={})")
    wanted = written(program, [position])
    inputs = {
        p: indexed(names[p], program.shapes[p], program.dtypes[p]) for p in wanted if p in names
    }
    if indices is not None:
        check_ranks(program, wanted, indices)
        inputs.update({p: exact_objects(indices(p)) for p in choices(program, wanted)})
    numbers = Symbolic(exact=False, check=check or Size())
    found = evaluate(program, [position], inputs, numbers)[0]
    return as_objects([with_plain_cases(e) for e in found.flat]).reshape(found.shape)


def check_ranks(program: Program, wanted: Iterable[int], value: Callable[[int], Any]) -> None:
    """Refuse to write the entries of a pseudo inverse of lower rank: they are those of full rank.

    Raises `UnsupportedError`.
    """
    for p in wanted:
        operation, *operands = program.steps[p]
        if type(operation) is PseudoInverse and all(program.shapes[operands[0]]):
            matrix, bound = (np.asarray(value(q), float) for q in operands)
            sizes = np.linalg.svd(matrix, compute_uv=False)
            if np.any(sizes[..., -1] <= bound * sizes[..., 0]):
                raise UnsupportedError(
                    "the entries of a pseudo inverse are written for full rank, but the recorded "
                    f"matrix of shape {program.shapes[operands[0]]} has a lower one; "
                    "evalf() computes digits, and lambdify() code"
                )


_CHOOSING = (structural.Gather, structural.Scatter, SegmentExtremum)


def choices(program: Program, wanted: Iterable[int]) -> list[int]:
    """List what chooses elements: the indices of gathering steps, and places in an order."""
    found: dict[int, None] = {}
    for p in wanted:
        kind = type(program.steps[p][0])
        if kind in _CHOOSING:
            found[program.steps[p][2]] = None
        elif kind is structural.Position:
            found[p] = None
    return list(found)


def tidied(e: Any) -> Any:
    """Write a short expression as a person would, where that is sure to be quick.

    >>> x = sp.Symbol("x")
    >>> tidied(1 + sp.Piecewise((x, x >= 0), (sp.exp(x) - 1, True)))
    Piecewise((x + 1, x >= 0), (exp(x), True))
    """
    if not isinstance(e, sp.Basic) or sp.count_ops(e) > _TIDIED:
        return e
    if any(not p.exp.is_number and p.base is not sp.E for p in e.atoms(sp.Pow)):
        e = sp.powsimp(e, combine="exp")  # x*x**(n - 1) is x**n
    if 0 < len(cases := e.atoms(sp.Piecewise)) <= _FOLDED:
        folded = sp.piecewise_fold(e)  # the cases of one condition are joined
        if len(cases) > 1:
            e = folded
        elif not _is_bracket(*cases):
            e = min(e, folded, key=sp.count_ops)
    if isinstance(e, sp.Add) and not e.has(sp.Float) and _is_fraction(e):
        joined = sp.factor(e)  # 1/(x - 1) - (x + 1)/(x - 1)**2 is -2/(x - 1)**2
        e = min(e, joined, key=sp.count_ops)
    return e


def _is_bracket(cases: sp.Piecewise) -> bool:
    """Say whether cases are of 1 and 0, which are a factor that people write as a bracket."""
    return {value for value, _ in cases.args} == {sp.S.One, sp.S.Zero}


_TIDIED = 60
_FOLDED = 4


def _is_fraction(e: sp.Expr) -> bool:
    below = [p for p in e.atoms(sp.Pow) if p.exp.is_negative]
    return any(p.base.is_Add for p in below) and e.is_rational_function()
