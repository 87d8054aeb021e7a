"""The closed table of the operations of a file: the name of each kind, and its parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from symtape.errors import UnsupportedError
from symtape.exchange import expressions
from symtape.exchange import fields as f
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
    """The parameters of a kind, in order; the last `optional` ones may be missing."""

    name: str
    fields: Mapping[str, f.Field]
    optional: int = 0

    @property
    def required(self) -> list[str]:
        """The keys that must be there, beside the kind."""
        names = list(self.fields)
        return names[: len(names) - self.optional]


_ALONG = {"axis": f.AXIS, "exclusive": f.BOOLEAN, "reverse": f.BOOLEAN}
_PICKED = {"after": f.COUNT, "between": f.COUNT, "batch": f.COUNT}

SCHEMAS: dict[type[Operation], Schema] = {
    Input: Schema("input", {"dtype": f.DTYPE, "shape": f.SHAPE, "watched": f.BOOLEAN}, 1),
    AddN: Schema("add_n", {}),
    Cast: Schema("cast", {"dtype": f.DTYPE}),
    Einsum: Schema("einsum", {"inputs": f.TERMS, "output": f.INDICES, "sizes": f.SIZES}),
    Count: Schema("count", {"axes": f.AXES, "dtype": f.DTYPE}, 1),
    Reshape: Schema("reshape", {"old": f.SHAPE, "new": f.SHAPE}),
    Slice: Schema("slice", {"ranges": f.RANGES, "ends": f.ENDS}, 1),
    Embed: Schema("embed", {"ranges": f.RANGES, "sizes": f.SHAPE, "ends": f.ENDS}, 1),
    Gather: Schema("gather", _PICKED),
    Scatter: Schema("scatter", {**_PICKED, "size": f.SIZE}),
    Concat: Schema("concat", {"axis": f.AXIS}),
    Cumsum: Schema("cumsum", _ALONG),
    Cumprod: Schema("cumprod", _ALONG),
    Recurrence: Schema("recurrence", {"axis": f.AXIS, "reverse": f.BOOLEAN}),
    Extremum: Schema("extremum", {"which": f.choice("max", "min"), "axes": f.AXES}),
    Product: Schema("product", {"axes": f.AXES}),
    Position: Schema(
        "position",
        {"which": f.choice("argmax", "argmin", "argsort"), "axis": f.AXIS, "dtype": f.PLACES},
    ),
    SegmentExtremum: Schema(
        "segment_extremum",
        {"which": f.choice("max", "min"), "after": f.COUNT, "count": f.SIZE},
    ),
    Windows: Schema("windows", {"windows": f.WINDOWS, "after": f.COUNT}),
    Overlap: Schema("overlap", {"windows": f.WINDOWS, "sizes": f.SHAPE, "after": f.COUNT}),
    Assemble: Schema("assemble", {"shape": f.SHAPE, "placements": f.PLACEMENTS}),
    Inverse: Schema("inverse", {}),
    Solve: Schema("solve", {"form": f.choice("full", "lower", "upper"), "adjoint": f.BOOLEAN}),
    Cholesky: Schema("cholesky", {}),
    Elimination: Schema("elimination", {}),
    LogDeterminant: Schema("log_determinant", {}),
    PseudoInverse: Schema("pseudo_inverse", {}),
    MatrixFunction: Schema("matrix_function", {"name": f.choice("exp", "log", "sqrt")}),
    Band: Schema("band", {"low": f.integer_or_none(), "high": f.integer_or_none()}),
    Determinant: Schema("determinant", {"part": f.choice(*Determinant.parts)}),
    Eigh: Schema("eigh", {"part": f.choice(*Eigh.parts)}),
    Eig: Schema("eig", {"part": f.choice(*Eig.parts)}),
    SVD: Schema("svd", {"part": f.choice(*SVD.parts), "full": f.BOOLEAN}, 1),
    QR: Schema("qr", {"part": f.choice(*QR.parts), "full": f.BOOLEAN}, 1),
}
"""What a file says of each kind whose parameters do not depend on each other."""


def written(operation: Operation) -> dict[str, Any]:
    """Write an operation as JSON; raises `UnsupportedError` for a kind without a row."""
    special = _WRITERS.get(type(operation))
    if special is not None:
        return special(operation)
    schema = SCHEMAS.get(type(operation))
    if schema is None:
        raise UnsupportedError(
            f"{operation!r} cannot be saved as JSON; add its kind to exchange/operations.py"
        )
    parameters = zip(schema.fields.items(), operation.parameters, strict=False)
    return {"kind": schema.name} | {name: field.write(v) for (name, field), v in parameters}


def named(operation: Operation) -> str:
    """Name an operation of a file in an error, and leave alone its body, which may be a tower.

    >>> named(Map("sin", 1, "same")), named(AddN())
    ('sin', 'add_n')
    """
    if isinstance(operation, Map):
        body = operation.parameters[0]
        return body if isinstance(body, str) else "map"
    schema = SCHEMAS.get(type(operation))
    return "constant" if schema is None else schema.name


def read(entry: Entry) -> Operation:
    """Read an operation; raises `FormatError` for an unknown kind or a wrong parameter."""
    if type(entry.value) is not dict or "kind" not in entry.value:
        entry.refuse("an operation is an object that names its kind")
    name = Fields(entry)["kind"].choice(_BY_NAME)
    return _BY_NAME[name](entry)


def _reader(kind: type[Operation], schema: Schema) -> Callable[[Entry], Operation]:
    optional = list(schema.fields)[len(schema.required) :]

    def read_kind(entry: Entry) -> Operation:
        fields = entry.fields(["kind", *schema.required], optional)
        return kind(*[x.read(fields[name]) for name, x in schema.fields.items() if name in fields])

    return read_kind


# --- numbers and elementwise operations -----------------------------------------------------------

RESULTS = ("same", "bool", "real", "complex", "stopped")


def _write_constant(operation: Constant) -> dict[str, Any]:
    text, kind, dtype = operation.parameters
    return {"kind": "constant", "number": text, "type": kind, "dtype": dtype}


def _read_constant(entry: Entry) -> Constant:
    fields = entry.fields(("kind", "number", "type", "dtype"))
    kind = fields["type"].choice(f.NUMBER_TYPES)
    text = f.number_text(fields["number"], kind)
    return Constant(text, kind, f.dtype_of(fields["dtype"]))


def _write_map(operation: Map) -> dict[str, Any]:
    body, arity, result = operation.parameters
    found: dict[str, Any] = {"kind": "map", "arity": arity, "result": result}
    if isinstance(body, str):
        found["name"] = body
    if operation.parameters not in Map.own:
        found["body"] = expressions.written(operation.body, arity)
    return found


def _read_map(entry: Entry) -> Map:
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


_WRITERS: dict[type[Operation], Callable[[Any], dict[str, Any]]] = {
    Constant: _write_constant,
    Map: _write_map,
}

_BY_NAME: dict[str, Callable[[Entry], Operation]] = {
    "constant": _read_constant,
    "map": _read_map,
    **{schema.name: _reader(kind, schema) for kind, schema in SCHEMAS.items()},
}
