"""Checks that raise where they fail: `tf.debugging`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import pair, tensor
from symtape.ops.elementwise.conversion import identity
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, look_at, shape_of

_Check = Callable[..., None]


def _compared(name: str, holds: Callable[[Any, Any], Any], sign: str, y: int) -> _Check:
    def function(
        x: Any, y: Any, message: Any = None, summarize: Any = None, name: str | None = None
    ) -> None:
        a, b = pair(x, y)
        if not np.all(holds(look_at(a), look_at(b))):
            raise InvalidArgumentError(
                message=f"{message or ''}\nCondition x {sign} y did not hold.\n"
                f"x: {look_at(a)}\ny: {look_at(b)}".lstrip("\n")
            )

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"Raise `InvalidArgumentError` unless x {sign} y everywhere, with broadcasting.\n\n"
        f"    `message` is put before the text of the error.\n\n    >>> {name}([2, 2], {y})\n    "
    )
    return function


assert_equal = _compared("assert_equal", np.equal, "==", 2)


def assert_none_equal(
    x: Any, y: Any, summarize: Any = None, message: Any = None, name: str | None = None
) -> None:
    """Raise `InvalidArgumentError` unless x != y everywhere, with broadcasting.

    >>> assert_none_equal([1, 2], [2, 1])
    """
    _differ(x, y, message)


_differ = _compared("assert_none_equal", np.not_equal, "!=", 3)
assert_less = _compared("assert_less", np.less, "<", 3)
assert_less_equal = _compared("assert_less_equal", np.less_equal, "<=", 2)
assert_greater = _compared("assert_greater", np.greater, ">", 1)
assert_greater_equal = _compared("assert_greater_equal", np.greater_equal, ">=", 2)


def _signed(name: str, holds: Callable[[Any], Any], sign: str, x: float) -> _Check:
    def function(
        x: Any, message: Any = None, summarize: Any = None, name: str | None = None
    ) -> None:
        a = tensor(x)
        if not np.all(holds(look_at(a))):
            text = f"{message or ''}\nCondition x {sign} 0 did not hold.\nx: {look_at(a)}"
            raise InvalidArgumentError(message=text.lstrip("\n"))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"Raise `InvalidArgumentError` unless x {sign} 0 everywhere.\n\n    >>> {name}([{x}])\n    "
    )
    return function


assert_positive = _signed("assert_positive", lambda x: x > 0, ">", 1.0)
assert_negative = _signed("assert_negative", lambda x: x < 0, "<", -1.0)
assert_non_negative = _signed("assert_non_negative", lambda x: x >= 0, ">=", 0.0)
assert_non_positive = _signed("assert_non_positive", lambda x: x <= 0, "<=", 0.0)


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

    >>> assert_near(1.0, 1.0000001)
    """
    a, b = pair(x, y)
    eps = 10 * np.finfo(dtype_of(a)).eps
    absolute = eps if atol is None else np.asarray(atol)
    relative = eps if rtol is None else np.asarray(rtol)
    bound = absolute + relative * np.abs(look_at(b))
    if not np.all(np.abs(look_at(a) - look_at(b)) <= bound):
        raise InvalidArgumentError(
            message=f"{message or ''}\nx and y not equal to tolerance rtol = {rtol or eps}, atol = "
            f"{atol or eps}\nx: {look_at(a)}\ny: {look_at(b)}".lstrip("\n")
        )


def assert_rank(x: Any, rank: Any, message: Any = None, name: str | None = None) -> None:
    """Raise `ValueError` unless a tensor has a number of axes.

    >>> assert_rank([2.0, 3.0], 1)
    """
    a = tensor(x)
    wanted = int(look_at(convert(rank)))
    if a.ndim != wanted:
        raise ValueError(
            f"{message or ''}  Tensor {a!r} must have rank {wanted}.  Received rank "
            f"{a.ndim}, shape {a.shape}".lstrip()
        )


def assert_shapes(
    shapes: Any,
    data: Any = None,
    summarize: Any = None,
    message: Any = None,
    name: str | None = None,
) -> None:
    """Raise `ValueError` unless tensors have shapes, given as pairs or as a dict.

    A size is a number, None or `...`-free text, which stands for one number throughout.

    >>> import numpy as np
    >>> assert_shapes([(np.ones((2, 3)), ("n", 3))])
    """
    known: dict[str, int] = {}
    rows = shapes.items() if isinstance(shapes, dict) else shapes
    for value, symbols in rows:
        a = tensor(value.deref() if hasattr(value, "deref") else value)
        wanted = list(symbols) if isinstance(symbols, (list, tuple, str)) else [symbols]
        _match_shape(a, wanted, known, message)


def _match_shape(a: Tensor, wanted: list[Any], known: dict[str, int], message: Any) -> None:
    sizes = shape_of(a)
    fits = len(sizes) == len(wanted)
    for n, symbol in zip(sizes, wanted, strict=False):
        if isinstance(symbol, str) and symbol != ".":
            fits = fits and known.setdefault(symbol, n) == n
        elif symbol not in {None, "."}:
            fits = fits and n == int(symbol)
    if not fits:
        raise ValueError(
            f"{message or ''} Tensor of shape {a.shape} must have shape {tuple(wanted)}, where "
            f"{known}".lstrip()
        )


def Assert(condition: Any, data: Any, summarize: Any = None, name: str | None = None) -> None:  # noqa: N802 - TensorFlow's name
    """Raise `InvalidArgumentError`, with `data` in its text, unless a condition is true.

    >>> Assert(2 > 1, [2])
    """
    if not bool(condition):
        shown = "\n".join([str(look_at(tensor(d))) for d in data])
        raise InvalidArgumentError(
            message=f"Expected '{condition}' to be true. Summarized data: {shown}"
        )


def check_numerics(tensor: Any, message: str, name: str | None = None) -> Tensor:
    """Give a tensor as it is; raise `InvalidArgumentError` if it holds infinities or nans.

    >>> check_numerics([1.0], "weights").numpy()
    array([1.], dtype=float32)
    """
    x = convert(tensor)
    found = [
        what for what, test in (("Inf", np.isinf), ("NaN", np.isnan)) if np.any(test(look_at(x)))
    ]
    if found:
        raise InvalidArgumentError(message=f"{message} : Tensor had {' and '.join(found)} values")
    return identity(x)


def assert_all_finite(x: Any, message: str, name: str | None = None) -> Tensor:
    """See `check_numerics`.

    >>> assert_all_finite([1.0, 2.0], "loss").numpy()
    array([1., 2.], dtype=float32)
    """
    return check_numerics(x, message)
