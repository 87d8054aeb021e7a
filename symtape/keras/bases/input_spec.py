"""What a layer says of its input, and the error for an input that is otherwise."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from symtape import nest


@dataclass
class InputSpec:
    """The rank, dtype and sizes that a layer needs (`tf.keras.layers.InputSpec`).

    >>> InputSpec(min_ndim=2).problem((3,), "float32")
    'expected min_ndim=2, found ndim=1. Full shape received: (3,)'
    """

    dtype: Any = None
    shape: tuple[int | None, ...] | None = None
    ndim: int | None = None
    max_ndim: int | None = None
    min_ndim: int | None = None
    axes: dict[int, int | None] = field(default_factory=dict)

    def problem(self, shape: tuple[int, ...], dtype: Any) -> str | None:
        """Say what is wrong with a shape and dtype, or give None."""
        rank = len(shape)
        full = f"Full shape received: {shape}"
        if self.ndim is not None and rank != self.ndim:
            return f"expected ndim={self.ndim}, found ndim={rank}. {full}"
        if self.max_ndim is not None and rank > self.max_ndim:
            return f"expected max_ndim={self.max_ndim}, found ndim={rank}"
        if self.min_ndim is not None and rank < self.min_ndim:
            return f"expected min_ndim={self.min_ndim}, found ndim={rank}. {full}"
        if self.dtype is not None and dtype != self.dtype:
            return f"expected dtype={self.dtype}, found dtype={dtype}"
        for axis, value in (self.axes or {}).items():
            if value is not None and shape[axis] != value:
                return (
                    f"expected axis {axis} of input shape to have value {value}, but received "
                    f"input with shape {shape}"
                )
        wanted = self.shape or ()
        if any(n is not None and n != k for n, k in zip(wanted, shape, strict=False)):
            return f"expected shape={self.shape}, found shape={shape}"
        return None


def check(spec: Any, inputs: Any, layer: str) -> None:
    """Raise `ValueError` with Keras's text unless the inputs of a layer are as it says."""
    specs = nest.flatten(spec)
    found = nest.flatten(inputs)
    if len(found) != len(specs):
        raise ValueError(
            f'Layer "{layer}" expects {len(specs)} input(s), but it received {len(found)} input '
            f"tensors. Inputs received: {found}"
        )
    for k, (one, x) in enumerate(zip(specs, found, strict=True)):
        problem = one.problem(tuple(x.shape), x.dtype.name) if one is not None else None
        if problem:
            raise ValueError(
                f"Input {k} with name 'None' of layer '{layer}' is incompatible with the layer: "
                f"{problem}"
            )
