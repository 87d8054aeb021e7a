"""The function of each operation, and running a program step by step."""

from __future__ import annotations

import contextvars
import operator
import threading
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, partial
from typing import Any

import numpy as np

from symtape.kernels import memory
from symtape.kernels.assembly import assemble
from symtape.kernels.contraction import adds_products
from symtape.kernels.kernels import NAMESPACE, add_n
from symtape.kernels.nodes import Variable
from symtape.kernels.source import expression, whole
from symtape.program import operations as ops
from symtape.program.kinds import structural
from symtape.program.kinds.matrices import Part
from symtape.program.kinds.placement import Assemble
from symtape.program.operations import Constant, Count, Operation
from symtape.program.program import Program

Kernel = Callable[..., Any]


class Kernels(dict[Operation, Kernel]):
    """The NumPy function of each operation, made when it is first needed."""

    def __missing__(self, operation: Operation) -> Kernel:
        """Generate the function from the operation's source."""
        kernel = self[operation] = _generate(operation)
        return kernel


def _generate(operation: Operation) -> Kernel:
    arity = operation.arity
    if type(operation) is structural.Concat:
        axis = operation.axis
        return lambda *parts: np.concatenate(parts, axis=axis)
    if type(operation) is Assemble:
        return partial(assemble, operation.shape, operation.placements)
    if type(operation) is Count:
        count, dtype = operation.count, operation.dtype
        return lambda x: (dtype or x.dtype).type(count(x.shape))
    names = [f"a{k}" for k in range(arity or 0)]
    text = f"lambda {', '.join(names)}: {expression(operation, names)}"
    return eval(text, NAMESPACE)  # type: ignore[no-any-return]  # noqa: S307 - of names we made


@lru_cache(maxsize=64)
def whole_kernel(operation: Part) -> Kernel:
    """Give the function that computes all parts of what an operation is a part of."""
    text = whole(operation, [Variable("a0")]).write(str)
    return eval(f"lambda a0: {text}", NAMESPACE)  # type: ignore[no-any-return]  # noqa: S307 - of names we made


KERNELS: dict[Operation, Kernel] = Kernels()
KERNELS.update(
    {
        ops.add: operator.add,
        ops.subtract: operator.sub,
        ops.multiply: operator.mul,
        ops.divide: operator.truediv,
        ops.negative: operator.neg,
        ops.add_n: add_n,
    }
)


class NarrowKernels(dict[Operation, Kernel]):
    """The functions for dtypes that NumPy does not know, such as bfloat16, which it would widen."""

    def __missing__(self, operation: Operation) -> Kernel:
        """Bring what the NumPy function gives back to the dtype that the operation says.

        What adds or multiplies many numbers does so in single precision: a sum that is rounded at
        each of its terms stands still as soon as it is some hundred times as large as they are.
        """
        kernel = KERNELS[operation]
        if isinstance(operation, (ops.Einsum, structural.Product)):
            kernel = _widely(kernel)

        def narrow(*arrays: Any) -> Any:
            value = kernel(*arrays)
            if isinstance(value, tuple):
                return value
            _, dtype = operation.infer([a.shape for a in arrays], [a.dtype for a in arrays])
            return value if value.dtype == dtype else value.astype(dtype)

        self[operation] = narrow
        return narrow


def _widely(kernel: Kernel) -> Kernel:
    """Have sums and products computed in float32, as TensorFlow does."""

    def wide(*arrays: Any) -> Any:
        return kernel(*[a.astype(np.float32) if a.dtype.char in BY_LETTER else a for a in arrays])

    return wide


class HalfKernels(dict[Operation, Kernel]):
    """The functions for float16, of which NumPy adds up products without BLAS, and thus slowly."""

    def __missing__(self, operation: Operation) -> Kernel:
        """Take the function that adds products up in float32, and NumPy's for all else."""
        kernels = NARROW if adds_products(operation) else KERNELS
        kernel = self[operation] = kernels[operation]
        return kernel


NARROW, HALF = NarrowKernels(), HalfKernels()
BY_LETTER: dict[str, dict[Operation, Kernel]] = {"e": HALF, "E": NARROW}
"""The functions of float16 and of bfloat16, by the letters that their dtypes have in NumPy."""


def kernels_for(dtypes: Iterable[Any]) -> dict[Operation, Kernel]:
    """Choose the functions for a program with some dtypes."""
    letters = {getattr(d, "char", "") for d in set(dtypes)}
    return NARROW if "E" in letters else HALF if "e" in letters else KERNELS


class _Quiet(threading.local):
    """A context of this thread in which NumPy says nothing of overflow or division by zero."""

    def __init__(self) -> None:
        self.run = _quiet_context()


def _quiet_context() -> Callable[..., Any]:
    context = contextvars.copy_context()
    context.run(np.seterr, all="ignore")
    return context.run


memory.keep()
QUIET = _Quiet()
"""`QUIET.run(f, *args)` calls `f` as TensorFlow would: infinities and nans pass in silence."""


def interpret(program: Program, known: Mapping[int, Any], outputs: Iterable[int]) -> list[Any]:
    """Compute some positions step by step, from the values of others."""
    wanted = list(outputs)
    schedule, _ = program.schedule(wanted, known)
    return execute(program, schedule, dict(known), wanted, kernels_for(program.dtypes))


def execute(
    program: Program,
    schedule: Iterable[int],
    values: dict[int, Any],
    outputs: Iterable[int],
    kernels: dict[Operation, Kernel],
) -> list[Any]:
    """Compute the positions of a schedule into `values`, and give the outputs."""
    steps, value = program.steps, values.__getitem__
    for p in schedule:
        operation, *operands = steps[p]
        if type(operation) is Constant:
            values[p] = operation.value
        else:
            values[p] = kernels[operation](*map(value, operands))
    return [values[p] for p in outputs]
