"""TensorFlow's types that Keras asks for: those that exist here, and those that do not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from symtape.errors import OpError
from symtape.functions.tracing.captured import TRUE_MODULE
from symtape.ops.composite import Composite, CompositeTensor
from symtape.ops.control.function import Function
from symtape.ops.control.tensor_array import TensorArray
from symtape.ops.module import Module
from symtape.ops.ragged.spec import RaggedTensorSpec
from symtape.ops.ragged.tensor import RaggedTensor
from symtape.ops.random.generator import Generator
from symtape.ops.sparse.spec import SparseTensorSpec
from symtape.ops.sparse.tensor import SparseTensor
from symtape.ops.spec import TensorSpec, TypeSpec
from symtape.ops.tables.changing import DenseHashTable, MutableHashTable
from symtape.ops.tables.static import StaticHashTable
from symtape.stand_in.promotion.weak import WeakTensor
from symtape.tape import GradientTape
from symtape.tensor.convert import convert
from symtape.tensor.dtypes import DType
from symtape.tensor.indexing.slices import IndexedSlices
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Operand, Tensor
from symtape.tensor.variables.variable import Variable

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


Home = tuple[str, str, str]
"""A module, and the name and the qualified name of a type there."""

_MODULES: dict[str, list[type]] = {
    "framework.ops": [Tensor, *Tensor.__subclasses__()],  # of which some are of other modules
    "eager.backprop": [GradientTape],
    "framework.dtypes": [DType],
    "framework.errors_impl": [OpError, *OpError.__subclasses__()],
    "framework.indexed_slices": [IndexedSlices],
    "framework.sparse_tensor": [SparseTensor, SparseTensorSpec],
    "framework.tensor": [TensorSpec],
    "framework.tensor_shape": [TensorShape],
    "framework.type_spec": [TypeSpec],
    "framework.weak_tensor": [WeakTensor],
    "module.module": [Module],
    "ops.lookup_ops": [StaticHashTable, MutableHashTable, DenseHashTable],
    "ops.ragged.ragged_tensor": [RaggedTensor, RaggedTensorSpec],
    "ops.resource_variable_ops": [Variable, *Variable.__subclasses__()],
    "ops.stateful_random_ops": [Generator],
    "ops.tensor_array_ops": [TensorArray],
}
_BASES: dict[type, tuple[str, str]] = {
    Operand: ("types.core", "Tensor"),
    AnyTensor: ("types.core", "Tensor"),
    Composite: ("framework.composite_tensor", "CompositeTensor"),
}
"""Bases that TensorFlow has by other names: Keras knows tensors and variables by that of theirs."""


def _listed() -> Iterator[tuple[type, str, str]]:
    for module, kinds in _MODULES.items():
        yield from [(kind, module, kind.__name__) for kind in kinds]
    yield from [(kind, *home) for kind, home in _BASES.items()]


_HOMES: dict[type, Home] = {
    kind: (f"tensorflow.python.{module}", name, name) for kind, module, name in _listed()
}
"""The modules and names by which libraries, and people who print a type, know what it is."""


def move_home() -> dict[type, Home]:
    """Say of types that they are of TensorFlow's modules; give the true ones.

    They are found there, too, where `import tensorflow` is answered.
    """
    before = {kind: (kind.__module__, kind.__name__, kind.__qualname__) for kind in _HOMES}
    for kind in _HOMES:
        if TRUE_MODULE not in vars(kind):
            setattr(kind, TRUE_MODULE, kind.__module__)
    move_back(_HOMES)
    return before


def move_back(homes: dict[type, Home]) -> None:
    """Say again of which modules types are."""
    for kind, home in homes.items():
        kind.__module__, kind.__name__, kind.__qualname__ = home


def is_tensor(x: Any) -> bool:
    """Say whether this is a tensor, a variable, or a ragged or sparse tensor.

    What else is made of tensors, as a linear operator, is none, and no class is.

    >>> is_tensor(3.0), is_tensor(convert(3.0))
    (False, True)
    """
    return isinstance(x, (Tensor, CompositeTensor)) or hasattr(type(x), "read_value")
