"""What the tests of loop nests compile: cases, their gradients, and random programs, with answers.

The answers are those of the program run step by step by NumPy, which other tests judge.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from symtape.codegen.loops.nests import Limits
from symtape.codegen.loops.numba_code import NumbaSource
from symtape.codegen.task import Task
from symtape.errors import UnsupportedError
from symtape.kernels.interpret import QUIET, interpret
from tests.cases import Case
from tests.compiled import recorded
from tests.programs import random_program

OPEN = Limits(unrolled=3, unrolled_within=8, split=2)
"""Limits that let small programs have what large ones have: loops written out and cut."""


class Work(NamedTuple):
    """A task, values for its inputs, and the results."""

    name: str
    task: Task
    values: list[Any]
    expected: list[Any]


def of_case(case: Case, dtype: str) -> Iterator[Work]:
    """Record a case; give its results and its gradients."""
    run = recorded(case, dtype)
    for k, found in enumerate([*run.ys, *run.gradients]):
        if found is not None and found.origin is not None:
            yield of_formula(f"{case.name}, {k}", found.formula)


def of_formula(name: str, formula: Any) -> Work:
    """Take the leaves and values of a formula that was recorded."""
    leaves = formula.used
    positions = [leaf.position for leaf in leaves]
    names = [formula.names[p] for p in positions]
    values = [np.asarray(getattr(leaf.tensor(), "value", leaf.tensor()))[()] for leaf in leaves]
    task = Task(formula.program, positions, [formula.position], names)
    return Work(name, task, values, _expected(task, values))


def of_program(seed: int, steps: int, sizes: Sequence[int]) -> Work:
    """Write a random program."""
    program, last, _, values = random_program(seed, steps, tuple(sizes))
    task = Task(program, list(values), [last], [f"x{p}" for p in values])
    given = [np.asarray(v)[()] for v in values.values()]
    return Work(f"program {seed}", task, given, _expected(task, given))


def _expected(task: Task, values: Sequence[Any]) -> list[Any]:
    known = dict(zip(task.inputs, values, strict=True))
    return QUIET.run(interpret, task.program, known, task.outputs)


def difference(work: Work, found: Sequence[Any]) -> str:
    """Say where results differ from what they should be, or nothing."""
    for a, b in zip(map(np.asarray, found), map(np.asarray, work.expected), strict=True):
        if (a.shape, a.dtype) != (b.shape, b.dtype):
            return f"{work.name}: {a.dtype} {a.shape} is not {b.dtype} {b.shape}"
        single = b.dtype in (np.float32, np.complex64)
        scale = np.max(np.abs(b[np.isfinite(b)]), initial=1) if b.dtype.kind in "fc" else 0
        relative, absolute = (2e-5, 1e-5) if single else (1e-11, 1e-12)
        if not np.allclose(a, b, rtol=relative, atol=absolute * scale, equal_nan=True):
            return f"{work.name}: {a} is not {b}"
    return ""


# --- the text for numba, run by Python itself -----------------------------------------------------


def _narrow(function: Any) -> Any:
    def run(x: Any) -> Any:
        try:
            found = function(x)
        except ValueError:  # at a pole of the gamma function
            found = math.inf
        return type(x)(found) if isinstance(x, np.generic) else np.float64(found)

    return run


def _unwritten(size: int, dtype: Any) -> Any:
    """Make memory in which no number is right that was not written."""
    return np.full(size, np.nan if np.dtype(dtype).kind in "fc" else 77, dtype)


_SAME = "exp log sin cos tan sinh cosh tanh sqrt log1p expm1 hypot isnan isinf isfinite copysign"
_OTHER = {
    "atan": "arctan", "asin": "arcsin", "acos": "arccos", "asinh": "arcsinh", "acosh": "arccosh",
    "atanh": "arctanh", "atan2": "arctan2", "pow": "power", "fmod": "fmod",
}  # fmt: skip
PLAIN = {
    "np": SimpleNamespace(**{**vars(np), "empty": _unwritten}),
    "njit": lambda signature: lambda function: function,
    "math": SimpleNamespace(
        **{name: getattr(np, name) for name in _SAME.split()},
        **{name: getattr(np, other) for name, other in _OTHER.items()},
        **{name: _narrow(getattr(math, name)) for name in ("erf", "erfc", "lgamma")},
        nan=np.float64("nan"),
        inf=np.float64("inf"),
    ),
}
"""Names that make the text for numba Python's, with NumPy's infinities in place of exceptions."""


def run_plainly(work: Work, limits: Limits | None = None) -> Sequence[Any]:
    """Run the text for numba without numba."""
    source = NumbaSource(work.task, limits=limits)
    wide = f"{source.scope.word('np')}.float64"
    source.text = re.sub(r"(?<![\w.])(\d+\.\d+(?:e[-+]?\d+)?)", rf"{wide}(\1)", source.text)
    results: tuple[Any, ...] = QUIET.run(source.compile(PLAIN), *work.values)
    return results


def failures(works: Iterable[Work], limits: Limits | None = None) -> list[str]:
    """List what goes wrong when works are run plainly."""
    found = []
    for work in works:
        try:
            wrong = difference(work, run_plainly(work, limits))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
            wrong = f"{work.name}: {error!r}"
        if wrong:
            found.append(wrong)
    return found


__all__ = [
    "OPEN",
    "PLAIN",
    "UnsupportedError",
    "Work",
    "difference",
    "failures",
    "of_case",
    "of_program",
]
