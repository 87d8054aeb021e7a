"""`tf.custom_gradient` and `tf.grad_pass_through`: functions with gradients of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import update_wrapper
from typing import Any, ParamSpec, TypeVar, overload

from symtape import nest
from symtape.differentiation.rule import rule_of
from symtape.signatures import read_signature
from symtape.tensor.convert import convert
from symtape.tensor.recording.active import THREAD, changing, read_setting
from symtape.tensor.recording.graphs import INSIDE, Part
from symtape.tensor.tensor import Tensor
from symtape.tensor.variables.variable import Variable

P = ParamSpec("P")
R = TypeVar("R")


@overload
def custom_gradient(f: Callable[..., Any]) -> CustomGradient: ...


@overload
def custom_gradient(f: None = None) -> type[CustomGradient]: ...


def custom_gradient(
    f: Callable[..., Any] | None = None,
) -> CustomGradient | type[CustomGradient]:
    """Let a function say its gradient: it gives its value and a function of cotangents.

    `f(*x)` gives `(y, grad_fn)`. `y` is a tensor, or a structure of tensors. `grad_fn(*upstream)`
    is called when a gradient is taken, with a cotangent of the shape of each of the tensors in `y`,
    zeros where no target depends on it; it gives as many gradients as `x` has tensors, each of the
    shape and dtype of its own, or None where nothing connects. Where `f` reads trainable variables
    that are no arguments, `grad_fn` is called with `variables=`, a list of them, and gives a pair:
    the gradients by `x`, and a list of those by the variables. Keyword arguments of `f` are passed
    on, and have no gradients.

    What `grad_fn` computes of tensors is differentiated in turn by outer tapes, with all that it
    took from the forward computation, and its formula is read through. What it computes in NumPy is
    a number to both. It decorates functions and methods, as `@custom_gradient` and
    `@custom_gradient()`.

    Raises `TypeError` where `f` reads variables and `grad_fn` takes none, or is no function;
    when a gradient is taken, `ValueError` for a wrong number of gradients, and
    `InvalidArgumentError` for one of another shape or dtype.

    >>> from symtape.tape import GradientTape
    >>> from symtape.tensor.convert import convert
    >>> @custom_gradient
    ... def square(x):
    ...     return x * x, lambda upstream: upstream * 2.0 * x
    >>> x = convert(3.0)
    >>> with GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = square(x)
    >>> dy_dx = tape.gradient(y, x)
    >>> print(dy_dx, dy_dx.expr)
    tf.Tensor(6.0, shape=(), dtype=float32) 2*x
    """
    return CustomGradient(f) if f is not None else CustomGradient


class CustomGradient:
    """A function with a gradient of its own, called as the function is; methods are bound."""

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self.__original_wrapped__ = function  # TensorFlow's name for what it decorates
        self._function = function

    def __get__(self, instance: Any, owner: Any = None) -> CustomGradient:
        """Bind a method."""
        if instance is None:
            return self
        return CustomGradient(self._function.__get__(instance, owner))

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the value alone: its derivative is that of the computation."""
        return self._function(*args, **kwargs)[0]

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function, and let its gradient be the one that it says."""
        if args and isinstance(args[0], type):  # of a class method, from Python 3.13 on
            return self.__get__(args[0])(*args[1:], **kwargs)
        passed = THREAD.state.passed
        if read_setting(_are_passed_over) and passed is not None:
            changing()  # who traces it has to call it again, to see it called
            passed.append(self)
            return self.forward(*args, **kwargs)
        given = [*nest.flatten(args), *nest.flatten(kwargs)]
        function = _in_graph(self._function) if _has_graph() else self._function
        with INSIDE.underived():
            (value, grad_fn), read = _watched(function, args, kwargs)
        variables = [v for v in read if not any(v is x for x in given)]
        name = getattr(self, "__name__", repr(self._function))
        if not callable(grad_fn):
            raise TypeError(f"unsupported callable: {name} gives (value, function of cotangents)")
        if variables and not _takes_variables(grad_fn):
            raise TypeError(
                "@tf.custom_gradient grad_fn must accept keyword argument 'variables', since "
                f"function uses variables: {variables}"
            )
        results = [convert(y) for y in nest.flatten(value)]
        inputs = [convert(x) for x in (*nest.flatten(args), *variables)]
        outs = [Tensor(y.raw) for y in results]
        rule = rule_of(name, grad_fn, inputs, variables, results)
        for recording in THREAD.state.recordings:
            recording.record_custom(rule, inputs, results, outs)
        return nest.pack_sequence_as(value, outs)


def _are_passed_over() -> bool:
    return THREAD.state.passed is not None


@contextmanager
def passing_over() -> Iterator[list[CustomGradient]]:
    """Derive by the computation of functions with gradients of their own; list those called.

    >>> @custom_gradient
    ... def square(x):
    ...     return x * x, lambda upstream: upstream
    >>> with passing_over() as called:
    ...     square(convert(3.0)).numpy()
    np.float32(9.0)
    >>> called == [square]
    True
    """
    state = THREAD.state
    before, state.passed = state.passed, []
    try:
        yield state.passed
    finally:
        state.passed = before


def _has_graph() -> bool:
    """Say whether a `tf.function` runs of which something is recorded."""
    return bool(INSIDE.depth and THREAD.state.recordings)


def _in_graph(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let the gradient of a function be taken in the graph that it is called in.

    A gradient of what a `tf.function` computes is part of its graph, so that `tf.gradients` is
    there, also where the gradient is taken when the function is over.
    """

    def called(*args: Any, **kwargs: Any) -> Any:
        part = Part()
        with part.written([x for x in nest.flatten(args) if isinstance(x, Tensor)]):
            value, grad_fn = function(*args, **kwargs)
        return value, part.entered_again()(grad_fn) if callable(grad_fn) else grad_fn

    return called


def _watched(
    function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]
) -> tuple[Any, list[Variable]]:
    """Call a function, and list the trainable variables that it reads, oldest first."""
    found: dict[int, Any] = {}
    readers = THREAD.state.readers
    readers.append(lambda handle: found.setdefault(handle.number, handle))
    try:
        result = function(*args, **kwargs)
    finally:
        readers.pop()
    handles = [found[number] for number in sorted(found) if found[number].trainable]
    return result, [v for v in (handle.variable() for handle in handles) if v is not None]


def _takes_variables(function: Callable[..., Any]) -> bool:
    parameters = read_signature(function).parameters
    return "variables" in parameters or any(p.kind is p.VAR_KEYWORD for p in parameters.values())


def grad_pass_through(f: Callable[P, R]) -> Callable[P, R]:
    """Give a function of the same value whose gradient is that of the identity.

    The cotangent of each result is the gradient by the argument at its place, so there are as many
    results as arguments, of the same shapes. Variables that `f` reads receive none.

    When a gradient is taken, it raises what `custom_gradient` raises.

    >>> from symtape.ops.elementwise.functions import round
    >>> from symtape.tape import GradientTape
    >>> from symtape.tensor.convert import convert
    >>> x = convert(3.4)
    >>> with GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = grad_pass_through(round)(x) * x
    >>> tape.gradient(y, x).numpy()
    np.float32(6.4)
    """

    def through(*args: Any, **kwargs: Any) -> Any:
        def grad(*upstream: Any, variables: Any = None) -> Any:
            return upstream if variables is None else (upstream, [None] * len(variables))

        return f(*args, **kwargs), grad

    made: Callable[P, R] = update_wrapper(custom_gradient(through), f)
    return made
