"""The closed table of the operations of a file: each kind's name, operands and parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from symtape.errors import UnsupportedError
from symtape.exchange import expressions
from symtape.exchange import fields as f
from symtape.exchange import fitting as fits
from symtape.exchange.reader import Entry, Fields
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
    PseudoInverse,
    Solve,
)
from symtape.program.operations import (
    AddN,
    Cast,
    Constant,
    Count,
    Einsum,
    Input,
    Map,
    Operation,
)
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


class Schema(NamedTuple):
    """A kind in a file: its name, what it asks of its operands, and its parameters in order.

    The last `optional` parameters may be missing.
    """

    name: str
    fit: Callable[[Any, fits.Shapes, fits.DTypes], None]
    fields: Mapping[str, f.Field]
    optional: int = 0

    @property
    def required(self) -> list[str]:
        """The keys that must be there, beside the kind."""
        names = list(self.fields)
        return names[: len(names) - self.optional]

    def write(self, operation: Operation) -> dict[str, Any]:
        """Write the parameters."""
        parameters = zip(self.fields.items(), operation.parameters, strict=False)
        return {name: field.write(v) for (name, field), v in parameters}

    def read(self, kind: type[Operation], entry: Entry) -> Operation:
        """Read an operation of a kind."""
        fields = entry.fields(["kind", *self.required], list(self.fields)[len(self.required) :])
        return kind(*[x.read(fields[name]) for name, x in self.fields.items() if name in fields])


class Own(NamedTuple):
    """A kind in a file whose parameters depend on each other: read and written by functions."""

    name: str
    fit: Callable[[Any, fits.Shapes, fits.DTypes], None]
    write: Callable[[Any], dict[str, Any]]
    read: Callable[[type[Operation], Entry], Operation]


# --- numbers and elementwise operations -----------------------------------------------------------

RESULTS = ("same", "bool", "real", "complex", "stopped")


def _write_constant(operation: Constant) -> dict[str, Any]:
    text, kind, dtype = operation.parameters
    return {"number": text, "type": kind, "dtype": dtype}


def _read_constant(_: type[Operation], entry: Entry) -> Constant:
    fields = entry.fields(("kind", "number", "type", "dtype"))
    kind = fields["type"].choice(f.NUMBER_TYPES)
    text = f.number_text(fields["number"], kind)
    return Constant(text, kind, f.dtype_of(fields["dtype"]))


def _write_map(operation: Map) -> dict[str, Any]:
    body, arity, result = operation.parameters
    found: dict[str, Any] = {"arity": arity, "result": result}
    if isinstance(body, str):
        found["name"] = body
    if operation.parameters not in Map.own:
        found["body"] = expressions.written(operation.body, arity)
    return found


def _read_map(_: type[Operation], entry: Entry) -> Map:
    fields = entry.fields(("kind", "arity", "result"), ("name", "body"))
    arity, result = fields["arity"].integer(0, 64), fields["result"].choice(RESULTS)
    name = fields["name"].text() if "name" in fields else ""
    if "body" not in fields:
        if (name, arity, result) not in Map.own:
            entry.refuse(f"there is no elementwise operation {name!r:.40} of {arity} operands")
        return Map(name, arity, result)
    body = expressions.read(fields["body"], arity)
    fits = expressions.is_truth(body) if result == "bool" else expressions.is_number(body)
    if not fits:
        fields["body"].refuse(f"this is no body with the result {result!r}")
    return Map.named(name, body, arity, result)


# --- the table ------------------------------------------------------------------------------------

_ALONG = {"axis": f.AXIS, "exclusive": f.BOOLEAN, "reverse": f.BOOLEAN}
_PICKED = {"after": f.COUNT, "between": f.COUNT, "batch": f.COUNT}

SCHEMAS: dict[type[Operation], Schema | Own] = {
    Constant: Own("constant", fits.anything, _write_constant, _read_constant),
    Map: Own("map", fits.broadcast, _write_map, _read_map),
    Input: Schema(
        "input", fits.anything, {"dtype": f.DTYPE, "shape": f.SHAPE, "watched": f.BOOLEAN}, 1
    ),
    AddN: Schema("add_n", fits.broadcast, {}),
    Cast: Schema("cast", fits.anything, {"dtype": f.DTYPE}),
    Einsum: Schema(
        "einsum", fits.contraction, {"inputs": f.TERMS, "output": f.INDICES, "sizes": f.SIZES}
    ),
    Count: Schema("count", fits.axes, {"axes": f.AXES, "dtype": f.DTYPE}, 1),
    Reshape: Schema("reshape", fits.reshaped, {"old": f.SHAPE, "new": f.SHAPE}),
    Slice: Schema("slice", fits.sliced, {"ranges": f.RANGES, "ends": f.ENDS}, 1),
    Embed: Schema(
        "embed", fits.embedded, {"ranges": f.RANGES, "sizes": f.SHAPE, "ends": f.ENDS}, 1
    ),
    Gather: Schema("gather", fits.gathered, _PICKED),
    Scatter: Schema("scatter", fits.scattered, {**_PICKED, "size": f.SIZE}),
    Concat: Schema("concat", fits.joined, {"axis": f.AXIS}),
    Cumsum: Schema("cumsum", fits.along_axis, _ALONG),
    Cumprod: Schema("cumprod", fits.along_axis, _ALONG),
    Recurrence: Schema("recurrence", fits.recurrence, {"axis": f.AXIS, "reverse": f.BOOLEAN}),
    Extremum: Schema("extremum", fits.axes, {"which": f.choice("max", "min"), "axes": f.AXES}),
    Product: Schema("product", fits.axes, {"axes": f.AXES}),
    Position: Schema(
        "position",
        fits.axes,
        {"which": f.choice("argmax", "argmin", "argsort"), "axis": f.AXIS, "dtype": f.PLACES},
    ),
    SegmentExtremum: Schema(
        "segment_extremum",
        fits.segments,
        {"which": f.choice("max", "min"), "after": f.COUNT, "count": f.SIZE},
    ),
    Windows: Schema("windows", fits.windows, {"windows": f.WINDOWS, "after": f.COUNT}),
    Overlap: Schema(
        "overlap", fits.overlap, {"windows": f.WINDOWS, "sizes": f.SHAPE, "after": f.COUNT}
    ),
    Assemble: Schema("assemble", fits.assembled, {"shape": f.SHAPE, "placements": f.PLACEMENTS}),
    Inverse: Schema("inverse", fits.square, {}),
    Solve: Schema(
        "solve",
        fits.equations,
        {"form": f.choice("full", "lower", "upper", "tridiagonal"), "adjoint": f.BOOLEAN},
    ),
    Cholesky: Schema("cholesky", fits.square, {}),
    Elimination: Schema("elimination", fits.square, {}),
    LogDeterminant: Schema("log_determinant", fits.square, {}),
    PseudoInverse: Schema("pseudo_inverse", fits.pseudo_inverse, {}),
    MatrixFunction: Schema(
        "matrix_function", fits.square, {"name": f.choice("exp", "log", "sqrt")}
    ),
    Band: Schema(
        "band", fits.rows_and_columns, {"low": f.integer_or_none(), "high": f.integer_or_none()}
    ),
    Determinant: Schema("determinant", fits.square, {"part": f.choice(*Determinant.parts)}),
    Eigh: Schema("eigh", fits.square, {"part": f.choice(*Eigh.parts)}),
    Eig: Schema("eig", fits.square, {"part": f.choice(*Eig.parts)}),
    SVD: Schema("svd", fits.matrices, {"part": f.choice(*SVD.parts), "full": f.BOOLEAN}, 1),
    QR: Schema("qr", fits.matrices, {"part": f.choice(*QR.parts), "full": f.BOOLEAN}, 1),
}
"""What a file says of each kind."""


def written(operation: Operation) -> dict[str, Any]:
    """Write an operation as JSON; raises `UnsupportedError` for a kind without a row."""
    schema = SCHEMAS.get(type(operation))
    if schema is None:
        raise UnsupportedError(
            f"{operation!r} cannot be saved as JSON; add its kind to exchange/operations.py"
        )
    return {"kind": schema.name} | schema.write(operation)


def named(operation: Operation) -> str:
    """Name an operation of a file in an error, and leave alone its body, which may be a tower.

    >>> named(Map("sin", 1, "same")), named(AddN())
    ('sin', 'add_n')
    """
    if isinstance(operation, Map) and isinstance(operation.parameters[0], str):
        return operation.parameters[0]
    return SCHEMAS[type(operation)].name


def read(entry: Entry) -> Operation:
    """Read an operation; raises `FormatError` for an unknown kind or a wrong parameter."""
    if type(entry.value) is not dict or "kind" not in entry.value:
        entry.refuse("an operation is an object that names its kind")
    kind = _BY_NAME[Fields(entry)["kind"].choice(_BY_NAME)]
    return SCHEMAS[kind].read(kind, entry)


def fit(operation: Operation, shapes: fits.Shapes, dtypes: fits.DTypes) -> None:
    """Raise `MisfitError` unless an operation takes operands of these shapes and dtypes."""
    arity = operation.arity
    counted = len(shapes) == arity if arity is not None else len(shapes) > 0
    fits.require(
        counted, f"it has {len(shapes)} operands, not {'some' if arity is None else arity}"
    )
    SCHEMAS[type(operation)].fit(operation, shapes, dtypes)


_BY_NAME: dict[str, type[Operation]] = {schema.name: kind for kind, schema in SCHEMAS.items()}
