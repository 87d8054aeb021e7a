"""Trees whose meaning is settled: operations of one closed table on arrays of known shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from symtape.notation.sizes import MismatchError, Shape, Sizes
from symtape.notation.tree import Node, folded, refused


class Typed(NamedTuple):
    """An operation of `words.COMPUTE`, an entrywise function, a name or a number, and its shape."""

    word: str
    operands: tuple[Typed, ...]
    shape: Shape
    value: Any = None


class Reader:
    """Reads the nodes of one notation, each after its operands; `variables` have shapes.

    Raises `NotationError` where an operation cannot be applied to what it is given.
    """

    def __init__(self, text: str, sizes: Sizes, variables: Mapping[str, Shape]) -> None:
        self.text, self.sizes, self.variables = text, sizes, variables

    def read(self, root: Node) -> Any:
        """Settle what a tree means."""
        return folded(root, self._read)

    def _read(self, node: Node, own: list[Any]) -> Any:
        try:
            return self.node(node, own)
        except MismatchError:
            raise refused(self.text, node.at, self.misfit(node, own)) from None

    def misfit(self, node: Node, own: list[Any]) -> str:
        """Say what an operation does not take."""
        shapes = " and ".join([self.written(x) for x in own]) or "what it is called on"
        return f"{self.name_of(node)} does not take {shapes}"

    def node(self, node: Node, own: list[Any]) -> Any:
        """Settle what one node means."""
        rule = getattr(self, f"_{node.word}", None)
        if rule is None:
            raise refused(self.text, node.at, f"{self.name_of(node)} is not known")
        return rule(node, *own) if node.word != "call" else rule(node, own)

    def written(self, x: Any) -> str:
        """Say of what shape an operand is."""
        raise NotImplementedError

    def measured(self, shape: Shape) -> str:
        """Say the sizes of an operand, if somebody said all of them: " of 3 × n"."""
        known = self.sizes.text(shape, self.sizes.letters)
        is_known = not any("?" in str(n) for n in known)
        return f" of {' × '.join(map(str, known))}" if known and is_known else ""

    def name_of(self, node: Node) -> str:
        """Say what a node is called in the notation."""
        return f"{node.value[0]}()" if node.word == "call" else _SIGNS.get(node.word, node.word)


_SIGNS = {
    "add": "+",
    "subtract": "-",
    "times": "*",
    "over": "/",
    "negative": "-",
    "transpose": "'",
    "power": "^",
}


def kind(shape: Shape) -> str:
    """Name what has so many axes."""
    return ("scalar", "vector", "matrix")[len(shape)] if len(shape) < 3 else "array"
