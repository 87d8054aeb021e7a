"""Functions of tensors with gradients of their own: what they compute, and what they say of it."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from symtape.differentiation.custom_gradient import CustomGradient, passing_over
from symtape.verify.frameworks.called_rules import called_rule
from symtape.verify.frameworks.whole import around, inner_of
from symtape.verify.question import Question
from symtape.verify.running.points import does_run, on_watched
from symtape.verify.running.written import Written


def by_forward(f: Callable[..., Any]) -> Callable[..., Any]:
    """Give a function whose derivative is that of what it computes, whatever gradients say.

    >>> from symtape import custom_gradient
    >>> square = custom_gradient(lambda x: (x * x, lambda upstream: upstream))
    >>> by_forward(square)(3.0)
    9.0
    """

    @functools.wraps(f)
    def computed(*args: Any, **kwargs: Any) -> Any:
        with passing_over():
            return f(*args, **kwargs)

    return computed


def calls_own_gradient(f: Callable[..., Any], arrays: Sequence[Any]) -> bool:
    """Say whether a function of tensors calls a `tf.custom_gradient` at some inputs."""
    with passing_over() as called:
        return does_run(on_watched, f, arrays) and bool(called)


class ByItsRule:
    """A `tf.custom_gradient`, or what calls one, derived by its own rule."""

    def __init__(self, given: Any, question: Question, count: int) -> None:
        self._given, self._question, self._count = given, question, count

    @property
    def written(self) -> Written | None:
        """The function that says the gradient, if it is the only one that is called."""
        inner = inner_of(self._given)
        if isinstance(inner, CustomGradient):
            return self._of(inner, lambda own: around(self._given, own))
        called = called_rule(self._given, lambda x: x if isinstance(x, CustomGradient) else None)
        return called and self._of(called.rule, called.calling)

    def _of(self, rule: CustomGradient, calling: Callable[[Any], Any]) -> Written:
        return Written(
            inspect.unwrap(rule),
            lambda f: ByItsRule(calling(CustomGradient(f)), self._question, self._count),
        )

    def __call__(self, *args: Any) -> Any:
        """Derive at the inputs that come first, by the cotangents or tangents after them."""
        count = self._count
        return self._question.truth(self._given, args[:count], args[count:])
