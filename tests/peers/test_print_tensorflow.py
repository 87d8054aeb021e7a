"""`tf.print` against TensorFlow's, to the letter."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import symtape

PRINTED: dict[str, Callable[[Any], Any]] = {
    "float": lambda tf: tf.constant(3.0),
    "fraction": lambda tf: tf.constant(1 / 3),
    "double": lambda tf: tf.constant(1 / 3, tf.float64),
    "half": lambda tf: tf.constant(1 / 3, tf.float16),
    "small": lambda tf: tf.constant(1e-7),
    "large": lambda tf: tf.constant([1e10, 1e7, 123456.0, 1234567.0, 1e20]),
    "edges": lambda tf: tf.constant([1e-4, 1e-5, 1e-6, 9.9e-5, 0.001]),
    "double edges": lambda tf: tf.constant(
        [1e-4, 1e-5, 1e15, 1e16, 1e17, 123456789.123], tf.float64
    ),
    "infinities": lambda tf: tf.constant([np.inf, -np.inf, np.nan]),
    "negative zero": lambda tf: tf.constant([-0.0, 0.0]),
    "integers": lambda tf: tf.constant([1, -2]),
    "bool": lambda tf: tf.constant([True, False]),
    "one bool": lambda tf: tf.constant(True),
    "text": lambda tf: tf.constant("a b"),
    "texts": lambda tf: tf.constant(["a", "b"]),
    "vector": lambda tf: tf.constant([1.0, 2.5]),
    "long": lambda tf: tf.range(10),
    "six": lambda tf: tf.range(6),
    "seven": lambda tf: tf.range(7),
    "matrix": lambda tf: tf.constant([[1.0, 2.0], [3.0, 4.0]]),
    "cube": lambda tf: tf.reshape(tf.range(8), [2, 2, 2]),
    "long matrix": lambda tf: tf.reshape(tf.range(64), [8, 8]),
    "nothing": lambda tf: tf.zeros([0]),
    "variable": lambda tf: tf.Variable([1.0, 2.0]),
    "number": lambda tf: 3.5,
    "string": lambda tf: "loss:",
    "list": lambda tf: [1, tf.constant(2.0), "a"],
    "tuple": lambda tf: (tf.constant([1, 2]),),
    "dict": lambda tf: {"b": tf.constant(1.0), "a": 2},
    "None": lambda tf: None,
    "dtype": lambda tf: tf.float32,
    "shape": lambda tf: tf.constant([1.0]).shape,
}

CALLS: dict[str, Callable[[Any, str], Any]] = {
    **{
        name: lambda tf, path, make=make: tf.print(make(tf), output_stream=path)
        for name, make in PRINTED.items()
    },
    "several": lambda tf, path: tf.print("step", 1, tf.constant([1.0]), output_stream=path),
    "separator": lambda tf, path: tf.print("a", "b", sep=" | ", end="!\n", output_stream=path),
    "more shown": lambda tf, path: tf.print(tf.range(20), summarize=5, output_stream=path),
    "all shown": lambda tf, path: tf.print(tf.range(20), summarize=-1, output_stream=path),
}


@pytest.mark.parametrize("name", CALLS)
def test_prints_what_tensorflow_prints(name: str, tmp_path: Path, tensorflow: ModuleType) -> None:
    """Tensors, and anything else, look as TensorFlow prints them."""
    for module in (symtape, tensorflow):
        CALLS[name](module, f"file://{tmp_path / module.__name__}")
    ours, theirs = ((tmp_path / m.__name__).read_text() for m in (symtape, tensorflow))
    assert ours == theirs


def test_print_goes_to_the_error_stream(capsys: pytest.CaptureFixture[str]) -> None:
    """By default the text goes to the standard error stream, as in TensorFlow."""
    symtape.print("a", symtape.constant(2.0))
    assert capsys.readouterr().err == "a 2\n"
