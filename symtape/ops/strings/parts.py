"""Texts that are cut into parts: words, bytes, letters; those of several texts are ragged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from symtape.ops.attributes import attributes, boolean, integer, string
from symtape.ops.ragged.tensor import RaggedTensor
from symtape.ops.shapes.shaping import reshape
from symtape.ops.strings.arguments import one_text_of, text_of
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.recording.looking import forgotten, looking
from symtape.tensor.tensor import Tensor
from symtape.tensor.unknown_sizes import unsized

Parts = Callable[[bytes], Sequence[Any]]


@attributes(maxsplit=integer(-1))
def split(
    input: Any, sep: Any = None, maxsplit: int = -1, name: str | None = None
) -> Tensor | RaggedTensor:
    """Split at white space, or at `sep`; the parts of several texts are a ragged tensor.

    After `maxsplit` words at white space stands what is left, even where that is nothing.

    >>> split("a b").numpy().tolist(), split(["a b", "c"])
    ([b'a', b'b'], <tf.RaggedTensor [[b'a', b'b'], [b'c']]>)
    """
    at = (_separator(sep) if sep is not None else b"") or None
    words = _words if at is None and maxsplit >= 0 else bytes.split
    return in_parts("StringSplitV2", input, lambda text: words(text, at, maxsplit))


def _separator(sep: Any) -> bytes:
    return one_text_of("StringSplitV2", sep, "sep must be a scalar, got shape:", 1)


def _words(text: bytes, _: Any, most: int) -> list[bytes]:
    """Split at white space as TensorFlow does, with what is left behind so many words."""
    if not most:
        return [text]
    found = text.split(None, most)
    return [*found, b""] if len(found) == most else found


def bytes_split(input: Any, name: str | None = None) -> Tensor | RaggedTensor:
    """Split into bytes; those of several texts are a ragged tensor.

    >>> bytes_split("ab").numpy().tolist()
    [b'a', b'b']
    """
    return in_parts("StringSplit", input, lambda text: [text[k : k + 1] for k in range(len(text))])


def in_parts(op: str, value: Any, parts: Parts, kind: Any = dtypes.string) -> Tensor | RaggedTensor:
    """Give the parts of a text, or ragged rows with those of each."""
    if isinstance(value, RaggedTensor):
        return value.with_flat_values(in_parts(op, value.flat_values, parts, kind))
    texts = text_of(op, value)
    found = [varied(parts(text), parts) for text in texts.flat]
    flat = [p for row in found for p in row]
    made = np.array(flat, object) if kind is dtypes.string else np.array(flat, kind.numpy)
    values = convert(made, kind)
    if not texts.ndim:
        forgotten(values, (0,))
        return values
    rows = RaggedTensor.from_row_lengths(values, [len(row) for row in found])
    for axis in range(texts.ndim - 1, 0, -1):
        outer = prod(texts.shape[:axis])  # which rows of size zero do not tell
        rows = RaggedTensor.from_uniform_row_length(rows, texts.shape[axis], outer)
    return rows


def varied(row: Sequence[Any], parts: Parts) -> Sequence[Any]:
    """Give as many parts as nobody could know, where only sizes are looked at."""
    run = looking()
    if run is None:
        return row
    run.has_varied = True
    some = [*row] or [*parts(b"a")]
    return [some[k % len(some)] for k in range(run.number)]


@attributes(separator=string(" "), preserve_short_sequences=boolean())
def ngrams(
    data: Any,
    ngram_width: Any,
    separator: str = " ",
    pad_values: Any = None,
    padding_width: int | None = None,
    preserve_short_sequences: bool = False,
    name: str | None = None,
) -> Tensor | RaggedTensor:
    """Join each run of some neighbouring texts of a row; `pad_values` stand before and behind.

    Raises `TypeError` and `ValueError` for widths and paddings that are none.

    >>> ngrams(["a", "b", "c"], 2).numpy().tolist()
    [b'a b', b'b c']
    """
    many = ngram_width if isinstance(ngram_width, (list, tuple)) else [ngram_width]
    widths = [integer().of("ngram_widths", n) for n in many]
    pads = _pads(pad_values)
    if any(w < 1 for w in widths):
        raise ValueError(f"All ngram_widths must be greater than 0. Got {ngram_width}")
    if padding_width is not None and padding_width < 1:
        raise ValueError("padding_width must be greater than 0.")
    if padding_width is not None and pads is None:
        raise ValueError("pad_values must be provided if padding_width is set.")

    def runs(row: list[bytes]) -> list[bytes]:
        found = [n for w in widths for n in _runs(row, w, separator, pads, padding_width)]
        return found or ([separator.encode().join(row)] if preserve_short_sequences and row else [])

    if isinstance(data, RaggedTensor) and isinstance(data.values, RaggedTensor):
        further = (separator, pad_values, padding_width, preserve_short_sequences)
        return data.with_values(ngrams(data.values, ngram_width, *further))
    if isinstance(data, RaggedTensor):
        return _rows_of(_in_each(runs, data.to_list()))
    texts = text_of("StringNGrams", data)
    if not texts.ndim:
        raise ValueError("Data must have rank>0")
    rows = texts.reshape(prod(texts.shape[:-1]), texts.shape[-1]).tolist()
    made = _in_each(runs, rows)
    flat = convert(np.array([p for row in made for p in row], object), dtypes.string)
    return unsized(reshape(flat, [*texts.shape[:-1], -1]), -1)


def _rows_of(rows: list[list[bytes]]) -> RaggedTensor:
    flat = convert(np.array([p for row in rows for p in row], object), dtypes.string)
    return RaggedTensor.from_row_lengths(flat, [len(row) for row in rows])


def _pads(pad_values: Any) -> tuple[bytes, bytes] | None:
    if pad_values is None:
        return None
    both = pad_values[:2] if isinstance(pad_values, (tuple, list)) else [pad_values] * 2
    if not all(isinstance(p, (str, bytes)) for p in both):
        raise TypeError("pad_values must be a string, tuple of strings, or None.")
    left, right = (p if isinstance(p, bytes) else p.encode() for p in both)
    return left, right


def _in_each(runs: Callable[[list[bytes]], list[bytes]], rows: Any) -> list[list[bytes]]:
    """Give the runs of each row, and none where no row has a text: nothing is padded then."""
    return [runs(row) if any(rows) else [] for row in rows]


def _runs(
    row: list[bytes], width: int, separator: str, pads: Any, padding: int | None
) -> list[bytes]:
    count = 0 if pads is None else min(width - 1, width - 1 if padding is None else padding)
    whole = [*[pads[0]] * count, *row, *[pads[1]] * count] if count else row
    return [separator.encode().join(whole[k : k + width]) for k in range(len(whole) - width + 1)]
