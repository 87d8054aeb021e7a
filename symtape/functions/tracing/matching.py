"""A quick look at the arguments of a call: are they built as those of the call before?

Taking arguments apart costs more than many a small gradient. So once a structure of lists, tuples,
dicts, arrays and numbers has come back, code is written that does nothing but compare it with what
comes, and gives the arrays; whatever it does not know is left to `Arguments`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Matcher = Callable[..., "tuple[Any, ...] | None"]
"""Gives the arrays of positional arguments, or None where they are built in another way."""

_PLAIN = (int, bool, str, type(None))
_MOST = 256


def matcher(args: tuple[Any, ...]) -> Matcher | None:
    """Write the matcher of some arguments; None where a part of them is of no simple type."""
    writer = _Writer()
    for k, arg in enumerate(args):
        if not writer.take(f"a{k}", arg) or len(writer.found) > _MOST:
            return None
    names = ", ".join(f"a{k}" for k in range(len(args)))
    comma = "," if len(writer.found) == 1 else ""
    lines = [
        *writer.lines,
        f"return {', '.join(writer.found)}{comma}" if writer.found else "return ()",
    ]
    text = "\n    ".join([f"def match({names}):", *lines])
    exec(text, writer.constants)  # noqa: S102 - of names we made
    match: Matcher = writer.constants["match"]
    return match


class _Writer:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.found: list[str] = []
        self.constants: dict[str, Any] = {"ndarray": np.ndarray, "float64": np.float64}

    def constant(self, value: Any) -> str:
        """Name a value that arguments are compared with."""
        name = f"c{len(self.constants)}"
        self.constants[name] = value
        return name

    def refuse(self, condition: str) -> None:
        """Leave arguments for which something holds to others."""
        self.lines.append(f"if {condition}: return None")

    def take(self, name: str, value: Any) -> bool:
        """Write how one argument is compared and taken apart."""
        kind = type(value)
        if kind is np.ndarray:
            return self._array(name, value)
        if kind in {float, np.float64}:
            self.refuse(f"{name}.__class__ is not {'float' if kind is float else 'float64'}")
            self.found.append(f"float64({name})")
            return True
        if kind in _PLAIN:
            known = self.constant(value)
            self.refuse(f"{name}.__class__ is not {known}.__class__ or {name} != {known}")
            return True
        if kind in {list, tuple}:
            self.refuse(f"{name}.__class__ is not {kind.__name__} or len({name}) != {len(value)}")
            parts = [(f"{name}_{k}", part) for k, part in enumerate(value)]
            if parts:
                self.lines.append(f"{', '.join(n for n, _ in parts)}, = {name}")
            return all([self.take(n, part) for n, part in parts])
        return kind is dict and self._mapping(name, value)

    def _array(self, name: str, value: Any) -> bool:
        if not value.ndim or value.dtype.kind not in "fciub" or not value.dtype.isnative:
            return False
        dtype = self.constant(value.dtype)
        self.refuse(
            f"{name}.__class__ is not ndarray or {name}.dtype is not {dtype} "
            f"or {name}.shape != {value.shape}"
        )
        self.found.append(name)
        return True

    def _mapping(self, name: str, value: dict[Any, Any]) -> bool:
        """Compare the keys, too; leaves are in the order of sorted keys."""
        if not all([type(key) is str for key in value]):
            return False
        keys = self.constant(dict.fromkeys(value).keys())
        self.refuse(f"{name}.__class__ is not dict or {name}.keys() != {keys}")
        parts = []
        for k, key in enumerate(sorted(value)):
            self.lines.append(f"{name}_{k} = {name}[{self.constant(key)}]")
            parts.append((f"{name}_{k}", value[key]))
        return all([self.take(n, part) for n, part in parts])
