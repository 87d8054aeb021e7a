"""One step of a traced function, as the rule of its primitive sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from symtape.errors import UnsupportedError
from symtape.frontends.jax_functions.values import Value, raw
from symtape.tensor.tensor import Tensor


@dataclass(frozen=True, slots=True)
class Step:
    """A primitive with its parameters, what it was given, and what JAX made of that."""

    primitive: Any
    parameters: Mapping[str, Any]
    operands: Sequence[Value]
    results: Sequence[Any]
    written_at: str

    def __getitem__(self, name: str) -> Any:
        """Give a parameter by its name."""
        return self.parameters[name]

    @property
    def name(self) -> str:
        """What JAX calls the primitive."""
        return str(self.primitive.name)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the first result."""
        return tuple(self.results[0].shape)

    @property
    def dtype(self) -> Any:
        """The dtype of the first result, as NumPy's."""
        return self.results[0].dtype

    def refused(self, why: str) -> UnsupportedError:
        """Make the error for a step that cannot be read."""
        return refused(self.name, self.operands, self.written_at, why)


Rule = Callable[..., Tensor | Sequence[Tensor]]
"""Takes a step and a tensor for each of its operands, and gives the tensors of its results."""


def refused(name: str, operands: Sequence[Value], written_at: str, why: str) -> UnsupportedError:
    """Say which primitive cannot be read, of what, where it is written, and why."""
    arrays = [raw(x) for x in operands]
    given = ", ".join([f"{x.dtype}{list(x.shape)}" for x in arrays])
    return UnsupportedError(f"from_jax: {name} of ({given}) at {written_at}: {why}")
