"""Whether the backward of an `autograd.Function` is the derivative of its forward.

A symtape tape follows the forward, and its derivative is that of what the forward computes. Torch's
is what the backward says. Both are computed for one cotangent; where they differ, as in a
straight-through estimator, nothing that depends on it has a derivative here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.frontends.torch_functions.applications import (
    caller_of,
    inputs_of,
    name_of_function,
)
from symtape.frontends.torch_functions.dtypes import to_numpy, to_torch, torch_module
from symtape.tape import GradientTape
from symtape.tensor.recording.active import THREAD
from symtape.tensor.tensor import Tensor

_NEAR = {"float64": 1e-6, "complex128": 1e-6, "float32": 1e-3, "complex64": 1e-3}


class Applied:
    """One call of an `autograd.Function`, and a tape that follows its forward."""

    def __init__(self, frame: FrameType, value: Callable[[Any], Tensor]) -> None:
        self.frame, self.caller = frame, caller_of(frame)
        self.name = name_of_function(frame)
        self._inputs = inputs_of(frame)
        self._values = [value(t) for t in self._inputs]
        edge = torch_module("autograd.graph").get_gradient_edge
        self._edges = [t if t.grad_fn is None else edge(t) for t in self._inputs]
        """Where gradients by the inputs come out: a leaf is not written into, and stands for it."""
        self._nodes = [t.grad_fn for t in self._inputs if t.grad_fn is not None]
        asked = bool(THREAD.state.recordings and self._inputs)
        self._tape = GradientTape(persistent=True) if asked else None
        self._is_open = False

    def open(self) -> None:
        """Follow the forward from now on."""
        if self._tape is not None and not self._is_open:
            self._tape.__enter__()
            self._tape.watch(self._values)
            self._is_open = True

    def close(self) -> None:
        """Stop following."""
        if self._tape is not None and self._is_open:
            self._tape.__exit__(None, None, None)
            self._is_open = False

    def agrees(self, result: Any, value: Tensor) -> bool:
        """Compare both derivatives of a result; without a tape nobody asks for them."""
        if self._tape is None:
            return True
        angles = np.cos(np.arange(value.raw.size)).reshape(value.raw.shape) + 1.5
        weights = np.asarray(angles).astype(value.raw.dtype)
        theirs = self._theirs(result, to_torch(weights, result.device))
        aside, THREAD.state.recordings[:] = THREAD.state.recordings[:], []
        try:
            ours = self._tape.gradient(value, self._values, Tensor(weights[()]))
        finally:
            THREAD.state.recordings[:] = aside
        return all([_same(a, b) for a, b in zip(ours, theirs, strict=True)])

    def _theirs(self, result: Any, weights: Any) -> Sequence[Any]:
        """Let torch give the gradients by the inputs as they were before: one may be written into.

        One may be computed of another one, too, and what comes through it there does not count.
        """
        handles = [node.register_prehook(_nothing) for node in self._nodes]
        try:
            with _with_vmap():
                found: Sequence[Any] = torch_module("autograd").grad(
                    result, self._edges, weights, retain_graph=True, allow_unused=True
                )
        except RuntimeError as error:
            raise UnsupportedError(
                f"the backward of {self.name} cannot be run to compare it with its forward "
                f'({error}): say backward="forward" to have the derivative of that'
            ) from error
        finally:
            for handle in handles:
                handle.remove()
        return found


def _with_vmap() -> Any:
    """Let a backward use `vmap`, as that of a function under one does.

    Torch leaves its transforms out while it tells a mode of an operation.
    """
    keys = torch_module("_C")
    excluded = keys._dispatch_tls_local_exclude_set()  # noqa: SLF001 - torch has no public name
    included = keys._dispatch_tls_local_include_set()  # noqa: SLF001 - nor for this
    for name in _TRANSFORMS:
        excluded = excluded.remove(getattr(keys.DispatchKey, name))
    return keys._ForceDispatchKeyGuard(included, excluded)  # noqa: SLF001 - nor for this


_TRANSFORMS = (
    "FuncTorchBatched", "FuncTorchVmapMode", "FuncTorchGradWrapper",
    "FuncTorchDynamicLayerFrontMode", "FuncTorchDynamicLayerBackMode",
)  # fmt: skip
"""What torch dispatches its transforms of functions by."""


def _nothing(gradients: Sequence[Any]) -> tuple[Any, ...]:
    """Let no gradient go on through a node."""
    return tuple([None if g is None else torch_module().zeros_like(g) for g in gradients])


def connected(result: Any, inputs: Mapping[int, Any]) -> bool:
    """Say whether torch's graph has a way from a result to one of some tensors."""
    asked = [t for t in inputs.values() if t.requires_grad]
    if not asked:
        return False
    ones = torch_module().ones_like(result)
    found = torch_module("autograd").grad(result, asked, ones, retain_graph=True, allow_unused=True)
    return any([gradient is not None for gradient in found])


