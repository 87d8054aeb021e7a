"""What belongs to a layer: its variables, and the layers within it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from symtape.keras.bases.variable import Variable
from symtape.keras.random import SeedGenerator
from symtape.ops.tracking import Trackable


class Owner(Trackable):
    """An object whose variables are those it made, and those of the owners that it holds.

    Attributes are looked at, and what is in lists, tuples and dicts that are attributes.
    """

    name: str
    _own: list[Variable]
    _trainable: bool

    def _parts(self) -> tuple[list[Variable], list[Variable], list[Owner]]:
        """List the own variables, those of generators of seeds, and the layers within."""
        variables: list[Variable] = []
        seeds: list[Variable] = []
        layers: list[Owner] = []
        for part in _state_of(vars(self).values()):
            if isinstance(part, Variable):
                variables.append(part)
            elif isinstance(part, SeedGenerator):
                seeds.append(part.state)
            elif part is not self:
                layers.append(part)
        variables.sort(key=lambda v: not v.trainable)
        return variables, seeds, layers

    def _collect(self, *, with_seeds: bool) -> list[Variable]:
        found: list[Variable] = []
        pending, seen = [self], {id(self)}
        while pending:
            variables, seeds, layers = pending.pop()._parts()  # noqa: SLF001 - of its own class
            found += variables + (seeds if with_seeds else [])
            new = [layer for layer in layers if id(layer) not in seen]
            seen |= {id(layer) for layer in new}
            pending += reversed(new)
        return list({id(v): v for v in found}.values())

    @property
    def variables(self) -> list[Variable]:
        """Every variable of the layer and of those within it, the states of generators included."""
        return self._collect(with_seeds=True)

    @property
    def weights(self) -> list[Variable]:
        """Every variable except the states of generators of random numbers."""
        return self._collect(with_seeds=False)

    @property
    def trainable_variables(self) -> list[Variable]:
        """The variables that are trained."""
        return [v for v in self.variables if v.trainable] if self._trainable else []

    @property
    def non_trainable_variables(self) -> list[Variable]:
        """The variables that are not trained."""
        return [v for v in self.variables if not (v.trainable and self._trainable)]

    @property
    def trainable_weights(self) -> list[Variable]:
        """The weights that are trained."""
        return [v for v in self.weights if v.trainable] if self._trainable else []

    @property
    def non_trainable_weights(self) -> list[Variable]:
        """The weights that are not trained."""
        return [v for v in self.weights if not (v.trainable and self._trainable)]

    @property
    def trainable(self) -> bool:
        """Whether the layer is trained; setting it sets it for every variable and layer within."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = bool(value)
        variables, _, layers = self._parts()
        for variable in variables:
            variable.trainable = bool(value)
        for layer in layers:
            layer.trainable = bool(value)

    def get_weights(self) -> list[Any]:
        """Give the values of the weights as arrays."""
        return [v.numpy() for v in self.weights]

    def set_weights(self, weights: Any) -> None:
        """Set the values of the weights; raises `ValueError` where number or shapes differ."""
        own = self.weights
        if len(own) != len(weights):
            raise ValueError(
                f"You called `set_weights(weights)` on layer '{self.name}' with a weight list of "
                f"length {len(weights)}, but the layer was expecting {len(own)} weights."
            )
        for variable, value in zip(own, weights, strict=True):
            if variable.shape != np.shape(value):
                raise ValueError(
                    f"Layer {self.name} weight shape {tuple(variable.shape)} is not compatible "
                    f"with provided weight shape {np.shape(value)}."
                )
            variable.assign(value)

    def __setattr__(self, name: str, value: Any) -> None:
        if vars(self).get("_locked"):
            new = {id(part) for part in _state_of([value])}
            if new and not new <= {id(part) for part in _state_of(vars(self).values())}:
                raise ValueError(LOCKED)
        super().__setattr__(name, value)


_STATE = (Variable, Owner, SeedGenerator)
LOCKED = (
    "You cannot add new elements of state (variables or sub-layers) to a layer that is already "
    "built. All state must be created in the `__init__()` method or in the `build()` method."
)


def _state_of(values: Iterable[Any]) -> list[Any]:
    """List the variables, generators and layers among values, and in lists, tuples and dicts."""
    found: dict[int, Any] = {}
    _gather(values, found, frozenset())
    return list(found.values())


def _gather(values: Iterable[Any], found: dict[int, Any], path: frozenset[int]) -> None:
    for value in list(values):
        if isinstance(value, _STATE):
            found.setdefault(id(value), value)
        elif isinstance(value, (list, tuple, dict)) and id(value) not in path:
            members = value.values() if isinstance(value, dict) else value
            _gather(members, found, path | {id(value)})
