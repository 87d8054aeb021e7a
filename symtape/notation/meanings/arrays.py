"""What the notation of Python means: arrays as NumPy and TensorFlow have them."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from symtape.notation.meanings.array_functions import MODULES, FunctionReader
from symtape.notation.meanings.lists import JOINING, LIST
from symtape.notation.sizes import ONE, MismatchError, Shape, Sizes
from symtape.notation.tree import Node, ambiguous, refused
from symtape.notation.typed import Typed, kind
from symtape.notation.words import SAME, TESTS

_CONSTANTS = MappingProxyType({"pi": math.pi, "e": math.e})
_INFINITY = "inf"
_WORDS = frozenset({"True", "False", "None"})
_SIGNS = MappingProxyType(
    {
        "multiply": "*", "divide": "/", "powers": "**", "matmul": "@", "transpose": ".T",
        "less": "<", "less_equal": "<=", "greater": ">", "greater_equal": ">=",
        "equal": "==", "not_equal": "!=",
    }
)  # fmt: skip
_TAKEN = ("einsum", "norm2", *JOINING)
"""Functions that look at what they are given before it is an array."""

_OUTER = "of vectors a @ b is a number, and np.outer(a, b) a matrix: which is meant?"
_PARTS = MappingProxyType(
    {
        "shape": ".shape is several numbers; .shape[0] is one of them",
        "slogdet": "slogdet() gives a sign and a logarithm; [1] is the logarithm",
        "string": "a text in quotes is no array",
        "infinity": "infinity is no number of a formula",
    }
)
"""What is no array, and who takes it apart has one."""


class ArrayReader(FunctionReader):
    """Settles what texts with `@`, `*` and `.T` mean."""

    def __init__(
        self, text: str, sizes: Sizes, variables: Mapping[str, Shape], told: Collection[str]
    ) -> None:
        super().__init__(text, sizes, variables)
        self.told = told

    def read(self, root: Node) -> Typed:
        """Settle what a tree means."""
        return self.array(root, super().read(root))

    def node(self, node: Node, own: list[Any]) -> Any:
        """Settle what one node means, of arrays unless it says otherwise."""
        called = node.value[0].rpartition(".")[2] if node.word == "call" else ""
        is_taken = node.word in ("item", "method", "listed") or SAME.get(called, called) in _TAKEN
        if not is_taken:
            pairs = [*zip(node.operands, own, strict=True)]
            first = 1 if called == "where" else 0
            own = own[:first] + [self.array(n, x) for n, x in pairs[first:]]
        return super().node(node, own)

    def array(self, node: Node, x: Typed) -> Typed:
        """Give an array: a comparison is 1 where it is true, and 0 elsewhere; lists are stacked."""
        if x.word == LIST:
            return self.stacked(node, [self.array(node, part) for part in x.operands], 0)
        if x.word in _PARTS:
            raise refused(self.text, node.at, _PARTS[x.word])
        return Typed("indicator", (x,), x.shape) if x.word in TESTS else x

    def written(self, x: Typed) -> str:
        """Say of what shape an operand is."""
        return f"a {kind(x.shape)}{self.measured(x.shape)}"

    def name_of(self, node: Node) -> str:
        """Say what a node is called in the notation."""
        return _SIGNS.get(node.word) or super().name_of(node)

    def _name(self, node: Node) -> Typed:
        if node.value in _WORDS:
            raise refused(self.text, node.at, f"{node.value} is no variable of Python's")
        return Typed("name", (), self.variables[node.value], node.value)

    def _number(self, node: Node) -> Typed:
        return Typed("number", (), (), node.value)

    def _string(self, node: Node) -> Typed:
        return Typed("string", (), (), node.value)

    def _dotted(self, node: Node) -> Typed:
        prefix, _, last = node.value.rpartition(".")
        if prefix in self.variables:
            return self._attribute(node, Typed("name", (), self.variables[prefix], prefix), last)
        if prefix in MODULES and last == _INFINITY:
            return Typed("infinity", (), (), math.inf)
        if prefix not in MODULES or last not in _CONSTANTS:
            raise refused(self.text, node.at, f"{node.value} is not known")
        return Typed("number", (), (), _CONSTANTS[last])

    def _method(self, node: Node, a: Typed) -> Typed:
        return self._attribute(node, a, node.value)

    def _attribute(self, node: Node, a: Typed, name: str) -> Typed:
        if a.word == "slogdet" and name in ("logabsdet", "log_abs_determinant"):
            return Typed("logdet", a.operands, ())
        if name == "shape":
            return Typed("shape", (a,), ())
        if name == "size":
            return self._call_size(name, a)
        raise refused(self.text, node.at, f"{a.value or ''}.{name} is not known")

    def _multiply(self, node: Node, a: Typed, b: Typed) -> Typed:
        return Typed(node.word, (a, b), self.sizes.broadcast(a.shape, b.shape))

    _divide = _powers = _multiply
    _less = _less_equal = _greater = _greater_equal = _equal = _not_equal = _multiply

    def _add(self, node: Node, a: Typed, b: Typed) -> Typed:
        """Add; a variable that nobody said to be a scalar is none beside an array."""
        for x, y in ((a, b), (b, a)):
            if x.word == "name" and not x.shape and y.shape and x.value not in self.told:
                raise MismatchError
        return self._multiply(node, a, b)

    _subtract = _add

    def _negative(self, _: Node, a: Typed) -> Typed:
        return Typed("negative", (a,), a.shape)

    def _transpose(self, _: Node, a: Typed) -> Typed:
        return self._turned(a)

    def _matmul(self, node: Node, a: Typed, b: Typed) -> Typed:
        is_turned = node.operands[1].word == "transpose" and len(a.shape) == len(b.shape) == 1
        if is_turned:  # as formulas of columns have it, which NumPy takes for a number
            raise ambiguous(self.text, node.at, _OUTER)
        return self._product(a, b)

    def _item(self, node: Node, a: Typed) -> Typed:
        if a.word in ("shape", "slogdet"):
            return self._part_of(node, a)
        a = self.array(node.operands[0], a)
        taken = [k for k in node.value if k is not None]
        if len(taken) > len(a.shape):
            raise MismatchError
        sizes, shape = iter(a.shape), []
        for k in node.value:
            size = ONE if k is None else next(sizes)
            if isinstance(k, int):
                self.has_place(size, k)
            else:
                shape.append(size if k is None else self.part_size(size, k))
        return Typed("item", (a,), (*shape, *sizes), node.value)

    def _part_of(self, node: Node, a: Typed) -> Typed:
        """Read x.shape[0], and the logarithm slogdet(A)[1]."""
        (place,) = node.value if len(node.value) == 1 else (None,)
        (x,) = a.operands
        if a.word == "slogdet" and place == 1:
            return Typed("logdet", (x,), ())
        if a.word == "slogdet" or not isinstance(place, int):
            raise refused(self.text, node.at, _PARTS[a.word])
        if not -len(x.shape) <= place < len(x.shape):
            raise refused(self.text, node.at, f"there is no axis {place} of a {kind(x.shape)}")
        return Typed("length", (x,), (), ((place,),))
