"""What is imported when it is first asked for, so that nobody waits for what he does not use."""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Late:
    """Stands for a module that is imported when something of it is first asked for.

    >>> fractions = Late("fractions")
    >>> fractions.Fraction(1, 2)
    Fraction(1, 2)
    """

    def __init__(self, module: str) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self._module), name)
        setattr(self, name, value)
        return value
