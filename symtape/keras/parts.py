"""What belongs to a layer: its variables, and the layers within it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from symtape.keras.random import SeedGenerator
from symtape.keras.variable import Variable
from symtape.tensor.tensor import Tensor


class Owner:
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
        for leaf in _unique(_leaves(vars(self), set())):
            if isinstance(leaf, Variable):
                variables.append(leaf)
            elif isinstance(leaf, SeedGenerator):
                seeds.append(leaf.state)
            elif isinstance(leaf, Owner) and leaf is not self:
                layers.append(leaf)
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
        return _unique(iter(found))

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
            new = [x for x in _leaves(value, set()) if isinstance(x, _STATE)]
            if new and not {id(x) for x in new} <= {id(x) for x in _leaves(vars(self), set())}:
                raise ValueError(LOCKED)
        super().__setattr__(name, value)


_STATE = (Variable, Owner, SeedGenerator)
LOCKED = (
    "You cannot add new elements of state (variables or sub-layers) to a layer that is already "
    "built. All state must be created in the `__init__()` method or in the `build()` method."
)


def _leaves(value: Any, path: set[int]) -> Iterator[Any]:
    """Give what lists, tuples and dicts hold, in order."""
    if isinstance(value, (list, tuple, Mapping)) and id(value) not in path:
        members = value.values() if isinstance(value, Mapping) else value
        for member in list(members):
            yield from _leaves(member, path | {id(value)})
    elif not isinstance(value, (Tensor, str, int, float)):
        yield value


def _unique(found: Iterator[Any]) -> list[Any]:
    return list({id(part): part for part in found}.values())
