"""A function of arrays that gives another one the inputs which hold them."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Sequence
from typing import Any

from symtape.verify.running.written import Written


class Whole:
    """A function of arrays, called by `labels`, that hands what `build` makes of them to `inner`.

    `takes_more` says that more follows the arrays, as cotangents do; `answers` takes what the inner
    function gives apart.
    """

    def __init__(
        self,
        inner: Any,
        labels: Sequence[str],
        build: Callable[[Sequence[Any]], Sequence[Any]],
        answers: Callable[[Any], Any] | None = None,
        *,
        takes_more: bool = False,
    ) -> None:
        self.inner, self._labels, self.build, self._answers = inner, labels, build, answers
        self._takes_more = takes_more
        kinds = inspect.Parameter
        named = [kinds(label, kinds.POSITIONAL_ONLY) for label in labels]
        further = [kinds("further", kinds.VAR_POSITIONAL)] if takes_more else []
        self.__signature__ = inspect.Signature([*named, *further])

    def __call__(self, *args: Any) -> Any:
        """Call the inner function; raises `TypeError` for another number of arrays."""
        self.__signature__.bind(*args)
        inner: Any = self.inner
        if isinstance(inner, type):  # a torch.autograd.Function
            inner = inner.apply  # type: ignore[attr-defined]  # torch's
        found = inner(*self.build(args))
        return found if self._answers is None else self._answers(found)

    def around(self, inner: Any) -> Whole:
        """Do the same for another function."""
        return Whole(inner, self._labels, self.build, self._answers, takes_more=self._takes_more)

    @property
    def written(self) -> Written | None:
        """The inner function, if it is a plain one, as what an author wrote."""
        is_plain = isinstance(self.inner, types.FunctionType)
        return Written(self.inner, self.around) if is_plain else None


def inner_of(thing: Any) -> Any:
    """Give the function that takes inputs whole, or what was given."""
    return thing.inner if isinstance(thing, Whole) else thing


def around(thing: Any, inner: Any) -> Any:
    """Give another function the inputs as something takes them."""
    return thing.around(inner) if isinstance(thing, Whole) else inner


def built_by(thing: Any) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """Give what makes of arrays the inputs as something takes them."""
    return thing.build if isinstance(thing, Whole) else list
