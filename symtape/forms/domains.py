"""Where a function is defined: which of its leaves may not be zero there.

What a function divides by, or takes a logarithm of, is zero nowhere where it has a value; so common
factors of its derivatives may be cancelled, which of a formula alone would change where it holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy as sp

from symtape.program.kinds.structural import Reshape
from symtape.program.operations import AddN, Constant, Einsum, Input, Map
from symtape.program.program import Program

_CHOICES = (sp.Piecewise, sp.Max, sp.Min, sp.ITE)
"""What may not ask for the values of all of its parts."""


def never_zero(program: Program, targets: Sequence[int]) -> set[int]:
    """List the leaves without zeros wherever the targets are defined.

    >>> from symtape.program.operations import divide, multiply
    >>> from symtape.program.program import Builder
    >>> b = Builder()
    >>> x, y, z = [b.enter(Input("float64", ())) for _ in range(3)]
    >>> target = b.append(divide, x, b.append(multiply, y, z))
    >>> sorted(never_zero(b.finish(), [target]))
    [1, 2]
    """
    asked = _asked_for(program, targets)
    stack = [q for p in asked for q in _needed(program, p)]
    found: set[int] = set()
    while stack:
        top = stack.pop()
        if top not in found:
            found.add(top)
            stack.extend(_factors(program, top))
    return {p for p in found if type(program.steps[p][0]) is Input}


def _asked_for(program: Program, targets: Sequence[int]) -> set[int]:
    """List the steps all of whose entries have to have values where the targets have."""
    found: set[int] = set()
    stack = [*targets]
    while stack:
        top = stack.pop()
        if top not in found:
            found.add(top)
            operation, *operands = program.steps[top]
            stack.extend(operands if _asks_for_all(operation) else ())
    return found


def _asks_for_all(operation: Any) -> bool:
    if isinstance(operation, Map):
        return _body(operation) is not None
    if isinstance(operation, Einsum):  # an index that stands twice takes a diagonal
        return all(len({*term}) == len(term) for term in operation.inputs)
    return isinstance(operation, (AddN, Reshape))


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
    body = _body(operation) if isinstance(operation, Map) else None
    if body is None:
        return
    body = _with_numbers(program, body, operation, operands)
    below = [q.base for q in body.atoms(sp.Pow) if q.exp.is_negative]
    for divisor in (*below, *[f.args[0] for f in body.atoms(sp.log)]):
        yield from _places(divisor, operation, operands)


def _factors(program: Program, p: int) -> Iterator[int]:
    """List the operands that are not zero if a step is not."""
    operation, *operands = program.steps[p]
    if isinstance(operation, Reshape):
        yield operands[0]
    elif isinstance(operation, Map) and (body := _body(operation)) is not None:
        body = _with_numbers(program, body, operation, operands)
        yield from _places(body, operation, operands)


def _with_numbers(program: Program, body: Any, operation: Map, operands: Sequence[int]) -> Any:
    """Put the numbers into a body that its author wrote: x³ for a power."""
    symbols, _ = operation.at_points
    steps = [program.steps[q][0] for q in operands]
    swap = {
        s: sp.sympify(step.number)
        for s, step in zip(symbols, steps, strict=True)
        if type(step) is Constant
    }
    return body.xreplace(swap)


def _places(product: Any, operation: Map, operands: Sequence[int]) -> Iterator[int]:
    """Give the operands that are factors of a product, with powers that are no letters."""
    symbols, _ = operation.at_points
    place = dict(zip(symbols, operands, strict=True))
    for factor in sp.Mul.make_args(product):
        base, power = factor.as_base_exp()
        if base in place and power.is_number and power.is_nonzero:
            yield place[base]


__all__ = ["never_zero"]
