"""`tf.data.experimental.make_csv_dataset`: batches of the columns of tables, by their names."""

from __future__ import annotations

import csv
import glob
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any

from symtape.data.dataset import Dataset
from symtape.data.files.lines import CsvDatasetV2
from symtape.data.held import text_in
from symtape.data.stages.base import Failed
from symtape.data.stages.files.lines import contents
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dtypes import DType

_TYPES = (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64, dtypes.string)
"""What a column may be, the narrowest first."""

Open = Callable[[str], Iterator[list[str]]]
"""What reads the rows of a file."""


def make_csv_dataset(
    file_pattern: Any,
    batch_size: int,
    column_names: Sequence[str] | None = None,
    column_defaults: Sequence[Any] | None = None,
    label_name: str | None = None,
    select_columns: Sequence[Any] | None = None,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    header: bool = True,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: int = 10000,
    shuffle_seed: int | None = None,
    prefetch_buffer_size: int | None = None,
    num_parallel_reads: int | None = None,
    sloppy: bool = False,
    num_rows_for_inference: int | None = 100,
    compression_type: str | None = None,
    ignore_errors: bool = False,
    encoding: str = "utf-8",
) -> Dataset:
    """Make batches of the columns of files: dicts by name, with a label beside them if it is named.

    What columns are is read from the first rows, unless `column_defaults` says it. Elements come
    without end, and in another order each time, unless `num_epochs` and `shuffle=False` are given.
    `prefetch_buffer_size` and `sloppy` change nothing. Raises `ValueError` where no file fits the
    pattern, and for columns that are not there.

    >>> make_csv_dataset("/no/such/*.csv", 8)
    Traceback (most recent call last):
    ValueError: No files match `file_pattern` /no/such/*.csv.
    """
    files = _files(file_pattern, shuffle=shuffle)
    dataset = Dataset.from_tensor_slices(files)
    if shuffle:  # before anything else is refused: it takes a random number
        dataset = dataset.shuffle(len(files), shuffle_seed)
    quoting: Any = csv.QUOTE_MINIMAL if use_quote_delim else csv.QUOTE_NONE

    def rows(name: str) -> Iterator[list[str]]:
        text = _text(name, text_in(compression_type), encoding)
        return csv.reader(text.splitlines(keepends=True), delimiter=field_delim, quoting=quoting)

    names = _named(files, rows, column_names, header=header)
    chosen = None if select_columns is None else _places(select_columns, names)
    if column_defaults is None:
        wanted = range(len(names)) if chosen is None else chosen
        first = islice(_rows(files, rows, len(names), header=header), num_rows_for_inference)
        column_defaults = _inferred(first, wanted, na_value)
    if chosen is not None:
        names = _chosen(names, chosen, column_defaults)
    if label_name is not None and label_name not in names:
        raise ValueError(
            f"`label_name` provided must be one of the columns: {names}. Received: {label_name}."
        )

    def records(name: Any) -> Any:
        how = (compression_type, None, header, field_delim, use_quote_delim, na_value, chosen)
        found = CsvDatasetV2(name, column_defaults, *how)
        return found.ignore_errors() if ignore_errors else found

    def by_name(*columns: Any) -> Any:
        features = OrderedDict(zip(names, columns, strict=True))
        return features if label_name is None else (features, features.pop(label_name))

    cycle = 1 if num_parallel_reads in {None, -1} else num_parallel_reads
    dataset = dataset.interleave(records, cycle, 1)
    if shuffle:
        dataset = dataset.shuffle(shuffle_buffer_size, shuffle_seed)
    if num_epochs != 1:
        dataset = dataset.repeat(num_epochs)
    return dataset.batch(batch_size, drop_remainder=num_epochs is None).map(by_name).prefetch(-1)


