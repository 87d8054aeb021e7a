"""One SymPy tree for a position of a program: ordinary for scalars, of array nodes otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self

import numpy as np
import sympy as sp
from sympy.core.symbol import Str

from symtape.errors import ExpansionError
from symtape.program import operations as ops
from symtape.program import structural
from symtape.program.evaluation import evaluate
from symtape.program.operations import Constant, Operation
from symtape.program.program import Program
from symtape.program.segments import SegmentExtremum
from symtape.program.symbolic import Symbolic, exact_objects, written_number

MAX_NODES = 20_000
MAX_DEPTH = 120


class Size:
    """Watches how large expressions grow, counting shared parts as often as they are written."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[int, int]] = {}
        self._alive: list[Any] = []

    def __call__(self, e: Any) -> None:
        """Raise `ExpansionError` if an expression has grown too large."""
        nodes, depth = self.of(e)
        if nodes > MAX_NODES or depth > MAX_DEPTH:
            raise ExpansionError(
                f"the formula has more than {min(nodes, MAX_NODES)} parts nested {depth} deep when "
                'it is written out; its shared steps are in latex("steps") and tape.program, '
                "its value in exact(), evalf() and lambdify()"
            )

    def of(self, e: Any) -> tuple[int, int]:
        """Count the nodes and the depth of a tree."""
        known = self._known
        stack = [e]
        while stack:
            top = stack[-1]
            if id(top) in known:
                stack.pop()
                continue
            waiting = [a for a in getattr(top, "args", ()) if id(a) not in known]
            if waiting:
                stack.extend(waiting)
                continue
            inner = [known[id(a)] for a in getattr(top, "args", ())]
            nodes = 1 + sum(n for n, _ in inner)
            known[id(top)] = (nodes, 1 + max((d for _, d in inner), default=0))
            self._alive.append(top)
            stack.pop()
        return known[id(e)]


def leaf_entry(name: str, at: tuple[Any, ...], dtype: np.dtype[Any]) -> Any:
    """Write an entry of a leaf: `x[0, 1]`, or the plain symbol of a scalar; truth is `x[0] ≠ 0`."""
    if not at:
        return sp.Symbol(name)
    entry = sp.IndexedBase(name)[at]
    return sp.Ne(entry, 0) if dtype.kind == "b" else entry


def indexed(name: str, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Any:
    """Make the array of all entries of a leaf."""
    out = np.empty(shape, object)
    for place in np.ndindex(shape):
        out[place] = leaf_entry(name, place, dtype)
    return out


def entries(
    program: Program,
    position: int,
    names: Mapping[int, str],
    limit: int,
    indices: Callable[[int], Any] | None = None,
) -> Any:
    """Write every entry of a position out; raises `ExpansionError` above the limit.

    `indices` gives the value of a position of integers that chooses elements: the entries are those
    of the elements that it chose; see `forms/choices.py`.
    """
    shape = program.shapes[position]
    count = 1
    for n in shape:
        count *= n
    if count > limit:
        raise ExpansionError(
            f"{count} entries of shape {shape} are more than {limit}; ask for index_expr(), or "
            f"to_entries(max_entries={count})"
        )
    wanted = program.ancestors([position])
    widest = max((_volume(program, p) for p in wanted), default=0)
    if widest > 40 * limit:
        raise ExpansionError(
            f"a step on the way has {widest} terms; ask for index_expr(), or for more with "
            f"to_entries(max_entries={widest // 40 + 1})"
        )
    inputs = {
        p: indexed(names[p], program.shapes[p], program.dtypes[p]) for p in wanted if p in names
    }
    if indices is not None:
        inputs.update({p: exact_objects(indices(p)) for p in choices(program, wanted)})
    return evaluate(program, [position], inputs, Symbolic(exact=False, check=Size()))[0]


_CHOOSING = (structural.Gather, structural.Scatter, SegmentExtremum)


def choices(program: Program, wanted: Iterable[int]) -> list[int]:
    """List what chooses elements: the indices of gathering steps, and places in an order."""
    found: dict[int, None] = {}
    for p in wanted:
        kind = type(program.steps[p][0])
        if kind in _CHOOSING:
            found[program.steps[p][2]] = None
        elif kind is structural.Position:
            found[p] = None
    return list(found)


def _volume(program: Program, p: int) -> int:
    """Count the elementary terms of a step."""
    operation, *operands = program.steps[p]
    sizes = program.shapes[p]
    if type(operation) is ops.Einsum:
        sizes = tuple(operation.index_sizes([program.shapes[i] for i in operands]).values())
    count = 1
    for n in sizes:
        count *= n
    return count


def expression(
    program: Program,
    position: int,
    names: Mapping[int, str],
    indices: Callable[[int], Any] | None = None,
) -> sp.Expr:
    """Write a position as one expression."""
    used = [p for p in program.ancestors([position]) if p in names]
    if program.shapes[position] == () and all(program.shapes[p] == () for p in used):
        return _tidied(entries(program, position, names, 10_000, indices)[()])
    return _tree(program, position, names)


def _tidied(e: Any) -> Any:
    """Write a short expression as a person would, where that is sure to be quick."""
    if not isinstance(e, sp.Basic) or sp.count_ops(e) > _TIDIED:
        return e
    if any(not p.exp.is_number and p.base is not sp.E for p in e.atoms(sp.Pow)):
        e = sp.powsimp(e, combine="exp")  # x*x**(n - 1) is x**n
    if 1 < len(e.atoms(sp.Piecewise)) <= _FOLDED:
        e = sp.piecewise_fold(e)  # the cases of one condition are joined
    if isinstance(e, sp.Add) and not e.has(sp.Float) and _is_fraction(e):
        joined = sp.factor(e)  # 1/(x - 1) - (x + 1)/(x - 1)**2 is -2/(x - 1)**2
        e = min(e, joined, key=sp.count_ops)
    return e


_TIDIED = 60
_FOLDED = 4


def _is_fraction(e: sp.Expr) -> bool:
    below = [p for p in e.atoms(sp.Pow) if p.exp.is_negative]
    return any(p.base.is_Add for p in below) and e.is_rational_function()


def _tree(program: Program, position: int, names: Mapping[int, str]) -> sp.Expr:
    check = Size()
    made: dict[int, sp.Expr] = {}
    for p in program.ancestors([position]):
        operation, *operands = program.steps[p]
        if p in names:
            made[p] = leaf(names[p], program.shapes[p])
        elif type(operation) is Constant:
            made[p] = written_number(operation.number)
        else:
            made[p] = Applied(OperationAtom(operation), *[made[i] for i in operands])
            check(made[p])
    return made[position]


def leaf(name: str, shape: tuple[int, ...]) -> sp.Expr:
    """Make the node of a leaf."""
    return ArrayVariable(Str(name), sp.Tuple(*shape)) if shape else sp.Symbol(name)


class OperationAtom(sp.Atom):
    """An operation as a SymPy atom, so that a node keeps all of its state in `args`."""

    __slots__ = ("operation",)

    operation: Operation

    def __new__(cls, operation: Operation) -> Self:
        """Wrap an operation."""
        made: Self = sp.Atom.__new__(cls)
        made.operation = operation
        return made

    def _hashable_content(self) -> tuple[Any, ...]:
        return (self.operation,)

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self.operation,)

    def _sympystr(self, _: Any) -> str:
        return repr(self.operation)

    def sort_key(self, order: Any = None) -> Any:  # noqa: ARG002 - SymPy's signature
        """Sort by what the operation is called."""
        return self.class_key(), (1, (repr(self.operation),)), sp.S.One.sort_key(), sp.S.One


