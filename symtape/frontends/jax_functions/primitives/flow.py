"""Primitives that call other functions: branches, loops, and functions within functions.

Branches and loops are taken as the values say; what decided leaves a guard. Loops are unrolled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from symtape.frontends.jax_functions.framework import module
from symtape.frontends.jax_functions.primitives.folding import reduced, slid
from symtape.frontends.jax_functions.values import Value, decided, is_fixed, lifted, shape_of_value
from symtape.ops.elementwise.arithmetic import where
from symtape.ops.linalg.products import matrix_transpose
from symtape.ops.linalg.solving import solve
from symtape.ops.shapes.joining import concat, stack, unstack
from symtape.ops.shapes.shaping import with_shape

Evaluate = Callable[[Any, Sequence[Any], Sequence[Value]], list[Value]]
"""Evaluates a jaxpr with constants and arguments."""


def _closed(evaluate: Evaluate, inner: Any, operands: Sequence[Value]) -> list[Value]:
    """Evaluate a closed jaxpr, or one without constants."""
    if hasattr(inner, "consts"):
        return evaluate(inner.jaxpr, inner.consts, operands)
    return evaluate(inner, (), operands)


def _inlined(
    evaluate: Evaluate, given: Mapping[str, Any], operands: Sequence[Value]
) -> list[Value]:
    """Call a function where it stands."""
    for name in ("jaxpr", "call_jaxpr", "fun_jaxpr"):
        if name in given:
            return _closed(evaluate, given[name], operands)
    raise AssertionError("a primitive that calls has a jaxpr")


def _traced(
    evaluate: Evaluate, whole: Callable[..., Any], operands: Sequence[Value]
) -> list[Value]:
    """Do what JAX makes of a function of the operands."""
    jax = module()
    examples = [jax.ShapeDtypeStruct(shape_of_value(x), _dtype(x)) for x in operands]
    closed = jax.make_jaxpr(whole)(*examples)
    return evaluate(closed.jaxpr, closed.consts, operands)


def _prefixed(name: str) -> Callable[..., list[Value]]:
    """Run a function of two along an axis in the pairs that JAX takes for derivatives."""

    def run(evaluate: Evaluate, given: Mapping[str, Any], operands: Sequence[Value]) -> list[Value]:
        lax = module("jax.lax")

        def whole(x: Any) -> Any:
            how = {"axis": given["axis"], "reverse": given["reverse"]}
            return lax.associative_scan(getattr(lax, name), x, **how)

        return _traced(evaluate, whole, operands)

    return run


def _folded(fold: Callable[..., Any]) -> Callable[..., list[Value]]:
    """Reduce by a function that the primitive has."""

    def run(evaluate: Evaluate, given: Mapping[str, Any], operands: Sequence[Value]) -> list[Value]:
        return _traced(evaluate, partial(fold, given), operands)

    return run


def _expanded(
    evaluate: Evaluate, given: Mapping[str, Any], operands: Sequence[Value]
) -> list[Value]:
    """Do what a primitive of JAX's newer kind says that it is made of."""
    jax, own = module(), given["_prim"]

    def whole(*arguments: Any) -> Any:
        return jax.tree.leaves(own.expand(*jax.tree.unflatten(own.in_tree, arguments)))

    return _traced(evaluate, whole, operands)


def _truth(value: Value) -> bool:
    return bool(np.asarray(value)) if is_fixed(value) else bool(value)


def _branched(
    evaluate: Evaluate, given: Mapping[str, Any], operands: Sequence[Value]
) -> list[Value]:
    """Take the branch with the number that the first operand has, held between them."""
    which, *rest = operands
    is_truth = _dtype(which).kind == "b"
    number = int(_truth(which)) if is_truth else int(decided(which))
    branches = given["branches"]
    return _closed(evaluate, branches[min(max(number, 0), len(branches) - 1)], rest)


def _looped(evaluate: Evaluate, given: Mapping[str, Any], operands: Sequence[Value]) -> list[Value]:
    """Go round as long as the condition holds; each turn leaves a guard.

    A loop that `vmap` has made of many goes on as long as the condition of one of them holds.
    """
    of_condition, of_body = given["cond_nconsts"], given["body_nconsts"]
    first = list(operands[:of_condition])
    own = list(operands[of_condition : of_condition + of_body])
    carried = list(operands[of_condition + of_body :])
    while True:
        goes_on = _closed(evaluate, given["cond_jaxpr"], first + carried)[0]
        going = np.asarray(decided(goes_on) if np.shape(goes_on) else _truth(goes_on))
        if not going.any():
            return carried
        turned = _closed(evaluate, given["body_jaxpr"], own + carried)
        carried = [_chosen(going, new, old) for new, old in zip(turned, carried, strict=True)]


def _chosen(going: Any, new: Value, old: Value) -> Value:
    """Take what a turn gives for those loops of a batch that go on, and keep that of the others."""
    if going.all():
        return new
    shape = np.shape(new)
    mask = np.broadcast_to(going.reshape(going.shape + (1,) * (len(shape) - going.ndim)), shape)
    if is_fixed(new) and is_fixed(old):
        return module("jax.numpy").where(mask, new, old)
    return where(mask, lifted(new), lifted(old))


