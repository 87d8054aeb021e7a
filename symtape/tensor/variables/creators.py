"""Who makes variables: functions between `tf.Variable(…)` and the variable, by scopes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

Creator = Callable[..., Any]


class Creators(threading.local):
    """The creators of the scopes that are open in this thread, the innermost last."""

    def __init__(self) -> None:
        self.open: tuple[Creator, ...] = ()


CREATORS = Creators()


@contextmanager
def variable_creator_scope(variable_creator: Creator) -> Iterator[None]:
    """A context in which a function makes each `tf.Variable`; the innermost is asked first.

    The function takes `next_creator` and the arguments of `tf.Variable` by their names, and gives
    what the caller of `tf.Variable` receives. Raises `RuntimeError` for scopes that cross.

    >>> from symtape.tensor.variables.variable import Variable
    >>> def fixed(next_creator, **how):
    ...     return next_creator(**how | {"trainable": False})
    >>> with variable_creator_scope(fixed):
    ...     Variable(3.0).trainable
    False
    """
    old = CREATORS.open
    new = (*old, variable_creator)
    CREATORS.open = new
    try:
        yield
    finally:
        if CREATORS.open is not new:
            raise RuntimeError("Exiting variable_creator_scope without proper nesting.")
        CREATORS.open = old


def created(make: Creator, arguments: dict[str, Any]) -> Any:
    """Have the open creators make a variable, the last of which calls `make`."""
    creator = make
    for function in CREATORS.open:
        creator = partial(function, creator)
    return creator(**arguments)
