"""How NumPy writes an operation on operands whose shapes and dtypes are known: as a person would.

A form that holds for any shape needs a function that looks at it; here the shape is looked at once,
as the code is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from symtape.kernels.contraction import atom, einsum_text
from symtape.kernels.source import slice_text
from symtape.program.operations import DType, Einsum, Operation, Shape
from symtape.program.placement import Assemble, Form, Placement
from symtape.program.structural import Extremum, Reshape, Slice


class Known(NamedTuple):
    """The operands of a step: their names, shapes and dtypes, and which of them may be changed.

    `bare` are their names again, those that are numbers without their dtypes.
    """

    names: Sequence[str]
    bare: Sequence[str]
    shapes: Sequence[Shape]
    dtypes: Sequence[DType]
    fresh: Sequence[bool]


def _einsum(operation: Einsum, known: Known) -> str | None:
    if _is_diagonal(operation):
        return f"diagonal_matrix({known.names[0]})"
    if len(set(operation.output)) < len(operation.output):
        return _on_diagonals(operation, known)
    if len(known.names) == 1 and known.dtypes[0].kind in "fc":
        return _sum(operation, known)
    if _is_inner(operation) and {dtype.kind for dtype in known.dtypes} == {"f"}:
        return f"np.vdot({', '.join(known.names)})"
    return None


def _is_inner(operation: Einsum) -> bool:
    """Say whether it sums the products of the elements of two arrays of one shape."""
    first, *others = operation.inputs
    return others == [first] and len(first) == len(set(first)) > 1 and not operation.output


def _on_diagonals(operation: Einsum, known: Known) -> str:
    """Put the product without its diagonals, a block, into zeros."""
    sizes = operation.index_sizes(known.shapes)
    unique = tuple(dict.fromkeys(operation.output))
    own = tuple([i for i in unique if any([i in term for term in operation.inputs])])
    core = Einsum(operation.inputs, own, ())
    text = _einsum(core, known) or einsum_text(core, known.names)
    if own and own != unique[len(unique) - len(own) :]:
        text = _with_axes(text, own, unique)
    counts = tuple([sizes[i] for i in unique])
    forms = tuple([(0, ((1, unique.index(i)),)) for i in operation.output])
    shape = tuple([sizes[i] for i in operation.output])
    return f"assemble({shape}, (({counts}, {forms}),), {text})"


def _is_diagonal(operation: Einsum) -> bool:
    return operation.inputs == ((0,),) and operation.output == (0, 0)


def _sum(operation: Einsum, known: Known) -> str | None:
    """Sum over axes, or give an array axes of size one, without moving any axis."""
    (term,), output = operation.inputs, operation.output
    if len(set(term)) < len(term) or len(set(output)) < len(output):
        return None
    units = {i for i, n in operation.sizes if n == 1}
    if len(units) != len(operation.sizes):
        return None
    summed = tuple([k for k, i in enumerate(term) if i not in output])
    left = tuple([i for i in term if i in output])
    name, rank = known.names[0], len(term)
    if not summed:
        return _with_axes(name, term, output) if left == _without(output, units) else None
    if all([known.shapes[0][k] == 1 for k in summed]) and left == output:
        return f"{atom(name)}[{_dropping(tuple([1 if k in summed else 0 for k in range(rank)]))}]"
    axes = summed[0] if len(summed) == 1 else summed
    if output == left:
        return f"np.add.reduce({name}, {axes})"
    in_place = tuple([i if i in output else None for i in term])
    same = len(output) == rank and all(
        [i == j or (i is None and j in units) for i, j in zip(in_place, output, strict=True)]
    )
    if same:
        return f"np.add.reduce({name}, {axes}, keepdims=True)"
    if left == _without(output, units):
        return _with_axes(f"np.add.reduce({name}, {axes})", left, output)
    return None


def _without(output: Sequence[int], units: set[int]) -> tuple[int, ...]:
    return tuple([i for i in output if i not in units])


def _with_axes(name: str, term: Sequence[int], output: Sequence[int]) -> str:
    inner = ", ".join([":" if i in term else "None" for i in output])
    return f"{atom(name)}[{inner}]" if output else name


def _reshape(operation: Reshape, known: Known) -> str | None:
    """Drop or insert axes of size one by indexing; else reshape to the whole shape."""
    (shape,) = known.shapes
    lead = shape[: len(shape) - len(operation.old)]
    new = (*lead, *operation.new)
    name = atom(known.names[0])
    if shape == new:
        return known.names[0]
    if 0 not in shape and tuple(n for n in shape if n != 1) == new:
        return f"{name}[{_dropping(shape)}]"
    if 0 not in shape and tuple(n for n in new if n != 1) == shape:
        return f"{name}[{', '.join('None' if n == 1 else ':' for n in new)}]"
    return f"{name}.reshape({', '.join(map(str, new))})" if new else None


def _dropping(shape: Shape) -> str:
    """Index the axes of size one; those at the end that stay need no colon."""
    inner = ["0" if n == 1 else ":" for n in shape]
    while len(inner) > 1 and inner[-1] == ":":
        inner.pop()
    return ", ".join(inner)


def _extremum(operation: Extremum, known: Known) -> str | None:
    if 0 in known.shapes[0] or known.dtypes[0].kind not in "fiu":
        return None
    rank = len(known.shapes[0])
    axes = tuple(sorted(axis + rank for axis in operation.axes))
    ufunc = "np.maximum" if operation.which == "max" else "np.minimum"
    return f"{ufunc}.reduce({known.names[0]}, {axes[0] if len(axes) == 1 else axes})"


def _slice(operation: Slice, known: Known) -> str:
    """Index all axes."""
    return slice_text(operation.ranges, known.names[0], len(known.shapes[0]))


_MOST_WRITTEN = 64
"""How many elements an array may have that is written element by element."""


def _of_scalars(operation: Assemble, known: Known) -> str | None:
    """Write a small array of numbers as rows of elements."""
    shape, dtype = operation.shape, known.dtypes[0]
    if any([p.counts for p in operation.placements]) or prod(shape) > _MOST_WRITTEN:
        return None
    if dtype.kind == "V" or any(known.shapes):
        return None
    zero = "0.0" if dtype.kind == "f" else "0"
    found: dict[tuple[int, ...], list[str]] = {}
    for placement, name in zip(operation.placements, known.bare, strict=True):
        found.setdefault(tuple([form.offset for form in placement.forms]), []).append(name)

    def rows(place: tuple[int, ...]) -> str:
        if len(place) == len(shape):
            return " + ".join(found.get(place, [zero]))
        return f"[{', '.join([rows((*place, k)) for k in range(shape[len(place)])])}]"

    return f"np.array({rows(())}{'' if dtype == np.float64 else f', {dtype.name!r}'})"


def _assemble(operation: Assemble, known: Known) -> str | None:
    """Add to the first block in place if nobody else needs it."""
    written = _of_scalars(operation, known)
    if written is not None:
        return written
    shape, placements = operation.shape, operation.placements
    if not placements[0].covers(shape) or known.shapes[0] != shape:
        return None
    first, *rest = known.names
    if not known.fresh[0]:
        first = f"{atom(first)}.copy()"
    if len(shape) == 2 and shape[0] == shape[1] and list(placements[1:]) == [_diagonal(shape[0])]:
        return f"add_diagonal({first}, {rest[0]})"
    plain = tuple((tuple(c), tuple((f[0], f[1]) for f in forms)) for c, forms in placements[1:])
    return f"add_blocks({first}, {plain}, {', '.join(rest)})"


def _diagonal(n: int) -> Placement:
    return Placement((n,), (Form.of(0), Form.of(0)))


SHAPED: dict[type[Operation], Callable[[Any, Known], str | None]] = {
    Einsum: _einsum,
    Reshape: _reshape,
    Extremum: _extremum,
    Assemble: _assemble,
    Slice: _slice,
}
"""Shorter forms of some kinds; None where the general form is the one to take."""
