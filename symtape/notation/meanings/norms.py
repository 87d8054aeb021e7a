"""Norms of LaTeX: which one a subscript says, of a column or of a matrix."""

from __future__ import annotations

from types import MappingProxyType

from symtape.notation.meanings.blocks import Both
from symtape.notation.meanings.matrices import MatrixReader
from symtape.notation.sizes import ONE, MismatchError
from symtape.notation.tree import Node, refused

_OF_MATRICES = MappingProxyType({"2": "spectral", "F": "norm2", "*": "nuclear"})
_OF_VECTORS = MappingProxyType({"": "norm2", "2": "norm2", "1": "norm1", "infty": "max"})


def is_raised_by_order(node: Node) -> bool:
    """Say whether a norm has its own order above, as in |x|_p^p."""
    norm, power = node.operands
    orders = [(one.word, one.value) for one in (*norm.operands[1:], power)]
    return norm.word == "norm" and len(orders) == 2 and orders[0] == orders[1]


class Norms(MatrixReader):
    """Settles which norm is meant."""

    def _norm(self, node: Node, a: Both, order: Both | None = None) -> Both:
        """Take the norm that a subscript says; without one, the length of a column."""
        if order is not None and len(a.typed.shape) == 1:
            return self._of_order(a, order)
        word = (_OF_MATRICES if len(a.typed.shape) == 2 else _OF_VECTORS).get(node.value)
        if word is None:
            raise refused(self.text, node.at, self._no_norm(node, a))
        if word == "max":
            return self.made(word, [self.made("abs", [a], a.pair)], (ONE, ONE), (None, False))
        return self.made(word, [a], (ONE, ONE))

    def _of_order(self, a: Both, order: Both) -> Both:
        """Take the norm (Σ |x|^p)^(1/p) of a column."""
        one = self.made("number", [], (ONE, ONE), 1)
        power = self.made("divide", [one, order], (ONE, ONE))
        return self.made("powers", [self._summed_powers(a, order), power], (ONE, ONE))

    def _summed_powers(self, a: Both, order: Both) -> Both:
        if not self.is_scalar(order):
            raise MismatchError
        entries = self.made("powers", [self.made("abs", [a], a.pair), order], a.pair)
        return self.made("sum", [entries], (ONE, ONE), (None, False))

    def _no_norm(self, node: Node, a: Both) -> str:
        if not node.value:
            return r"of a matrix it is \|A\|_F or \|A\|_2: which is meant?"
        why = f"no norm {node.value} is known of {self.written(a)}"
        if node.value == "1":
            return rf"{why}: that of all entries is \operatorname{{sum}}(\operatorname{{abs}}(A))"
        return why
