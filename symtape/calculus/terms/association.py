"""Products of many factors, multiplied in the cheapest order.

A product is a list of factors, each a position of a program with one named index an axis, and the
indices that its result keeps; the others are summed over. Which two factors are multiplied first
does not change the result but may change the cost by a factor of the size: this is where the order
of the chain rule is chosen (cross-country elimination, after Laue, Mitterreiter, Giesen: A simple
and efficient tensor calculus, AAAI 2020). It is chosen once, when a derivative is derived.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
import sympy as sp

from symtape.program.contractions import pairs
from symtape.program.kinds.structural import Reshape
from symtape.program.operations import Constant, DType
from symtape.program.program import Builder

Indices = tuple[int, ...]
Factor = tuple[int, Indices]
"""A position of the program and the index of each of its axes."""

Sizes = Mapping[int, int]

_LARGEST_BINARY = 1024


def exact_fraction(number: Any) -> Fraction | None:
    """Give the fraction that a number is, if products of it stay exact and short; else None.

    >>> exact_fraction(0.5), exact_fraction(0.1)
    (Fraction(1, 2), None)
    """
    if isinstance(number, (bool, complex)):
        return None
    if isinstance(number, (int, Fraction)):
        return Fraction(number)
    if isinstance(number, sp.Rational):
        return Fraction(int(number.p), int(number.q))
    if not np.isfinite(number):
        return None
    found = Fraction(number)
    return found if found.denominator <= _LARGEST_BINARY and abs(found) < 1 << 53 else None


def split_numbers(b: Builder, factors: Iterable[Factor]) -> tuple[Fraction, list[Factor]]:
    """Take the numbers out of a product."""
    number, rest = Fraction(1), []
    for factor in factors:
        operation = b.steps[factor[0]][0]
        found = exact_fraction(operation.number) if type(operation) is Constant else None
        if found is None:
            rest.append(factor)
        else:
            number *= found
    return number, rest


def number_step(b: Builder, number: Fraction, dtype: DType) -> int:
    """Add a number as a step; whole numbers of a dtype go around, as its sums and products do."""
    if number.denominator != 1:
        return b.constant(sp.Rational(*number.as_integer_ratio()), dtype)
    plain = int(number)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        plain = (plain - int(info.min)) % 2**info.bits + int(info.min)
    return b.constant(plain, dtype)


def times_number(b: Builder, number: Fraction, at: int) -> int:
    """Multiply a step by a number; the number one makes no step."""
    if number == 1:
        return at
    if number == -1:
        return b.negative(at)
    return b.multiply(number_step(b, number, b.dtypes[at]), at)


def multiply_out(
    b: Builder,
    factors: Sequence[Factor],
    kept: Sequence[int],
    sizes: Sizes,
    number: Fraction,
    dtype: DType,
) -> Factor:
    """Multiply factors, sum over what is not kept; give the result and its indices.

    The indices of the result are those of `kept` that some factor has, in that order.
    """
    more, factors = split_numbers(b, factors)
    number *= more
    used = {i for _, indices in factors for i in indices}
    order = tuple([i for i in dict.fromkeys(kept) if i in used])
    dense = [_own_sums(b, f, factors, set(order), sizes) for f in factors]
    scalars = [p for p, indices in dense if not indices]
    dense = _fused(b, [f for f in dense if f[1]])
    if not dense:
        return _scaled(b, number, scalars, dtype), ()
    scale = _Scale(b, number, scalars)
    return _contracted(b, dense, order, sizes, scale)


def _own_sums(
    b: Builder, factor: Factor, factors: Sequence[Factor], kept: set[int], sizes: Sizes
) -> Factor:
    """Take diagonals of a factor, and sum over indices that it alone has."""
    at, indices = factor
    others = {i for f in factors if f is not factor for i in f[1]}
    left = tuple([i for i in dict.fromkeys(indices) if i in kept or i in others])
    if left == indices:
        return factor
    lost = [i for i in indices if i not in left]
    if len(set(indices)) == len(indices) and all(sizes[i] == 1 for i in lost):
        old = b.shapes[at]
        return b.append(Reshape(old, tuple([sizes[i] for i in left])), at), left
    return b.einsum([indices], left, [at]), left


def _fused(b: Builder, factors: Sequence[Factor]) -> list[Factor]:
    """Multiply factors of the same indices, element by element."""
    groups: dict[frozenset[int], list[Factor]] = {}
    for factor in factors:
        groups.setdefault(frozenset(factor[1]), []).append(factor)
    found = []
    for group in groups.values():
        at, indices = group[0]
        for other, own in group[1:]:
            at = b.multiply(at, b.einsum([own], indices, [other]))
        found.append((at, indices))
    return found


def _scaled(b: Builder, number: Fraction, scalars: Sequence[int], dtype: DType) -> int:
    """Multiply scalars and a number."""
    if not scalars:
        return number_step(b, number, dtype)
    at = scalars[0]
    for other in scalars[1:]:
        at = b.multiply(at, other)
    return times_number(b, number, at)


class _Scale:
    """The scalars of a product, which wait for the smallest array that they can be put into."""

    def __init__(self, b: Builder, number: Fraction, scalars: Sequence[int]) -> None:
        self.b, self.number, self.scalars = b, number, scalars

    def put(self, at: int) -> int:
        """Multiply an array by the scalars."""
        if self.scalars:
            at = self.b.multiply(_scaled(self.b, self.number, self.scalars, self.b.dtypes[at]), at)
        else:
            at = times_number(self.b, self.number, at)
        self.number, self.scalars = Fraction(1), ()
        return at


def _contracted(
    b: Builder, factors: list[Factor], order: Indices, sizes: Sizes, scale: _Scale
) -> Factor:
    """Multiply factors two at a time, in the cheapest order."""

    def volume(indices: Iterable[int]) -> int:
        return prod(sizes[i] for i in indices)

    smallest = min(factors, key=lambda f: volume(f[1]))
    if volume(smallest[1]) <= volume(order):
        at, indices = smallest
        factors[factors.index(smallest)] = (scale.put(at), indices)
    for pair in pairs([f[1] for f in factors], order, sizes):
        chosen = [factors[k] for k in pair]
        factors = [f for k, f in enumerate(factors) if k not in pair]
        outside = {i for _, indices in factors for i in indices}.union(order)
        inside = dict.fromkeys(i for _, indices in chosen for i in indices)
        left = tuple([i for i in inside if i in outside]) if factors else order
        at = b.einsum([f[1] for f in chosen], left, [f[0] for f in chosen])
        factors.append((at, left))
    ((at, indices),) = factors
    at = b.einsum([indices], order, [at])
    return scale.put(at), order
