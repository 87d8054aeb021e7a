"""Running torch code under a dispatch mode that follows each operation."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any

from symtape.frontends.torch_functions.dtypes import to_torch, torch_module
from symtape.frontends.torch_functions.tracer import Tracer
from symtape.tensor.tensor import Tensor


@cache
def _mode_class() -> Any:
    """Make the class of the mode: its base is torch's, which is imported when it is needed."""
    base = torch_module("utils._python_dispatch").TorchDispatchMode

    of_functions = torch_module("_ops").HigherOrderOperator

    class Following(base):  # type: ignore[misc,valid-type]  # torch's, at run time
        supports_higher_order_operators = True
        """So that torch asks for what it does with functions, and does not raise itself."""

        def __init__(self, tracer: Tracer) -> None:
            super().__init__()
            self.tracer = tracer

        def __torch_dispatch__(
            self,
            func: Any,
            types: Sequence[type],
            args: Sequence[Any] = (),
            kwargs: dict[str, Any] | None = None,
        ) -> Any:
            if isinstance(func, of_functions):
                why = "takes functions, which are not followed: choose and repeat in Python"
                raise self.tracer.error(f"torch's {func.name()}", why)
            return self.tracer.run(func, args, kwargs or {})

    return Following


def entered(value: Tensor, tracer: Tracer, *, flows: bool, device: Any = None) -> Any:
    """Make a torch tensor of a value, which belongs to torch's graph if a derivative may flow.

    It is no leaf, so that code may write into it.
    """
    made = to_torch(value.raw, device)
    flows = flows and (made.is_floating_point() or made.is_complex())
    if flows:
        with torch_module().enable_grad():
            made = made.requires_grad_().clone()
            made.retain_grad()
    tracer.enter(made, value, flows=flows)
    return made


def follow(work: Callable[[Tracer], Any], checks_backwards: bool) -> Any:
    """Call `work` with a tracer, under its mode: what torch does in it is followed."""
    tracer = Tracer(sys._getframe())  # noqa: SLF001 - where the user's frames end
    tracer.checks_backwards = checks_backwards
    tracer.mode = lambda: _mode_class()(tracer)
    with ExitStack() as stack:
        for context in _settings():
            stack.enter_context(context)
        stack.callback(tracer.regions.close)
        return work(tracer)


def _settings() -> Iterator[Any]:
    """List how torch is to compute, so that what it does is made of operations that we know."""
    yield _quiet()
    attention = torch_module("nn.attention")
    yield attention.sdpa_kernel(attention.SDPBackend.MATH)
    yield torch_module("backends.mkldnn").flags(enabled=False)
    yield torch_module("backends.cudnn").flags(enabled=False)
    yield torch_module().enable_grad()
    # Torch runs backwards of a device in a thread of their own, where no tape would see them.
    yield torch_module("autograd").set_multithreading_enabled(False)


@contextmanager
def _quiet() -> Iterator[None]:
    """Say nothing of what torch remarks only because of how it is run here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Converting a tensor with requires_grad=True")
        warnings.filterwarnings("ignore", "TF32 acceleration on top of oneDNN")
        yield
