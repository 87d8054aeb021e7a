"""`grad`, `value_and_grad`, `jacobian`, `hessian` and `trace`: derivatives as functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.errors import EscapedValueError
from symtape.functions.tracing.arguments import Arguments, parameter_names
from symtape.functions.tracing.function import Function
from symtape.functions.tracing.tracing import trace as traced_program
from symtape.functions.transforms.blocks import Argnums, Gradient, Hessian, Jacobian, Vectorize
from symtape.functions.transforms.pure import declared
from symtape.program.excerpt import TracedProgram


def grad(
    fun: Callable[..., Any],
    argnums: Argnums = 0,
    has_aux: bool = False,
    vectorize: Vectorize = False,
    *,
    pure: bool = False,
) -> Function:
    """Give the gradient of a scalar function, as a function of the same arguments.

    `fun` is written with the names of `tf`, Python's operators or NumPy's functions. Arguments are
    numbers, NumPy arrays, tensors, and lists, tuples, dicts and dataclasses of them; `argnums` says
    by which of the positional ones to differentiate. The gradient has their structure (a tuple for
    a sequence of `argnums`), and the shape and dtype of each; it is a NumPy array, or a tensor if
    some argument is a tensor. Python's floats are float64 here, as they are for NumPy. Where the
    result does not depend on an argument, the gradient is zero.

    With `has_aux`, `fun` gives a pair, and only its first part is differentiated; the function
    gives the gradient and the second part.

    With `vectorize`, `fun` is a function of one row, and arguments have a first axis of rows: those
    of `argnums`, or those that `vectorize` numbers, the others being the same for all rows. Each
    row has its gradient, and no loop runs over them. Results have the axis of rows in front.

    The function is traced once for each structure of arguments and compiled; `formula(*args)` gives
    the gradient as tensors with all readings, `source(*args)` the code that is compiled. What it
    reads besides its arguments is read or compared on each call; where that cannot be known of its
    code, it is recorded on each call, which is slower. With `pure`, you declare that it depends on
    its arguments and variables alone: what else it reads is what it was when it was traced.

    When it is called, it raises `TypeError` for arguments without derivatives (integers) and for
    results that are no floating scalars, `ValueError` for an argument that the call does not have
    and for different numbers of rows, and `DerivativeError` where the function took values of its
    arguments out of what is recorded.

    >>> slope = grad(lambda x: x ** 3)
    >>> slope(2.0)
    np.float64(12.0)
    >>> slope.formula(2.0).expr
    3*x**2
    >>> grad(lambda p: p["a"] * p["b"])({"a": 2.0, "b": 5.0})
    {'a': np.float64(5.0), 'b': np.float64(2.0)}
    >>> import numpy as np
    >>> grad(lambda w, x: w * x * x, vectorize=1)(3.0, np.array([1.0, 2.0]))
    array([1., 4.])
    """
    return Gradient(
        declared(fun) if pure else fun,
        argnums,
        "grad",
        vectorize,
        with_value=False,
        has_aux=has_aux,
    )


def value_and_grad(
    fun: Callable[..., Any],
    argnums: Argnums = 0,
    has_aux: bool = False,
    vectorize: Vectorize = False,
    *,
    pure: bool = False,
) -> Function:
    """Give a scalar function and its gradient, as one function that gives a pair; see `grad`.

    With `has_aux` the pair is ((value, second part), gradient). It raises what `grad` raises.

    >>> value_and_grad(lambda x: x ** 3)(2.0)
    (np.float64(8.0), np.float64(12.0))
    """
    return Gradient(
        declared(fun) if pure else fun,
        argnums,
        "value_and_grad",
        vectorize,
        with_value=True,
        has_aux=has_aux,
    )


def jacobian(
    fun: Callable[..., Any],
    argnums: Argnums = 0,
    has_aux: bool = False,
    vectorize: Vectorize = False,
    *,
    pure: bool = False,
) -> Function:
    """Give the derivatives of all results by all elements of arguments, as a function; see `grad`.

    Each block has the shape of the result and then that of the argument. The structure is that of
    the results of `fun`, with that of the arguments in the place of each. With `has_aux` only the
    first part of a pair is differentiated, and the function gives the Jacobian and the second part.

    It raises what `grad` raises, but results may have any shape, and be complex: `TypeError` is for
    those that are no tensors and no numbers.

    >>> import numpy as np
    >>> jacobian(lambda x: x * x)(np.array([1.0, 2.0]))
    array([[2., 0.],
           [0., 4.]])
    """
    return Jacobian(declared(fun) if pure else fun, argnums, "jacobian", vectorize, has_aux=has_aux)


def hessian(
    fun: Callable[..., Any],
    argnums: Argnums = 0,
    has_aux: bool = False,
    vectorize: Vectorize = False,
    *,
    pure: bool = False,
) -> Function:
    """Give the second derivatives, as a function; see `grad`, and `jacobian` for `has_aux`.

    Each block has the shape of the result, that of one argument, and that of another one. Of
    several arguments there are all blocks: a tuple of tuples for a sequence of `argnums`, a dict of
    dicts for an argument that is a dict.

    It raises what `grad` raises.

    >>> import numpy as np
    >>> hessian(lambda x: np.sum(x ** 3))(np.array([1.0, 2.0]))
    array([[ 6.,  0.],
           [ 0., 12.]])
    >>> hessian(lambda x, y: x * y ** 2, argnums=(0, 1))(1.0, 2.0)[1]
    (np.float64(4.0), np.float64(2.0))
    """
    return Hessian(declared(fun) if pure else fun, argnums, "hessian", vectorize, has_aux=has_aux)


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
