"""What an operation is made of, as torch or `parts.py` says, for those that the table lacks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from symtape.frontends.torch_functions.dtypes import torch_module
from symtape.frontends.torch_functions.parts import PARTS
from symtape.frontends.torch_functions.schemas import Call, results_of


class Region:
    """The parts of one operation, which have no graph of their own in torch."""

    def __init__(self, outer: object, name: str) -> None:
        self.outer, self.name = outer, name

    @property
    def is_in_itself(self) -> bool:
        """Whether an operation is among its own parts, which would never end."""
        around = self.outer
        while isinstance(around, Region):
            if around.name == self.name:
                return True
            around = around.outer
        return False


def run(call: Call, copied: Callable[[Any], Any]) -> list[Any] | None:
    """Run the parts of an operation; gives its results, or None where nobody knows them.

    What the operation writes into is copied before, and the copies are given as its results.
    """
    parts = _parts(call.operation)
    if parts is None:
        return None
    written = {id(t): copied(t) for t in call.written}
    wide = widened if call.widens and not written else lambda t: t
    args, kwargs = call.with_tensors(lambda t: written.get(id(t), wide(t)))
    return results_of(parts(*args, **kwargs))


def widened(tensor: Any) -> Any:
    """Give a narrow tensor single precision."""
    torch = torch_module()
    return tensor.float() if tensor.dtype in (torch.float16, torch.bfloat16) else tensor


def is_composite(call: Call) -> bool:
    """Say whether an operation is nothing but its parts, which a graph would have seen."""
    key = torch_module()._C.DispatchKey.CompositeImplicitAutograd  # noqa: SLF001 - no public door
    return bool(call.operation.has_kernel_for_dispatch_key(key))


def _parts(operation: Any) -> Callable[..., Any] | None:
    torch = torch_module()
    known: dict[Any, Callable[..., Any]] = torch_module("_decomp").decomposition_table
    keys = torch._C.DispatchKey  # noqa: SLF001 - torch's decompositions have no public door
    if str(operation) in PARTS:
        return PARTS[str(operation)]
    if operation in known:
        return known[operation]
    if operation.has_kernel_for_dispatch_key(keys.CompositeExplicitAutograd):
        key = keys.CompositeExplicitAutograd
        return partial(operation._op_dk, key)  # noqa: SLF001 - nor one to a kernel
    return None
