"""What `get_concrete_function` gives: a function for arguments of some types."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from itertools import count
from typing import Any

from symtape import nest
from symtape.errors import UnsupportedError
from symtape.nest.trees import take_apart
from symtape.ops.arguments import is_tensor
from symtape.ops.composite import Composite, CompositeTensor
from symtape.ops.control.function_types import Kind, Written, cast, misfit, spec_of, type_text
from symtape.ops.control.probing import example, leaving_nothing
from symtape.ops.control.signatures import unnoted
from symtape.ops.spec import TensorSpec, TypeSpec
from symtape.tensor.dispatch import not_of
from symtape.tensor.dtypes import DType
from symtape.tensor.recording.looking import Looking, looking, probing
from symtape.tensor.shape import TensorShape
from symtape.tensor.variables.versions import told_to

_NUMBERS = count()
_UNKNOWN = object()
_PROBES = (2, 3, 5)
"""Sizes that vary are these, one after the other; what is equal for all is known."""
_GRAPH = {"captured_inputs", "function_def", "graph"}

_NO_GRAPH = (
    ": the function runs as it is, and no graph of it is kept; tf.trace gives its steps, and "
    "`function` is the tf.function"
)


class ConcreteFunction:
    """A function for the arguments that it was asked for, as `get_concrete_function` gives it.

    It takes them as the function does, or its tensors alone, in order or by their names; whatever
    is no tensor has to be what it was. Raises `TypeError` for other arguments, and
    `InvalidArgumentError` for tensors of another dtype. The function runs as it is on every call,
    so that there is no graph. To tell `structured_outputs`, `output_shapes` and `output_dtypes`
    before a call, it runs with zeros, for which what it assigns is undone; where it fails for them,
    or an argument is a variable, they raise `UnsupportedError` until it was called.

    >>> from symtape.ops.control.function import function
    >>> from symtape.tensor.convert import convert
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
        self._called: Any = _UNKNOWN
        self._variables: tuple[Any, ...] | None = None
        self._leaves = [leaf for p in signature.parameters.values() for leaf in _named_leaves(p)]
        self._positional = len(self._leaves)
        self._is_known = all([_is_whole(spec) for _, spec in self._leaves])

    @property
    def function_type(self) -> inspect.Signature:
        """The types of arguments, and, after the first call, of results."""
        shown = [
            p.replace(annotation=Written(type_text(p.annotation)))
            for p in self._signature.parameters.values()
        ]
        made = inspect.Signature(shown)
        if self._results is _UNKNOWN and self._called is _UNKNOWN:
            return made
        return made.replace(return_annotation=Written(type_text(self._known("function_type"))))

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The types of positional arguments and of those that are named; specs have names."""
        named = [(p, _with_names(p)) for p in self._signature.parameters.values()]
        by_name = {p.name: spec for p, spec in named if p.kind is Kind.KEYWORD_ONLY}
        return tuple([spec for p, spec in named if p.kind is not Kind.KEYWORD_ONLY]), by_name

    @property
    def structured_outputs(self) -> Any:
        """The types of the results."""
        return self._known("structured_outputs")

    @property
    def inputs(self) -> list[Any]:
        """The types of the tensors that it takes, one by one, with their names."""
        return [spec for _, spec in self._leaves]

    @property
    def tensor_names(self) -> list[str]:
        """Name the tensors that it takes by their specs, else by their parameters, each once.

        They are in the order of positional arguments, then of named ones by their names.
        """
        found: list[str] = []
        parameters = self._signature.parameters.values()
        for p in sorted(parameters, key=lambda p: p.name if p.kind is Kind.KEYWORD_ONLY else ""):
            for _, spec in _named_leaves(p):
                name = getattr(spec, "name", None) or p.name
                again = (f"{name}_{k}" for k in count(1))
                found.append(
                    name if name not in found else next(n for n in again if n not in found)
                )
        return found

    @property
    def outputs(self) -> list[Any]:
        """The types of the tensors that it gives, one by one."""
        return [spec for spec in nest.flatten(self._known("outputs")) if spec is not None]

    @property
    def output_shapes(self) -> Any:
        """The shapes of the results in their structure, an unknown one where there is `None`."""
        return nest.map_structure(_shape_of, self._known("output_shapes"))

    @property
    def output_dtypes(self) -> Any:
        """The dtypes of the results in their structure, `None` where there is `None`."""
        return nest.map_structure(_dtype_of, self._known("output_dtypes"))

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables that it reads and assigns, in that order, as a run with zeros shows.

        Raises `UnsupportedError` where a tensor decides which they are, and where that fails.
        """
        if self._variables is None:
            self._variables = self._used()
        if self._variables is None:
            raise UnsupportedError(
                f"variables of {self._name}: a run with zeros does not tell which it reads, for it "
                "fails, or a tensor decides; keep them in a tf.Module, which has `variables`"
            )
        return self._variables

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """Those of its variables that can be trained."""
        return tuple([v for v in self.variables if v.trainable])

    def _used(self) -> tuple[Any, ...] | None:
        """List the variables that a run with examples uses; None where that does not tell."""
        specs = [spec for _, spec in self._leaves]
        if not all([isinstance(s, TensorSpec) and s.shape.rank is not None for s in specs]):
            return None
        with suppress(Exception):  # whatever the user's code does with zeros
            run = self._run_for(specs, _PROBES[0])[1]
            used = None if run is None else run.used
            return None if used is None else tuple(used)
        return None

    def _known(self, asked: str) -> Any:
        """Give the types of the results; raises `UnsupportedError` before they are known."""
        if self._results is _UNKNOWN:
            self._results = self._looked_at()
        if self._results is _UNKNOWN:
            self._results = self._called
        if self._results is _UNKNOWN:
            way = "call it first" if self._is_known else "give specs without None, and call it"
            raise UnsupportedError(
                f"{asked} of {self._name}: a function runs as it is, and which types it "
                f"gives is known after a call, for sizes that are known; {way}"
            )
        return self._results

    def _looked_at(self) -> Any:
        """Give the types of the results for examples of several sizes, as far as they agree."""
        specs = [spec for _, spec in self._leaves]
        if not all([isinstance(s, TensorSpec) and s.shape.rank is not None for s in specs]):
            return _UNKNOWN
        try:
            first, has_varied = self._types_for(specs, _PROBES[0])
            if not has_varied:
                return first
            others = [self._types_for(specs, number)[0] for number in _PROBES[1:]]
            return nest.map_structure(_common, first, *others)
        except Exception:  # noqa: BLE001 - whatever the user's code does with an odd size
            return self._types_for(specs, 0)[0] if self._is_known else _UNKNOWN

    def _types_for(self, specs: Sequence[TensorSpec], number: int) -> tuple[Any, bool]:
        """Give the types of the results for examples, and whether others would have others."""
        found, run = self._run_for(specs, number)
        return found, run is not None and run.has_varied

    def _run_for(self, specs: Sequence[TensorSpec], number: int) -> tuple[Any, Looking | None]:
        """Run with examples; gives the types of the results, and what knows of the run."""
        with leaving_nothing(), unnoted(), probing(number):
            given = self._placed([example(spec, number) for spec in specs])
            run = looking()
            with nullcontext() if run is None else told_to(run.notice):
                return _types_of(self.function(*given.args, **given.kwargs)), run

    def add_to_graph(self, g: Any = None, overwrite: bool = False) -> None:
        """Do nothing: there is no graph to which it could be added."""

    add_gradient_functions_to_graph = add_to_graph

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """Write the types of arguments and results, on one line unless it is `verbose`."""
        if not verbose:
            return str(self.function_type)
        lines = [
            f"  {p.name} ({p.kind.name}): {type_text(p.annotation)}"
            for p in self._signature.parameters.values()
        ]
        known = self._results is not _UNKNOWN or self._called is not _UNKNOWN
        told = type_text(self._known("a signature")) if known else "not known"
        return "\n".join(["Input Parameters:", *lines, "Output Type:", f"  {told}"])

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function with what it takes, or with its tensors alone."""
        try:
            given = self._bound(args, kwargs)
        except (TypeError, ValueError, KeyError) as first:
            try:
                given = self._placed(self._flat(args, kwargs))
            except TypeError as second:
                told = misfit(first, args, kwargs, self.function_type)
                text = f"{told}\nFallback to flat signature also failed due to: {second}"
                raise TypeError(text) from None
        found = self.function(*given.args, **given.kwargs)
        if self._is_known:
            self._called = _types_of(found)
        return found

    def _bound(self, args: Any, kwargs: Any) -> inspect.BoundArguments:
        bound = self._signature.bind(*args, **kwargs)
        for name, value in bound.arguments.items():
            bound.arguments[name] = cast(self._signature.parameters[name].annotation, value)
        return bound

    def _placed(self, given: Sequence[Any]) -> inspect.BoundArguments:
        """Put tensors where the types say that there are some."""
        tensors = iter(given)
        parameters = self._signature.parameters.values()
        found = {p.name: _filled(p.annotation, tensors) for p in parameters}
        return inspect.BoundArguments(self._signature, found)

    def _flat(self, args: Any, kwargs: Any) -> list[Any]:
        names = [name for name, _ in self._leaves]
        summary = f"{self._name}({', '.join(names)})"
        most = self._positional
        if len(args) > most:
            raise TypeError(f"{summary} takes {most} positional arguments, got {len(args)}.")
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


def _is_whole(spec: Any) -> bool:
    """Say whether all sizes are known, of what has no shape itself those of its tensors."""
    shaped = [spec] if hasattr(spec, "shape") else nest.flatten(spec, expand_composites=True)
    return all([part.shape.is_fully_defined() for part in shaped])


def _types_of(found: Any) -> Any:
    """Give the types of results; what somebody's own class makes of tensors is kept as it is."""
    return nest.map_structure(
        lambda leaf: (
            leaf
            if isinstance(leaf, Composite) and not isinstance(leaf, CompositeTensor)
            else spec_of(leaf)
        ),
        found,
    )


def _common(*types: Any) -> Any:
    """Give the type that results have in several runs; raises `TypeError` for none."""
    if isinstance(types[0], TypeSpec):
        found = types[0].most_specific_common_supertype(types[1:])
        if found is None:
            raise TypeError(f"results of several types: {types}")
        return found
    return types[0]


def _shape_of(result: Any) -> TensorShape:
    return TensorShape(None) if result is None else result.shape


def _dtype_of(result: Any) -> DType | None:
    return None if result is None else result.dtype


def _named_leaves(p: inspect.Parameter) -> list[tuple[str, Any]]:
    """List the tensors and variables in a parameter, each with its own name, or by its place."""
    leaves, tree = take_apart(p.annotation)
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
