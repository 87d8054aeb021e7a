"""The math backend: formulas of scalars on Python's floats, with `math` and `cmath` alone.

Where Python raises and NumPy gives an infinity or nan (an overflow, a division by zero, a logarithm
of zero), the number is NumPy's: the same formula is run once more on NumPy's numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from symtape.codegen.compile import Source
from symtape.codegen.python_math import NAMESPACE, python_form
from symtape.codegen.scope import Scope
from symtape.codegen.statements import Statements, function_texts
from symtape.codegen.task import Backend, Code, Recorded, Task, host_array
from symtape.errors import UnsupportedError
from symtape.kernels.interpret import QUIET
from symtape.kernels.nodes import (
    ATOM,
    TERM,
    Attribute,
    Node,
    Phrase,
    Slot,
    Word,
    as_node,
    product,
    total,
    walk,
)
from symtape.lowering.folding import folded
from symtape.program.kinds.structural import Extremum, Product, Reshape
from symtape.program.operations import AddN, Cast, DType, Einsum, Map, Shape
from symtape.program.program import Program, describe

Nodes = Sequence[Phrase]

_NAMES = {"f": "float", "c": "complex", "i": "int", "u": "int", "b": "bool"}


def _body(operation: Map, dtypes: Sequence[DType]) -> Node:
    try:
        return python_form(operation, is_complex=any([d.kind == "c" for d in dtypes]))
    except KeyError as error:
        raise UnsupportedError(
            f"Python's math has no function {error.args[0]!r} for {', '.join(map(str, dtypes))}; "
            "the numpy backend has"
        ) from None


def _cast(operation: Cast, nodes: Nodes, dtypes: Sequence[DType]) -> Node:
    kind = operation.dtype.kind
    if kind == dtypes[0].kind:
        return nodes[0]
    given = Attribute(nodes[0], "real") if dtypes[0].kind == "c" else nodes[0]
    return Word(_NAMES[kind])(given)


def _itself(_: Any, nodes: Nodes, __: Any) -> Node:
    return nodes[0]


WRITERS: dict[Any, Callable[[Any, Nodes, Sequence[DType]], Node]] = {
    AddN: lambda _, nodes, __: total(nodes, TERM),
    Cast: _cast,
    Einsum: lambda _, nodes, __: product(nodes, ATOM),
    Product: _itself,
    Extremum: _itself,
    Reshape: _itself,
}


class _Writer(Statements):
    """Writes one statement a step; what is read once is written where it is read."""

    longest = 80

    def __init__(self, program: Program, task: Task, inputs: list[int], outputs: list[int]) -> None:
        scope = Scope(task.names, apart=[task.title])
        super().__init__(program, scope.arguments(inputs), outputs, scope)
        every = [*self.nodes, *self.order]
        _refuse_arrays([(program.shapes[p], program.dtypes[p]) for p in every])
        for p in self.order:
            self._write(p)

    def operand(self, p: int) -> Phrase:
        """Give a result, or a number."""
        if p in self.nodes:
            return self.nodes[p]
        value = self.numbers[p].value.item()
        is_odd = isinstance(value, float) and not math.isfinite(value)
        node = Word("float")(str(value)) if is_odd else as_node(value)
        return self.scope.phrase(node)

    def _write(self, p: int) -> None:
        operation, *operands = self.program.steps[p]
        nodes = [self.operand(i) for i in operands]
        dtypes = [self.program.dtypes[i] for i in operands]
        self.assign(p, self._expression(operation, nodes, dtypes))

    def _expression(self, operation: Any, nodes: Nodes, dtypes: Sequence[DType]) -> Phrase:
        if type(operation) is Map:
            return self.scope.phrase(_body(operation, dtypes), nodes)
        writer = WRITERS.get(type(operation))
        if writer is None:
            raise UnsupportedError(
                f"the math backend has no code for {operation!r}, the numpy backend has"
            )
        return self.scope.phrase(writer(operation, nodes, dtypes))

    def is_in_place(self, p: int, made: Phrase) -> bool:
        """Say whether a result is written where it is read: there are no arrays."""
        if len(made.text) > self.longest:
            return False
        operation, *operands = self.program.steps[self.parent[p]]
        if type(operation) is not Map:
            return True
        form = _body(operation, [self.program.dtypes[i] for i in operands])
        place = operands.index(p)
        return [x.data for x in walk(form) if isinstance(x, Slot)].count(place) == 1


def _refuse_arrays(steps: Sequence[tuple[Shape, DType]]) -> None:
    arrays = list(dict.fromkeys([describe(s, d) for s, d in steps if s != ()]))
    if arrays:
        shown = ", ".join(arrays[:4]) + (", …" if len(arrays) > 4 else "")
        raise UnsupportedError(
            f"the math backend computes scalars, and this formula has arrays: {shown}; the numpy, "
            "numba and jax backends compute arrays"
        )


def _write(task: Task) -> Code:
    """Write Python code of floats for a task of scalars; raises `UnsupportedError` for others."""
    program, inputs, outputs = folded(task.program, task.inputs, task.outputs)
    writer = _Writer(program, task, inputs, outputs)
    lines = [text for text, _, _ in writer.lines]
    results = [writer.operand(p) for p in outputs]
    text, readable = function_texts(task.title, writer.scope, lines, results)
    return Code(readable, OnFloats(writer.scope.defined(task.title, text, NAMESPACE), task))


class OnFloats:
    """Runs the code of floats, and NumPy's where Python raises instead of giving inf or nan."""

    def __init__(self, function: Callable[..., Any], task: Task) -> None:
        self.function, self.task = function, task

    def __call__(self, *values: Any) -> Sequence[Any]:
        """Compute."""
        given = [v.value if type(v) is Recorded else v for v in values]
        plain = [v.item() if isinstance(v, (np.generic, np.ndarray)) else v for v in given]
        results = self.attempt(plain)
        return self._with_numpy(plain) if results is None else results

    def attempt(self, floats: Iterable[Any]) -> Sequence[Any] | None:
        """Compute, or give None where Python raises instead of giving inf or nan."""
        try:
            results: Sequence[Any] = self.function(*floats)
        except (OverflowError, ZeroDivisionError, ValueError):
            return None
        return results

    @cached_property
    def wide(self) -> Callable[..., Any]:
        """NumPy's code for the same."""
        return Source(*self.task).compile()

    def _with_numpy(self, plain: Sequence[Any]) -> Sequence[Any]:
        dtypes = [self.task.program.dtypes[p] for p in self.task.inputs]
        arrays = [v if v is None else d.type(v) for v, d in zip(plain, dtypes, strict=True)]
        return [v.item() for v in QUIET.run(self.wide, *arrays)]


def _number_of(array: Any, dtype: DType) -> Any:
    return array.astype(dtype).item()


def _fits(value: Any, shape: Shape, dtype: DType) -> bool:
    return type(value) is float and dtype.kind == "f" and shape == ()


BACKEND = Backend(_write, accept=host_array, cast=_number_of, fits=_fits, on_host=False)
"""The row of the table."""
