"""Python for numba: fused loop nests, and what is no loop as NumPy computes it, between them.

Arrays are passed to the nests without their axes, as row-major memory; results are arrays that the
function makes. A large product of matrices is NumPy's, which calls BLAS.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np

from symtape.codegen.expressions import element
from symtape.codegen.loops.bodies import Body
from symtape.codegen.loops.elements import RULES
from symtape.codegen.loops.loops import Let, Line, Loop, Outside, Set, Store, words
from symtape.codegen.loops.nests import Limits, Nests
from symtape.codegen.loops.numba_words import HELPERS, NUMBA, TYPES
from symtape.codegen.loops.statements import MAKERS
from symtape.codegen.scope import Scope
from symtape.codegen.task import Backend, Code, Task
from symtape.errors import UnsupportedError
from symtape.extras import imported
from symtape.kernels.interpret import QUIET
from symtape.kernels.kernels import NAMESPACE
from symtape.kernels.nodes import NP, Attribute, Node, Variable, Word
from symtape.kernels.source import code
from symtape.kernels.special.error_function import erf_of_one
from symtape.lowering.lowering import Lowered, lowered
from symtape.program.kinds.structural import Cumextremum, Extremum, Position
from symtape.program.operations import DType, Einsum, Map, dtype_name, parameters

BLAS = 20_000
"""A product of matrices with so many multiplications is left to BLAS."""


class NumbaSource:
    """The text of a task for numba."""

    def __init__(self, task: Task, title: str = "f", limits: Limits | None = None) -> None:
        program = lowered(task.program, task.inputs, task.outputs)
        self.program = program
        self.scope = Scope(task.names, apart=[title])
        self.names = self.scope.names
        self.title = title
        self.nests = Nests(
            program, NUMBA, self.scope, lambda p: _is_loop(program, p), limits, apart=True
        )
        self.spelling = replace(NUMBA.spelling, word=self.scope.word)
        self.used: set[str] = set()
        self.kernels: list[str] = []
        self.calls: list[str] = []
        self._split()
        text = "\n\n".join([*self.kernels, self._function()])
        self.readable = f"{text}\n"
        self.text = f"{text}{',' if len(program.outputs) == 1 else ''}\n"

    def _split(self) -> None:
        """Make one kernel of the loops between two steps that are no loops."""
        lines: list[Line] = []
        for line in self.nests.lines:
            if isinstance(line, Outside):
                self._kernel(lines)
                lines = []
                self._outside(line.position)
            else:
                lines.append(line)
        self._kernel(lines)

    def _kernel(self, lines: list[Line]) -> None:
        if not lines:
            return
        text = self._written(lines, 1)
        read = words(lines)
        self.used |= read
        passed = [p for p in self._memory() if self.nests.buffer(p) in read]
        name = self.scope.name(f"{self.title}_{len(self.kernels) + 1}")
        names = [self.nests.buffer(p) for p in passed]
        types = ", ".join([self._type(p) for p in passed])
        decorator = f'@{self.scope.word("njit")}("void({types})")'
        head = f"{decorator}\ndef {name}({', '.join(names)}):"
        self.kernels.append("\n".join([head, *text, ""]))
        given = [
            f"{n}.ravel()" if p in self.program.inputs and self.program.shapes[p] else n
            for n, p in zip(names, passed, strict=True)
        ]
        self.calls.append(f"{name}({', '.join(given)})")

    def _written(self, lines: Sequence[Line], depth: int) -> list[str]:
        space, made = "    " * depth, list[str]()
        for line in lines:
            if isinstance(line, (Let, Set)):
                made.append(f"{space}{line.name} = {line.node.write(self.spelling)}")
            elif isinstance(line, Store):
                place = element(line.buffer, line.place).write(self.spelling)
                made.append(f"{space}{place} = {line.node.write(self.spelling)}")
            elif isinstance(line, Loop):
                start = f"{line.first}, " if line.first else ""
                numbers = f"{start}{line.first + line.count}"
                made.append(f"{space}for {line.var} in {self.scope.word('range')}({numbers}):")
                made += self._written(line.body, depth + 1)
        return made

    def _memory(self) -> list[int]:
        return [*self.program.inputs, *sorted(self.nests.demand.roots)]

    def _type(self, p: int) -> str:
        name = dtype_name(self.program.dtypes[p])
        if p not in self.program.inputs:
            return f"{name}[::1]"
        return f"Array({name}, 1, 'C', readonly=True)" if self.program.shapes[p] else name

    def _outside(self, p: int) -> None:
        operation, *operands = self.program.steps[p]
        self.used.update([self.nests.buffer(i) for i in (p, *operands)])
        made = code(operation, [self._shaped(i) for i in operands])
        flat = self.scope.write(Word("flat")(made, dtype_name(self.program.dtypes[p])))
        self.calls.append(f"{self.nests.buffer(p)} = {flat}")

    def _shaped(self, p: int) -> Node:
        """Write an array with its axes."""
        array, shape = Variable(self.nests.buffer(p)), self.program.shapes[p]
        if p in self.program.inputs or len(shape) == 1:
            return array
        return Attribute(array, "reshape")(*shape) if shape else array[0]

    def _function(self) -> str:
        """Write the function but for what it gives."""
        lines = [f"def {self.title}({', '.join(self.names)}):"]
        used = self.used | {self.nests.buffer(p) for p in self.program.outputs}
        for p in sorted(self.nests.demand.roots):
            name = self.nests.buffer(p)
            if name in used and p not in self.nests.demand.outside:
                size, dtype = prod(self.program.shapes[p]), self.program.dtypes[p]
                made = NP.empty(size, Attribute(NP, _numpy_name(dtype)))
                lines.append(f"    {name} = {self.scope.write(made)}")
        lines += [f"    {call}" for call in self.calls]
        results = [self.scope.write(self._shaped(p)) for p in self.program.outputs]
        return "\n".join([*lines, f"    return {', '.join(results)}"])

    def compile(self, given: dict[str, Any] | None = None) -> Callable[..., tuple[Any, ...]]:
        """Compile the text among names that we made; without numba, the error names the extra.

        Names that are `given` take the place of numba's: tests let Python itself run the text.
        """
        made = _numba() if given is None else {**{h.__name__: h for h in HELPERS}, **given}
        words = {**NAMESPACE, "math": math, "flat": _flat, **made}
        if "table_erf" in self.scope.words:
            words["table_erf"] = erf_of_one() if given is not None else _numba_erf()
        return self.scope.defined(self.title, self.text, words)


def _numpy_name(dtype: DType) -> str:
    return "bool_" if dtype.kind == "b" else dtype_name(dtype)


def _flat(x: Any, dtype: str) -> Any:
    """Give the elements of an array in row-major order."""
    return np.asarray(x, dtype).reshape(-1)


@lru_cache(maxsize=1)
def _numba_erf() -> Callable[[float], float]:
    """Make erf from a table, which takes half the time of the C library's."""
    numba = imported("numba", "backend 'numba'", "numba")
    made: Callable[[float], float] = numba.njit(error_model="numpy")(erf_of_one())
    return made


