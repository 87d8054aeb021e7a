"""Methods that take tensors of a graph, only while one is built: operators, brackets, tapes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from symtape.tensor.operators import OPERATORS
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable

_KINDS = (Tensor, Variable)


class Operators:
    """The operators of tensors and variables, which are others only while a graph is built.

    Python asks the class at the left, which is one of these or extends it, before it asks that of a
    tensor of a graph. `lifted` makes an operator that takes one, and `brackets` brackets; where no
    graph is built these would only be in the way.
    """

    def __init__(self, lifted: Callable[[Any], Any], brackets: Callable[[Any], Any]) -> None:
        makers = dict.fromkeys(OPERATORS, lifted) | {"__getitem__": brackets}
        self._makers: dict[tuple[type, str], Callable[[Any], Any]] = {
            (kind, name): made for kind in _KINDS for name, made in makers.items()
        }
        self._lock = threading.Lock()
        self._graphs = 0
        self._own: list[tuple[type, str, Any]] = []

    def add(self, kind: type, name: str, lifted: Callable[[Any], Any]) -> None:
        """Have a method of another class be another one, too."""
        self._makers[kind, name] = lifted

    def lift(self) -> None:
        """Begin to build a graph."""
        with self._lock:
            self._graphs += 1
            if self._graphs == 1:
                self._own = [(kind, name, vars(kind)[name]) for kind, name in self._makers]
                for kind, name, run in self._own:
                    setattr(kind, name, self._makers[kind, name](run))

    def restore(self) -> None:
        """End building it."""
        with self._lock:
            self._graphs -= 1
            if not self._graphs:
                for kind, name, run in self._own:
                    setattr(kind, name, run)
