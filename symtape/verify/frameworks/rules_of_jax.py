"""What JAX is asked: functions that answer a question by a function's own rules."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape.verify.frameworks.called_rules import called_rule
from symtape.verify.frameworks.own_rules import authors, is_compiled, kept, within
from symtape.verify.frameworks.whole import around, built_by, inner_of
from symtape.verify.question import Question
from symtape.verify.running.written import Written


def without_tracers(thing: Any) -> tuple[int, ...]:
    """List the arguments of a function with a rule of JAX that are handed on as they are."""
    found = getattr(within(thing), "nondiff_argnums", ())
    return tuple(found) if isinstance(found, (tuple, list)) else ()


def of_judged(given: Any, question: Question, inputs: Sequence[Any]) -> tuple[Any, list[Any]]:
    """Give a function of the judged inputs alone, and these."""
    own = list(inputs)

    def computed(*judged: Any) -> Any:
        args = list(own)
        for k, x in zip(question.wrt, judged, strict=True):
            args[k] = x
        return given(*args)

    return computed, [own[k] for k in question.wrt]


def _cotangents(result: Any, upstream: Sequence[Any]) -> Any:
    """Give cotangents the structure of a result; those of integers JAX takes without numbers."""
    import jax  # noqa: PLC0415 - it is there, since something is of it

    leaves, tree = jax.tree.flatten(result)
    return jax.tree.unflatten(
        tree,
        [
            u if jax.numpy.issubdtype(jax.numpy.result_type(r), jax.numpy.inexact) else _nothing(r)
            for r, u in zip(leaves, upstream, strict=True)
        ],
    )


def _nothing(like: Any) -> Any:
    import jax  # noqa: PLC0415 - it is there, since something is of it

    return np.zeros(np.shape(like), jax.dtypes.float0)


def _asked(answer: Callable[..., Any]) -> Callable[..., Any]:
    """Make what makes a function that asks JAX about a given one.

    `answer` is given JAX, a function of the judged inputs, these, and what else there is.
    """

    def asked(given: Any, question: Question, count: int) -> Any:
        def run(*args: Any) -> Any:
            import jax  # noqa: PLC0415 - it is there, since something is of it

            return answer(jax, *of_judged(given, question, args[:count]), args[count:])

        return run

    return asked


def _vjp(jax: Any, f: Any, judged: Sequence[Any], upstream: Sequence[Any]) -> Any:
    result, back = jax.vjp(f, *judged)
    return list(back(_cotangents(result, upstream)))


def _by(name: str) -> Callable[..., Any]:
    """Differentiate by all inputs that are judged."""
    return _asked(
        lambda jax, f, judged, _: list(
            getattr(jax, name)(f, argnums=tuple(range(len(judged))))(*judged)
        )
    )


JAX: dict[str, Callable[..., Any]] = {
    "value": lambda given, _, __: given,
    "gradient": _by("grad"),
    "vjp": _asked(_vjp),
    "jvp": _asked(
        lambda jax, f, judged, tangents: jax.tree.leaves(
            jax.jvp(f, tuple(judged), tuple(tangents))[1]
        )
    ),
    "jacobian": _by("jacrev"),
    "hessian": _asked(lambda jax, f, judged, _: jax.jacrev(jax.grad(f))(*judged)),
}
"""By the kind of a question: makes a function of arrays that answers it."""


def rule_of_jax(given: Any, question: Question, count: int, *, is_derived: bool) -> Written | None:
    """Give what was written as a backward, and what calls another one with the same residuals."""
    inner = inner_of(given)
    inner = inner.__wrapped__ if is_compiled(inner) else inner
    if isinstance(inner, types.FunctionType):
        return _rule_named(given, question, count) if is_derived else authors(given, lambda f: f)
    if question.kind != "vjp" or getattr(inner, "bwd", None) is None:
        return _rule_within(given, inner, question, count)

    fixed, built = inner.nondiff_argnums, built_by(given)
    forward = kept(lambda arrays: inner.fwd(*built(arrays)))

    def rebuilt(backward: Any) -> Callable[..., Any]:
        def run(*args: Any) -> Any:
            inputs, (result, residuals) = built(args[:count]), forward(args[:count])
            found = backward(
                *[inputs[k] for k in fixed], residuals, _cotangents(result, args[count:])
            )
            known = _by_array(built, fixed, count, found)
            return [known[k] for k in question.wrt]

        return run

    return authors(inner.bwd, rebuilt)


def _by_array(
    built: Callable[[Sequence[Any]], Sequence[Any]], fixed: Sequence[int], count: int, found: Any
) -> dict[int, Any]:
    """Give what a backward gave for each array, which stands where the array does in its input.

    It gives nothing for inputs that are `fixed`. Raises `ValueError` for another structure.
    """
    import jax  # noqa: PLC0415 - it is there, since something is of it

    places = [_Place(k) for k in range(count)]
    inputs = [x for k, x in enumerate(built(places)) if k not in fixed]
    known: dict[int, Any] = {}
    for whole, answer in zip(inputs, found, strict=True):
        own, tree = jax.tree.flatten(whole)
        structure: Any = tree
        answers = [None] * len(own) if answer is None else structure.flatten_up_to(answer)
        pairs = zip(own, answers, strict=True)
        known |= {place.number: x for place, x in pairs if isinstance(place, _Place)}
    return known


class _Place:
    """Stands for an array among inputs, so that its place is found; JAX takes it for a leaf."""

    def __init__(self, number: int) -> None:
        self.number = number


def _rule_within(given: Any, inner: Any, question: Question, count: int) -> Written | None:
    """Give the rule of a function of JAX, of which something makes one of the inputs."""
    return _rule_called_by(inner, lambda made: around(given, made), question, count)


def _rule_named(given: Any, question: Question, count: int) -> Written | None:
    """Give the rule of the one function of JAX with a rule that a plain function calls."""

    def with_rule(thing: Any) -> Any:
        inner = thing.__wrapped__ if is_compiled(thing) else thing
        return inner if _rule_of(inner) is not None else None

    called = called_rule(given, with_rule)
    return called and _rule_called_by(called.rule, called.calling, question, count)


def _rule_of(thing: Any) -> Any:
    """Give what an author wrote as the rule of a `jax.custom_vjp` or `jax.custom_jvp`, or None.

    Of rules by arguments JAX makes one of its own.
    """
    rule = getattr(thing, "bwd", None) or getattr(thing, "jvp", None)
    is_plain = isinstance(rule, types.FunctionType)
    return rule if is_plain and rule.__module__.partition(".")[0] != "jax" else None


def _rule_called_by(
    own: Any, calling: Callable[[Any], Any], question: Question, count: int
) -> Written | None:
    """Give a rule, and what asks a function that calls it with another one."""
    import jax  # noqa: PLC0415 - it is there, since something is of it

    rule = _rule_of(own)
    if rule is None:
        return None
    is_forward = isinstance(own, jax.custom_jvp)

    def rebuilt(changed: Any) -> Callable[..., Any]:
        if is_forward:
            made: Any = jax.custom_jvp(own.fun, nondiff_argnums=own.nondiff_argnums)
            made.defjvp(changed, symbolic_zeros=own.symbolic_zeros)
        else:
            made = jax.custom_vjp(own.fun, nondiff_argnums=own.nondiff_argnums)
            made.defvjp(own.fwd, changed)
        run: Callable[..., Any] = JAX[question.kind](calling(made), question, count)
        return run

    return Written(rule, rebuilt, is_joint=is_forward)
