"""`tf.experimental.Optional`: an element that may be missing, and its spec."""

from __future__ import annotations

from typing import Any

from symtape.data.elements.specs import NoneTensorSpec, spec_of
from symtape.data.elements.structures import flatten, mapped
from symtape.data.stages.base import Failed
from symtape.errors import InvalidArgumentError
from symtape.ops.composite import CompositeTensor
from symtape.ops.spec import TypeSpec
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor


class Optional:
    """An element, or none, as `get_next_as_optional` of an iterator gives it.

    It is made by `from_value` and `empty`.

    >>> Optional.from_value((1, 2.0)).element_spec[1]
    TensorSpec(shape=(), dtype=tf.float32, name=None)
    """

    __slots__ = ("_element_spec", "_held")

    def __init__(self, held: tuple[Any, ...], spec: Any) -> None:
        self._held = held
        self._element_spec = spec

    @classmethod
    def from_value(cls, value: Any) -> Optional:
        """Hold a structure of tensors.

        Raises `InvalidArgumentError` for None, and `TypeError` for what is no tensor.

        >>> Optional.from_value(3).get_value().numpy()
        np.int32(3)
        """
        made = mapped(_converted, value)
        if all(leaf is None for leaf in flatten(made)):
            text = "Length for attr 'Toutput_types' of 0 must be at least minimum 1"
            raise InvalidArgumentError(message=f"{text} [Op:OptionalFromValue] name: ")
        return cls((made,), mapped(spec_of, made))

    @classmethod
    def empty(cls, element_spec: Any) -> Optional:
        """Hold nothing; the spec is that of what is missing.

        >>> Optional.empty(None).has_value().numpy()
        np.False_
        """
        return cls((), element_spec)

    @property
    def element_spec(self) -> Any:
        """The spec that the element has, or would have."""
        return self._element_spec

    def has_value(self, name: str | None = None) -> Tensor:
        """Say whether there is an element: a scalar of bool."""
        return convert(bool(self._held))

    def get_value(self, name: str | None = None) -> Any:
        """Give the element; raises `InvalidArgumentError` if there is none."""
        if self._held:
            return self._held[0]
        number = sum(not isinstance(s, NoneTensorSpec) for s in flatten(self._element_spec))
        raise Failed(InvalidArgumentError, "The given optional does not have a value.").framed(
            "OptionalGetValue", f"_output_types_{number}"
        )


def _converted(leaf: Any) -> Any:
    if leaf is None or isinstance(leaf, CompositeTensor):
        return leaf
    try:
        return convert(leaf)
    except ValueError:
        kind = type(leaf).__name__
        raise TypeError(f"Could not build a `TypeSpec` for {leaf} with type {kind}") from None


class OptionalSpec(TypeSpec):
    """The spec of an `Optional` (`tf.OptionalSpec`).

    >>> from symtape.ops.spec import TensorSpec
    >>> OptionalSpec(TensorSpec([], "int32"))
    OptionalSpec(TensorSpec(shape=(), dtype=tf.int32, name=None),)
    """

    def __init__(self, element_spec: Any) -> None:
        self._element_spec = element_spec
        self.shape, self.dtype = None, None

    @staticmethod
    def from_value(value: Optional) -> OptionalSpec:
        """Give the spec of an optional."""
        return OptionalSpec(value.element_spec)

    @property
    def value_type(self) -> type[Optional]:
        """The class of what it describes."""
        return Optional

    def __eq__(self, other: object) -> bool:
        return isinstance(other, OptionalSpec) and self._element_spec == other._element_spec

    def __hash__(self) -> int:
        return hash(tuple(flatten(self._element_spec)))

    def __repr__(self) -> str:
        return f"OptionalSpec({self._element_spec},)"
