"""What packages ask of values and shapes that are known without a graph: here all are."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape import nest
from symtape.ops.arguments import plain
from symtape.tensor.convert import convert
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable


def shape_of_constant(given: Any) -> TensorShape:
    """Read a shape, in which -1 is a size that is not known (`constant_value_as_shape`).

    >>> shape_of_constant([2, -1])
    TensorShape([2, None])
    """
    sizes = np.asarray(plain(given))
    if sizes.ndim == 0 and sizes == -1:
        return TensorShape(None)
    return TensorShape([None if n == -1 else int(n) for n in sizes.ravel()])


def evaluated(given: Any) -> Any:
    """Give the value of a tensor as an array (`try_evaluate_constant`)."""
    return plain(given)


def sliced(tensor: Any, slice_spec: Any, var: Any = None) -> Any:
    """Give `tensor[slice_spec]` (`_slice_helper`), and that of a variable with its assignments.

    >>> sliced([1, 2, 3], slice(1, None)).numpy().tolist()
    [2, 3]
    """
    return convert(tensor)[slice_spec] if var is None else var[slice_spec]


def sliced_variable(var: Any, slice_spec: Any) -> Any:
    """Give some of a variable, or of what holds one (`_slice_helper_var`)."""
    return var[slice_spec] if type(var) is Variable else convert(var.value())[slice_spec]


def as_shape(shape: Any) -> TensorShape:
    """Make a shape of what stands for one."""
    return shape if isinstance(shape, TensorShape) else TensorShape(shape)


def variables_as_tensors(values: Any) -> Any:
    """Read variables, also in what is made of several (`convert_variables_to_tensors`)."""
    return nest.map_structure(_read, values)


def _read(value: Any) -> Any:
    if isinstance(value, Variable):
        return value.read()
    reads = getattr(value, "_convert_variables_to_tensors", None)
    return value if reads is None or isinstance(value, Tensor) else reads()


def sticky_attribute_assignment(trackable: Any, name: str, value: Any) -> Any:
    """Give a value that becomes an attribute: it is kept as it is (`data_structures`)."""
    return value
