"""One step of a traced function, as the rule of its primitive sees it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from symtape.errors import UnsupportedError
from symtape.frontends.jax_functions.values import Value
from symtape.tensor.tensor import Tensor


class Step(NamedTuple):
    """A primitive with its parameters, what it was given, and what JAX made of that."""

    primitive: Any
    parameters: Mapping[str, Any]
    operands: Sequence[Value]
    results: Sequence[Any]
    written_at: str

    def __getitem__(self, name: Any) -> Any:
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
    given = ", ".join(
        f"{getattr(x, 'raw', x).dtype}{list(getattr(x, 'raw', x).shape)}" for x in operands
    )
    return UnsupportedError(f"from_jax: {name} of ({given}) at {written_at}: {why}")
