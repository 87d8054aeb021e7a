"""What Python has for other objects, and a variable refuses: each says what to write instead."""

from __future__ import annotations

from typing import Any, NoReturn


class Refusals:
    """A size, a hash, formats, and operators that would assign."""

    __slots__ = ()

    def __len__(self) -> NoReturn:
        raise TypeError("object of type 'ResourceVariable' has no len()")

    def __hash__(self) -> NoReturn:
        raise TypeError(
            f"Variable is unhashable. Instead, use variable.ref() as the key. (Variable: {self!r})"
        )

    def __format__(self, spec: str) -> str:
        if spec:
            raise TypeError("unsupported format string passed to ResourceVariable.__format__")
        return repr(self)

    def __setitem__(self, key: Any, value: Any) -> NoReturn:
        raise TypeError("'ResourceVariable' object does not support item assignment")

    def __iadd__(self, other: Any) -> NoReturn:
        _refuse("variable", "+", "assign_add(value)")

    def __isub__(self, other: Any) -> NoReturn:
        _refuse("variable", "-", "assign_sub(value)")

    def __imul__(self, other: Any) -> NoReturn:
        _refuse("var", "*", "assign(var * value)")

    def __itruediv__(self, other: Any) -> NoReturn:
        _refuse("var", "/", "assign(var / value)")

    def __ipow__(self, other: Any) -> NoReturn:
        _refuse("var", "**", "assign(var ** value)")


def _refuse(name: str, operator: str, call: str) -> NoReturn:
    """Raise `RuntimeError` for an operator that would assign, with what to write instead."""
    raise RuntimeError(
        f"`{name} {operator}= value` with `tf.Variable`s is not supported. Use `{name}.{call}` "
        f"to modify the variable, or `out = {name} {operator} value` if you need to get a new "
        "output Tensor."
    )