def passes_on(result: Any) -> bool:
    """Say whether the backward of a function that gave back an argument gives back its gradient.

    Modules with hooks apply such functions to what they take and give. What their hooks make of
    gradients shows once a gradient flows from the result.
    """
    weights = _weights(result)
    hooked = [n for n in _behind(result.grad_fn) if type(n).__name__ == _OF_HOOKS]
    pairs = [(e, e.node.next_functions[e.output_nr]) for n in hooked for e in _edges_into(n)]
    own = [_edge(*follower) for follower in result.grad_fn.next_functions if follower[0]]
    asked = [*own, *[e for e, _ in pairs], *[_edge(*follower) for _, follower in pairs]]
    found = torch_module("autograd").grad(
        result, asked, weights, retain_graph=True, allow_unused=True
    )
    passed = [g for g in found[: len(own)] if g is not None and bool(g.any())]
    before, after = found[len(own) : len(own) + len(pairs)], found[len(own) + len(pairs) :]
    return (
        len(passed) == 1
        and torch_module().equal(passed[0], weights)
        and all([_equal(a, b) for a, b in zip(before, after, strict=True)])
    )


_OF_HOOKS = "BackwardHookFunctionBackward"
"""The node around a module that has hooks."""


def _edge(node: Any, number: int) -> Any:
    return torch_module("autograd.graph").GradientEdge(node, number)


def _edges_into(node: Any) -> list[Any]:
    return [_edge(node, k) for k, (behind, _) in enumerate(node.next_functions) if behind]


def _behind(node: Any) -> list[Any]:
    """List the nodes behind one."""
    found: dict[Any, None] = {}
    waiting = [node]
    while waiting:
        new = [n for n, _ in waiting.pop().next_functions if n is not None and n not in found]
        found.update(dict.fromkeys(new))
        waiting += new
    return list(found)


def _equal(a: Any, b: Any) -> bool:
    return a is b or (a is not None and b is not None and torch_module().equal(a, b))


def changes(hook: Callable[[Any], Any], tensor: Any) -> bool:
    """Say whether a hook of a tensor gives another gradient than the one it gets."""
    weights = _weights(tensor)
    with torch_module().no_grad():
        found = hook(weights.clone())
    return found is not None and not torch_module().equal(found, weights)


def _weights(tensor: Any) -> Any:
    """Make a gradient by a tensor, large enough to be clipped."""
    line = torch_module().arange(tensor.numel(), device=tensor.device)
    return (1e3 * (line.cos() + 1.5)).reshape(tensor.shape).to(tensor.dtype)


def _same(ours: Tensor | None, theirs: Any) -> bool:
    """Compare two gradients; none is zeros."""
    a = None if ours is None else ours.raw
    b = None if theirs is None else to_numpy(theirs)
    if a is None or b is None:
        rest = b if a is None else a
        return rest is None or not np.any(rest)
    near = _NEAR.get(a.dtype.name, 5e-2)
    with np.errstate(all="ignore"):
        wide = np.asarray(b).astype(np.complex128 if b.dtype.kind == "c" else np.float64)
        size = float(np.max(np.abs(wide), initial=0.0, where=np.isfinite(wide)))
        mine = np.asarray(a).astype(wide.dtype)
        return bool(
            np.allclose(mine, wide, rtol=near, atol=near * max(size, 1e-30), equal_nan=True)
        )


def is_of_function(tensor: Any) -> bool:
    """Say whether torch's graph has a tensor from an `autograd.Function`."""
    return isinstance(tensor.grad_fn, torch_module("autograd.function").BackwardCFunction)
