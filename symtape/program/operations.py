"""The closed family of operations: what one step of a program may do.

An operation is a hashable value, a kind with parameters; equal parameters give the same object, so
comparing and hashing operations costs what it costs for any Python object. A kind knows the shape
and dtype of its result and which operands it is connected to. Everything else that can be asked of
it (its slope, its NumPy code, its LaTeX, …) is a rule in the room that asks.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from math import prod
from typing import Any, ClassVar, Self
from weakref import WeakValueDictionary

import numpy as np
import sympy as sp

from symtape.extras import imported
from symtape.program.functions import scalar
from symtape.program.relations import substituted
from symtape.program.subscripts import Indices, Subscripts, spell

Shape = tuple[int, ...]
DType = np.dtype[Any]
Number = Any
"""What an author writes: a bool, int, float, complex or SymPy rational."""

BOOL = np.dtype(np.bool_)

_interned: WeakValueDictionary[tuple[Any, ...], Operation] = WeakValueDictionary()


class Operation:
    """One kind of step with its parameters."""

    __slots__ = ("__weakref__", "parameters")

    parameters: tuple[Any, ...]
    arity: int | None = 1
    discrete: bool = False
    """A discrete operation has no derivative at all: its result is a choice or a count."""

    def __new__(cls, *parameters: Any) -> Self:
        """Give the operation of these parameters, the same object each time."""
        key = (cls, *parameters)
        found = _interned.get(key)
        if found is None:
            made = object.__new__(cls)
            made.parameters = parameters
            made.prepare(*parameters)
            found = _interned.setdefault(key, made)
        return found  # type: ignore[return-value]  # the class is part of the key

    def prepare(self, *parameters: Any) -> None:
        """Set what follows from the parameters alone."""

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Give the shape and dtype of the result, from those of the operands."""
        raise NotImplementedError(f"{type(self).__name__} does not say its shape")

    def connects(self, k: int) -> bool:
        """Say whether a derivative can flow to operand `k`."""
        return not self.discrete

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.parameters

    def __repr__(self) -> str:
        inner = ", ".join(map(str, self.parameters))
        return f"{type(self).__name__.lower()}[{inner}]" if inner else type(self).__name__.lower()


@lru_cache(maxsize=256)
def dtype_name(dtype: DType | str) -> str:
    """Name a dtype; NumPy makes the name anew whenever it is asked.

    For that it asks what `numpy.bool` is, which old scripts set to Python's `bool`.

    >>> dtype_name(np.dtype("float64")), dtype_name(np.dtype(bool))
    ('float64', 'bool')
    """
    found = np.dtype(dtype)
    return "bool" if found == BOOL else found.name


def dtype_named(name: str) -> DType:
    """Give the dtype of a name, the object that NumPy itself uses; bfloat16 is that of ml_dtypes.

    >>> dtype_named("float32")
    dtype('float32')
    """
    try:
        return np.dtype(name)
    except TypeError:
        if name != "bfloat16":
            raise
    found: DType = np.dtype(imported("ml_dtypes", "bfloat16", "bfloat16").bfloat16)
    return found


def broadcast_shapes(shapes: Sequence[Shape]) -> Shape:
    """Broadcast shapes by NumPy's rule.

    >>> broadcast_shapes([(3, 1), (4,)])
    (3, 4)
    """
    first = shapes[0]
    for shape in shapes:
        if shape != first:
            return _broadcast(shapes)
    return first


def _broadcast(shapes: Sequence[Shape]) -> Shape:
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        if prod(map(prod, shapes)) < _LARGEST:
            raise
    rank = max(map(len, shapes))
    wide = [(1,) * (rank - len(shape)) + shape for shape in shapes]
    return sum([np.broadcast_shapes(*[(n,) for n in axis]) for axis in zip(*wide, strict=True)], ())


_LARGEST = 2**62
"""NumPy counts no more elements; letters of sizes stand for so large numbers that there may be."""


# --- leaves ----------------------------------------------------------------------------------


