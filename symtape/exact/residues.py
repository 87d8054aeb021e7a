"""Residues as a kind of number: programs that are equal as formulas are equal in finite fields.

A number stands in two fields at once (`prime_fields.py`), beside the real number that it is at some
point. The real one decides what is chosen: conditions, maxima, signs, the order of a sort. The rest
is algebra: exp and log are homomorphisms between the fields, and what has no law that is known here
(a gamma function, an error function) is a number drawn for its arguments. Formulas that differ give
different residues but for a chance of their degree over 2³⁰; those that are equal may differ, too,
where a law is not known. So equality convinces, and a difference says nothing.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape.errors import NoExactFormError, UnsupportedError
from symtape.exact.prime_fields import ORDERS, Fields
from symtape.exact.square_roots import Pair, square_root
from symtape.program.evaluation.elimination import Eliminating
from symtape.program.evaluation.exact_matrices import RULES as MATRICES

LOST, LOOSE, FIRM = 0, 1, 2
"""What a residue counts: nothing; if it agrees, as some laws may not hold; and in any case."""


class Residue:
    """A number modulo p and modulo q, and the real number it stands for.

    Where no root or logarithm on the way was taken of what is no square, it is `firm`. The root of
    such a number is one of p², and a logarithm is `odd`: its exponential has the other sign. Few
    laws are lost so, as √(ab) = √a √b. An infinite number has no residues; what is computed with
    it counts where it disappears.
    """

    __slots__ = ("field", "level", "odd", "p", "q", "real")

    def __init__(
        self,
        field: Arithmetic,
        p: Any,
        q: Any,
        real: float,
        level: int = FIRM,
        odd: bool = False,
    ) -> None:
        self.field, self.p, self.q, self.real, self.level, self.odd = field, p, q, real, level, odd

    @property
    def firm(self) -> bool:
        """Whether all laws hold that are known here."""
        return self.level == FIRM

    def beside(self, real: float) -> Residue:
        """Give the same residues beside a real number that was computed in a better way."""
        return Residue(self.field, self.p, self.q, real, self.level, self.odd)

    def __repr__(self) -> str:
        return f"Residue({self.p}, {self.q}, {self.real}, {self.level})"

    def __add__(self, other: Any) -> Any:
        return self.field.add([self, other]) if _is_number(other) else NotImplemented

    def __sub__(self, other: Any) -> Any:
        return self + -other if _is_number(other) else NotImplemented

    def __mul__(self, other: Any) -> Any:
        return self.field.multiply([self, other]) if _is_number(other) else NotImplemented

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self) -> Residue:
        return self.field.multiply([self.field.integer(-1), self])

    def __truediv__(self, other: Any) -> Any:
        return (
            self.field.multiply([self, self.field.powered(other, -1)])
            if type(other) is Residue
            else NotImplemented
        )

    def __lt__(self, other: Any) -> bool:
        return bool(self.real < getattr(other, "real", other))

    def __le__(self, other: Any) -> bool:
        return bool(self.real <= getattr(other, "real", other))

    def __gt__(self, other: Any) -> bool:
        return bool(self.real > getattr(other, "real", other))

    def __eq__(self, other: object) -> bool:
        return bool(self.real == getattr(other, "real", other))

    def __hash__(self) -> int:
        return hash(self.real)

    def __bool__(self) -> bool:
        return bool(self.real != 0)

    def __int__(self) -> int:
        return int(self.real)

    def __float__(self) -> float:
        return float(self.real)


def _is_number(x: Any) -> bool:
    """Say whether something is one of these numbers, or a plain whole one."""
    return isinstance(x, (Residue, int))


class Arithmetic(Eliminating):
    """The arithmetic of one trial: `salt` draws what functions without known laws give."""

    matrices = MATRICES

    def __init__(self, salt: int, fields: Fields | None = None) -> None:
        self.fields = fields or Fields.of(ORDERS[0])
        self.salt = salt
        self._exponents: dict[int, int] = {}
        self._arguments: dict[int, int] = {}

    # --- what `evaluate` asks ---------------------------------------------------------------------

    def integer(self, n: int) -> Residue:
        """Give a whole number."""
        return Residue(self, n % self.fields.p, n % self.fields.q, float(n))

    def fraction(self, above: int, below: int) -> Residue:
        """Give a quotient of whole numbers."""
        p, q = self.fields.p, self.fields.q
        if below % p == 0 or below % q == 0:
            return Residue(self, 0, 0, above / below, level=LOST)
        own = above * pow(below, -1, p) % p, above * pow(below, -1, q) % q
        return Residue(self, *own, above / below)

    def number(self, value: Any) -> Any:
        """Take a NumPy scalar for the number that it is."""
        kind = np.asarray(value).dtype.kind
        if kind == "b":
            return bool(value)
        if kind == "c":
            raise UnsupportedError("complex numbers have no residues; compare digits")
        if kind in "iu":
            return self.integer(int(value))
        if not math.isfinite(value):
            return Residue(self, None, None, float(value))
        return self.fraction(*float(value).as_integer_ratio())

    def add(self, terms: Sequence[Any]) -> Residue:
        """Add up; plain whole numbers are among them, as the zeros around what is put in place."""
        terms = self._own(terms)
        real = math.fsum(t.real for t in terms) if _finite(terms) else sum(t.real for t in terms)
        level = min([t.level for t in terms], default=FIRM)
        if any([t.p is None for t in terms]):
            return self._infinite(real, level)
        p = sum([t.p for t in terms]) % self.fields.p
        odd = level < FIRM and sum([t.odd for t in terms]) % 2 == 1
        return Residue(self, p, sum([t.q for t in terms]) % self.fields.q, real, level, odd)

    def multiply(self, factors: Sequence[Any]) -> Residue:
        """Multiply; zero times what is infinite does not count."""
        real, p, q = 1.0, 1, 1
        factors = self._own(factors)
        for f in factors:
            real *= f.real
            if f.p is None:
                return self._infinite(
                    math.prod(f.real for f in factors), min(f.level for f in factors)
                )
            p, q = p * f.p % self.fields.p, q * f.q % self.fields.q
        level = min([f.level for f in factors], default=FIRM)
        return Residue(self, p, q, real, level, level < FIRM and self._is_odd(factors))

    def _is_odd(self, factors: Sequence[Residue]) -> bool:
        """Say whether an odd logarithm is taken an odd number of times."""
        others = [f for f in factors if not f.odd]
        whole = (float(f.real) for f in others)
        return len(factors) - len(others) == 1 and all(v % 2 == 1 for v in whole)

    def _own(self, numbers: Sequence[Any]) -> Sequence[Residue]:
        return [x if type(x) is Residue else self.integer(int(x)) for x in numbers]

    def _infinite(self, real: float, level: int) -> Residue:
        """Give what is computed with an infinite number; ∞ - ∞ and 0·∞ are none."""
        if math.isnan(real):
            return Residue(self, 0, 0, math.nan, level=LOST)
        return Residue(self, None, None, real, level)

    def cast(self, x: Any, source: np.dtype[Any], target: np.dtype[Any]) -> Any:
        """Cut what stands after the point; truth is 1 or 0."""
        if target.kind == "b":
            return bool(x)
        if source.kind == "b":
            return self.integer(int(x))
        if target.kind == "c":
            raise UnsupportedError("complex numbers have no residues; compare digits")
        if target.kind in "iu" and source.kind not in "iu":
            return self.chosen(math.trunc, x)
        return x

    def chosen(self, which: Callable[[float], int], x: Residue) -> Residue:
        """Give the whole number that the real one decides."""
        if not math.isfinite(x.real):
            return Residue(self, 0, 0, math.nan, level=LOST)
        return self.integer(which(x.real))

    def extremum(self, which: str, elements: Sequence[Any]) -> Any:
        """Choose by the real numbers."""
        if not elements:
            return Residue(self, None, None, -math.inf if which == "max" else math.inf)
        return (max if which == "max" else min)(elements)

    def order(self, elements: Sequence[Any]) -> list[int]:
        """Sort by the real numbers."""
        return sorted(range(len(elements)), key=lambda k: elements[k].real)

    def conjugate(self, x: Any) -> Any:
        """Give a real number as it is."""
        return x

    def real(self, x: Any) -> Any:
        """Give a real number as it is."""
        return x

    def imaginary(self, x: Any) -> Any:  # noqa: ARG002 - it is real
        """Give zero, for a real number."""
        return self.integer(0)

    def absolute(self, x: Any) -> Any:
        """Turn the sign of a negative number."""
        return -x if x.real < 0 else x

    def index(self, x: Any) -> int:
        """Give the place that a whole number names."""
        return int(x)

    def size(self, x: Any) -> Any:
        """Give the size, for pivots; what is 0 in a field is none."""
        return 0.0 if x.p == 0 or x.q == 0 else abs(x.real)

    def root(self, x: Any) -> Residue:
        """Take the square root."""
        return self.rational_power(x, 1, 2)

    def sign(self, value: Any, *, is_complex: bool = False) -> Any:  # noqa: ARG002 - it is real
        """Give 1, 0 or -1."""
        return self.integer((value.real > 0) - (value.real < 0))

    def log_size(self, value: Any) -> Any:
        """Give the logarithm of the size of a number."""
        return self.log(self.multiply([self.sign(value), value]))

    def whole(self, operation: Any, field: Any, a: Any) -> Any:  # noqa: ARG002 - it refuses
        """Refuse what is no field operation."""
        raise NoExactFormError(f"{operation!r} has no residues; compare digits: {a.shape}")

    # --- functions --------------------------------------------------------------------------------

    def powered(self, x: Residue, n: int) -> Residue:
        """Raise to a whole power."""
        real = quietly(lambda v: v**n, x.real)
        if x.p is None:
            zero = self.integer(0)
            return zero if n < 0 else Residue(self, None, None, real, x.level)
        if n < 0 and (x.p == 0 or x.q == 0):
            return Residue(self, 0, 0, real, level=LOST)
        return Residue(self, pow(x.p, n, self.fields.p), pow(x.q, n, self.fields.q), real, x.level)

    def rational_power(self, x: Residue, above: int, below: int) -> Residue:
        """Raise to a fraction: of squares, there is one root that is a square."""
        real = quietly(lambda v: v ** (above / below), x.real)
        if x.p is None or x.p == 0:
            zero = self.integer(0)
            is_zero = (x.p == 0) == (above > 0) and not math.isnan(real)
            return zero if is_zero else Residue(self, None, None, real, x.level)
        own = self._drawn("power", above, below, x.q) if below > 2 else self._root(x.q, above)
        root = self._root_of_p(x.p, below)
        if root is None:
            return Residue(self, 0, 0, real, level=LOST)
        level = x.level if isinstance(root, int) else min(x.level, LOOSE)
        return Residue(self, pow(root, above, self.fields.p), own % self.fields.q, real, level)

    def _root_of_p(self, x: Any, below: int) -> Any:
        """Take a root modulo p: each number has one that is odd; square ones are of p² or none."""
        twos = below & -below
        if below > twos:
            if isinstance(x, Pair):
                return None
            x = pow(x, pow(below // twos, -1, self.fields.p - 1), self.fields.p)
        while twos > 1 and x is not None:
            x, twos = square_root(self.fields, x), twos // 2
        return x

    def _root(self, x: int, above: int) -> int:
        """Give a power of the root modulo q that is a square, where there is one."""
        q = self.fields.q
        root = pow(x, (q + 1) // 4, q)
        if root * root % q != x or x == 0:
            return self._drawn("root", x, above)
        return pow(root, above, q)

    def exp(self, x: Residue) -> Residue:
        """Give g to the power of what x is modulo q."""
        real = quietly(math.exp, x.real)
        if x.p is None or x.q is None:
            return self.integer(0) if x.real < 0 else Residue(self, None, None, real, x.level)
        found = self.fields.exp(x.q)
        found = self.fields.p - found if x.odd else found
        self._arguments.setdefault(found, x.p)
        own = 1 if found == 1 else self._exponents.setdefault(found, self._drawn("exp", found))
        return Residue(self, found, own, real, x.level)

    def log(self, x: Residue) -> Residue:
        """Give the power of g that x is modulo p, or that its opposite is."""
        real = quietly(math.log, x.real) if x.real else -math.inf
        if x.p is None or x.p == 0 or x.q is None:
            return Residue(self, None, None, real, x.level)
        if isinstance(x.p, Pair):
            return self._log_of_pair(x, real)
        is_odd = not self.fields.is_square(x.p)
        found = self.fields.log(self.fields.p - x.p if is_odd else x.p)
        self._exponents.setdefault(x.p, x.q)
        own = 0 if x.p == 1 else self._arguments.setdefault(x.p, self._drawn("log", found, is_odd))
        return Residue(self, own, found, real, min(x.level, LOOSE) if is_odd else x.level, is_odd)

    def _log_of_pair(self, x: Residue, real: float) -> Residue:
        """Give half the logarithm of a² + b², as for a number without i."""
        norm = x.p.norm % self.fields.p
        whole = self.fields.log(norm if self.fields.is_square(norm) else self.fields.p - norm)
        found = whole * (self.fields.q + 1) // 2 % self.fields.q
        return Residue(self, self._drawn("log", x.p), found, real, min(x.level, LOOSE))

    def drawn(self, name: str, arguments: Sequence[Any], real: float) -> Residue:
        """Draw what a function without known laws gives for its arguments."""
        if any(a.p is None for a in arguments):
            return Residue(self, 0, 0, real, level=LOST)
        key = [a.p for a in arguments]
        own = self._drawn(name, *key) % self.fields.p, self._drawn(name, "q", *key) % self.fields.q
        return Residue(self, *own, real, min((a.level for a in arguments), default=FIRM))

    def positive(self, name: str, real: float) -> Residue:
        """Draw a positive number that has a name, such as π: one that has roots."""
        return Residue(self, self.fields.exp(self._drawn(name)), self._drawn(name, "q"), real)

    def odd(self, name: str, x: Residue, real: float) -> Residue:
        """Draw what an odd function gives."""
        if x.p == 0:
            return self.integer(0)
        first = x.p.a or x.p.b if isinstance(x.p, Pair) else x.p
        turned = first is not None and first > self.fields.p // 2
        found = self.drawn(name, [-x if turned else x], real)
        return (-found).beside(real) if turned else found

    def _drawn(self, *key: Any) -> int:
        text = repr((self.salt, *key)).encode()
        return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") % self.fields.q


def _finite(terms: Sequence[Any]) -> bool:
    return all([math.isfinite(t.real) for t in terms])


def quietly(function: Callable[[float], Any], x: float) -> float:
    """Compute with floats; what they cannot is nan, or infinite, as powers of zero below it are."""
    try:
        found = function(x)
    except (OverflowError, ZeroDivisionError):
        return math.inf
    except ValueError:
        return math.nan
    return math.nan if isinstance(found, complex) else float(found)
