"""How NumPy writes each operation: one expression of nodes a step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.kernels.contraction import EVERY, einsum_node
from symtape.kernels.nodes import (
    NP,
    Attribute,
    Group,
    Literal,
    Node,
    Variable,
    Word,
    as_node,
    filled,
    slots,
    total,
)
from symtape.kernels.scalar_code import long_body
from symtape.program import kinds
from symtape.program.evaluation.evaluation import RULES
from symtape.program.kinds.structural import slices
from symtape.program.operations import Operation, dtype_name

Nodes = Sequence[Node]


def range_item(s: slice) -> Literal:
    """Write a slice as an index has it."""
    start, stop, step = ("" if v is None else str(v) for v in (s.start, s.stop, s.step))
    first = "" if s.start == 0 and s.step > 0 else start  # backwards, 0 is not where it begins
    return Literal(f"{first}:{stop}" + (f":{step}" if s.step != 1 else ""))


def slice_node(ranges: Sequence[Any], node: Node, rank: int) -> Node:
    """Index the last axes of an array of some rank."""
    axes = [*[EVERY] * (rank - len(ranges)), *map(range_item, slices(ranges))]
    while len(axes) > 1 and axes[-1] is EVERY:
        axes.pop()
    return node[tuple(axes)] if axes else node


def element_node(operation: kinds.Slice, node: Node, shape: Sequence[int]) -> Node:
    """Index an array of some shape, and drop the axes of which one element is taken."""
    whole = [(0, 1, n) for n in shape]
    ranges = [*whole[: len(shape) - len(operation.ranges)], *operation.ranges]
    axes = [
        as_node(own[0]) if own[2] == 1 else EVERY if own == every else range_item(part)
        for own, every, part in zip(ranges, whole, slices(ranges), strict=True)
    ]
    while len(axes) > 1 and axes[-1] is EVERY:
        axes.pop()
    return node[tuple(axes)]


def _slice(operation: kinds.Slice, nodes: Nodes) -> Node:
    if not operation.ranges:
        return nodes[0]
    return nodes[0][(Literal("..."), *map(range_item, slices(operation.ranges)))]


def _embed(operation: kinds.Embed, nodes: Nodes) -> Node:
    ranges = Literal(", ".join([range_item(s).text for s in slices(operation.ranges)]) + ",")
    places = NP.s_[ranges] if operation.ranges else Group(())
    return Word("embed")(nodes[0], places, operation.sizes)


def plain(windows: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    """Write windows as the numbers that they are made of."""
    return tuple([tuple(window) for window in windows])


def plain_placements(placements: Sequence[Any]) -> tuple[Any, ...]:
    """Write placements as the numbers that they are made of."""
    return tuple((tuple(c), tuple((f[0], f[1]) for f in forms)) for c, forms in placements)


def _cumulative(ufunc: Node) -> Callable[[Any, Nodes], Node]:
    def write(op: Any, nodes: Nodes) -> Node:
        return Word("cumulative")(nodes[0], ufunc, op.axis, op.exclusive, op.reverse)

    return write


_MOST_TERMS = 7


@lru_cache(maxsize=256)
def sum_form(count: int) -> Node:
    """Write a sum of slots."""
    return Word("add_n")(*slots(count)) if count > _MOST_TERMS else total(slots(count))


def _fourier(op: kinds.Fourier, nodes: Nodes) -> Node:
    """Write a transform; what NumPy calls the inverse is one that is not divided by the size."""
    along = {} if op.axis == -1 else {"axis": op.axis}
    if op.sign < 0:
        return NP.fft.fft(nodes[0], **along)
    return NP.fft.ifft(nodes[0], norm="forward", **along)


def _called(word: str, *what: str) -> Callable[[Any, Nodes], Node]:
    """Call a kernel on all operands, and on what the operation says of itself."""
    function = Word(word)
    return lambda op, nodes: function(*nodes, *[getattr(op, name) for name in what])


WHOLES: dict[type[Operation], Callable[[Any, Nodes], Node]] = {
    kinds.Determinant: _called("signed_log"),
    kinds.Eigh: _called("eigh"),
    kinds.Eig: _called("eig"),
    kinds.SVD: _called("svd", "full"),
    kinds.QR: _called("qr", "full"),
}
"""What gives all parts of an operation that has several."""

ALONE: dict[tuple[type[Operation], str], Word] = {
    (kinds.Determinant, "value"): Word("determinant"),
    (kinds.Eigh, "values"): Word("eigvalsh"),
    (kinds.SVD, "values"): Word("singular_values"),
}
"""What gives one part more cheaply than the whole."""


def _part(operation: kinds.Part, nodes: Nodes) -> Node:
    alone = ALONE.get((type(operation), operation.part))
    return alone(*nodes) if alone else whole(operation, nodes)[operation.place]


def whole(operation: kinds.Part, nodes: Nodes) -> Node:
    """Write all parts of what an operation is a part of, as a tuple."""
    return WHOLES[type(operation)](operation, nodes)


WRITERS: dict[type[Operation], Callable[[Any, Nodes], Node]] = {
    kinds.Map: lambda op, nodes: filled(long_body(op), nodes),
    kinds.Einsum: einsum_node,
    kinds.AddN: lambda _, nodes: filled(sum_form(len(nodes)), nodes),
    kinds.Cast: lambda op, nodes: Attribute(nodes[0], "astype")(dtype_name(op.dtype)),
    kinds.Reshape: lambda op, nodes: Word("reshape")(nodes[0], len(op.old), op.new),
    kinds.Slice: _slice,
    kinds.Embed: _embed,
    kinds.Gather: _called("gather", "after", "between", "batch"),
    kinds.Scatter: _called("scatter", "after", "between", "batch", "size"),
    kinds.Assemble: lambda op, nodes: Word("assemble")(
        op.shape, plain_placements(op.placements), *nodes
    ),
    kinds.Windows: lambda op, nodes: Word("windows")(nodes[0], plain(op.windows), op.after),
    kinds.Overlap: lambda op, nodes: Word("overlap")(
        nodes[0], plain(op.windows), op.sizes, op.after
    ),
    kinds.Concat: lambda op, nodes: NP.concatenate(Group(nodes, ("(", ",)")), axis=op.axis),
    kinds.Cumsum: _cumulative(NP.add),
    kinds.Cumprod: _cumulative(NP.multiply),
    kinds.Cumextremum: lambda op, nodes: _cumulative(
        NP.maximum if op.which == "max" else NP.minimum
    )(op, nodes),
    kinds.Fourier: _fourier,
    kinds.Recurrence: _called("recurrence", "axis", "reverse"),
    kinds.Extremum: _called("extremum", "which", "axes"),
    kinds.SegmentExtremum: _called("segment_extremum", "which", "after", "count"),
    kinds.Product: lambda op, nodes: NP.multiply.reduce(
        nodes[0], axis=op.axes, dtype=Attribute(nodes[0], "dtype")
    ),
    kinds.Position: lambda op, nodes: Word("position")(
        nodes[0], op.which, op.axes[0], dtype_name(op.dtype)
    ),
    kinds.Item: lambda op, nodes: nodes[0][op.k],
    kinds.Inverse: _called("inverse"),
    kinds.Solve: _called("solve", "form", "adjoint"),
    kinds.Cholesky: _called("cholesky"),
    kinds.Elimination: _called("eliminated"),
    kinds.LogDeterminant: _called("log_determinant"),
    kinds.PseudoInverse: _called("pseudo_inverse", "compares"),
    kinds.MatrixFunction: lambda op, nodes: Word(op.function)(nodes[0]),
    kinds.Band: _called("band", "low", "high"),
    **dict.fromkeys(WHOLES, _part),
}


def code(operation: Operation, nodes: Nodes) -> Node:
    """Write one operation on operands as a NumPy expression.

    A kind without a row is computed by its rule over any kind of number (`evaluated`).
    """
    kind = type(operation)
    writer = WRITERS.get(kind)
    if writer is not None:
        return writer(operation, nodes)
    if kind not in RULES:
        raise UnsupportedError(f"NumPy has no code for {operation!r}; add it to kernels/source.py")
    return Word("evaluated")(kind.__name__, operation.parameters, *nodes)


def expression(operation: Operation, names: Sequence[str]) -> str:
    """Write one operation on named operands as NumPy's text, in our own words."""
    return code(operation, [Variable(name) for name in names]).write(str)


def literal(operation: kinds.Constant, *, weak: bool) -> Node:
    """Write a number; a weak one takes the dtype of what it meets."""
    made = as_node(
        operation.number if isinstance(operation.number, (int, float)) else operation.value.item()
    )
    if weak:
        return made
    name = {"bool": "bool_"}.get(dtype_name(operation.dtype), dtype_name(operation.dtype))
    kind = Attribute(NP, name)
    if not hasattr(np, name):
        kind = Attribute(NP.dtype(name), "type")
    return kind(made)
