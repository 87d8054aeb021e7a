"""Texts of texts: joined, split, cut, in capital letters, and their lengths."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from symtape.errors import OutOfRangeError
from symtape.ops.arguments import integers, is_tensor, listed, of_dtype, tensor, whole
from symtape.ops.attributes import attributes, boolean, string
from symtape.ops.strings.arguments import each, text_of, unit_of
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor

_SPACE = b" \t\n\v\f\r"


@attributes(unit=string("BYTE"))
def length(input: Any, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """Count the bytes of each text, or its letters where `unit` is ``"UTF8_CHAR"``: int32.

    >>> length(["ab", "ü"]).numpy().tolist(), length("ü", unit="UTF8_CHAR").numpy().item()
    ([2, 2], 1)
    """
    counted = unit_of("StringLength", unit)
    texts = text_of("StringLength", input)
    sizes = [len(t if counted == "BYTE" else t.decode(errors="replace")) for t in texts.flat]
    return convert(np.array(sizes, np.int32).reshape(texts.shape), dtypes.int32)


@attributes(encoding=string(""))
def lower(input: Any, encoding: str = "", name: str | None = None) -> Tensor:
    """Write small letters, of English alone unless `encoding` is ``"utf-8"``.

    >>> lower("AB").numpy()
    b'ab'
    """
    is_unicode = _encoding("StringLower", encoding)
    texts = text_of("StringLower", input)
    if is_unicode:
        return each(lambda t: t.decode(errors="replace").lower().encode(), texts)
    return each(lambda t: t.lower(), texts)


@attributes(encoding=string(""))
def upper(input: Any, encoding: str = "", name: str | None = None) -> Tensor:
    """Write capital letters, of English alone unless `encoding` is ``"utf-8"``.

    >>> upper("ab").numpy()
    b'AB'
    """
    is_unicode = _encoding("StringUpper", encoding)
    texts = text_of("StringUpper", input)
    if is_unicode:
        return each(lambda t: t.decode(errors="replace").upper().encode(), texts)
    return each(lambda t: t.upper(), texts)


def _encoding(op: str, encoding: str) -> bool:
    if encoding not in {"", "utf-8"}:
        raise invalid(op, f"only utf-8 or '' (no encoding) is supported, received {encoding}")
    return bool(encoding)


def strip(input: Any, name: str | None = None) -> Tensor:
    """Take white space away at both ends.

    >>> strip(" a ").numpy()
    b'a'
    """
    return each(lambda t: t.strip(_SPACE), text_of("StringStrip", input))


@attributes(unit=string("BYTE"))
def substr(input: Any, pos: Any, len: Any, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """Take `len` bytes, or letters, from `pos` on; a negative place counts from the end.

    A negative length takes all bytes that are left, and no letter. Raises `InvalidArgumentError`
    for a place outside of the text, and for places and lengths that differ in shape.

    >>> substr("hello", 1, 3).numpy()
    b'ell'
    """
    counted = unit_of("Substr", unit)
    texts = text_of("Substr", input)
    firsts, sizes = (np.asarray(whole("Substr", n, "T")) for n in (pos, len))
    if firsts.shape != sizes.shape:
        shapes = f"{listed(firsts.shape)} vs. {listed(sizes.shape)}"
        raise invalid("Substr", f"pos and len should have the same shape, got: {shapes}")
    counter = iter(range(texts.size))

    def cut(text: bytes, first: int, size: int) -> bytes:
        whole: Any = text if counted == "BYTE" else text.decode()
        number = next(counter, 0)
        if not -_count(whole) <= first <= _count(whole):
            raise invalid(
                "Substr",
                f"pos {first} out of range for string b'{text.decode()}' at index {number}",
            )
        begin = first + _count(whole) if first < 0 else first
        rest = size < 0 and counted == "BYTE"
        part = whole[begin:] if rest else whole[begin : begin + max(size, 0)]
        return bytes(part) if counted == "BYTE" else part.encode()

    return each(cut, texts, firsts, sizes)


_count = len  # `substr` has an argument of that name


@attributes(separator=string(""))
def join(inputs: Sequence[Any], separator: str = "", name: str | None = None) -> Tensor:
    """Join texts element by element; scalars stand beside every element.

    Raises `InvalidArgumentError` for shapes that differ.

    >>> join([["a", "b"], "x"], separator="-").numpy().tolist()
    [b'a-x', b'b-x']
    """
    if not (isinstance(inputs, (list, tuple)) or (is_tensor(inputs) and convert(inputs).ndim)):
        raise TypeError(f"Expected list for 'inputs' argument to 'string_join' Op, not {inputs!r}.")
    texts = [text_of("StringJoin", t, k) for k, t in enumerate(inputs)]
    if not texts:
        return convert("")
    shapes = [t.shape for t in texts if t.shape]
    for other in shapes:
        if other != shapes[0]:
            text = f"Input shapes do not match: {list(shapes[0])} vs. {list(other)}"
            raise invalid("StringJoin", text)
    return each(lambda *parts: separator.encode().join(parts), *texts)


@attributes(keepdims=boolean(False, "keep_dims"), separator=string(""))
def reduce_join(
    inputs: Any,
    axis: Any = None,
    keepdims: bool = False,
    separator: str = "",
    name: str | None = None,
) -> Tensor:
    """Join all texts along axes, the one that is named first before others; without any, in order.

    >>> reduce_join([["a", "b"], ["c", "d"]], axis=0, separator="-").numpy().tolist()
    [b'a-c', b'b-d']
    """
    texts = text_of("ReduceJoin", tensor(inputs))
    rank = texts.ndim
    named = (
        list(range(rank))[::-1]
        if axis is None
        else integers(of_dtype("ReduceJoin", axis, dtypes.int32, 1))
    )
    for n in named:
        if not -rank <= n < rank:
            text = f"Invalid reduction dimension {n} for input with {rank} dimension(s)"
            raise OutOfRangeError.of("ReduceJoin", text)
    axes = [n % rank for n in named]
    rest = [n for n in range(rank) if n not in axes]
    moved = texts.transpose([*rest, *axes[::-1]])
    together = prod(texts.shape[n] for n in axes)
    rows = moved.reshape([*(texts.shape[n] for n in rest), together])
    out = np.empty(rows.shape[:-1], object)
    for place in np.ndindex(out.shape):
        out[place] = separator.encode().join(rows[place])
    kept = [1 if n in axes else size for n, size in enumerate(texts.shape)]
    return convert(out.reshape(kept) if keepdims else out, dtypes.string)
