"""What the notation of Python means: arrays as NumPy and TensorFlow have them."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Any

from symtape.notation.matrices import unknown
from symtape.notation.sizes import ONE, MismatchError, Shape, Sizes
from symtape.notation.tree import Node, refused
from symtape.notation.typed import Reader, Typed, kind
from symtape.notation.words import ENTRYWISE, REDUCTIONS, SAME

MODULES = frozenset(
    f"{package}{part}"
    for package in ("np", "numpy", "jnp", "tf", "tensorflow", "symtape", "math", "scipy")
    for part in ("", ".math", ".linalg", ".nn", ".special")
)
"""What may stand before the name of a function."""

OTHERS = frozenset({"jax", "torch", "cp", "cupy"})
"""Libraries whose functions are not read, and no variables that have methods."""

_TENSORFLOW = ("tf", "tensorflow", "symtape")
_CONSTANTS = MappingProxyType({"pi": math.pi, "e": math.e})
_WORDS = frozenset({"True", "False", "None"})
_METHODS = frozenset({"sum", "mean", "prod", "max", "min", "dot", "trace", "transpose", "diagonal"})
_PAIRS = frozenset("add subtract multiply divide pow maximum minimum matmul dot outer".split())
_AXES: Mapping[str, Any] = MappingProxyType({"axis": None, "keepdims": False})


class ArrayReader(Reader):
    """Settles what texts with `@`, `*` and `.T` mean."""

    def __init__(
        self, text: str, sizes: Sizes, variables: Mapping[str, Shape], told: Collection[str]
    ) -> None:
        super().__init__(text, sizes, variables)
        self.told = told

    def written(self, x: Typed) -> str:
        """Say of what shape an operand is."""
        return f"a {kind(x.shape)}{self.measured(x.shape)}"

    def name_of(self, node: Node) -> str:
        """Say what a node is called in the notation."""
        signs = {"multiply": "*", "divide": "/", "powers": "**", "matmul": "@", "transpose": ".T"}
        return signs.get(node.word) or super().name_of(node)

    def _name(self, node: Node) -> Typed:
        if node.value in _WORDS:
            raise refused(self.text, node.at, f"{node.value} is no variable of Python's")
        return Typed("name", (), self.variables[node.value], node.value)

    def _number(self, node: Node) -> Typed:
        return Typed("number", (), (), node.value)

    def _dotted(self, node: Node) -> Typed:
        prefix, _, last = node.value.rpartition(".")
        if prefix not in MODULES or last not in _CONSTANTS:
            raise refused(self.text, node.at, f"{node.value} is not known")
        return Typed("number", (), (), _CONSTANTS[last])

    def _multiply(self, node: Node, a: Typed, b: Typed) -> Typed:
        return Typed(node.word, (a, b), self.sizes.broadcast(a.shape, b.shape))

    _divide = _powers = _multiply

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
        return Typed("transpose", (a,), a.shape[::-1]) if len(a.shape) > 1 else a

    def _matmul(self, _: Node, a: Typed, b: Typed) -> Typed:
        if not a.shape or not b.shape:
            raise MismatchError
        self.sizes.same(a.shape[-1], b.shape[0])
        return Typed("matmul", (a, b), a.shape[:-1] + b.shape[1:])

    def _item(self, node: Node, a: Typed) -> Typed:
        places = node.value
        if len(places) > len(a.shape):
            raise MismatchError
        rest = a.shape[len(places) :]
        kept = [n for n, k in zip(a.shape, places, strict=False) if isinstance(k, slice)]
        return Typed("item", (a,), (*kept, *rest), places)

    # --- functions --------------------------------------------------------------------------------

    def _call(self, node: Node, own: list[Typed]) -> Typed:
        name, options = node.value
        prefix, _, last = name.rpartition(".")
        if prefix in self.variables and last in _METHODS:
            own = [self._name(node._replace(value=prefix)), *own]
        elif prefix and prefix not in MODULES:
            raise unknown(self.text, node.at, name)
        word = SAME.get(last, last)
        self._check_home(node, prefix, word, own)
        if word == "logdet" and prefix.startswith(_TENSORFLOW):
            word = "hpd_logdet"  # TensorFlow's is that of a symmetric positive definite matrix
        if word in REDUCTIONS or word == "mean":
            return self._reduced(node, word, own, options)
        if options:
            raise refused(self.text, node.at, f"{name}() takes no {', '.join(options)} here")
        rule = getattr(self, f"_call_{word}", None)
        if word in ENTRYWISE:
            rule = self._entrywise
        if rule is None:
            raise unknown(self.text, node.at, name)
        count = 2 if word in _PAIRS else 1
        if len(own) != count:
            raise refused(self.text, node.at, f"{name}() takes {count} argument{'s'[: count - 1]}")
        found: Typed = rule(word, *own)
        return found

    def _check_home(self, node: Node, prefix: str, word: str, own: list[Typed]) -> None:
        """Refuse a function of a matrix that is another one in the library that is named."""
        another = (
            (not prefix and word in ("sum", "max", "min"))  # Python's own go over rows
            or (prefix.startswith(_TENSORFLOW) and word == "diag")  # a diagonal matrix of each row
            or (prefix.startswith("scipy") and word == "softmax")  # over all entries
        )
        if another and any(len(x.shape) > 1 for x in own):
            raise refused(self.text, node.at, f"{self.name_of(node)} of a matrix is not written so")

    def _entrywise(self, word: str, a: Typed) -> Typed:
        return Typed(word, (a,), a.shape)

    _call_softmax = _entrywise

    def _reduced(self, node: Node, word: str, own: list[Typed], options: Any) -> Typed:
        given = {**_AXES, **options}
        if len(own) != 1 or len(given) != len(_AXES):
            raise refused(self.text, node.at, f"{word}() takes an array, axis= and keepdims=")
        (a,) = own
        rank, axis = len(a.shape), given["axis"]
        axes = range(rank) if axis is None else (axis,) if isinstance(axis, int) else axis
        if any(not -rank <= k < rank for k in axes):
            raise refused(self.text, node.at, f"there is no axis {axis} of a {kind(a.shape)}")
        gone = {k % rank for k in axes}
        shape: Shape = tuple([n for k, n in enumerate(a.shape) if k not in gone])
        if given["keepdims"]:
            shape = tuple([ONE if k in gone else n for k, n in enumerate(a.shape)])
        whole = None if len(gone) == rank else tuple(sorted(gone))
        return Typed(word, (a,), shape, (whole, bool(given["keepdims"])))

    def _call_matmul(self, _: str, a: Typed, b: Typed) -> Typed:
        return self._matmul(Node("matmul", (), 0), a, b)

    def _call_dot(self, word: str, a: Typed, b: Typed) -> Typed:
        if not a.shape or not b.shape:
            return Typed("multiply", (a, b), a.shape or b.shape)
        return self._call_matmul(word, a, b)

    def _call_outer(self, _: str, a: Typed, b: Typed) -> Typed:
        if (len(a.shape), len(b.shape)) != (1, 1):
            raise MismatchError
        return Typed("outer", (a, b), a.shape + b.shape)

    def _pairwise(self, word: str, a: Typed, b: Typed) -> Typed:
        return Typed(
            {"pow": "powers"}.get(word, word), (a, b), self.sizes.broadcast(a.shape, b.shape)
        )

    _call_add = _call_subtract = _call_multiply = _call_divide = _call_pow = _pairwise
    _call_maximum = _call_minimum = _pairwise

    def _call_negative(self, word: str, a: Typed) -> Typed:
        return Typed(word, (a,), a.shape)

    def _call_transpose(self, _: str, a: Typed) -> Typed:
        return self._transpose(Node("transpose", (), 0), a)

    def _call_norm2(self, word: str, a: Typed) -> Typed:
        return Typed(word, (a,), ())

    _call_norm1 = _call_norm2

    def _square(self, a: Typed) -> None:
        if len(a.shape) != 2:
            raise MismatchError
        self.sizes.same(*a.shape)

    def _call_tr(self, word: str, a: Typed) -> Typed:
        self._square(a)
        return Typed(word, (a,), ())

    _call_det = _call_logdet = _call_hpd_logdet = _call_tr

    def _call_inv(self, word: str, a: Typed) -> Typed:
        self._square(a)
        return Typed(word, (a,), a.shape)

    def _call_diag_part(self, _: str, a: Typed) -> Typed:
        self._square(a)
        return Typed("diag_part", (a,), a.shape[:1])

    def _call_diag(self, word: str, a: Typed) -> Typed:
        if len(a.shape) == 2:
            return self._call_diag_part(word, a)
        if len(a.shape) != 1:
            raise MismatchError
        return Typed("diag", (a,), a.shape * 2)
