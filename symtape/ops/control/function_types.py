"""The types of a function's arguments: what a call gives, what it may give, and how it is told."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from symtape import nest
from symtape.ops.arguments import is_tensor
from symtape.ops.composite import Composite, CompositeSpec
from symtape.ops.spec import DenseSpec, TensorSpec, TypeSpec, fits
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable

Kind = inspect.Parameter


# --- types of arguments ---------------------------------------------------------------------------


class VariableSpec(DenseSpec):
    """The type of an argument that is a variable.

    >>> VariableSpec([2, None], trainable=False)
    VariableSpec(shape=(2, None), dtype=tf.float32, trainable=False, alias_id=None)
    """

    __slots__ = ("alias_id", "trainable")
    value_type = Variable

    def __init__(
        self,
        shape: Any,
        dtype: Any = dtypes.float32,
        trainable: bool = True,
        alias_id: int | None = None,
    ) -> None:
        super().__init__(shape, dtype)
        self.trainable, self.alias_id = trainable, alias_id

    @classmethod
    def from_value(cls, value: Variable) -> VariableSpec:
        """Give the spec of a variable."""
        return cls(value.shape, value.dtype, value.trainable)

    @property
    def _component_specs(self) -> VariableSpec:
        return self

    def is_compatible_with(self, spec_or_value: Any) -> bool:
        """Say whether a variable, or a spec of one, may stand where this spec does."""
        other = spec_or_value
        other = self.from_value(other) if isinstance(other, Variable) else other
        if not isinstance(other, VariableSpec) or self.trainable != other.trainable:
            return False
        return fits((self.shape, self.dtype), (other.shape, other.dtype))

    def _serialize(self) -> tuple[Any, ...]:
        return self.shape, self.dtype, self.trainable, self.alias_id

    def __repr__(self) -> str:
        return (
            f"VariableSpec(shape={self.shape}, dtype={self.dtype!r}, trainable={self.trainable}, "
            f"alias_id={self.alias_id})"
        )


def spec_of(value: Any) -> Any:
    """Give the types of a structure: specs for tensors and variables, what else is there itself.

    >>> spec_of([convert(1.0), 2])
    [TensorSpec(shape=(), dtype=tf.float32, name=None), 2]
    """
    return nest.map_structure(_spec_of_leaf, value)


def _spec_of_leaf(value: Any) -> Any:
    if isinstance(value, Variable):
        return VariableSpec(value.shape, value.dtype, value.trainable, 0)
    if isinstance(value, (np.ndarray, np.generic)):
        return TensorSpec(value.shape, value.dtype)
    if isinstance(value, Composite):
        return value._type_spec  # noqa: SLF001 - TensorFlow's name
    return TensorSpec(value.shape, value.dtype) if isinstance(value, Tensor) else value


def type_text(spec: Any) -> str:
    """Write a type as TensorFlow does.

    >>> type_text({"k": (TensorSpec([]), None)})
    "Dict[['k', Tuple[TensorSpec(shape=(), dtype=tf.float32, name=None), Literal[None]]]]"
    """
    if isinstance(spec, TypeSpec):
        return repr(spec)
    if isinstance(spec, dict):
        pairs = [f"[{key!r}, {type_text(value)}]" for key, value in spec.items()]
        return f"Dict[{', '.join(pairs)}]"
    if isinstance(spec, (list, tuple)):
        word = "List" if isinstance(spec, list) else "Tuple"
        return f"{word}[{', '.join(map(type_text, spec))}]"
    plain = spec is None or isinstance(spec, (bool, int, float, str))
    return f"Literal[{spec!r}]" if plain else f"Weakref[{spec!r}]"


def cast(spec: Any, value: Any) -> Any:
    """Convert an argument to a structure of types; raises `TypeError` if it does not fit.

    >>> cast((TensorSpec([]), 3), (2.5, 3))
    (<tf.Tensor: shape=(), dtype=float32, numpy=2.5>, 3)
    """
    if isinstance(spec, dict):
        _check_keys(spec, value)
        return {key: cast(spec[key], value[key]) for key in spec}
    if isinstance(spec, (list, tuple)):
        kind = list if isinstance(spec, list) else tuple
        if not isinstance(value, kind):
            raise TypeError(f"Can not cast {value!r} to {kind.__name__} type.")
        parts = [cast(s, v) for s, v in zip(spec, value, strict=True)]
        return nest.pack_sequence_as(spec, nest.flatten(parts))
    if isinstance(spec, TensorSpec):
        return _cast_tensor(spec, value)
    if isinstance(spec, CompositeSpec):
        if not spec.is_compatible_with(value):
            raise TypeError(f"Can not cast {getattr(value, 'type_spec', value)} to {spec}")
        return value
    if isinstance(value, Composite) and hasattr(spec, "_component_specs"):
        return _cast_parts(spec, value)
    fits = spec_of(value) == spec and type(spec_of(value)) is type(spec)
    if not fits:
        raise TypeError(f"Can not cast {value!r} to {type_text(spec)}")
    return value


def _check_keys(spec: dict[Any, Any], value: Any) -> None:
    if not isinstance(value, Mapping):
        raise TypeError(f"Can not cast {value!r} to a Dict type.")
    if value.keys() != spec.keys():
        raise TypeError(f"{value!r} has different keys with the TraceType {type_text(spec)}.")


def _cast_parts(spec: Any, value: Composite) -> Any:
    """Convert the tensors of what is made of several; what has nothing to convert stays itself."""
    if type(value._type_spec) is not type(spec):  # noqa: SLF001 - TensorFlow's name
        raise TypeError(f"Can not cast {value!r} to {type_text(spec)}")
    parts = spec._to_components(value)  # noqa: SLF001 - likewise
    made = cast(spec._component_specs, parts)  # noqa: SLF001 - likewise
    pairs = zip(nest.flatten(parts), nest.flatten(made), strict=True)
    return value if all([a is b for a, b in pairs]) else spec._from_components(made)  # noqa: SLF001 - likewise


def _cast_tensor(spec: TensorSpec, value: Any) -> Any:
    is_given = isinstance(value, TensorSpec) or is_tensor(value)
    x = value if is_given else convert(value, spec.dtype)
    if not spec.is_compatible_with(x):
        raise TypeError(f"Can not cast {TensorSpec(x.shape, x.dtype, spec.name)} to {spec}")
    return x


def declared(input_signature: Any) -> tuple[Any, ...] | None:
    """Give an `input_signature` as a tuple; raises `TypeError` unless it is a sequence of specs.

    >>> declared([3])
    Traceback (most recent call last):
    TypeError: input_signature must be a possibly nested sequence of TensorSpec objects, got \