class Input(Operation):
    """A tensor that enters the program: `Input(dtype, shape, watched)`.

    A watched one is an argument of the formulas; the others keep their values.
    """

    __slots__ = ("dtype", "shape", "watched")
    arity = 0

    def prepare(self, dtype: str, shape: Shape, watched: bool = False) -> None:
        """Read the dtype from its NumPy name."""
        self.dtype = dtype_named(dtype)
        self.shape = shape
        self.watched = watched

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Give what the tensor was when it entered."""
        return self.shape, self.dtype

    def __repr__(self) -> str:
        return f"input[{dtype_name(self.dtype)}, {self.shape}]"


class Constant(Operation):
    """A number that the author wrote: `Constant(text of the number, name of its type, dtype)`."""

    __slots__ = ("dtype", "number", "value")
    arity = 0

    @classmethod
    def of(cls, number: Number, dtype: DType | str) -> Constant:
        """Make the constant `number` of a dtype."""
        kind = "rational" if isinstance(number, sp.Rational) else type(number).__name__
        return cls(repr(number), kind, dtype_name(dtype))

    def prepare(self, text: str, kind: str, dtype: str) -> None:
        """Keep the number as it was written, and as the program computes with it."""
        self.dtype = dtype_named(dtype)
        number = _READERS[kind](text)
        self.number = int(number) if kind == "bool" and self.dtype.kind != "b" else number
        is_long = kind == "rational" or (kind == "int" and self.dtype.kind not in "iu")
        self.value = self.dtype.type(_as_float(number) if is_long else self.number)

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Be a scalar."""
        return (), self.dtype

    def __repr__(self) -> str:
        return str(self.number)


def _as_float(number: Any) -> float:
    """Round a number; beyond all floats it is infinite, as it is where floats compute it."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


_READERS: dict[str, Callable[[str], Number]] = {
    "bool": lambda text: text == "True",
    "int": int,
    "float": float,
    "complex": complex,
    "rational": sp.Rational,
}


# --- elementwise ------------------------------------------------------------------------------


@cache
def parameter(k: int) -> sp.Symbol:
    """Give the bound symbol of operand `k` in the body of a `Map`, named by its position."""
    return sp.Symbol(f"a{k}", real=True)


@cache
def parameters(arity: int) -> tuple[sp.Symbol, ...]:
    """Give the bound symbols of a `Map` of some arity."""
    return tuple(parameter(k) for k in range(arity))


class Map(Operation):
    """Elementwise with NumPy broadcasting: `Map(body, arity, result)`, a scalar SymPy body.

    In place of the body there may be the name of a definition (see `elementwise`), which is looked
    at when it is needed: SymPy stays out of the way until something is derived. `result` says the
    dtype: "same" as the operands, "bool", the "real" or the "complex" partner, or "stopped", which
    is the same without a gradient.
    """

    __slots__ = (
        "_body",
        "_connected",
        "_fixed",
        "_mentioned",
        "_name",
        "arity",
        "discrete",
        "result",
    )
    arity: int
    definitions: ClassVar[dict[tuple[str, int, str], Callable[..., Any]]] = {}
    own: ClassVar[set[tuple[str, int, str]]] = set()
    """Those of symtape itself, which are there wherever it is; others travel with their bodies."""

    @classmethod
    def of(cls, body: sp.Basic, arity: int) -> Map:
        """Give the operation of a body: the one that has a name, if there is one."""
        return _named(body, arity) or cls(body, arity, "same")

    @classmethod
    def named(cls, name: str, body: sp.Basic, arity: int, result: str) -> Map:
        """Give the operation of a body, with its name if the name means that body here."""
        if (name, arity, result) in cls.definitions and cls(name, arity, result).body == body:
            return cls(name, arity, result)
        return cls(body, arity, result)

    def __reduce__(self) -> tuple[Any, ...]:
        if self._name is None or self.parameters in self.own:
            return super().__reduce__()
        return Map.named, (self._name, self.body, self.arity, self.result)

    def prepare(self, body: sp.Basic | str, arity: int, result: str) -> None:
        """Read the parameters."""
        self.arity, self.result = arity, result
        self.discrete = result in {"bool", "stopped"}
        self._name = body if isinstance(body, str) else None
        self._body = None if isinstance(body, str) else body
        self._connected: tuple[bool, ...] | None = None
        self._fixed: tuple[int, ...] | None = None
        self._mentioned: tuple[bool, ...] | None = None

    @property
    def body(self) -> sp.Basic:
        """The scalar body, of the symbols `a0`, `a1`, …"""
        if self._body is None:
            self._body = _applied(self.definitions[self.parameters], self.arity)
        return self._body

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Broadcast, and take the dtype that `result` says."""
        shape = broadcast_shapes(shapes)
        if self.result == "bool":
            return shape, BOOL
        dtype = dtypes[0] if dtypes[-1] is BOOL else dtypes[-1]
        same = self.result in {"same", "stopped"}
        return shape, dtype if same else partner(dtype, self.result)

    def connects(self, k: int) -> bool:
        """Look at the body, outside of conditions and steps."""
        if self._connected is None:
            carried = set() if self.discrete else scalar.carried(self.body)
            self._connected = tuple([symbol in carried for symbol in parameters(self.arity)])
        return self._connected[k]

    @property
    def fixed(self) -> tuple[int, ...]:
        """The operands that it depends on smoothly, and has no slope by: orders and shapes."""
        if self._fixed is None:
            found = set() if self.discrete else scalar.fixed(self.body)
            self._fixed = tuple([k for k, s in enumerate(parameters(self.arity)) if s in found])
        return self._fixed

    @property
    def formula(self) -> tuple[tuple[sp.Symbol, ...], sp.Basic]:
        """The body in ordinary SymPy and its symbols, of which nothing is assumed."""
        return _formula(self, at_points=False)

    @property
    def at_points(self) -> tuple[tuple[sp.Symbol, ...], sp.Basic]:
        """The same with TensorFlow's conventions at the edges of domains, for values at points."""
        return _formula(self, at_points=True)

    def applied(self, operands: Sequence[Any], *, at_points: bool = False) -> Any:
        """Write the body of expressions, or compute it of numbers."""
        symbols, body = _formula(self, at_points=at_points)
        return substituted(body, dict(zip(symbols, operands, strict=True)))

    def writes(self, k: int) -> bool:
        """Say whether the body as a person reads it depends on an operand."""
        symbols, body = self.formula
        return symbols[k] in body.free_symbols

    def mentions(self, k: int) -> bool:
        """Say whether the body as it is read or computed depends on an operand.

        What only keeps floats from overflowing, as the maximum in a logsumexp, stands in none.
        """
        if self._mentioned is None:
            symbols, body = self.at_points
            found = body.free_symbols | self.formula[1].free_symbols
            self._mentioned = tuple([symbol in found for symbol in symbols])
        return self._mentioned[k]

    @property
    def name(self) -> str:
        """The name that the operation is known by, else its body."""
        return self._name or str(self.formula[1])

    def __repr__(self) -> str:
        return self.name


