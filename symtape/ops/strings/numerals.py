"""Numbers written as text, and read from it."""

from __future__ import annotations

import re
from math import isfinite
from typing import Any

import numpy as np

from symtape.ops.arguments import allowed, is_tensor, refusal, tensor
from symtape.ops.attributes import attributes, boolean, integer, string
from symtape.ops.runtime import printing
from symtape.ops.strings.arguments import text_of
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid
from symtape.tensor.tensor import Tensor

_READ = allowed("float, double, int32, int64, uint32, uint64")
_WHOLE = re.compile(rb"\s*[-+]?\d+\s*")
_DECIMAL = re.compile(rb"\s*[-+]?((\d+\.?\d*|\.\d+)(e[-+]?\d+)?|nan|inf(inity)?)\s*", re.IGNORECASE)
_HEXADECIMAL = re.compile(rb"\s*[-+]?0x[0-9a-f]+\s*", re.IGNORECASE)


@attributes(summarize=integer(3))
def format(
    template: str,
    inputs: Any,
    placeholder: str = "{}",
    summarize: int = 3,
    name: str | None = None,
) -> Tensor:
    """Write tensors into a text at its placeholders, as `tf.print` writes them.

    `summarize` is how many elements are shown at each end of an axis; -1 is all. Raises
    `ValueError` where there are more or fewer placeholders than tensors.

    >>> format("loss {}", convert(0.5)).numpy()
    b'loss 0.5'
    """
    many = [inputs] if is_tensor(inputs) else inputs
    len(many)  # as in TensorFlow, a `TypeError` for a number
    if template.count(placeholder) != len(many):
        raise ValueError(
            f"The template expects {template.count(placeholder)} tensors, but the inputs only has "
            f"{len(many)}. Please ensure the number of placeholders in template matches inputs "
            "length."
        )
    values = [np.asarray(decided_by_look(convert(v))) for v in many]
    words = [_shown(v, summarize) for v in values]
    parts = template.split(placeholder)
    text = parts[0] + "".join(w + p for w, p in zip(words, parts[1:], strict=True))
    return convert(text.encode(errors=printing.AS_BYTES))


def _shown(array: Any, edge: int) -> str:
    text = printing.array_text(array, edge)
    if array.dtype.kind == "c":  # which TensorFlow does not write
        return re.sub(r"[^\[\] \n]+", "?", text)
    return text


@attributes(
    precision=integer(-1),
    scientific=boolean(False),
    shortest=boolean(False),
    width=integer(-1),
    fill=string(""),
)
def as_string(
    input: Any,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
    name: str | None = None,
) -> Tensor:
    """Write each element: numbers as C's ``%f`` does, or ``%e`` or ``%g``.

    Raises `InvalidArgumentError` for what the dtype cannot be written with.

    >>> as_string([1.5, 2.0], precision=1).numpy().tolist()
    [b'1.5', b'2.0']
    """
    array = np.asarray(decided_by_look(tensor(input)))
    kind = array.dtype.kind
    _check_form(input, kind, precision, scientific, shortest, fill)
    letter = "e" if scientific else "g" if shortest else "f"
    digits = f".{precision}" if precision > -1 else ""
    sign = fill if fill in {" ", "+", "-", "0"} else ""
    size = f"{sign}{width}" if width > -1 else sign.strip("-0")  # these two fill a width alone
    out = np.empty(array.shape, object)
    for place in np.ndindex(array.shape):
        out[place] = _written(array[place], kind, f"{size}{digits}", letter)
    return convert(out, dtypes.string)


def _check_form(
    given: Any, kind: str, precision: int, scientific: bool, shortest: bool, fill: str
) -> None:
    dtype = tensor(given).dtype.name
    if kind not in "fcV":
        if precision > -1 and kind != "O":
            raise invalid("AsString", f"precision not supported for datatype {dtype}")
        if scientific or shortest:
            raise invalid(
                "AsString", f"scientific and shortest format not supported for datatype {dtype}"
            )
    if scientific and shortest:
        raise invalid("AsString", "Cannot select both scientific and shortest notation")
    if len(fill) > 1:
        raise invalid("AsString", "Fill string must be one or fewer characters")
    if fill not in {"", " ", "+", "-", "0"}:
        raise invalid("AsString", f'Fill argument not supported: "{fill}"')


def _written(value: Any, kind: str, form: str, letter: str) -> bytes:
    if kind == "O":
        return ("%" + form + "s").__mod__(value.decode()).encode() if form else bytes(value)
    if kind == "b":
        return b"true" if value else b"false"
    if kind == "c":
        parts = [_float(x, form, letter) for x in (value.real, value.imag)]
        return f"({','.join(parts)})".encode()
    if kind in "iu":
        return f"%{form}d".__mod__(int(value)).encode()
    return _float(value, form, letter).encode()


def _float(value: Any, form: str, letter: str) -> str:
    """Write a float as C does, which puts no zeros before what is not finite."""
    form = form if isfinite(value) else form.removeprefix("0")
    return f"%{form}{letter}" % float(value)


def to_number(input: Any, out_type: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """Read a number from each text.

    Raises `InvalidArgumentError` for a text that is none, and for another `out_type` than float32,
    float64, and integers of 32 and 64 bits.

    >>> to_number(["1.5", "2"]).numpy().tolist()
    [1.5, 2.0]
    """
    texts = text_of("StringToNumber", input)
    dtype = dtypes.of_kernel(out_type, dtypes.float32)
    zero = convert(np.zeros((), dtype.as_numpy_dtype), dtype)
    if np.dtype(dtype.as_numpy_dtype).char not in _READ.letters:
        signature = "string_tensor:string -> output:out_type"
        raise refusal("StringToNumber", zero, _READ, signature, "out_type")
    found = [_checked(text, dtype) for text in texts.flat]
    return convert(np.array(found, dtype.as_numpy_dtype).reshape(texts.shape), dtype)


def _checked(text: bytes, dtype: Any) -> Any:
    found = number_of(text, dtype)
    if found is None:
        shown = text.decode(errors="replace")
        raise invalid(
            "StringToNumber", f"StringToNumberOp could not correctly convert string: {shown}"
        )
    return found


def number_of(text: bytes, dtype: Any) -> float | int | None:
    """Read a number of a dtype, or give None for a text that is none.

    >>> number_of(b" 2 ", dtypes.int32), number_of(b"2.5", dtypes.int32)
    (2, None)
    """
    bare = text.strip().lower()
    if dtype.is_floating:
        if _HEXADECIMAL.fullmatch(text):
            return float(int(bare, 16))
        if _DECIMAL.fullmatch(text):
            return float(bare)
    elif _WHOLE.fullmatch(text) and dtype.min <= int(bare) <= dtype.max:
        return int(bare)
    return None
