"""How messages of operations say how they were called, as TensorFlow's do."""

from __future__ import annotations

from typing import Self


class Call(str):
    """The name of an operation, with what messages say of how it was called.

    `many` are its operands or results, where it takes or gives any number; without a `name` nothing
    is said of one, as TensorFlow does where not all that an operation takes are tensors.

    >>> Call("Pack", many="N_2", name="stack").tail, Call("Slice", name=None).tail
    ('[Op:Pack] name: stack', '[Op:Slice]')
    """

    __slots__ = ("many", "name")

    def __new__(cls, op: str, *, many: str = "", name: str | None = "") -> Self:
        """Keep what is said beside the name of the operation."""
        made = super().__new__(cls, op)
        made.many, made.name = many, name
        return made

    many: str
    name: str | None

    @property
    def kernel(self) -> str:
        """What a message calls the function that was called."""
        return f"{self}_{self.many}" if self.many else str(self)

    @property
    def tail(self) -> str:
        """What stands at the end of a message."""
        return f"[Op:{self}]" if self.name is None else f"[Op:{self}] name: {self.name}"