@lru_cache(maxsize=4096)
def _formula(operation: Map, *, at_points: bool) -> tuple[tuple[sp.Symbol, ...], sp.Basic]:
    """Lower the body; its symbols are real, a person's may be complex."""
    plain = tuple([sp.Symbol(s.name) for s in parameters(operation.arity)])
    swapped = operation.body.xreplace(dict(zip(parameters(operation.arity), plain, strict=True)))
    return plain, scalar.ordinary(swapped, at_points=at_points)


def _named(body: sp.Basic, arity: int) -> Map | None:
    """Find the operation that has a name by its body; only what may be equal is written for that.

    What is defined as one function, of its operands behind numbers, is told by the function.
    """
    count = len(Map.definitions)
    first = len(body.args) - arity
    if first >= 0 and body.args[first:] == parameters(arity):
        name = _functions(count).get((scalar.kind_of(body), arity, body.args[:first]))
        if name is not None:
            return _lasting(name, arity)
    return _written(count, arity).get(body)


def _function(body: Callable[..., Any]) -> tuple[Any, tuple[Any, ...]] | None:
    """Tell a definition that is one function, and the numbers in front of its operands."""
    given = (body.func, body.args) if isinstance(body, partial) else (body, ())
    return given if isinstance(given[0], (scalar.Kind, type)) else None


@cache
def _functions(_: int) -> dict[tuple[Any, ...], str]:
    """Name the definitions that are one function, for a number of definitions."""
    found: dict[tuple[Any, ...], str] = {}
    for (name, arity, result), body in Map.definitions.items():
        function = _function(body)
        if result == "same" and function is not None:
            found.setdefault((function[0], arity, function[1]), name)
    return found


