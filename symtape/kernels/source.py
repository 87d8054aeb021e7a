"""How NumPy writes each operation: one expression a step, in templates that a `Scope` fills."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.kernels.assembly import assembly_text
from symtape.kernels.contraction import atom, einsum_text
from symtape.kernels.scalar_code import SUM, filled, tightness
from symtape.program.matrices import (
    QR,
    SVD,
    Band,
    Cholesky,
    Determinant,
    Eig,
    Eigh,
    Elimination,
    Inverse,
    LogDeterminant,
    MatrixFunction,
    Part,
    PseudoInverse,
    Solve,
)
from symtape.program.operations import AddN, Cast, Constant, Einsum, Item, Map, Operation
from symtape.program.placement import Assemble
from symtape.program.segments import SegmentExtremum
from symtape.program.structural import (
    Concat,
    Cumprod,
    Cumsum,
    Embed,
    Extremum,
    Gather,
    Position,
    Product,
    Recurrence,
    Reshape,
    Scatter,
    Slice,
    slices,
)
from symtape.program.windows import Overlap, Windows

Names = Sequence[str]


def _slice_text(ranges: Sequence[Any]) -> str:
    def one(s: slice) -> str:
        start, stop, step = ("" if v is None else str(v) for v in (s.start, s.stop, s.step))
        first = "" if s.start == 0 and s.step > 0 else start  # backwards, 0 is not where it begins
        return f"{first}:{stop}" + (f":{step}" if s.step != 1 else "")

    return ", ".join(map(one, slices(ranges)))


def slice_text(ranges: Sequence[Any], name: str, rank: int) -> str:
    """Index the last axes of an array of some rank."""
    axes = ([":"] * (rank - len(ranges))) + [_slice_text([r]) for r in ranges]
    if not axes:
        return name
    while len(axes) > 1 and axes[-1] == ":":
        axes.pop()
    return f"{atom(name)}[{', '.join(axes)}]"


def _slice(operation: Slice, names: Names) -> str:
    if not operation.ranges:
        return names[0]
    return f"{atom(names[0])}[..., {_slice_text(operation.ranges)}]"


def _embed(operation: Embed, names: Names) -> str:
    places = f"np.s_[{_slice_text(operation.ranges)},]" if operation.ranges else "()"
    return f"embed({names[0]}, {places}, {operation.sizes})"


def plain(windows: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    """Write windows as the numbers that they are made of."""
    return tuple([tuple(window) for window in windows])


def _cumulative(ufunc: str) -> Callable[[Any, Names], str]:
    def write(operation: Any, names: Names) -> str:
        how = f"{operation.axis}, {operation.exclusive}, {operation.reverse}"
        return f"cumulative({names[0]}, {ufunc}, {how})"

    return write


_MOST_TERMS = 7


def _add_n(_: AddN, names: Names) -> str:
    return f"add_n({', '.join(names)})" if len(names) > _MOST_TERMS else " + ".join(names)


def terms(names: Names) -> Names:
    """Put parentheses around the terms of a sum that need them."""
    if len(names) > _MOST_TERMS:
        return names
    first, *rest = names
    return [first, *[f"({name})" if tightness(name) >= SUM else name for name in rest]]


WHOLES: dict[type[Operation], str] = {
    Determinant: "signed_log({0})",
    Eigh: "eigh({0})",
    Eig: "eig({0})",
    SVD: "svd({0}, {full})",
    QR: "qr({0}, {full})",
}
"""What gives all parts of an operation that has several."""

_ALONE: dict[tuple[type[Operation], str], str] = {
    (Determinant, "value"): "determinant({0})",
    (Eigh, "values"): "eigvalsh({0})",
    (SVD, "values"): "singular_values({0})",
}
"""What gives one part more cheaply than the whole."""


def _part(operation: Part, names: Names) -> str:
    alone = _ALONE.get((type(operation), operation.part))
    return alone.format(*names) if alone else f"{whole(operation, names)}[{operation.place}]"


def whole(operation: Part, names: Names) -> str:
    """Write all parts of what an operation is a part of, as a tuple."""
    return WHOLES[type(operation)].format(*names, full=getattr(operation, "full", None))


WRITERS: dict[type[Operation], Callable[[Any, Names], str]] = {
    Map: filled,
    Einsum: einsum_text,
    AddN: _add_n,
    Cast: lambda op, names: f"{atom(names[0])}.astype({str(op.dtype)!r})",
    Reshape: lambda op, names: f"reshape({names[0]}, {len(op.old)}, {op.new})",
    Slice: _slice,
    Embed: _embed,
    Gather: lambda op, names: (
        f"gather({names[0]}, {names[1]}, {op.after}, {op.between}, {op.batch})"
    ),
    Scatter: lambda op, names: (
        f"scatter({names[0]}, {names[1]}, {op.after}, {op.between}, {op.batch}, {op.size})"
    ),
    Assemble: lambda op, names: assembly_text(op.shape, op.placements, names),
    Windows: lambda op, names: f"windows({names[0]}, {plain(op.windows)}, {op.after})",
    Overlap: lambda op, names: f"overlap({names[0]}, {plain(op.windows)}, {op.sizes}, {op.after})",
    Concat: lambda op, names: f"np.concatenate(({', '.join(names)},), axis={op.axis})",
    Cumsum: _cumulative("np.add"),
    Cumprod: _cumulative("np.multiply"),
    Recurrence: lambda op, names: f"recurrence({names[0]}, {names[1]}, {op.axis}, {op.reverse})",
    Extremum: lambda op, names: f"extremum({names[0]}, {op.which!r}, {op.axes})",
    SegmentExtremum: lambda op, names: (
        f"segment_extremum({names[0]}, {names[1]}, {op.which!r}, {op.after}, {op.count})"
    ),
    Product: lambda op, names: (
        f"np.multiply.reduce({names[0]}, axis={op.axes}, dtype={atom(names[0])}.dtype)"
    ),
    Position: lambda op, names: (
        f"position({names[0]}, {op.which!r}, {op.axes[0]}, {str(op.dtype)!r})"
    ),
    Item: lambda op, names: f"{names[0]}[{op.k}]",
    Inverse: lambda _, names: f"inverse({names[0]})",
    Solve: lambda op, names: f"solve({names[0]}, {names[1]}, {op.form!r}, {op.adjoint})",
    Cholesky: lambda _, names: f"cholesky({names[0]})",
    Elimination: lambda _, names: f"eliminated({names[0]})",
    LogDeterminant: lambda _, names: f"log_determinant({names[0]})",
    PseudoInverse: lambda _, names: f"pseudo_inverse({names[0]}, {names[1]})",
    MatrixFunction: lambda op, names: f"{op.function}({names[0]})",
    Band: lambda op, names: f"band({names[0]}, {op.low}, {op.high})",
    **dict.fromkeys(WHOLES, _part),
}


def expression(operation: Operation, names: Names) -> str:
    """Write one operation on named operands as a NumPy expression."""
    writer = WRITERS.get(type(operation))
    if writer is None:
        raise UnsupportedError(f"NumPy has no code for {operation!r}; add it to kernels/source.py")
    return writer(operation, names)


def literal(operation: Constant, *, weak: bool) -> str:
    """Write a number; a weak one takes the dtype of what it meets."""
    number = (
        operation.number if isinstance(operation.number, (int, float)) else operation.value.item()
    )
    text = repr(number).replace("nan", "np.nan").replace("inf", "np.inf")
    if weak:
        return text
    name = {"bool": "bool_"}.get(operation.dtype.name, operation.dtype.name)
    kind = f"np.{name}" if hasattr(np, name) else f"np.dtype({name!r}).type"
    return f"{kind}({text})"
