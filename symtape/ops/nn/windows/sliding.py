"""How windows slide over images: strides, dilations, paddings and data formats, read as they come.

An image here is what lies between the batch and the channels, of one, two or three axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from symtape.errors import InvalidArgumentError, UnimplementedError
from symtape.ops.arguments import attribute
from symtape.ops.shapes.shaping import permuted
from symtape.program.kinds.structural import Embed, Slice
from symtape.program.kinds.windows import Window, Windows
from symtape.tensor.dispatch import apply1, invalid
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of

FORMATS = {1: ("NWC", "NCW"), 2: ("NHWC", "NCHW"), 3: ("NDHWC", "NCDHW")}
"""The names of channels that come last, and of channels that come first."""

Pads = tuple[tuple[int, int], ...]


class Slide(NamedTuple):
    """What the windows are, how much is added around an image, and how many windows that makes."""

    windows: tuple[Window, ...]
    pads: Pads
    counts: tuple[int, ...]

    @property
    def is_padded(self) -> bool:
        """Say whether anything is added."""
        return any([any(pair) for pair in self.pads])


# --- arguments ------------------------------------------------------------------------------------


def refuse_attribute(op: str, name: str, value: Any, options: Sequence[str]) -> Exception:
    """Make TensorFlow's error for a word that an operation does not know."""
    listed = ", ".join(f'"{option}"' for option in options)
    return InvalidArgumentError(
        message=f"Value for attr '{name}' of \"{value}\" is not in the list of allowed values: "
        f"{listed}\n\t; NodeDef: {{{{node {op}}}}} [Op:{op}] name: "
    )


def is_channels_first(op: str, data_format: Any, axes: int) -> bool:
    """Read a data format; None is the one with the channels last.

    That of a sequence may be called as that of an image.
    """
    if data_format is None:
        return False
    if axes == 1:
        if data_format not in {"NHWC", "NWC", "NCHW", "NCW"}:
            raise ValueError(
                f"`data_format` must be 'NWC' or 'NCW'. Received: data_format={data_format}"
            )
        return data_format in {"NCHW", "NCW"}
    last, first = FORMATS[axes]
    if data_format not in (last, first):
        raise refuse_attribute(op, "data_format", data_format, (last, first))
    return bool(data_format == first)


def per_axis(value: Any, axes: int, first: bool, name: str) -> list[int]:
    """Read one number for all axes of an image, one for each, or one for every axis there is.

    The result has the batch in front, and the channels where they are.
    """
    if value is None:
        found = [1]
    elif hasattr(value, "__len__") and not hasattr(value, "read_value"):
        found = [attribute(n, name) for n in value]
    else:
        found = [attribute(value, name)]
    if len(found) == axes + 2:
        return found
    if len(found) not in {1, axes}:
        raise ValueError(
            f"{name} should be of length 1, {axes} or {axes + 2}. "
            f"Received: {name}={value} of length {len(found)}"
        )
    inner = found * axes if len(found) == 1 else found
    return [1, 1, *inner] if first else [1, *inner, 1]


def full_list(value: Any, axes: int, kernel: str, name: str) -> list[int]:
    """Read one number for every axis, the batch and the channels included."""
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"Expected list for '{name}' argument to '{kernel}' Op, not {value!r}.")
    return [attribute(n, name) for n in value]


def of_image(values: Sequence[int], first: bool) -> list[int]:
    """Leave out what stands for the batch and the channels."""
    return list(values[2:] if first else values[1:-1])


def check_outside(op: str, values: Sequence[int], first: bool, what: str) -> None:
    """Raise unless the batch and the channels have ones."""
    outside = {values[0], values[1] if first else values[-1]}
    if outside != {1}:
        text = (
            f"Current implementation does not yet support {what} in the batch and depth dimensions."
        )
        raise invalid(op, text) if op.startswith("Conv3D") else unimplemented(op, text)


def unimplemented(op: str, text: str) -> UnimplementedError:
    """Make the error of an operation that TensorFlow has not for these arguments."""
    return UnimplementedError(message=invalid(op, text).message)


def word(padding: Any) -> str:
    """Read a padding that can be no list; raises `TypeError` for what is no text."""
    if isinstance(padding, bytes):
        return padding.decode()
    if not isinstance(padding, str):
        raise TypeError(f"Expected string for argument 'padding' not {padding}.")
    return padding


def explicit_pads(op: str, padding: Sequence[Any], axes: int, first: bool) -> Pads:
    """Read a list of pairs, one for every axis; the batch and the channels cannot be padded."""
    pairs = []
    for k, pair in enumerate(padding):
        is_list = isinstance(pair, (list, tuple))
        if not is_list or len(pair) != 2:
            what = f"size {len(pair)}" if is_list else f"type {type(pair)}"
            raise ValueError(
                "When `padding` is a list, each element of `padding` must be a list/tuple of size "
                f"2. Received: padding={padding} with element at index {k} of {what}"
            )
        pairs.append((int(pair[0]), int(pair[1])))
    if len(padding) != axes + 2:
        raise ValueError(
            f"When padding is a list, it must be of size {axes + 2}. "
            f"Received: padding={padding} of size {len(padding)}"
        )
    if any(n < 0 for pair in pairs for n in pair):
        raise invalid(op, "All elements of explicit_paddings must be nonnegative")
    if any(pairs[0]) or any(pairs[1 if first else -1]):
        raise invalid(
            op, "Nonzero explicit padding in the batch or depth dimensions is not supported"
        )
    return tuple(pairs[2:] if first else pairs[1:-1])


