"""Sums, products and powers of scalars."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from symtape.frontends.sympy_functions.axes import Named, applied
from symtape.frontends.sympy_functions.reader import Reader, Rule
from symtape.ops.elementwise import arithmetic
from symtape.ops.elementwise import functions as elementwise
from symtape.tensor.tensor import Literal, Tensor


def _sum(reader: Reader, e: Any) -> Named:
    """Add the terms up; what has a minus sign is subtracted."""
    first, *rest = sorted(e.args, key=lambda t: t.could_extract_minus_sign())
    total = reader.read(first)
    for term in rest:
        if term.could_extract_minus_sign():
            total = applied(arithmetic.subtract, total, reader.read(-term))
        else:
            total = applied(arithmetic.add, total, reader.read(term))
    return total


def _product(reader: Reader, e: Any) -> Named:
    """Multiply what is above the line, and divide by what is below it."""
    coefficient, rest = e.as_coeff_Mul()
    above: list[Any] = []
    below: list[Any] = []
    for factor in sp.Mul.make_args(rest):
        base, exponent = factor.as_base_exp()
        is_below = exponent.is_number and exponent.is_negative and base is not sp.E
        (below if is_below else above).append(1 / factor if is_below else factor)
    if coefficient.is_Rational and coefficient.q != 1:
        below.append(sp.Integer(coefficient.q))
        coefficient = sp.Integer(coefficient.p)
    if coefficient not in {1, -1} or not above:
        above.insert(0, abs(coefficient) if coefficient.is_real else coefficient)
    made = _multiplied(reader, above)
    if below:
        made = applied(arithmetic.divide, made, _multiplied(reader, below))
    is_negative = coefficient.is_real and coefficient.is_negative
    return applied(elementwise.negative, made) if is_negative else made


def _multiplied(reader: Reader, factors: list[Any]) -> Named:
    made = reader.read(factors[0])
    for factor in factors[1:]:
        made = applied(arithmetic.multiply, made, reader.read(factor))
    return made


_POWERS: dict[Any, Callable[[Tensor], Tensor]] = {
    sp.Integer(2): elementwise.square,
    sp.Integer(-1): elementwise.reciprocal,
    sp.Rational(1, 2): elementwise.sqrt,
    sp.Rational(-1, 2): elementwise.rsqrt,
}


def _power(reader: Reader, e: Any) -> Named:
    base, exponent = e.args
    if base is sp.E:
        return applied(elementwise.exp, reader.read(exponent))
    if exponent in _POWERS:
        return applied(_POWERS[exponent], reader.read(base))
    return applied(arithmetic.pow, reader.read(base), reader.read(exponent))


RULES: dict[Any, Rule] = {
    sp.Add: _sum,
    sp.Mul: _product,
    sp.Pow: _power,
    sp.core.numbers.ImaginaryUnit: lambda reader, _: Named(Literal.of(1j, reader.dtype)),
}
