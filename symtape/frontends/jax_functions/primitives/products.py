"""Primitives that multiply and add: dot products, convolutions, Fourier transforms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from symtape.frontends.jax_functions.primitives.moving import padded
from symtape.frontends.jax_functions.steps import Rule, Step
from symtape.ops.elementwise.conversion import cast
from symtape.ops.nn.windows.convolution import contracted
from symtape.ops.nn.windows.sliding import Slide, looked_at
from symtape.ops.shapes import repetition
from symtape.ops.shapes.shaping import permuted, with_shape
from symtape.ops.signal.fourier import mirrored, transformed
from symtape.program.kinds.windows import Window
from symtape.program.operations import Einsum
from symtape.tensor.dispatch import apply
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import dtype_of, shape_of


def _dot(step: Step, x: Tensor, y: Tensor) -> Tensor:
    """The sum over pairs of axes; the result has the batch, then what is left of x and of y."""
    (own, other), (batch, batch_of_other) = step["dimension_numbers"]
    named = {int(k): n for n, k in enumerate(batch)}
    named_of_other = {int(k): n for n, k in enumerate(batch_of_other)}
    summed = range(len(batch), len(batch) + len(own))
    named |= dict(zip(map(int, own), summed, strict=True))
    named_of_other |= dict(zip(map(int, other), summed, strict=True))
    first = [named.get(k, 100 + k) for k in range(x.ndim)]
    second = [named_of_other.get(k, 200 + k) for k in range(y.ndim)]
    kept = [*range(len(batch)), *[i for i in first + second if i >= 100]]
    x, y = cast(x, step.dtype), cast(y, step.dtype)
    return apply(Einsum.of([first, second], kept), x, y)


# --- convolutions ---------------------------------------------------------------------------------


def _convolved(step: Step, x: Tensor, f: Tensor) -> Tensor:
    """Slide a filter: [batch, channels, image] and [outputs, channels, window], in any order."""
    numbers = step["dimension_numbers"]
    x = cast(permuted(x, [int(k) for k in numbers.lhs_spec]), step.dtype)
    f = cast(permuted(f, [int(k) for k in numbers.rhs_spec]), step.dtype)
    groups = int(step["feature_group_count"])
    if int(step["batch_group_count"]) > 1:
        groups = int(step["batch_group_count"])
        x = _batches_as_channels(x, groups)
    y = _slid(step, x, f, groups)
    return permuted(y, [numbers.out_spec.index(k) for k in range(y.ndim)])


def _batches_as_channels(x: Tensor, groups: int) -> Tensor:
    """Make [groups · batch, channels, …] [batch, groups · channels, …]."""
    batch, channels, *image = shape_of(x)
    parts = with_shape(x, (groups, batch // groups, channels, *image))
    turned = permuted(parts, [1, 0, *range(2, parts.ndim)])
    return with_shape(turned, (batch // groups, groups * channels, *image))


def _slid(step: Step, x: Tensor, f: Tensor, groups: int) -> Tensor:
    """Contract windows of [batch, channels, image] with [outputs, channels, window]."""
    axes = x.ndim - 2
    between = [int(d) - 1 for d in step["lhs_dilation"]]
    pads = [(int(a), int(b), c) for (a, b), c in zip(step["padding"], between, strict=True)]
    x = padded(x, [(0, 0, 0), (0, 0, 0), *pads])
    x = permuted(x, [0, *range(2, axes + 2), 1])
    f = permuted(f, [*range(2, axes + 2), 1, 0])
    how = Slide(_windows(step, shape_of(f)[:axes]), (), ())
    if groups == 1:
        y = contracted(looked_at(x, how, 1), f, how, "")
    else:
        *lead, channels = shape_of(x)
        *sizes, depth, outputs = shape_of(f)
        x = with_shape(x, (*lead, groups, channels // groups))
        f = with_shape(f, (*sizes, depth, groups, outputs // groups))
        y = contracted(looked_at(x, how, 2), f, how, "grouped")
        y = with_shape(y, (*shape_of(y)[:-2], outputs))
    return permuted(y, [0, axes + 1, *range(1, axes + 1)])


def _windows(step: Step, sizes: Sequence[int]) -> tuple[Window, ...]:
    parts = zip(sizes, step["window_strides"], step["rhs_dilation"], strict=True)
    return tuple([Window(int(n), int(stride), int(rate)) for n, stride, rate in parts])


# --- Fourier transforms ---------------------------------------------------------------------------


def _fourier(step: Step, x: Tensor) -> Tensor:
    """A transform along each of the last axes."""
    kind, sizes = int(step["fft_type"]), [int(n) for n in step["fft_lengths"]]
    narrow = dtype_of(x).itemsize <= (8 if dtype_of(x).kind == "c" else 4)
    dtype = np.complex64 if narrow else np.complex128
    z = cast(x, dtype)
    sign = -1 if kind in {0, 2} else 1
    last = z.ndim - 1
    for k in range(z.ndim - len(sizes), last if kind == 3 else z.ndim):
        z = transformed(z, k, sign, -1 if sign > 0 else 0)
    if kind == 2:
        return repetition.part_of(z, last, 0, sizes[-1] // 2 + 1)
    return mirrored(z, sizes[-1]) if kind == 3 else z


RULES: dict[str, Rule] = {
    "dot_general": _dot,
    "conv_general_dilated": _convolved,
    "fft": _fourier,
}
