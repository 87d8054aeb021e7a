"""Iterators that go on after an error, as those of TensorFlow do.

A generator is over when it has raised something, and so are Python's own chains and slices: the
rest of the elements would be missing without a word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NoReturn

END: Any = object()
"""What `next` gives where there is no element."""


class GoesOn(Iterator[Any]):
    """The elements of steps that are begun again after an error, as TensorFlow's iterators go on.

    A generator is over when it has raised something, and would end without a word. What the steps
    are begun with has to be what they take from, and what they keep.

    >>> numbers = iter([1, 0, 2])
    >>> halves = GoesOn(lambda: (2 / n for n in numbers))
    >>> next(halves)
    2.0
    >>> next(halves)
    Traceback (most recent call last):
    ZeroDivisionError: division by zero
    >>> list(halves)
    [1.0]
    """

    def __init__(self, steps: Callable[[], Iterator[Any]]) -> None:
        self._steps = steps
        self._found = steps()

    def __next__(self) -> Any:
        try:
            return next(self._found)
        except StopIteration:
            self._found = iter(())  # and nothing is held that its steps took from
            self._steps = _nothing
            raise
        except Exception:
            self._found = self._steps()
            raise


def _nothing() -> Iterator[Any]:
    return iter(())


def attempts(found: Iterator[Any]) -> Iterator[Callable[[], Any]]:
    """Go through elements, of which each is given when it is called, or raised if it failed.

    >>> [each() for each in attempts(iter([1, 2]))]
    [1, 2]
    """
    while True:
        try:
            element = next(found)
        except StopIteration:
            return
        except Exception as error:  # noqa: BLE001 - whatever the user's code raises is raised later
            yield partial(_raise, error)
        else:
            yield partial(_same, element)


def _raise(error: Exception) -> NoReturn:
    raise error


def _same(element: Any) -> Any:
    return element


def flattened(outer: Iterator[Iterator[Any]]) -> Iterator[Any]:
    """Give the elements of iterators, one iterator after the other.

    >>> "".join(flattened(map(iter, ["ab", "", "c"])))
    'abc'
    """
    return GoesOn(partial(_flattened, outer, []))


def _flattened(outer: Iterator[Iterator[Any]], current: list[Iterator[Any]]) -> Iterator[Any]:
    while True:
        for inner in current:
            yield from inner
        following = next(outer, END)
        if following is END:
            return
        current[:] = [following]
