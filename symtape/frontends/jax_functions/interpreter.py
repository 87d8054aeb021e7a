"""Evaluates what JAX traced: each step with tensors, compared with what JAX makes of its values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symtape.errors import OpError, UnsupportedError
from symtape.frontends.jax_functions import (
    bits,
    elementwise,
    indexing,
    matrices,
    moving,
    products,
    reducing,
    windows,
)
from symtape.frontends.jax_functions.comparison import compare
from symtape.frontends.jax_functions.flow import CALLS
from symtape.frontends.jax_functions.framework import bound, is_literal, number_in, written_at
from symtape.frontends.jax_functions.shifts import Shifted, shifts_in
from symtape.frontends.jax_functions.steps import Rule, Step, refused
from symtape.frontends.jax_functions.values import Value, is_fixed, lifted, raw
from symtape.frontends.jax_functions.wholes import whole_of

RULES: dict[str, Rule] = {
    name: rule
    for room in (bits, elementwise, indexing, matrices, moving, products, reducing, windows)
    for name, rule in room.RULES.items()
}
"""How each primitive is done with tensors."""


def evaluate(jaxpr: Any, constants: Sequence[Any], arguments: Sequence[Value]) -> list[Value]:
    """Evaluate a jaxpr; what has no use is left out."""
    known: dict[Any, Value] = dict(zip(jaxpr.constvars, constants, strict=True))
    known.update(zip(jaxpr.invars, arguments, strict=True))
    shifts = shifts_in(jaxpr)
    for k, operands in _needed(jaxpr, shifts):
        equation = jaxpr.eqns[k]
        values = [number_in(x) if is_literal(x) else known[x] for x in operands]
        found = _unshifted(shifts[k], *values) if k in shifts else _done(equation, values)
        known.update(zip(equation.outvars, found, strict=True))
    return [number_in(x) if is_literal(x) else known[x] for x in jaxpr.outvars]


def _needed(jaxpr: Any, shifts: Mapping[int, Shifted]) -> list[tuple[int, list[Any]]]:
    """List the equations that something depends on, or that do something beside, and operands."""
    wanted = {x for x in jaxpr.outvars if not is_literal(x)}
    found = []
    for k in range(len(jaxpr.eqns) - 1, -1, -1):
        equation = jaxpr.eqns[k]
        if equation.effects or not wanted.isdisjoint(equation.outvars):
            operands = [shifts[k].variable] if k in shifts else equation.invars
            wanted.update([x for x in operands if not is_literal(x)])
            found.append((k, operands))
    return found[::-1]


def _unshifted(shifted: Shifted, x: Value) -> Sequence[Value]:
    """Do a softmax or logsumexp as one."""
    results = [shifted.by_jax(raw(x))]
    if is_fixed(x):
        return results
    equation = shifted.equation
    step = Step(equation.primitive, equation.params, [x], results, written_at(equation))
    found = [shifted.of(x)]
    compare(step, found)
    return found


def _done(equation: Any, operands: Sequence[Value]) -> Sequence[Value]:
    """Do one equation: by JAX alone where nothing depends on arguments."""
    name = equation.primitive.name
    if all(map(is_fixed, operands)):
        return bound(equation, operands)
    if name in CALLS:
        whole = whole_of(equation.params)
        found = whole and _as_one(equation, whole, operands)
        return found or CALLS[name](evaluate, equation.params, operands)
    rule = RULES.get(name)
    if rule is None:
        raise refused(
            name,
            operands,
            written_at(equation),
            "symtape has no rule for this primitive; write the function with others, or give what "
            "depends on it as an argument",
        )
    step = Step(
        equation.primitive,
        equation.params,
        operands,
        bound(equation, [raw(x) for x in operands]),
        written_at(equation),
    )
    found = _made(step, rule, operands)
    compare(step, found)
    return found


def _made(step: Step, rule: Rule, operands: Sequence[Value]) -> Sequence[Value]:
    try:
        found = rule(step, *map(lifted, operands))
    except OpError as error:
        raise step.refused(str(error)) from error
    return found if isinstance(found, (list, tuple)) else [found]


def _as_one(equation: Any, whole: Any, operands: Sequence[Value]) -> Sequence[Value] | None:
    """Do a function of JAX's library as one step, if that has its value."""
    found = whole(*map(lifted, operands))
    if found is None:
        return None
    results = bound(equation, [raw(x) for x in operands])
    step = Step(equation.primitive, equation.params, operands, results, written_at(equation))
    try:
        compare(step, found)
    except UnsupportedError:
        return None
    return found  # type: ignore[no-any-return]  # a list


__all__ = ["RULES", "evaluate"]
