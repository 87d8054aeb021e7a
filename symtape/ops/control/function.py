"""`tf.function`: a function that runs as it is, and gives tensors."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar, NoReturn, overload
from weakref import WeakValueDictionary

from symtape import nest
from symtape.errors import UnsupportedError
from symtape.ops.arguments import is_tensor
from symtape.ops.composite import Composite
from symtape.ops.control.concrete import ConcreteFunction
from symtape.ops.control.flow import executing_eagerly
from symtape.ops.control.function_types import (
    cast,
    check_constrained,
    check_given,
    declared,
    misfit,
    type_text,
    typed,
    without_defaults,
)
from symtape.ops.control.signatures import MOST_TRACES, Calls
from symtape.ops.control.tensor_array import TensorArray
from symtape.ops.elementwise.conversion import identity
from symtape.ops.random.traced.draws_of_functions import Draws
from symtape.ops.runtime import default_graph  # noqa: F401 - a tensor within has a graph
from symtape.ops.runtime.bound import as_argument
from symtape.signatures import read_signature
from symtape.tensor.convert import convert
from symtape.tensor.dtypes import DType
from symtape.tensor.recording import graphs
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable
from symtape.tensor.variables.versions import Handle

FOLLOWERS: list[Callable[[Any, Any], Any]] = []
"""Called with what functions are called with and what they give, which they give back."""


class Function:
    """A Python function under `tf.function`: it runs as it is, on every call.

    As in TensorFlow, NumPy arrays become tensors before it is called, and whatever
    `input_signature` names; numbers, texts and variables that it gives become tensors. Raises
    `TypeError` where arguments do not fit `input_signature`, and where the function gives what is
    no tensor.
    """

    def __init__(
        self,
        python_function: Callable[..., Any],
        input_signature: Any = None,
        *,
        relaxes: bool = False,
    ) -> None:
        functools.update_wrapper(self, python_function)
        self._python_function = python_function
        self._input_signature: Any = declared(input_signature)
        self._relaxes = relaxes
        self._draws = Draws(relaxes)
        self._calls = Calls(relaxes)

    @property
    def python_function(self) -> Callable[..., Any]:
        """The function that was decorated."""
        return self._python_function

    @property
    def name(self) -> str:
        """The name of the function that was decorated."""
        return str(getattr(self._python_function, "__name__", "function"))

    @property
    def input_signature(self) -> Any:
        """What was given as `input_signature`, as a tuple."""
        return self._input_signature

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        given = args, kwargs
        if self._input_signature is not None:
            args, kwargs = self._bound(args, kwargs)
        elif kwargs or not all([a.__class__ in _AS_THEY_ARE for a in args]):
            args, kwargs = nest.map_structure(as_argument, (args, kwargs))
        self._note(args, kwargs)
        function, draws = self._python_function, self._draws.call
        try:
            found = graphs.run(
                function, lambda: draws(function, args, kwargs, self._input_signature)
            )
        except TypeError:
            with suppress(ValueError):  # a function of C, whose signature nobody knows
                self._check_taken(*given)
            raise
        if found.__class__ is not Tensor:
            found = nest.map_structure(self._result, found)
        for follower in FOLLOWERS:
            found = follower((args, kwargs), found)
        return found

    def _check_taken(self, args: Any, kwargs: Any) -> None:
        """Raise TensorFlow's error for arguments that the function does not take."""
        signature = read_signature(self._python_function)
        try:
            signature.bind(*args, **kwargs)
        except TypeError as error:
            shown = without_defaults(signature)
            raise TypeError(misfit(error, args, kwargs, shown)) from None

    def _note(self, args: Any, kwargs: Any) -> None:
        """Remember a call; with an `input_signature` all calls are alike."""
        if self._input_signature is None:
            self._calls.note(args, kwargs, self._python_function)
        else:
            self._calls.note((), {})

    def _bound(self, args: Any, kwargs: Any) -> tuple[Any, Any]:
        """Convert arguments to what `input_signature` says of them."""
        signature = read_signature(self._python_function)
        try:
            bound = signature.bind(*args, **kwargs)
            check_given(self._input_signature, bound)
            given = [*bound.args, *bound.kwargs.values()]
            specs = self._input_signature
            given[: len(specs)] = [cast(s, v) for s, v in zip(specs, given, strict=False)]
        except (TypeError, ValueError) as error:
            specs = zip(signature.parameters, self._input_signature, strict=False)
            shown = ", ".join(f"{name}: {type_text(spec)}" for name, spec in specs)
            raise TypeError(misfit(error, args, kwargs, f"({shown})")) from None
        count = len(bound.args)
        return given[:count], dict(zip(bound.kwargs, given[count:], strict=True))

    def _result(self, value: Any) -> Any:
        """Make what the function gave a tensor, as far as TensorFlow does."""
        if value is None or isinstance(value, (Tensor, TensorArray, Handle)):
            return value
        if isinstance(value, Composite):
            return value._convert_variables_to_tensors()  # noqa: SLF001 - TensorFlow's name
        if hasattr(value, "element_spec"):  # a data set, which is no tensor in TensorFlow either
            return value
        with suppress(TypeError, ValueError):
            if not isinstance(value, DType):
                return identity(value) if is_tensor(value) else convert(value)
        raise TypeError(
            "To be compatible with tf.function, Python functions must return zero or more Tensors "
            f"or ExtensionTypes or None values; in compilation of {self._python_function}, found "
            f"return value of type {type(value).__name__}, which is not a Tensor or ExtensionType."
        )

    def __get__(self, instance: Any, owner: type | None = None) -> Function:
        if instance is None:
            return self
        bound = self._python_function.__get__(instance, owner)
        made = Function(bound, self._input_signature, relaxes=self._relaxes)
        made._draws = self._draws.of(instance)
        made._calls = self._calls.of(instance)
        return made

    def _decorate(self, decorator: Callable[[Any], Any]) -> None:
        """Decorate the Python function itself, as bases of modules do; raises after a call."""
        if self._calls.traces:
            raise ValueError("Functions cannot be decorated after they have been traced.")
        self._python_function = decorator(self._python_function)

    def rebound(self, standin: Callable[[Any], Any]) -> Function:
        """Decorate what stands for the function, while a function that calls it is traced."""
        return Function(standin(self._python_function), self._input_signature)

    def get_concrete_function(self, /, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """Give the function for the types of some arguments, or of its `input_signature`.

        Arguments are tensors, specs, and what is no tensor. Raises `TypeError` where the function
        does not take them. `tf.saved_model.save` keeps a function for what was asked for here.
        """
        signature = read_signature(self._python_function)
        if self._input_signature is None:
            args, kwargs = nest.map_structure(as_argument, (args, kwargs))
        else:
            if args or kwargs:
                self._bound(args, kwargs)
            args, kwargs = self._input_signature, {}
        self._check_taken(args, kwargs)
        types = typed(signature, args, kwargs)
        self._note(args, kwargs)
        if self._input_signature is None:
            self._draws.trace(self._python_function, args, kwargs)
        return ConcreteFunction(self, self.name, types)

    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> NoReturn:
        """Refuse: nobody keeps what calls gave, since nothing is traced."""
        raise UnsupportedError(
            f"{self.name}.pretty_printed_concrete_signatures: nothing is traced; of one kind of "
            "arguments, get_concrete_function(…).pretty_printed_signature() tells"
        )

    @property
    def calls(self) -> Calls:
        """What the function was called with, unless it has an `input_signature`."""
        return self._calls

    def experimental_get_tracing_count(self) -> int:
        """Count the kinds of arguments of calls, for each of which TensorFlow traces a function.

        Here a function runs as it is on every call. Raises `UnsupportedError` for more than 4,096
        of them.
        """
        count = len(self._calls.traces)
        if count > MOST_TRACES:
            raise UnsupportedError(f"a tracing count of more than {MOST_TRACES}")
        return count


class Implementation(Function):
    """A function that implements an API, and gives way to one that does so for processors.

    Packages give both the same `api_implements`, and the other `api_preferred_device`. TensorFlow's
    Grappler replaces calls in graphs, which are calls within functions here, but not those that
    are derived from outside: their results and derivatives are the first one's.
    """

    for_processors: ClassVar[WeakValueDictionary[str, Function]] = WeakValueDictionary()
    """The functions that prefer processors, by what they implement."""
    api = ""

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function, or the one that takes its place."""
        other = None if executing_eagerly() else self.for_processors.get(self.api)
        if other is None:
            return super().__call__(*args, **kwargs)
        if _is_derived((args, kwargs)):
            found = super().__call__(*args, **kwargs)
            if _is_derived(found):
                return found
        return other(*args, **kwargs)


def _is_derived(values: Any) -> bool:
    """Say whether a recording from outside of functions follows a value."""
    leaves = nest.flatten(values)
    return any(recording.knows(leaves) for recording in graphs.INSIDE.outside)


def _implementing(inner: Callable[..., Any], signature: Any, attributes: Any, how: Any) -> Function:
    """Make a function with TensorFlow's attributes, of which these two tell who implements what."""
    api = dict(attributes or {}).get("api_implements")
    if api is None:
        return Function(inner, signature, **how)
    if attributes.get("api_preferred_device") == "CPU":
        made = Implementation.for_processors[api] = Function(inner, signature, **how)
        return made
    other = Implementation(inner, signature, **how)
    other.api = api
    return other


_AS_THEY_ARE = {Tensor, Variable, int, float, bool, str, type(None)}
"""Types of arguments that need not be taken apart."""


@overload
def function(
    func: Callable[..., Any],
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: Any = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Any = None,
    experimental_relax_shapes: Any = None,
    experimental_compile: Any = None,
    experimental_follow_type_hints: Any = None,
) -> Function: ...


@overload
def function(
    func: None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: Any = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Any = None,
    experimental_relax_shapes: Any = None,
    experimental_compile: Any = None,
    experimental_follow_type_hints: Any = None,
) -> Callable[[Callable[..., Any]], Function]: ...


def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: Any = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Any = None,
    experimental_relax_shapes: Any = None,
    experimental_compile: Any = None,
    experimental_follow_type_hints: Any = None,
) -> Function | Callable[[Callable[..., Any]], Function]:
    """Decorate a function, which then runs as it is; a decorator, with and without arguments.

    None of the arguments after `input_signature` changes what the function computes, but for
    `experimental_attributes` that choose between implementations (`Implementation`).

    >>> @function(jit_compile=True)
    ... def double(x):
    ...     return x * 2
    >>> double(convert(3)).numpy()
    np.int32(6)
    """

    def decorate(inner: Callable[..., Any]) -> Function:
        if not callable(inner):
            raise TypeError(f"{inner!r} is not a callable object")
        relaxes = bool(reduce_retracing or experimental_relax_shapes)
        attributes = experimental_attributes
        made = _implementing(inner, input_signature, attributes, {"relaxes": relaxes})
        if made.input_signature is not None:  # once, and not for each method that is taken
            check_constrained(read_signature(inner), made.input_signature)
        return made

    return decorate if func is None else decorate(func)
