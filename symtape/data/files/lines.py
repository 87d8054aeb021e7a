"""`tf.data.TextLineDataset` and `tf.data.experimental.CsvDataset`: lines and records of files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from symtape import nest
from symtape.data.dataset import Dataset
from symtape.data.elements.structures import array_of
from symtape.data.held import Held, text_in
from symtape.data.options import Options
from symtape.data.stages.files.lines import Lines, Names, Records
from symtape.ops.arguments import plain, tensor
from symtape.ops.files.fields import Column, Dialect
from symtape.ops.files.sources import WINDOWS
from symtape.tensor import dtypes
from symtape.tensor.dispatch import invalid
from symtape.tensor.dtypes import DType


class TextLineDatasetV2(Dataset):
    """The lines of one or several files, as texts (`tf.data.TextLineDataset`).

    `filenames` are a text, texts or a dataset of them; `compression_type` is "", "GZIP" or "ZLIB".
    With `num_parallel_reads` lines come from as many files in turn. Raises `TypeError` for names
    that are no texts, and, where lines are asked for, `NotFoundError` for a file that is not there.

    >>> list(TextLineDatasetV2([]))
    []
    """

    def __init__(
        self,
        filenames: Any,
        compression_type: str | None = None,
        buffer_size: Any = None,
        num_parallel_reads: Any = None,
        name: str | None = None,
    ) -> None:
        names, compression = names_of(filenames), text_in(compression_type)
        together = 1 if num_parallel_reads is None else int(plain(num_parallel_reads))
        self.stage = Lines(names, compression)
        if together != 1:
            files = Dataset.from_tensor_slices(np.array([*names()], object))
            reading = files.interleave(
                lambda one: TextLineDatasetV2(one, compression), max(together, 1)
            )
            self.stage = reading.stage
        self.settings = Options()


class CsvDatasetV2(Dataset):
    """The records of one or several files, as tuples (`tf.data.experimental.CsvDataset`).

    `record_defaults` has the dtype of each column that must be there, or a default. The columns
    are all, those of `select_cols`, or those not in `exclude_cols`. Raises
    `InvalidArgumentError` for columns that do not fit, and for records where they are read.

    >>> CsvDatasetV2("a.csv", [0, ""]).element_spec[1]
    TensorSpec(shape=(), dtype=tf.string, name=None)
    """

    def __init__(
        self,
        filenames: Any,
        record_defaults: Sequence[Any],
        compression_type: str | None = None,
        buffer_size: Any = None,
        header: bool = False,
        field_delim: str = ",",
        use_quote_delim: bool = True,
        na_value: str = "",
        select_cols: Sequence[int] | None = None,
        exclude_cols: Sequence[int] | None = None,
    ) -> None:
        op, compression = "CSVDatasetV2", text_in(compression_type)
        if compression not in ("", *WINDOWS):
            raise invalid(op, f"Unsupported compression_type: {compression}.")
        dialect = Dialect.of(op, field_delim, use_quote_delim, na_value)
        columns = [_column(default) for default in record_defaults]
        chosen = _chosen(op, select_cols, exclude_cols, len(columns))
        self.stage = Records(
            names_of(filenames), columns, dialect, compression, bool(header), chosen
        )
        self.settings = Options()


def names_of(filenames: Any) -> Names:
    """Give what lists names of files; raises `TypeError` for what is no text."""
    if isinstance(filenames, Held):
        _check_elements(filenames.element_spec)
        return lambda: _listed(filenames)
    given = nest.map_structure(_path, filenames)
    found = tensor(given) if np.size(plain(given)) else None
    if found is None:
        return lambda: iter(())
    if found.dtype is not dtypes.string:
        raise TypeError(
            "The `filenames` argument must contain `tf.string` elements. Got "
            f"`{found.dtype!r}` elements."
        )
    names = [*np.ravel(np.asarray(array_of(found), object))]
    return lambda: iter(names)


def _path(value: Any) -> Any:
    return os.fspath(value) if isinstance(value, os.PathLike) else value


def _listed(dataset: Any) -> Iterator[bytes]:
    for element in dataset:
        yield from np.ravel(np.asarray(array_of(element), object))


def _check_elements(spec: Any) -> None:
    """Raise `TypeError` unless the elements of a dataset are texts."""
    if spec.dtype is not dtypes.string:
        raise TypeError(
            "The `filenames` argument must contain `tf.string` elements. Got a dataset of "
            f"`{spec.dtype!r}` elements."
        )
    if not spec.shape.is_compatible_with([]):
        raise TypeError(
            "The `filenames` argument must contain `tf.string` elements of shape [] (i.e. "
            f"scalars). Got a dataset of element shape {spec.shape!r}."
        )


def _column(default: Any) -> Column:
    """Read a column's dtype, and its default if there is one."""
    if isinstance(default, (DType, type)):
        return Column(dtypes.as_dtype(default))
    return Column.of(tensor(default))


def _chosen(op: str, selected: Any, excluded: Any, count: int) -> Any:
    """Give what says whether a column is read; None for all."""
    for name, given in (("select_cols", selected), ("exclude_cols", excluded)):
        if given is not None and any(a >= b for a, b in pairwise(given)):
            raise invalid(op, f"{name} should be strictly increasing indices")
    if selected is not None:
        if len(selected) != count:
            raise invalid(op, "select_cols should match output size")
        if excluded is not None:
            raise invalid(op, "Either select_cols or exclude_cols should be empty")
        return set(selected).__contains__
    if excluded is not None:
        return lambda k: k not in set(excluded)
    return None


Held._kinds.update(TextLineDatasetV2=TextLineDatasetV2, CsvDatasetV2=CsvDatasetV2)  # noqa: SLF001 - as all types of datasets are
