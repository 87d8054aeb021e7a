"""What is assigned to a variable: the array of a change, and a part that can be assigned."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.tensor.dispatch import invalid, listed
from symtape.tensor.recording.active import THREAD
from symtape.tensor.tensor import Tensor


def change(variable: Any, delta: Any, name: str) -> Any:
    """Give the array that is added; raises `InvalidArgumentError` for another shape or dtype."""
    array = variable.converted(delta)
    if array.dtype.kind in "bO":
        dtype = f"DT_{variable.dtype.enum_name.upper()}"
        raise InvalidArgumentError(
            message=f"No OpKernel was registered to support Op '{name}' used by "
            f"{{{{node {name}}}}} with these attrs: [dtype={dtype}] [Op:{name}] name: "
        )
    held = variable.handle.tensor.raw
    if array.shape != held.shape:
        raise invalid(
            name,
            f"Cannot update variable with shape {listed(held.shape)} using a Tensor with shape "
            f"{listed(array.shape)}, shapes must be equal.",
        )
    return array


class Part(Tensor):
    """An indexed part of a variable, which can be assigned."""

    __slots__ = ("_key", "_variable")

    def __init__(self, variable: Any, key: Any) -> None:
        part = variable.read()[key]
        super().__init__(part.raw)
        self.origin = part.origin
        for recording in THREAD.state.recordings:
            recording.replace(part, self)
        self._variable = variable
        self._key = key

    def assign(
        self,
        value: Any,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Assign to this part of the variable.

        Raises `InvalidArgumentError` for what does not broadcast to it.
        """
        array = np.array(self._variable.handle.tensor.raw)
        given = self._variable.converted(value)
        try:
            is_number = not given.ndim or (given.size == 1 and not self.raw.ndim)
            array[self._key] = given.item() if is_number else given
        except ValueError:
            raise invalid(
                "ResourceStridedSliceAssign",
                f"Cannot broadcast input shape {listed(given.shape)} into final shape "
                f"{listed(self.raw.shape)}",
            ) from None
        return self._variable.put(array if array.ndim else array[()], read_value)
