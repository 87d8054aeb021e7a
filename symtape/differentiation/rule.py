"""What an author's function of cotangents gives, judged: as many as inputs, each like its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symtape import nest
from symtape.errors import InvalidArgumentError
from symtape.tensor.convert import convert
from symtape.tensor.recording.custom import Rule
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable


def rule_of(
    name: str,
    function: Callable[..., Any],
    inputs: Sequence[Tensor],
    variables: Sequence[Variable],
    results: Sequence[Tensor],
) -> Rule:
    """Make a rule of `function(*cotangents)`; the last inputs are the variables."""
    count = len(inputs) - len(variables)
    likes = [(x.raw.shape, x.dtype) for x in inputs]

    def pull(cotangents: Sequence[Tensor]) -> list[Tensor | None]:
        found = _called(function, cotangents, variables, count)
        named = [f"input {k}" for k in range(count)]
        named += [f"variable {v.name}" for v in variables]
        return [
            None if g is None else _checked(g, *like, f"custom_gradient of {name}, {place}")
            for g, like, place in zip(found, likes, named, strict=True)
        ]

    return Rule(name, pull, [(y.raw.shape, y.raw.dtype) for y in results])


def _called(
    function: Callable[..., Any],
    cotangents: Sequence[Tensor],
    variables: Sequence[Variable],
    count: int,
) -> list[Any]:
    """Call the function, and list what it gives for inputs and variables."""
    of_variables: Sequence[Any] = []
    if variables:
        of_inputs, of_variables = function(*cotangents, variables=list(variables))
        if len(of_variables) != len(variables):
            raise ValueError(
                "Must return gradient for each variable from @custom_gradient grad_fn."
            )
    else:
        of_inputs = function(*cotangents)
    flat = nest.flatten(of_inputs)
    if len(flat) != count:
        raise ValueError(
            f"custom_gradient function expected to return {count} gradients, "
            f"but returned {len(flat)} instead."
        )
    return flat + list(of_variables)


def _checked(given: Any, shape: tuple[int, ...], dtype: Any, where: str) -> Tensor:
    """Take a cotangent that has the shape and dtype of its input; numbers and arrays get these."""
    is_tensor = isinstance(given, (Tensor, Variable))
    found: Tensor = given.read() if is_tensor else convert(given, dtype)
    if found.dtype is not dtype:
        raise InvalidArgumentError(
            message=f"{where}: the gradient is of dtype {found.dtype.name}, and what it is by of "
            f"dtype {dtype.name}; tf.cast(gradient, tf.{dtype.name}) makes them agree"
        )
    if found.raw.shape != shape:
        raise InvalidArgumentError(
            message=f"{where}: the gradient has the shape {list(found.raw.shape)}, and what it is "
            f"by {list(shape)}; multiply by the upstream gradient, or sum what was broadcast"
        )
    return found
