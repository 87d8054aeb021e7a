"""Checks of values that raise where they fail: `tf.debugging`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import FLOATS, check, tensor
from symtape.ops.elementwise import comparison
from symtape.ops.elementwise.conversion import identity
from symtape.tensor.convert import convert
from symtape.tensor.requirements import all_true, finite, meets
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, look_at, shape_of

_Check = Callable[..., None]
_SHOWN = 3
"""Elements of a tensor that are shown, unless the caller says how many."""


def prefix(message: Any) -> str:
    """Give the caller's words as they stand before a text of TensorFlow's."""
    return f"{message}.  " if message else ""


def described(x: Tensor) -> str:
    """Give the words for a tensor that has no name."""
    return f"shape={x.shape} dtype={x.dtype.name}"


def _many(summarize: Any) -> int:
    """Say how many elements are shown: all, if the number is negative."""
    return _SHOWN if summarize is None else summarize if summarize >= 0 else 10**9


def _elements(x: Tensor, summarize: int) -> str:
    """Show a tensor in an error: its first elements, as a list of texts."""
    value = np.asarray(look_at(x))
    if not value.shape:
        return str(value[()])
    shown = [str(v) for v in value.ravel()[:summarize]]
    return str([*shown, "..."] if len(shown) < value.size else shown)


def _raise(lines: list[Any]) -> None:
    raise InvalidArgumentError(message="\n".join(map(str, lines)))


# --- two tensors ----------------------------------------------------------------------------------


def _compared(name: str, holds: Callable[[Any, Any], Tensor], sign: str, y: int) -> _Check:
    def function(
        x: Any, y: Any, message: Any = None, summarize: Any = None, name: str | None = None
    ) -> None:
        a, b = tensor(x), tensor(y)
        held = holds(a, b)
        if not meets(held, all_true):
            true = np.asarray(look_at(held))
            said = [] if message is None else [message]
            _raise([*said, f"Condition x {sign} y did not hold.", *_both(a, b, true, summarize)])

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"Raise `InvalidArgumentError` unless x {sign} y everywhere, with broadcasting.\n\n"
        "    `message` is put before the text of the error, which shows the first `summarize`\n"
        f"    elements; a negative number shows all.\n\n    >>> {name}([2, 2], {y})\n    "
    )
    return function


def _both(a: Tensor, b: Tensor, true: Any, summarize: Any) -> list[Any]:
    """Show two tensors: where they fail, if their shapes are one, and how they begin."""
    shown = _many(summarize)
    x, y = (np.asarray(look_at(t)) for t in (a, b))
    lines: list[Any] = []
    if shown and x.shape == y.shape and x.shape:
        places = np.argwhere(~true)[:shown]
        lines += [f"Indices of first {len(places)} different values:", places]
        lines += ["Corresponding x values:", x[~true][:shown]]
        lines += ["Corresponding y values:", y[~true][:shown]]
    for letter, values in (("x", x), ("y", y)) if shown else ():
        first = values.ravel()[:shown]
        lines += [f"First {first.size} elements of {letter}:", first]
    return lines


def assert_equal(
    x: Any, y: Any, message: Any = None, summarize: Any = None, name: str | None = None
) -> None:
    """Raise `InvalidArgumentError` unless x == y everywhere, with broadcasting.

    `message` is put before the text of the error, which shows the first `summarize` elements; a
    negative number shows all. A thing is equal to itself, also where it has nans.

    >>> assert_equal([2, 2], 2)
    """
    if x is not y:
        _same(x, y, message, summarize)


_same = _compared("assert_equal", comparison.equal, "==", 2)


def assert_none_equal(
    x: Any, y: Any, summarize: Any = None, message: Any = None, name: str | None = None
) -> None:
    """Raise `InvalidArgumentError` unless x != y everywhere, with broadcasting.

    >>> assert_none_equal([1, 2], [2, 1])
    """
    _differ(x, y, message, summarize)


_differ = _compared("assert_none_equal", comparison.not_equal, "!=", 3)
assert_less = _compared("assert_less", comparison.less, "<", 3)
assert_less_equal = _compared("assert_less_equal", comparison.less_equal, "<=", 2)
assert_greater = _compared("assert_greater", comparison.greater, ">", 1)
assert_greater_equal = _compared("assert_greater_equal", comparison.greater_equal, ">=", 2)


def assert_near(
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    message: Any = None,
    summarize: Any = None,
    name: str | None = None,
) -> None:
    """Raise `InvalidArgumentError` unless |x - y| < atol + rtol |y| everywhere.

    Both tolerances are ten times the resolution of the dtype unless they are given.

    >>> assert_near(1.0, 1.0000001)
    """
    a = tensor(x)
    b = convert(y, a.dtype)
    real = np.dtype(dtype_of(a)).type(0).real.dtype
    near = [10 * np.finfo(real).eps if t is None else t for t in (rtol, atol)]
    relative, absolute = (convert(t, real) for t in near)
    bound = look_at(absolute) + look_at(relative) * np.abs(look_at(b))
    if not (true := np.abs(look_at(a) - look_at(b)) < bound).all():
        told = f"x and y not equal to tolerance rtol = {relative!s}, atol = {absolute!s}"
        both = [f"x ({described(a)}) = ", a, f"y ({described(b)}) = ", b]
        Assert(convert(np.all(true)), [prefix(message), told, *both], summarize)


# --- one tensor -----------------------------------------------------------------------------------


def _signed(name: str, holds: Callable[[Any], Any], sign: str, x: float, end: str = "\n") -> _Check:
    """Make a check of a tensor's sign; `end` is what TensorFlow puts after the condition."""

    def requirement(value: Any) -> bool:
        return bool(np.all(holds(value)))

    def function(
        x: Any, message: Any = None, summarize: Any = None, name: str | None = None
    ) -> None:
        a = tensor(x)
        if not meets(a, requirement):
            told = f"Condition x {sign} 0 did not hold element-wise:{end}x ({described(a)}) = "
            _raise([prefix(message), told, _elements(a, _many(summarize))])

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"Raise `InvalidArgumentError` unless x {sign} 0 everywhere.\n\n    >>> {name}([{x}])\n    "
    )
    return function


