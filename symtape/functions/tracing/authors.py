"""Functions with gradients of their own in a function that is traced: steps of its program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtape.program.authors import aside, authored, opaque, passed
from symtape.program.operations import Cast, Constant, Einsum, add_n, dtype_name, subtract
from symtape.tensor.derivatives.surrogate import Transpose, transpose
from symtape.tensor.dispatch import apply, apply1, apply2
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.custom import Custom
from symtape.tensor.recording.recorder import Recording
from symtape.tensor.tensor import Literal, Tensor


def write(
    recording: Recording, custom: Custom, inputs: Sequence[Tensor], outs: Sequence[Tensor]
) -> None:
    """Write what the derivatives of some results are, where a derivation of the program sees it.

    The author's function runs once, on zeros. Where it is not shown to be linear, or raises, it is
    an error to ask for a derivative.
    """
    try:
        found, why = transpose(recording, custom), "not shown to be linear in the cotangent"
    except Exception as error:  # noqa: BLE001 - it is told if somebody asks for the derivative
        found, why = None, f"raises {type(error).__name__} ({error})"
    state = THREAD.state
    active, state.recordings = state.recordings, [recording]
    try:
        if found is None:
            _opaque(recording, custom, inputs, outs, why)
        else:
            _authored(recording, custom, found, inputs, outs)
    finally:
        state.recordings = active


def _authored(
    recording: Recording,
    custom: Custom,
    found: Transpose,
    inputs: Sequence[Tensor],
    outs: Sequence[Tensor],
) -> None:
    """Compute the transpose of x - passed(x), which is zero, so that it is recorded."""
    program = found.program
    fixed: dict[int, Tensor] = dict(found.leaves)
    moved: dict[int, Tensor] = {}
    for direction, x in zip(found.directions, inputs, strict=True):
        if direction is not None:
            moved[direction] = apply2(subtract, x, apply1(passed, x))
    wanted = [p for p in found.results if p is not None]
    seen: dict[int, Tensor] = {}
    for p in program.ancestors(wanted, [*fixed, *moved]):
        operation, *operands = program.steps[p]
        if p in fixed or p in moved:
            continue
        if isinstance(operation, Constant):
            fixed[p] = Literal.of(operation.number, program.dtypes[p])
        elif moved.keys().isdisjoint(operands):
            fixed[p] = apply(operation, *[fixed[i] for i in operands])
        else:
            for i in operands:
                if i in fixed and i not in seen:
                    seen[i] = _aside(fixed[i])
            moved[p] = apply(operation, *[moved[i] if i in moved else seen[i] for i in operands])
    for out, place, change in zip(outs, custom.outputs, found.results, strict=True):
        if place is not None and change is not None:
            recording.replace(apply2(authored, out, moved[change]), out)


def _aside(tensor: Tensor) -> Tensor:
    """Let steps that are derived take a tensor, and no derivative flow to it; numbers stay."""
    return tensor if isinstance(tensor, Literal) else apply1(aside, tensor)


def _opaque(
    recording: Recording,
    custom: Custom,
    inputs: Sequence[Tensor],
    outs: Sequence[Tensor],
    why: str,
) -> None:
    """Let results depend on inputs by an operation that refuses to be differentiated."""
    known = [x for x, p in zip(inputs, custom.inputs, strict=True) if p is not None]
    for out, place in zip(outs, custom.outputs, strict=True):
        if place is not None:
            parts = [_number(x, out.raw.dtype) for x in known if x.raw.dtype.kind in "fcV"]
            reached = parts[0] if len(parts) == 1 else apply(add_n, *parts)
            made = apply2(opaque(custom.rule.name, why), out, reached)
            recording.replace(made, out)


def _number(x: Tensor, dtype: Any) -> Tensor:
    """Sum an array up, in another dtype."""
    total = apply1(Einsum.of([range(x.raw.ndim)], []), x) if x.raw.ndim else x
    return total if total.raw.dtype == dtype else apply1(Cast(dtype_name(dtype)), total)
