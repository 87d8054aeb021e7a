"""Records of fields with delimiters between them (CSV, RFC 4180), taken apart."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from symtape.ops.arguments import plain
from symtape.ops.strings.numerals import number_of
from symtape.tensor.dispatch import invalid
from symtape.tensor.dtypes import DType
from symtape.tensor.tensor import Tensor

_QUOTED = re.compile(rb'"((?:[^"]|"")*)"')
_END_OF_LINE = re.compile(rb"\r\n?|\n")
_UNFINISHED = "Quoted field has to end with quote followed by delim or end"
_UNCLOSED = "Reached end of file without closing quoted field in record"


class FieldError(Exception):
    """A record that cannot be taken apart; the text is TensorFlow's, without its frame."""


class Dialect(NamedTuple):
    """How fields are written: the delimiter, whether quotes enclose, and what stands for none."""

    delimiter: bytes = b","
    quoted: bool = True
    none: bytes = b""

    @classmethod
    def of(cls, op: str, delimiter: str, quoted: bool, none: str) -> Dialect:
        """Read what a call was given; raises `InvalidArgumentError` for a delimiter of more."""
        if len(delimiter.encode()) != 1:
            raise invalid(op, "field_delim should be only 1 char")
        return cls(delimiter.encode(), quoted, none.encode())


class Column(NamedTuple):
    """What the fields of one column become; without a default they must be there."""

    dtype: DType
    default: Any = None

    @classmethod
    def of(cls, default: Tensor) -> Column:
        """Give the column of a default, which has one element, or none."""
        values = np.ravel(np.asarray(plain(default)))
        return cls(default.dtype, values[0] if values.size else None)

    def converted(self, field: bytes, none: bytes, number: int, where: str) -> Any:
        """Convert a field; raises `FieldError` where it is missing, or no number."""
        if field in {b"", none}:
            if self.default is None:
                raise FieldError(f"Field {number} is required but missing in {where}!")
            return self.default
        if self.dtype.name == "string":
            return field
        found = number_of(field, self.dtype)
        if found is None:
            kind = self.dtype.enum_name
            shown = field.decode(errors="replace")
            raise FieldError(f"Field {number} in {where} is not a valid {kind}: {shown}")
        with np.errstate(over="ignore"):
            return self.dtype.numpy.type(found)


def fields_of(record: bytes, dialect: Dialect) -> list[bytes]:
    """Take one record apart, which has no ends of lines but within quotes.

    >>> fields_of(b'1,"a,b"', Dialect())
    [b'1', b'a,b']
    """
    found: list[bytes] = []
    place = 0
    while place < len(record):
        if record[place : place + 1] in {b"\n", b"\r"}:
            place += 1
            continue
        if dialect.quoted and record.startswith(b'"', place):
            field, place = _enclosed(record, place, {b"", dialect.delimiter}, _UNFINISHED)
        else:
            end = record.find(dialect.delimiter, place)
            field = record[place:] if end < 0 else record[place:end]
            if (dialect.quoted and b'"' in field) or b"\n" in field or b"\r" in field:
                raise FieldError("Unquoted fields cannot have quotes/CRLFs inside")
            place += len(field)
        found.append(field)
        place += 1
    return [*found, b""] if record.endswith(dialect.delimiter) else found


def _enclosed(text: bytes, place: int, ends: set[bytes], unfinished: str) -> tuple[bytes, int]:
    """Take a field out of its quotes, which one of some ends follows; and say where it ends."""
    match = _QUOTED.match(text, place)
    if match is None:
        raise FieldError(unfinished)
    if text[match.end() : match.end() + 1] not in ends:
        raise FieldError("Quote inside a string has to be escaped by another quote")
    return match[1].replace(b'""', b'"'), match.end()


def records_of(text: bytes, dialect: Dialect) -> Iterator[list[bytes]]:
    r"""Take the records of a file apart: each is a line, or more where quotes enclose its end.

    >>> list(records_of(b'1,"a\nb"\n2,c', Dialect()))
    [[b'1', b'a\nb'], [b'2', b'c']]
    """
    end_of_field = re.compile(rb"[\r\n" + re.escape(dialect.delimiter) + rb"]")
    place, fields = 0, list[bytes]()
    while place < len(text) or fields:
        if dialect.quoted and text.startswith(b'"', place):
            ends = {b"", b"\r", b"\n", dialect.delimiter}
            field, place = _enclosed(text, place, ends, _UNCLOSED)
        else:
            end = end_of_field.search(text, place)
            field = text[place:] if end is None else text[place : end.start()]
            place += len(field)
            if dialect.quoted and b'"' in field:
                raise FieldError("Unquoted fields cannot have quotes inside")
        fields.append(field)
        if text.startswith(dialect.delimiter, place):
            place += 1
            continue
        yield fields
        fields = []
        line_end = _END_OF_LINE.match(text, place)
        place = len(text) if line_end is None else line_end.end()


def row_of(fields: list[bytes], columns: list[Column], none: bytes, where: str) -> list[Any]:
    """Convert the fields of a record; raises `FieldError` unless there is one for each column.

    >>> from symtape.tensor import dtypes
    >>> row_of([b"1", b""], [Column(dtypes.int32), Column(dtypes.float32, 0.5)], b"", "record")
    [np.int32(1), 0.5]
    """
    if len(fields) != len(columns):
        found = "more" if len(fields) > len(columns) and where == "record" else len(fields)
        raise FieldError(f"Expect {len(columns)} fields but have {found} in {where}")
    return [
        column.converted(field, none, k, where)
        for k, (column, field) in enumerate(zip(columns, fields, strict=True))
    ]
