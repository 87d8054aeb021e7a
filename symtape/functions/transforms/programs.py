"""`trace`: the program of a function, from one run of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.errors import EscapedValueError
from symtape.functions.tracing.arguments import Arguments, parameter_names
from symtape.functions.tracing.tracing import trace as traced_program
from symtape.program.excerpt import TracedProgram


def trace(fun: Callable[..., Any], *specs: Any) -> TracedProgram:
    """Run a function once and give its program; `print` it to see its steps.

    `specs` are example arguments, or shapes and dtypes as in `tf.TensorSpec([2, 3])`, for which
    there are numbers between 0 and 1. The branches of the program are those that they take, and so
    are the places that operations chose by values, as `unique` does.

    Raises `ValueError` for a spec that leaves sizes open, `EscapedValueError` where values of
    arguments leave the recording, and whatever the function raises.

    >>> print(trace(lambda x: x * x + 1.0, 3.0))
    v0 = input[float64, ()]  # float64 ()
    v1 = multiply(v0, v0)  # float64 ()
    v2 = 1.0  # float64 ()
    v3 = add(v1, v2)  # float64 ()
    """
    examples = tuple([example(spec) for spec in specs])
    arguments = Arguments(parameter_names(fun), examples, {})
    traced = traced_program(fun, arguments, range(len(arguments.leaves)))
    if traced.has_lost:
        raise EscapedValueError(
            "trace: values of arguments left the recording, so the program would not stand for the "
            "function at other values: compute with the tensors themselves"
        )
    return TracedProgram(traced.program, traced.arguments, traced.results)


def example(spec: Any) -> Any:
    """Make an array of a shape and dtype; matrices are far from singular."""
    if type(spec).__name__ != "TensorSpec":
        return spec
    if spec.shape.rank is None or None in spec.shape.as_list():
        raise ValueError(f"trace: {spec} leaves sizes open; a program has sizes")
    shape, dtype = tuple(spec.shape.as_list()), spec.dtype.numpy
    if dtype.kind not in "fc":
        return np.zeros(shape, dtype)
    count = int(np.prod(shape))
    found = ((np.arange(count) + 1.0) / (count + 1)).reshape(shape)
    if len(shape) > 1 and shape[-1] == shape[-2]:
        found = found + shape[-1] * np.eye(shape[-1])
    return found.astype(dtype)
