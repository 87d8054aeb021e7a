"""TensorFlow's `Dimension`: a size that may be unknown, as `TensorShape.dims` lists them."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NoReturn

Operator = Callable[[int, int], Any]


class Dimension:
    """A size, or None where it is not known; what is computed with an unknown one is unknown.

    Raises `ValueError` for a negative size and `TypeError` for what is no whole number.

    >>> Dimension(3) + 2, Dimension(None) * 2, Dimension(3) == 3, Dimension(3) < None
    (Dimension(5), Dimension(None), True, None)
    """

    __slots__ = ("_value",)
    __hash__ = None  # type: ignore[assignment]  # as TensorFlow's

    def __init__(self, value: Any) -> None:
        if isinstance(value, Dimension):
            value = value._value  # noqa: SLF001 - of its own class
        elif value is not None and not hasattr(value, "__index__"):
            raise TypeError(
                "Dimension value must be integer or None or have an __index__ method, got value "
                f"'{value!r}' with type '{type(value)!r}'"
            )
        self._value: int | None = None if value is None else int(value.__index__())
        if self._value is not None and self._value < 0:
            raise ValueError(f"Dimension {self._value} must be >= 0")

    @property
    def value(self) -> int | None:
        """The size, or None."""
        return self._value

    def is_compatible_with(self, other: Any) -> bool:
        """Say whether both could be the same size."""
        return (self == Dimension(other)) is not False

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raise `ValueError` unless both could be the same size."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Dimensions {self} and {other} are not compatible")

    def merge_with(self, other: Any) -> Dimension:
        """Give what is known by either; raises `ValueError` unless both could be the same."""
        self.assert_is_compatible_with(other)
        return Dimension(other if self._value is None else self)

    def __repr__(self) -> str:
        return f"Dimension({self._value!r})"

    def __str__(self) -> str:
        return "?" if self._value is None else str(self._value)

    def __bool__(self) -> bool:
        return bool(self._value)

    def __int__(self) -> int:
        return self._value  # type: ignore[return-value]  # Python's error for None, as TensorFlow

    def __index__(self) -> int:
        if self._value is None:
            raise ValueError("Cannot convert an unknown Dimension to a Tensor: ?")
        return self._value

    def __reduce__(self) -> Any:
        return Dimension, (self._value,)

    def __truediv__(self, other: Any) -> NoReturn:
        raise TypeError(
            f"unsupported operand type(s) for /: 'Dimension' and '{type(other).__name__}', "
            "please use // instead"
        )

    def __rtruediv__(self, other: Any) -> NoReturn:
        raise TypeError(
            f"unsupported operand type(s) for /: '{type(other).__name__}' and 'Dimension', "
            "please use // instead"
        )


def _pair(x: Dimension, other: Any) -> tuple[int | None, int | None] | None:
    """Read two sizes; None if the other one is no size."""
    try:
        return x.value, Dimension(other).value
    except (AttributeError, TypeError, ValueError):
        return None


def _sizes(compute: Operator, *, is_turned: bool = False) -> Any:
    def method(self: Dimension, other: Any) -> Any:
        pair = _pair(self, other)
        if pair is None:
            return NotImplemented
        a, b = reversed(pair) if is_turned else pair
        return Dimension(None if a is None or b is None else compute(a, b))

    return method


def _compared(compute: Operator) -> Any:
    def method(self: Dimension, other: Any) -> Any:
        pair = _pair(self, other)
        if pair is None:
            return NotImplemented
        a, b = pair
        return None if a is None or b is None else compute(a, b)

    return method


for _name in ("add", "sub", "mul", "floordiv", "mod"):
    setattr(Dimension, f"__{_name}__", _sizes(getattr(operator, _name)))
    setattr(Dimension, f"__r{_name}__", _sizes(getattr(operator, _name), is_turned=True))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Dimension, f"__{_name}__", _compared(getattr(operator, _name)))
