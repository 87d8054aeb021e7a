"""Letters for sizes, in numbers that have large primes in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from math import gcd
from typing import Any

import sympy as sp

from symtape.forms.index.places import signed

_LEAST = 500_000
"""Smaller numbers than this come from no size that is a prime."""
_NEAR = 50
"""So many elements may be left out at the end of an axis, and so large are coefficients."""
_FEW = 10
"""Coefficients of a second size are smaller."""


def factored(number: Any, symbols: Mapping[int, Any]) -> Any:
    """Write the letter of a size for each prime that the size is, in a whole number or a fraction.

    >>> factored(sp.Rational(2, 3 * 1234577), {1234577: sp.Symbol("n")})
    2/(3*n)
    >>> factored(sp.Integer(3 * (1234577 - 1)), {1234577: sp.Symbol("n")})
    3*(n - 1)
    >>> factored(sp.Rational(1, (1234577 - 1) // 2), {1234577: sp.Symbol("n")})
    2/(n - 1)
    """
    if not number:
        return number
    (above, more), (below, less) = (_factors(n, symbols) for n in (abs(number.p), number.q))
    return sp.sign(number) * sp.Rational(less, more) * above / below


def _factors(number: int, symbols: Mapping[int, Any]) -> tuple[Any, int]:
    """Write a number with letters, and say by what it is to be divided: 2 / (n - 1) has no 2."""
    found: Any = sp.S.One
    for prime, letter in symbols.items():
        while number % prime == 0:
            number //= prime
            found *= letter
    ways = range(1, _FEW) if number >= _LEAST else ()
    for k in ways:
        if (polynomial := _polynomial(k * number, symbols)) is not None:
            return found * polynomial, k
    return found * number, 1


def _polynomial(number: int, symbols: Mapping[int, Any]) -> Any | None:
    """Write a number as a polynomial of a size, or of two, with small coefficients, if it is one.

    >>> n, m = sp.symbols("n m")
    >>> _polynomial(1234577**2 + 1234577 - 2, {1234577: n})
    (n - 1)*(n + 2)
    >>> _polynomial(1234577 + 2 * 1358027 - 1, {1234577: n, 1358027: m})
    2*m + n - 1
    >>> _polynomial(1234577 * 1358027 + 4, {1234577: n, 1358027: m})
    m*n + 4
    """
    own = [*symbols.items()]
    pairs = [(a, b) for k, a in enumerate(own) for b in own[k + 1 :]]
    for base, letter in (*own, *[(p * q, s * t) for (p, s), (q, t) in pairs]):
        if (digits := _digits_of(number, base)) is not None:
            return sp.factor(sum(d * letter**k for k, d in enumerate(digits)))
    for ((p, s), (q, t)), k in product(pairs, range(1, _FEW)):
        digits = _digits_of(number - k * p, q)
        if digits is not None and min(digits[1:]) >= 0:
            return sp.factor(k * s + sum(d * t**n for n, d in enumerate(digits)))
    return None


def _digits_of(number: int, base: int) -> list[int] | None:
    """Write a number by digits of either sign; None unless they are few times what they share."""
    found = []
    while number:
        digit = (number + base // 2) % base - base // 2
        found.append(digit)
        number = (number - digit) // base
    is_small = len(found) > 1 and max(map(abs, found)) <= _NEAR * gcd(*found)
    return found if is_small else None


def decimal(number: Any, symbols: Mapping[int, Any]) -> Any:
    """Write the letters of sizes that a decimal number was multiplied with, or divided by.

    >>> decimal(sp.Float("0.3"), {1234577: sp.Symbol("n")})
    0.300000000000000
    >>> decimal(0.3 * sp.Integer(1234577), {1234577: sp.Symbol("n")})
    0.3*n
    >>> decimal(sp.Float(0.1 / 1234577), {1234577: sp.Symbol("n")})
    0.1/n
    """
    if _digits(number) <= _SHORT:
        times, letters = factored(sp.Rational(_text(number)), symbols).as_coeff_Mul()
        return number if letters == 1 else sp.Float(times, 15) * letters
    for scale, letters in _scales(symbols):
        left = sp.Float(_text(number / scale), 15)
        if _digits(left) <= _SHORT:
            return left * letters
    return number


def _scales(symbols: Mapping[int, Any]) -> Iterator[tuple[Any, Any]]:
    """Give what a size, its square, or two sizes are, with the letters: those, and their inverses.

    >>> [letters for _, letters in _scales({1234577: sp.Symbol("n")})]
    [n, 1/n, n**2, n**(-2)]
    """
    own = list(symbols.items())
    alone = [(sp.Integer(n), letter) for n, letter in own]
    both = [(a * b, s * t) for k, (a, s) in enumerate(alone) for b, t in alone[k:]]
    quotients = [(a / b, s / t) for a, s in alone for b, t in alone if a != b]
    for scale, letters in (*alone, *both):
        yield scale, letters
        yield 1 / scale, 1 / letters
    yield from quotients


def _text(number: Any) -> str:
    return f"{float(number):.14g}"


def _digits(number: Any) -> int:
    """Count the digits of a decimal number."""
    return len(_text(number).partition("e")[0].replace(".", "").strip("-0"))


_SHORT = 8
"""The most digits of a number that somebody wrote."""


def spelled(letter: str, more: int) -> str:
    """Write a letter and a number.

    >>> spelled("n", -1)
    'n - 1'
    """
    return letter + (f" {'+' if more > 0 else '-'} {abs(more)}" if more else "")


def told(
    number: int,
    letters: Mapping[int, str | None],
    written: Callable[[str], str] = str,
    times: str = " ",
) -> str | int | None:
    """Write a number that is a size, or is near one, by its letter; None where it has none.

    What counts the entries of several axes is a product.

    >>> told(1234576, {1234577: "n"}), told(3, {1234577: "n"})
    ('n - 1', 3)
    >>> told(1234577 * 1358027, {1234577: "n", 1358027: "m"}, times=" * ")
    'n * m'
    """
    if number < _LEAST or not letters:
        return number
    for prime, letter in letters.items():
        if abs(number - prime) <= _NEAR:
            return None if letter is None else spelled(written(letter), number - prime)
    found, rest = [], number
    for prime, letter in letters.items():
        while letter is not None and rest % prime == 0:
            found.append(written(letter))
            rest //= prime
    if rest >= _LEAST:
        return None
    return times.join([*([str(rest)] if rest > 1 else []), *found])


def lettered(e: Any, letters: Mapping[int, str | None]) -> Any:
    """Write letters for primes, and for what is near a multiple of one: the last place is n - 1.

    Letters that stand in an expression already are the same symbols.

    >>> k = sp.Symbol("k", integer=True)
    >>> lettered(sp.Sum(k / 1234577, (k, 0, 1234576)), {1234577: "n"})
    Sum(k/n, (k, 0, n - 1))
    """
    symbols = {
        prime: sp.Symbol(letter, integer=True, positive=True)
        for prime, letter in letters.items()
        if letter is not None
    }
    swap = {r: _written(r, symbols) for r in e.atoms(sp.Rational)}
    swap |= {f: decimal(f, symbols) for f in e.atoms(sp.Float)}
    swap |= {sp.Symbol(symbol.name): symbol for symbol in symbols.values()}
    return signed(e.xreplace({a: b for a, b in swap.items() if a != b}))


def _written(number: Any, symbols: Mapping[int, Any]) -> Any:
    if number.is_Integer and abs(number) >= _LEAST:
        for prime, letter in symbols.items():
            times = round(int(number) / prime)
            rest = int(number) - times * prime
            if times and 0 < abs(rest) <= _NEAR and abs(times) <= _NEAR:
                return times * letter + rest
    return factored(number, symbols)
