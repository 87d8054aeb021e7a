"""How NumPy writes an operation on operands whose shapes and dtypes are known: as a person would.

A form that holds for any shape needs a function that looks at it; here the shape is looked at once,
as the code is written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np

from symtape.kernels.contraction import EVERY, NEW, adds_products, einsum_node
from symtape.kernels.nodes import NP, Attribute, Group, Node, Word, as_node, filled, slots, total
from symtape.kernels.source import code, plain_placements, slice_node
from symtape.program.kinds.placement import Assemble, Form, Placement
from symtape.program.kinds.structural import Extremum, Reshape, Slice
from symtape.program.operations import DType, Einsum, Operation, Shape, dtype_name


class Known(NamedTuple):
    """The shapes and dtypes of the operands of a step, and which of them may be changed."""

    shapes: tuple[Shape, ...]
    dtypes: tuple[DType, ...]
    fresh: tuple[bool, ...]

    @property
    def nodes(self) -> Sequence[Node]:
        """The operands."""
        return slots(len(self.shapes))


def _einsum(operation: Einsum, known: Known) -> Node | None:
    if known.dtypes[0].char == "e" and adds_products(operation):
        return _rounded_once(operation, known)
    lone = _lone(operation, known)
    if lone:
        return _without_lone(operation, known, lone)
    if _is_diagonal(operation):
        return Word("diagonal_matrix")(known.nodes[0])
    if len(set(operation.output)) < len(operation.output):
        return _on_diagonals(operation, known)
    if len(known.nodes) == 1 and known.dtypes[0].kind in "fc":
        return _sum(operation, known)
    if _is_inner(operation) and {dtype.kind for dtype in known.dtypes} == {"f"}:
        return NP.vdot(*known.nodes)
    return None


def _rounded_once(operation: Einsum, known: Known) -> Node:
    """Add up products of float16 in float32, as TensorFlow does, where NumPy has BLAS."""
    wide = known._replace(dtypes=tuple([np.dtype(np.float32)] * len(known.dtypes)))
    made = _einsum(operation, wide) or einsum_node(operation, known.nodes)
    widened = [Attribute(node, "astype")(NP.float32) for node in known.nodes]
    return Attribute(filled(made, widened), "astype")(NP.float16)


def _lone(operation: Einsum, known: Known) -> set[int]:
    """Find the indices of axes of one element that one of several operands has alone."""
    if len(operation.inputs) < 2:
        return set()
    count = Counter([i for term in operation.inputs for i in set(term)])
    sizes = operation.index_sizes(known.shapes)
    return {i for i, n in count.items() if n == 1 == sizes[i] and i not in operation.output}


def _without_lone(operation: Einsum, known: Known, lone: set[int]) -> Node:
    """Take the one element: a sum would copy what is left."""
    terms = [
        [(i, n) for i, n in zip(term, shape, strict=True) if i not in lone]
        for term, shape in zip(operation.inputs, known.shapes, strict=True)
    ]
    inputs = tuple([tuple([i for i, _ in term]) for term in terms])
    shapes = tuple([tuple([n for _, n in term]) for term in terms])
    inner, narrow = Einsum(inputs, operation.output, operation.sizes), known._replace(shapes=shapes)
    nodes = [
        node[_dropping([1 if i in lone else 0 for i in term])] if lone.intersection(term) else node
        for node, term in zip(known.nodes, operation.inputs, strict=True)
    ]
    return filled(_einsum(inner, narrow) or einsum_node(inner, narrow.nodes), nodes)


def _is_inner(operation: Einsum) -> bool:
    """Say whether it sums the products of the elements of two arrays of one shape."""
    first, *others = operation.inputs
    return others == [first] and len(first) == len(set(first)) > 1 and not operation.output


def _on_diagonals(operation: Einsum, known: Known) -> Node:
    """Put the product without its diagonals, a block, into zeros."""
    sizes = operation.index_sizes(known.shapes)
    unique = tuple(dict.fromkeys(operation.output))
    own = tuple([i for i in unique if any([i in term for term in operation.inputs])])
    core = Einsum(operation.inputs, own, ())
    made = _einsum(core, known) or einsum_node(core, known.nodes)
    if own and own != unique[len(unique) - len(own) :]:
        made = _with_axes(made, own, unique)
    counts = tuple([sizes[i] for i in unique])
    forms = tuple([(0, ((1, unique.index(i)),)) for i in operation.output])
    shape = tuple([sizes[i] for i in operation.output])
    return Word("assemble")(shape, ((counts, forms),), made)


def _is_diagonal(operation: Einsum) -> bool:
    return operation.inputs == ((0,),) and operation.output == (0, 0)


def _sum(operation: Einsum, known: Known) -> Node | None:
    """Sum over axes, or give an array axes of size one, without moving any axis."""
    (term,), output = operation.inputs, operation.output
    if len(set(term)) < len(term) or len(set(output)) < len(output):
        return None
    units = {i for i, n in operation.sizes if n == 1}
    if len(units) != len(operation.sizes):
        return None
    summed = tuple([k for k, i in enumerate(term) if i not in output])
    left = tuple([i for i in term if i in output])
    node, rank = known.nodes[0], len(term)
    if not summed:
        return _with_axes(node, term, output) if left == _without(output, units) else None
    if all([known.shapes[0][k] == 1 for k in summed]) and left == output:
        return node[_dropping([1 if k in summed else 0 for k in range(rank)])]
    axes = summed[0] if len(summed) == 1 else summed
    if output == left:
        return NP.add.reduce(node, axes)
    in_place = tuple([i if i in output else None for i in term])
    same = len(output) == rank and all(
        [i == j or (i is None and j in units) for i, j in zip(in_place, output, strict=True)]
    )
    if same:
        return NP.add.reduce(node, axes, keepdims=True)
    if left == _without(output, units):
        return _with_axes(NP.add.reduce(node, axes), left, output)
    return None


def _without(output: Sequence[int], units: set[int]) -> tuple[int, ...]:
    return tuple([i for i in output if i not in units])


def _with_axes(node: Node, term: Sequence[int], output: Sequence[int]) -> Node:
    inner = tuple([EVERY if i in term else NEW for i in output])
    return node[inner] if output else node


def _reshape(operation: Reshape, known: Known) -> Node | None:
    """Drop or insert axes of size one by indexing; else reshape to the whole shape."""
    (shape,) = known.shapes
    lead = shape[: len(shape) - len(operation.old)]
    new = (*lead, *operation.new)
    node = known.nodes[0]
    if shape == new:
        return node
    if 0 not in shape and tuple(n for n in shape if n != 1) == new:
        return node[_dropping(shape)]
    if 0 not in shape and tuple(n for n in new if n != 1) == shape:
        return node[tuple([NEW if n == 1 else EVERY for n in new])]
    return Attribute(node, "reshape")(*new) if new else None


def _dropping(shape: Sequence[int]) -> tuple[Node, ...]:
    """Index the axes of size one; those at the end that stay need no colon."""
    inner = [as_node(0) if n == 1 else EVERY for n in shape]
    while len(inner) > 1 and inner[-1] is EVERY:
        inner.pop()
    return tuple(inner)


def _extremum(operation: Extremum, known: Known) -> Node | None:
    if 0 in known.shapes[0] or known.dtypes[0].kind not in "fiu":
        return None
    rank = len(known.shapes[0])
    axes = tuple(sorted(axis + rank for axis in operation.axes))
    ufunc = NP.maximum if operation.which == "max" else NP.minimum
    return ufunc.reduce(known.nodes[0], axes[0] if len(axes) == 1 else axes)


def _slice(operation: Slice, known: Known) -> Node:
    """Index all axes."""
    return slice_node(operation.ranges, known.nodes[0], len(known.shapes[0]))


_MOST_WRITTEN = 64
"""How many elements an array may have that is written element by element."""


def is_of_scalars(operation: Operation, known: Known) -> bool:
    """Say whether a step makes a small array of numbers, which need no dtypes of their own."""
    if type(operation) is not Assemble or any(known.shapes) or known.dtypes[0].kind == "V":
        return False
    is_small = prod(operation.shape) <= _MOST_WRITTEN
    return is_small and not any([p.counts for p in operation.placements])


def _of_scalars(operation: Assemble, known: Known) -> Node:
    """Write rows of elements."""
    shape, dtype = operation.shape, known.dtypes[0]
    zero = as_node(0.0 if dtype.kind == "f" else 0)
    found: dict[tuple[int, ...], list[Node]] = {}
    for placement, node in zip(operation.placements, known.nodes, strict=True):
        found.setdefault(tuple([form.offset for form in placement.forms]), []).append(node)

    def rows(place: tuple[int, ...]) -> Node:
        if len(place) == len(shape):
            here = found.get(place, [zero])
            return total(here) if len(here) > 1 else here[0]
        return Group([rows((*place, k)) for k in range(shape[len(place)])], ("[", "]"))

    return NP.array(rows(()), *[] if dtype == np.float64 else [dtype_name(dtype)])


def _assemble(operation: Assemble, known: Known) -> Node | None:
    """Add to the first block in place if nobody else needs it."""
    if is_of_scalars(operation, known):
        return _of_scalars(operation, known)
    shape, placements = operation.shape, operation.placements
    if not placements[0].covers(shape) or known.shapes[0] != shape:
        return None
    first, *rest = known.nodes
    if not known.fresh[0]:
        first = Attribute(first, "copy")()
    if len(shape) == 2 and shape[0] == shape[1] and list(placements[1:]) == [_diagonal(shape[0])]:
        return Word("add_diagonal")(first, *rest)
    return Word("add_blocks")(first, plain_placements(placements[1:]), *rest)


def _diagonal(n: int) -> Placement:
    return Placement((n,), (Form.of(0), Form.of(0)))


SHAPED: dict[type[Operation], Callable[[Any, Known], Node | None]] = {
    Einsum: _einsum,
    Reshape: _reshape,
    Extremum: _extremum,
    Assemble: _assemble,
    Slice: _slice,
}
"""Shorter forms of some kinds; None where the general form is the one to take."""


@lru_cache(maxsize=4096)
def shaped(operation: Operation, known: Known) -> Node:
    """Write a step of slots in the form that its shapes allow."""
    found = SHAPED[type(operation)](operation, known) if type(operation) in SHAPED else None
    return found or code(operation, known.nodes)


@lru_cache(maxsize=4096)
def plain(operation: Operation, count: int) -> Node:
    """Write a step of slots in the form that holds for any shapes."""
    return code(operation, slots(count))
