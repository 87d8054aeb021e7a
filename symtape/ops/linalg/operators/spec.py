"""The spec of a linear operator: of which class it is, and what it is made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape import nest
from symtape.ops.composite import Composite
from symtape.ops.control.function_types import VariableSpec
from symtape.ops.linalg.operators.hints import Hints
from symtape.ops.spec import BatchableTypeSpec, TensorSpec, TypeSpec
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable


class OperatorSpec(BatchableTypeSpec):
    """The class of an operator, the specs of the tensors in its arguments, and its other arguments.

    It takes an operator apart, and makes it again of its parts.
    """

    def __init__(self, kind: type, parts: dict[str, Any], rest: dict[str, Any]) -> None:
        self._kind, self._parts, self._rest = kind, parts, rest

    @classmethod
    def from_operator(cls, operator: Any) -> OperatorSpec:
        """Give the spec; raises `NotImplementedError` for an argument of both kinds."""
        parts: dict[str, Any] = {}
        rest: dict[str, Any] = {}
        names = (*operator._composite_tensor_fields, *Hints._fields)  # noqa: SLF001 - TensorFlow's name
        for name in dict.fromkeys(names):
            value = _argument(operator, name)
            spec = nest.map_structure(_spec_of, value)
            is_spec = [isinstance(leaf, TypeSpec) for leaf in nest.flatten(spec)]
            if not all(is_spec) and any(is_spec):
                raise NotImplementedError(
                    f"Field {name} contains a mix of `Tensor` and  non-`Tensor` values."
                )
            (parts if all(is_spec) else rest)[name] = spec
        return cls(type(operator), parts, rest)

    @property
    def value_type(self) -> type:
        """The class of the operator."""
        return self._kind

    def _serialize(self) -> Any:
        return self._kind, self._parts, self._rest

    @property
    def _component_specs(self) -> dict[str, Any]:
        return self._parts

    def _to_components(self, value: Any) -> dict[str, Any]:
        return {name: _argument(value, name) for name in self._parts}

    def _from_components(self, components: dict[str, Any]) -> Any:
        return self._kind(**components, **self._rest)


def _argument(operator: Any, name: str) -> Any:
    """Give an argument that an operator was made of, as it holds it.

    Raises `ValueError` where neither an attribute nor its parameters have it.
    """
    missing = object()
    found = getattr(operator, name, getattr(operator, f"_{name}", missing))
    if found is missing:
        found = operator.parameters.get(name, missing)
    if found is missing:
        raise ValueError(
            f"Could not determine an appropriate value for field `{name}` in object  `{operator}`. "
            f"Looked for \n 1. an attr called `{name}`,\n 2. an attr called `_{name}`,\n 3. an "
            f"entry in `op.parameters` with key '{name}'."
        )
    return found.tolist() if isinstance(found, (np.ndarray, np.generic)) else found


def _spec_of(part: Any) -> Any:
    if isinstance(part, Composite):
        return part._type_spec  # noqa: SLF001 - TensorFlow's name
    if isinstance(part, Variable):
        return VariableSpec.from_value(part)
    return TensorSpec(part.shape, part.dtype) if isinstance(part, Tensor) else part