@lru_cache(maxsize=1)
def _numba() -> dict[str, Any]:
    """Make numba's compiler and the helper functions, each compiled when it is first called."""
    numba = imported("numba", "backend 'numba'", "numba")

    def njit(signature: str) -> Callable[..., Any]:
        """Compile now. Sums may be taken in another order; nan and infinity keep their meaning."""
        free = {"reassoc", "arcp"}
        made: Callable[..., Any] = numba.njit(
            signature, error_model="numpy", fastmath=free, nogil=True
        )
        return made

    helper = numba.njit(error_model="numpy")
    return {"njit": njit, **{h.__name__: helper(h) for h in HELPERS}}


# --- what is a loop -------------------------------------------------------------------------------


def _is_loop(program: Lowered, p: int) -> bool:
    """Say whether loops compute a step; NumPy computes the rest."""
    operation, *operands = program.steps[p]
    kind = type(operation)
    if not operands:
        return True
    if any([dtype_name(program.dtypes[i]) not in TYPES for i in (p, *operands)]):
        return False
    if kind is Einsum:
        return not _is_for_blas(program, operation, operands, p)
    if kind is Map:
        return _has_words(
            operation, tuple([program.dtypes[i] for i in operands]), program.dtypes[p]
        )
    if kind is Position:
        return operation.which != "argsort" and program.dtypes[operands[0]].kind != "c"
    if kind in {Extremum, Cumextremum}:
        return program.dtypes[p].kind != "c"
    return kind in RULES or kind in MAKERS


def _is_for_blas(program: Lowered, operation: Einsum, operands: Sequence[int], p: int) -> bool:
    if len(operands) != 2 or program.dtypes[p].kind not in "fc":
        return False
    a, b = (set(term) for term in operation.inputs)
    if not (a & b) - set(operation.output) or len(set(operation.output)) < len(operation.output):
        return False
    if not (a - b and b - a):
        return False
    sizes = operation.index_sizes([program.shapes[i] for i in operands])
    return prod([sizes[i] for i in a | b]) >= BLAS


@lru_cache(maxsize=4096)
def _has_words(operation: Map, dtypes: tuple[DType, ...], own: DType) -> bool:
    """Try to write a body."""
    symbols = parameters(operation.arity)
    operands = {s: (Variable(s.name), d) for s, d in zip(symbols, dtypes, strict=True)}
    numbers = [d for d in dtypes if d.kind != "b"]
    dtype = own if operation.result in {"same", "stopped"} else (numbers or [own])[0]
    try:
        Body(NUMBA, operands, dtype, lambda *_: Variable("a")).write(operation.body)
    except UnsupportedError:
        return False
    return True


def write_numba(task: Task) -> Code:
    """Write a task for numba, and compile it."""
    source = NumbaSource(task)
    function = source.compile()
    if source.nests.demand.outside:
        return Code(source.readable, lambda *values: QUIET.run(function, *values))
    return Code(source.readable, function)


BACKEND = Backend(write_numba)
