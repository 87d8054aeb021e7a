"""Elements that a Python generator yields, checked against a signature."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from symtape.data.elements.specs import compatible, specs_of
from symtape.data.elements.structures import array_of, builder, constant, flatten, mapped, up_to
from symtape.data.stages.base import UNKNOWN, Failed, Stage
from symtape.data.stages.resuming import GoesOn
from symtape.errors import (
    InvalidArgumentError,
    OpError,
    ResourceExhaustedError,
    UnimplementedError,
    UnknownError,
)
from symtape.ops.composite import CompositeSpec, CompositeTensor
from symtape.ops.sparse.spec import SparseTensorSpec
from symtape.ops.spec import TensorSpec
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor


class Generated(Stage):
    """What a generator yields; the function that makes it is called once for each run."""

    def __init__(
        self, generator: Callable[..., Any], signature: Any, args: tuple[Any, ...]
    ) -> None:
        self._generator = partial(generator, *args)
        self.spec = signature
        self._specs = flatten(signature)
        self._build = builder(signature)
        self._check = self._whole if _is_open(signature) else self._leaves

    cardinality = UNKNOWN

    def run(self) -> Iterator[Any]:
        """Call the function when the first element is asked for.

        What it raises is told as TensorFlow tells it, and is the cause of that.
        """
        return GoesOn(partial(self._converted, self._begun()))

    def _begun(self) -> Iterator[Any]:
        yield from self._generator()

    def _converted(self, found: Iterator[Any]) -> Iterator[Any]:
        while True:
            try:
                values = next(found)
            except StopIteration:
                return
            except Exception as error:
                raise _told(error) from error
            yield self._checked(values)

    def _checked(self, values: Any) -> Any:
        try:
            return self._check(values)
        except TypeError as error:
            raise _told(error) from error

    def _leaves(self, values: Any) -> Any:
        """Convert each leaf as NumPy does, and compare its shape."""
        expected = mapped(lambda spec: spec.dtype, self.spec)
        try:
            leaves = list(up_to(self.spec, values))
        except (TypeError, ValueError) as error:
            raise _mismatch(expected, values) from error
        arrays = [_array(leaf, spec.dtype) for leaf, spec in zip(leaves, self._specs, strict=True)]
        for array, spec in zip(arrays, self._specs, strict=True):
            if not spec.shape.is_compatible_with(array.shape):
                raise TypeError(
                    f"`generator` yielded an element of shape {array.shape} where an element of "
                    f"shape {spec.shape} was expected."
                )
        return self._build([Tensor(array) for array in arrays])

    def _whole(self, values: Any) -> Any:
        """Convert what is not tensors whose shapes are known beforehand."""
        try:
            leaves = zip(self._specs, up_to(self.spec, values), strict=True)
            found = self._build([_converted(spec, leaf) for spec, leaf in leaves])
        except (TypeError, ValueError) as error:
            raise _mismatch(self.spec, values) from error
        if not compatible(specs_of(found), self.spec):
            raise TypeError(
                f"`generator` yielded an element of {specs_of(found)} where an element of "
                f"{self.spec} was expected."
            )
        return found


def _is_open(signature: Any) -> bool:
    """Say whether leaves are ragged or sparse, or there is one whose shape is not known."""
    if any(isinstance(spec, CompositeSpec) for spec in flatten(signature)):
        return True
    return isinstance(signature, TensorSpec) and not signature.shape


def _converted(spec: Any, leaf: Any) -> Any:
    """Convert a leaf to the dtype of its spec; raises `TypeError` for what is to be sparse.

    What is ragged, or is to be, stays as it is, and is compared.
    """
    if isinstance(spec, SparseTensorSpec):
        spec.from_value(leaf)
    if isinstance(spec, CompositeSpec) or isinstance(leaf, CompositeTensor):
        return constant(leaf)
    return Tensor(array_of(convert(array_of(leaf), spec.dtype)))


def _array(leaf: Any, dtype: Any) -> Any:
    found = array_of(leaf)
    try:
        if dtype.numpy.kind == "O":
            return array_of(convert(found, dtype))
        return np.asarray(found, dtype.numpy)[()]
    except (TypeError, ValueError) as error:
        raise TypeError(
            "`generator` yielded an element that could not be converted to the expected type. The "
            f"expected type was {dtype.name}, but the yielded element was {leaf}."
        ) from error


def _mismatch(expected: Any, values: Any) -> TypeError:
    return TypeError(
        "`generator` yielded an element that did not match the expected structure. The expected "
        f"structure was {expected}, but the yielded element was {values}."
    )


_KINDS: tuple[tuple[tuple[type[Exception], ...], type[OpError]], ...] = (
    ((TypeError, ValueError), InvalidArgumentError),
    ((MemoryError,), ResourceExhaustedError),
    ((NotImplementedError,), UnimplementedError),
)
"""What TensorFlow makes of errors of Python's in the user's code; of all others, `UnknownError`."""


def _told(error: Exception) -> Failed:
    kinds = [kind for causes, kind in _KINDS if isinstance(error, causes)]
    return Failed((*kinds, UnknownError)[0], f"{type(error).__name__}: {error}")
