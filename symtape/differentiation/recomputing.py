"""`tf.recompute_grad`: less memory for a second run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import update_wrapper
from typing import Any

from symtape import nest
from symtape.differentiation.custom_gradient import custom_gradient
from symtape.ops.conversion import identity
from symtape.tape import GradientTape
from symtape.tensor.recorder import THREAD, Recording


def recompute_grad(f: Callable[..., Any]) -> Any:
    """Give a function of the same values that is run again when a gradient is taken.

    Tapes then keep its arguments and not what it computed on the way. Gradients flow to positional
    arguments and to the trainable variables that it reads, not to other tensors that it takes from
    elsewhere.

    It raises what `f` raises.

    >>> from symtape.ops.elementwise import exp
    >>> from symtape.tensor.convert import convert
    >>> x = convert(0.0)
    >>> with GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = recompute_grad(lambda x: exp(exp(x)))(x)
    >>> print(tape.gradient(y, x).expr)
    exp(x)*exp(exp(x))
    """

    def recomputed(*args: Any, **kwargs: Any) -> Any:
        with _not_recording():
            result = f(*args, **kwargs)

        def grad(*upstream: Any, variables: Any = ()) -> Any:
            with GradientTape(watch_accessed_variables=False) as tape:
                again = nest.map_structure(identity, args)
                tape.watch([again, *variables])
                value = f(*again, **kwargs)
            sources = [list(again), list(variables)]
            found = tape.gradient(value, sources, list(upstream), "zero")
            return found if variables else found[0]

        return result, grad

    return update_wrapper(custom_gradient(recomputed), f)


@contextmanager
def _not_recording() -> Iterator[None]:
    """Hold back the tapes; what is computed can be read through all the same.

    Functions that are traced go on, since their program is all that there is of them.
    """
    state = THREAD.state
    recordings = state.recordings
    state.recordings = [r for r in recordings if r.refuses]
    if recordings and not state.recordings:
        silent = Recording(watches_variables=False, opener=recordings[0].opener)
        silent.outermost = recordings[-1].block
        state.recordings = [silent]
    try:
        yield
    finally:
        state.recordings = recordings


__all__ = ["recompute_grad"]
