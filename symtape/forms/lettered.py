"""Letters for sizes, in numbers that have large primes in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import sympy as sp

from symtape.forms.index.places import signed

_LEAST = 5_000
"""Smaller numbers than this come from no size that is a prime."""
_NEAR = 50
"""So many elements may be left out at the end of an axis."""


def factored(number: Any, symbols: Mapping[int, Any]) -> Any:
    """Write the letter of a size for each prime that the size is, in a whole number or a fraction.

    >>> factored(sp.Rational(2, 3 * 10007), {10007: sp.Symbol("n")})
    2/(3*n)
    """
    if not number:
        return number
    return sp.sign(number) * _factors(abs(number.p), symbols) / _factors(number.q, symbols)


def _factors(number: int, symbols: Mapping[int, Any]) -> Any:
    found: Any = sp.S.One
    for prime, letter in symbols.items():
        while number % prime == 0:
            number //= prime
            found *= letter
    return number * found


def decimal(number: Any, symbols: Mapping[int, Any]) -> Any:
    """Write the letters of sizes that a decimal number was multiplied with, or divided by.

    >>> decimal(sp.Float("0.3"), {10007: sp.Symbol("n")})
    0.300000000000000
    >>> decimal(0.3 * sp.Integer(10007), {10007: sp.Symbol("n")})
    0.3*n
    >>> decimal(sp.Float(0.1 / 10007), {10007: sp.Symbol("n")})
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

    >>> [letters for _, letters in _scales({10007: sp.Symbol("n")})]
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

    >>> told(10006, {10007: "n"}), told(3, {10007: "n"})
    ('n - 1', 3)
    >>> told(10007 * 10009, {10007: "n", 10009: "m"}, times=" * ")
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
    >>> lettered(sp.Sum(k / 10007, (k, 0, 10006)), {10007: "n"})
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
