"""What the signs of LaTeX mean: matrices, as in the notation of matrixcalculus.org, and more."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from symtape.errors import NotationError
from symtape.notation.meanings.matrices import UNIT, Both, MatrixReader
from symtape.notation.sizes import ONE, MismatchError, Shape, Sizes
from symtape.notation.sums import Rows
from symtape.notation.tree import Node, ambiguous, in_order, refused
from symtape.notation.typed import Typed

_OF_MATRICES = MappingProxyType({"": "norm2", "2": "spectral", "F": "norm2", "*": "nuclear"})
_OF_VECTORS = MappingProxyType({"": "norm2", "2": "norm2", "1": "norm1", "infty": "max"})
_UNIT = "I is the unit matrix of a size that a variable has; a number I has the shape ()"
_SIGNS = MappingProxyType(
    {
        "times": "a product",
        "dot": r"\cdot",
        "multiply": r"\odot",
        "divide": r"\oslash",
        "fraction": r"\frac",
    }
)


class LatexReader(MatrixReader):
    """Settles what texts with commands mean; what has two meanings on paper is refused."""

    def __init__(
        self,
        text: str,
        sizes: Sizes,
        variables: Mapping[str, Shape],
        rows: Mapping[str, Rows],
        limits: Mapping[str, int],
        *,
        strict: bool,
    ) -> None:
        super().__init__(text, sizes, variables)
        self.rows, self.limits, self.strict = rows, limits, strict
        self.units: list[tuple[int, int]] = []
        """The sizes of unit matrices, and where these stand."""

    def read(self, root: Node) -> Any:
        """Settle what a tree means; a unit matrix is as large as a variable is."""
        found = super().read(root)
        known = {self.sizes.root(n) for shape in self.variables.values() for n in shape}
        for size, at in self.units:
            if self.sizes.root(size) not in known:
                raise refused(self.text, at, _UNIT)
        return found

    def name_of(self, node: Node) -> str:
        """Say what a node is called in LaTeX."""
        return _SIGNS.get(node.word) or super().name_of(node)

    def _call(self, node: Node, own: list[Both]) -> Both:
        if node.value[0] == "gamma":
            raise refused(self.text, node.at, r"\Gamma is read behind a logarithm: \log\Gamma(x)")
        return super()._call(node, own)

    def _unit(self, node: Node) -> Both:
        made = super()._unit(node)
        self.units.append((made.pair[0], node.at))
        return made

    def _name(self, node: Node) -> Both:
        size = self.limits.get(node.value)
        return super()._name(node) if size is None else self._made("size", [], (ONE, ONE), size)

    def _total(self, node: Node, a: Both) -> Both:
        """Add up what is computed of each row, of arrays that have as many."""
        _, limit = node.value
        used = {x.value: x for x in in_order(a.typed) if x.word in ("name", "size")}
        rows = [v for v in used if v in self.rows]
        count = self.sizes.given(int(limit), {}) if limit.isdigit() else self.limits.get(limit)
        count = self.rows[rows[0]].number if count is None else count
        for v in rows:
            own = self.rows[v]
            try:
                self.sizes.same(count, own.number)
            except MismatchError:
                why = f"there are not as many {v} here as elsewhere, or as others"
                raise refused(self.text, node.at, why) from None
            used[v] = Typed("name", (), (own.number, *self.variables[v]), own.whole)
        made = Typed("total", tuple(used.values()), a.typed.shape, (a.typed, tuple(used)))
        return Both(made, a.pair)

    def _dot(self, node: Node, a: Both, b: Both) -> Both:
        """Take the inner product of two columns; anything else is multiplied as without a dot."""
        if not (self._is_column(a) and self._is_column(b)):
            return self._times(node, a, b)
        product = self._entries("multiply", a, b)
        return self._made("sum", [product], (ONE, ONE), (None, False))

    def _is_column(self, x: Both) -> bool:
        rows, columns = [self.sizes.root(n) == ONE for n in x.pair]
        return columns and not rows

    def _times(self, node: Node, a: Both, b: Both) -> Both:
        if not (self.is_scalar(a) or self.is_scalar(b)) and UNIT in (a.typed.word, b.typed.word):
            raise refused(self.text, node.at, _UNIT)
        if self._is_column(a) and self._is_column(b):
            why = r"columns have the products a^\top b, a b^\top and a \odot b: which is meant?"
            raise refused(self.text, node.at, why)
        return super()._times(node, a, b)

    def _multiply(self, node: Node, a: Both, b: Both) -> Both:
        if node.value and len(a.typed.shape) == 2:
            why = f"say by parentheses what {self.name_of(node)} takes: A b, or b alone"
            raise refused(self.text, node.at, why)
        return super()._multiply(node, a, b)

    _divide = _multiply

    def _power(self, node: Node, a: Both, b: Both) -> Both:
        if a.typed.word == UNIT:
            raise refused(self.text, node.at, _UNIT)
        if len(a.typed.shape) == 1:
            why = r"a column has no power: \|x\|^2 is a number, and x^{\odot 2} are entries"
            raise refused(self.text, node.at, why)
        if not self.is_scalar(a) and not self.is_scalar(b):
            raise MismatchError
        try:
            return super()._power(node, a, b)
        except NotationError:
            why = r"a matrix is raised to a whole number; A^\top is transposed"
            raise refused(self.text, node.at, why) from None

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
        """Divide by a number, or the entries of columns if nothing else has a meaning."""
        if self.strict and not self.is_scalar(b):
            why = r"\frac divides by a number; \oslash divides entries"
            raise refused(self.text, node.at, why)
        if len(b.typed.shape) == 2:
            why = r"\frac divides by numbers and columns; \oslash divides entries of matrices"
            raise refused(self.text, node.at, why)
        return self._entries("divide", a, b)

    def _bars(self, node: Node, a: Both) -> Both:
        if len(a.typed.shape) == 1:
            why = r"of a column it is \|x\| or \operatorname{abs}(x): which is meant?"
            raise ambiguous(self.text, node.at, why)
        return self._by_entries(node, a, "abs", r"\det(A) or \operatorname{abs}(A)")

    def _exponential(self, node: Node, a: Both) -> Both:
        return self._by_entries(node, a, "exp", r"\operatorname{expm}(A), by entries \exp(A)")

    def _by_entries(self, node: Node, a: Both, word: str, ways: str) -> Both:
        if len(a.typed.shape) == 2:
            why = f"of a matrix it is {ways}: which is meant? A number has the shape ()"
            raise ambiguous(self.text, node.at, why)
        return self._made(word, [a], a.pair)

    def _no_norm(self, node: Node, a: Both) -> str:
        why = f"no norm {node.value} is known of {self.written(a)}"
        if node.value == "1":
            return rf"{why}: that of all entries is \operatorname{{sum}}(\operatorname{{abs}}(A))"
        return why

    def _norm(self, node: Node, a: Both) -> Both:
        """Take the norm that a subscript says; without one, that of all entries."""
        if self.strict and self.is_scalar(a):
            raise refused(self.text, node.at, "a norm is one of columns and matrices")
        word = (_OF_MATRICES if len(a.typed.shape) == 2 else _OF_VECTORS).get(node.value)
        if word is None:
            raise refused(self.text, node.at, self._no_norm(node, a))
        if word == "max":
            return self._made(word, [self._made("abs", [a], a.pair)], (ONE, ONE), (None, False))
        return self._made(word, [a], (ONE, ONE))
