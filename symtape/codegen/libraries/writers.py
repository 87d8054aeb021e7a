"""How array libraries write each operation: an expression of nodes a step, of known shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from symtape.codegen.libraries.contraction import Style, einsum_node
from symtape.codegen.libraries.library import FUNCTIONS, Library, lacking
from symtape.errors import UnsupportedError
from symtape.kernels.interpret import QUIET
from symtape.kernels.kernels import NAMESPACE
from symtape.kernels.nodes import (
    Attribute,
    Call,
    Literal,
    Node,
    Number,
    Phrase,
    Slot,
    Word,
    as_node,
    dotted,
    filled,
    number,
    rebuilt,
    slots,
    total,
    walk,
)
from symtape.kernels.scalar_code import body
from symtape.kernels.source import ALONE, WHOLES, code
from symtape.program import kinds
from symtape.program.operations import DType, Operation, Shape, dtype_name


class Step(NamedTuple):
    """An operation of operands, with all shapes and dtypes, for a library."""

    operation: Any
    nodes: Sequence[Phrase]
    shapes: Sequence[Shape]
    dtypes: Sequence[DType]
    shape: Shape
    dtype: DType
    library: Library

    @property
    def xp(self) -> Word:
        """What the library is called."""
        return Word(self.library.prefix)


def map_form(step: Step) -> Node:
    """Write a body of slots; raises `UnsupportedError` for a function that the library lacks."""
    form = _typed_body(step.operation, dtype_name(step.dtype), step.library.prefix)
    check_words(form, step)
    return form


@lru_cache(maxsize=4096)
def _typed_body(operation: kinds.Map, dtype: str, prefix: str) -> Node:
    """Write a body; a choice between numbers is told its dtype, and calls of numbers are made."""
    xp = Word(prefix)

    def typed(node: Node) -> Node:
        if isinstance(node, Call) and not _has_slots(node):
            return number(_computed(node), xp)
        if isinstance(node, Word):
            return xp if node.data == "np" else node
        made = node.of([typed(part) for part in node.parts]) if node.parts else node
        is_choice = isinstance(node, Call) and dotted(node.parts[0]) == ("", "select")
        if is_choice and not any([_has_slots(branch) for branch in node.parts[2:]]):
            return Call((*made.parts, as_node(dtype)), ("dtype",))
        return made

    return typed(body(operation))


def _has_slots(node: Node) -> bool:
    """Say whether a piece of a body reads an operand."""
    return any([isinstance(inner, Slot) for inner in walk(node)])


def _computed(node: Node) -> Any:
    """Compute a call of numbers with NumPy."""
    code = compile(node.write(str), "<symtape>", "eval")
    return np.asarray(QUIET.run(eval, code, dict(NAMESPACE))).item()


def check_words(form: Node, step: Step) -> None:
    """Refuse a function that the library lacks, while code is written."""
    library = step.library
    for node in walk(form):
        home, name = dotted(node)
        if home == library.prefix:
            try:
                getattr(library.xp, name)
            except AttributeError:
                raise lacking(library, f"function {name!r}") from None
        if not isinstance(node, Call):
            continue
        home, name = dotted(node.parts[0])
        known = library.special if home == "special" else FUNCTIONS
        if home in {"", "special"} and name not in known:
            raise lacking(library, f"function {name!r}")
        if home == "special" and name in library.static:
            _check_order(name, filled(node.parts[1], step.nodes), step)


def _check_order(name: str, order: Node, step: Step) -> None:
    if not isinstance(order, Number):
        raise UnsupportedError(
            f"the {step.library.name} backend takes the order of {name!r} as a number, not as an "
            "array; the numpy backend takes both"
        )
    n = order.value
    if n != int(n) or not 0 <= n <= step.library.orders.get(name, n):
        raise lacking(step.library, f"function {name!r} of order {n:g}")


def _slice(step: Step) -> Node:
    """Take slices of positive steps, and turn axes round that run backwards."""
    inner, turned = ["..."], []
    ranges = step.operation.ranges
    for k, (first, by, count) in enumerate(ranges):
        start, stride = (first, by) if by > 0 else (first + by * (count - 1), -by)
        if by < 0 and count > 1:
            turned.append(k - len(ranges))
        if not count:
            inner.append("0:0")
            continue
        whole = stride == 1 and start == 0 and count == step.shapes[0][k - len(ranges)]
        stop = start + stride * (count - 1) + 1
        inner.append(
            ":" if whole else f"{start or ''}:{stop}" + (f":{stride}" if stride > 1 else "")
        )
    made = step.nodes[0][tuple([Literal(item) for item in inner])]
    axes = turned[0] if len(turned) == 1 else tuple(turned)
    return step.xp.flip(made, axis=axes) if turned else made


def _reshape(step: Step) -> Node:
    if step.shapes[0] == step.shape:
        return step.nodes[0]
    return step.xp.reshape(step.nodes[0], step.shape)


def _extremum(step: Step) -> Node:
    which, axes = step.operation.which, step.operation.axes
    if 0 in step.shapes[0] or not axes:
        return Word("extremum")(step.nodes[0], which, axes) if axes else step.nodes[0]
    axis = axes[0] if len(axes) == 1 else axes
    return Attribute(step.xp, which)(step.nodes[0], axis=axis)


def _cumulative(which: str) -> Callable[[Step], Node]:
    def write(step: Step) -> Node:
        op = step.operation
        return Word("cumulative")(step.nodes[0], which, op.axis, op.exclusive, op.reverse)

    return write


def _part(step: Step) -> Node:
    alone = ALONE.get((type(step.operation), step.operation.part))
    return alone(*step.nodes) if alone else whole(step)[step.operation.place]


def whole(step: Step) -> Node:
    """Write all parts of what an operation is a part of, as a tuple."""
    made = WHOLES[type(step.operation)](step.operation, step.nodes)
    _, name = dotted(made.parts[0])
    if name in step.library.no_steps:
        raise lacking(step.library, f"function {name!r}")
    return made


def _matrix_function(step: Step) -> Node:
    if step.operation.function not in step.library.matrix_functions:
        raise lacking(step.library, f"function {step.operation.function!r}")
    return Word(step.operation.function)(step.nodes[0])


def _called(word: str, *what: str) -> Callable[[Step], Node]:
    """Call a function of the library on all operands, and on what the operation says of itself."""
    function = Word(word)
    return lambda s: function(*s.nodes, *[getattr(s.operation, name) for name in what])


WRITERS: dict[type[Operation], Callable[[Step], Node]] = {
    kinds.Map: lambda s: filled(map_form(s), s.nodes),
    kinds.Einsum: lambda s: einsum_node(
        s.operation, s.nodes, s.shapes, Style(s.xp, s.library.fuses)
    ),
    kinds.AddN: lambda s: total(s.nodes),
    kinds.Cast: lambda s: Word("cast")(s.nodes[0], dtype_name(s.dtype)),
    kinds.Reshape: _reshape,
    kinds.Slice: _slice,
    kinds.Embed: _called("placed", "ranges", "sizes"),
    kinds.Cumsum: _cumulative("cumsum"),
    kinds.Cumprod: _cumulative("cumprod"),
    kinds.Cumextremum: _called("cumextremum", "which", "axis", "reverse"),
    kinds.Fourier: _called("fourier", "axis", "sign"),
    kinds.Extremum: _extremum,
    kinds.Product: _called("product", "axes"),
    kinds.Position: lambda s: Word("position")(
        s.nodes[0], s.operation.which, s.operation.axes[0], dtype_name(s.dtype)
    ),
    kinds.MatrixFunction: _matrix_function,
    **dict.fromkeys((kinds.Determinant, kinds.Eigh, kinds.Eig, kinds.SVD, kinds.QR), _part),
}
"""The kinds that a library writes in another way than NumPy does, in its own words."""


def expression(step: Step) -> Node:
    """Write one step for an array library; raises `UnsupportedError` for what it lacks.

    A kind without a row is written as NumPy writes it, in the words of the library.
    """
    writer = WRITERS.get(type(step.operation))
    if writer is not None:
        return writer(step)
    form = _in_words(code(step.operation, slots(len(step.nodes))), step.xp)
    check_words(form, step)
    return filled(form, step.nodes)


def _in_words(form: Node, xp: Word) -> Node:
    """Call the library what NumPy is called."""
    return rebuilt(form, lambda node: xp if isinstance(node, Word) and node.data == "np" else node)
