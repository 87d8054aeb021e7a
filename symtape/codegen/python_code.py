"""The math backend: formulas of scalars on Python's floats, with `math` and `cmath` alone.

Where Python raises and NumPy gives an infinity or nan (an overflow, a division by zero, a logarithm
of zero), the number is NumPy's: the same formula is run once more on NumPy's numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from symtape.codegen.compile import Source
from symtape.codegen.python_math import NAMESPACE, python_text
from symtape.codegen.scope import Scope
from symtape.codegen.task import Backend, Code, Recorded, Task, host_array, readable
from symtape.errors import UnsupportedError
from symtape.kernels.collection import without_collections
from symtape.kernels.contraction import atom
from symtape.kernels.interpret import QUIET
from symtape.kernels.scalar_code import TERM, tightness
from symtape.lowering.folding import folded
from symtape.lowering.known import number_of
from symtape.lowering.powers import with_numbers
from symtape.program.operations import AddN, Cast, Constant, DType, Einsum, Map, Shape
from symtape.program.program import Program, describe
from symtape.program.structural import Extremum, Product, Reshape

Fill = Callable[[str, Sequence[str]], str]
"""Puts operands, and the words of a template, into it: `Scope.fill`."""

_NAMES = {"f": "float", "c": "complex", "i": "int", "u": "int", "b": "bool"}


def _template(operation: Map, dtypes: Sequence[DType]) -> str:
    try:
        return python_text(operation, is_complex=any([d.kind == "c" for d in dtypes]))
    except KeyError as error:
        raise UnsupportedError(
            f"Python's math has no function {error.args[0]!r} for {', '.join(map(str, dtypes))}; "
            "the numpy backend has"
        ) from None


def _map(operation: Map, names: Sequence[str], dtypes: Sequence[DType], fill: Fill) -> str:
    text = _template(operation, dtypes)
    names = [
        name if _is_argument(text, k) else _term(name) if text in _SUMS else atom(name)
        for k, name in enumerate(names)
    ]
    return fill(text, names)


def _cast(operation: Cast, names: Sequence[str], dtypes: Sequence[DType], fill: Fill) -> str:
    name = f"{atom(names[0])}.real" if dtypes[0].kind == "c" else names[0]
    if operation.dtype.kind == dtypes[0].kind:
        return names[0]
    if operation.dtype.kind == "c":
        return fill("complex({0})", names)
    return fill(f"{_NAMES[operation.dtype.kind]}({{0}})", [name])


_SUMS = {"{0} + {1}", "{0} - {1}"}


@lru_cache(maxsize=4096)
def _is_argument(template: str, k: int) -> bool:
    """Say whether an operand stands between brackets and commas wherever it stands."""
    slot = f"{{{k}}}"
    return len(re.findall(rf"(?:\(|, )\{{{k}\}}(?=[,)])", template)) == template.count(slot)


def _term(text: str) -> str:
    """Put parentheses around what a sum may not have for a term."""
    return text if tightness(text) <= TERM and " if " not in text else atom(text)


WRITERS: dict[Any, Callable[[Any, Sequence[str], Sequence[DType], Fill], str]] = {
    Map: _map,
    AddN: lambda _, names, *__: " + ".join([_term(name) for name in names]),
    Cast: _cast,
    Einsum: lambda _, names, *__: "*".join([atom(name) for name in names]),
    Product: lambda _, names, *__: names[0],
    Extremum: lambda _, names, *__: names[0],
    Reshape: lambda _, names, *__: names[0],
}


_LONGEST = 80


class _Writer:
    """Writes one statement a step; what is read once is written where it is read."""

    def __init__(self, program: Program, task: Task, inputs: list[int], outputs: list[int]) -> None:
        self.program = program
        self.scope = Scope(task.names, apart=[task.title])
        self.text = dict(zip(inputs, self.scope.names, strict=True))
        self.numbers: dict[int, Constant] = {}
        self.lines: list[str] = []
        order = [p for p in program.schedule(outputs, self.text)[0] if p not in self.text]
        _refuse_arrays([(program.shapes[p], program.dtypes[p]) for p in [*self.text, *order]])
        self.uses = Counter(i for p in order for i in program.steps[p][1:])
        self.uses.update([*outputs, *outputs])
        self.parent = {i: p for p in order for i in program.steps[p][1:]}
        for p in order:
            self._write(p)

    def operand(self, p: int) -> str:
        """Name a result, or write a number."""
        if p in self.text:
            return self.text[p]
        kind = self.program.dtypes[p].kind
        text = repr(self.numbers[p].value.item())
        if text.strip("-") in {"nan", "inf"}:
            return self.scope.fill(f"{_NAMES[kind]}('{text}')")
        return atom(text)

    def _write(self, p: int) -> None:
        operation, *operands = self.program.steps[p]
        number = number_of(self.program, p, self.numbers)
        if number is not None:
            self.numbers[p] = number
            return
        writer = WRITERS.get(type(operation))
        if writer is None:
            raise UnsupportedError(
                f"the math backend has no code for {operation!r}, the numpy backend has"
            )
        if type(operation) is Map:
            given = [self.numbers[i].number if i in self.numbers else None for i in operands]
            operation, operands = with_numbers(operation, given, operands)
        names = [self.operand(i) for i in operands]
        dtypes = [self.program.dtypes[i] for i in operands]
        text = writer(operation, names, dtypes, self.scope.fill)
        if self._is_written_in_place(p, text):
            self.text[p] = text
        else:
            self.text[p] = self.scope.name(f"v{p}")
            self.lines.append(f"{self.text[p]} = {text}")

    def _is_written_in_place(self, p: int, text: str) -> bool:
        if self.uses[p] != 1 or len(text) > _LONGEST:
            return False
        operation, *operands = self.program.steps[self.parent[p]]
        if type(operation) is not Map:
            return True
        dtypes = [self.program.dtypes[i] for i in operands]
        return _template(operation, dtypes).count(f"{{{operands.index(p)}}}") == 1


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
    with without_collections():
        program, inputs, outputs = folded(task.program, task.inputs, task.outputs)
        writer = _Writer(program, task, inputs, outputs)
    results = [f"{writer.operand(p)}," for p in outputs]
    body = [*writer.lines, f"return {' '.join(results) or '()'}"]
    text = "\n    ".join([f"def {task.title}({', '.join(writer.scope.names)}):", *body]) + "\n"
    return Code(readable(text), OnFloats(text, writer.scope.bound(NAMESPACE), task))


class OnFloats:
    """Runs the code of floats, and NumPy's where Python raises instead of giving inf or nan."""

    def __init__(self, text: str, namespace: dict[str, Any], task: Task) -> None:
        with without_collections():
            exec(compile(text, "<symtape>", "exec"), namespace)  # noqa: S102 - of names we made
        self.function: Callable[..., Any] = namespace[task.title]
        self.task = task

    def __call__(self, *values: Any) -> Sequence[Any]:
        """Compute."""
        given = [v.value if type(v) is Recorded else v for v in values]
        plain = [v.item() if isinstance(v, (np.generic, np.ndarray)) else v for v in given]
        found = self.attempt(plain)
        return self._with_numpy(plain) if found is None else found

    def attempt(self, floats: Iterable[Any]) -> Sequence[Any] | None:
        """Compute, or give None where Python raises instead of giving inf or nan."""
        try:
            return self.function(*floats)  # type: ignore[no-any-return]
        except (OverflowError, ZeroDivisionError, ValueError):
            return None

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
