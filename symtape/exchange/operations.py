"""The closed table of the operations of a file: each kind's name, operands and parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from symtape.errors import UnsupportedError
from symtape.exchange import expressions
from symtape.exchange import fields as f
from symtape.exchange import fitting as fits
from symtape.exchange.reader import Entry, Fields
from symtape.program import kinds
from symtape.program.operations import Operation


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


def _write_constant(operation: kinds.Constant) -> dict[str, Any]:
    text, kind, dtype = operation.parameters
    return {"number": text, "type": kind, "dtype": dtype}


def _read_constant(_: type[Operation], entry: Entry) -> kinds.Constant:
    fields = entry.fields(("kind", "number", "type", "dtype"))
    kind = fields["type"].choice(f.NUMBER_TYPES)
    text = f.number_text(fields["number"], kind)
    return kinds.Constant(text, kind, f.dtype_of(fields["dtype"]))


def _write_map(operation: kinds.Map) -> dict[str, Any]:
    body, arity, result = operation.parameters
    found: dict[str, Any] = {"arity": arity, "result": result}
    if isinstance(body, str):
        found["name"] = body
    if operation.parameters not in kinds.Map.own:
        found["body"] = expressions.written(operation.body, arity)
    return found


def _read_map(_: type[Operation], entry: Entry) -> kinds.Map:
    fields = entry.fields(("kind", "arity", "result"), ("name", "body"))
    arity, result = fields["arity"].integer(0, 64), fields["result"].choice(RESULTS)
    name = fields["name"].text() if "name" in fields else ""
    if "body" not in fields:
        if (name, arity, result) not in kinds.Map.own:
            entry.refuse(f"there is no elementwise operation {name!r:.40} of {arity} operands")
        return kinds.Map(name, arity, result)
    body = expressions.read(fields["body"], arity)
    fits = expressions.is_truth(body) if result == "bool" else expressions.is_number(body)
    if not fits:
        fields["body"].refuse(f"this is no body with the result {result!r}")
    return kinds.Map.named(name, body, arity, result)


# --- the table ------------------------------------------------------------------------------------

_ALONG = {"axis": f.AXIS, "exclusive": f.BOOLEAN, "reverse": f.BOOLEAN}
_PICKED = {"after": f.COUNT, "between": f.COUNT, "batch": f.COUNT}

SCHEMAS: dict[type[Operation], Schema | Own] = {
    kinds.Constant: Own("constant", fits.anything, _write_constant, _read_constant),
    kinds.Map: Own("map", fits.broadcast, _write_map, _read_map),
    kinds.Input: Schema(
        "input", fits.anything, {"dtype": f.DTYPE, "shape": f.SHAPE, "watched": f.BOOLEAN}, 1
    ),
    kinds.AddN: Schema("add_n", fits.broadcast, {}),
    kinds.Cast: Schema("cast", fits.anything, {"dtype": f.DTYPE}),
    kinds.Einsum: Schema(
        "einsum", fits.contraction, {"inputs": f.TERMS, "output": f.INDICES, "sizes": f.SIZES}
    ),
    kinds.Count: Schema("count", fits.axes, {"axes": f.AXES, "dtype": f.DTYPE}, 1),
    kinds.Reshape: Schema("reshape", fits.reshaped, {"old": f.SHAPE, "new": f.SHAPE}),
    kinds.Slice: Schema("slice", fits.sliced, {"ranges": f.RANGES, "ends": f.ENDS}, 1),
    kinds.Embed: Schema(
        "embed", fits.embedded, {"ranges": f.RANGES, "sizes": f.SHAPE, "ends": f.ENDS}, 1
    ),
    kinds.Gather: Schema("gather", fits.gathered, _PICKED),
    kinds.Scatter: Schema("scatter", fits.scattered, {**_PICKED, "size": f.SIZE}),
    kinds.Concat: Schema("concat", fits.joined, {"axis": f.AXIS}),
    kinds.Cumsum: Schema("cumsum", fits.along_axis, _ALONG),
    kinds.Cumprod: Schema("cumprod", fits.along_axis, _ALONG),
    kinds.Cumextremum: Schema(
        "cumextremum",
        fits.along_axis,
        {"which": f.choice("max", "min"), "axis": f.AXIS, "reverse": f.BOOLEAN},
    ),
    kinds.Fourier: Schema("fourier", fits.transformed, {"axis": f.AXIS, "sign": f.SIGN}),
    kinds.Recurrence: Schema("recurrence", fits.recurrence, {"axis": f.AXIS, "reverse": f.BOOLEAN}),
    kinds.Extremum: Schema(
        "extremum", fits.axes, {"which": f.choice("max", "min"), "axes": f.AXES}
    ),
    kinds.Product: Schema("product", fits.axes, {"axes": f.AXES}),
    kinds.Position: Schema(
        "position",
        fits.axes,
        {"which": f.choice("argmax", "argmin", "argsort"), "axis": f.AXIS, "dtype": f.PLACES},
    ),
    kinds.SegmentExtremum: Schema(
        "segment_extremum",
        fits.segments,
        {"which": f.choice("max", "min"), "after": f.COUNT, "count": f.SIZE},
    ),
    kinds.Windows: Schema("windows", fits.windows, {"windows": f.WINDOWS, "after": f.COUNT}),
    kinds.Overlap: Schema(
        "overlap", fits.overlap, {"windows": f.WINDOWS, "sizes": f.SHAPE, "after": f.COUNT}
    ),
    kinds.Assemble: Schema(
        "assemble", fits.assembled, {"shape": f.SHAPE, "placements": f.PLACEMENTS}
    ),
    kinds.Inverse: Schema("inverse", fits.square, {}),
    kinds.Solve: Schema(
        "solve",
        fits.equations,
        {"form": f.choice("full", "lower", "upper", "tridiagonal"), "adjoint": f.BOOLEAN},
    ),
    kinds.Cholesky: Schema("cholesky", fits.square, {}),
    kinds.Elimination: Schema("elimination", fits.square, {}),
    kinds.LogDeterminant: Schema("log_determinant", fits.square, {}),
    kinds.PseudoInverse: Schema(
        "pseudo_inverse", fits.pseudo_inverse, {"compares": f.choice("values", "pivots")}, 1
    ),
    kinds.MatrixFunction: Schema(
        "matrix_function", fits.square, {"name": f.choice("exp", "log", "sqrt")}
    ),
    kinds.Band: Schema(
        "band", fits.rows_and_columns, {"low": f.integer_or_none(), "high": f.integer_or_none()}
    ),
    kinds.Determinant: Schema(
        "determinant", fits.square, {"part": f.choice(*kinds.Determinant.parts)}
    ),
    kinds.Eigh: Schema("eigh", fits.square, {"part": f.choice(*kinds.Eigh.parts)}),
    kinds.Eig: Schema("eig", fits.square, {"part": f.choice(*kinds.Eig.parts)}),
    kinds.SVD: Schema(
        "svd", fits.matrices, {"part": f.choice(*kinds.SVD.parts), "full": f.BOOLEAN}, 1
    ),
    kinds.QR: Schema(
        "qr", fits.matrices, {"part": f.choice(*kinds.QR.parts), "full": f.BOOLEAN}, 1
    ),
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

    >>> named(kinds.Map("sin", 1, "same")), named(kinds.AddN())
    ('sin', 'add_n')
    """
    if isinstance(operation, kinds.Map) and isinstance(operation.parameters[0], str):
        return operation.parameters[0]
    return SCHEMAS[type(operation)].name


def read(entry: Entry) -> Operation:
    """Read an operation; raises `FormatError` for an unknown kind or a wrong parameter."""
    if type(entry.value) is not dict or "kind" not in entry.value:
        entry.refuse("an operation is an object that names its kind")
    by_name = {schema.name: kind for kind, schema in SCHEMAS.items()}
    kind = by_name[Fields(entry)["kind"].choice(by_name)]
    return SCHEMAS[kind].read(kind, entry)


def fit(operation: Operation, shapes: fits.Shapes, dtypes: fits.DTypes) -> None:
    """Raise `MisfitError` unless an operation takes operands of these shapes and dtypes."""
    arity = operation.arity
    counted = len(shapes) == arity if arity is not None else len(shapes) > 0
    fits.require(
        counted, f"it has {len(shapes)} operands, not {'some' if arity is None else arity}"
    )
    SCHEMAS[type(operation)].fit(operation, shapes, dtypes)
