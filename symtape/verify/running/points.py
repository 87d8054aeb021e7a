"""How a function of tensors is run at a point: on tensors, or on what has NumPy's methods too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symtape.functions.tracing.arguments import Arguments
from symtape.functions.tracing.tracing import trace
from symtape.nest.trees import take_apart
from symtape.ops.elementwise.conversion import convert_to_tensor
from symtape.tape import GradientTape
from symtape.verify.running.limits import is_asked_to_stop

Runner = Callable[[Callable[..., Any], Sequence[str], Sequence[Any]], Any]
"""Runs a function of arrays that have names."""


def on_tensors(function: Callable[..., Any], _: Sequence[str], point: Sequence[Any]) -> Any:
    """Run a function on tensors."""
    return function(*map(convert_to_tensor, point))


def on_watched(function: Callable[..., Any], _: Sequence[str], point: Sequence[Any]) -> Any:
    """Run a function on tensors that a tape watches, of which NumPy's functions make tensors."""
    tensors = [*map(convert_to_tensor, point)]
    with GradientTape(watch_accessed_variables=False) as tape:
        tape.watch([x for x in tensors if x.raw.dtype.kind in "fcV"])
        return function(*tensors)


def on_arrays(function: Callable[..., Any], names: Sequence[str], point: Sequence[Any]) -> Any:
    """Run a function on tensors that have NumPy's methods, as they do where it is traced.

    What it gives has no formula.
    """
    found: list[Any] = []

    def kept(*inputs: Any) -> Any:
        found.append(function(*inputs))
        return found[0]

    trace(kept, Arguments(names, tuple(point), {}), range(len(point)), again=True)
    leaves, tree = take_apart(found[0])
    return tree.build([convert_to_tensor(convert_to_tensor(x).raw) for x in leaves])


def does_run(run: Runner, function: Callable[..., Any], point: Sequence[Any]) -> bool:
    """Say whether a function runs so; what is wrong with one that does not is said elsewhere."""
    try:
        run(function, (), point)
    except TimeoutError:
        raise
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        if is_asked_to_stop(error):
            raise
        return False
    return True
