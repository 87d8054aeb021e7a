"""TensorFlow's types that Keras asks for: those that exist here, and those that do not."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.composite import CompositeTensor
from symtape.ops.control.function import Function
from symtape.ops.ragged.tensor import RaggedTensor
from symtape.ops.sparse.tensor import SparseTensor
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


_HOMES: dict[type, str] = {
    RaggedTensor: "tensorflow.python.ops.ragged.ragged_tensor",
    SparseTensor: "tensorflow.python.framework.sparse_tensor",
}
"""The modules by which Keras knows that a tensor is ragged or sparse."""


def move_home() -> dict[type, str]:
    """Say of ragged and sparse tensors that they are of TensorFlow's modules; give the true ones.

    They are found there, too, where `import tensorflow` is answered.
    """
    before = {kind: kind.__module__ for kind in _HOMES}
    move_back(_HOMES)
    return before


def move_back(homes: dict[type, str]) -> None:
    """Say again of which modules types are."""
    for kind, home in homes.items():
        kind.__module__ = home


def is_tensor(x: Any) -> bool:
    """Say whether this is a tensor, a variable, or made of several tensors.

    >>> is_tensor(3.0), is_tensor(convert(3.0))
    (False, True)
    """
    return isinstance(x, (Tensor, CompositeTensor)) or hasattr(x, "read_value")
