"""What the notation of matrixcalculus.org means: everything is a matrix, vectors are columns."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType

from symtape.notation.meanings.blocks import BlockReader, Both
from symtape.notation.sizes import ONE, MismatchError
from symtape.notation.tree import Node, refused
from symtape.notation.words import ENTRYWISE, SAME, TO_SCALARS

_OF_SQUARES = {"tr", "det", "logdet"}

_SQUARES = ("inv", "adj", "expm")
"""What makes a square matrix of one."""

_KNOWN = (*TO_SCALARS, *_OF_SQUARES, *_SQUARES)
_QUOTIENT = "/ divides by a scalar, which has parentheses if it is a product; ./ divides entries"
_INSTEAD = MappingProxyType(
    {
        **dict.fromkeys(("ones", "one"), "ones are vector(1) and matrix(1), of any size"),
        **dict.fromkeys(("dot", "inner", "vdot"), "it is written x'*y"),
        "outer": "it is written x*y'",
        "transpose": "it is written A'",
        "solve": "it is written inv(A)*b",
    }
)
"""What is written otherwise in this notation."""

_NOTHING: Mapping[str, str] = MappingProxyType({})

UNIT = "eye"
"""The name of the unit matrix, of the size that it has to be; with a shape it is a variable."""


class MatrixReader(BlockReader):
    """Settles what texts with `*`, `.*` and `'` mean."""

    def is_scalar(self, x: Both) -> bool:
        """Say whether both sizes are 1."""
        return not x.typed.shape

    def written(self, x: Both) -> str:
        """Say of what shape an operand is."""
        if self.is_scalar(x):
            return "a scalar"
        a, b = [self.sizes.root(n) == ONE for n in x.pair]
        return ("a row" if a else "a column" if b else "a matrix") + self.measured(x.typed.shape)

    def _name(self, node: Node) -> Both:
        if node.value == UNIT and UNIT not in self.variables:
            return self._unit(node)
        return self.part(node.value, ())

    def _unit(self, _: Node) -> Both:
        size = self.sizes.fresh()
        return self.made(UNIT, [], (size, size))

    def _number(self, node: Node) -> Both:
        return self.made("number", [], (ONE, ONE), node.value)

    def _entries(self, word: str, a: Both, b: Both) -> Both:
        if self.is_scalar(a) or self.is_scalar(b):
            return self.made(word, [a, b], b.pair if self.is_scalar(a) else a.pair)
        rows, columns = self.sizes.equal(a.pair, b.pair)
        return self.made(word, [a, b], (rows, columns))

    def _add(self, node: Node, a: Both, b: Both) -> Both:
        if self.is_scalar(a) != self.is_scalar(b):
            raise refused(
                self.text,
                node.at,
                f"{self.name_of(node)} does not take {self.written(a)} and {self.written(b)}; "
                "vector(1) and matrix(1) are ones of any size",
            )
        return self._entries(node.word, a, b)

    _subtract = _add

    def _multiply(self, node: Node, a: Both, b: Both) -> Both:
        return self._entries(node.word, a, b)

    _divide = _powers = _maximum = _minimum = _multiply

    def _times(self, _: Node, a: Both, b: Both) -> Both:
        if self.is_scalar(a) or self.is_scalar(b):
            return self._entries("multiply", a, b)
        self.sizes.same(a.pair[1], b.pair[0])
        pair = (a.pair[0], b.pair[1])
        is_outer = self.sizes.root(a.pair[1]) == ONE
        return self.made("outer" if is_outer else "matmul", [a, b], pair)

    def _over(self, node: Node, a: Both, b: Both) -> Both:
        if not self.is_scalar(b):
            raise refused(self.text, node.at, _QUOTIENT)
        return self._entries("divide", a, b)

    def _power(self, node: Node, a: Both, b: Both) -> Both:
        if self.is_scalar(a) and self.is_scalar(b):
            return self._entries("powers", a, b)
        exponent, sign = node.operands[1], 1
        if exponent.word == "negative":
            exponent, sign = exponent.operands[0], -1
        if exponent.word == "name" and exponent.value == "T":
            raise refused(self.text, node.at, "a transpose is written A', and T is a variable")
        if exponent.word != "number" or not isinstance(exponent.value, int) or not exponent.value:
            raise refused(
                self.text, node.at, "^ raises scalars, and matrices to whole powers; see .^"
            )
        if exponent.value > _MOST_FACTORS:
            raise refused(self.text, node.at, f"a matrix is raised to at most {_MOST_FACTORS}")
        self._square(a)
        return self.made("power", [a], a.pair, sign * exponent.value)

    def misfit(self, node: Node, own: list[Both]) -> str:
        """Say what an operation does not take: a matrix that is not square has no inverse."""
        if node.word == "call" and node.value[0] == "range":
            return _COUNTED
        if node.word != "power" or self.is_scalar(own[0]) or not self.is_scalar(own[1]):
            return super().misfit(node, own)
        what = "an inverse" if node.operands[1].word == "negative" else "a power"
        return f"{what} is one of square matrices, and not of {self.written(own[0])}"

    def _square(self, a: Both) -> None:
        self.sizes.same(*a.pair)
        if self.is_scalar(a):
            raise MismatchError

    def _negative(self, _: Node, a: Both) -> Both:
        return self.made("negative", [a], a.pair)

    def _transpose(self, _: Node, a: Both) -> Both:
        pair = a.pair[::-1]
        return self.made("transpose", [a], pair) if len(a.typed.shape) == 2 else Both(a.typed, pair)

    # --- functions --------------------------------------------------------------------------------

    def _call(self, node: Node, own: list[Both]) -> Both:
        name, _ = node.value
        word = SAME.get(name, name)
        if word not in (*ENTRYWISE, *_KNOWN) and not hasattr(self, f"_call_{word}"):
            raise unknown(self.text, node.at, name, _INSTEAD)
        if len(own) != 1:
            two = (
                f"; of two arrays np.{name}imum(a, b) is in Python"
                if name in ("max", "min")
                else ""
            )
            raise refused(self.text, node.at, f"{name}() takes one argument{two}")
        (a,) = own
        if word in ENTRYWISE:
            return self.made(word, own, a.pair)
        if word in TO_SCALARS:
            return self.made(word, own, (ONE, ONE), None if word[:4] == "norm" else (None, False))
        if word in _OF_SQUARES:
            self._square(a)
            return self.made(word, own, (ONE, ONE))
        if word in _SQUARES:
            self._square(a)
            return self.made(word, own, a.pair)
        found: Both = getattr(self, f"_call_{word}")(a)
        return found

    def _call_diag(self, a: Both) -> Both:
        if len(a.typed.shape) == 2:
            self._square(a)
            return self.made("diag_part", [a], (a.pair[0], ONE))
        (n,) = a.typed.shape or (None,)
        if n is None:
            raise MismatchError
        return self.made("diag", [a], (n, n))

    def _call_softmax(self, a: Both) -> Both:
        if len(a.typed.shape) != 1:
            raise MismatchError
        return self.made("softmax", [a], a.pair)

    def _call_vector(self, a: Both) -> Both:
        return self._filled(a, (self.sizes.fresh(), ONE))

    def _call_matrix(self, a: Both) -> Both:
        return self._filled(a, (self.sizes.fresh(), self.sizes.fresh()))

    def _call_range(self, a: Both) -> Both:
        """Number entries from 0 on, as many as a number says, or a letter of sums."""
        if a.typed.word == "size":
            return self.made("places", [], (a.typed.value, ONE))
        count = a.typed.value if a.typed.word == "number" else None
        if not isinstance(count, int) or count < _FEWEST:
            raise MismatchError
        return self.made("places", [], (self.sizes.given(count, {}), ONE))

    def _filled(self, a: Both, pair: tuple[int, int]) -> Both:
        if not self.is_scalar(a):
            raise MismatchError
        return self.made("fill", [a], pair)


_MOST_FACTORS = 20
_FEWEST = 2
_COUNTED = "range(n) has the numbers from 0 to n - 1; n is a whole number from 2 on, or a letter"


def unknown(text: str, at: int, name: str, instead: Mapping[str, str] = _NOTHING) -> Exception:
    """Refuse a function, and say what stands for it, or name those that are near."""
    known = [*ENTRYWISE, *_KNOWN, "diag", "range", "softmax", "vector"]
    if name == UNIT:
        raise refused(text, at, f"{UNIT} alone is the unit matrix, of the size that it has to be")
    if name in instead:
        return refused(
            text, at, f"{name}() is not among the functions of formulas; {instead[name]}"
        )
    near = get_close_matches(name.rpartition(".")[2], [*known, "matrix", *SAME], 3)
    hint = f"; there is {', '.join(near)}" if near else ""
    return refused(text, at, f"{name}() is not among the functions of formulas{hint}")
