"""Mistakes that people make in a formula, each as a changed step of its program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from symtape.errors import UnsupportedError
from symtape.numeric.interpret import KERNELS
from symtape.program import operations as ops
from symtape.program import scalar
from symtape.program.operations import AddN, Constant, Einsum, Input, Map, parameters
from symtape.program.program import Program
from symtape.program.structural import Cumsum


class Edit(NamedTuple):
    """A step that is computed otherwise, and what is said of it.

    `compute` takes the values of all steps. `words` have places for the texts of steps, which are
    those of `about`.
    """

    place: int
    compute: Callable[[Sequence[Any]], Any]
    words: str
    about: tuple[int, ...] = ()


def computed(operation: Any, operands: Sequence[Any]) -> Any:
    """Compute a step with NumPy."""
    return operation.value if type(operation) is Constant else KERNELS[operation](*operands)


def mistakes(program: Program, end: int) -> Iterator[Edit]:
    """List edits of what a position needs, the likeliest first."""
    needed = [p for p in program.schedule([end], ())[0] if type(program.steps[p][0]) is not Input]
    for kind in (_left_out, _signs, _sums, _bodies, _exchanged):
        for p in reversed(needed):
            yield from kind(program, p)


def _edit(p: int, operation: Any, operands: Sequence[int], words: str, *about: int) -> Edit:
    return Edit(p, lambda v: computed(operation, [v[i] for i in operands]), words, about)


def _left_out(program: Program, p: int) -> Iterator[Edit]:
    """Leave out a term, a factor, or a function."""
    operation, *operands = program.steps[p]
    if type(operation) is AddN or operation in (ops.add, ops.subtract):
        for k, i in enumerate(operands):
            rest = [j for n, j in enumerate(operands) if n != k]
            turned = operation is ops.subtract and k == 0
            if rest:
                made = ops.add_n if len(rest) > 1 else ops.negative if turned else ops.identity
                yield _edit(p, made, rest, "the term {} is missing", i)
    if operation is ops.multiply:
        for k, i in enumerate(operands):
            yield _edit(p, ops.identity, [operands[1 - k]], "the factor {} is missing", i)
    if operation is ops.divide:
        yield _edit(p, ops.identity, operands[:1], "the division by {} is missing", operands[1])
    if type(operation) is Map and len(operands) == 1:
        yield _edit(p, ops.identity, operands, "{} stands where {} belongs", operands[0], p)
        one = program.shapes[p]
        yield Edit(p, lambda _: np.ones(one), "the factor {} is missing", (p,))
    if type(operation) is Einsum and len(operands) >= 2:
        yield from _without_a_factor(operation, operands, p)


def _without_a_factor(operation: Einsum, operands: Sequence[int], p: int) -> Iterator[Edit]:
    for k, i in enumerate(operands):
        rest = [n for n in range(len(operands)) if n != k]
        kept = tuple([operation.inputs[n] for n in rest])
        if set(operation.output) <= {c for term in kept for c in term}:
            made = Einsum(kept, operation.output, operation.sizes)
            yield _edit(p, made, [operands[n] for n in rest], "the factor {} is missing", i)


def _signs(program: Program, p: int) -> Iterator[Edit]:
    """Turn a sign, or put a product for a quotient."""
    operation, *operands = program.steps[p]
    words = "the sign of the term {} is wrong"
    if operation is ops.add:
        yield _edit(p, ops.subtract, operands, words, operands[1])
        yield _edit(p, ops.subtract, operands[::-1], words, operands[0])
    if operation is ops.subtract:
        yield _edit(p, ops.add, operands, words, operands[1])
    if type(operation) is AddN:
        for k, i in enumerate(operands):
            yield Edit(p, partial(_turned, operands, k), words, (i,))
    if operation is ops.divide:
        yield _edit(p, ops.multiply, operands, "{} is a factor and should divide", operands[1])
    if operation is ops.multiply:
        yield _edit(p, ops.divide, operands, "{} divides and should be a factor", operands[1])


def _turned(operands: Sequence[int], k: int, values: Sequence[Any]) -> Any:
    return sum((-1 if n == k else 1) * values[i] for n, i in enumerate(operands))


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
            "the sum {} is over all axes and should be over some",
            (p,),
        )
    count = int(np.prod([own[k] for k in summed]))
    if count > 1:
        yield Edit(p, lambda v: v[p] / count, "{} should be a sum, and is a mean", (p,))
        yield Edit(p, lambda v: v[p] * count, "{} should be a mean, and is a sum", (p,))
    for k in range(len(own)):
        rest = own[:k] + own[k + 1 :]
        if [k] != summed and rest == shape:
            yield Edit(
                p,
                partial(_summed, i, k),
                f"the sum {{}} is over axis {k} and should be over axis {summed[0]}",
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
            if j != i and alike:
                rest = [*operands[:k], j, *operands[k + 1 :]]
                yield _edit(p, operation, rest, "{} stands where {} belongs", j, i)


# --- in the body of an elementwise step -----------------------------------------------------------


def _bodies(program: Program, p: int) -> Iterator[Edit]:
    """Change the body of an elementwise step."""
    operation, *operands = program.steps[p]
    if type(operation) is not Map or operation.result != "same":
        return
    symbols, body = operation.formula
    for changed, words in (*_of_body(body), *_of_output(body, symbols)):
        compute = _function(changed, tuple(symbols))
        if compute is not None:
            yield Edit(p, partial(_apply, compute, operands), words, (*operands, p))


def _apply(compute: Callable[..., Any], operands: Sequence[int], values: Sequence[Any]) -> Any:
    return compute(*[values[i] for i in operands])


def _of_body(body: Any) -> Iterator[tuple[Any, str]]:
    """Leave out terms and factors, turn signs, and change powers, anywhere in a body."""
    for e in sp.preorder_traversal(body):
        if isinstance(e, sp.Add):
            for term in e.args:
                text = _as_text(term)
                yield body.xreplace({e: e - term}), f"the term {text} is missing in {{-1}}"
                yield body.xreplace({e: e - 2 * term}), f"the sign of {text} is wrong in {{-1}}"
        elif isinstance(e, sp.Mul):
            for factor in e.args:
                text = _as_text(factor)
                yield body.xreplace({e: e / factor}), f"the factor {text} is missing in {{-1}}"
        elif isinstance(e, sp.Pow) and e.exp.is_Integer:
            for by in (-1, 1):
                yield (
                    body.xreplace({e: e.base ** (e.exp + by)}),
                    f"a power is {e.exp + by} and should be {e.exp} in {{-1}}",
                )


def _of_output(body: Any, symbols: Sequence[Any]) -> Iterator[tuple[Any, str]]:
    """Take a slope that is written by the output, and put the input there; and the other way."""
    if len(symbols) != 1:
        return
    (x,) = symbols
    for name, function, slope in _BY_OUTPUT:
        if _alike(body, slope(function(x)), x):
            yield slope(x), f"{{0}} stands where its {name} belongs"
            yield body.xreplace({x: function(x)}), f"the {name} of {{0}} stands where {{0}} belongs"


_BY_OUTPUT: tuple[tuple[str, Callable[..., Any], Callable[..., Any]], ...] = (
    ("sigmoid", lambda x: 1 / (1 + sp.exp(-x)), lambda y: y * (1 - y)),
    ("tanh", sp.tanh, lambda y: 1 - y**2),
    ("exponential", sp.exp, lambda y: y),
    ("root", sp.sqrt, lambda y: 1 / (2 * y)),
)


def _alike(a: Any, b: Any, x: Any) -> bool:
    """Compare two formulas of one variable at three points."""
    return all(abs(complex(sp.N((a - b).subs(x, at)))) < 1e-12 for at in (0.3, 0.7, 1.9))


def _as_text(e: Any) -> str:
    """Write a part of a body; its operands are called x, y, …"""
    names = {
        s: sp.Symbol("xyzuvw"[int(s.name[1:])])
        for s in e.free_symbols
        if s.name[1:].isdigit() and int(s.name[1:]) < 6
    }
    return str(e.xreplace(names)).replace("{", "{{").replace("}", "}}")


def _function(body: Any, symbols: Sequence[Any]) -> Callable[..., Any] | None:
    """Compile a body; None for what NumPy does not compute, or has infinities."""
    if body.has(sp.zoo, sp.nan, sp.oo):
        return None
    own = body.xreplace(dict(zip(symbols, parameters(len(symbols)), strict=True)))
    try:
        return KERNELS[Map(own.replace(sp.tanh, scalar.tanh), len(symbols), "same")]
    except UnsupportedError:
        return None


__all__ = ["Edit", "computed", "mistakes"]
