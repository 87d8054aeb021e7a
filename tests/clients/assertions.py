"""The test case that TensorFlow's own tests are written with, over any module with its names."""

from __future__ import annotations

import random
import unittest
from typing import Any

import numpy as np


class InternalError(Exception):
    """A part of TensorFlow's that has no public name."""


def case(tf: Any) -> Any:
    """Make the class for a module that stands for TensorFlow."""

    class TestCase(unittest.TestCase):
        """The assertions of TensorFlow's test case."""

        def setUp(self) -> None:
            random.seed(0)
            np.random.seed(0)
            tf.random.set_seed(87654321)

        def evaluate(self, value: Any) -> Any:
            return tf.nest.map_structure(lambda v: v.numpy() if hasattr(v, "numpy") else v, value)

        def assertAllEqual(self, a: Any, b: Any, msg: Any = None) -> None:
            a, b = (np.asarray(self.evaluate(v)) for v in (a, b))
            assert a.shape == b.shape, f"{a.shape} is not {b.shape} {msg or ''}"
            np.testing.assert_array_equal(a, b)

        def assertAllClose(
            self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: Any = None
        ) -> None:
            x, y = (_array(self.evaluate(v)) for v in (a, b))
            if x is None or y is None:
                for one, other in zip(a, b, strict=True):
                    self.assertAllClose(one, other, rtol, atol, msg)
                return
            assert x.shape == y.shape, f"{x.shape} is not {y.shape} {msg or ''}"
            np.testing.assert_allclose(x, y, rtol, atol)

        def assertAllGreaterEqual(self, a: Any, least: Any) -> None:
            assert np.all(np.asarray(self.evaluate(a)) >= least)

        def assertAllInRange(self, a: Any, low: Any, high: Any) -> None:
            a = np.asarray(self.evaluate(a))
            assert np.all((a >= low) & (a <= high))

        def assertNotAllClose(self, a: Any, b: Any, **how: Any) -> None:
            with self.assertRaises(AssertionError):
                self.assertAllClose(a, b, **how)

        def assertAllCloseAccordingToType(self, a: Any, b: Any, **how: Any) -> None:
            self.assertAllClose(a, b, **how)

        def assertShapeEqual(self, array: Any, tensor: Any) -> None:
            assert np.shape(array) == tuple(tensor.shape)

        def assertDTypeEqual(self, value: Any, dtype: Any) -> None:
            assert np.asarray(self.evaluate(value)).dtype == dtype

        def cached_session(self, *_: Any, **__: Any) -> Any:
            raise InternalError("sessions need a graph")

        session = test_session = cached_session

        def skip_if_graph(self) -> None:
            raise unittest.SkipTest

    return TestCase


def _array(value: Any) -> Any:
    try:
        found = np.asarray(value)
    except ValueError:
        return None
    return None if found.dtype == object else found