def _scanned(
    evaluate: Evaluate, given: Mapping[str, Any], operands: Sequence[Value]
) -> list[Value]:
    """Go through the rows of what is scanned, and stack what each turn gives."""
    (constants, carries), length = _held_and_carried(given), int(given["length"])
    own, carried = list(operands[:constants]), list(operands[constants : constants + carries])
    columns = [_rows(x, length) for x in operands[constants + carries :]]
    order = range(length - 1, -1, -1) if given["reverse"] else range(length)
    made: list[list[Value]] = []
    for k in order:
        found = _closed(evaluate, given["jaxpr"], own + carried + [rows[k] for rows in columns])
        carried = found[:carries]
        made.append(found[carries:])
    if given["reverse"]:
        made.reverse()
    outputs = _bare(given["jaxpr"]).outvars[carries:]
    return carried + [
        _stacked([row[k] for row in made], outputs[k].aval) for k in range(len(outputs))
    ]


def _held_and_carried(given: Mapping[str, Any]) -> tuple[int, int]:
    """Count what is the same in all turns, and what one hands to the next.

    JAX from 0.11 on tells it by the structure of the operands.
    """
    if "ft_in" in given:
        held, carried, _ = given["ft_in"].unpack()
        return len(held), len(carried)
    return given["num_consts"], given["num_carry"]


def _bare(jaxpr: Any) -> Any:
    """Give a jaxpr without its constants, which some versions of JAX keep apart."""
    return getattr(jaxpr, "jaxpr", jaxpr)


def _rows(value: Value, length: int) -> Sequence[Value]:
    if is_fixed(value):
        return value  # type: ignore[no-any-return]  # an array, which has its rows
    return unstack(value, num=length) if length else []


def _stacked(rows: Sequence[Value], aval: Any) -> Value:
    if not rows:
        return np.zeros((0, *aval.shape), aval.dtype)
    if all(map(is_fixed, rows)):
        return module("jax.numpy").stack(rows)
    return stack([lifted(row) for row in rows])


def _solved(evaluate: Evaluate, given: Mapping[str, Any], operands: Sequence[Value]) -> list[Value]:
    """Solve A x = b, where A is known as a function: its matrix is what it makes of unit vectors.

    How JAX solves it has no part in the derivative, which is that of the solution.
    """
    lengths, jaxprs = given["const_lengths"], given["jaxprs"]
    constants = list(operands[: lengths.matvec])
    sides = list(operands[sum(lengths) :])
    sizes = [int(np.prod(shape_of_value(b))) for b in sides]
    matrix = _matrix(evaluate, jaxprs.matvec, constants, sides, sizes)
    flat = [with_shape(lifted(b), (n, 1)) for b, n in zip(sides, sizes, strict=True)]
    found = solve(matrix, _joined(flat, 0))
    parts = np.cumsum([0, *sizes])
    return [
        with_shape(found[a:z], shape_of_value(b))
        for a, z, b in zip(parts[:-1], parts[1:], sides, strict=True)
    ]


def _matrix(
    evaluate: Evaluate,
    product: Any,
    constants: list[Value],
    sides: Sequence[Value],
    sizes: Sequence[int],
) -> Any:
    """Write a linear function as a matrix: map it over the unit vectors, which become columns."""
    jax = module()
    count = sum(sizes)
    units = np.split(np.eye(count), np.cumsum(sizes)[:-1], axis=1)
    shapes = [shape_of_value(b) for b in sides]
    dtypes = [_dtype(b) for b in sides]
    rows = [u.reshape(count, *s).astype(d) for u, s, d in zip(units, shapes, dtypes, strict=True)]
    whole = module("jax.extend.core").jaxpr_as_fun(product)
    mapped = jax.vmap(whole, in_axes=(*[None] * len(constants), *[0] * len(rows)))
    examples = [jax.ShapeDtypeStruct(shape_of_value(c), _dtype(c)) for c in constants]
    closed = jax.make_jaxpr(mapped)(*examples, *rows)
    found = evaluate(closed.jaxpr, closed.consts, [*constants, *rows])
    lines = [with_shape(lifted(x), (count, n)) for x, n in zip(found, sizes, strict=True)]
    joined = _joined(lines, 1)
    return matrix_transpose(joined)


def _dtype(value: Value) -> Any:
    return value.dtype if is_fixed(value) else value.raw.dtype


def _joined(parts: Sequence[Any], axis: int) -> Any:
    return parts[0] if len(parts) == 1 else concat(list(parts), axis)


CALLS: dict[str, Callable[..., list[Value]]] = {
    "cond": _branched,
    "while": _looped,
    "scan": _scanned,
    "custom_linear_solve": _solved,
    "cummax": _prefixed("max"),
    "cummin": _prefixed("min"),
    "call_hi_primitive": _expanded,
    "reduce": _folded(reduced),
    "reduce_window": _folded(slid),
} | dict.fromkeys(("jit", "custom_jvp_call", "custom_vjp_call", "remat2", "composite"), _inlined)
"""How each primitive is done that calls functions."""

COMPARED = frozenset({"reduce", "reduce_window"})
"""Those whose order of steps is the compiler's: JAX's own value says whether ours is the same."""

OLDER = (
    *("pjit", "remat", "checkpoint", "custom_vjp_call_jaxpr", "core_call", "closed_call"),
    "eval_jaxpr",
)
"""What some of these are called by other versions of JAX."""

CALLS |= dict.fromkeys(OLDER, _inlined)
