"""Mistakes that people make in a formula, each as a changed step of its program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from symtape.errors import UnsupportedError
from symtape.kernels.interpret import KERNELS
from symtape.program import operations as ops
from symtape.program.functions import scalar
from symtape.program.kinds.structural import Cumsum
from symtape.program.operations import AddN, Constant, Einsum, Input, Map, parameters
from symtape.program.program import Program


class Edit(NamedTuple):
    """A step that is computed otherwise, and what is said of it.

    `compute` takes the values of all steps. `words` have places for the texts of steps, which are
    those of `about`. What leaves out a term has no words of its own: the term may be there
    with a factor as well, and is called `term`.
    """

    place: int
    compute: Callable[[Sequence[Any]], Any]
    words: str = ""
    about: tuple[int, ...] = ()
    term: str = ""


def computed(operation: Any, operands: Sequence[Any]) -> Any:
    """Compute a step with NumPy."""
    if type(operation) is Constant:
        return np.asarray(operation.value)
    return np.asarray(KERNELS[operation](*map(np.asarray, operands)))


def mistakes(program: Program, end: int) -> Iterator[Edit]:
    """List edits of what a position needs, the likeliest first."""
    for kind in (_left_out, _quotients, _sums, bodies):
        for p in _needed(program, end):
            yield from kind(program, p)


def exchanges(program: Program, end: int) -> Iterator[Edit]:
    """List edits that put one value in the place of another."""
    for p in _needed(program, end):
        yield from _exchanged(program, p)


def _needed(program: Program, end: int) -> list[int]:
    """List the steps that somebody may get wrong: not arrays of constants, as a range is."""
    steps = program.schedule([end], ())[0]
    given: set[int] = set()
    for p in steps:
        operation, *operands = program.steps[p]
        if type(operation) is Input or not given.isdisjoint(operands):
            given.add(p)
    own = [p for p in reversed(steps) if type(program.steps[p][0]) is not Input]
    return [p for p in own if p in given or not program.shapes[p]]


def _edit(p: int, operation: Any, operands: Sequence[int], words: str, *about: int) -> Edit:
    return Edit(p, lambda v: computed(operation, [v[i] for i in operands]), words, about)


def _left_out(program: Program, p: int) -> Iterator[Edit]:
    """Leave out a term, a factor, or a function."""
    operation, *operands = program.steps[p]
    if type(operation) is AddN or operation in (ops.add, ops.subtract):
        for i in dict.fromkeys(operands):
            yield Edit(p, partial(_without_a_term, operation, operands, i), "", (i,), "{}")
    if operation is ops.multiply:
        for k, i in enumerate(operands):
            yield _edit(p, ops.identity, [operands[1 - k]], "the factor {} is missing", i)
    if operation is ops.divide:
        yield _edit(p, ops.identity, operands[:1], "the division by {} is missing", operands[1])
    if type(operation) is Map and len(operands) == 1 and operation is not ops.identity:
        yield _edit(p, ops.identity, operands, "{} is used instead of {}", operands[0], p)
        one = program.shapes[p]
        if _is_factor(program, p):
            yield Edit(p, lambda _: np.ones(one), "the factor {} is missing", (p,))
    if type(operation) is Einsum and len(operands) >= 2:
        yield from _without_a_factor(operation, operands, p)


def _is_factor(program: Program, p: int) -> bool:
    """Say whether all that is done with a step is to multiply by it, or to divide."""
    users = [operation for operation, *operands in program.steps if p in operands]
    return all(o in (ops.multiply, ops.divide) or type(o) is Einsum for o in users)


def _without_a_term(operation: Any, operands: Sequence[int], j: int, values: Sequence[Any]) -> Any:
    return computed(
        operation, [np.zeros_like(values[i]) if i == j else values[i] for i in operands]
    )


def _without_a_factor(operation: Einsum, operands: Sequence[int], p: int) -> Iterator[Edit]:
    for k, i in enumerate(operands):
        rest = [n for n in range(len(operands)) if n != k]
        kept = tuple([operation.inputs[n] for n in rest])
        if set(operation.output) <= {c for term in kept for c in term}:
            made = Einsum(kept, operation.output, operation.sizes)
            yield _edit(p, made, [operands[n] for n in rest], "the factor {} is missing", i)


def _quotients(program: Program, p: int) -> Iterator[Edit]:
    """Put a product for a quotient, or a quotient for a product."""
    operation, *operands = program.steps[p]
    if operation is ops.divide:
        yield _edit(
            p, ops.multiply, operands, "it multiplies by {} instead of dividing", operands[1]
        )
    if operation is ops.multiply:
        for both in (operands, operands[::-1]):
            yield _edit(p, ops.divide, both, "it divides by {} instead of multiplying", both[1])


def _sums(program: Program, p: int) -> Iterator[Edit]:
    """Sum over other axes, or put a mean for a sum; run a scan the other way."""
    operation, *operands = program.steps[p]
    if type(operation) is Cumsum:
        flips = {
            "reversed": (operation.exclusive, not operation.reverse),
            "off by one": (not operation.exclusive, operation.reverse),
        }
        for words, (exclusive, reverse) in flips.items():
            made = Cumsum(operation.axis, exclusive, reverse)
            yield _edit(p, made, operands, f"the running sum {{}} is {words}", p)
    if type(operation) is not Einsum or len(operands) != 1:
        return
    shape, (i,) = program.shapes[p], operands
    own = program.shapes[i]
    summed = [k for k, c in enumerate(operation.inputs[0]) if c not in operation.output]
    if not summed:
        return
    if len(summed) < len(own):
        yield Edit(
            p,
            lambda v: np.broadcast_to(np.sum(v[i]), shape),
            "the sum {} is over all axes instead of some",
            (p,),
        )
    count = int(np.prod([own[k] for k in summed]))
    if count > 1:
        yield Edit(p, lambda v: v[p] / count, "a mean is used instead of the sum {}", (p,))
        yield Edit(p, lambda v: v[p] * count, "a sum is used instead of the mean {}", (p,))
    for k in range(len(own)):
        rest = own[:k] + own[k + 1 :]
        if [k] != summed and rest == shape:
            yield Edit(
                p,
                partial(_summed, i, k),
                f"the sum {{}} is over axis {k} instead of axis {summed[0]}",
                (p,),
            )


def _summed(i: int, axis: int, values: Sequence[Any]) -> Any:
    return np.sum(values[i], axis=axis)


def _exchanged(program: Program, p: int) -> Iterator[Edit]:
    """Put another value of the same shape for an operand."""
    operation, *operands = program.steps[p]
    for k, i in enumerate(operands):
        for j in range(p):
            alike = (
                program.shapes[j] == program.shapes[i] and program.dtypes[j] == program.dtypes[i]
            )
            if j != i and alike and not _are_far_apart(program, i, j):
                rest = [*operands[:k], j, *operands[k + 1 :]]
                yield _edit(p, operation, rest, "{} is used instead of {}", j, i)


def _are_far_apart(program: Program, i: int, j: int) -> bool:
    """Say whether two steps are numbers of other sizes, as 1 and an epsilon, which nobody mistakes.

    One in the place of the other makes a term vanish, which has words of its own.
    """
    numbers = [program.steps[p][0] for p in (i, j)]
    if any(type(own) is not Constant for own in numbers):
        return False
    small, large = sorted(abs(complex(own.value)) for own in numbers)
    return small < _MISTAKEN * large


_MISTAKEN = 1e-3
"""So much smaller is a number that nobody writes for another one."""


# --- in the body of an elementwise step -----------------------------------------------------------


def bodies(program: Program, p: int) -> Iterator[Edit]:
    """Change the body of an elementwise step."""
    operation, *operands = program.steps[p]
    if type(operation) is not Map or operation.result != "same":
        return
    symbols, body = operation.formula
    known = _whole_numbers(program, dict(zip(symbols, operands, strict=True)))
    for changed, words, term in (*_of_body(body, known), *_of_output(body, symbols)):
        compute = _function(changed, tuple(symbols))
        if compute is not None:
            yield Edit(p, partial(_apply, compute, operands), words, (*operands, p), term)


def _whole_numbers(program: Program, operands: Mapping[Any, int]) -> dict[Any, Any]:
    """Give the symbols that stand for whole numbers, with which texts are shorter: x**(2 - 1)."""
    steps = {s: program.steps[i][0] for s, i in operands.items() if not program.shapes[i]}
    found = {s: complex(own.value) for s, own in steps.items() if type(own) is Constant}
    return {s: sp.Integer(int(n.real)) for s, n in found.items() if n == n.real // 1}


def _apply(compute: Callable[..., Any], operands: Sequence[int], values: Sequence[Any]) -> Any:
    return compute(*[values[i] for i in operands])


def _of_body(body: Any, known: Mapping[Any, Any]) -> Iterator[tuple[Any, str, str]]:
    """Leave out terms and factors, and change powers and scales, anywhere in a body.

    Symbols that stand for numbers which are known are written as these.
    """
    for e in sp.preorder_traversal(body):
        if isinstance(e, sp.Add):
            within = "" if e is body else f" of {_as_text(e, known)}"
            for term in e.args:
                yield body.xreplace({e: e - term}), "", f"{_as_text(term, known)}{within} in {{-1}}"
        elif isinstance(e, sp.Mul):
            for factor in e.args:
                words = f"the factor {_as_text(factor, known)} is missing in {{-1}}"
                yield body.xreplace({e: e / factor}), words, ""
        elif isinstance(e, sp.Pow) and e.exp.is_Integer:
            for by in (-1, 1):
                words = f"a power is {e.exp + by} instead of {e.exp} in {{-1}}"
                yield body.xreplace({e: e.base ** (e.exp + by)}), words, ""
        if isinstance(e, (sp.Function, sp.exp)) and len(e.args) == 1:
            for factor in _FACTORS:
                text = _as_text(factor * e.args[0], known)
                words = f"an argument has the factor {factor}: {text} in {{-1}}"
                yield body.xreplace({e: e.func(factor * e.args[0])}), words, ""
            for other in _CONFUSED.get(e.func, ()):
                for new in (other(*e.args), -other(*e.args)):
                    texts = [_as_text(one, known) for one in (new, e)]
                    words = f"{texts[0]} is used instead of {texts[1]}"
                    words += "" if e is body else " in {-1}"
                    yield body.xreplace({e: new}), words, ""


_CONFUSED: dict[Any, tuple[Any, ...]] = {
    sp.sin: (sp.cos, sp.sinh), sp.cos: (sp.sin, sp.cosh), sp.tan: (sp.tanh, sp.sin),
    sp.sinh: (sp.cosh, sp.sin), sp.cosh: (sp.sinh, sp.cos), sp.tanh: (sp.tan, sp.sinh),
    sp.asin: (sp.acos, sp.asinh), sp.acos: (sp.asin, sp.acosh), sp.atan: (sp.atanh,),
    sp.erf: (sp.erfc, sp.tanh), sp.erfc: (sp.erf,), sp.log: (sp.exp,), sp.exp: (sp.log,),
}  # fmt: skip
"""Functions that are taken for one another: each is the slope of another, or sounds like it."""

_FACTORS = (2, sp.Rational(1, 2), -1, sp.sqrt(2), 1 / sp.sqrt(2))


def _of_output(body: Any, symbols: Sequence[Any]) -> Iterator[tuple[Any, str, str]]:
    """Exchange input and output in a slope that is written by the output, or the slopes."""
    if len(symbols) != 1:
        return
    (x,) = symbols
    for name, function, slope in _BY_OUTPUT:
        if not _alike(body, slope(function(x)), x):
            continue
        yield slope(x), f"{{0}} is used instead of its {name}", ""
        yield body.xreplace({x: function(x)}), f"the {name} of {{0}} is used instead of {{0}}", ""
        for other, _, wrong in _BY_OUTPUT:
            if other != name:
                words = f"it has the slope of another function: of {other} instead of {name}"
                yield wrong(function(x)), words, ""


_BY_OUTPUT: tuple[tuple[str, Callable[..., Any], Callable[..., Any]], ...] = (
    ("sigmoid", lambda x: 1 / (1 + sp.exp(-x)), lambda y: y * (1 - y)),
    ("tanh", sp.tanh, lambda y: 1 - y**2),
    ("exponential", sp.exp, lambda y: y),
    ("root", sp.sqrt, lambda y: 1 / (2 * y)),
)


def _alike(a: Any, b: Any, x: Any) -> bool:
    """Compare two formulas of one variable at three points."""
    return all(abs(complex(sp.N((a - b).subs(x, at)))) < 1e-12 for at in (0.3, 0.7, 1.9))


def _as_text(e: Any, known: Mapping[Any, Any]) -> str:
    """Write a part of a body, with places for the texts of its operands."""
    e = e.xreplace(known)
    places = {s: int(s.name[1:]) for s in e.free_symbols if s.name[1:].isdigit()}
    if e in places:
        return f"{{{places[e]}}}"
    marked = str(e.xreplace({s: sp.Symbol(f"⟨{k}⟩") for s, k in places.items()}))
    escaped = marked.replace("{", "{{").replace("}", "}}")
    return escaped.replace("⟨", "({").replace("⟩", "})")


def _function(body: Any, symbols: Sequence[Any]) -> Callable[..., Any] | None:
    """Compile a body; None for what NumPy does not compute, or has infinities."""
    if body.has(sp.zoo, sp.nan, sp.oo):
        return None
    own = body.xreplace(dict(zip(symbols, parameters(len(symbols)), strict=True)))
    try:
        return KERNELS[Map(own.replace(sp.tanh, scalar.tanh), len(symbols), "same")]
    except UnsupportedError:
        return None
