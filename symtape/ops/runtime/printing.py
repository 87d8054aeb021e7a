"""`tf.print`: tensors as TensorFlow prints them."""

from __future__ import annotations

import logging
import re
import sys
from collections import OrderedDict
from collections.abc import Callable
from functools import singledispatch
from pathlib import Path
from typing import Any

import numpy as np

from symtape import nest
from symtape.ops.arguments import attribute, is_tensor
from symtape.tensor.convert import convert
from symtape.tensor.values import look_at


def print(*inputs: Any, **kwargs: Any) -> None:
    """Print tensors and anything else, to the standard error stream unless `output_stream` says.

    Keywords: `output_stream` (a stream, a level of `logging`, which goes to the standard error
    stream, or "file://" and a path, to whose end the text goes), `summarize` (how many elements are
    shown at each end of an axis, 3; -1 for all), `sep`, `end`. Raises `ValueError` for other
    streams.

    >>> print("step", convert([1.0, 2.5]), output_stream=sys.stdout)
    step [1 2.5]
    """
    stream = kwargs.pop("output_stream", sys.stderr)
    asked = kwargs.pop("summarize", None)
    edge = 3 if asked is None else attribute(asked, "summarize")
    sep, end = kwargs.pop("sep", " "), kwargs.pop("end", "\n")
    kwargs.pop("name", None)
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {sorted(kwargs)}")
    text = _alone(inputs[0]) if len(inputs) == 1 else None
    if text is None:
        text = sep.join([v if isinstance(v, str) else shown(v, edge) for v in inputs])
    text += end
    if isinstance(stream, str) and stream.startswith(_FILE):
        path = Path(stream.removeprefix(_FILE))
        with path.open("a", encoding="utf-8", errors=AS_BYTES) as file:
            file.write(text)
        return
    written = sys.stderr if stream in _LEVELS or _is_of_a_logger(stream) else stream
    if not hasattr(written, "write"):
        raise ValueError(
            f"Unsupported output stream, logging level, or file.{stream}. Supported streams are "
            "sys.stdout, sys.stderr, tf.logging.info, tf.logging.warning, tf.logging.error. File "
            "needs to be in the form of 'file://<filepath>'."
        )
    written.write(text.encode(errors=AS_BYTES).decode(errors="replace"))


def _is_of_a_logger(stream: Any) -> bool:
    """Say whether this is a logger's method for one of the levels."""
    if not isinstance(getattr(stream, "__self__", None), logging.Logger):
        return False
    return getattr(stream, "__name__", None) in {"info", "warning", "error"}


def _alone(value: Any) -> str | None:
    """Give the text of a tensor that is one: by itself it is printed as it is."""
    if not is_tensor(value) or getattr(value.dtype, "name", None) != "string" or value.shape.rank:
        return None
    text: bytes = np.asarray(look_at(convert(value))).item()
    return text.decode(errors=AS_BYTES)


AS_BYTES = "surrogateescape"
"""How bytes that are no UTF-8 are kept in a text."""
_FILE = "file://"
_LEVELS = (
    *(logging.INFO, logging.WARNING, logging.ERROR),
    *(0, -1, -2),  # the same of absl's
)


@singledispatch
def shown(value: Any, edge: int) -> str:
    """Write one value: tensors by their elements, structures as Python writes them.

    What is made of several tensors says itself how it is written.

    >>> shown({"b": convert(1.0), "a": [1, "x"]}, 3)
    "{'a': [1, 'x'], 'b': 1}"
    """
    if is_tensor(value):
        return array_text(np.asarray(look_at(convert(value))), edge)
    if isinstance(value, range):
        return repr(list(value))
    if not nest.is_nested(value):
        return repr(value)
    if isinstance(value, OrderedDict) or hasattr(value, "_fields"):
        parts = [_Shown(shown(v, edge)) for v in nest.flatten(value)]
        return repr(nest.pack_sequence_as(value, parts))
    if isinstance(value, dict):
        inner = ", ".join(f"{k!r}: {shown(value[k], edge)}" for k in sorted(value))
        return "{" + inner + "}"
    inner = ", ".join(shown(v, edge) for v in value)
    if isinstance(value, tuple):
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return f"[{inner}]"


class _Shown(str):
    """A text that a structure writes as it is."""

    __slots__ = ()
    __repr__ = str.__str__


def rows_text(rows: Any, edge: int, write: Callable[[str], str]) -> str:
    """Write lists of texts, however long each of them is, in one line.

    >>> rows_text([[b"1", b"2"], [], [b"3"]], 1, str)
    '[[1, 2], ..., [3]]'
    """
    if isinstance(rows, bytes):
        return write(rows.decode())
    parts = [rows_text(row, edge, write) for row in _ends(rows, edge)]
    if len(parts) < len(rows):
        parts.insert(edge, "...")
    return f"[{', '.join(parts)}]"


def quoted(text: str) -> str:
    r"""Write a text between quotes, of which those within are marked.

    >>> quoted("it's")
    "'it\\'s'"
    """
    return f"'{_MARKED.sub(_WITH_A_MARK, text)}'"


_MARKED, _WITH_A_MARK = re.compile(r"(['\\])"), r"\\\1"


def array_text(x: Any, edge: int, depth: int = 0) -> str:
    """Write the elements of an array, a line for each row.

    >>> array_text(np.arange(10), 3)
    '[0 1 2 ... 7 8 9]'
    """
    if x.ndim == 0:
        return _element(x[()])
    edge = edge if x.size else 0  # as TensorFlow, which shows no more rows than there are elements
    rows = [array_text(np.asarray(row, x.dtype), edge, depth + 1) for row in _ends(x, edge)]
    gap = "\n" * (x.ndim - 1) + " " * (depth + 1) if x.ndim > 1 else " "
    if len(rows) < len(x):
        rows.insert(edge, "..." if rows else gap + "...")
    return "[" + gap.join(rows) + "]"


def _ends(x: Any, edge: int) -> list[Any]:
    rows = list(x)
    return rows if edge < 0 or len(rows) <= 2 * edge else [*rows[:edge], *rows[len(rows) - edge :]]


def _element(x: Any) -> str:
    if isinstance(x, bytes):
        return f'"{_NO_TEXT.sub(_escaped, x.decode(errors=AS_BYTES))}"'
    if isinstance(x, np.bool_):
        return str(int(x))
    return _float_text(x) if isinstance(x, np.floating) else str(x)


_NO_TEXT = re.compile("[\x00-\x1f\x7f\"'\\\\]")
_LETTERS = {"\n": "n", "\r": "r", "\t": "t", '"': '"', "'": "'", "\\": "\\"}


def _escaped(found: re.Match[str]) -> str:
    r"""Write a character as C does: ``\t`` is a tab, and ``\033`` the byte 27."""
    return "\\" + (_LETTERS.get(found[0]) or f"{ord(found[0]):03o}")


def _float_text(x: Any) -> str:
    """Write as few digits as C's `%g` needs, of two choices, to give the number back."""
    few, all_of_them = (15, 17) if x.dtype == np.float64 else (6, 9)
    number = np.float64(x) if x.dtype == np.float64 else np.float32(x)
    text = f"{number:.{few}g}"
    exact = type(number)(text) == number or np.isnan(number)
    return text if exact else f"{number:.{all_of_them}g}"
