"""What PyTorch is asked: functions that answer a question by a function's own rules."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtape.verify.frameworks.called_rules import called_rule
from symtape.verify.frameworks.whole import around, inner_of
from symtape.verify.question import Question
from symtape.verify.running.written import Written, written_of


def is_autograd(thing: Any) -> bool:
    """Say whether something is a `torch.autograd.Function`."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(thing, type):
        return False
    return issubclass(thing, torch.autograd.Function)


def is_compiled(thing: Any) -> bool:
    """Say whether something is a function that `jax.jit` made."""
    jax = sys.modules.get("jax")
    return jax is not None and isinstance(thing, jax.stages.Wrapped)


def within(thing: Any) -> Any:
    """Give what a function was made of by `jax.jit`, by `functools.partial`, or as an `apply`."""
    thing = inner_of(thing)
    while isinstance(thing, functools.partial) or is_compiled(thing):
        thing = thing.func if isinstance(thing, functools.partial) else thing.__wrapped__
    return of_apply(thing)


def of_apply(thing: Any) -> Any:
    """Give the `torch.autograd.Function` whose `apply` something is, or what it is."""
    owner = getattr(thing, "__self__", None)
    return owner if is_autograd(owner) and getattr(thing, "__name__", "") == "apply" else thing


# --- torch ----------------------------------------------------------------------------------------


def applied(given: Any, wrt: Sequence[int] | None = None) -> Callable[..., Any]:
    """Give a function that applies an autograd function; results that are no tensors are left out.

    Inputs that are none of `wrt` need no gradient, if that is said.
    """
    run = given.apply if is_autograd(given) else given

    def apply(*args: Any) -> Any:
        is_kept = [wrt is None or k in wrt or not hasattr(x, "detach") for k, x in enumerate(args)]
        found = run(*[x if kept else x.detach() for x, kept in zip(args, is_kept, strict=True)])
        return _tensors_of(found)

    return apply


def forward_of(given: Any, wrt: Sequence[int]) -> Callable[..., Any]:
    """Give a function that computes as torch has it computed where gradients by `wrt` are asked.

    A forward may look at what needs one, as at a bias that is left out. It is given no leaves, so
    that it may write into its inputs.
    """
    is_own = is_autograd(inner_of(given))
    run = applied(given, wrt) if is_own else given

    def computed(*args: Any) -> Any:
        found = _tensors_of(run(*[_needing(x) if k in wrt else x for k, x in enumerate(args)]))
        return _without_marked(found) if is_own and wrt else found

    return computed


def _without_marked(found: Any) -> Any:
    """Hold what a forward gives and marks as not differentiable, so that it has no slope."""
    if isinstance(found, tuple):
        return tuple(map(_without_marked, found))
    is_marked = found.is_floating_point() and not found.requires_grad
    return found.detach() * 0 if is_marked else found


def _needing(x: Any) -> Any:
    """Give a tensor with a gradient, if it has numbers that may have one."""
    is_tensor = hasattr(x, "detach") and (x.is_floating_point() or x.is_complex())
    return x.detach().requires_grad_().clone() if is_tensor else x


def _tensors_of(found: Any) -> Any:
    """Leave out what is no tensor among results, as None."""
    if not isinstance(found, tuple):
        return found
    tensors = tuple([x for x in found if hasattr(x, "detach")])
    return tensors[0] if len(tensors) == 1 < len(found) else tensors


def _torch_run(
    given: Any, inputs: Sequence[Any], wrt: Sequence[int] | None = None
) -> tuple[Any, list[Any], list[Any]]:
    """Run a function on leaves of torch's graph; give torch, the leaves and the results.

    Those of `wrt` need a gradient, or all. Leaves share their memory with the inputs, so that what
    a backward writes into them is seen. A forward that says that it writes into its inputs is given
    copies, as torch writes into no leaf.
    """
    import torch  # noqa: PLC0415 - it is there, since something is of it

    leaves = [x.detach() for x in inputs]
    for k, x in enumerate(leaves):
        is_judged = wrt is None or k in wrt
        x.requires_grad_(is_judged and (x.is_floating_point() or x.is_complex()))
    taken = [x.clone() for x in leaves] if _marks_dirty(inner_of(given)) else leaves
    found = _tensors_of((applied(given) if is_autograd(inner_of(given)) else given)(*taken))
    return torch, leaves, list(found) if isinstance(found, (tuple, list)) else [found]


def _marks_dirty(given: Any) -> bool:
    """Say whether an autograd function says of its inputs that its forward writes into them."""
    if not is_autograd(given):
        return False
    parts = (getattr(given, name, None) for name in ("forward", "setup_context"))
    codes = (getattr(part, "__code__", None) for part in parts)
    return any("mark_dirty" in code.co_names for code in codes if code is not None)


def _asked(answer: Callable[..., Any]) -> Callable[..., Any]:
    """Make what makes a function that runs a given one, and answers by torch's graph of that.

    `answer` is given torch, the sources, the results, and what else the function is called with.
    """

    def asked(given: Any, question: Question, count: int) -> Any:
        def run(*args: Any) -> Any:
            torch, leaves, results = _torch_run(given, args[:count], question.wrt)
            return answer(torch, [leaves[k] for k in question.wrt], results, args[count:])

        return run

    return asked


