"""`tf.io.decode_csv`: texts that are records of a table, as tensors of its columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import tensor
from symtape.ops.attributes import attributes, boolean, string
from symtape.ops.files.fields import Column, Dialect, FieldError, fields_of, row_of
from symtape.ops.strings.arguments import text_of
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

_KINDS = ("float", "double", "int32", "int64", "string")
_OP = "DecodeCSV"


@attributes(field_delim=string(","), use_quote_delim=boolean(True), na_value=string(""))
def decode_csv(
    records: Any,
    record_defaults: Sequence[Any],
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    select_cols: Sequence[int] | None = None,
    name: str | None = None,
) -> list[Tensor]:
    """Take records apart: a tensor for each column, of the shape of the records.

    `record_defaults` has a default for each column, which says the dtype as well; an empty one is
    of a column that every record must have. Raises `InvalidArgumentError` for records of more or
    fewer fields, for fields that are no numbers, and for quotes that do not fit, and `ValueError`
    for `select_cols` that do not increase.

    >>> numbers, names = decode_csv(["1,a", ",b"], [0, ""])
    >>> numbers.numpy(), names.numpy()
    (array([1, 0], dtype=int32), array([b'a', b'b'], dtype=object))
    """
    if select_cols is not None:
        check_selected(select_cols, len(record_defaults))
    columns = [_column(k, given) for k, given in enumerate(record_defaults)]
    texts = text_of(_OP, records)
    dialect = Dialect.of(_OP, field_delim, use_quote_delim, na_value)
    rows = [_row(record, k, columns, dialect, select_cols) for k, record in enumerate(texts.flat)]
    return [
        Tensor(_joined([row[k] for row in rows], column, texts.shape))
        for k, column in enumerate(columns)
    ]


def check_selected(selected: Sequence[int], count: int) -> None:
    """Raise `ValueError` unless the numbers of columns increase, and are as many as defaults."""
    if any(a >= b for a, b in pairwise(selected)):
        raise ValueError("select_cols is not strictly increasing.")
    if selected and selected[0] < 0:
        raise ValueError("select_cols contains negative values.")
    if len(selected) != count:
        raise ValueError("Length of select_cols and record_defaults do not match.")


def _column(number: int, given: Any) -> Column:
    default = tensor(given)
    if default.dtype.enum_name not in _KINDS:
        raise InvalidArgumentError(
            message=f"Value for attr 'OUT_TYPE' of {default.dtype.enum_name} is not in the list of "
            f"allowed values: {', '.join(_KINDS)}\n\t; NodeDef: {{{{node {_OP}}}}} [Op:{_OP}]"
        )
    size = math.prod(shape_of(default))
    if size > 1:
        raise invalid(
            _OP, f"There should only be 1 default per field but field {number} has {size}"
        )
    return Column.of(default)


def _row(
    record: bytes, number: int, columns: list[Column], dialect: Dialect, selected: Any
) -> list[Any]:
    where = f"record {number}"
    try:
        fields = fields_of(record, dialect)
        if selected is not None:
            fields = [fields[k] for k in selected if k < len(fields)]
        return row_of(fields, columns, dialect.none, where)
    except FieldError as error:
        raise invalid(_OP, str(error)) from None


def _joined(values: list[Any], column: Column, shape: tuple[int, ...]) -> Any:
    made = np.empty(len(values), column.dtype.numpy)
    made[:] = values
    return made.reshape(shape)
