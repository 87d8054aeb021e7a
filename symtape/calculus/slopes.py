"""Slopes of elementwise operations: SymPy's diff, once per operation, and Wirtinger's for parts."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, Generic, NamedTuple, TypeVar

import sympy as sp

from symtape.calculus.broadcasting import full, unbroadcast
from symtape.errors import DerivativeError
from symtape.program import operations as ops
from symtape.program.functions import frameworks, scalar
from symtape.program.operations import (
    Cast,
    Map,
    Operation,
    dtype_name,
    parameter,
    parameters,
)
from symtape.program.program import Builder

K = TypeVar("K", bound=Operation)


class Pull(NamedTuple, Generic[K]):
    """A step whose cotangent `g` is passed on to the operands that are wanted, by their numbers."""

    operation: K
    operands: Sequence[int]
    out: int
    g: int
    wanted: Sequence[int]

    def full(self, b: Builder) -> int:
        """Give the cotangent with all axes that the step has."""
        return full(b, self.g, b.shapes[self.out])


Pulled = Iterator[tuple[int, int]]
"""Pairs of an operand's number and the position of what it receives."""


class Slope(NamedTuple):
    """A slope as a step: `operation` of some operands, or one operand itself, or a number."""

    operation: Map | None
    picks: tuple[int, ...]
    number: sp.Number | None = None
    masks: Map | None = None
    """Where the slope has cases: the operation that puts g, its first operand, into the cases."""


@lru_cache(maxsize=4096)
def slopes(operation: Map, *, of_complex: bool = False) -> tuple[Slope, ...]:
    """Differentiate the body in each operand, as real or as complex numbers."""
    return tuple(_slope(operation, k, of_complex) for k in range(operation.arity))


def _slope(operation: Map, k: int, of_complex: bool) -> Slope:
    if scalar.kind_of(operation.body) is scalar.opaque:
        raise DerivativeError(
            f"{operation.name} cannot be differentiated as a program: take the gradient with a "
            "tf.GradientTape, which runs the author's function"
        )
    body = sp.diff(operation.body, parameter(k))
    if of_complex:  # where real powers have no slope in the exponent, complex ones do
        body = body.replace(
            lambda e: scalar.kind_of(e) is scalar.positive_log,
            lambda e: scalar.nonzero_log(*e.args),
        )
    if isinstance(body, sp.Piecewise):
        return _masked(body, operation, _cases)
    if scalar.kind_of(body) in frameworks.STEPS:
        return _masked(body, operation, _by_slope)
    if not of_complex and scalar.kind_of(operation.body) in GUARDED:
        return _masked(body, operation, GUARDED[scalar.kind_of(operation.body)][k])
    return _as_step(body, operation.arity)


def _as_step(body: sp.Basic, arity: int) -> Slope:
    """Write a body as an operation on the operands that it uses."""
    symbols = parameters(arity)
    picks = tuple(k for k, symbol in enumerate(symbols) if symbol in body.free_symbols)
    if not picks:
        return Slope(None, (), body)
    if body in symbols:
        return Slope(None, picks)
    renamed = body.xreplace({symbols[k]: parameter(n) for n, k in enumerate(picks)})
    return Slope(Map.of(renamed, len(picks)), picks)


def _cases(g: Any, body: Any) -> Any:
    """Keep cases as cases, so that an infinite slope in one does not reach the other."""
    return sp.Piecewise(*[(g * case.expr, case.cond) for case in body.args])


def _by_slope(g: Any, body: Any) -> Any:
    """Let a slope of 0 leave nothing of a cotangent, which may be infinite."""
    return scalar.masked_product(body, g)


def _by_cotangent(g: Any, body: Any) -> Any:
    """Let a cotangent of 0 leave nothing of a slope, which may be infinite."""
    return scalar.masked_product(g, body)


GUARDED: dict[Any, tuple[Callable[[Any, Any], Any], ...]] = {
    scalar.multiply_no_nan: (_by_slope, _by_cotangent),
    scalar.divide_no_nan: (_by_slope, operator.mul),
}
"""How a cotangent passes what is 0 where one operand is, whatever the other: as in TensorFlow."""

