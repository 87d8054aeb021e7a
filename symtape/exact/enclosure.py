"""An enclosure: bounds of a number or of an array, which are certain."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, NoReturn

import numpy as np
import sympy as sp

from symtape.errors import ExpansionError
from symtape.exact.balls.numbers import (
    Ball,
    flint,
    is_complex,
    is_exact,
    is_finite,
    is_unknown,
    parts_of,
)
from symtape.exact.balls.text import text
from symtape.exact.enclosing import precision
from symtape.exact.given import is_inside, objects_of

_LONGEST = 1_000_000
"""Bits of a bound that is written out as a fraction."""


class Enclosure:
    """What `Tensor.enclose` gives: an interval for each entry, which contains the exact value.

    It has a `shape` and entries, `e[0, 1]`, which are enclosures themselves. Bounds are exact,
    SymPy numbers for a scalar, else arrays of them; `numpy()` rounds them outwards. Of complex
    numbers the `real` and the `imag` part have bounds.

    >>> import symtape as tf
    >>> x = tf.constant([1.0, 2.0])
    >>> with tf.GradientTape() as tape:
    ...     y = tf.sqrt(x)
    >>> e = y.enclose(40)
    >>> e
    Enclosure([1, 1.41421356237309504880148 ± 4.3e-22])
    >>> e[0].lower, e.digits, e.contains([1, sp.sqrt(2)])
    (1, 21, True)
    """

    def __init__(
        self, balls: Any, opened: Callable[[], tuple[Any, ...]] = tuple, *, of_truth: bool = False
    ) -> None:
        self._balls = balls
        self._opened = opened
        self._of_truth = of_truth

    # --- an array of entries ----------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape."""
        shape: tuple[int, ...] = self._balls.shape
        return shape

    def __getitem__(self, key: Any) -> Enclosure:
        return self._with(np.asarray(self._balls[key], object))

    def __len__(self) -> int:
        return len(self._balls)

    def __iter__(self) -> Iterator[Enclosure]:
        return (self[k] for k in range(len(self)))

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "an enclosure is neither true nor false; is_positive, … ask what is certain"
        )

    def __repr__(self) -> str:
        if self.shape == ():
            return f"Enclosure({text(self._balls[()])})"
        body = np.array2string(
            self._balls, separator=", ", formatter={"all": text}, prefix=" " * 10
        )
        return f"Enclosure({body})"

    def _with(self, balls: Any) -> Enclosure:
        return Enclosure(balls, self._opened, of_truth=self._of_truth)

    def _each(self, part: Callable[[Ball], Any]) -> Any:
        """Give a number of each entry: one, or an array of SymPy's."""
        flat = [part(x) for x in self._balls.flat]
        return flat[0] if self.shape == () else sp.ImmutableDenseNDimArray(flat, self.shape)

    def _reals(self) -> list[Ball]:
        found = list(self._balls.flat)
        if any(map(is_complex, found)):
            raise TypeError("complex numbers have no order; .real and .imag have bounds")
        return found

    # --- bounds -----------------------------------------------------------------------------------

    @property
    def lower(self) -> Any:
        """The largest bound below that is known, -oo if there is none."""
        self._reals()
        return self._each(lambda x: _bound(x, -1))

    @property
    def upper(self) -> Any:
        """The smallest bound above that is known, oo if there is none."""
        self._reals()
        return self._each(lambda x: _bound(x, 1))

    @property
    def mid(self) -> Any:
        """The middle between the bounds; nan if they are infinite."""
        return self._each(_middle)

    @property
    def rad(self) -> Any:
        """How far from the middle an entry may lie."""
        return self._each(_radius)

    @property
    def real(self) -> Enclosure:
        """The real parts."""
        return self._with(_parts(self._balls, 0))

    @property
    def imag(self) -> Enclosure:
        """The imaginary parts."""
        return self._with(_parts(self._balls, 1))

    def numpy(self) -> tuple[Any, Any]:
        """Give the bounds as two arrays of float64, rounded outwards."""
        reals = self._reals()
        low, high = np.empty((2, len(reals)))
        for k, x in enumerate(reals):
            low[k], high[k] = _rounded(x, -1), _rounded(x, 1)
        return low.reshape(self.shape)[()], high.reshape(self.shape)[()]

    @property
    def digits(self) -> float:
        """How many significant decimal digits of each entry are certain; `inf` if all are exact."""
        return min(map(_digits, self._balls.flat), default=math.inf)

    def contains(self, value: Any) -> bool:
        """Say whether all entries of a value lie within the bounds.

        A value is a number or an array of numbers of Python's, NumPy's, SymPy's or mpmath's, each
        taken for exactly what it is, or a tensor. Raises `NoExactFormError` where it lies on a
        bound, as far as one can tell.
        """
        given = np.broadcast_to(objects_of(value), self.shape)
        pairs = zip(self._balls.flat, given.flat, strict=True)
        return all(is_inside(ball, element) for ball, element in pairs)

    # --- what holds for all that is enclosed ------------------------------------------------------

    @property
    def is_positive(self) -> bool | None:
        """Say whether all entries are > 0: True, False if one of them is not, None if not known."""
        return self._all(lambda x: x > 0, lambda x: x <= 0)

    @property
    def is_negative(self) -> bool | None:
        """Say whether all entries are < 0."""
        return self._all(lambda x: x < 0, lambda x: x >= 0)

    @property
    def is_nonnegative(self) -> bool | None:
        """Say whether all entries are ≥ 0."""
        return self._all(lambda x: x >= 0, lambda x: x < 0)

    @property
    def is_nonpositive(self) -> bool | None:
        """Say whether all entries are ≤ 0."""
        return self._all(lambda x: x <= 0, lambda x: x > 0)

    @property
    def is_bounded(self) -> bool:
        """Say whether all entries have bounds; without, they may be infinite, or undefined."""
        return all(map(is_finite, self._balls.flat))

    @property
    def is_true(self) -> bool | None:
        """Say whether all of what was compared holds: True, False if some does not, else None."""
        if not self._of_truth:
            raise TypeError("is_true is asked of comparisons; is_positive, … of numbers")
        return self._all(lambda x: x > 0, lambda x: x <= 0)

    def _all(self, yes: Callable[[Ball], bool], no: Callable[[Ball], bool]) -> bool | None:
        found = self._reals()
        if any(no(x) for x in found):
            return False
        return True if all(yes(x) for x in found) else None

    @cached_property
    def kinks(self) -> tuple[Any, ...]:
        """The relations that are not decided: kinks, jumps and choices that lie within.

        With none, one formula without cases holds throughout. They are of the whole tensor.
        """
        return self._opened()


