"""Where a function is defined: which of its leaves may not be zero there.

What a function divides by, or takes a logarithm of, is zero nowhere where it has a value; so common
factors of its derivatives may be cancelled, which of a formula alone would change where it holds.

With floats a function may have a value where something in it has none: arctan(1/s) is π/2 at zero,
and 1/(1/s) is zero. There a quotient that is cancelled goes on as the function does, but a case, or
a power with a letter, need not. So nothing is known of what steps with cases are made of, and a
letter has a power of what surely is not zero.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from math import prod
from typing import Any

import sympy as sp

from symtape.program.kinds.matrices import Determinant, OnMatrices
from symtape.program.kinds.placement import Assembly, View
from symtape.program.kinds.structural import Cumsum, Fourier, Gather, Reshape, Scatter
from symtape.program.operations import AddN, Constant, Count, Einsum, Input, Map
from symtape.program.program import Program

_CHOICES = (sp.Piecewise, sp.Max, sp.Min, sp.ITE)
"""What may not ask for the values of all of its parts."""

_SMOOTH = (
    *(sp.exp, sp.log, sp.sin, sp.cos, sp.tan, sp.asin, sp.acos, sp.atan, sp.sinh, sp.cosh, sp.tanh),
    *(sp.asinh, sp.acosh, sp.atanh, sp.erf, sp.erfc, sp.erfi, sp.gamma, sp.loggamma, sp.polygamma),
)
"""What has neither jumps nor kinks where it has a value."""

_UNBOUNDED = (sp.Add, sp.Mul, sp.log, sp.sin, sp.cos, sp.sinh, sp.cosh)
"""What has no finite value where one of its arguments has none."""

_KEPT = 500
"""Of so many operations it is remembered what they are."""

_WITHOUT_CASES = (
    *(AddN, Assembly, Constant, Count, Cumsum, Determinant, Einsum, Fourier, Gather, Input),
    *(OnMatrices, Reshape, Scatter, View),
)
"""Steps that are no functions of single entries, and have no cases."""


def never_zero(program: Program, targets: Sequence[int], *, by_entry: bool = False) -> set[int]:
    """List the leaves without zeros wherever the targets are defined.

    What is derived `by_entry`, as a Jacobian is, has entries of which each asks for some entries of
    an array alone.

    >>> from symtape.program.operations import divide, multiply
    >>> from symtape.program.program import Builder
    >>> b = Builder()
    >>> x, y, z = [b.enter(Input("float64", ())) for _ in range(3)]
    >>> target = b.append(divide, x, b.append(multiply, y, z))
    >>> sorted(never_zero(b.finish(), [target]))
    [1, 2]
    """
    steps = program.ancestors(targets)
    found = _nonzero(program, targets, surely=False).difference(_by_cases(program, steps))
    under = _with_factors(program, [q for p in steps for q in _under_letters(program, p)])
    sure = _nonzero(program, targets, surely=True)
    sure = {p for p in sure if not by_entry or prod(program.shapes[p]) == 1}
    found -= under - sure
    return {p for p in found if type(program.steps[p][0]) is Input}


def divisors(program: Program, targets: Sequence[int]) -> list[int]:
    """List the steps, but for leaves, that the targets divide by or take logarithms of.

    And what those are products of; a quotient that loses one of them holds where the targets do.

    >>> from symtape.program.operations import add, divide
    >>> from symtape.program.program import Builder
    >>> b = Builder()
    >>> x, y = [b.enter(Input("float64", ())) for _ in range(2)]
    >>> target = b.append(divide, x, b.append(add, x, y))
    >>> divisors(b.finish(), [target])
    [2]
    """
    steps = program.ancestors(targets)
    found = _nonzero(program, targets, surely=False).difference(_by_cases(program, steps))
    return sorted([p for p in found if type(program.steps[p][0]) not in (Input, Constant, Count)])


def _by_cases(program: Program, steps: Sequence[int]) -> Collection[int]:
    """List the steps that steps with cases are made of, and these."""
    return program.ancestors([p for p in steps if not _is_smooth(program.steps[p][0])])


def _nonzero(program: Program, targets: Sequence[int], *, surely: bool) -> set[int]:
    """List the steps that are not zero; `surely`, where all that they are needed for is finite."""
    asked = _asked_for(program, targets, surely=surely)
    needed = [q for p in asked for q in _needed(program, p)]
    return _with_factors(program, needed, surely=surely)


def _with_factors(program: Program, steps: Sequence[int], *, surely: bool = False) -> set[int]:
    """List some steps and what they are products of."""
    stack, found = [*steps], set[int]()
    while stack:
        top = stack.pop()
        if top not in found:
            found.add(top)
            stack.extend(_factors(program, top, surely=surely))
    return found


@lru_cache(_KEPT)
def _is_smooth(operation: Any) -> bool:
    """Say whether a step has no cases."""
    if not isinstance(operation, Map):
        return isinstance(operation, _WITHOUT_CASES)
    body = _body(operation)
    if body is None:
        return False
    plain = body.replace(_is_log_of_size, lambda log: sp.log(log.args[0].args[0]))
    return all(isinstance(f, _SMOOTH) for f in plain.atoms(sp.Function))


def _is_log_of_size(e: Any) -> bool:
    """Say whether an expression is log |x|, which has no kink."""
    return isinstance(e, sp.log) and isinstance(e.args[0], sp.Abs)


def _asked_for(program: Program, targets: Sequence[int], *, surely: bool) -> set[int]:
    """List the steps all of whose entries have to have values where the targets have.

    They `surely` have, if otherwise what is made of them has no finite value either.
    """
    found: set[int] = set()
    stack = [*targets]
    while stack:
        top = stack.pop()
        if top not in found and 0 not in program.shapes[top]:
            found.add(top)
            stack.extend(_asked_by(program, top, surely=surely))
    return found


def _asked_by(program: Program, p: int, *, surely: bool) -> Sequence[int]:
    """List the operands all of whose entries a step asks for."""
    operation, *operands = program.steps[p]
    if isinstance(operation, Einsum):  # an index that stands twice takes a diagonal
        return operands if all(len({*term}) == len(term) for term in operation.inputs) else ()
    if isinstance(operation, Map):
        body = _body_with_numbers(program, p)
        own = () if body is None else zip(operation.at_points[0], operands, strict=True)
        return [q for s, q in own if not surely or _is_unbounded_in(body, s)]
    return operands if isinstance(operation, (AddN, Reshape)) else ()


@lru_cache(_KEPT)
def _is_unbounded_in(body: Any, symbol: Any) -> bool:
    """Say whether a body has no finite value where a symbol has none.

    >>> x, y = sp.symbols("x y")
    >>> _is_unbounded_in(sp.log(x / y), x), _is_unbounded_in(x / y, y)
    (True, False)
    """
    if body == symbol:
        return True
    inner = [e for e in body.args if e.has(symbol)]
    is_power = isinstance(body, sp.Pow) and body.exp.is_positive and body.exp.is_number
    is_unbounded = is_power or isinstance(body, _UNBOUNDED)
    return is_unbounded and bool(inner) and all(_is_unbounded_in(e, symbol) for e in inner)


def _under_letters(program: Program, p: int) -> Iterator[int]:
    """List the operands that have powers with letters."""
    operation, *operands = program.steps[p]
    for base in _bases_with_letters(_body_with_numbers(program, p)):
        yield from _places(base, operation, operands)


@lru_cache(_KEPT)
def _bases_with_letters(body: Any) -> list[Any]:
    powers = () if body is None else body.atoms(sp.Pow)
    return [power.base for power in powers if not power.exp.is_number]


@lru_cache(_KEPT)
def _body(operation: Map) -> Any | None:
    """Give a body that is undefined wherever one of its parts is."""
    if operation.result != "same":
        return None
    _, body = operation.at_points
    is_plain = isinstance(body, sp.Expr) and not body.has(*_CHOICES)
    own = body.atoms(sp.Function) if is_plain else ()
    return body if is_plain and all(_is_sympys(f) for f in own) else None


def _is_sympys(f: Any) -> bool:
    return type(f).__module__.startswith("sympy.")


def _needed(program: Program, p: int) -> Iterator[int]:
    """List the operands of a step that are not zero where it has a value."""
    operation, *operands = program.steps[p]
    for divisor in _divisors_and_logs(_body_with_numbers(program, p)):
        yield from _places(divisor, operation, operands)


@lru_cache(_KEPT)
def _divisors_and_logs(body: Any) -> list[Any]:
    if body is None:
        return []
    below = [q.base for q in body.atoms(sp.Pow) if q.exp.is_negative]
    return [*below, *[f.args[0] for f in body.atoms(sp.log)]]


def _factors(program: Program, p: int, *, surely: bool) -> Iterator[int]:
    """List the operands that are not zero if a step is not, or `surely`, and may be infinite."""
    operation, *operands = program.steps[p]
    if isinstance(operation, Reshape):
        yield operands[0]
    elif (body := _body_with_numbers(program, p)) is not None:
        yield from _places(body, operation, operands, surely=surely)


def _body_with_numbers(program: Program, p: int) -> Any | None:
    """Put the numbers into a body that its author wrote: x³ for a power."""
    operation, *operands = program.steps[p]
    if not isinstance(operation, Map):
        return None
    steps = [program.steps[q][0] for q in operands]
    numbers = [sp.sympify(s.number) if type(s) is Constant else None for s in steps]
    return _with_numbers(operation, tuple(numbers))


@lru_cache(_KEPT)
def _with_numbers(operation: Map, numbers: tuple[Any, ...]) -> Any | None:
    body, (symbols, _) = _body(operation), operation.at_points
    pairs = zip(symbols, numbers, strict=True)
    return None if body is None else body.xreplace({s: k for s, k in pairs if k is not None})


def _places(
    product: Any, operation: Map, operands: Sequence[int], *, surely: bool = False
) -> Iterator[int]:
    """Give the operands that are factors of a product, with powers that are no letters.

    What it is divided by is zero where the product is infinite, and so `surely` is none of them.
    """
    symbols, _ = operation.at_points
    place = dict(zip(symbols, operands, strict=True))
    for factor in sp.Mul.make_args(product):
        base, power = factor.as_base_exp()
        counts = power.is_positive if surely else power.is_nonzero
        if base in place and power.is_number and counts:
            yield place[base]