def shape_of(e: Any) -> tuple[int, ...]:
    """Give the shape of an array node; ordinary expressions are scalars."""
    return e.shape if isinstance(e, ArrayExpr) else ()


class ArrayExpr(sp.Expr):
    """An array as a SymPy expression. Arithmetic makes array nodes, so `a - a` keeps its shape."""

    is_commutative = True
    _op_priority = 20.0

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array."""
        raise NotImplementedError

    def __add__(self, other: Any) -> Any:
        return _apply(ops.add, self, other)

    def __radd__(self, other: Any) -> Any:
        return _apply(ops.add, other, self)

    def __sub__(self, other: Any) -> Any:
        return _apply(ops.subtract, self, other)

    def __rsub__(self, other: Any) -> Any:
        return _apply(ops.subtract, other, self)

    def __mul__(self, other: Any) -> Any:
        return _apply(ops.multiply, self, other)

    def __rmul__(self, other: Any) -> Any:
        return _apply(ops.multiply, other, self)

    def __truediv__(self, other: Any) -> Any:
        return _apply(ops.divide, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _apply(ops.divide, other, self)

    def __pow__(self, other: Any) -> Any:
        return _apply(ops.power, self, other)

    def __neg__(self) -> Any:
        return _apply(ops.negative, self)

    def _latex(self, printer: Any) -> str:
        return str(printer._print(sp.Symbol(str(self))))  # noqa: SLF001 - SymPy's protocol


def _apply(operation: Operation, *operands: Any) -> Any:
    return Applied(OperationAtom(operation), *map(sp.sympify, operands))


class ArrayVariable(ArrayExpr):
    """A leaf that is an array: `ArrayVariable(Str(name), Tuple(*shape))`."""

    def __new__(cls, name: Any, shape: Any) -> Self:
        """Make the leaf of a name, a text or SymPy's `Str`, and a shape."""
        text = name if isinstance(name, Str) else Str(str(name))
        made: Self = super().__new__(cls, text, sp.Tuple(*shape))
        return made

    @property
    def name(self) -> str:
        """The name."""
        return str(self.args[0].name)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape."""
        return tuple(int(n) for n in self.args[1])

    @property
    def free_symbols(self) -> set[Any]:
        """The symbol that stands for the leaf."""
        return {sp.Symbol(self.name)}

    def _sympystr(self, _: Any) -> str:
        return self.name


class Applied(ArrayExpr):
    """An operation of operands: `Applied(OperationAtom(operation), *operands)`."""

    def __new__(cls, operation: OperationAtom, *operands: Any) -> Self:
        """Apply an operation to operands, numbers among them."""
        made: Self = super().__new__(cls, operation, *map(sp.sympify, operands))
        return made

    @property
    def operation(self) -> Operation:
        """The operation."""
        return self.args[0].operation  # type: ignore[no-any-return]  # an OperationAtom

    @property
    def operands(self) -> tuple[Any, ...]:
        """The operands."""
        return tuple(self.args[1:])

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape that the operation gives for those of the operands."""
        shapes = [shape_of(e) for e in self.operands]
        shape, _ = self.operation.infer(shapes, [np.dtype(np.float64)] * len(shapes))
        return tuple(shape)

    def _sympystr(self, printer: Any) -> str:
        show = printer._print  # noqa: SLF001 - SymPy's protocol
        inner = ", ".join(show(e) for e in self.operands)
        return f"{self.operation!r}({inner})"


__all__ = [
    "Applied",
    "ArrayExpr",
    "ArrayVariable",
    "OperationAtom",
    "Size",
    "entries",
    "expression",
    "leaf",
    "shape_of",
]
