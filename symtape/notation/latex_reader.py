"""What the signs of LaTeX mean: matrices, as in the notation of matrixcalculus.org, and more."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from symtape.notation.matrices import Both, MatrixReader
from symtape.notation.sizes import ONE, Shape, Sizes
from symtape.notation.tree import AmbiguousError, Node, refused

_OF_MATRICES = MappingProxyType({"": "norm2", "2": "spectral", "F": "norm2", "*": "nuclear"})
_OF_VECTORS = MappingProxyType({"": "norm2", "2": "norm2", "1": "norm1", "infty": "max"})


class LatexReader(MatrixReader):
    """Settles what texts with commands mean; what has two meanings on paper is refused."""

    def __init__(
        self, text: str, sizes: Sizes, variables: Mapping[str, Shape], *, strict: bool
    ) -> None:
        super().__init__(text, sizes, variables)
        self.strict = strict

    def _add(self, node: Node, a: Both, b: Both) -> Both:
        """Add; a number is added to the entries of a column if nothing else has a meaning."""
        if not self.strict and "number" in (a.typed.word, b.typed.word):
            return self._entries(node.word, a, b)
        if self.is_scalar(a) != self.is_scalar(b):
            why = f"{self.name_of(node)} does not take {self.written(a)} and {self.written(b)}"
            raise refused(self.text, node.at, rf"{why}; \mathbf{{1}} is a column of ones")
        return self._entries(node.word, a, b)

    _subtract = _add

    def _fraction(self, node: Node, a: Both, b: Both) -> Both:
        """Divide by a number, or the entries of columns."""
        if len(b.typed.shape) == 2:
            why = r"\frac divides by numbers and columns; \oslash divides entries of matrices"
            raise refused(self.text, node.at, why)
        return self._entries("divide", a, b)

    def _bars(self, node: Node, a: Both) -> Both:
        return self._by_entries(node, a, "abs", r"\det(A) or \operatorname{abs}(A)")

    def _exponential(self, node: Node, a: Both) -> Both:
        return self._by_entries(node, a, "exp", r"\operatorname{expm}(A), by entries \exp(A)")

    def _by_entries(self, node: Node, a: Both, word: str, ways: str) -> Both:
        if len(a.typed.shape) == 2:
            why = f"of a matrix it is {ways}: which is meant? A number has the shape ()"
            raise AmbiguousError(str(refused(self.text, node.at, why)))
        return self._made(word, [a], a.pair)

    def _norm(self, node: Node, a: Both) -> Both:
        """Take the norm that a subscript says; without one, that of all entries."""
        word = (_OF_MATRICES if len(a.typed.shape) == 2 else _OF_VECTORS).get(node.value)
        if word is None:
            raise refused(self.text, node.at, f"no norm {node.value} is known of {self.written(a)}")
        if word == "max":
            return self._made(word, [self._made("abs", [a], a.pair)], (ONE, ONE), (None, False))
        return self._made(word, [a], (ONE, ONE))
