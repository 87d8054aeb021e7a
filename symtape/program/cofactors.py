"""Small matrices of scalars in what was recorded, with determinants and inverses by cofactors.

A matrix that is stacked of scalars is read best by its elements: the determinant of [a, b; c, d] is
a d - b c, and so is what follows from it. This is for reading alone: cofactors lose digits, and
have a derivative where an inverse has none.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from math import prod
from typing import Any

import numpy as np
import sympy as sp

from symtape.program import kinds
from symtape.program.evaluation.evaluation import RULES, Context, as_objects
from symtape.program.operations import (
    AddN,
    Constant,
    Einsum,
    Input,
    Map,
    Operation,
    absolute,
    divide,
    elementwise,
    multiply,
    sqrt,
    subtract,
)
from symtape.program.program import Builder, Program
from symtape.program.sizes.resizing import Resized

log = elementwise("log", sp.log)

_SIZES = (2, 3)
"""How many rows a matrix has that is written by cofactors."""

_MOST = 16
"""So many elements an array has at most that is written by its elements."""

_BY_ELEMENTS = (
    *(Map, AddN, Einsum),
    *(kinds.Concat, kinds.Slice, kinds.Reshape, kinds.Embed, kinds.Assemble),
)
_OF_MATRICES = (
    *(kinds.Determinant, kinds.LogDeterminant, kinds.Inverse, kinds.Solve, kinds.Cholesky),
)


def with_cofactors(program: Program, positions: Collection[int]) -> Resized | None:
    """Write small matrices of scalars that some positions depend on by elements, if there are."""
    steps = program.ancestors(positions)
    if not any(_is_of_small(program, p) for p in steps):
        return None
    writer = _Writer(program, positions)
    for p in steps:
        writer.add(p)
    writer.b.recorded = len(writer.b)
    return Resized(writer.b.finish(), writer.place, {}) if writer.is_changed else None


def _is_of_small(program: Program, p: int) -> bool:
    operation, *operands = program.steps[p]
    if type(operation) not in _OF_MATRICES or program.dtypes[p].kind != "f":
        return False
    shapes = [program.shapes[i] for i in operands]
    return shapes[0] in [(n, n) for n in _SIZES] and all(len(shape) == 2 for shape in shapes)


class _Element:
    """An element that is a step of its own; a zero among them is a plain 0.

    That on the diagonal of a Cholesky factor is the root of the quotient of two `minors`.
    """

    __slots__ = ("minors", "position")

    def __init__(self, position: int, minors: Sequence[Any] = ()) -> None:
        self.position, self.minors = position, minors


class _Elements:
    """The kind of number that elements are: what is computed of them is a step."""

    def __init__(self, b: Builder) -> None:
        self.b = b

    def position(self, e: Any, dtype: Any) -> int:
        """Give the step that an element is."""
        return e.position if isinstance(e, _Element) else self.b.constant(0, dtype)

    def made(self, operation: Operation, *elements: Any) -> Any:
        """Apply an operation to elements."""
        dtypes = [self.b.dtypes[e.position] for e in elements if isinstance(e, _Element)]
        own = [self.position(e, dtypes[0] if dtypes else np.dtype(float)) for e in elements]
        return _Element(self.b.append(operation, *own))

    def constant(self, operation: Constant) -> Any:
        """Give a number that the author wrote."""
        return _Element(self.b.append(operation)) if operation.number else 0

    def function(self, operation: Map) -> Callable[..., Any]:
        """Give the function that an elementwise operation applies to elements."""
        if operation == multiply:
            return lambda *factors: self.multiply(factors)
        if operation == log:
            return self.logarithm
        return lambda *elements: self.made(operation, *elements)

    def logarithm(self, x: Any) -> Any:
        """Take the logarithm; of a root of a quotient of minors, half of what theirs differ by."""
        if not isinstance(x, _Element) or not x.minors:
            return self.made(log, x)
        half = _Element(self.b.constant(sp.S.Half, self.b.dtypes[x.position]))
        above, *below = [self.made(log, minor) for minor in x.minors]
        return self.multiply([half, self.subtract(above, *below) if below else above])

    def add(self, terms: Sequence[Any]) -> Any:
        """Add up, zeros left out."""
        kept = [t for t in terms if isinstance(t, _Element)]
        return _Element(self.b.total([t.position for t in kept])) if kept else 0

    def multiply(self, factors: Iterable[Any]) -> Any:
        """Multiply; zero times something is zero."""
        first, *rest = own = [*factors]
        if any(not isinstance(f, _Element) for f in own):
            return 0
        for f in rest:
            first = _Element(self.b.multiply(first.position, f.position))
        return first

    def subtract(self, x: Any, y: Any) -> Any:
        """Subtract; a zero is nothing to take away."""
        return x if not isinstance(y, _Element) else self.made(subtract, x, y)


class _Writer:
    """Copies steps one after another; what is made of scalars is there by its elements."""

    def __init__(self, program: Program, positions: Collection[int]) -> None:
        self.program, self.positions = program, {*positions}
        self.b, self.is_changed = Builder(), False
        self.place: dict[int, int] = {}
        self.numbers: Any = _Elements(self.b)
        self.known: dict[int, Any] = {}
        self._keys: list[int] = []
        self._numbered: dict[Any, int] = {}

    def add(self, p: int) -> None:
        """Write a step."""
        operation, *operands = self.program.steps[p]
        found = self._by_elements(p)
        if found is None:
            is_input = type(operation) is Input
            own = [self._whole(i) for i in operands]
            self.place[p] = self.b.enter(operation) if is_input else self.b.apart(operation, *own)
        elif self.program.shapes[p] == ():
            self.place[p] = self.numbers.position(found[()], self.program.dtypes[p])
        else:
            self.known[p] = found
            if p in self.positions:
                self._whole(p)
                del self.known[p]

    def _by_elements(self, p: int) -> Any | None:
        """Compute an array of what are scalars, element by element."""
        operation, *operands = self.program.steps[p]
        if not any(self._is_made_of_scalars(i) for i in operands):
            return None
        if (
            not all(self._is_open(i, operands) for i in operands)
            or not 0 < prod(self.program.shapes[p]) <= _MOST
        ):
            return None
        own = [self._objects(i) for i in operands]
        if _is_of_small(self.program, p):
            found = self._of_small(operation, operands, own)
            self.is_changed |= found is not None
            return found
        if not isinstance(operation, _BY_ELEMENTS):
            return None
        return RULES[type(operation)](
            operation, Context(self.program, p, operands, self.numbers), *own
        )

    def _of_small(self, operation: Operation, operands: Sequence[int], own: Sequence[Any]) -> Any:
        """Write a determinant, an inverse or a solution; None of what has no cofactors."""
        numbers = self.numbers
        match operation:
            case kinds.Determinant(part="value"):
                return as_objects(self._determinant_of(operands[0]))
            case kinds.Determinant(part="log"):
                size = numbers.made(absolute, self._determinant_of(operands[0]))
                return as_objects(numbers.made(log, size))
            case kinds.LogDeterminant() if self._is_symmetric(own[0]):
                return as_objects(numbers.made(log, self._determinant_of(operands[0])))
            case kinds.Cholesky() if self._is_symmetric(own[0]):
                return _cholesky(numbers, own[0])
            case kinds.Inverse() | kinds.Solve() if self._is_multiple_of_one(own[0]):
                return None  # it is shorter as a matrix
            case kinds.Inverse():
                return _inverse(numbers, own[0])
            case kinds.Solve(form="full" | "lower" | "upper"):
                return _solution(numbers, operation, *own)
        return None

    def _is_multiple_of_one(self, a: Any) -> bool:
        """Say whether there is one number on the diagonal, and zeros beside it."""
        beside = [a[i, j] for i, j in np.ndindex(*a.shape) if i != j]
        numbers = {self._key(a[i, i]) for i in range(len(a))}
        return len(numbers) == 1 and not any(isinstance(e, _Element) for e in beside)

    def _is_symmetric(self, a: Any) -> bool:
        """Say whether the elements across the diagonal are computed alike."""
        pairs = ((a[i, j], a[j, i]) for i, j in np.ndindex(*a.shape) if j < i)
        return all(self._key(x) == self._key(y) for x, y in pairs)

    def _key(self, e: Any) -> Any:
        """Number what steps compute: equal steps of equal operands have one number."""
        if not isinstance(e, _Element):
            return 0
        for p in range(len(self._keys), len(self.b)):
            operation, *operands = self.b.steps[p]
            own = p if type(operation) is Input else [self._keys[i] for i in operands]
            self._keys.append(self._numbered.setdefault((operation, str(own)), p))
        return self._keys[e.position]

    def _is_made_of_scalars(self, i: int) -> bool:
        return i in self.known or self.program.shapes[i] == ()

    def _is_open(self, i: int, others: Sequence[int]) -> bool:
        """Say whether the elements of an operand are known, or few beside those of a matrix."""
        is_few = self.program.dtypes[i].kind == "f" and prod(self.program.shapes[i]) <= _SIZES[-1]
        return self._is_made_of_scalars(i) or (is_few and not self.known.keys().isdisjoint(others))

    def _objects(self, i: int) -> Any:
        """Give the elements of an operand; those of a vector are taken one by one."""
        if i in self.known:
            return self.known[i]
        shape = self.program.shapes[i]
        if shape == ():
            return as_objects(_Element(self.place[i]))
        found = np.empty(shape, object)
        for place in np.ndindex(*shape):
            one = self.b.append(kinds.Slice(tuple((k, 1, 1) for k in place)), self.place[i])
            found[place] = _Element(self.b.einsum([range(len(shape))], [], [one]))
        return found

    def _whole(self, p: int) -> int:
        """Give the place of an array, which is joined of its elements when it is first needed."""
        if p not in self.place:
            self.place[p] = self._joined(self.known[p], self.program.dtypes[p])
        return self.place[p]

    def _joined(self, found: Any, dtype: Any) -> int:
        """Join elements along one axis after another, the last one first."""
        ones = (1,) * found.ndim

        def joined(x: Any) -> int:
            if x.ndim == 0:
                return self.b.broadcast(self.numbers.position(x[()], dtype), ones)
            return self.b.append(kinds.Concat(-x.ndim), *[joined(as_objects(y)) for y in x])

        return joined(found)

    def _determinant_of(self, p: int) -> Any | None:
        """Give the determinant of a matrix; of a product of square ones, that of each factor."""
        operation, *operands = self.program.steps[p]
        shapes = {self.program.shapes[i] for i in (p, *operands)}
        if type(operation) is Einsum and len(shapes) == 1 and _is_product(operation):
            return self.numbers.multiply([self._determinant_of(i) for i in operands])
        return _determinant(self.numbers, self.known[p])


def _is_product(operation: Einsum) -> bool:
    """Say whether an einsum is a product of two matrices, whichever way round each of them is."""
    if [len({*term}) for term in (*operation.inputs, operation.output)] != [2, 2, 2]:
        return False
    first, second = ({*term} for term in operation.inputs)
    return len(first & second) == 1 and first ^ second == {*operation.output}


def _minor(a: Any, i: int, j: int) -> Any:
    return np.delete(np.delete(a, i, 0), j, 1)


def _determinant(numbers: _Elements, a: Any) -> Any:
    """Expand along the first row."""
    if len(a) == 1:
        return a[0, 0]
    terms = [
        numbers.multiply([x, _determinant(numbers, _minor(a, 0, j))]) for j, x in enumerate(a[0])
    ]
    return numbers.subtract(numbers.add(terms[::2]), numbers.add(terms[1::2]))


def _inverse(numbers: _Elements, a: Any) -> Any:
    """Divide the cofactors, turned, by the determinant."""
    whole = _determinant(numbers, a)
    found = np.empty(a.shape, object)
    for i, j in np.ndindex(*a.shape):
        minor = _determinant(numbers, _minor(a, j, i))
        signed = numbers.subtract(0, minor) if (i + j) % 2 else minor
        found[i, j] = numbers.made(divide, signed, whole) if isinstance(signed, _Element) else 0
    return found


def _solution(numbers: _Elements, operation: kinds.Solve, a: Any, y: Any) -> Any:
    """Multiply by the inverse, of a triangle alone where there is one."""
    if operation.form != "full":
        a = np.tril(a) if operation.form == "lower" else np.triu(a)
    left = _inverse(numbers, a)
    left = left.T if operation.adjoint else left
    found = np.empty(y.shape, object)
    for i, j in np.ndindex(*y.shape):
        pairs = zip(left[i], y[:, j], strict=True)
        found[i, j] = numbers.add([numbers.multiply(pair) for pair in pairs])
    return found


def _cholesky(numbers: _Elements, a: Any) -> Any:
    """Divide minors (Gantmacher, chapter 2, formula 44), of which the leading ones are positive."""
    found = np.zeros(a.shape, object)
    before: Any = None
    for j in range(len(a)):
        leading = _determinant(numbers, a[: j + 1, : j + 1])
        quotient = leading if before is None else numbers.made(divide, leading, before)
        root = numbers.made(sqrt, quotient)
        minors = [leading] if before is None else [leading, before]
        found[j, j] = _Element(root.position, minors)
        scale = leading if before is None else numbers.multiply([leading, before])
        for i in range(j + 1, len(a)):
            minor = _determinant(numbers, a[[*range(j), i], : j + 1])
            if isinstance(minor, _Element):
                found[i, j] = numbers.made(divide, minor, numbers.made(sqrt, scale))
        before = leading
    return found
