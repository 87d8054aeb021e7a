"""ATen operations that slide windows: convolutions and pooling, and their backward operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from symtape.frontends.functions import with_slope_of
from symtape.frontends.torch_functions.rules.algebra.products import cdist, pdist
from symtape.frontends.torch_functions.rules.joining import embedded
from symtape.frontends.torch_functions.rules.networks.activations import number
from symtape.frontends.torch_functions.rules.reductions import along, as_they_are
from symtape.frontends.torch_functions.rules.rules import Step, rule
from symtape.ops.indexing.gathering import gather
from symtape.ops.indexing.scattering import scatter_nd
from symtape.ops.reductions import reduction
from symtape.ops.reductions.ordering import argmax
from symtape.ops.shapes.creation import zeros_like
from symtape.ops.shapes.repetition import flipped
from symtape.ops.shapes.shaping import permuted, with_shape
from symtape.program.kinds.structural import Embed
from symtape.program.kinds.windows import Window, Windows
from symtape.program.operations import Einsum
from symtape.tape import GradientTape
from symtape.tensor.dispatch import apply, apply1
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of


def each(value: Any, axes: int) -> list[int]:
    """Give a setting for each axis."""
    given = list(value) if isinstance(value, (list, tuple)) else [value]
    return given * axes if len(given) == 1 else given


def windowed(x: Tensor, windows: Sequence[Window]) -> Tensor:
    """Look at the last axes through windows: [… N] becomes [… counts, places]."""
    return apply1(Windows(tuple(windows), 0), x)


# --- convolutions ---------------------------------------------------------------------------------


def correlated(
    x: Tensor, f: Tensor, stride: Sequence[int], pads: Sequence[tuple[int, int]],
    dilation: Sequence[int], groups: int,
) -> Tensor:  # fmt: skip
    """Σ x[n, c, s·i + d·k] f[m, c, k]; channels come in groups."""
    n = shape_of(x)[0]
    outputs, depth, *sizes = shape_of(f)
    axes = len(sizes)
    x = _padded(x, pads)
    windows = [Window(k, s, d) for k, s, d in zip(sizes, stride, dilation, strict=True)]
    seen = windowed(x, windows)
    counts = shape_of(seen)[2 : 2 + axes]
    i, k = list(range(10, 10 + axes)), list(range(20, 20 + axes))
    if groups == 1:
        return apply(Einsum.of([[0, 1, *i, *k], [2, 1, *k]], [0, 2, *i]), seen, f)
    seen = with_shape(seen, (n, groups, depth, *counts, *sizes))
    f = with_shape(f, (groups, outputs // groups, depth, *sizes))
    made = apply(Einsum.of([[0, 3, 1, *i, *k], [3, 2, 1, *k]], [0, 3, 2, *i]), seen, f)
    return with_shape(made, (n, outputs, *counts))


def _padded(x: Tensor, pads: Sequence[tuple[int, int]]) -> Tensor:
    """Put zeros around the last axes, or take elements away where the width is negative."""
    lead = x.ndim - len(pads)
    cut = [slice(None)] * lead + [
        slice(max(0, -a), n - max(0, -b))
        for (a, b), n in zip(pads, shape_of(x)[lead:], strict=True)
    ]
    x = x[tuple(cut)] if min([v for pair in pads for v in pair]) < 0 else x
    shape = shape_of(x)
    wide = [(0, 0)] * lead + [(max(0, a), max(0, b)) for a, b in pads]
    sizes = [n + a + b for n, (a, b) in zip(shape, wide, strict=True)]
    return embedded(x, [a for a, _ in wide], sizes)


def convolved(
    x: Tensor, f: Tensor, bias: Tensor | None, stride: Any, padding: Any, dilation: Any,
    transposed: bool, output_padding: Any, groups: int,
) -> Tensor:  # fmt: skip
    """A convolution, or a transposed one, and a bias for each channel."""
    axes = f.ndim - 2
    lone = x.ndim == axes + 1
    x = with_shape(x, (1, *shape_of(x))) if lone else x
    stride, padding, dilation = each(stride, axes), each(padding, axes), each(dilation, axes)
    if transposed:
        made = _transposed(x, f, stride, padding, dilation, each(output_padding, axes), groups)
    else:
        made = correlated(x, f, stride, [(p, p) for p in padding], dilation, groups)
    if bias is not None:
        made = made + with_shape(bias, (shape_of(bias)[0], *(1,) * axes))
    return with_shape(made, shape_of(made)[1:]) if lone else made


def _transposed(
    x: Tensor, f: Tensor, stride: Sequence[int], padding: Sequence[int], dilation: Sequence[int],
    extra: Sequence[int], groups: int,
) -> Tensor:  # fmt: skip
    """Spread the image by the stride, and slide the filters turned round."""
    shape, axes = shape_of(x), f.ndim - 2
    image = shape[2:]
    spread = [(n - 1) * s + 1 for n, s in zip(image, stride, strict=True)]
    ranges = [(0, 1, n) for n in shape[:2]] + [
        (0, s, n) for n, s in zip(image, stride, strict=True)
    ]
    wide = x
    if spread != list(image):
        wide = apply1(Embed(tuple(ranges), (*shape[:2], *spread)), x)
    inputs, per, *sizes = shape_of(f)
    turned = flipped(f, list(range(2, f.ndim)))
    grouped = with_shape(turned, (groups, inputs // groups, per, *sizes))
    order = [0, 2, 1, *range(3, 3 + axes)]
    filters = with_shape(permuted(grouped, order), (groups * per, inputs // groups, *sizes))
    reach = [d * (k - 1) for d, k in zip(dilation, sizes, strict=True)]
    pads = [(r - p, r - p + e) for r, p, e in zip(reach, padding, extra, strict=True)]
    return correlated(wide, filters, [1] * axes, pads, dilation, groups)


@rule("convolution")
def convolution(step: Step, x: Tensor, f: Tensor, bias: Tensor | None, *settings: Any) -> Tensor:
    """Filters that slide along images."""
    return convolved(x, f, bias, *settings)


@rule("convolution_backward")
def convolution_backward(
    step: Step, g: Tensor, x: Tensor, f: Tensor, sizes: Any, stride: Any, padding: Any,
    dilation: Any, transposed: bool, output_padding: Any, groups: int, mask: Sequence[bool],
) -> Any:  # fmt: skip
    """What comes back to images, filters and biases: the derivative of the convolution."""

    def forward(x: Tensor, f: Tensor) -> Tensor:
        return convolved(x, f, None, stride, padding, dilation, transposed, output_padding, groups)

    made = pulled_back(forward, [x, f], g)
    axes = [0, *range(2, g.ndim)]
    return made[0], made[1], reduction.reduce_sum(g, axes) if mask[2] else None


def pulled_back(
    forward: Callable[..., Tensor], operands: Sequence[Tensor], g: Tensor
) -> list[Tensor]:
    """Give what a cotangent of a function's result is for its operands."""
    with GradientTape() as tape:
        tape.watch(list(operands))
        made = forward(*operands)
    found = tape.gradient(made, list(operands), output_gradients=g)
    return [
        zeros_like(x) if value is None else value for x, value in zip(operands, found, strict=True)
    ]


