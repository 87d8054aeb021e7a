"""What `get_concrete_function` gives: a function for arguments of some types."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

import numpy as np

from symtape import nest
from symtape.errors import UnsupportedError
from symtape.ops.arguments import is_tensor
from symtape.ops.composite import CompositeSpec, CompositeTensor
from symtape.ops.spec import TensorSpec, TypeSpec
from symtape.tensor.convert import convert
from symtape.tensor.dispatch import not_of
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable

Kind = inspect.Parameter
_NUMBERS = count()
_UNKNOWN = object()
_GRAPH = {"captured_inputs", "function_def", "graph", "inputs", "outputs", "variables"}

_NO_GRAPH = (
    ": the function runs as it is, and no graph of it is kept; tf.trace gives its steps, and "
    "`function` is the tf.function"
)


# --- types of arguments ---------------------------------------------------------------------------


class VariableSpec(TypeSpec):
    """The type of an argument that is a variable.

    >>> VariableSpec(Variable([1.0, 2.0]))
    VariableSpec(shape=(2,), dtype=tf.float32, trainable=True, alias_id=0)
    """

    __slots__ = ("dtype", "shape", "trainable")

    def __init__(self, variable: Variable) -> None:
        self.shape, self.dtype = variable.shape, variable.dtype
        self.trainable = variable.trainable

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VariableSpec) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        return (
            f"VariableSpec(shape={self.shape}, dtype={self.dtype!r}, trainable={self.trainable}, "
            "alias_id=0)"
        )


class _Shown(str):
    """A text that `inspect` writes as it is."""

    __slots__ = ()
    __repr__ = str.__str__


def spec_of(value: Any) -> Any:
    """Give the types of a structure: specs for tensors and variables, what else is there itself.

    >>> spec_of([convert(1.0), 2])
    [TensorSpec(shape=(), dtype=tf.float32, name=None), 2]
    """
    return nest.map_structure(_spec_of_leaf, value)


def _spec_of_leaf(value: Any) -> Any:
    if isinstance(value, Variable):
        return VariableSpec(value)
    if isinstance(value, (np.ndarray, np.generic)):
        return TensorSpec(value.shape, value.dtype)
    if isinstance(value, CompositeTensor):
        return value.type_spec
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
        return {key: cast(spec[key], value[key]) for key in spec}
    if isinstance(spec, (list, tuple)):
        parts = [cast(s, v) for s, v in zip(spec, value, strict=True)]
        return nest.pack_sequence_as(spec, nest.flatten(parts))
    if isinstance(spec, TensorSpec):
        return _cast_tensor(spec, value)
    if isinstance(spec, CompositeSpec):
        if not spec.is_compatible_with(value):
            raise TypeError(f"Can not cast {getattr(value, 'type_spec', value)} to {spec}")
        return value
    fits = spec_of(value) == spec and type(spec_of(value)) is type(spec)
    if not fits:
        raise TypeError(f"Can not cast {value!r} to {type_text(spec)}")
    return value


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
    if odd := [leaf for leaf in leaves if not hasattr(leaf, "is_compatible_with")]:
        raise TypeError(
            "input_signature must be a possibly nested sequence of TensorSpec objects, got "
            f"invalid args {odd} with types {list(map(type, odd))}."
        )
    return tuple(input_signature)


# --- signatures -----------------------------------------------------------------------------------


def check_constrained(signature: inspect.Signature, specs: Sequence[Any]) -> None:
    """Raise `TypeError` unless an `input_signature` has a spec for each parameter."""
    parameters = list(signature.parameters.values())
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


def without_defaults(signature: inspect.Signature) -> inspect.Signature:
    """Write no value of a default, as TensorFlow's errors do not."""
    hidden = _Shown("<captured_default_value>")
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