def _bound(x: Ball, side: int) -> Any:
    if not is_finite(x) and not is_exact(x):
        return sp.oo * side
    return _rational(_outward(x, side))


def _outward(x: Ball, side: int) -> Ball:
    """Give an end of a ball, exactly."""
    bits = max(64, 2 * int(x.mid().bits()) if is_finite(x) else 64)
    with precision(bits):
        return x.lower() if side < 0 else x.upper()


def _rational(x: Ball) -> Any:
    """Give the number that an exact ball is."""
    if not is_finite(x):
        return sp.nan if is_unknown(x) else sp.oo * (1 if x > 0 else -1)
    mantissa, exponent = map(int, x.man_exp())
    if abs(exponent) > _LONGEST:
        raise ExpansionError(
            f"a bound that is a multiple of 2**{exponent} is too long to be written out as a "
            "fraction; the enclosure prints it"
        )
    return sp.Integer(mantissa) * sp.Rational(2) ** exponent


def _middle(x: Ball) -> Any:
    parts = [_rational(p.mid()) if is_finite(p) or is_exact(p) else sp.nan for p in parts_of(x)]
    return parts[0] if len(parts) == 1 else parts[0] + sp.I * parts[1]


def _radius(x: Ball) -> Any:
    if is_exact(x):
        return sp.S.Zero
    if not is_finite(x):
        return sp.oo
    return _rational(x.rad())


def _parts(balls: Any, place: int) -> Any:
    out = np.empty(balls.shape, object)
    for at in np.ndindex(*out.shape):
        x = balls[at]
        zero = flint().arb(0)
        out[at] = parts_of(x)[place] if is_complex(x) else (x, zero)[place]
    return out


def _rounded(x: Ball, side: int) -> float:
    """Round an end outwards to a float."""
    if not is_finite(x) and not is_exact(x):
        return side * math.inf
    end = _outward(x, side)
    near = float(end)
    exact = flint().arb(near)
    inside = exact > end if side < 0 else exact < end
    return math.nextafter(near, side * math.inf) if inside else near


def _digits(x: Ball) -> float:
    if is_exact(x):
        return math.inf
    if not is_finite(x):
        return 0
    return max(0, math.floor(int(x.rel_accuracy_bits()) * math.log10(2)))
