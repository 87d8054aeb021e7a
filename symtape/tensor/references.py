"""What stands for a tensor, or any object, by its identity."""

from __future__ import annotations

from typing import Any


class Reference:
    """A hashable reference to an object; `deref` gives the object.

    References to one object are equal, and all of them have an order, in which a structure whose
    keys they are is taken apart. Raises `TypeError` where one is compared with what is none.

    >>> from symtape.tensor.convert import convert
    >>> x, y = convert(1.0), convert(1.0)
    >>> x.ref() == x.ref(), x.ref() == y.ref(), x.ref().deref() is x
    (True, False, True)
    """

    __slots__ = ("__weakref__", "_key", "_referred")

    def __init__(self, referred: Any) -> None:
        self._referred = referred
        self._key = id(referred)

    def deref(self) -> Any:
        """Give what is referred to."""
        return self._referred

    def __hash__(self) -> int:
        return self._key

    def __eq__(self, other: object) -> bool:
        return other is not None and self.deref() is _compared(other).deref()

    def __lt__(self, other: object) -> bool:
        return self._key < _compared(other)._key

    def __gt__(self, other: object) -> bool:
        return self._key > _compared(other)._key

    def __repr__(self) -> str:
        return f"<{type(self).__name__} wrapping {self.deref()!r}>"


def _compared(other: object) -> Reference:
    if isinstance(other, Reference):
        return other
    raise TypeError("Cannot compare wrapped object with unwrapped object")