@cache
def _written(_: int, arity: int) -> dict[sp.Basic, Map]:
    """Write the bodies of other definitions of some arity, for a number of definitions."""
    found: dict[sp.Basic, Map] = {}
    for (name, own, result), body in Map.definitions.items():
        if own == arity and result == "same" and _function(body) is None:
            operation = _lasting(name, arity)
            found.setdefault(operation.body, operation)
    return found


@cache
def _lasting(name: str, arity: int) -> Map:
    """Keep an operation that has a name as long as the process lives."""
    return Map(name, arity, "same")


def elementwise(name: str, body: Callable[..., Any], arity: int = 1, result: str = "same") -> Map:
    """Define an elementwise operation by its scalar body, and name it.

    `body` takes one symbol an operand. Raises `ValueError` if the name means another body already.
    """
    known = Map.definitions.setdefault((name, arity, result), body)
    if known is not body and Map(name, arity, result).body != _applied(body, arity):
        raise ValueError(f"{name!r} is already the name of another elementwise operation")
    if sys._getframe(1).f_globals.get("__name__", "").startswith("symtape."):  # noqa: SLF001 - who defines
        Map.own.add((name, arity, result))
    return Map(name, arity, result)


def _applied(body: Callable[..., Any], arity: int) -> sp.Basic:
    """Write a body of the symbols `a0`, `a1`, …"""
    return sp.sympify(body(*parameters(arity)))


def partner(dtype: DType, result: str) -> DType:
    """Give the real or complex dtype of the same precision.

    >>> partner(np.dtype("complex64"), "real")
    dtype('float32')
    """
    if result == "real":
        return np.dtype(dtype.type(0).real.dtype) if dtype.kind == "c" else dtype
    return dtype if dtype.kind == "c" else np.dtype("c16" if dtype.itemsize > 4 else "c8")


identity = elementwise("identity", lambda x: x)
add = elementwise("add", lambda x, y: x + y, 2)
subtract = elementwise("subtract", lambda x, y: x - y, 2)
multiply = elementwise("multiply", lambda x, y: x * y, 2)
divide = elementwise("divide", lambda x, y: x / y, 2)
negative = elementwise("negative", lambda x: -x)
reciprocal = elementwise("reciprocal", lambda x: 1 / x)
power = elementwise("pow", scalar.power, 2)
where = elementwise("where", lambda c, x, y: sp.Piecewise((x, c), (y, True)), 3)
equal = elementwise("equal", sp.Eq, 2, result="bool")
greater = elementwise("greater", lambda x, y: x > y, 2, result="bool")
not_equal = elementwise("not_equal", scalar.unequal, 2, result="bool")
conj = elementwise("conj", scalar.conj)
real = elementwise("real", scalar.real, result="real")
imag = elementwise("imag", scalar.imag, result="real")
angle = elementwise("angle", scalar.angle, result="real")
to_complex = elementwise("complex", scalar.to_complex, 2, result="complex")
absolute = elementwise("abs", scalar.absolute, result="real")
sign = elementwise("sign", scalar.sign)
sqrt = elementwise("sqrt", scalar.sqrt)
rsqrt = elementwise("rsqrt", lambda x: 1 / scalar.sqrt(x))
masked_product = elementwise("masked_product", scalar.masked_product, 2)


class Cast(Operation):
    """Elementwise change of dtype: `Cast(dtype)`."""

    __slots__ = ("discrete", "dtype")

    def prepare(self, dtype: str) -> None:
        """Know that integers and booleans carry no derivative."""
        self.dtype = dtype_named(dtype)
        self.discrete = self.dtype.kind in "biu"

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Keep the shape."""
        return shapes[0], self.dtype


class AddN(Operation):
    """The sum of any number of operands, elementwise with broadcasting."""

    __slots__ = ()
    arity = None

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Broadcast."""
        return broadcast_shapes(shapes), dtypes[0]


add_n = AddN()


# --- multilinear ------------------------------------------------------------------------------