_G = sp.Symbol("g")


def _masked(body: sp.Basic, operation: Map, passed: Callable[[Any, Any], Any]) -> Slope:
    """Write a slope, and how the cotangent passes it: `passed` of the two is a step of its own."""
    plain = _as_step(body, operation.arity)
    moved = {parameter(k): parameter(n + 1) for n, k in enumerate(plain.picks)}
    masks = Map.of(passed(_G, body).xreplace(moved | {_G: parameter(0)}), len(plain.picks) + 1)
    return plain._replace(masks=masks)


def slopes_of(b: Builder, operation: Map, operands: Sequence[int]) -> tuple[Slope, ...]:
    """Give the slopes of a step, which are those of real or of complex numbers.

    Operands have one dtype, but for conditions, which come first or last.
    """
    ends = b.dtypes[operands[0]], b.dtypes[operands[-1]]
    return slopes(operation, of_complex=ends[0].kind == "c" or ends[1].kind == "c")


def slope_position(b: Builder, operation: Map, operands: Sequence[int], k: int) -> int:
    """Add the step that computes a slope, conjugated where the operand is complex."""
    slope = slopes_of(b, operation, operands)[k]
    if slope.number is not None:
        return b.constant(_python_number(slope.number), b.dtypes[operands[k]])
    return _computed(b, slope, operands)


def _computed(b: Builder, slope: Slope, operands: Sequence[int]) -> int:
    """Add the step of a slope that is no number."""
    at = operands[slope.picks[0]]
    if slope.operation is not None:
        at = b.append(slope.operation, *[operands[i] for i in slope.picks])
    return b.append(ops.conj, at) if b.dtypes[at].kind == "c" else at


def _python_number(number: sp.Number) -> int | float | sp.Rational:
    if number.is_Integer:
        return int(number)
    return number if number.is_Rational else float(number)


def pull_map(b: Builder, s: Pull[Map]) -> Pulled:
    """For y = f(x₁, …), x̄ₖ = g · ∂f/∂xₖ, summed over the axes along which xₖ was repeated."""
    operation, operands, out, _, wanted = s
    is_complex = b.dtypes[out].kind == "c" or b.dtypes[operands[-1]].kind == "c"
    rule = COMPLEX.get(operation) if is_complex else None
    own = slopes_of(b, operation, operands) if rule is None else ()
    shape = b.shapes[out]
    for k in wanted:
        term = _times_slope(b, s, own[k]) if rule is None else rule(b, s, k)
        have = b.shapes[operands[k]]
        yield k, term if have == shape else unbroadcast(b, term, shape, have, out)


MASKING = frozenset({ops.sqrt, ops.rsqrt, ops.reciprocal})
"""What leaves nothing of a cotangent of zero, where its slope is infinite or nan: as TensorFlow's
kernels of these gradients, and of no others."""


def _times_slope(b: Builder, s: Pull[Map], slope: Slope) -> int:
    """Multiply a cotangent by a slope, with as few roundings as the shape of the slope allows."""
    if slope.number is not None:
        return _times_number(b, s.g, slope.number)
    if slope.masks is not None:
        return b.append(slope.masks, s.g, *[s.operands[i] for i in slope.picks])
    if slope.operation is ops.reciprocal and b.dtypes[s.g].kind != "c":
        return b.divide(s.g, s.operands[slope.picks[0]])
    at = _computed(b, slope, s.operands)
    if s.operation in MASKING:
        return b.append(ops.masked_product, s.g, at)
    return b.multiply(s.g, at)


def _times_number(b: Builder, g: int, number: sp.Number) -> int:
    """Multiply a cotangent by a number; 0 leaves nothing of it, be it infinite."""
    if number is sp.S.One:
        return g
    if number is sp.S.NegativeOne:
        return b.negative(g)
    factor = b.constant(_python_number(number), b.dtypes[g])
    return b.multiply(g, factor) if number else b.append(ops.masked_product, factor, g)