def _vjp(torch: Any, sources: Sequence[Any], results: list[Any], upstream: Sequence[Any]) -> Any:
    """Leave out results without a derivative, as integers; where none has one torch says so.

    A cotangent that is None is one of a result that nothing is computed of.
    """
    if len(results) != len(upstream):
        raise ValueError(f"{len(results)} of {len(upstream)} results are given")
    asked = [(r, u) for r, u in zip(results, upstream, strict=True) if u is not None]
    pairs = [(r, u) for r, u in asked if r.requires_grad] or asked
    if len(asked) < len(results) and not pairs[0][0].requires_grad:
        return [torch.zeros_like(x) for x in sources]
    parts = [[pair[k] for pair in pairs] for k in range(2)]
    return torch.autograd.grad(parts[0], sources, parts[1], materialize_grads=True)


def _rows(torch: Any, result: Any, sources: Sequence[Any]) -> list[Any]:
    rows = [
        torch.autograd.grad(r, sources, retain_graph=True, materialize_grads=True)
        for r in result.reshape(-1)
    ]
    return [
        torch.stack([row[k] for row in rows]).reshape(*result.shape, *s.shape)
        for k, s in enumerate(sources)
    ]


def _hessian(torch: Any, sources: Sequence[Any], results: list[Any], _: Any) -> Any:
    (slope,) = torch.autograd.grad(
        results[0], sources[:1], create_graph=True, materialize_grads=True
    )
    return _rows(torch, slope, sources[:1])[0]


def _jvp(torch: Any, sources: Sequence[Any], results: list[Any], tangents: Sequence[Any]) -> Any:
    return [
        sum(
            (j * t).reshape(*r.shape, -1).sum(-1)
            for j, t in zip(_rows(torch, r, sources), tangents, strict=True)
        )
        for r in results
    ]


TORCH: dict[str, Callable[..., Any]] = {
    "value": lambda given, _, __: lambda *args: [r.detach() for r in _torch_run(given, args)[2]],
    "gradient": _asked(
        lambda torch, sources, results, _: torch.autograd.grad(
            results[0], sources, materialize_grads=True
        )
    ),
    "vjp": _asked(_vjp),
    "jvp": _asked(_jvp),
    "jacobian": _asked(lambda torch, sources, results, _: _rows(torch, results[0], sources)),
    "hessian": _asked(_hessian),
}
"""By the kind of a question: makes a function of torch tensors that answers it."""


def rule_of_torch(
    given: Any, question: Question, count: int, *, is_derived: bool
) -> Written | None:
    """Give what was written as a backward, and what asks for the same with another one.

    A plain function that `is_derived` has none but that of what it calls.
    """
    inner = inner_of(given)
    if not is_autograd(inner):
        return _rule_called(given, question, count) if is_derived else authors(given, lambda f: f)

    def rebuilt(backward: Any) -> Callable[..., Any]:
        if question.kind == "vjp" and given is inner:
            return lambda *args: _called_torch(backward, forward(args[:count]), question, args)
        own = _with_backward(inner, backward)
        run: Callable[..., Any] = TORCH[question.kind](around(given, own), question, count)
        return run

    def run_forward(inputs: Sequence[Any]) -> Any:
        return _torch_run(given, inputs, question.wrt)[2]

    forward = kept(run_forward, _array_of_torch)
    return authors(inner.backward, rebuilt)


def _with_backward(function: Any, backward: Any) -> Any:
    return type(function.__name__, (function,), {"backward": staticmethod(backward)})


def _rule_called(given: Any, question: Question, count: int) -> Written | None:
    """Give the backward of the autograd function that a plain one calls."""
    called = called_rule(given, lambda x: of_apply(x) if is_autograd(of_apply(x)) else None)
    if called is None:
        return None

    def rebuilt(backward: Any) -> Callable[..., Any]:
        own = called.calling(_Applied(_with_backward(called.rule, backward)))
        run: Callable[..., Any] = TORCH[question.kind](own, question, count)
        return run

    return authors(called.rule.backward, rebuilt)


class _Applied:
    """A `torch.autograd.Function` in the place of itself or of its `apply`."""

    def __init__(self, function: Any) -> None:
        self.apply = function.apply

    def __call__(self, *args: Any) -> Any:
        return self.apply(*args)


def _called_torch(backward: Any, results: Sequence[Any], question: Question, args: Any) -> Any:
    """Call a backward with what a forward has saved, which its results hold."""
    import torch  # noqa: PLC0415 - it is there, since something is of it

    with torch.no_grad():
        context = next(r.grad_fn for r in results if r.grad_fn is not None)
        found = backward(context, *args[-len(results) :])
    listed = found if isinstance(found, tuple) else (found,)
    return [listed[k] for k in question.wrt]


def _array_of_torch(x: Any) -> Any:
    from symtape.frontends.torch_functions.dtypes import to_numpy  # noqa: PLC0415 - an extra

    return to_numpy(x)


def kept(
    run: Callable[[Sequence[Any]], Any], as_array: Callable[[Any], Any] = np.asarray
) -> Callable[[Sequence[Any]], Any]:
    """Run a function once for the same numbers."""
    known: dict[bytes, Any] = {}

    def known_one(inputs: Sequence[Any]) -> Any:
        key = b"".join(as_array(x).tobytes() for x in inputs)
        if key not in known:
            known[key] = run(inputs)
        return known[key]

    return known_one


def authors(function: Any, rebuilt: Callable[[Any], Callable[..., Any]]) -> Written | None:
    """Give what an author wrote of a function, or None where it is no plain one."""
    own = written_of(function)
    return None if own is None else Written(own.function, lambda f: rebuilt(own.rebuilt(f)))
