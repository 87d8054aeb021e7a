"""What `experimental_enable_numpy_behavior` changes of tensors: operators, brackets, methods."""

from __future__ import annotations

from numbers import Real
from typing import Any

import numpy as np

from symtape.ops.composite import CompositeTensor
from symtape.ops.elementwise.conversion import cast
from symtape.stand_in.numpy import choosing, elementwise, indexing, matrices, reductions, shapes
from symtape.stand_in.numpy.dtypes import operand, prefer_float32, result_type
from symtape.stand_in.promotion.functions import assigning, by_name, operators, promote
from symtape.tensor.convert import convert
from symtape.tensor.operators import OPERATORS
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import size_of, value_of
from symtape.tensor.variables.variable import Variable


def experimental_enable_numpy_behavior(
    prefer_float32: bool = False, dtype_conversion_mode: str = "legacy"
) -> None:
    """Give tensors NumPy's methods, its brackets, and operators that promote as NumPy does.

    With `prefer_float32` Python floats count for float32. With `dtype_conversion_mode="off"`
    operators promote nothing. With "all" operators and functions promote, and dtypes of Python's
    numbers are weak; with "safe", too, where no operand loses what it may hold. Raises `ValueError`
    for a mode that is not known.

    >>> experimental_enable_numpy_behavior()
    >>> (operand(1.0) + operand(2)).reshape(1, 1).T.tolist()
    [[3.0]]
    >>> disable_numpy_behavior()
    """
    if dtype_conversion_mode not in _MODES:
        raise ValueError(
            f"The provided promotion mode {dtype_conversion_mode} does not exist. Make sure the "
            "provided dtype conversion mode is one of the followings: 'off', 'legacy', 'safe' or "
            "'all'."
        )
    is_weak = dtype_conversion_mode in {"safe", "all"}
    promote(dtype_conversion_mode if is_weak else "")
    for name, method in METHODS.items():
        setattr(Tensor, name, method)
    _restore_operators()
    if dtype_conversion_mode != "off":
        for name, method in (operators() if is_weak else _PROMOTING).items():
            setattr(Tensor, name, method)
            setattr(Variable, name, _of_variables(method))
    if is_weak:
        for name in _ASSIGNING:
            setattr(Variable, name, assigning(name))
    _set_preference(prefer_float32)


_MODES = ("off", "legacy", "safe", "all")
_set_preference = prefer_float32  # whose name an argument has, too


def disable_numpy_behavior() -> None:
    """Give tensors back what they had, as when a script that enabled it has ended.

    >>> disable_numpy_behavior()
    >>> hasattr(operand(1.0), "T")
    False
    """
    promote("")
    for name in METHODS:
        if name in _BEFORE:
            setattr(Tensor, name, _BEFORE[name])
        elif name in vars(Tensor):
            delattr(Tensor, name)
    _restore_operators()
    _set_preference(False)


# --- operators ------------------------------------------------------------------------------------


_PROMOTED = (
    *(Tensor, Variable, np.ndarray, np.generic, complex, Real),
    *(list, tuple, str, bytes, TensorShape),
)
"""What stands beside a tensor and has a dtype that NumPy promotes."""


def _promoting(name: str) -> Any:
    """Make an operator that first gives both operands NumPy's common dtype."""
    plain = OPERATORS[name]

    def method(self: Tensor, other: Any) -> Any:
        if hasattr(other, "__tf_tensor__") and not isinstance(other, CompositeTensor):
            other = convert(other)
        if not isinstance(other, _PROMOTED):
            return plain(self, other)  # None, rows of unlike lengths, what has operators of its own
        given = np.int32(0) if isinstance(other, TensorShape) else other
        kind = result_type(self.dtype, given)
        return plain(cast(self, kind), operand(other, kind))

    return method


def _matmul(self: Tensor, other: Any) -> Tensor:
    return matrices.matmul(self, other)


def _matmul_reflected(self: Tensor, other: Any) -> Tensor:
    return matrices.matmul(other, self)


def _of_variables(method: Any) -> Any:
    """Let an operator of variables be that of what they hold, which is compared with no None."""

    def of_variable(self: Variable, *others: Any) -> Any:
        if others and others[0] is None:
            convert(None)
        return method(self.read(), *others)

    return of_variable


def _restore_operators() -> None:
    for kind, name, method in _OWN:
        setattr(kind, name, method)


_UNARY = {"__neg__", "__abs__", "__invert__"}
_PROMOTING = {name: _promoting(name) for name in OPERATORS if name not in _UNARY} | {
    "__matmul__": _matmul,
    "__rmatmul__": _matmul_reflected,
}

_ASSIGNING = ("assign", "assign_add", "assign_sub")
_OWN = [
    *[(kind, name, vars(kind)[name]) for kind in (Tensor, Variable) for name in _PROMOTING],
    *[(Variable, name, vars(Variable)[name]) for name in _ASSIGNING],
]
"""The operators and methods that promote nothing."""

# --- methods --------------------------------------------------------------------------------------


_reshape = by_name(shapes.reshape)


def _reshaped(self: Tensor, *newshape: Any, **kwargs: Any) -> Any:
    order = kwargs.pop("order", "C")
    if kwargs:
        raise ValueError(f"Unsupported arguments: {kwargs.keys()}")
    one = len(newshape) == 1 and not isinstance(newshape[0], int)
    return _reshape(self, newshape[0] if one else newshape, order=order)


def _tolist(self: Tensor) -> Any:
    return value_of(self, "tolist()").tolist()


METHODS: dict[str, Any] = {
    "T": property(by_name(shapes.transpose)),
    "size": property(lambda self: np.int64(size_of(self))),
    "data": property(lambda self: self),
    "__pos__": lambda self: self,
    "__round__": by_name(elementwise.around),
    "__getitem__": indexing.getitem,
    "astype": cast,
    "clip": by_name(choosing.clip),
    "flatten": by_name(shapes.flatten),
    "max": by_name(reductions.amax),
    "mean": by_name(reductions.mean),
    "min": by_name(reductions.amin),
    "ravel": by_name(shapes.ravel),
    "reshape": _reshaped,
    "tolist": _tolist,
    "transpose": by_name(shapes.transpose),
}
"""What tensors have in addition, and NumPy's brackets in the place of TensorFlow's."""

_BEFORE = {name: vars(Tensor)[name] for name in METHODS if name in vars(Tensor)}