invalid args [3] with types [<class 'int'>].
    """
    if input_signature is None:
        return None
    if not isinstance(input_signature, (list, tuple)):
        kind = type(input_signature)
        raise TypeError(f"input_signature must be either a tuple or a list, got {kind}.")
    leaves = nest.flatten(input_signature)
    if odd := [leaf for leaf in leaves if not hasattr(leaf, "most_specific_compatible_type")]:
        raise TypeError(
            "input_signature must be a possibly nested sequence of TensorSpec objects, got "
            f"invalid args {odd} with types {list(map(type, odd))}."
        )
    return tuple(input_signature)


# --- signatures -----------------------------------------------------------------------------------


class Written(str):
    """A text that `inspect` writes as it is."""

    __slots__ = ()
    __repr__ = str.__str__


def check_constrained(signature: inspect.Signature, specs: Sequence[Any]) -> None:
    """Raise `TypeError` unless an `input_signature` has a spec for each parameter but `self`."""
    parameters = [p for k, p in enumerate(signature.parameters.values()) if k or p.name != "self"]
    named = [p for p in parameters if p.kind in {Kind.POSITIONAL_ONLY, Kind.POSITIONAL_OR_KEYWORD}]
    if len(specs) > len(named) and all(p.kind is not Kind.VAR_POSITIONAL for p in parameters):
        extra = len(specs) - len(named)
        raise TypeError(f"input_signature contains {extra} extra type constraints.")
    if missing := [p.name for p in named[len(specs) :] if p.default is p.empty]:
        raise TypeError(f"input_signature missing type constraint for {missing[0]}")
    if odd := [p for p in parameters if p.kind is Kind.KEYWORD_ONLY and p.default is p.empty]:
        raise TypeError(
            f"Since input_signature is defined, keyword-only parameter `{odd[0].name}` must have a "
            "default value"
        )


def check_given(specs: Sequence[Any], bound: inspect.BoundArguments) -> None:
    """Raise `TypeError` for arguments that are not those of an `input_signature`.

    What it does not name keeps its default, and there are as many others as specs.
    """
    named = 0
    for place, p in enumerate(bound.signature.parameters.values()):
        named += p.kind is not Kind.VAR_POSITIONAL
        if p.name not in bound.arguments or (place < len(specs) and p.kind not in _SEVERAL):
            continue
        value = bound.arguments[p.name]
        if p.kind is Kind.VAR_KEYWORD:
            raise TypeError(f"got an unexpected keyword argument {next(iter(value))!r}")
        if p.kind is Kind.VAR_POSITIONAL:
            _check_count(p.name, len(value), len(specs) - named)
        elif value is not p.default and (is_tensor(value) or value != p.default):
            raise TypeError(f"Can not cast {value!r} to Literal[{p.default!r}]")


_SEVERAL = {Kind.VAR_POSITIONAL, Kind.VAR_KEYWORD}


def _check_count(name: str, given: int, wanted: int) -> None:
    if given > wanted:
        raise TypeError("too many positional arguments")
    if given < wanted:
        raise TypeError(f"missing a required argument: '{name}_{given}'")


def without_defaults(signature: inspect.Signature) -> inspect.Signature:
    """Write no value of a default, as TensorFlow's errors do not."""
    hidden = Written("<captured_default_value>")
    return signature.replace(
        parameters=[
            p if p.default is p.empty else p.replace(default=hidden)
            for p in signature.parameters.values()
        ]
    )


