"""Exact values and any number of digits, by running the program over other numbers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import mpmath
import numpy as np
import sympy as sp

from symtape.errors import NoExactFormError
from symtape.exact.mpmath_words import compiled
from symtape.exact.precise_matrices import PreciseMatrices
from symtape.program.evaluation.evaluation import evaluate
from symtape.program.evaluation.symbolic import Symbolic, exact_objects
from symtape.program.operations import Constant, Map
from symtape.program.program import Program

_GUARD = 15
_DOUBLINGS = 7
_CERTAIN = 2000
"""Digits after which a zero or an infinity is believed: 1 - tanh(1000)² loses 869."""


def exact(
    program: Program,
    position: int,
    values: Mapping[int, Any],
    check: Callable[[Any], None] = lambda _: None,
) -> Any:
    """Compute a position exactly, from the arrays of the inputs: an array of SymPy numbers."""
    given = {p: exact_objects(value) for p, value in values.items()}
    found = evaluate(program, [position], given, Symbolic(exact=True, check=check))[0]
    entries = list(np.ravel(found))
    if sp.nan in entries or sp.zoo in entries:
        raise _undefined(program.shapes[position], entries)
    return found


def _undefined(shape: tuple[int, ...], entries: Sequence[Any]) -> NoExactFormError:
    place = next(k for k, e in enumerate(entries) if e in (sp.nan, sp.zoo))
    where = f" at {tuple(map(int, np.unravel_index(place, shape)))}" if shape else ""
    return NoExactFormError(
        f"the value{where} is undefined at the recorded point: it divides by zero or leaves the "
        "real numbers; numpy() has what floats make of it"
    )


class HighPrecision(PreciseMatrices):
    """Numbers of mpmath, in the working precision of a context."""

    def __init__(self, context: Any) -> None:
        self.context = context

    def number(self, value: Any) -> Any:
        """Convert a NumPy scalar without loss."""
        kind = np.asarray(value).dtype.kind
        if kind == "b":
            return bool(value)
        if kind in "iu":
            return self.context.mpf(int(value))
        if kind == "c":
            return self.context.mpc(float(value.real), float(value.imag))
        return self.context.mpf(float(value))

    def constant(self, operation: Constant) -> Any:
        """Give the number that the program computes with; a derived fraction is itself."""
        if isinstance(operation.number, sp.Rational):
            return self.context.mpf(int(operation.number.p)) / int(operation.number.q)
        return self.number(operation.value)

    def function(self, operation: Map) -> Callable[..., Any]:
        """Evaluate the body with mpmath."""
        return mpmath_function(operation, self.context)

    def add(self, terms: Sequence[Any]) -> Any:
        """Add up with one rounding."""
        return self.context.fsum(terms)

    def multiply(self, factors: Sequence[Any]) -> Any:
        """Multiply with one rounding."""
        return self.context.fprod(factors)

    def cast(self, x: Any, source: np.dtype[Any], target: np.dtype[Any]) -> Any:
        """Cut what stands after the point; truth is 1 or 0."""
        if target.kind == "b":
            return bool(x)
        if target.kind in "iu":
            return self.context.mpf(int(self.context.re(x)))
        if source.kind == "c" != target.kind:
            return self.context.re(x)
        return self.context.mpf(x) if isinstance(x, bool) else x

    def extremum(self, which: str, elements: Sequence[Any]) -> Any:
        """Compare."""
        if not elements:
            return self.context.ninf if which == "max" else self.context.inf
        return max(elements) if which == "max" else min(elements)

    def order(self, elements: Sequence[Any]) -> list[int]:
        """Sort stably."""
        return sorted(range(len(elements)), key=elements.__getitem__)

    def index(self, x: Any) -> int:
        """Give the place that a whole number names."""
        return int(x)


class _Own(threading.local):
    """The contexts of a thread, by their digits."""

    def __init__(self) -> None:
        self.contexts: dict[int, Any] = {}


_OWN, _MOST_CONTEXTS = _Own(), 16


def context_of(digits: int) -> Any:
    """Give mpmath's functions to so many digits: this thread's own, which take 1 ms to make.

    >>> context_of(30).dps, context_of(30) is context_of(30)
    (30, True)
    """
    kept = _OWN.contexts
    if digits not in kept:
        if len(kept) >= _MOST_CONTEXTS:
            kept.clear()
        kept[digits] = mpmath.MPContext()
    context = kept[digits]
    context.dps = digits  # whatever an interruption has left
    return context


def mpmath_function(operation: Map, context: Any) -> Callable[..., Any]:
    """Compile the body of an elementwise operation for a context of mpmath.

    Where it divides by zero, is at a pole, or leaves the real numbers, it gives nan as floats do: a
    mask may still leave that out.
    """
    function = compiled(operation)(context)

    def compute(*elements: Any) -> Any:
        try:
            found = function(*elements)
        except (ZeroDivisionError, ValueError):  # of a pole, which mpmath calls a wrong value
            return context.nan
        invented = isinstance(found, context.mpc) and operation.result != "complex"
        if invented and not any(isinstance(e, context.mpc) for e in elements):
            return context.nan if found.imag else found.real
        return found

    return compute


def digits(program: Program, position: int, values: Mapping[int, Any], wanted: int) -> Any:
    """Compute a position to some significant digits: an array of SymPy floats.

    The working precision is doubled until two runs agree, so that cancellation costs no digit. What
    vanishes faster than the precision grows is zero, and so is what loses two thousand digits.
    """
    previous = None
    precision = wanted + _GUARD
    for doubling in range(_DOUBLINGS):
        context = context_of(precision)
        numbers = HighPrecision(context)
        given = {p: _objects(value, numbers) for p, value in values.items()}
        found = evaluate(program, [position], given, numbers)[0]
        if previous is not None:
            pairs = list(zip(np.ravel(previous), np.ravel(found), strict=True))
            late = precision if doubling > 2 else None
            settled = [_settle(a, b, wanted, late, context) for a, b in pairs]
            if precision < _CERTAIN and any(_is_extreme(b, context) for _, b in pairs):
                settled = [None]
                precision = max(precision, _CERTAIN // 2)
            if sp.nan in settled:
                raise _undefined(program.shapes[position], settled)
            if None not in settled:
                out = np.empty(len(settled), object)
                out[:] = settled
                return out.reshape(np.shape(found))
        previous = found
        precision *= 2
    raise NoExactFormError(
        f"no {wanted} digits after working with {precision // 2}: the value may be an exact zero "
        "of a cancelling sum, or a jump; try exact()"
    )


def _objects(value: Any, numbers: HighPrecision) -> Any:
    flat = [numbers.number(v) for v in np.ravel(value)]
    out = np.empty(len(flat), object)
    out[:] = flat
    return out.reshape(np.shape(value))


def _is_extreme(x: Any, context: Any) -> bool:
    """Say whether a number is zero or infinite, as one that lost all its digits may be."""
    return not isinstance(x, bool) and (x == 0 or bool(context.isinf(x)))


def _settle(a: Any, b: Any, wanted: int, precision: int | None, context: Any) -> Any:
    """Give the digits that two runs agree on, or None; with a precision, see vanishing as zero."""
    if isinstance(b, bool):
        return sp.sympify(b)
    if a == b or (a != a and b != b):  # noqa: PLR0124 - nan
        return _as_float(b, wanted)
    if abs(a - b) <= abs(b) * context.mpf(10) ** -(wanted + 2):
        return _as_float(b, wanted)
    if precision is None:
        return None
    least = abs(a) * context.mpf(10) ** -(precision // 4)
    is_lost = abs(b) < (least or context.mpf(10) ** -(precision // 2))
    return sp.Float(0, wanted) if is_lost else None


def _as_float(x: Any, wanted: int) -> Any:
    x = mpmath.mpmathify(x)  # a zero of Python's would be printed in another way
    if hasattr(x, "imag") and x.imag:
        return sp.Float(x.real, wanted) + sp.I * sp.Float(x.imag, wanted)
    return sp.Float(x.real, wanted)
