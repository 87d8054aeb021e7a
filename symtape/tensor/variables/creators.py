"""Who makes variables: functions between `tf.Variable(…)` and the variable, by scopes."""

from __future__ import annotations

import threading
from abc import ABCMeta
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from symtape.signatures import read_signature
from symtape.tensor.variables.modes import VariableAggregation, VariableSynchronization

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


class Created(ABCMeta):
    """The type of a class whose objects the open creators make; subclasses make their own.

    It is one of abstract classes, as TensorFlow's is, so that a class may extend both. Who is an
    object of the class is asked as of any other class, which takes a third of the time.
    """

    __instancecheck__ = type.__instancecheck__
    __subclasscheck__ = type.__subclasscheck__

    if not TYPE_CHECKING:  # some checkers would take all variables for `Any`

        def __call__(cls, *args: Any, **kwargs: Any) -> Any:
            """Ask the open creators, of which the innermost comes first."""
            if not CREATORS.open or "_asks_creators" not in vars(cls):
                return super().__call__(*args, **kwargs)
            creator: Creator = cls._plainly
            for function in CREATORS.open:
                creator = partial(function, creator)
            return creator(**cls._words(*args, **kwargs))

    def _words(cls, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Give all arguments by their names, as TensorFlow tells them to creators."""
        given = read_signature(cls.__init__).bind(None, *args, **kwargs)  # type: ignore[misc]  # of this class
        given.apply_defaults()
        words = {name: value for name, value in given.arguments.items() if name != "self"}
        if words["synchronization"] is None:
            words["synchronization"] = VariableSynchronization.AUTO
        if words["aggregation"] is None:
            words["aggregation"] = VariableAggregation.NONE
        return {**words, "experimental_enable_variable_lifting": None}

    def _plainly(cls, **words: Any) -> Any:
        """Make an object as without creators."""
        words.pop("experimental_enable_variable_lifting", None)
        return super().__call__(**words)
