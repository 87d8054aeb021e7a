"""The graph in which TensorFlow would trace the function that runs: here it is no more than a name.

Packages keep what they find out of a function by the identity of its graph. Each call of a function
runs anew, so each has a graph of its own.
"""

from __future__ import annotations

from typing import Any, NoReturn
from weakref import WeakKeyDictionary

from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.scopes import SCOPES
from symtape.tensor.within import WITHIN


class DefaultGraph:
    """What stands for a graph: it gives out names. All else raises `AttributeError`.

    >>> DefaultGraph().unique_name("net")
    'net'
    """

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """Give a name within the scopes that are open."""
        return SCOPES.within(name).removesuffix("/")

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(
            f"'Graph' object has no attribute {name!r}: there are no graphs and sessions: call "
            "functions, and decorate them with tf.function"
        )


_OF_CALLS: WeakKeyDictionary[Any, DefaultGraph] = WeakKeyDictionary()
_ASKED_FOR: list[DefaultGraph] = []
"""All that somebody may know by its `id`, which no other one gets."""


def get_default_graph() -> DefaultGraph:
    """Give the graph of the function that runs in this thread, or of none.

    >>> get_default_graph().unique_name("net")
    'net'
    """
    if WITHIN.find is None:
        return DefaultGraph()
    if WITHIN.find not in _OF_CALLS:
        _OF_CALLS[WITHIN.find] = DefaultGraph()
        _ASKED_FOR.append(_OF_CALLS[WITHIN.find])
    return _OF_CALLS[WITHIN.find]


def _graph_of(tensor: Tensor) -> DefaultGraph:
    """Give the graph of the function that runs; outside of one a tensor has none."""
    if WITHIN.find is None:
        raise AttributeError("Tensor.graph is undefined when eager execution is enabled.")
    return get_default_graph()


Tensor.graph = property(_graph_of)  # type: ignore[attr-defined]  # the class lies below
