"""Checks that raise where they fail, and printing."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from symtape import nest
from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import is_tensor, pair, tensor
from symtape.ops.conversion import identity
from symtape.tensor.tensor import Tensor, convert

_Check = Callable[..., None]


def _compared(name: str, holds: Callable[[Any, Any], Any], sign: str) -> _Check:
    def function(x: Any, y: Any, message: Any = None, summarize: Any = None, name: str | None = None) -> None:
        a, b = pair(x, y)
        if not np.all(holds(a.value, b.value)):
            raise InvalidArgumentError(
                message=f"{message or ''}\nCondition x {sign} y did not hold.\n"
                f"x: {a.value}\ny: {b.value}".lstrip("\n")
            )

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"Raise `InvalidArgumentError` unless x {sign} y everywhere, with broadcasting.\n\n"
        f"    `message` is put before the text of the error.\n    "
    )
    return function


assert_equal = _compared("assert_equal", np.equal, "==")


def assert_none_equal(
    x: Any, y: Any, summarize: Any = None, message: Any = None, name: str | None = None
) -> None:
    """Raise `InvalidArgumentError` unless x != y everywhere, with broadcasting."""
    _differ(x, y, message)


_differ = _compared("assert_none_equal", np.not_equal, "!=")
assert_less = _compared("assert_less", np.less, "<")
assert_less_equal = _compared("assert_less_equal", np.less_equal, "<=")
assert_greater = _compared("assert_greater", np.greater, ">")
assert_greater_equal = _compared("assert_greater_equal", np.greater_equal, ">=")


def _signed(name: str, holds: Callable[[Any], Any], sign: str) -> _Check:
    def function(x: Any, message: Any = None, summarize: Any = None, name: str | None = None) -> None:
        a = tensor(x)
        if not np.all(holds(a.value)):
            raise InvalidArgumentError(
                message=f"{message or ''}\nCondition x {sign} 0 did not hold.\nx: {a.value}".lstrip("\n")
            )

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Raise `InvalidArgumentError` unless x {sign} 0 everywhere."
    return function


assert_positive = _signed("assert_positive", lambda x: x > 0, ">")
assert_negative = _signed("assert_negative", lambda x: x < 0, "<")
assert_non_negative = _signed("assert_non_negative", lambda x: x >= 0, ">=")
assert_non_positive = _signed("assert_non_positive", lambda x: x <= 0, "<=")


def assert_near(
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    message: Any = None,
    summarize: Any = None,
    name: str | None = None,
) -> None:
    """Raise `InvalidArgumentError` unless |x - y| <= atol + rtol |y| everywhere.

    Both tolerances are ten times the resolution of the dtype unless they are given.
    """
    a, b = pair(x, y)
    eps = 10 * np.finfo(a.value.dtype).eps
    bound = (eps if atol is None else np.asarray(atol)) + (eps if rtol is None else np.asarray(rtol)) * np.abs(b.value)
    if not np.all(np.abs(a.value - b.value) <= bound):
        raise InvalidArgumentError(
            message=f"{message or ''}\nx and y not equal to tolerance rtol = {rtol or eps}, atol = "
            f"{atol or eps}\nx: {a.value}\ny: {b.value}".lstrip("\n")
        )


def assert_rank(x: Any, rank: Any, message: Any = None, name: str | None = None) -> None:
    """Raise `ValueError` unless a tensor has a number of axes."""
    a = tensor(x)
    wanted = int(convert(rank).value)
    if a.value.ndim != wanted:
        raise ValueError(
            f"{message or ''}  Tensor {a!r} must have rank {wanted}.  Received rank {a.value.ndim}, "
            f"shape {a.shape}".lstrip()
        )


def assert_shapes(
    shapes: Any, data: Any = None, summarize: Any = None, message: Any = None, name: str | None = None
) -> None:
    """Raise `ValueError` unless tensors have shapes, given as pairs or as a dict.

    A size is a number, None or `...`-free text, which stands for one number throughout.
    """
    known: dict[str, int] = {}
    rows = shapes.items() if isinstance(shapes, dict) else shapes
    for value, symbols in rows:
        a = tensor(value.deref() if hasattr(value, "deref") else value)
        wanted = list(symbols) if isinstance(symbols, (list, tuple, str)) else [symbols]
        _match_shape(a, wanted, known, message)


def _match_shape(a: Tensor, wanted: list[Any], known: dict[str, int], message: Any) -> None:
    sizes = a.value.shape
    fits = len(sizes) == len(wanted)
    for n, symbol in zip(sizes, wanted, strict=False):
        if isinstance(symbol, str) and symbol not in {"."}:
            fits = fits and known.setdefault(symbol, n) == n
        elif symbol not in {None, "."}:
            fits = fits and n == int(symbol)
    if not fits:
        raise ValueError(
            f"{message or ''} Tensor of shape {a.shape} must have shape {tuple(wanted)}, where "
            f"{known}".lstrip()
        )


def Assert(condition: Any, data: Any, summarize: Any = None, name: str | None = None) -> None:  # noqa: N802 - TensorFlow's name
    """Raise `InvalidArgumentError`, with `data` in its text, unless a condition is true."""
    if not bool(condition):
        shown = "\n".join([str(tensor(d).value) for d in data])
        raise InvalidArgumentError(
            message=f"Expected '{condition}' to be true. Summarized data: {shown}"
        )


def check_numerics(tensor: Any, message: str, name: str | None = None) -> Tensor:
    """Give a tensor as it is; raise `InvalidArgumentError` if it holds infinities or nans.

    >>> check_numerics([1.0], "weights").numpy()
    array([1.], dtype=float32)
    """
    x = convert(tensor)
    found = [what for what, test in (("Inf", np.isinf), ("NaN", np.isnan)) if np.any(test(x.value))]
    if found:
        raise InvalidArgumentError(message=f"{message} : Tensor had {' and '.join(found)} values")
    return identity(x)


def assert_all_finite(x: Any, message: str, name: str | None = None) -> Tensor:
    """See `check_numerics`."""
    return check_numerics(x, message)


def print(*inputs: Any, **kwargs: Any) -> None:
    """Print tensors and anything else, to the standard error stream unless `output_stream` says.

    Keywords: `output_stream` (a stream or "file://path"), `summarize` (how many elements to show at
    each end of an axis, 3; -1 for all), `sep`, `end`.
    """
    stream = kwargs.pop("output_stream", sys.stderr)
    edge = kwargs.pop("summarize", 3)
    sep, end = kwargs.pop("sep", " "), kwargs.pop("end", "\n")
    kwargs.pop("name", None)
    if kwargs:
        raise ValueError(f"Unrecognized keyword arguments for tf.print: {sorted(kwargs)}")
    text = sep.join([_shown(v, edge) for v in inputs]) + end
    if isinstance(stream, str):
        with open(stream.removeprefix("file://"), "a", encoding="utf-8") as file:  # noqa: PTH123
            file.write(text)
    else:
        stream.write(text)


def _shown(value: Any, edge: int) -> str:
    if is_tensor(value):
        return _array_text(convert(value).value, edge)
    if nest.is_nested(value):
        return _structure_text(value, edge)
    return str(value)


def _structure_text(value: Any, edge: int) -> str:
    if isinstance(value, dict):
        inner = ", ".join(f"{k!r}: {_quoted(v, edge)}" for k, v in value.items())
        return "{" + inner + "}"
    inner = ", ".join(_quoted(v, edge) for v in value)
    if isinstance(value, tuple):
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return f"[{inner}]"


def _quoted(value: Any, edge: int) -> str:
    return repr(value) if isinstance(value, str) else _shown(value, edge)


def _array_text(x: Any, edge: int) -> str:
    if np.ndim(x) == 0:
        return _element(x, alone=True)
    rows = list(x)
    if edge >= 0 and len(rows) > 2 * edge:
        shown = [_array_text_of(r, edge) for r in rows[:edge]]
        shown += ["..."] + [_array_text_of(r, edge) for r in rows[-edge:]]
    else:
        shown = [_array_text_of(r, edge) for r in rows]
    gap = "\n" * (np.ndim(x) - 1) + " " if np.ndim(x) > 1 else " "
    return "[" + gap.join(shown) + "]"


def _array_text_of(x: Any, edge: int) -> str:
    if np.ndim(x) == 0:
        return _element(x, alone=False)
    return _array_text(x, edge).replace("\n", "\n")


def _element(x: Any, *, alone: bool) -> str:
    if isinstance(x, bytes):
        return x.decode() if alone else '"' + x.decode() + '"'
    if isinstance(x, (bool, np.bool_)):
        return str(int(x))
    if isinstance(x, (float, np.floating)):
        return _float_text(x)
    return str(x)


def _float_text(x: Any) -> str:
    if not np.isfinite(x):
        return "nan" if np.isnan(x) else ("inf" if x > 0 else "-inf")
    text = np.format_float_positional(x, trim="-")
    if 1e-5 <= builtins.abs(float(x)) < 1e15 or x == 0:
        return text
    mantissa, _, exponent = np.format_float_scientific(x, trim="-").partition("e")
    return f"{mantissa}e{int(exponent):+03d}"


