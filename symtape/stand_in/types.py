"""TensorFlow's types that Keras asks for: those that exist here, and those that do not."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from symtape.errors import UnsupportedError
from symtape.ops.composite import CompositeTensor
from symtape.ops.control.function import Function
from symtape.ops.spec import TensorSpec
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


class _Specs(type):
    def __instancecheck__(cls, value: Any) -> bool:
        return type.__instancecheck__(cls, value) or isinstance(value, TensorSpec)


class TypeSpec(metaclass=_Specs):
    """What says of which type a value is; a `TensorSpec` is one."""


def is_tensor(x: Any) -> bool:
    """Say whether this is a tensor, a variable, or made of several tensors.

    >>> is_tensor(3.0), is_tensor(convert(3.0))
    (False, True)
    """
    return isinstance(x, (Tensor, CompositeTensor)) or hasattr(x, "read_value")


def _absent(name: str, instead: str) -> type:
    """Make the class of values that do not exist here: nothing is one, and making one raises."""

    def refuse(cls: type, *args: Any, **kwargs: Any) -> NoReturn:
        raise UnsupportedError(f"tf.{name} does not exist in symtape: {instead}")

    attribute = _Refused(name, instead)
    names = ("from_tensor", "from_row_splits", "from_row_lengths", "from_value_rowids")
    return type(
        name,
        (CompositeTensor,),
        {
            "__doc__": f"TensorFlow's `{name}`, of which there is none here.",
            "__new__": refuse,
            **dict.fromkeys(names, attribute),
        },
    )


class _Refused:
    """A way to make what does not exist."""

    def __init__(self, name: str, instead: str) -> None:
        self._text = f"tf.{name} does not exist in symtape: {instead}"

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise UnsupportedError(self._text)


SparseTensorSpec = _absent("SparseTensorSpec", "give a TensorSpec")
RaggedTensorSpec = _absent("RaggedTensorSpec", "give a TensorSpec")
