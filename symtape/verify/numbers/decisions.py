"""What a program decides in floats: the values of its conditions, roundings and orders.

A condition on rounded numbers, as round(10x)/10 == 1.3, may hold in floats and in no digits. So
where the digits of a formula are asked for, they are those of the branch that floats take.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp
from sympy.core.relational import Relational

from symtape.program import operations as ops
from symtape.program.kinds.matrices import SVD, Eigh
from symtape.program.operations import Constant, Input, Map
from symtape.program.program import Program
from symtape.verify.causes.mistakes import computed
from symtape.verify.subject import OUTSIDE, Pair

_STEPS = (sp.floor, sp.ceiling, sp.sign, sp.Heaviside, Relational)
"""Functions whose values are steps."""


def floats_of(pair: Pair, point: Sequence[Any], beside: Sequence[Any] = ()) -> list[Any] | None:
    """Compute all steps of a program in floats; None outside of the domain.

    A product that is zero `beside`, where numbers are finite, is zero: 0 times infinity is what
    `(1 - mask) * -1e9` has for what is not masked.
    """
    given = dict(zip(pair.leaves, point, strict=True)) | pair.others
    found: list[Any] = []
    try:
        with np.errstate(all="ignore"):
            for p, (operation, *operands) in enumerate(pair.program.steps):
                own = [found[i] for i in operands]
                made = given[p] if p in given else computed(operation, own)
                if beside and operation is ops.multiply:
                    made = np.where(np.equal(beside[p], 0), beside[p], made)
                found.append(made)
    except (*OUTSIDE, TypeError):
        return None
    return found


def _both(pair: Pair, point: Sequence[Any]) -> tuple[list[Any] | None, list[Any] | None]:
    """Compute all steps as they are, and with infinities for large numbers."""
    own = floats_of(pair, point)
    return own, None if own is None else floats_of(_with_infinities(pair), point, own)


def is_limit(pair: Pair, point: Sequence[Any]) -> bool:
    """Say whether truths are numbers only because large numbers stand for infinity."""
    ends = [p for p in pair.truths if p is not None]
    places = [p for p in pair.program.schedule(ends, ())[0] if pair.program.dtypes[p].kind in "fc"]
    own, endless = _both(pair, point)
    if own is None or endless is None:
        return False
    return any(np.isnan(endless[p]).any() and not np.isnan(own[p]).any() for p in places)


def is_masked(pair: Pair, point: Sequence[Any]) -> bool:
    """Say whether all truths are numbers for that reason, and none for another."""
    own, endless = _both(pair, point)
    if own is None or endless is None:
        return False
    ends = [p for p in pair.truths if p is not None]
    return bool(ends) and all(
        np.isnan(endless[p]).all() and np.isfinite(own[p]).all() for p in ends
    )


def has_masked_rows(pair: Pair, point: Sequence[Any]) -> bool:
    """Say whether some values, be it not all, are numbers for that reason."""
    _, endless = _both(pair, point)
    ends = [p for p in pair.truths if p is not None]
    return endless is not None and any(np.isnan(endless[p]).any() for p in ends)


def is_guarded(pair: Pair, point: Sequence[Any]) -> bool:
    """Say whether all values of a function are numbers where large numbers are infinities.

    So they are where it looks itself at whether all is masked, and its derivative has to be one.
    """
    _, endless = _both(pair, point)
    ends = [p for p in pair.truths if p is not None]
    return endless is not None and all(np.isfinite(endless[p]).all() for p in ends)


def has_equal_values(pair: Pair, point: Sequence[Any]) -> bool:
    """Say whether eigenvalues, or singular values, coincide on the way to the truths.

    Their vectors are not determined there, and what differences of values divide is not finite.
    """
    ends = [p for p in pair.truths if p is not None]
    needed = pair.program.schedule(ends, ())[0]
    places = [p for p in needed if isinstance(pair.program.steps[p][0], (Eigh, SVD))]
    values = floats_of(pair, point) if places else None
    return values is not None and any(
        _coincide(values[pair.program.steps[p][1]], type(pair.program.steps[p][0])) for p in places
    )


def _coincide(matrices: Any, kind: type) -> bool:
    """Say whether eigenvalues of matrices coincide, or singular values, of which none may be 0."""
    own = np.linalg.eigvalsh(matrices) if kind is Eigh else np.linalg.svd(matrices)[1]
    if kind is SVD:
        own = np.concatenate([own, np.zeros((*own.shape[:-1], 1))], axis=-1)
    gaps = np.abs(np.diff(own, axis=-1))
    return bool(np.any(gaps <= _EQUAL * np.max(np.abs(own), axis=-1, keepdims=True, initial=0.0)))


_EQUAL = 1e-12
"""So far apart, beside the largest, are values that only roundings tell apart."""


def _with_infinities(pair: Pair) -> Pair:
    """Give a program in which large constants, which stand for infinity, are that."""
    large = {
        p: np.asarray(np.inf if operation.value > 0 else -np.inf, operation.dtype)
        for p, (operation, *_) in enumerate(pair.program.steps)
        if type(operation) is Constant
        and operation.dtype.kind == "f"
        and abs(float(operation.value)) >= _ENDLESS
    }
    held = {
        p: np.where(np.abs(x) >= _ENDLESS, np.copysign(np.inf, x), x).astype(x.dtype)
        for p, x in pair.others.items()
        if np.asarray(x).dtype.kind == "f"
    }
    return pair._replace(others=pair.others | held | large)


_ENDLESS = 3e4
"""Numbers of this size are written for infinity, as -1e9 in a mask."""


def decided(pair: Pair, point: Sequence[Any]) -> dict[int, Any]:
    """Give what the steps on the way to the answers decide in floats, by their positions."""
    ends = [p for p in pair.answers if p is not None]
    places = [p for p in pair.program.schedule(ends, ())[0] if _decides(pair.program, p)]
    values = floats_of(pair, point) if places else None
    return {} if values is None else {p: values[p] for p in places}


def _decides(program: Program, p: int) -> bool:
    """Say whether a step has values that jump: truth values, integers, or those of floor."""
    operation, *operands = program.steps[p]
    if type(operation) is Input or not operands:
        return False
    return program.dtypes[p].kind in "bui" or (type(operation) is Map and _jumps(operation))


@lru_cache(maxsize=512)
def _jumps(operation: Map) -> bool:
    """Say whether the body of an elementwise step is constant but for jumps."""
    symbols, body = operation.formula
    if not body.has(*_STEPS):
        return False
    rest = body.replace(lambda e: isinstance(e, _STEPS), lambda *_: sp.Dummy())
    return bool(rest.free_symbols.isdisjoint(symbols))
