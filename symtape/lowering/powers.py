"""Functions one of whose operands is a number: a square is no power."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import sympy as sp

from symtape.program.functions import scalar
from symtape.program.numbers import decimal_number
from symtape.program.operations import Map, parameter, parameters

T = TypeVar("T")


def with_numbers(
    operation: Map, numbers: Sequence[Any], operands: Sequence[T]
) -> tuple[Map, list[T]]:
    """Put small numbers into a body; give it, and the operands that it is left with."""
    special = specialized(operation, tuple(numbers))
    if special is None:
        return operation, list(operands)
    return special, [x for x, number in zip(operands, numbers, strict=True) if number is None]


def are_whole(numbers: Sequence[Any]) -> bool:
    """Say whether all known numbers are whole: x³ is rounded like the power, a root is not."""
    return all([_is_whole(number) for number in numbers])


def _is_whole(number: Any) -> bool:
    if isinstance(number, float):
        return number.is_integer()
    return isinstance(number, (int, type(None))) or getattr(number, "is_Integer", False)


def specialized(operation: Map, numbers: tuple[Any, ...]) -> Map | None:
    """Substitute numbers, unless the number changes what happens at the edge of the domain."""
    return None if _is_complex(numbers) else _specialized(operation, numbers)


@lru_cache(maxsize=4096)
def _specialized(operation: Map, numbers: tuple[Any, ...]) -> Map | None:
    body = _substituted(operation, numbers)
    left = {parameter(n) for n in range(sum(number is None for number in numbers))}
    if body is None or body.free_symbols != left or _calls_numbers(body):
        return None
    return Map.of(body, len(left))


def _calls_numbers(body: sp.Basic) -> bool:
    """Say whether a function of numbers alone is left: `np.log(2)` would be of dtype float64."""
    return any([e.is_number and not e.is_real for e in body.atoms(sp.Function)])


def constant(operation: Map, numbers: tuple[Any, ...]) -> float | None:
    """Find the number that a body is for some numbers, whatever the rest is: x⁰ is 1."""
    return None if _is_complex(numbers) else _constant(operation, numbers)


@lru_cache(maxsize=4096)
def has_powers(operation: Map) -> bool:
    """Say whether a body has a power whose exponent may be a number."""
    return any([scalar.kind_of(e) is scalar.power for e in operation.body.atoms(sp.Function)])


def _is_complex(numbers: Sequence[Any]) -> bool:
    """Find complex numbers, of which NumPy takes the power as it is, before any is looked up.

    For a table of what is known, 2 + 0i is 2.
    """
    return any([isinstance(n, complex) for n in numbers])


@lru_cache(maxsize=4096)
def _constant(operation: Map, numbers: tuple[Any, ...]) -> float | None:
    body = _substituted(operation, numbers)
    return float(body) if body is not None and body.is_Rational else None


_BESIDE_NUMBERS: dict[Any, Callable[[Any, Any], Any]] = {
    scalar.difference: lambda x, y: x - y,
    scalar.logaddexp: lambda x, y: scalar.softplus(x or y) if 0 in (x, y) else None,
    scalar.masked_product: lambda x, y: x * y if x != 0 else None,
}
"""What functions are if an operand is a number, which is finite; None where that helps nothing."""


@lru_cache(maxsize=4096)
def may_be_beside_numbers(operation: Map) -> bool:
    """Say whether a body has a function that a number beside it makes another."""
    return any([scalar.kind_of(e) in _BESIDE_NUMBERS for e in operation.body.atoms(sp.Function)])


@lru_cache(maxsize=4096)
def beside_numbers(operation: Map, numbers: tuple[Any, ...]) -> Map | None:
    """Write functions of which one operand is a number as what needs fewer steps."""
    if all([n is None for n in numbers]) or _is_complex(numbers):
        return None
    swap = _values_for_symbols(operation, numbers)
    if swap is None:
        return None
    body = operation.body.xreplace(swap)
    found = body.replace(_has_number, _without_number)
    left = {parameter(n) for n in range(sum(number is None for number in numbers))}
    if found == body or found.free_symbols != left or _calls_numbers(found):
        return None
    return Map.of(found, len(left))


def _has_number(e: sp.Basic) -> bool:
    return scalar.kind_of(e) in _BESIDE_NUMBERS and any([x.is_number for x in e.args])


def _without_number(e: sp.Basic) -> sp.Basic:
    return e if (found := _BESIDE_NUMBERS[scalar.kind_of(e)](*e.args)) is None else found


def _substituted(operation: Map, numbers: tuple[Any, ...]) -> sp.Basic | None:
    if not has_powers(operation) or all(n is None for n in numbers):
        return None
    swap = _values_for_symbols(operation, numbers)
    if swap is None:
        return None
    return operation.body.xreplace(swap).replace(
        lambda e: scalar.kind_of(e) is scalar.power and e.args[1].is_number,
        lambda e: e.args[0] ** e.args[1],
    )


def _values_for_symbols(operation: Map, numbers: Sequence[Any]) -> dict[Any, Any] | None:
    """Give what stands for each symbol: its number, or the next symbol that is left."""
    values = {k: decimal_number(n) for k, n in enumerate(numbers) if n is not None}
    if any(not v.is_Rational for v in values.values()):
        return None
    symbols = parameters(operation.arity)
    left = [symbols[k] for k, n in enumerate(numbers) if n is None]
    return {symbol: parameter(n) for n, symbol in enumerate(left)} | {
        symbols[k]: v for k, v in values.items()
    }
