"""How array libraries write each operation: a template a step, of known shapes."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from symtape.codegen.libraries.contraction import Style, einsum_text
from symtape.codegen.libraries.library import FUNCTIONS, Library, lacking
from symtape.errors import UnsupportedError
from symtape.kernels.contraction import atom
from symtape.kernels.interpret import QUIET
from symtape.kernels.kernels import NAMESPACE
from symtape.kernels.scalar_code import body_text
from symtape.kernels.source import WHOLES, plain
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
from symtape.program.operations import AddN, Cast, DType, Einsum, Map, Operation, Shape
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
)
from symtape.program.windows import Overlap, Windows


class Step(NamedTuple):
    """An operation with all shapes and dtypes, for a library.

    `names` are the slots of the operands, and `given` what stands in them.
    """

    operation: Any
    names: Sequence[str]
    given: Sequence[str]
    shapes: Sequence[Shape]
    dtypes: Sequence[DType]
    shape: Shape
    dtype: DType
    library: Library

    @property
    def xp(self) -> str:
        """What the library is called."""
        return self.library.prefix


def _map(step: Step) -> str:
    text = map_text(step.operation, step.dtype.name)
    _check_words(text, step)
    return re.sub(r"\bnp\.", f"{step.xp}.", text)


@lru_cache(maxsize=4096)
def map_text(operation: Map, dtype: str) -> str:
    """Write a body; a choice between numbers is told its dtype, and calls of numbers are made."""
    text = body_text(operation)
    tree = ast.parse(text, mode="eval")
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    if "select(" not in text and all([_has_operands(call) for call in calls]):
        return text
    return ast.unparse(ast.fix_missing_locations(_Typed(dtype).visit(tree)))


def _has_operands(node: ast.AST) -> bool:
    """Say whether a piece of a body reads an operand, which is written as `{0}`."""
    return any([isinstance(inner, ast.Set) for inner in ast.walk(node)])


def _computed(node: ast.expr) -> ast.expr:
    """Compute a call of numbers with NumPy."""
    code = compile(ast.Expression(node), "<symtape>", "eval")
    value = QUIET.run(eval, code, dict(NAMESPACE))
    text = repr(np.asarray(value).item()).replace("nan", "np.nan").replace("inf", "np.inf")
    return ast.parse(text, mode="eval").body


class _Typed(ast.NodeTransformer):
    def __init__(self, dtype: str) -> None:
        self.dtype = dtype

    def visit_Call(self, node: ast.Call) -> Any:
        if not _has_operands(node):
            return _computed(node)
        self.generic_visit(node)
        is_choice = isinstance(node.func, ast.Name) and node.func.id == "select"
        if is_choice and not any([_has_operands(branch) for branch in node.args[1:]]):
            node.keywords = [ast.keyword("dtype", ast.Constant(self.dtype))]
        return node


def _check_words(text: str, step: Step) -> None:
    """Refuse a function that the library lacks, while code is written."""
    for name in re.findall(r"(?<![\w.])([a-z]\w*)\(", text):
        if name not in FUNCTIONS:
            raise lacking(step.library, f"function {name!r}")
    for name in re.findall(r"\bnp\.(\w+)", text):
        try:
            getattr(step.library.xp, name)
        except AttributeError:
            raise lacking(step.library, f"function {name!r}") from None
    for name, first in re.findall(r"\bspecial\.(\w+)\((\{0\}|[^,()]*)", text):
        if name not in step.library.special:
            raise lacking(step.library, f"function {name!r}")
        if name in step.library.static:
            order = step.given[0] if first == "{0}" else first
            _check_order(name, order, step)


def _check_order(name: str, order: str, step: Step) -> None:
    try:
        n = float(order)
    except ValueError:
        raise UnsupportedError(
            f"the {step.library.name} backend takes the order of {name!r} as a number, not as an "
            "array; the numpy backend takes both"
        ) from None
    if n > step.library.orders.get(name, n):
        raise lacking(step.library, f"function {name!r} of order {n:g}")


def _slice(step: Step) -> str:
    """Take slices of positive steps, and turn axes round that run backwards."""
    inner, turned = [], []
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
    text = f"{atom(step.names[0])}[..., {', '.join(inner)}]"
    axes = turned[0] if len(turned) == 1 else tuple(turned)
    return f"{step.xp}.flip({text}, axis={axes})" if turned else text


def _reshape(step: Step) -> str:
    if step.shapes[0] == step.shape:
        return step.names[0]
    return f"{step.xp}.reshape({step.names[0]}, {step.shape})"


def _extremum(step: Step) -> str:
    which, axes = step.operation.which, step.operation.axes
    if 0 in step.shapes[0] or not axes:
        return f"extremum({step.names[0]}, {which!r}, {axes})" if axes else step.names[0]
    return f"{step.xp}.{which}({step.names[0]}, axis={axes[0] if len(axes) == 1 else axes})"


def _placements(operation: Assemble) -> str:
    return repr(
        tuple(
            (tuple(c), tuple((f[0], tuple(tuple(p) for p in f[1])) for f in forms))
            for c, forms in operation.placements
        )
    )


def _cumulative(which: str) -> Callable[[Step], str]:
    def write(step: Step) -> str:
        op = step.operation
        how = f"{op.axis}, {op.exclusive}, {op.reverse}"
        return f"cumulative({step.names[0]}, {which!r}, {how})"

    return write


_ALONE: dict[tuple[type[Operation], str], str] = {
    (Determinant, "value"): "determinant({0})",
    (Eigh, "values"): "eigvalsh({0})",
    (SVD, "values"): "singular_values({0})",
}


def _part(step: Step) -> str:
    alone = _ALONE.get((type(step.operation), step.operation.part))
    if alone:
        return alone.format(*step.names)
    return f"{whole(step)}[{step.operation.place}]"


def whole(step: Step) -> str:
    """Write all parts of what an operation is a part of, as a tuple."""
    full = getattr(step.operation, "full", None)
    text = WHOLES[type(step.operation)].format(*step.names, full=full)
    name = text.partition("(")[0]
    if name in step.library.no_steps:
        raise lacking(step.library, f"function {name!r}")
    return text


def _matrix_function(step: Step) -> str:
    if step.operation.function not in step.library.matrix_functions:
        raise lacking(step.library, f"function {step.operation.function!r}")
    return f"{step.operation.function}({step.names[0]})"


def _band(step: Step) -> str:
    low, high = step.operation.low, step.operation.high
    return f"band({step.names[0]}, {low}, {high})"


WRITERS: dict[type[Operation], Callable[[Step], str]] = {
    Map: _map,
    Einsum: lambda s: einsum_text(s.operation, s.names, s.shapes, Style(s.xp, s.library.fuses)),
    AddN: lambda s: " + ".join(s.names),
    Cast: lambda s: f"cast({s.names[0]}, {s.dtype.name!r})",
    Reshape: _reshape,
    Slice: _slice,
    Embed: lambda s: f"placed({s.names[0]}, {s.operation.ranges}, {s.operation.sizes})",
    Gather: lambda s: (
        f"gather({s.names[0]}, {s.names[1]}, {s.operation.after}, {s.operation.between}, "
        f"{s.operation.batch})"
    ),
    Scatter: lambda s: (
        f"scatter({s.names[0]}, {s.names[1]}, {s.operation.after}, {s.operation.between}, "
        f"{s.operation.batch}, {s.operation.size})"
    ),
    Assemble: lambda s: (
        f"assemble({s.operation.shape}, {_placements(s.operation)}, {', '.join(s.names)})"
    ),
    Windows: lambda s: f"windows({s.names[0]}, {plain(s.operation.windows)}, {s.operation.after})",
    Overlap: lambda s: (
        f"overlap({s.names[0]}, {plain(s.operation.windows)}, {s.operation.sizes}, "
        f"{s.operation.after})"
    ),
    Concat: lambda s: f"{s.xp}.concatenate(({', '.join(s.names)},), axis={s.operation.axis})",
    Cumsum: _cumulative("cumsum"),
    Cumprod: _cumulative("cumprod"),
    Recurrence: lambda s: (
        f"recurrence({s.names[0]}, {s.names[1]}, {s.operation.axis}, {s.operation.reverse})"
    ),
    Extremum: _extremum,
    SegmentExtremum: lambda s: (
        f"segment_extremum({s.names[0]}, {s.names[1]}, {s.operation.which!r}, "
        f"{s.operation.after}, {s.operation.count})"
    ),
    Product: lambda s: f"product({s.names[0]}, {s.operation.axes})",
    Position: lambda s: (
        f"position({s.names[0]}, {s.operation.which!r}, {s.operation.axes[0]}, {s.dtype.name!r})"
    ),
    Inverse: lambda s: f"inverse({s.names[0]})",
    Solve: lambda s: (
        f"solve({s.names[0]}, {s.names[1]}, {s.operation.form!r}, {s.operation.adjoint})"
    ),
    Cholesky: lambda s: f"cholesky({s.names[0]})",
    Elimination: lambda s: f"eliminated({s.names[0]})",
    LogDeterminant: lambda s: f"log_determinant({s.names[0]})",
    PseudoInverse: lambda s: f"pseudo_inverse({s.names[0]}, {s.names[1]})",
    MatrixFunction: _matrix_function,
    Band: _band,
    **dict.fromkeys((Determinant, Eigh, Eig, SVD, QR), _part),
}


def expression(step: Step) -> str:
    """Write one step for an array library."""
    writer = WRITERS.get(type(step.operation))
    if writer is None:
        raise UnsupportedError(
            f"array libraries have no code for {step.operation!r}; add it to "
            "codegen/libraries/writers.py"
        )
    return writer(step)


__all__ = ["WRITERS", "Part", "Step", "expression", "whole"]
