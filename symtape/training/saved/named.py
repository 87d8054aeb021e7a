"""Signatures of a saved object: functions that take tensors by their names."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

from symtape.ops.control.concrete import ConcreteFunction
from symtape.ops.control.signatures import Structure, leaves, rebuilt
from symtape.ops.spec import TensorSpec
from symtape.training.saved.functions import LoadedFunction, python_signature


class SignatureFunction(ConcreteFunction):
    """A function that takes tensors by their names, and gives a dict of tensors.

    A tensor has the name of its spec, else that of its parameter; a single one needs no name.
    Results that have no names are ``output_0``, ``output_1``, …
    """

    def __init__(
        self, key: str, function: LoadedFunction, names: Sequence[str] | None = None
    ) -> None:
        self.loaded = function
        self._arguments = function.signatures[0].arguments
        self.names = tuple(_names(function) if names is None else names)
        tensors = [leaf for leaf in leaves(self._arguments) if leaf[0] == "tensor"]
        parameters = [
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, annotation=TensorSpec(shape, dtype, name)
            )
            for name, (_, shape, dtype) in sorted(zip(self.names, tensors, strict=True))
        ]
        wrapped = f"signature_wrapper_{key}"
        super().__init__(self._called_by_name, wrapped, inspect.Signature(parameters))
        self._positional = 1 if len(self.names) == 1 else 0

    def _called_by_name(self, **given: Any) -> dict[str, Any]:
        supply = iter([given[name] for name in self.names])

        def fill(leaf: Structure) -> Any:
            return next(supply) if leaf[0] == "tensor" else None

        args, kwargs = rebuilt(self._arguments, fill)
        found = self.loaded(*args, **kwargs)
        if isinstance(found, dict):
            return found
        parts = found if isinstance(found, (list, tuple)) else [found]
        return {f"output_{k}": part for k, part in enumerate(parts)}

    def _known(self, asked: str) -> Any:
        """Give the types of the results, which have their keys as names."""
        found = super()._known(asked)
        return {
            key: TensorSpec.from_spec(spec, key) if isinstance(spec, TensorSpec) else spec
            for key, spec in found.items()
        }


def _names(function: LoadedFunction) -> list[str]:
    """Name tensors by the parameters that they are given for."""
    signature = python_signature(function.parameters)
    args, kwargs = rebuilt(function.signatures[0].arguments, _spec)
    given = signature.bind(*args, **kwargs).arguments
    parameters = [
        p.replace(annotation=given[name])
        for name, p in signature.parameters.items()
        if name in given
    ]
    return ConcreteFunction(None, "", inspect.Signature(parameters)).tensor_names


def _spec(leaf: Structure) -> Any:
    return TensorSpec(leaf[1], leaf[2]) if leaf[0] == "tensor" else None
