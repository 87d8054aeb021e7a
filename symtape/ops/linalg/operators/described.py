"""What an operator is: its arguments, its hints, and its sizes, of which no number is looked at."""

from __future__ import annotations

from typing import Any, ClassVar

from symtape import nest
from symtape.ops.arguments import tensor
from symtape.ops.composite import Composite
from symtape.ops.linalg.operators.hints import Hint, Hints
from symtape.ops.linalg.operators.slicing import batch_slice
from symtape.ops.linalg.operators.spec import OperatorSpec
from symtape.ops.module import Module
from symtape.tensor.convert import convert
from symtape.tensor.dimension import Dimension
from symtape.tensor.dtypes import DType
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor


class Described(Module, Composite):
    """What is made of some arguments, with hints and a shape."""

    matrix_axes: ClassVar[dict[str, int]] = {}
    """The arguments that have batch axes, and how many of their last axes belong to the matrix."""
    _hints: Hints
    _dtype: DType
    _graph_parents: Any
    _parameters: dict[str, Any]

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments that the operator was made of, by their names."""
        return dict(self._parameters)

    @property
    def graph_parents(self) -> Any:
        """What was given by this name."""
        return self._graph_parents

    @property
    def dtype(self) -> DType:
        """The dtype."""
        return self._dtype

    @property
    def is_non_singular(self) -> Hint:
        """Whether it has an inverse, if that was said, or follows."""
        return self._hints.is_non_singular

    @property
    def is_self_adjoint(self) -> Hint:
        """Whether it is its own adjoint, if that was said, or follows."""
        return self._hints.is_self_adjoint

    @property
    def is_positive_definite(self) -> Hint:
        """Whether it is positive definite, if that was said, or follows."""
        return self._hints.is_positive_definite

    @property
    def is_square(self) -> Hint:
        """Whether it has as many rows as columns; None where sizes are not known."""
        same: Hint = self.domain_dimension == self.range_dimension
        if self._hints.is_square is False and same:
            raise ValueError("User set is_square hint to False, but the operator was square.")
        return same if self._hints.is_square is None else self._hints.is_square

    @property
    def _composite_tensor_fields(self) -> tuple[str, ...]:
        """The names of the arguments by which it is made again, hints aside."""
        return tuple([k for k in self._parameters if k not in (*Hints._fields, "name")])

    @property
    def _composite_tensor_prefer_static_fields(self) -> tuple[str, ...]:
        return ()

    @property
    def _experimental_parameter_ndims_to_matrix_ndims(self) -> dict[str, Any]:
        def counted(name: str, axes: int) -> Any:
            return nest.map_structure(lambda _: axes, getattr(self, name))

        return {name: counted(name, axes) for name, axes in self.matrix_axes.items()}

    @property
    def _type_spec(self) -> OperatorSpec:
        return OperatorSpec.from_operator(self)

    def _convert_variables_to_tensors(self) -> Any:
        spec = self._type_spec
        components = nest.map_structure(_as_tensors, spec._to_components(self))  # noqa: SLF001 - TensorFlow's name
        return spec._from_components(components)  # noqa: SLF001 - TensorFlow's name

    def __getitem__(self, slices: Any) -> Any:
        return batch_slice(self, slices)

    # --- sizes ------------------------------------------------------------------------------------

    def _shape(self) -> TensorShape:
        raise NotImplementedError("_shape is not implemented.")

    def _shape_tensor(self) -> Tensor:
        return convert(list(self.to_dense().shape), "int32")

    @property
    def shape(self) -> TensorShape:
        """The shape, batch axes first."""
        return self._shape()

    @property
    def batch_shape(self) -> TensorShape:
        """The batch axes."""
        found: TensorShape = self.shape[:-2]
        return found

    @property
    def tensor_rank(self) -> Any:
        """The number of axes."""
        return self.shape.rank

    @property
    def domain_dimension(self) -> Dimension:
        """The number of columns."""
        return dimension(self.shape, -1)

    @property
    def range_dimension(self) -> Dimension:
        """The number of rows."""
        return dimension(self.shape, -2)

    def shape_tensor(self, name: str = "shape_tensor") -> Tensor:
        """Give the shape as a tensor."""
        shape = self.shape
        return convert(list(shape), "int32") if shape.is_fully_defined() else self._shape_tensor()

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Tensor:
        """Give the batch axes as a tensor."""
        return self._batch_shape_tensor()

    def _batch_shape_tensor(self, shape: Any = None) -> Tensor:
        found: Tensor = (self.shape_tensor() if shape is None else tensor(shape))[:-2]
        return found

    def tensor_rank_tensor(self, name: str = "tensor_rank_tensor") -> Tensor:
        """Give the number of axes as a tensor."""
        return convert(self.tensor_rank, "int32")

    def domain_dimension_tensor(self, name: str = "domain_dimension_tensor") -> Tensor:
        """Give the number of columns as a tensor."""
        return self._domain_dimension_tensor()

    def _domain_dimension_tensor(self, shape: Any = None) -> Tensor:
        found: Tensor = (self.shape_tensor() if shape is None else tensor(shape))[-1]
        return found

    def range_dimension_tensor(self, name: str = "range_dimension_tensor") -> Tensor:
        """Give the number of rows as a tensor."""
        return self._range_dimension_tensor()

    def _range_dimension_tensor(self, shape: Any = None) -> Tensor:
        found: Tensor = (self.shape_tensor() if shape is None else tensor(shape))[-2]
        return found

    def to_dense(self, name: str = "to_dense") -> Tensor:
        """Give the matrix."""
        raise NotImplementedError("to_dense is not implemented.")


def dimension(shape: TensorShape, axis: int) -> Dimension:
    """Give the size of an axis, which may not be known."""
    return Dimension(None) if shape.dims is None else shape.dims[axis]


def _as_tensors(part: Any) -> Any:
    if isinstance(part, Described):
        return part._convert_variables_to_tensors()  # noqa: SLF001 - of this class
    return tensor(part)