def slide(
    op: str,
    image: Sequence[int],
    windows: Sequence[Window],
    padding: Any,
    *,
    first: bool,
    options: Sequence[str] = ("SAME", "VALID", "EXPLICIT"),
) -> Slide:
    """Work out the padding of an image, and count the windows.

    "VALID" adds nothing, "SAME" as much as makes one window for every step of the stride, half of
    it on each side and what is odd at the end; a list says how much for every axis.
    """
    padding = padding if isinstance(padding, (list, tuple)) else word(padding)
    given = _pads(op, padding, len(image), options, first=first)
    pads, counts = [], []
    for n, window, pair in zip(image, windows, given, strict=True):
        if padding == "SAME":
            count = -(-n // window.stride)
            total = max((count - 1) * window.stride + window.reach - n, 0)
            pads.append((total // 2, total - total // 2))
        else:
            count = _count(op, n, sum(pair), window)
            pads.append(pair)
        counts.append(count)
    return Slide(tuple(windows), tuple(pads), tuple(counts))


def _pads(op: str, padding: Any, axes: int, options: Sequence[str], *, first: bool) -> Pads:
    """Read how much is added to each axis of an image, but for "SAME"."""
    if isinstance(padding, (list, tuple)):
        return explicit_pads(op, padding, axes, first)
    if padding == "EXPLICIT" and padding in options:
        raise ValueError(
            "'EXPLICIT' is not a valid value for `padding`. To use explicit padding, `padding` "
            "must be a list."
        )
    if padding not in options[:2]:
        raise refuse_attribute(op, "padding", padding, options)
    return ((0, 0),) * axes


def _count(op: str, n: int, added: int, window: Window) -> int:
    count = int((n + added - window.reach + window.stride) / window.stride)
    if count < 0:
        raise invalid(
            op,
            f"Computed output size would be negative: {count} [input_size: {n}, "
            f"effective_filter_size: {window.reach}, stride: {window.stride}]",
        )
    return count


def check_rates(strides: Sequence[int], rates: Sequence[int]) -> None:
    """Raise unless dilations are positive and do not meet with strides."""
    if min(rates) <= 0:
        raise ValueError(
            "all values of `dilation_rate` must be positive. "
            f"Received: dilation_rate={np.array(rates)}"
        )
    if max(rates) > 1 and max(strides) > 1:
        raise ValueError(
            "`strides > 1` not supported in conjunction with `dilation_rate > 1`. "
            f"Received: strides={np.array(strides)} and dilation_rate={np.array(rates)}"
        )


def paddings_of(op: str) -> tuple[str, ...]:
    """List the words for a padding that TensorFlow's operation names in its message."""
    return ("SAME", "VALID") if op.startswith("Conv3D") else ("SAME", "VALID", "EXPLICIT")


def read_windows(
    op: str, sizes: Sequence[int], strides: Any, dilations: Any, first: bool
) -> list[Window]:
    """Read the strides and dilations of windows of some sizes."""
    axes = len(sizes)
    steps = per_axis(strides, axes, first, "strides")
    rates = per_axis(dilations, axes, first, "dilations")
    check_outside(op, steps, first, "strides")
    check_outside(op, rates, first, "dilations")
    if min(of_image(steps, first)) <= 0:
        which = "Spatial" if op.startswith("Conv3D") else "Row and column"
        raise invalid(op, f"{which} strides should be larger than 0.")
    if min(of_image(rates, first)) <= 0:
        raise invalid(op, "Dilated rates should be larger than 0.")
    parts = zip(sizes, of_image(steps, first), of_image(rates, first), strict=True)
    return [Window(*part) for part in parts]


# --- tensors --------------------------------------------------------------------------------------


def channels_last(x: Tensor, axes: int) -> Tensor:
    """Move the channels of [… C S] behind the image."""
    rank = x.ndim
    lead = rank - axes - 1
    return permuted(x, [*range(lead), *range(lead + 1, rank), lead])


def channels_first(x: Tensor, axes: int) -> Tensor:
    """Move the channels of [… S C] before the image."""
    rank = x.ndim
    lead = rank - axes - 1
    return permuted(x, [*range(lead), rank - 1, *range(lead, rank - 1)])


def padded(x: Tensor, pads: Pads, after: int) -> Tensor:
    """Put zeros around an image that `after` axes follow."""
    shape = shape_of(x)
    image = shape[len(shape) - after - len(pads) : len(shape) - after]
    rest = shape[len(shape) - after :]
    if not any([any(pair) for pair in pads]):
        return x
    ranges = [(a if n else 0, 1, n) for (a, _), n in zip(pads, image, strict=True)]
    sizes = [a + n + b for (a, b), n in zip(pads, image, strict=True)]
    whole = [(0, 1, n) for n in rest]
    return apply1(Embed((*ranges, *whole), (*sizes, *rest)), x)


def cropped(x: Tensor, pads: Pads, after: int) -> Tensor:
    """Leave out what was put around an image."""
    shape = shape_of(x)
    if not any([any(pair) for pair in pads]):
        return x
    lead = len(shape) - after - len(pads)
    ranges = [(0, 1, n) for n in shape]
    for k, (a, b) in enumerate(pads, lead):
        count = shape[k] - a - b
        ranges[k] = (a if count else 0, 1, count)
    return apply1(Slice.of(ranges, shape), x)


def looked_at(x: Tensor, slide: Slide, after: int) -> Tensor:
    """Look at a padded image through its windows: [… S R] becomes [… C W R]."""
    return apply1(Windows(slide.windows, after), x)


def volume(windows: Sequence[Window]) -> int:
    """Count the places of a window."""
    return prod([w.size for w in windows])
