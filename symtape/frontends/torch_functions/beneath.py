"""Arguments by which torch has no derivative, as the weights of a loss: they go beneath its graph.

Torch refuses them as soon as they belong to its graph, which all examples do. Its value is that
without them in it, and a derivative by them is that of what is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from typing import Any

from symtape.frontends.torch_functions.dtypes import torch_module
from symtape.frontends.torch_functions.schemas import mapped, tensors_in
from symtape.frontends.torch_functions.tracer import Tracer

_MOST = 3
"""Of so many arguments at once, as of the moving mean, variance and weights of one call."""


def is_refusal(error: RuntimeError) -> bool:
    """Say whether torch refuses an argument because it belongs to its graph.

    There is no class of such errors, and nothing else that says it before the call.
    """
    return "is not differentiable with respect to argument" in str(error)


@cache
def mode_class() -> Any:
    """Make the class of the mode: its base is torch's, which is imported when it is needed."""
    base = torch_module("overrides").TorchFunctionMode

    class Beneath(base):  # type: ignore[misc,valid-type]  # torch's, at run time
        def __init__(self, tracer: Tracer) -> None:
            super().__init__()
            self.tracer = tracer

        def __torch_function__(
            self,
            func: Callable[..., Any],
            types: Sequence[type],
            args: Sequence[Any] = (),
            kwargs: dict[str, Any] | None = None,
        ) -> Any:
            try:
                return func(*args, **(kwargs or {}))
            except RuntimeError as error:
                if not is_refusal(error):
                    raise
                return _without(self.tracer, func, args, kwargs or {}, error)

    return Beneath


def _without(
    tracer: Tracer,
    func: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    refusal: RuntimeError,
) -> Any:
    """Call a function with as few arguments beneath the graph as it takes."""
    smooth = [t for t in tensors_in([*args, kwargs]) if t.requires_grad]
    for count in range(1, min(_MOST, len(smooth)) + 1):
        for chosen in combinations(smooth, count):
            below = {id(t): tracer.beneath(t) for t in chosen}
            try:
                result = _called(func, args, kwargs, below)
            except RuntimeError as error:
                if not is_refusal(error):
                    raise
                continue
            if any(t.requires_grad for t in tensors_in(result)):
                return result
    raise tracer.error(
        f"torch's {getattr(func, '__name__', func)}",
        "has no derivative by what depends on the arguments: detach() it there, or close over it",
    ) from refusal


def _called(
    func: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], below: dict[int, Any]
) -> Any:
    def put(value: Any) -> Any:
        return mapped(value, lambda t: below.get(id(t), t))

    return func(*map(put, args), **{name: put(value) for name, value in kwargs.items()})
