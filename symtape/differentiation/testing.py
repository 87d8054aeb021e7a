"""`tf.test.TestCase`: unittest's, with comparisons of tensors and arrays."""

from __future__ import annotations

import math
import random
import re
import tempfile
import unittest
from collections.abc import Callable, Collection, Iterator, Mapping, Sized
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NoReturn

import numpy as np

from symtape import nest
from symtape.differentiation.compared import (
    array_of,
    dtype_name,
    encoded,
    is_even,
    is_ragged,
    listed,
    value_of,
)
from symtape.errors import InvalidArgumentError, OpError, UnsupportedError
from symtape.ops.random.drawn import set_seed
from symtape.ops.random.seeds import DEFAULT_GLOBAL_SEED
from symtape.tensor.tensor import Tensor


class TestCase(unittest.TestCase):
    """A test of `unittest` that compares tensors, variables, arrays, numbers and lists of them.

    A comparison that does not hold raises `AssertionError`. Tolerances are those of
    `np.allclose`: |a - b| <= atol + rtol |b|, and nan equals nan.

    >>> class Squares(TestCase):
    ...     def test_it(self):
    ...         self.assertAllClose([1.0, 4.0], np.square([1.0, 2.0]))
    >>> Squares("test_it").run().wasSuccessful()
    True
    """

    __test__ = False  # pytest collects what is made of it

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Let pytest collect it."""
        super().__init_subclass__(**kwargs)
        cls.__test__ = True

    def setUp(self) -> None:
        """Begin each test with the same seed in Python, NumPy and TensorFlow, which is its own."""
        super().setUp()
        random.seed(DEFAULT_GLOBAL_SEED)
        np.random.seed(DEFAULT_GLOBAL_SEED)  # noqa: NPY002 - tests draw from it
        set_seed(DEFAULT_GLOBAL_SEED)

    # --- values -----------------------------------------------------------------------------------

    def _GetNdArray(self, a: Any) -> Any:
        """Give the array of what is compared; who extends this may look at it first."""
        return array_of(a)

    def evaluate(self, tensors: Any) -> Any:
        """Give the values of tensors in a structure, and of what functions in it give.

        None stays None; what is sparse or ragged becomes a value of TensorFlow 1's. Raises
        `ValueError` for what is no tensor and not made of tensors.
        """
        return nest.map_structure(value_of, tensors)

    # --- close ------------------------------------------------------------------------------------

    def assertAllClose(
        self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None
    ) -> None:
        """Compare arrays, or structures of them, within tolerances.

        Raises `ValueError` where only one of two is a dict.
        """
        self._close(a, b, (rtol, atol), "", msg or "")

    def _close(self, a: Any, b: Any, tolerance: tuple[float, float], path: str, msg: str) -> None:
        if is_ragged(a) or is_ragged(b):
            self._close_lists(listed(a), listed(b), tolerance, path, msg)
            self._check_levels(a, b, msg)
            return
        a, b = (x._asdict() if hasattr(x, "_asdict") else x for x in (a, b))
        if isinstance(a, Mapping) != isinstance(b, Mapping):
            raise ValueError(f"Can't compare dict to non-dict, a{path} vs b{path}. {msg}")
        if isinstance(a, Mapping):
            self.assertCountEqual(a.keys(), b.keys(), f"mismatched keys: a{path}, b{path}. {msg}")
            for key in a:
                self._close(a[key], b[key], tolerance, f"{path}[{key}]", msg)
            return
        if isinstance(a, (list, tuple)) and not (is_even(a) and is_even(b)):
            told = f"Mismatched length: a{path} has {len(a)} items, b{path} {len(b)}. {msg}"
            self.assertEqual(len(a), len(b), told)
            for k, pair in enumerate(zip(a, b, strict=True)):
                self._close(*pair, tolerance, f"{path}[{k}]", msg)
            return
        self._close_arrays(
            self._GetNdArray(a), self._GetNdArray(b), tolerance, f"a{path}, b{path}. {msg}"
        )

    def _close_lists(
        self, a: Any, b: Any, tolerance: tuple[float, float], path: str, msg: str
    ) -> None:
        """Compare the rows of two ragged tensors, which have to be of the same lengths."""
        self.assertEqual(type(a), type(b))
        if not isinstance(a, list):
            self._close(a, b, tolerance, path, msg)
            return
        self.assertLen(a, len(b), f"Length differs for value{path}")
        for k, pair in enumerate(zip(a, b, strict=True)):
            self._close_lists(*pair, tolerance, f"{path}[{k}]", msg)

    def _check_levels(self, a: Any, b: Any, msg: str | None) -> None:
        """Compare how many levels of rows two ragged tensors have; lists may have any."""
        if not isinstance(a, (list, tuple)) and not isinstance(b, (list, tuple)):
            ours, theirs = (x.ragged_rank if is_ragged(x) else 0 for x in (a, b))
            self.assertEqual(ours, theirs, msg)

    def _close_arrays(self, a: Any, b: Any, tolerance: tuple[float, float], what: str) -> None:
        self.assertEqual(a.shape, b.shape, f"Shape mismatch: expected {a.shape}, got {b.shape}.")
        rtol, atol = tolerance
        if not np.allclose(a, b, rtol, atol, equal_nan=True):  # tolerances may be arrays
            told = f"Mismatched: {what}"
            np.testing.assert_allclose(a, b, rtol, atol, equal_nan=True, err_msg=told)

    def assertAllCloseAccordingToType(
        self,
        a: Any,
        b: Any,
        rtol: float = 1e-6,
        atol: float = 1e-6,
        float_rtol: float = 1e-6,
        float_atol: float = 1e-6,
        half_rtol: float = 1e-3,
        half_atol: float = 1e-3,
        bfloat16_rtol: float = 1e-2,
        bfloat16_atol: float = 1e-2,
        msg: str | None = None,
    ) -> None:
        """Compare arrays within tolerances that fit the coarser of the two dtypes."""
        names = {dtype_name(a), dtype_name(b)}
        for kinds, relative, absolute in (
            ({"float32", "complex64"}, float_rtol, float_atol),
            ({"float16"}, half_rtol, half_atol),
            ({"bfloat16"}, bfloat16_rtol, bfloat16_atol),
        ):
            if names & kinds:
                rtol, atol = max(rtol, relative), max(atol, absolute)
        self.assertAllClose(self._GetNdArray(a), self._GetNdArray(b), rtol, atol, msg)

    def assertNotAllClose(
        self, a: Any, b: Any, rtol: float = 1e-6, atol: float = 1e-6, msg: str | None = None
    ) -> None:
        """Say that some elements are not close."""
        try:
            self.assertAllClose(a, b, rtol, atol)
        except AssertionError:
            return
        raise AssertionError(f"The two values are close at all elements. {msg or ''}")

    def assertNear(self, f1: Any, f2: Any, err: float, msg: str | None = None) -> None:
        """Compare two numbers: |f1 - f2| <= err."""
        a, b = np.squeeze(self._GetNdArray(f1)), np.squeeze(self._GetNdArray(f2))
        if a != b:
            difference = math.fabs(a - b)
            told = f"{a:f} != {b:f} +/- {err:f} (difference: {difference:g})"
            self.assertTrue(difference <= err, told + (f" ({msg})" if msg else ""))

    def assertArrayNear(
        self, farray1: Any, farray2: Any, err: float, msg: str | None = None
    ) -> None:
        """Compare two lists of numbers, one by one."""
        self.assertEqual(len(farray1), len(farray2), msg)
        for f1, f2 in zip(farray1, farray2, strict=True):
            self.assertNear(f1, f2, err, msg)

    def assertNDArrayNear(
        self, ndarray1: Any, ndarray2: Any, err: float, msg: str | None = None
    ) -> None:
        """Say that the norm of the difference of two arrays is less than `err`."""
        distance = np.linalg.norm(self._GetNdArray(ndarray1) - self._GetNdArray(ndarray2))
        self.assertTrue(distance < err, msg or f"the norm of the difference is {distance}")

    # --- equal ------------------------------------------------------------------------------------

    def assertAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """Compare shapes and elements; nan equals nan, but in rows, and a text equals its bytes."""
        if is_ragged(a) or is_ragged(b):
            self.assertEqual(listed(a), listed(b), msg)
            self._check_levels(a, b, msg)
            return
        a, b = encoded(self._GetNdArray(a)), encoded(self._GetNdArray(b))
        told = f"Shape mismatch: expected {a.shape}, got {b.shape}. Contents: {b!r}. {msg or ''}"
        self.assertEqual(a.shape, b.shape, told)
        np.testing.assert_array_equal(a, b, err_msg=msg or "")

    def assertNotAllEqual(self, a: Any, b: Any, msg: str | None = None) -> None:
        """Say that some elements differ."""
        try:
            self.assertAllEqual(a, b)
        except AssertionError:
            return
        raise AssertionError(f"The two values are equal at all elements. {msg or ''}")

    def assertShapeEqual(self, input_a: Any, input_b: Any, msg: str | None = None) -> None:
        """Compare the shapes of two tensors or arrays."""
        for name, x in (("input_a", input_a), ("input_b", input_b)):
            if not isinstance(x, (Tensor, np.ndarray, np.generic)):
                raise TypeError(
                    f"{name} must be a Numpy ndarray, Numpy scalar, or a Tensor.Instead received "
                    f"{type(x)}"
                )
        self.assertAllEqual(self._GetNdArray(input_a).shape, self._GetNdArray(input_b).shape, msg)

    def assertDTypeEqual(self, target: Any, expected_dtype: Any) -> None:
        """Compare the dtype of an array with another one."""
        name = getattr(expected_dtype, "name", None) or np.dtype(expected_dtype).name
        self.assertEqual(dtype_name(target), name)

    # --- ranges -----------------------------------------------------------------------------------

    def assertAllGreater(self, a: Any, comparison_target: Any) -> None:
        """Say that all elements are greater."""
        self.assertGreater(np.min(self._GetNdArray(a)), self._GetNdArray(comparison_target))

    def assertAllLess(self, a: Any, comparison_target: Any) -> None:
        """Say that all elements are less."""
        self.assertLess(np.max(self._GetNdArray(a)), self._GetNdArray(comparison_target))

    def assertAllGreaterEqual(self, a: Any, comparison_target: Any) -> None:
        """Say that all elements are greater or equal."""
        self.assertGreaterEqual(np.min(self._GetNdArray(a)), self._GetNdArray(comparison_target))

    def assertAllLessEqual(self, a: Any, comparison_target: Any) -> None:
        """Say that all elements are less or equal."""
        self.assertLessEqual(np.max(self._GetNdArray(a)), self._GetNdArray(comparison_target))

    def assertAllInRange(
        self,
        target: Any,
        lower_bound: Any,
        upper_bound: Any,
        open_lower_bound: bool = False,
        open_upper_bound: bool = False,
    ) -> None:
        """Say that all elements lie between two bounds, which belong to it unless it is open."""
        values = self._GetNdArray(target)
        if values.dtype.kind not in "fiu":
            raise AssertionError(
                f"The value of {target} does not have an ordered numeric type, instead it has "
                f"type: {values.dtype}"
            )
        below = values > lower_bound if open_lower_bound else values >= lower_bound
        above = values < upper_bound if open_upper_bound else values <= upper_bound
        bad = np.argwhere(~(below & above))
        opened, closed = "(" if open_lower_bound else "[", ")" if open_upper_bound else "]"
        if bad.size or (values.ndim == 0 and not (below & above)):
            raise AssertionError(
                f"elements are outside the range {opened}{lower_bound}, {upper_bound}{closed}: at "
                f"{bad[:10].tolist()} of {values}"
            )

    def assertAllInSet(self, target: Any, expected_set: Collection[Any]) -> None:
        """Say that all elements are among some."""
        strange = np.setdiff1d(self._GetNdArray(target).ravel(), list(expected_set))
        if strange.size:
            raise AssertionError(
                f"{strange.size} unique element(s) are not in the set {expected_set}: {strange}"
            )

    # --- errors and texts -------------------------------------------------------------------------

    @contextmanager
    def assertRaisesWithPredicateMatch(
        self, exception_type: Any, expected_err_re_or_predicate: str | Callable[[Any], bool]
    ) -> Iterator[Any]:
        """Say that the block raises an error whose text matches, or of which something is true."""
        wanted = expected_err_re_or_predicate
        try:
            yield
        except exception_type as error:
            holds = wanted(error) if callable(wanted) else re.search(wanted, str(error))
            if not holds:
                raise AssertionError(f"Exception of type {type(error)}: {error}") from error
        else:
            self.fail(f"{getattr(exception_type, '__name__', exception_type)} not raised")

    def assertRaisesOpError(self, expected_err_re_or_predicate: Any) -> Any:
        """Say that the block raises one of `tf.errors`."""
        return self.assertRaisesWithPredicateMatch(OpError, expected_err_re_or_predicate)

    def assertRaisesIncompatibleShapesError(
        self, exception_type: type[Exception] = InvalidArgumentError
    ) -> Any:
        """A context in which shapes have to be met that do not broadcast."""
        told = "Incompatible shapes|Dimensions must be equal|required broadcastable shapes"
        return self.assertRaisesWithPredicateMatch(exception_type, told)

    def assertStartsWith(self, actual: str, expected_start: str, msg: str | None = None) -> None:
        """Compare the start of a text."""
        if not actual.startswith(expected_start):
            told = f"{actual!r} does not start with {expected_start!r}"
            self.fail(self._formatMessage(msg, told))

    def assertLen(self, container: Any, expected_len: int, msg: str | None = None) -> None:
        """Compare how many elements something has."""
        self._check_sized(container)
        self.assertEqual(len(container), expected_len, msg)

    def assertEmpty(self, container: Any, msg: str | None = None) -> None:
        """Say that something has no elements."""
        self.assertLen(container, 0, msg)

    def assertNotEmpty(self, container: Any, msg: str | None = None) -> None:
        """Say that something has elements."""
        self._check_sized(container)
        self.assertTrue(len(container) > 0, msg or f"{container!r} has no elements")

    def _check_sized(self, container: Any) -> None:
        if not isinstance(container, Sized):
            self.fail(f"Expected a Sized object, got: {type(container).__name__!r}")

    def assertBetween(self, value: Any, minv: Any, maxv: Any, msg: str | None = None) -> None:
        """Say that a number lies between two others, or is one of them."""
        told = f"{value!r} is not between {minv!r} and {maxv!r}"
        self.assertTrue(minv <= value <= maxv, self._formatMessage(msg, told))

    _folder: str | None = None

    def get_temp_dir(self) -> str:
        """Give a folder for this test, the same whenever it is asked for; it goes with the test."""
        if self._folder is None:
            folder = tempfile.TemporaryDirectory()
            self.addCleanup(folder.cleanup)
            self._folder = folder.name
        return self._folder

    @contextmanager
    def session(self, *_: Any, **__: Any) -> Iterator[Session]:
        """Give what stands for a session: everything runs at once, and its `run` gives values."""
        yield Session(self)

    cached_session = session

    def test_session(self, *_: Any, **__: Any) -> AbstractContextManager[Session]:
        """Give what `session` gives; who looks for tests finds it, and it says that it is none."""
        if self.id().endswith(".test_session"):
            self.skipTest("Not a test.")
        return self.session()


class Session:
    """What tests that were written for sessions call: `run` gives the values of tensors."""

    def __init__(self, case: TestCase) -> None:
        self._case = case

    def run(self, fetches: Any, feed_dict: Any = None) -> Any:
        """Give the values; `UnsupportedError` for a `feed_dict`, since there is nothing to feed."""
        if feed_dict:
            raise UnsupportedError(
                "run: a feed_dict feeds placeholders of a graph, and here everything runs at once: "
                "call a function of the values"
            )
        return self._case.evaluate(fetches)


def main(argv: list[str] | None = None) -> NoReturn:
    """Run the tests of the script that calls it, as `unittest.main` does."""
    unittest.main(module="__main__", argv=argv)
    raise AssertionError("unittest.main exits")
