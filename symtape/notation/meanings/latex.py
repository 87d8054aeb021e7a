"""What the signs of LaTeX mean: matrices, as in the notation of matrixcalculus.org, and more."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from symtape.errors import NotationError
from symtape.notation.latex.factors import last
from symtape.notation.meanings.blocks import Both
from symtape.notation.meanings.indices import IndexReader, is_product, log_of_product
from symtape.notation.meanings.matrices import UNIT
from symtape.notation.meanings.norms import is_raised_by_order
from symtape.notation.ranges import Used
from symtape.notation.sizes import ONE, MismatchError, Shape, Sizes
from symtape.notation.sums import Rows
from symtape.notation.tree import Node, ambiguous, in_order, refused
from symtape.notation.words import SAME

_UNIT = "I is the unit matrix of a size that a variable has; a number I has the shape ()"
_OF_SQUARES = MappingProxyType(
    {
        "exp": (r"\operatorname{expm}(A)", r"\exp^{\odot}(A)"),
        "log": ("a logarithm that formulas lack", r"\log^{\odot}(A)"),
        "sqrt": ("a root that formulas lack", r"A^{\odot 1/2}"),
        "roots": ("a root that formulas lack", r"A^{\odot 1/n}"),
        "power": (r"\operatorname{expm}(\log(c) A)", r"e^{\odot \log(c) A}"),
        "sin": ("a series that formulas lack", r"\sin^{\odot}(A)"),
        "cos": ("a series that formulas lack", r"\cos^{\odot}(A)"),
    }
)
"""What people write of a square matrix as such, and how it is written of the entries."""

_BARS = MappingProxyType(
    {
        1: r"of a column it is \|x\| or \operatorname{abs}(x): which is meant?",
        2: r"of a matrix it is \det(A) or \operatorname{abs}(A): which is meant? A number has the "
        "shape ()",
    }
)
_DOT = r"say by parentheses what the dot takes: (a \cdot b) c, or a \cdot (b \odot c)"
_PRIME = "a number has no transpose: a prime is of a derivative, or of a variable to call else"
_SOFTMAX = (
    r"the softmax of a matrix is that of its rows, or of its columns; of rows it is "
    r"E \oslash (E \mathbf{1} \mathbf{1}^\top), where E is \exp^{\odot}(A)"
)


_SIGNS = MappingProxyType(
    {
        "times": "a product",
        "dot": r"\cdot",
        "multiply": r"\odot",
        "divide": r"\oslash",
        "fraction": r"\frac",
    }
)


class How(NamedTuple):
    """How signs are taken that have several meanings on paper.

    What `is_strict` has nothing but products of matrices, else numbers are added to columns, and
    columns divided. What goes `by_entries` has what neighbours and powers are of arrays whose
    shapes allow nothing else. Bars are of numbers: determinants and lengths, or `bars_of_entries`.
    Of what `is_judged` the value counts, and not its derivative alone.
    """

    is_strict: bool
    by_entries: bool = False
    bars_of_entries: bool = False
    is_judged: bool = False


class Barred(NamedTuple):
    """Where bars stand at a column or a matrix, and what may be meant."""

    at: int
    why: str
    may_be_square: bool


class LatexReader(IndexReader):
    """Settles what texts with commands mean; what has two meanings on paper is refused."""

    def __init__(
        self,
        text: str,
        sizes: Sizes,
        variables: Mapping[str, Shape],
        rows: Mapping[str, Rows],
        limits: Mapping[str, int],
        parts: Mapping[str, Mapping[Used, slice]],
        how: How,
    ) -> None:
        super().__init__(text, sizes, variables, rows, limits, parts)
        self.how = how
        self.barred: list[Barred] = []
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
        name, how = node.value
        word = SAME.get(name, name)
        if word == "log" and node.operands[0].word == "bars" and own[0].typed.word == "det":
            return self.made("logdet", [Both(own[0].typed.operands[0], own[0].pair)], (ONE, ONE))
        if word == "log" and is_product(own[0].typed) and not self.how.is_judged:
            return own[0]._replace(typed=log_of_product(own[0].typed))
        if word in _OF_SQUARES and not how:
            self._check_square(node, word, *own)
        if word == "softmax" and len(own[0].typed.shape) == 2:
            raise refused(self.text, node.at, _SOFTMAX)
        return super()._call(node, own)

    def may_be_square(self, x: Both) -> bool:
        """Say whether an operand is a matrix of which nobody said that it is not square."""
        if len(x.typed.shape) < 2:
            return False
        told = self.sizes.text(x.pair, self.sizes.letters)
        kinds = {type(n) for n in told}
        return "?" in told or len(kinds) > 1 or told[0] == told[1]

    def _check_square(self, node: Node, word: str, *operands: Both) -> None:
        """Refuse what would be taken by entries of a matrix that may be square.

        Beside bars of entries nobody means anything else.
        """
        if any(map(self.may_be_square, operands)) and not self.how.bars_of_entries:
            whole, entries = _OF_SQUARES[word]
            why = f"of a square matrix it is {whole}, by entries {entries}: which is meant?"
            raise ambiguous(self.text, node.at, f"{why} A number has the shape ()")

    def _unit(self, node: Node) -> Both:
        made = super()._unit(node)
        self.units.append((made.pair[0], node.at))
        return made

    def _transpose(self, node: Node, a: Both) -> Both:
        """Transpose; a prime at what has no arrays in it is no transpose of one."""
        if node.value and not any(x.shape for x in in_order(a.typed)):
            raise refused(self.text, node.at, _PRIME)
        return super()._transpose(node, a)

    def _dot(self, node: Node, a: Both, b: Both) -> Both:
        """Take the inner product of two columns; anything else is multiplied as without a dot."""
        if not (self._is_column(a) and self._is_column(b)):
            return self._times(node, a, b)
        if node.value:
            raise refused(self.text, node.at, _DOT)
        product = self._entries("multiply", a, b)
        return self.made("sum", [product], (ONE, ONE), (None, False))

    def _is_column(self, x: Both) -> bool:
        rows, columns = [self.sizes.root(n) == ONE for n in x.pair]
        return columns and not rows

    def _times(self, node: Node, a: Both, b: Both) -> Both:
        if not (self.is_scalar(a) or self.is_scalar(b)) and UNIT in (a.typed.word, b.typed.word):
            raise refused(self.text, node.at, _UNIT)
        if self._is_row_of_ones(node.operands[0]) and self._is_length(node.operands[1], b):
            raise refused(self.text, node.at, "a row of ones adds entries up")
        if self._is_column(a) and self._is_column(b):
            if self.how.by_entries and not any(map(self.has_row, (a, b))):
                return self._entries("multiply", a, b)
            why = r"columns have the products a^\top b, a b^\top and a \odot b: which is meant?"
            raise refused(self.text, node.at, why)
        try:
            return super()._times(node, a, b)
        except MismatchError:
            if not self.how.by_entries:
                raise
            return self._entries("multiply", a, b)

    def _is_row_of_ones(self, node: Node) -> bool:
        factor = last(node)
        ones = factor.operands[0] if factor.word == "transpose" else factor
        return factor is not ones and ones.word == "call" and ones.value[0] == "vector"

    def _is_length(self, node: Node, found: Both) -> bool:
        """Say whether bars of an array are taken for a number."""
        return node.word == "bars" and found.typed.word in ("norm2", "det")

    def _multiply(self, node: Node, a: Both, b: Both) -> Both:
        after_dot, before_neighbours = node.value or (False, False)
        if after_dot and a.typed.word == "sum":
            raise refused(self.text, node.at, _DOT)
        if before_neighbours and len(a.typed.shape) == 2:
            why = f"say by parentheses what {self.name_of(node)} takes: A b, or b alone"
            raise refused(self.text, node.at, why)
        return super()._multiply(node, a, b)

    _divide = _multiply

    def _power(self, node: Node, a: Both, b: Both) -> Both:
        if is_raised_by_order(node):
            return a._replace(typed=a.typed.operands[0])
        if a.typed.word == UNIT:
            raise refused(self.text, node.at, _UNIT)
        if self.how.by_entries and (len(a.typed.shape) == 1 or not self.is_scalar(b)):
            self._check_square(node, "power", a, b)
            return self._entries("powers", a, b)
        if len(a.typed.shape) == 1:
            why = r"a column has no power: \|x\|^2 is a number, and x^{\odot 2} are entries"
            raise refused(self.text, node.at, why)
        if not self.is_scalar(a) and not self.is_scalar(b):
            raise MismatchError
        if self.how.by_entries and not (self.is_scalar(a) or self.may_be_square(a)):
            return self._entries("powers", a, b)
        try:
            return super()._power(node, a, b)
        except NotationError:
            why = r"a matrix is raised to a whole number; A^{\odot k} are powers of entries"
            raise refused(self.text, node.at, why) from None

    def _roots(self, node: Node, a: Both, b: Both) -> Both:
        self._check_square(node, "roots", a)
        return self._entries("powers", a, b)

    def _add(self, node: Node, a: Both, b: Both) -> Both:
        """Add; a number is added to entries if nothing else has a meaning, as A + λI has."""
        if self.is_scalar(a) == self.is_scalar(b):
            return self._added(node, a, b)
        is_number = "number" in (a.typed.word, b.typed.word) and not self.how.is_strict
        if (is_number or self.how.by_entries) and not any(map(self.may_be_square, (a, b))):
            return self._entries(node.word, a, b)
        ones = r"\mathbf{1} is a column of ones"
        if any(len(x.typed.shape) == 2 for x in (a, b)):
            ones = r"I is the unit matrix, and \mathbf{1}\mathbf{1}^\top has ones alone"
        why = f"{self.name_of(node)} does not take {self.written(a)} and {self.written(b)}"
        raise refused(self.text, node.at, f"{why}; {ones}")

    _subtract = _add

    def _added(self, node: Node, a: Both, b: Both) -> Both:
        try:
            return self._entries(node.word, a, b)
        except MismatchError:
            if not any(x.word == "transpose" and x.value == "prime" for x in node.operands):
                raise
            why = f"{self.name_of(node)} does not take {self.written(a)} and {self.written(b)}"
            hint = "a prime transposes, and another variable is called else, as x_2"
            raise refused(self.text, node.at, f"{why}: {hint}") from None

    def _fraction(self, node: Node, a: Both, b: Both) -> Both:
        """Divide by a number, or the entries of columns if nothing else has a meaning."""
        if self.how.is_strict and not self.is_scalar(b):
            why = r"\frac divides by a number; \oslash divides entries"
            raise refused(self.text, node.at, why)
        is_taken = self.how.by_entries and not self.may_be_square(b)
        if len(b.typed.shape) == 2 and not is_taken:
            why = r"\frac divides by numbers and columns; \oslash divides entries of matrices"
            raise refused(self.text, node.at, why)
        return self._entries("divide", a, b)

    def _over(self, node: Node, a: Both, b: Both) -> Both:
        return self._fraction(node, a, b) if self.how.by_entries else super()._over(node, a, b)

    def _bars(self, node: Node, a: Both) -> Both:
        """Take a determinant or a length, or entries; which of them is meant the whole says."""
        if self.is_scalar(a):
            return self.made("abs", [a], a.pair)
        is_column = len(a.typed.shape) == 1
        self.barred.append(Barred(node.at, _BARS[len(a.typed.shape)], self.may_be_square(a)))
        if self.how.bars_of_entries:
            return self.made("abs", [a], a.pair)
        if not is_column:
            self._square(a)
        return self.made("norm2" if is_column else "det", [a], (ONE, ONE))

    def _tested(self, node: Node, a: Both, b: Both) -> Both:
        """Be 1 where a comparison is true, and 0 elsewhere."""
        return self.made("indicator", [made := self._entries(node.value, a, b)], made.pair)

    def _where(self, _: Node, test: Both, a: Both, b: Both) -> Both:
        """Choose entries of one or the other by a comparison; a number is at all places."""
        pair = (ONE, ONE)
        for x in (test, a, b):
            if not self.is_scalar(x):
                pair = x.pair if pair == (ONE, ONE) else self._equal(pair, x.pair)
        (compared,) = test.typed.operands
        return self.made("where", [Both(compared, test.pair), a, b], pair)

    def _equal(self, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
        rows, columns = self.sizes.equal(a, b)
        return rows, columns

    def _exponential(self, node: Node, a: Both) -> Both:
        self._check_square(node, "exp", a)
        return self.made("exp", [a], a.pair)

    def _norm(self, node: Node, a: Both, order: Both | None = None) -> Both:
        if self.how.is_strict and self.is_scalar(a):
            raise refused(self.text, node.at, "a norm is one of columns and matrices")
        return super()._norm(node, a, order)
