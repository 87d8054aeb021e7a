"""What the functions of NumPy, SciPy and TensorFlow mean in texts, and of what shape they are."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from symtape.notation.meanings.lists import JOINING, ListReader
from symtape.notation.meanings.matrices import unknown
from symtape.notation.sizes import ONE, MismatchError, Shape
from symtape.notation.tree import Node, refused
from symtape.notation.typed import Typed, kind
from symtape.notation.words import BY_COUNT, ENTRYWISE, PAIRWISE, REDUCTIONS, SAME, TESTS
from symtape.signatures import read_signature

MODULES = frozenset(
    f"{package}{part}"
    for package in ("np", "numpy", "jnp", "tf", "tensorflow", "symtape", "math", "scipy")
    for part in ("", ".math", ".linalg", ".nn", ".special")
)
"""What may stand before the name of a function."""

OTHERS = frozenset({"jax", "torch", "cp", "cupy"})
"""Libraries whose functions are not read, and no variables that have methods."""

METHODS = frozenset(
    "sum mean prod max min var std cumsum clip dot trace transpose diagonal".split()
)
"""Functions that arrays have as methods."""

_TENSORFLOW = ("tf", "tensorflow", "symtape")
_AXES: Mapping[str, Any] = MappingProxyType({"axis": None, "keepdims": False})
_MOST_POWER = 20


class FunctionReader(ListReader):
    """Settles what calls of functions mean."""

    def _call(self, node: Node, own: list[Typed]) -> Typed:
        name, options = node.value
        prefix, _, last = name.rpartition(".")
        if prefix in self.variables and last in METHODS:
            own = [Typed("name", (), self.variables[prefix], prefix), *own]
        elif (name[0] == "." and last not in METHODS) or (prefix and prefix not in MODULES):
            raise unknown(self.text, node.at, name)
        word = SAME.get(last, last)
        self._check_home(node, name, word, own)
        if word == "logdet" and prefix.startswith(_TENSORFLOW):
            word = "hpd_logdet"  # TensorFlow's is that of a symmetric positive definite matrix
        if word in JOINING:
            return self.join(node, word, own, options)
        if word in REDUCTIONS or word in BY_COUNT:
            return self._reduced(node, word, own, options)
        rule = self._with_options(node, word) or self._of_arrays(node, word, own)
        found: Typed = rule(*own)
        return found

    def _with_options(self, node: Node, word: str) -> Any:
        """Find the rule of a function that has arguments with names, or how many it likes."""
        rule = _OPTIONS.get(word)
        if rule is None:
            return None
        return lambda *own: rule(self, node, word, [*own], node.value[1])

    def _of_arrays(self, node: Node, word: str, own: list[Typed]) -> Callable[..., Typed]:
        """Find the rule of a function of so many arrays."""
        name, options = node.value
        if options:
            raise refused(self.text, node.at, f"{name}() takes no {', '.join(options)} here")
        named = getattr(self, f"_call_{word}", None)
        rule = named or (self._pairwise if word in PAIRWISE else None)
        rule = self._entrywise if word in ENTRYWISE else rule
        if rule is None:
            raise unknown(self.text, node.at, name)
        count = len(read_signature(rule).parameters) - 1
        if len(own) != count:
            raise refused(self.text, node.at, f"{name}() takes {count} argument{'s'[: count - 1]}")
        return lambda *own: rule(word, *own)

    def _check_home(self, node: Node, name: str, word: str, own: list[Typed]) -> None:
        """Refuse a function of a matrix that is another one in the library that is named."""
        home, has_axis = name.rpartition(".")[0], "axis" in node.value[1]
        another = (
            ("." not in name and word in ("sum", "max", "min"))  # Python's own go over rows
            or (home.startswith(_TENSORFLOW) and word == "diag")  # a diagonal matrix of each row
            or (home.startswith("scipy") and word == "softmax" and not has_axis)  # over all entries
        )
        if another and any(len(x.shape) > 1 for x in own):
            raise refused(self.text, node.at, f"{self.name_of(node)} of a matrix is not written so")

    # --- of entries -------------------------------------------------------------------------------

    def _entrywise(self, word: str, a: Typed) -> Typed:
        return Typed(word, (a,), a.shape)

    def _pairwise(self, word: str, a: Typed, b: Typed) -> Typed:
        made = {"pow": "powers"}.get(word, word)
        return Typed(made, (a, b), self.sizes.broadcast(a.shape, b.shape))

    _call_negative = _entrywise

    def _call_array(self, _: str, a: Typed) -> Typed:
        return a

    _call_asarray = _call_constant = _call_convert_to_tensor = _call_array

    def _call_arange(self, _: str, count: Typed) -> Typed:
        """Number entries from 0 on, as many as a number says, or as an axis has: len(x)."""
        if count.word == "length" and count.value in (((None,),), ((0,),), ((1,),)):
            shape, (axis,) = count.operands[0].shape, count.value[0]
            if axis is not None or len(shape) == 1:
                return Typed("places", (), (shape[axis or 0],))
        if count.word != "number" or not isinstance(count.value, int) or count.value < 1:
            raise MismatchError
        return Typed("places", (), (self.sizes.given(count.value, {}),))

    def _call_diff(self, _: str, x: Typed) -> Typed:
        """Take the differences of neighbours, x[1:] - x[:-1]."""
        if len(x.shape) != 1:
            raise MismatchError
        self.sizes.need(2)
        shape = (self.sizes.less(x.shape[0], 1),)
        parts = [Typed("item", (x,), shape, (s,)) for s in (slice(1, None), slice(None, -1))]
        return Typed("subtract", tuple(parts), shape)

    def _call_where(self, word: str, test: Typed, a: Typed, b: Typed) -> Typed:
        if test.word not in TESTS:
            raise MismatchError
        shape = self.sizes.broadcast(test.shape, self.sizes.broadcast(a.shape, b.shape))
        return Typed(word, (test, a, b), shape)

    def _call_clip(self, word: str, x: Typed, low: Typed, high: Typed) -> Typed:
        if low.shape or high.shape:
            raise MismatchError
        return Typed(word, (x, low, high), x.shape)

    # --- along axes -------------------------------------------------------------------------------

    def _reduced(self, node: Node, word: str, own: list[Typed], options: Any) -> Typed:
        if "." not in node.value[0] and len(own) > 1 and word in ("max", "min"):
            why = f"of two arrays it is np.{word}imum(a, b), and along an axis np.{word}(a, axis=0)"
            raise refused(self.text, node.at, why)
        if len(own) == 2 and own[1].word == "number" and "axis" not in options:
            own, options = own[:1], {**options, "axis": own[1].value}
        given = {**_AXES, **options}
        if len(own) != 1 or len(given) != len(_AXES):
            raise refused(self.text, node.at, f"{word}() takes an array, axis= and keepdims=")
        (a,) = own
        rank = len(a.shape)
        gone = self._axes(node, given["axis"], a)
        shape: Shape = tuple([n for k, n in enumerate(a.shape) if k not in gone])
        if given["keepdims"]:
            shape = tuple([ONE if k in gone else n for k, n in enumerate(a.shape)])
        whole = None if len(gone) == rank else tuple(sorted(gone))
        return Typed(word, (a,), shape, (whole, bool(given["keepdims"])))

    def _axes(self, node: Node, axis: Any, a: Typed) -> set[int]:
        """Read the axes that are gone over: all without a number."""
        rank = len(a.shape)
        axes = range(rank) if axis is None else axis if isinstance(axis, tuple) else (axis,)
        if any(not isinstance(k, int) or not -rank <= k < rank for k in axes):
            raise refused(self.text, node.at, f"there is no axis {axis} of a {kind(a.shape)}")
        return {k % rank for k in axes}

    def _normed(self, node: Node, word: str, own: list[Typed], options: Any) -> Typed:
        """Read a norm: of all entries, or along an axis."""
        a, *orders = own or [Typed("number", (), ())]
        given = {"ord": orders[0].value if orders else None, **_AXES, **options}
        known = self._orders(node, a)
        if len(own) - len(orders) != 1 or len(orders) > 1 or len(given) != len(_AXES) + 1:
            raise refused(self.text, node.at, "a norm takes an array, ord=, axis= and keepdims=")
        if given["ord"] not in known:
            ways = ", ".join([repr(way) for way in known if way is not None])
            raise refused(self.text, node.at, f"ord= of a {kind(a.shape)} is one of {ways}")
        word, has_axes = known[given["ord"]], given["axis"] is not None or given["keepdims"]
        if word != "max" and not has_axes:
            return Typed(word, (a,), ())
        if word in ("nuclear", "spectral"):
            raise refused(self.text, node.at, "a norm of singular values takes no axis= here")
        inner = a if word == "norm2" else Typed("abs", (a,), a.shape)
        made = {"norm1": "sum", "norm2": "sum"}.get(word, word)
        found = self._reduced(node, made, [inner], {k: given[k] for k in _AXES})
        return found._replace(word="lengths") if word == "norm2" else found

    def _orders(self, node: Node, a: Typed) -> Mapping[Any, str]:
        """Say what the orders of norms mean: those of matrices in NumPy are of singular values."""
        is_numpy = not node.value[0].startswith(_TENSORFLOW)
        if len(a.shape) < 2 or "axis" in node.value[1]:
            return {None: "norm2", 2: "norm2", 1: "norm1", math.inf: "max"}
        own = {None: "norm2", "fro": "norm2", "euclidean": "norm2"}
        of_matrices = {"nuc": "nuclear", 2: "spectral"} if is_numpy else {2: "norm2", 1: "norm1"}
        return own | of_matrices

    def _along(self, node: Node, word: str, own: list[Typed], options: Any) -> Typed:
        """Read what is done along one axis, the last without a number: it keeps the shape."""
        if len(own) != 1 or options.keys() - {"axis"}:
            raise refused(self.text, node.at, f"{word}() takes an array and axis=")
        (a,) = own
        is_last = word != "cumsum" or len(a.shape) < 2
        axis = options.get("axis", -1 if is_last else None)
        if not isinstance(axis, int) or not a.shape:
            raise refused(self.text, node.at, f"{word}() of a {kind(a.shape)} takes axis=")
        (place,) = self._axes(node, axis, a)
        return Typed(word, (a,), a.shape, place)

    def _summed(self, node: Node, word: str, own: list[Typed], options: Any) -> Typed:
        """Read einsum('ij,j->i', A, x): a letter is one size everywhere."""
        if not own or own[0].word != "string" or options:
            raise refused(self.text, node.at, "einsum() takes subscripts in quotes, and arrays")
        text = "".join(own[0].value.split())
        inputs, arrow, output = text.partition("->")
        terms, arrays = inputs.split(","), own[1:]
        if not arrow:  # what stands there once, in the order of the alphabet
            output = "".join(sorted(i for i in inputs if i.isalpha() and inputs.count(i) == 1))
            text = f"{inputs}->{output}"
        if not all(t.isalpha() or not t for t in (*terms, output)):
            raise refused(self.text, node.at, "subscripts are letters, as in 'ij,jk->ik'")
        known: dict[str, int] = {}
        if [len(t) for t in terms] != [len(x.shape) for x in arrays]:
            raise refused(self.text, node.at, f"{text!r} does not have a letter for each axis")
        for term, x in zip(terms, arrays, strict=True):
            for letter, size in zip(term, x.shape, strict=True):
                known[letter] = self.sizes.same(known.get(letter, size), size)
        if not {*output} <= known.keys() or len({*output}) < len(output) or len(output) > 2:
            raise refused(self.text, node.at, f"{output!r} is no result of {inputs!r}")
        return Typed(word, tuple(arrays), tuple([known[i] for i in output]), text)

    # --- of vectors and matrices ------------------------------------------------------------------

    def _product(self, a: Typed, b: Typed) -> Typed:
        if not a.shape or not b.shape:
            raise MismatchError
        self.sizes.same(a.shape[-1], b.shape[0])
        return Typed("matmul", (a, b), a.shape[:-1] + b.shape[1:])

    def _turned(self, a: Typed) -> Typed:
        return Typed("transpose", (a,), a.shape[::-1]) if len(a.shape) > 1 else a

    def _call_matmul(self, _: str, a: Typed, b: Typed) -> Typed:
        return self._product(a, b)

    def _call_dot(self, _: str, a: Typed, b: Typed) -> Typed:
        if not a.shape or not b.shape:
            return Typed("multiply", (a, b), a.shape or b.shape)
        return self._product(a, b)

    def _call_inner(self, word: str, a: Typed, b: Typed) -> Typed:
        if len(a.shape) > 1 or len(b.shape) > 1:
            raise MismatchError
        return self._call_dot(word, a, b)

    def _call_outer(self, _: str, a: Typed, b: Typed) -> Typed:
        if (len(a.shape), len(b.shape)) != (1, 1):
            raise MismatchError
        return Typed("outer", (a, b), a.shape + b.shape)

    def _call_transpose(self, _: str, a: Typed) -> Typed:
        return self._turned(a)

    def _call_norm1(self, word: str, a: Typed) -> Typed:
        return Typed(word, (a,), ())

    def _square(self, a: Typed) -> None:
        if len(a.shape) != 2:
            raise MismatchError
        self.sizes.same(*a.shape)

    def _call_tr(self, word: str, a: Typed) -> Typed:
        self._square(a)
        return Typed(word, (a,), ())

    _call_det = _call_logdet = _call_hpd_logdet = _call_slogdet = _call_tr

    def _call_inv(self, word: str, a: Typed) -> Typed:
        self._square(a)
        return Typed(word, (a,), a.shape)

    _call_expm = _call_cholesky = _call_inv

    def _call_eigvalsh(self, word: str, a: Typed) -> Typed:
        self._square(a)
        return Typed(word, (a,), a.shape[:1])

    def _call_solve(self, _: str, a: Typed, b: Typed) -> Typed:
        return self._product(self._call_inv("inv", a), b)

    def _call_matrix_power(self, _: str, a: Typed, n: Typed) -> Typed:
        self._square(a)
        sign, number = (-1, n.operands[0]) if n.word == "negative" else (1, n)
        power = number.value if number.word == "number" else None
        if not isinstance(power, int) or not 0 < power <= _MOST_POWER:
            raise MismatchError
        return Typed("power", (a,), a.shape, sign * power)

    def _call_tril(self, _: str, a: Typed) -> Typed:
        return self._band(a, (-1, 0))

    def _call_triu(self, _: str, a: Typed) -> Typed:
        return self._band(a, (0, -1))

    def _band(self, a: Typed, bounds: tuple[int, int]) -> Typed:
        if len(a.shape) != 2:
            raise MismatchError
        return Typed("band", (a,), a.shape, bounds)

    def _call_diag_part(self, _: str, a: Typed) -> Typed:
        self._square(a)
        return Typed("diag_part", (a,), a.shape[:1])

    def _call_diag(self, word: str, a: Typed) -> Typed:
        if len(a.shape) == 2:
            return self._call_diag_part(word, a)
        if len(a.shape) != 1:
            raise MismatchError
        return Typed("diag", (a,), a.shape * 2)

    def _call_len(self, _: str, a: Typed) -> Typed:
        if not a.shape:
            raise MismatchError
        return Typed("length", (a,), (), ((0,),))

    def _call_size(self, _: str, a: Typed) -> Typed:
        return Typed("length", (a,), (), (None,))


_OPTIONS: Mapping[str, Callable[..., Typed]] = MappingProxyType(
    {
        "norm2": FunctionReader._normed,  # noqa: SLF001 - its own
        "cumsum": FunctionReader._along,  # noqa: SLF001 - its own
        "softmax": FunctionReader._along,  # noqa: SLF001 - its own
        "log_softmax": FunctionReader._along,  # noqa: SLF001 - its own
        "einsum": FunctionReader._summed,  # noqa: SLF001 - its own
    }
)