def misfit(error: Exception, args: Any, kwargs: Any, signature: Any) -> str:
    """Say in TensorFlow's words that arguments do not fit."""
    return (
        f"Binding inputs to tf.function failed due to `{error}`. Received args: {args} and "
        f"kwargs: {kwargs} for signature: {signature}."
    )


def typed(signature: inspect.Signature, args: Sequence[Any], kwargs: Any) -> inspect.Signature:
    """Give the signature whose annotations are the types of arguments, and which has no defaults.

    Raises `TypeError` where the arguments are none of the function's.
    """
    bound = signature.bind(*args, **kwargs)
    bound.apply_defaults()
    found: list[tuple[str, Any, Any]] = []
    for p in signature.parameters.values():
        value = bound.arguments[p.name]
        if p.kind is Kind.VAR_POSITIONAL:
            found += [(f"{p.name}_{k}", Kind.POSITIONAL_ONLY, x) for k, x in enumerate(value)]
        elif p.kind is Kind.VAR_KEYWORD:
            found += [(name, Kind.KEYWORD_ONLY, x) for name, x in value.items()]
        else:
            found.append((p.name, p.kind, value))
    if any(kind is Kind.POSITIONAL_ONLY for _, kind, _ in found):  # those before it are, too
        first: Any = Kind.POSITIONAL_ONLY
        found = [(n, k if k is Kind.KEYWORD_ONLY else first, x) for n, k, x in found]
    return inspect.Signature([Kind(n, kind, annotation=spec_of(x)) for n, kind, x in found])