class Einsum(Operation):
    """Everything multilinear: `Einsum(inputs, output, sizes)` with index numbers.

    The result sums the product of the operands over every index that the output lacks. An index
    that is only in the output is a broadcast axis, whose size is in `sizes`, pairs of index and
    size. An index that the output has twice is a Kronecker delta.
    """

    __slots__ = ("arity", "inputs", "output", "sizes")

    @classmethod
    def of(
        cls,
        inputs: Sequence[Sequence[int]],
        output: Sequence[int],
        sizes: dict[int, int] | None = None,
    ) -> Einsum:
        """Renumber the indices by first appearance and keep the sizes that are needed."""
        names: dict[int, int] = {}
        terms = tuple([tuple([names.setdefault(i, len(names)) for i in t]) for t in inputs])
        known = len(names)
        result = tuple([names.setdefault(i, len(names)) for i in output])
        lone = [i for i in dict.fromkeys(output) if names[i] >= known]
        return cls(terms, result, tuple((names[i], (sizes or {})[i]) for i in lone))

    @classmethod
    def parse(cls, subscripts: Subscripts) -> Einsum:
        """Make the operation of parsed text."""
        return cls(subscripts.inputs, subscripts.output, ())

    def prepare(
        self, inputs: tuple[Indices, ...], output: Indices, sizes: tuple[tuple[int, int], ...]
    ) -> None:
        """Read the parameters."""
        self.inputs, self.output, self.sizes = inputs, output, sizes
        self.arity = len(inputs)

    def index_sizes(self, shapes: Sequence[Shape]) -> dict[int, int]:
        """Give the size of every index, from the shapes of the operands."""
        sizes = dict(self.sizes)
        for term, shape in zip(self.inputs, shapes, strict=True):
            sizes.update(zip(term, shape, strict=True))
        return sizes

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Give each output index the size that it has in an operand."""
        sizes = self.index_sizes(shapes)
        return tuple([sizes[i] for i in self.output]), dtypes[0]

    @property
    def text(self) -> str:
        """The subscripts as einsum writes them."""
        return Subscripts(self.inputs, self.output).text

    def __repr__(self) -> str:
        sizes = ", ".join(f"{spell([i])}={n}" for i, n in self.sizes)
        return f"einsum[{self.text}{', ' + sizes if sizes else ''}]"


class Count(Operation):
    """The number of elements along some axes, as a scalar of the operand's dtype: `Count(axes)`.

    `Count(axes, dtype)` is of another dtype.
    """

    __slots__ = ("axes", "dtype")
    discrete = True

    def prepare(self, axes: tuple[int, ...], dtype: str | None = None) -> None:
        """Read the axes, counted from the last one, -1."""
        self.axes = axes
        self.dtype = None if dtype is None else dtype_named(dtype)

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Shape, DType]:
        """Be a scalar."""
        return (), self.dtype or dtypes[0]

    def count(self, shape: Shape) -> int:
        """Count for a shape."""
        return prod(shape[axis] for axis in self.axes)


# --- results and calls ----------------------------------------------------------------------------


class Item(Operation):
    """One result of an operation that has several: `Item(k)`."""

    __slots__ = ("k",)

    def prepare(self, k: int) -> None:
        """Read which."""
        self.k = k

    def infer(self, shapes: Sequence[Any], dtypes: Sequence[Any]) -> tuple[Shape, DType]:
        """Look into the tuple."""
        return shapes[0][self.k], dtypes[0][self.k]


item = lru_cache(maxsize=1024)(Item)
"""`Item(k)`, without looking among all operations."""


class Call(Operation):
    """A derived program as one step of another: `Call(program, inputs, outputs)`.

    Differentiation and the readings look inside; only recording treats it as one step.
    """

    __slots__ = ("inputs", "outputs", "program")
    arity = None

    def prepare(self, program: Any, inputs: tuple[int, ...], outputs: tuple[int, ...]) -> None:
        """Read the program and which of its positions are fed and taken."""
        self.program, self.inputs, self.outputs = program, inputs, outputs

    def infer(self, shapes: Sequence[Shape], dtypes: Sequence[DType]) -> tuple[Any, Any]:
        """Give one shape and dtype for each output."""
        program = self.program
        return (
            tuple(program.shapes[p] for p in self.outputs),
            tuple(program.dtypes[p] for p in self.outputs),
        )

    def __repr__(self) -> str:
        return f"call[{len(self.program)} steps]"