@rule("_cdist_backward")
def cdist_backward(
    step: Step, g: Tensor, x: Tensor, y: Tensor, p: float, distances: Tensor
) -> Tensor:
    """What comes back to the rows of the first matrix: the derivative of the distances."""
    return pulled_back(lambda x: cdist(step, x, y, p), [x], g)[0]


@rule("_pdist_backward")
def pdist_backward(step: Step, g: Tensor, x: Tensor, p: float, distances: Tensor) -> Tensor:
    """What comes back to the rows of a matrix from their distances."""
    return pulled_back(lambda x: pdist(step, x, p), [x], g)[0]


# --- pooling --------------------------------------------------------------------------------------


def _slid(
    sizes: Sequence[int], kernel: Any, stride: Any, padding: Any, dilation: Any, ceil: bool
) -> tuple[list[Window], list[tuple[int, int]]]:
    """Give the windows, and the widths around the image that are needed for all of them."""
    axes = len(sizes)
    kernel = each(kernel, axes)
    stride = each(stride, axes) if stride not in ([], (), None) else kernel
    padding, dilation = each(padding, axes), each(dilation, axes)
    windows = [Window(*settings) for settings in zip(kernel, stride, dilation, strict=True)]
    pads = []
    for n, window, p in zip(sizes, windows, padding, strict=True):
        room = n + 2 * p - window.reach
        count = (-(-room // window.stride) if ceil else room // window.stride) + 1
        if ceil and (count - 1) * window.stride >= n + p:
            count -= 1
        needed = (count - 1) * window.stride + window.reach
        pads.append((p, needed - n - p))
    return windows, pads


@rule("max_pool2d_with_indices", "max_pool3d_with_indices")
def max_pool(
    step: Step, x: Tensor, kernel: Any, stride: Any = (), padding: Any = 0, dilation: Any = 1,
    ceil: bool = False,
) -> Any:  # fmt: skip
    """The first largest element of each window, and its place in the image."""
    axes = 3 if "3d" in step.name else 2
    windows, pads = _slid(shape_of(x)[-axes:], kernel, stride, padding, dilation, ceil)
    taps = []
    for window, (before, after), n in zip(windows, pads, shape_of(x)[-axes:], strict=True):
        starts = np.arange(-before, n + after - window.reach + 1, window.stride)
        taps.append(_inside(starts[:, None] + np.arange(window.size) * window.dilation, n))
    return _largest(step, x, taps)


@rule("adaptive_max_pool2d", "adaptive_max_pool3d")
def adaptive_max_pool(step: Step, x: Tensor, counts: Sequence[int]) -> Any:
    """The first largest element of each part of an image, and its place in the image."""
    taps = []
    for n, count in zip(shape_of(x)[-len(counts) :], counts, strict=True):
        starts = [i * n // count for i in range(count)]
        ends = [-(-(i + 1) * n // count) for i in range(count)]
        width = max([b - a for a, b in zip(starts, ends, strict=True)], default=0)
        at = np.reshape(starts, (count, 1)) + np.arange(width)
        taps.append(_inside(np.where(at < np.reshape(ends, (count, 1)), at, n), n))
    return _largest(step, x, taps)


def _at_places(x: Tensor, places: Any, axes: int) -> Tensor:
    """Take elements of each image by their places in it."""
    shape = shape_of(x)
    lead, image = shape[:-axes], prod(shape[-axes:])
    lines = with_shape(x, (*lead, image))
    flat = places.reshape(*lead, -1)
    found = gather(lines, Tensor(flat), axis=len(lead), batch_dims=len(lead))
    return with_shape(found, places.shape)


def _inside(at: Any, n: int) -> Any:
    """Let each row of places name, for those outside of an axis, the first that is inside."""
    inside = (at >= 0) & (at < n)
    first = np.take_along_axis(at, np.argmax(inside, axis=1)[:, None], axis=1)
    return np.where(inside, at, first)


def _largest(step: Step, x: Tensor, taps: Sequence[Any]) -> Any:
    """The first largest of the elements of each window, and its place: `taps` are by axis.

    Of several largest ones the place is torch's as long as the elements are as they are.
    """
    lead, image = x.ndim - len(taps), shape_of(x)[-len(taps) :]
    line = _side_by_side(x, lead, taps)
    numbers = np.broadcast_to(np.arange(prod(image)).reshape(image), shape_of(x))
    own = _side_by_side(Tensor(np.ascontiguousarray(numbers)), lead, taps)
    at = argmax(line, line.ndim - 1)
    places, theirs = along(own, at, line.ndim - 1), np.asarray(step.result(1))
    if np.array_equal(places.raw, theirs):
        best = reduction.reduce_max(line, [-1])
        return with_slope_of(best, along(line, at, line.ndim - 1)), places
    fixed = as_they_are(x, theirs)
    return _at_places(x, theirs, len(taps)), fixed


def _side_by_side(x: Tensor, lead: int, taps: Sequence[Any]) -> Tensor:
    """Put the elements of each window one after another in the last axis."""
    for k, at in enumerate(taps):
        x = gather(x, Tensor(at), axis=lead + 2 * k)
    counts, places = range(lead, x.ndim, 2), range(lead + 1, x.ndim, 2)
    line = permuted(x, [*range(lead), *counts, *places])
    return with_shape(line, (*shape_of(line)[: lead + len(taps)], prod([t.shape[1] for t in taps])))


@rule("max_pool2d_with_indices_backward", "max_pool3d_with_indices_backward")
def max_pool_backward(step: Step, g: Tensor, x: Tensor, *settings: Any) -> Tensor:
    """What comes back to the largest elements."""
    axes = 3 if "3d" in step.name else 2
    return _from_places(g, shape_of(x), settings[-1], axes)


@rule("adaptive_max_pool2d_backward", "adaptive_max_pool3d_backward")
def adaptive_max_backward(step: Step, g: Tensor, x: Tensor, places: Tensor) -> Tensor:
    """What comes back to the largest elements."""
    return _from_places(g, shape_of(x), places, 3 if "3d" in step.name else 2)


def _from_places(g: Tensor, shape: Sequence[int], places: Tensor, axes: int) -> Tensor:
    """Add up what comes to each element of each image."""
    lead, image = prod(shape[:-axes]), prod(shape[-axes:])
    count = prod(shape_of(places)[-axes:])
    lines = with_shape(places, (lead, count)) + Tensor(np.arange(lead)[:, None] * image)
    made = scatter_nd(
        with_shape(lines, (lead * count, 1)), with_shape(g, (lead * count,)), [lead * image]
    )
    return with_shape(made, tuple(shape))


def averaged(
    x: Tensor, kernel: Any, stride: Any = (), padding: Any = 0, ceil: bool = False,
    with_padding: bool = True, divisor: Any = None, *, axes: int,
) -> Tensor:  # fmt: skip
    """The mean of each window, with the zeros around counted or not."""
    sizes = shape_of(x)[-axes:]
    windows, pads = _slid(sizes, kernel, stride, padding, 1, ceil)
    places = list(range(-axes, 0))
    seen = windowed(_padded(x, pads), windows)
    if divisor is None and all(pair == (0, 0) for pair in pads):
        return reduction.reduce_mean(seen, places)
    total = reduction.reduce_sum(seen, places)
    if divisor is not None:
        return total / number(x, divisor)
    counted = np.ones(sizes)
    if with_padding:
        given = each(padding, axes)
        counted = np.pad(counted, [(p, p) for p in given], constant_values=1)
        beyond = [(0, max(0, b - p)) for (_, b), p in zip(pads, given, strict=True)]
    else:
        beyond = [(a, max(0, b)) for a, b in pads]
    counted = np.pad(counted, beyond)
    numbers = windowed(Tensor(counted), windows).raw.sum(axis=tuple(places))
    return total / Tensor(np.asarray(numbers, x.raw.dtype))


@rule("avg_pool2d", "avg_pool3d")
def avg_pool(step: Step, x: Tensor, *settings: Any) -> Tensor:
    """The mean of each window."""
    return averaged(x, *settings, axes=int(step.name[8]))


@rule("avg_pool2d_backward", "avg_pool3d_backward")
def avg_pool_backward(step: Step, g: Tensor, x: Tensor, *settings: Any) -> Tensor:
    """What comes back to the elements of windows: the derivative of the mean."""
    return pulled_back(lambda x: averaged(x, *settings, axes=int(step.name[8])), [x], g)[0]


def _adaptive(x: Tensor, sizes: Sequence[int]) -> Tensor:
    """Means over parts of an image, of about equal sizes."""
    axes = len(sizes)
    for k, count in enumerate(sizes):
        axis = x.ndim - axes + k
        n = shape_of(x)[axis]
        share = np.zeros((count, n))
        for i in range(count):
            first, last = i * n // count, -(-(i + 1) * n // count)
            share[i, first:last] = 1 / (last - first)
        if n % count == 0:
            shape = shape_of(x)
            split = with_shape(x, (*shape[:axis], count, n // count, *shape[axis + 1 :]))
            x = reduction.reduce_mean(split, [axis + 1])
            continue
        order = list(range(x.ndim))
        labels, out = order.copy(), order.copy()
        out[axis] = 50
        matrix = Tensor(share.astype(x.raw.dtype))
        x = apply(Einsum.of([labels, [50, axis]], out), x, matrix)
    return x


@rule("_adaptive_avg_pool2d", "_adaptive_avg_pool3d")
def adaptive_avg_pool(step: Step, x: Tensor, sizes: Sequence[int]) -> Tensor:
    """Means over parts of an image."""
    return _adaptive(x, list(sizes))


@rule("_adaptive_avg_pool2d_backward", "_adaptive_avg_pool3d_backward")
def adaptive_avg_pool_backward(step: Step, g: Tensor, x: Tensor) -> Tensor:
    """What comes back to the parts: the derivative of the means."""
    axes = 3 if "3d" in step.name else 2
    return pulled_back(lambda x: _adaptive(x, shape_of(g)[-axes:]), [x], g)[0]
