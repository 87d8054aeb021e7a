"""`tf.keras.Variable`: a variable with a path, such as `dense/kernel`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from symtape.keras.backend import dtype_of
from symtape.keras.bases.naming import auto_name, path_to
from symtape.tensor.convert import convert
from symtape.tensor.shape import from_argument
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import shape_of, value_of
from symtape.tensor.variables import variable as base


class Variable(base.Variable):
    """A variable of a layer or an optimizer; formulas call it by its path.

    `initializer` is a value, or a function of `shape` and `dtype`; then `shape` must be given.

    >>> Variable([1.0, 2.0], name="scale")
    <Variable path=scale, shape=(2,), dtype=float32, value=[1. 2.]>
    """

    __slots__ = ("_name", "regularizer")

    def __init__(
        self,
        initializer: Any,
        shape: Any = None,
        dtype: Any = None,
        trainable: bool = True,
        autocast: bool = True,
        aggregation: str | None = None,
        synchronization: str = "auto",
        name: str | None = None,
    ) -> None:
        name = auto_name(type(self).__name__) if name is None else name
        if not isinstance(name, str) or "/" in name:
            raise ValueError(
                "Argument `name` must be a string and cannot contain character `/`. "
                f"Received: name={name}"
            )
        if callable(initializer) and shape is None:
            raise ValueError(
                "When creating a Variable from an initializer, the `shape` argument should be "
                f"specified. Received: initializer={initializer} and shape={shape}"
            )
        value = _initial(initializer, shape, dtype)
        super().__init__(value, trainable=bool(trainable), name=f"{path_to(name)}/")
        self._name = name
        self.regularizer = None

    @property
    def name(self) -> str:
        """The name within its layer, such as ``kernel``."""
        return self._name

    @property
    def path(self) -> str:
        """The name with those of the layers that it is in, such as ``dense/kernel``."""
        return str(self.handle.name)

    @property
    def value(self) -> Variable:  # type: ignore[override]  # an attribute, as in Keras
        """The variable itself, which can be read and assigned."""
        return self

    @property
    def trainable(self) -> bool:
        """Whether tapes watch it when it is read."""
        return self.handle.trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self.handle.trainable = bool(value)

    @property
    def constraint(self) -> Callable[[Any], Any] | None:
        """A function that is applied after each step of an optimizer, or None."""
        found: Callable[[Any], Any] | None = self._constraint
        return found

    @constraint.setter
    def constraint(self, value: Callable[[Any], Any] | None) -> None:
        self._constraint = value

    def assign(self, value: Any, *_: Any, **__: Any) -> Tensor:
        """Take another value of the same shape, cast to the variable's dtype; give it back."""
        array = np.asarray(_plain(value)).astype(self.dtype.numpy)
        if array.shape != shape_of(self.handle.tensor):
            raise ValueError(
                "The shape of the target variable and the shape of the target value in "
                f"`variable.assign(value)` must match. variable.shape={tuple(self.shape)}, "
                f"Received: value.shape={array.shape}. Target variable: {self!r}"
            )
        self.handle.put(array[()])
        return self.handle.tensor

    def assign_add(self, delta: Any, *_: Any, **__: Any) -> Tensor:
        """Add to the value."""
        return self.assign(value_of(self.handle.tensor) + self._cast(delta))

    def assign_sub(self, delta: Any, *_: Any, **__: Any) -> Tensor:
        """Subtract from the value."""
        return self.assign(value_of(self.handle.tensor) - self._cast(delta))

    def _cast(self, value: Any) -> Any:
        return np.asarray(_plain(value)).astype(self.dtype.numpy)

    def __repr__(self) -> str:
        return (
            f"<Variable path={self.path}, shape={tuple(self.shape)}, dtype={self.dtype.name}, "
            f"value={self.numpy()}>"
            if self.ndim
            else f"<Variable path={self.path}, shape=(), dtype={self.dtype.name}, "
            f"value={self.numpy().item()}>"
        )

    def __reduce__(self) -> Any:
        value = value_of(self.handle.tensor)
        return _restored, (value, self.path, self._name, self.trainable, self._constraint)

    def __copy__(self) -> Variable:
        return _restored(*self.__reduce__()[1])

    def __deepcopy__(self, memo: Any) -> Variable:
        return _restored(*self.__reduce__()[1])


def _initial(initializer: Any, shape: Any, dtype: Any) -> Any:
    if callable(initializer) and not isinstance(initializer, (Tensor, base.Variable)):
        found = dtype_of(dtype)
        made = initializer(from_argument(shape), dtype=found)
        return np.asarray(_plain(made)).astype(found.numpy)[()]
    if dtype is None and hasattr(initializer, "dtype"):
        return value_of(convert(initializer))
    return np.asarray(_plain(initializer)).astype(dtype_of(dtype).numpy)[()]


def _plain(value: Any) -> Any:
    """Take the number or array out of a tensor; what cannot be one raises as `tf.constant` does."""
    if isinstance(value, base.Variable):
        return value_of(value.handle.tensor)
    return value_of(convert(value))


def _restored(value: Any, path: str, name: str, trainable: bool, constraint: Any) -> Variable:
    made = Variable.__new__(Variable)
    base.Variable.__init__(made, Tensor(value), trainable=trainable, name=path)
    made._name = name  # noqa: SLF001 - of its own class
    made.regularizer = None
    made.constraint = constraint
    return made