# Wirtinger's calculus: for a real loss L and z = x + iy, the cotangent is ∂L/∂x + i ∂L/∂y.


def _pull_abs(b: Builder, s: Pull[Map], _: int) -> int:
    """For |z|, z̄ = g z/|z|, and 0 at 0."""
    z = s.operands[0]
    return b.multiply(b.append(Cast(dtype_name(b.dtypes[z])), s.g), b.append(ops.sign, z))


def _pull_sign(b: Builder, s: Pull[Map], _: int) -> int:
    """For w = z/|z|, z̄ = (g - w Re(conj(w) g)) / |z|: only what is across z turns it; 0 at 0."""
    z = s.operands[0]
    wide = Cast(dtype_name(b.dtypes[z]))
    w = b.append(ops.sign, z)
    along = b.append(ops.real, b.multiply(b.append(ops.conj, w), s.g))
    across = b.append(ops.subtract, s.g, b.multiply(w, b.append(wide, along)))
    return b.append(_divide_no_nan(), across, b.append(wide, b.append(ops.absolute, z)))


@cache
def _divide_no_nan() -> Map:
    return ops.elementwise("divide_no_nan", scalar.divide_no_nan, 2)


def _pull_real(b: Builder, s: Pull[Map], _: int) -> int:
    """For Re z, z̄ = g."""
    return b.append(Cast(b.dtypes[s.operands[0]].name), s.g)


def _pull_imag(b: Builder, s: Pull[Map], k: int) -> int:
    """For Im z, z̄ = i g."""
    i = b.constant(1j, b.dtypes[s.operands[0]])
    return b.multiply(_pull_real(b, s, k), i)


def _pull_conj(b: Builder, s: Pull[Map], _: int) -> int:
    """For the conjugate of z, z̄ is the conjugate of g."""
    return b.append(ops.conj, s.g)


def _pull_angle(b: Builder, s: Pull[Map], k: int) -> int:
    """For arg z, z̄ = i g / conj(z)."""
    return b.divide(_pull_imag(b, s, k), b.append(ops.conj, s.operands[0]))


def _pull_complex(b: Builder, s: Pull[Map], k: int) -> int:
    """For x + iy, x̄ = Re g and ȳ = Im g."""
    return b.append((ops.real, ops.imag)[k], s.g)


def _of_inverse(name: str, outer: Callable[..., Any]) -> Callable[[Builder, Pull[Map], int], int]:
    """For w = f(z) that h undoes, z̄ = g / conj(h'(w)): on a cut of f it is on the side of w."""
    derived = ops.elementwise(name, outer)

    def pull(b: Builder, s: Pull[Map], _: int) -> int:
        return b.divide(s.g, b.append(ops.conj, b.append(derived, s.out)))

    return pull


def _pull_acos(b: Builder, s: Pull[Map], k: int) -> int:
    """For w = acos(z), z̄ = -g / conj(sin(w))."""
    return b.negative(_OF_SINE(b, s, k))


_OF_SINE = _of_inverse("sin", sp.sin)

COMPLEX: dict[Operation, Callable[[Builder, Pull[Map], int], int]] = {
    ops.elementwise("asin", scalar.asin): _of_inverse("cos", sp.cos),
    ops.elementwise("acos", scalar.acos): _pull_acos,
    ops.elementwise("asinh", scalar.asinh): _of_inverse("cosh", sp.cosh),
    ops.elementwise("acosh", scalar.acosh): _of_inverse("sinh", sp.sinh),
    ops.absolute: _pull_abs,
    ops.sign: _pull_sign,
    ops.real: _pull_real,
    ops.imag: _pull_imag,
    ops.conj: _pull_conj,
    ops.angle: _pull_angle,
    ops.to_complex: _pull_complex,
}


def conjugate(b: Builder, p: int) -> int:
    """Add the complex conjugate; real values are their own."""
    return b.append(ops.conj, p) if b.dtypes[p].kind == "c" else p
