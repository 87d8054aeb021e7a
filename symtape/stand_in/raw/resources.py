"""Kernels that read and assign variables, which they take by their handles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtape.ops.arguments import tensor
from symtape.ops.indexing import gathering
from symtape.ops.indexing.variable_places import put_elements
from symtape.tensor import dtypes
from symtape.tensor.dispatch import invalid
from symtape.tensor.indexing.slices import IndexedSlices
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable
from symtape.tensor.variables.versions import Handle


def handle_of(value: Any) -> Handle:
    """Be the handle of a variable; raises `ValueError` for the variable itself, and for tensors."""
    if isinstance(value, Handle):
        return value
    if isinstance(value, Variable):
        raise ValueError(
            "Incompatible type conversion requested to type resource for `tf.Variable of type "
            f"{value.dtype.name}. (Variable: {value!r})"
        )
    dtype = tensor(value).dtype.name
    raise ValueError(
        f"Tensor conversion requested dtype resource for Tensor with dtype {dtype}: {value!r}"
    )


def _variable(op: str, value: Any) -> Variable:
    """Find the variable of a handle; raises `ValueError` where it is no more."""
    found = handle_of(value).variable()
    if not isinstance(found, Variable):
        raise ValueError(f"{op}: the variable of the handle is gone; keep it while it is used")
    return found


def _of_rows(how: str) -> tuple[Callable[..., None], str]:
    op = f"ResourceScatter{how}"

    def run(resource: Any, indices: Any, updates: Any) -> None:
        variable = _variable(op, resource)
        getattr(variable, f"scatter_{how.lower()}")(IndexedSlices(updates, indices))

    return run, "resource indices updates"


def _of_elements(how: str) -> tuple[Callable[..., None], str]:
    op = f"ResourceScatterNd{how}"

    def run(ref: Any, indices: Any, updates: Any, policy: str) -> None:
        put_elements(how.lower(), _variable(op, ref), indices, updates, policy)

    return run, "ref indices updates use_locking=True~ bad_indices_policy=''"


def _assigning(op: str, method: str, flags: str = "") -> tuple[Callable[..., None], str]:
    def run(resource: Any, value: Any) -> None:
        getattr(_variable(op, resource), method)(value)

    return run, f"resource value{flags}"


def _read(op: str, resource: Any, dtype: Any) -> Variable:
    """Find a variable; raises `InvalidArgumentError` if it has another dtype."""
    variable, wanted = _variable(op, resource), dtypes.as_dtype(dtype)
    if wanted is not variable.dtype:
        raise invalid(
            op,
            f"Trying to read variable with wrong dtype. Expected {wanted.enum_name} got "
            f"{variable.dtype.enum_name}",
        )
    return variable


def _value(resource: Any, dtype: Any) -> Tensor:
    return _read("ReadVariableOp", resource, dtype).value()


def _gathered(resource: Any, indices: Any, dtype: Any, batch_dims: int) -> Tensor:
    variable = _read("ResourceGather", resource, dtype)
    return gathering.gather(variable, indices, axis=batch_dims, batch_dims=batch_dims)


def _gathered_elements(resource: Any, indices: Any, dtype: Any) -> Tensor:
    return _read("ResourceGatherNd", resource, dtype).gather_nd(indices)


RESOURCES: dict[str, tuple[Callable[..., Any], str]] = {
    "AssignVariableOp": _assigning("AssignVariableOp", "assign", " validate_shape=False~"),
    "AssignAddVariableOp": _assigning("AssignAddVariableOp", "assign_add"),
    "AssignSubVariableOp": _assigning("AssignSubVariableOp", "assign_sub"),
    "ReadVariableOp": (_value, "resource dtype:type"),
    "ResourceGather": (
        _gathered,
        "resource indices dtype:type batch_dims=0 validate_indices=True~",
    ),
    "ResourceGatherNd": (_gathered_elements, "resource indices dtype:type"),
    **{
        f"ResourceScatter{how}": _of_rows(how)
        for how in ("Add", "Sub", "Mul", "Div", "Min", "Max", "Update")
    },
    **{
        f"ResourceScatterNd{how}": _of_elements(how)
        for how in ("Add", "Sub", "Min", "Max", "Update")
    },
}
