"""`tf.experimental.Optional`: a value that may be missing, as iterators give it."""

from __future__ import annotations

from typing import Any

from symtape import nest
from symtape.errors import InvalidArgumentError
from symtape.ops.spec import TensorSpec
from symtape.tensor.convert import convert


class Optional:
    """A value, or none.

    >>> Optional.from_value(3).has_value().numpy(), Optional.empty(None).has_value().numpy()
    (np.True_, np.False_)
    """

    def __init__(self, held: tuple[Any, ...], element_spec: Any = None) -> None:
        self._held = held
        self._element_spec = element_spec

    @classmethod
    def from_value(cls, value: Any) -> Optional:
        """Hold a structure of tensors."""
        return cls((value,))

    @classmethod
    def empty(cls, element_spec: Any) -> Optional:
        """Hold nothing."""
        return cls((), element_spec)

    def has_value(self, name: str | None = None) -> Any:
        """Say whether there is a value, by a tensor."""
        return convert(bool(self._held))

    def get_value(self, name: str | None = None) -> Any:
        """Give the value; raises `InvalidArgumentError` where there is none."""
        if not self._held:
            raise InvalidArgumentError.of("OptionalGetValue", "The given optional has no value.")
        return self._held[0]

    @property
    def element_spec(self) -> Any:
        """The specs of the tensors that it holds, or would hold."""
        if not self._held:
            return self._element_spec
        return nest.map_structure(
            lambda x: TensorSpec.from_tensor(x) if hasattr(x, "shape") else x, self._held[0]
        )


class OptionalSpec:
    """Says what an `Optional` holds."""

    def __init__(self, element_spec: Any) -> None:
        self._element_spec = element_spec
        self.shape, self.dtype = None, None
