"""`tf.experimental.ExtensionType`: a frozen record of tensors and of what else its fields say."""

from __future__ import annotations

import inspect
from abc import ABCMeta
from collections.abc import Callable, Sequence
from functools import wraps
from inspect import Parameter
from typing import Any

from symtape import nest
from symtape.ops.composite import Record
from symtape.ops.elementwise.comparison import equal, logical_not
from symtape.ops.reductions.reduction import reduce_all
from symtape.ops.shapes.joining import stack
from symtape.ops.spec import TypeSpec
from symtape.signatures import own_annotations
from symtape.stand_in.extension.fields import (
    NO_DEFAULT,
    Field,
    Values,
    fields_of,
    is_reserved,
    read_fields,
)
from symtape.stand_in.extension.specs import BatchableExtensionTypeSpec, ExtensionTypeSpec, Frozen
from symtape.stand_in.specs import register_type_spec
from symtape.tensor.tensor import Tensor

_FIELDS = "_tf_extension_type_cached_fields"


class ExtensionTypeMetaclass(ABCMeta):
    """What makes of a class with annotated fields a type that TensorFlow's functions take.

    It writes the constructor and the class of its specs. `is_base` says that the class is one from
    which others inherit, and has no fields.
    """

    def __init__(cls, name: str, bases: Any, namespace: Any, is_base: bool = False) -> None:
        if not is_base:
            _check_members(cls)
            _add_constructor(cls, cls._tf_extension_type_fields(), is_spec=False)  # type: ignore[attr-defined]  # of who has this class
            _add_spec(cls)
        super().__init__(name, bases, namespace)

    def __new__(cls, name: str, bases: Any, namespace: Any, **_: Any) -> Any:
        """Make the class as Python does."""
        return super().__new__(cls, name, bases, namespace)


class ExtensionType(Frozen, Record, metaclass=ExtensionTypeMetaclass, is_base=True):
    """The base of types of one's own (`tf.experimental.ExtensionType`).

    Fields are annotated with Python's numbers, texts and None, `tf.Tensor`, what is made of
    tensors, `tf.TensorShape`, `tf.DType`, and tuples, mappings and unions of these. The constructor
    takes a value for each, converts it, and raises `TypeError` for what cannot be; then
    `__validate__` is called. Nothing can be changed after that.

    >>> class Masked(ExtensionType):
    ...     values: Tensor
    ...     name: str = "x"
    >>> Masked([1, 2])
    Masked(values=<tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>, name='x')
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if type(self) is ExtensionType:
            raise AssertionError(
                "Cannot create an instance of ExtensionType because ExtensionType is an abstract "
                "base class."
            )

    @classmethod
    def _tf_extension_type_fields(cls) -> tuple[Field, ...]:
        """List the fields; names of classes that are not yet there are looked up anew."""
        kept: tuple[Field, ...] | None = cls.__dict__.get(_FIELDS)
        if kept is not None:
            return kept
        fields, is_known = fields_of(cls)
        if is_known:
            setattr(cls, _FIELDS, fields)
        return fields

    def _tf_extension_type_convert_fields(self) -> None:
        read_fields(self._tf_extension_type_fields(), self.__dict__, Values())

    @property
    def _type_spec(self) -> Any:
        return self.Spec.from_value(self)

    def __eq__(self, other: object) -> Any:
        if type(self) is not type(other) or self._type_spec != other._type_spec:
            return False
        pairs = zip(nest.flatten(self, True), nest.flatten(other, True), strict=True)
        return reduce_all(stack([reduce_all(equal(x, y)) for x, y in pairs]))

    def __ne__(self, other: object) -> Any:
        same = self.__eq__(other)
        return logical_not(same) if isinstance(same, Tensor) else not same

    __hash__ = None  # type: ignore[assignment]  # as of tensors

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __repr__(self) -> str:
        names = [field.name for field in self._tf_extension_type_fields()]
        fields = ", ".join([f"{name}={getattr(self, name)!r}" for name in names])
        return f"{type(self).__qualname__}({fields})"

    _tf_extension_type_spec_base = ExtensionTypeSpec


class BatchableExtensionType(ExtensionType, is_base=True):
    """The base of types of one's own whose values can be stacked and taken apart.

    `tf.data.Dataset` and `tf.map_fn` take such values apart by what `__batch_encoder__` says
    (`tf.experimental.BatchableExtensionType`).
    """

    _tf_extension_type_spec_base = BatchableExtensionTypeSpec


def as_dict(value: Any) -> dict[str, Any]:
    """Give the fields of a value by their names (`tf.experimental.extension_type.as_dict`)."""
    return {field.name: getattr(value, field.name) for field in value._tf_extension_type_fields()}  # noqa: SLF001 - ours


# --- what the metaclass makes ---------------------------------------------------------------------


def _check_members(cls: Any) -> None:
    """Raise `ValueError` for names that are reserved, and for fields without an annotation."""
    annotations = own_annotations(cls)
    told = f"The field annotations for {cls.__name__} are invalid. Field"
    members = dict(vars(cls))
    if "Spec" in members:
        _check_own_spec(cls, members.pop("Spec"))
    for name in (*members, *annotations):
        if is_reserved(name):
            raise ValueError(f"{told} '{name}' is reserved.")
    for name, value in members.items():
        is_special = name.startswith("_abc_") or (name.startswith("__") and name.endswith("__"))
        is_method = callable(value) or isinstance(value, (property, classmethod, staticmethod))
        if name not in annotations and not is_special and not is_method:
            raise ValueError(f"{told} {name} is missing a type annotation.")


def _check_own_spec(cls: Any, own: Any) -> None:
    if not isinstance(own, type):
        raise ValueError(f"{cls.__qualname__}.Spec must be a nested class; got {own}.")
    if own.__bases__ not in ((TypeSpec,), (object,)):
        raise ValueError(f"{cls.__qualname__}.Spec must be directly subclassed from tf.TypeSpec.")


def _add_constructor(cls: Any, fields: Sequence[Field], is_spec: bool) -> None:
    """Write the constructor: one with a parameter for each field, or around somebody's own."""
    if "__init__" in vars(cls):
        cls.__init__ = _around(cls.__init__)
        return
    parameters = _of_spec(fields) if is_spec else _of_value(fields)
    signature = inspect.Signature(parameters)

    def made(self: Any, *args: Any, **kwargs: Any) -> None:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        self.__dict__.update(bound.arguments)
        self._tf_extension_type_convert_fields()
        self.__validate__()

    own = Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)
    made.__signature__ = inspect.Signature([own, *parameters], return_annotation=cls)  # type: ignore[attr-defined]  # as Python reads it
    made.__name__ = "__init__"
    cls.__init__ = made


