"""Evaluates what JAX traced: each step with tensors, compared with what JAX makes of its values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from symtape.errors import OpError, UnsupportedError
from symtape.frontends.jax_functions import own_rules
from symtape.frontends.jax_functions.comparison import compare
from symtape.frontends.jax_functions.exactly import by_numpy
from symtape.frontends.jax_functions.framework import bound, is_literal, number_in, written_at
from symtape.frontends.jax_functions.primitives import (
    bits,
    elementwise,
    indexing,
    matrices,
    moving,
    products,
    reducing,
    sampling,
    windows,
)
from symtape.frontends.jax_functions.primitives.flow import CALLS, COMPARED, Evaluate
from symtape.frontends.jax_functions.primitives.shifts import Origins, Shifted, shifts_in
from symtape.frontends.jax_functions.primitives.wholes import Whole, whole_of
from symtape.frontends.jax_functions.primitives.wrapping import Wrapped, wraps_in
from symtape.frontends.jax_functions.steps import Rule, Step, refused
from symtape.frontends.jax_functions.values import Value, is_fixed, lifted, raw

_ROOMS = (bits, elementwise, indexing, matrices, moving, products, reducing, sampling, windows)

RULES: dict[str, Rule] = {name: rule for room in _ROOMS for name, rule in room.RULES.items()}
"""How each primitive is done with tensors."""


def evaluate(
    jaxpr: Any, constants: Sequence[Any], arguments: Sequence[Value], within: str = "no known line"
) -> list[Value]:
    """Evaluate a jaxpr; what has no use is left out.

    What JAX's own code does is told to be done `within` the user's line that called it.
    """
    known: dict[Any, Value] = dict(zip(jaxpr.constvars, constants, strict=True))
    known.update(zip(jaxpr.invars, arguments, strict=True))
    shifts: dict[int, Shifted | Wrapped] = {**shifts_in(jaxpr), **wraps_in(jaxpr)}
    for k, atoms in _needed(jaxpr, shifts):
        equation = jaxpr.eqns[k]
        operands = [number_in(x) if is_literal(x) else known[x] for x in atoms]
        place = written_at(equation) or within
        if k in shifts:
            found = _unshifted(shifts[k], operands[0], place)
        elif all(map(is_fixed, operands)) and equation.primitive.name != "cond":
            found = _made_by_jax(equation, operands)
        else:
            found = _done(equation, operands, place)
        known.update(zip(equation.outvars, found, strict=True))
    return [number_in(x) if is_literal(x) else known[x] for x in jaxpr.outvars]


def _needed(jaxpr: Any, shifts: Mapping[int, Shifted | Wrapped]) -> list[tuple[int, list[Any]]]:
    """List the equations that something depends on, or that do something beside, and operands."""
    origins = Origins(jaxpr)
    wanted = {x for x in jaxpr.outvars if not is_literal(x)}
    found = []
    for k in range(len(jaxpr.eqns) - 1, -1, -1):
        equation = jaxpr.eqns[k]
        if equation.effects or not wanted.isdisjoint(equation.outvars):
            operands = [shifts[k].variable] if k in shifts else _operands(origins, equation)
            wanted.update([x for x in operands if not is_literal(x)])
            found.append((k, operands))
    return found[::-1]


def _operands(origins: Origins, equation: Any) -> list[Any]:
    """List operands; what decides a branch is the truth value itself, where there is one."""
    which, *rest = equation.invars or [None]
    made = equation.primitive.name == "cond" and origins.of(which, "convert_element_type")
    if made and made.invars[0].aval.dtype == np.bool_:
        return [made.invars[0], *rest]
    return list(equation.invars)


def _unshifted(shifted: Shifted | Wrapped, x: Value, place: str) -> Sequence[Value]:
    """Do a softmax or logsumexp as one, or places counted from the end."""
    results = [shifted.by_jax(raw(x))]
    if is_fixed(x):
        return results
    equation = shifted.equation
    return _compared(Step(equation.primitive, equation.params, [x], results, place), shifted.of(x))


def _made_by_jax(equation: Any, operands: Sequence[Any]) -> Sequence[Any]:
    """Give the results that JAX has."""
    found = by_numpy(equation, operands)
    return bound(equation, operands) if found is None else [found]


def _done(equation: Any, operands: Sequence[Value], place: str) -> Sequence[Value]:
    """Do one equation of which an operand depends on an argument."""
    name, parameters = equation.primitive.name, equation.params
    if name in CALLS:
        whole = whole_of(parameters)
        found = whole and _as_one(equation, whole, operands, place)
        found = found or _called(equation, operands, partial(evaluate, within=place))
        if name in COMPARED:
            results = _made_by_jax(equation, [raw(x) for x in operands])
            compare(Step(equation.primitive, parameters, operands, results, place), found)
        return found
    if name not in RULES:
        raise refused(name, operands, place, _NO_RULE)
    results = _made_by_jax(equation, [raw(x) for x in operands])
    step = Step(equation.primitive, parameters, operands, results, place)
    try:
        return _compared(step, RULES[name](step, *map(lifted, operands)))
    except OpError as error:
        raise step.refused(str(error)) from error


def _called(equation: Any, operands: Sequence[Value], own: Evaluate) -> Sequence[Value]:
    """Do what is in a function that an equation calls."""
    inside = partial(CALLS[equation.primitive.name], own, equation.params)
    if equation.primitive.name in own_rules.NAMES:
        return own_rules.ruled(equation, operands, own, inside)
    return inside(operands)


_NO_RULE = (
    "symtape has no rule for this primitive; compute with others, or give as an argument what it "
    "makes"
)


def _compared(step: Step, made: Any) -> Sequence[Value]:
    found = made if isinstance(made, (list, tuple)) else [made]
    compare(step, found)
    return found


def _as_one(
    equation: Any, whole: Whole, operands: Sequence[Value], place: str
) -> Sequence[Value] | None:
    """Do a function of JAX's library as one step, if that has its value."""
    found = whole(*map(lifted, operands))
    if found is None:
        return None
    results = _made_by_jax(equation, [raw(x) for x in operands])
    step = Step(equation.primitive, equation.params, operands, results, place)
    try:
        return _compared(step, found)
    except UnsupportedError:
        return None
