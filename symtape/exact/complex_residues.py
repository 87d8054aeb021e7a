"""Complex residues: pairs of residues, since -1 is no square in either field.

Sums and products are those of pairs, so that what is true of a + bi by algebra is found true. A
quotient divides by a² + b², and an exponential has a point of the unit circle for its angle.
Roots, logarithms and orders of complex numbers have branches, which residues do not know.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.exact.residue_bodies import Residues, circle
from symtape.exact.residues import Residue


class ComplexResidue:
    """A complex number: the residues of its real and of its imaginary part."""

    __slots__ = ("im", "re")

    def __init__(self, re: Residue, im: Residue) -> None:
        self.re, self.im = re, im

    @property
    def field(self) -> Any:
        """The arithmetic that it belongs to."""
        return self.re.field

    def __add__(self, other: Any) -> Any:
        return self.field.add([self, other]) if _is_number(other) else NotImplemented

    def __sub__(self, other: Any) -> Any:
        return self + -other if _is_number(other) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return -self + other if _is_number(other) else NotImplemented

    def __mul__(self, other: Any) -> Any:
        return self.field.multiply([self, other]) if _is_number(other) else NotImplemented

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> ComplexResidue:
        return ComplexResidue(-self.re, -self.im)

    def __truediv__(self, other: Any) -> Any:
        if not _is_number(other):
            return NotImplemented
        return self.field.multiply([self, self.field.powered(other, -1)])

    def __rtruediv__(self, other: Any) -> Any:
        return self.field.powered(self, -1) * other

    def __getattr__(self, name: str) -> Any:
        """Refuse what only a real number has, as an order; NumPy asks for more, and has none."""
        if name.startswith("__"):
            raise AttributeError(name)
        raise UnsupportedError(f"complex residues have no {name}; compare digits")

    def __float__(self) -> float:
        raise UnsupportedError("complex residues have no order; compare digits")

    __lt__ = __gt__ = lambda self, _: float(self)

    def __bool__(self) -> bool:
        return bool(self.re) or bool(self.im)


class ComplexResidues(Residues):
    """Residues among which there are complex ones."""

    def number(self, value: Any) -> Any:
        """Take a NumPy scalar for the number that it is."""
        if np.asarray(value).dtype.kind != "c":
            return super().number(value)
        whole = complex(value)
        return ComplexResidue(
            super().number(np.float64(whole.real)), super().number(np.float64(whole.imag))
        )

    def pair(self, x: Any) -> ComplexResidue:
        """Give a number as a pair."""
        if isinstance(x, ComplexResidue):
            return x
        return ComplexResidue(
            x if isinstance(x, Residue) else self.integer(int(x)), self.integer(0)
        )

    def add(self, terms: Sequence[Any]) -> Any:
        """Add up the parts."""
        if not _has_pairs(terms):
            return super().add(terms)
        pairs = [self.pair(t) for t in terms]
        return ComplexResidue(
            super().add([t.re for t in pairs]), super().add([t.im for t in pairs])
        )

    def multiply(self, factors: Sequence[Any]) -> Any:
        """Multiply: (a + bi)(c + di) = ac - bd + (ad + bc)i."""
        if not _has_pairs(factors):
            return super().multiply(factors)
        found, *others = [self.pair(f) for f in factors]
        for f in others:
            found = ComplexResidue(
                found.re * f.re - found.im * f.im,
                found.re * f.im + found.im * f.re,
            )
        return found

    def powered(self, x: Any, n: int) -> Any:
        """Raise to a whole power; 1 / z is that of the conjugate over a² + b²."""
        if not isinstance(x, ComplexResidue):
            return super().powered(x, n)
        base = x
        if n < 0:
            inverse = super().powered(self.square(x), -1)
            base = ComplexResidue(x.re * inverse, -x.im * inverse)
        found = self.pair(self.integer(1))
        for _ in range(abs(n)):
            found = self.multiply([found, base])
        return found

    def square(self, x: Any) -> Any:
        """Give a² + b²."""
        return x.re * x.re + x.im * x.im

    def absolute(self, x: Any) -> Any:
        """Give the size of a number."""
        if isinstance(x, ComplexResidue):
            return self.rational_power(self.square(x), 1, 2)
        return super().absolute(x)

    def sign(self, value: Any, *, is_complex: bool = False) -> Any:
        """Give a number over its size, and 0 for 0."""
        if not isinstance(value, ComplexResidue):
            return super().sign(value, is_complex=is_complex)
        return value / self.pair(self.absolute(value)) if value else self.pair(self.integer(0))

    def conjugate(self, x: Any) -> Any:
        """Turn the sign of the imaginary part."""
        return ComplexResidue(x.re, -x.im) if isinstance(x, ComplexResidue) else x

    def real(self, x: Any) -> Any:
        """Give the real part."""
        return x.re if isinstance(x, ComplexResidue) else x

    def imaginary(self, x: Any) -> Any:
        """Give the imaginary part."""
        return x.im if isinstance(x, ComplexResidue) else self.integer(0)

    def exp(self, x: Any) -> Any:
        """Raise e to a + bi: to a, times cos b + i sin b."""
        if not isinstance(x, ComplexResidue):
            return super().exp(x)
        size = super().exp(x.re)
        cosine, sine = circle(self, x.im)
        return ComplexResidue(size * cosine, size * sine)

    def cast(self, x: Any, source: np.dtype[Any], target: np.dtype[Any]) -> Any:
        """Take real numbers for complex ones, and the real part where that is asked."""
        if target.kind == "c":
            return x if source.kind == "c" else self.pair(x)
        return super().cast(self.real(x), source, target)

    def size(self, x: Any) -> Any:
        """Give the size, for pivots; what is 0 in a field is none."""
        if not isinstance(x, ComplexResidue):
            return super().size(x)
        square = self.square(x)
        return 0.0 if square.p == 0 or square.q == 0 else math.hypot(x.re.real, x.im.real)


def _is_number(x: Any) -> bool:
    """Say whether something is one number; an array multiplies by each of its own."""
    return isinstance(x, (ComplexResidue, Residue, int))


def _has_pairs(numbers: Sequence[Any]) -> bool:
    return any(isinstance(x, ComplexResidue) for x in numbers)
