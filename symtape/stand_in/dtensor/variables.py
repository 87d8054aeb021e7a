"""A variable that has a layout, which stays what it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symtape.errors import InvalidArgumentError
from symtape.ops.control.flow import executing_eagerly
from symtape.stand_in.dtensor.following import no_layout
from symtape.stand_in.dtensor.layouts import Layout
from symtape.stand_in.dtensor.meshes import Mesh
from symtape.stand_in.dtensor.moving import relayout
from symtape.stand_in.dtensor.placed import DEVICE, known, placement, shown, text
from symtape.tensor.convert import convert
from symtape.tensor.readings import printing
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable


class DVariable(Variable):
    """A variable that has the layout of its first value (`dtensor.DVariable`).

    What is assigned takes on the layout of the variable. Raises `InvalidArgumentError` where
    neither the value nor `layout` says one, or both say different ones.
    """

    __slots__ = ()
    layout: Layout

    def __init__(self, initial_value: Any, *args: Any, dtype: Any = None, **kwargs: Any) -> None:
        kwargs["dtype"], layout = dtype, kwargs.pop("layout", None)
        value = convert(initial_value() if callable(initial_value) else initial_value, dtype)
        own = known(value)
        if own is None and layout is None:
            raise InvalidArgumentError(
                message="Neither layout nor DTensor initial value are provided."
            )
        if own is not None and layout is not None and own != layout:
            raise InvalidArgumentError(
                message=f"Conflicting layout are provided for initial value layout ({own}) and "
                f"variable ({layout})."
            )
        if own is None:
            value, own = relayout(value, layout), layout
        self._saves_as_bf16 = False
        super().__init__(value, *args, **kwargs)
        self.layout = own

    @property
    def device(self) -> str:
        """The name of all meshes together."""
        return DEVICE

    @property
    def save_as_bf16(self) -> bool:
        """Whether TensorFlow would write half of the digits into a checkpoint."""
        return self._saves_as_bf16

    @save_as_bf16.setter
    def save_as_bf16(self, save_as_bf16: bool) -> None:
        self._saves_as_bf16 = save_as_bf16 and self.dtype.name == "float32"

    def read(self) -> Tensor:
        """Give the present value, watched by the tapes that watch variables."""
        super().read()
        return shown(self.handle.tensor, self.layout)

    def numpy(self) -> Any:
        """Give a copy of the value; raises `UnimplementedError` for one that is in parts."""
        shown(self.handle.tensor, self.layout)
        return super().numpy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        shown(self.handle.tensor, self.layout)
        return super().__array__(dtype, copy)

    def __getitem__(self, key: Any) -> Tensor:
        return self.read()[key]

    def converted(self, value: Any, op: str = "AssignVariableOp") -> Any:
        """Give the array of what is assigned, which has to have a layout on the same mesh."""
        array = super().converted(value)
        found = placement(value.read()) if isinstance(value, (Tensor, Variable)) else None
        if found is None and array.ndim and executing_eagerly():
            raise no_layout(op, array, 1)
        if found is not None and found.mesh != self.layout.mesh:
            raise InvalidArgumentError(
                message=f"a variable on {self.layout.mesh} is assigned a tensor on {found.mesh}"
            )
        return array

    def written(self, name: str) -> str:
        """Write `repr` with a name."""
        value = self.handle.tensor
        return printing.named_variable(
            name, value.raw.shape, self.dtype.name, f"value={text(value, self.layout)}"
        )

    def __reduce__(self) -> Any:
        handle = self.handle
        return _restored, (handle.tensor.raw, handle.name, handle.trainable, self.layout)

    def __copy__(self) -> DVariable:
        made = _restored(*self.__reduce__()[1])
        made.handle.name = self.handle.name
        return made

    def __deepcopy__(self, memo: Any) -> DVariable:
        return _restored(*self.__reduce__()[1])


def _restored(value: Any, name: str, trainable: bool, layout: Layout) -> DVariable:
    return DVariable(Tensor(value), trainable=trainable, name=name, layout=layout)


def made_in_scope(mesh: Mesh, next_creator: Callable[..., Any], **how: Any) -> Any:
    """Make what `tf.Variable` makes where a mesh is the default one.

    Raises `UnimplementedError` for a first value without a layout that is more than a number.
    """
    if not executing_eagerly():
        return next_creator(**how)
    how.pop("experimental_enable_variable_lifting", None)
    value = how.pop("initial_value")
    tensor = convert(value() if callable(value) else value, how["dtype"])
    if placement(tensor) is None and tensor.ndim:
        raise no_layout("AssignVariableOp", tensor, 1)
    layout = known(tensor) or Layout.replicated(mesh, 0)
    return DVariable(tensor, layout=layout, **how)


def enable_save_as_bf16(variables: Sequence[Any]) -> None:
    """Tell variables with layouts that half of their digits are to be written.

    Here a checkpoint has all of them.
    """
    for variable in variables:
        if isinstance(variable, DVariable):
            variable.save_as_bf16 = True