assert_positive = _signed("assert_positive", lambda x: x > 0, ">", 1.0)
assert_negative = _signed("assert_negative", lambda x: x < 0, "<", -1.0)
assert_non_negative = _signed("assert_non_negative", lambda x: x >= 0, ">=", 0.0)
assert_non_positive = _signed("assert_non_positive", lambda x: x <= 0, "<=", 0.0, "")


def Assert(condition: Any, data: Any, summarize: Any = None, name: str | None = None) -> None:  # noqa: N802 - TensorFlow's name
    """Raise `InvalidArgumentError`, with `data` in its text, unless a condition is true.

    Of each of `data` the first three elements are shown, or `summarize` of them.

    >>> Assert(2 > 1, [2])
    """
    if not bool(condition):
        shown = "\n".join(_summary(tensor(d), summarize) for d in data)
        raise InvalidArgumentError(
            message=f"Expected '{condition!s}' to be true. Summarized data: {shown}"
        )


def _summary(x: Tensor, summarize: Any) -> str:
    value = np.asarray(look_at(x))
    shown = [str(v) for v in value.ravel()[: _many(summarize)]]
    return ", ".join([*shown, "..."] if len(shown) < value.size and shape_of(x) else shown)


def check_numerics(tensor: Any, message: str, name: str | None = None) -> Tensor:
    """Give a tensor as it is; raise `InvalidArgumentError` if it holds infinities or nans.

    >>> check_numerics([1.0], "weights").numpy()
    array([1.], dtype=float32)
    """
    x = convert(tensor)
    check("CheckNumerics", x, FLOATS, "tensor:T -> output:T")
    if meets(x, finite):
        return identity(x)
    value = look_at(x)
    found = [what for what, test in (("NaN", np.isnan), ("Inf", np.isinf)) if np.any(test(value))]
    told = f"{message} : Tensor had {' and '.join(sorted(found))} values"
    raise InvalidArgumentError.of("CheckNumerics", told)


def assert_all_finite(x: Any, message: str, name: str | None = None) -> Tensor:
    """See `check_numerics`.

    >>> assert_all_finite([1.0, 2.0], "loss").numpy()
    array([1., 2.], dtype=float32)
    """
    return check_numerics(x, message)