def _around(own: Callable[..., None]) -> Callable[..., None]:
    """Let a constructor of somebody's own set the fields, and convert what it has set."""

    @wraps(own)
    def made(self: Any, *args: Any, **kwargs: Any) -> None:
        with self._opened():
            own(self, *args, **kwargs)
        self._tf_extension_type_convert_fields()
        self.__validate__()

    return made


def _of_value(fields: Sequence[Field]) -> list[Parameter]:
    """Write a parameter for each field; by name alone from the first that has to be given on."""
    has_default, found = False, []
    kind: Any = Parameter.POSITIONAL_OR_KEYWORD
    for name, annotation, default in fields:
        is_needed = default is NO_DEFAULT
        if has_default and is_needed:
            kind = Parameter.KEYWORD_ONLY
        has_default = has_default or not is_needed
        value = Parameter.empty if is_needed else default
        found.append(Parameter(name, kind, default=value, annotation=annotation))
    return found


def _of_spec(fields: Sequence[Field]) -> list[Parameter]:
    return [Parameter(field.name, Parameter.POSITIONAL_OR_KEYWORD) for field in fields]


def _add_spec(cls: Any) -> None:
    """Write the class of the specs, with what somebody's own `Spec` has."""
    members = {"value_type": cls, "__module__": cls.__module__, **_own_members(cls)}
    base = cls._tf_extension_type_spec_base
    if issubclass(base, BatchableExtensionTypeSpec):
        if "__batch_encoder__" in vars(cls):
            members.setdefault("__batch_encoder__", cls.__batch_encoder__)
    elif hasattr(cls, "__batch_encoder__") or "__batch_encoder__" in members:
        raise ValueError(
            "__batch_encoder__ should only be defined for BatchableExtensionType classes."
        )
    spec = type(f"{cls.__name__}.Spec", (base,), members)
    spec.__qualname__ = f"{cls.__qualname__}.Spec"
    cls.Spec = spec
    _add_constructor(spec, cls._tf_extension_type_fields(), is_spec=True)
    if "__name__" in vars(cls):  # by which files tell the type
        register_type_spec(f"{vars(cls)['__name__']}.Spec")(spec)


def _own_members(cls: Any) -> dict[str, Any]:
    """Give what somebody's own `Spec` has; raises `ValueError` for names that it cannot have."""
    own = vars(cls).get("Spec")
    fields = {field.name for field in cls._tf_extension_type_fields()}
    title = f"TypeSpec {cls.__qualname__}.Spec"
    found = {} if own is None else dict(vars(own))
    for name in found:
        if is_reserved(name):
            raise ValueError(f"{title} uses reserved name '{name}'.")
        if name in fields:
            raise ValueError(
                f"{title} defines a variable '{name}' which shadows a field in {cls.__qualname__}"
            )
    hidden = ("__module__", "__dict__", "__weakref__")
    return {name: value for name, value in found.items() if name not in hidden}
