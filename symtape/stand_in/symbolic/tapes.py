"""Tapes in a graph: a layer that takes derivatives may be given tensors that have no value.

A tape watches both examples of such a tensor, and takes a derivative for one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import wraps
from typing import Any

from symtape import nest
from symtape.stand_in.symbolic.tensors import STATE, VALUED, Symbolic, applied
from symtape.tape import GradientTape
from symtape.tape.jacobians import Jacobians
from symtape.tensor.derivatives.differentiate import OBSERVERS


def install() -> None:
    """Let tapes take tensors of a graph while one is built."""
    VALUED.add(GradientTape, "watch", _watching)
    VALUED.add(GradientTape, "gradient", _deriving)
    for name in ("jacobian", "batch_jacobian"):
        VALUED.add(Jacobians, name, _deriving)


def _watching(run: Callable[..., None]) -> Callable[..., None]:
    @wraps(run)
    def watch(self: GradientTape, tensor: Any) -> None:
        for item in nest.flatten(tensor):
            if type(item) is not Symbolic:
                run(self, item)
            elif STATE.side is not None:
                run(self, item.read())
            else:
                for half in item.halves:
                    run(self, half)

    return watch


def _deriving(run: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(run)
    def derive(self: GradientTape, *args: Any, **kwargs: Any) -> Any:
        def once(*ours: Any, **named: Any) -> Any:
            is_first = STATE.side == 0
            with self._kept() if is_first else nullcontext():
                return run(self, *ours, **named)

        with _untold():
            return applied(once, args, kwargs)

    return derive


@contextmanager
def _untold() -> Iterator[None]:
    """Tell nobody of derivatives: no number of them is given to anyone."""
    told, OBSERVERS[:] = OBSERVERS[:], []
    try:
        yield
    finally:
        OBSERVERS[:] = told
