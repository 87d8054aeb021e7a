"""What a case of the table of operations is: what to call, on what; nothing here knows an answer.

A case runs with any module that has TensorFlow's names (`tf`), on inputs that are made from a
description, the same for every judge.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Input:
    """One tensor: random between two bounds, or given point by point."""

    shape: tuple[int, ...] = ()
    low: float = -2.0
    high: float = 2.0
    points: Any = None
    kind: str = "float"

    def make(self, rng: np.random.Generator, dtype: str) -> Any:
        """Make the array, of the real or complex dtype of this precision."""
        if self.points is not None:
            array = np.array(self.points)
        else:
            array = rng.uniform(self.low, self.high, self.shape)
        if self.kind == "complex":
            imaginary = rng.uniform(self.low, self.high, array.shape)
            dtype = {"float32": "complex64", "float64": "complex128"}[dtype]
            array = array if self.points is not None else array + 1j * imaginary
        return array.astype(dtype if self.kind != "int" else "int32")


@dataclass(frozen=True)
class Case:
    """One call: `run(tf, *tensors)`; derivatives up to `order` are asked for."""

    name: str
    run: Callable[..., Any]
    inputs: tuple[Input, ...] = ()
    order: int = 2
    dtypes: tuple[str, ...] = ("float64", "float32")
    tensorflow: int = 2
    """Up to which order TensorFlow is a judge of this case."""
    because: str = ""
    """Why it is none above that order; see the deviations in docs/tensorflow.md."""
    half: bool = True
    """Whether TensorFlow computes it in half precision."""

    def arrays(self, dtype: str) -> list[Any]:
        """Make the inputs; they depend on the name alone."""
        rng = np.random.default_rng(zlib.crc32(self.name.encode()))
        return [x.make(rng, dtype) for x in self.inputs]


def reals(*shape: int, low: float = -2.0, high: float = 2.0) -> Input:
    """Describe real numbers between two bounds."""
    return Input(shape, low, high)


def positive(*shape: int) -> Input:
    """Describe numbers above 0."""
    return Input(shape, 0.1, 3.0)


def inside(*shape: int) -> Input:
    """Describe numbers between -1 and 1."""
    return Input(shape, -0.9, 0.9)


def above_one(*shape: int) -> Input:
    """Describe numbers above 1."""
    return Input(shape, 1.1, 3.0)


def complexes(*shape: int) -> Input:
    """Describe complex numbers."""
    return Input(shape, kind="complex")


def points(*values: Any) -> Input:
    """Give the numbers themselves."""
    return Input(points=values)