def _files(pattern: Any, *, shuffle: bool) -> list[str]:
    """List the files of a pattern or several, in order unless they are shuffled anyway."""
    if isinstance(pattern, list) and not pattern:
        raise ValueError("Argument `file_pattern` should not be empty.")
    patterns = pattern if isinstance(pattern, list) else [pattern]
    found = [name for one in patterns for name in sorted(glob.glob(str(one)))]  # noqa: PTH207 - as it is written
    if not found:
        raise ValueError(f"No files match `file_pattern` {pattern}.")
    return found if shuffle else sorted(found)


def _text(name: str, compression: str, encoding: str) -> str:
    try:
        return contents(name.encode(), compression).decode(encoding)
    except Failed as failure:
        raise failure.framed("ReadFile") from failure.__cause__


def _chosen(names: list[str], chosen: Sequence[int], defaults: Sequence[Any]) -> list[str]:
    """Give the names of the chosen columns, each of which has a default."""
    if len(defaults) != len(chosen):
        raise ValueError(
            "If specified, `column_defaults` and `select_columns` must have the same length: "
            f"`column_defaults` has length {len(defaults)}, `select_columns` has length "
            f"{len(chosen)}."
        )
    return [names[k] for k in chosen]


def _named(files: list[str], rows: Open, given: Any, *, header: bool) -> list[str]:
    """Give the names of columns, from the first row if they were not given."""
    if given is None and not header:
        raise ValueError("Expected `column_names` or `header` arguments. Neither is provided.")
    names = _header(files[0], rows) if given is None else list(given)
    for name in files[1:] if given is None else []:
        if _header(name, rows) != names:
            raise ValueError(
                "All input CSV files should have the same column names in the header row. File "
                f"{name} has different column names."
            )
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(
            "Either `column_names` argument or CSV header row contains duplicate column names: "
            f"{twice}."
        )
    return names


def _header(name: str, rows: Open) -> list[str]:
    found = next(rows(name), None)
    if found is None:
        raise ValueError(f"Failed when reading the header line of {name}. Is it an empty file?")
    return found


def _places(chosen: Sequence[Any], names: list[str]) -> list[int]:
    """Number the columns that are chosen by number or name, in order."""
    found = []
    for one in chosen:
        if isinstance(one, int) and not 0 <= one < len(names):
            raise ValueError(
                f"Column index {one} specified in `select_columns` should be > 0  and <= "
                f"{len(names)}, which is the number of columns."
            )
        if not isinstance(one, int) and one not in names:
            raise ValueError(
                f"Column {one} specified in `select_columns` must be of one of the columns: "
                f"{dict.fromkeys(names).keys()}."
            )
        found.append(one if isinstance(one, int) else names.index(one))
    if len(set(found)) != len(found):
        raise ValueError("The `select_columns` argument contains duplicate columns: set().")
    return sorted(found)


def _rows(files: list[str], rows: Open, count: int, *, header: bool) -> Iterator[list[str]]:
    for name in files:
        reader: Any = rows(name)
        for row in islice(reader, int(header), None):
            if len(row) != count:
                raise ValueError(
                    f"Problem inferring types: CSV row {reader.line_num} has {len(row)} number of "
                    f"fields. Expected: {count}."
                )
            yield row


def _inferred(rows: Iterator[list[str]], wanted: Sequence[int], none: str) -> list[Any]:
    """Give a default for each column, of the narrowest dtype that fits all of its fields."""
    kinds = [0] * len(wanted)
    seen = [False] * len(wanted)
    for row in rows:
        for k, place in enumerate(wanted):
            if row[place] not in {"", none}:
                seen[k] = True
                while not _fits(row[place], _TYPES[kinds[k]]):
                    kinds[k] += 1
    found = [_TYPES[kind if any_ else -1] for kind, any_ in zip(kinds, seen, strict=True)]
    return [convert(["" if kind is dtypes.string else 0], kind) for kind in found]


def _fits(text: str, dtype: DType) -> bool:
    if dtype is dtypes.string:
        return True
    with suppress(ValueError):
        if dtype.is_floating:
            return float(dtype.min) <= float(text) <= float(dtype.max)
        return bool(dtype.min <= int(text) <= dtype.max)
    return False
