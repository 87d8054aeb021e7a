"""TensorFlow's types that Keras asks for: those that exist here, and those that do not."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.composite import CompositeTensor
from symtape.ops.control.function import Function
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor

GenericFunction = Function
_Containers = tuple | list  # type: ignore[type-arg]  # of anything, so that isinstance can ask
TensorLike = (
    Tensor | int | float | bool | str | bytes | complex | np.ndarray | np.generic | _Containers
)
"""What becomes a tensor where one is asked for, for annotations."""


class AnyTensor:
    """The base of what counts as a tensor by its `__tf_tensor__`, as Keras' variables do."""

    def read(self) -> Tensor:
        """Give the tensor that this is at present."""
        made = self.__tf_tensor__()  # type: ignore[attr-defined]  # of who extends it
        return made if isinstance(made, Tensor) else convert(made)

    def read_value(self) -> Tensor:
        """Give the tensor that this is at present."""
        return self.read()


def is_tensor(x: Any) -> bool:
    """Say whether this is a tensor, a variable, or made of several tensors.

    >>> is_tensor(3.0), is_tensor(convert(3.0))
    (False, True)
    """
    return isinstance(x, (Tensor, CompositeTensor)) or hasattr(x, "read_value")
