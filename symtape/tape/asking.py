"""What a derivative is asked of, and what is given where nothing connects."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

from symtape.tensor.derivatives import differentiate
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable

MayBeNone: TypeAlias = Any
"""None where nothing connects; a checker asks nobody to look for it, since few sources are so."""

Leaf = TypeVar("Leaf", bound=Tensor | Variable)
Key = TypeVar("Key")


class NamedTuple(Protocol):
    """A named tuple, whose own fields say what they are."""

    def _asdict(self) -> dict[str, Any]: ...


USED = (
    "A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)"
)


class UnconnectedGradients(enum.Enum):
    """What a gradient is where nothing connects: `NONE` is None, `ZERO` zeros like the source."""

    NONE = "none"
    ZERO = "zero"


def tell(
    kind: str, targets: Sequence[Any], sources: Sequence[Any], results: Sequence[Tensor | None]
) -> None:
    """Show a derivative to those who observe."""
    for observer in differentiate.OBSERVERS:
        observer(differentiate.Taken(kind, targets, sources, results))


def is_zero(value: Any) -> bool:
    """Say whether zeros stand where nothing connects; raises `ValueError` for another word."""
    try:
        return UnconnectedGradients(value) is UnconnectedGradients.ZERO
    except ValueError:
        raise ValueError(f"Unknown value for unconnected_gradients: {value!r}") from None