class ConcreteFunction:
    """A function for the arguments that it was asked for, as `get_concrete_function` gives it.

    It takes them as the function does, or its tensors alone, in order or by their names; whatever
    is no tensor has to be what it was. Raises `TypeError` for other arguments, and
    `InvalidArgumentError` for tensors of another dtype. The function runs as it is on every call,
    so that there is no graph. Of what types its results are is known after a call, and where all
    sizes of its arguments are known; otherwise `structured_outputs` raises `UnsupportedError`.

    >>> from symtape.ops.control.function import function
    >>> double = function(lambda x, times=2: times * x)
    >>> twice = double.get_concrete_function(TensorSpec([None]))
    >>> twice(convert([1.0, 2.0])).numpy(), twice.structured_input_signature[0][1]
    (array([2., 4.], dtype=float32), 2)
    """

    def __init__(self, function: Any, name: str, signature: inspect.Signature) -> None:
        self.function = function
        self.name = f"__inference_{name}_{next(_NUMBERS)}".encode()
        self._name = name
        self._signature = signature
        self._results: Any = _UNKNOWN
        self._leaves = [leaf for p in signature.parameters.values() for leaf in _named_leaves(p)]
        self._is_known = all([spec.shape.is_fully_defined() for _, spec in self._leaves])

    @property
    def function_type(self) -> inspect.Signature:
        """The types of arguments, and, after the first call, of results."""
        shown = [
            p.replace(annotation=_Shown(type_text(p.annotation)))
            for p in self._signature.parameters.values()
        ]
        made = inspect.Signature(shown)
        if self._results is _UNKNOWN:
            return made
        return made.replace(return_annotation=_Shown(type_text(self._results)))

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The types of positional arguments and of those that are named; specs have names."""
        named = [(p, _with_names(p)) for p in self._signature.parameters.values()]
        by_name = {p.name: spec for p, spec in named if p.kind is Kind.KEYWORD_ONLY}
        return tuple([spec for p, spec in named if p.kind is not Kind.KEYWORD_ONLY]), by_name

    @property
    def structured_outputs(self) -> Any:
        """The types of the results, which are known after the first call."""
        if self._results is _UNKNOWN:
            way = "call it first" if self._is_known else "give specs without None, and call it"
            raise UnsupportedError(
                f"structured_outputs of {self._name}: a function runs as it is, and which types it "
                f"gives is known after a call, for sizes that are known; {way}"
            )
        return self._results

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """Write the types of arguments and results, on one line unless it is `verbose`."""
        if not verbose:
            return str(self.function_type)
        lines = [
            f"  {p.name} ({p.kind.name}): {type_text(p.annotation)}"
            for p in self._signature.parameters.values()
        ]
        known = self._results is not _UNKNOWN
        told = type_text(self._results) if known else "not known"
        return "\n".join(["Input Parameters:", *lines, "Output Type:", f"  {told}"])

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function with what it takes, or with its tensors alone."""
        try:
            given = self._bound(args, kwargs)
        except (TypeError, ValueError, KeyError) as first:
            try:
                given = self._by_leaves(args, kwargs)
            except TypeError as second:
                told = misfit(first, args, kwargs, self.function_type)
                text = f"{told}\nFallback to flat signature also failed due to: {second}"
                raise TypeError(text) from None
        found = self.function(*given.args, **given.kwargs)
        if self._is_known:
            self._results = spec_of(found)
        return found

    def _bound(self, args: Any, kwargs: Any) -> inspect.BoundArguments:
        bound = self._signature.bind(*args, **kwargs)
        for name, value in bound.arguments.items():
            bound.arguments[name] = cast(self._signature.parameters[name].annotation, value)
        return bound

    def _by_leaves(self, args: Any, kwargs: Any) -> inspect.BoundArguments:
        """Put tensors where the types say that there are some."""
        tensors = iter(self._flat(args, kwargs))
        parameters = self._signature.parameters.values()
        found = {p.name: _filled(p.annotation, tensors) for p in parameters}
        return inspect.BoundArguments(self._signature, found)

    def _flat(self, args: Any, kwargs: Any) -> list[Any]:
        names = [name for name, _ in self._leaves]
        summary = f"{self._name}({', '.join(names)})"
        if len(args) > len(names):
            raise TypeError(f"{summary} takes {len(names)} positional arguments, got {len(args)}.")
        missing = sorted(set(names[len(args) :]) - set(kwargs))
        if missing:
            raise TypeError(f"{summary} missing required arguments: {', '.join(missing)}.")
        for name in kwargs:
            if name in names[: len(args)]:
                raise TypeError(f"{summary} got two values for '{name}'.")
        if others := sorted(set(kwargs) - set(names)):
            raise TypeError(f"{summary} got unexpected keyword arguments: {', '.join(others)}.")
        given = [*args, *[kwargs[name] for name in names[len(args) :]]]
        for k, (value, (_, spec)) in enumerate(zip(given, self._leaves, strict=True)):
            if not is_tensor(value):
                kind = type(value).__name__
                raise TypeError(
                    f"{summary}: expected argument #{k}(zero-based) to be a Tensor; got {kind} "
                    f"({value})."
                )
            if value.dtype != spec.dtype:
                raise not_of(self.name.decode(), spec.dtype, value, k)
        return given

    def __getattr__(self, name: str) -> Any:
        hint = _NO_GRAPH if name in _GRAPH else ""
        raise AttributeError(f"'ConcreteFunction' object has no attribute '{name}'{hint}")

    def __str__(self) -> str:
        return f"ConcreteFunction {self.pretty_printed_signature()}"

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.function_type} at 0x{id(self):X}>"


def _named_leaves(p: inspect.Parameter) -> list[tuple[str, Any]]:
    """List the tensors and variables in a parameter, each with its own name, or by its place."""
    leaves, tree = nest.take_apart(p.annotation)
    return [
        (getattr(leaf, "name", None) or label, leaf)
        for label, leaf in zip(tree.labels(p.name), leaves, strict=True)
        if isinstance(leaf, TypeSpec)
    ]


def _with_names(p: inspect.Parameter) -> Any:
    """Give the types of a parameter, in which tensors have names."""
    named = [
        TensorSpec.from_spec(spec, name) if isinstance(spec, TensorSpec) else spec
        for name, spec in _named_leaves(p)
    ]
    return _filled(p.annotation, iter(named))


def _filled(types: Any, supply: Iterator[Any]) -> Any:
    """Put what is supplied where the types say that there is a tensor or a variable."""
    return nest.map_structure(
        lambda leaf: next(supply) if isinstance(leaf, TypeSpec) else leaf, types
    )
