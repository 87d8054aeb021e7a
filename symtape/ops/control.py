"""Control flow and `tf.function`: Python runs, and conditions remember what it decided."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, overload

from symtape import nest
from symtape.errors import InvalidArgumentError, UnsupportedError
from symtape.ops.arguments import is_tensor, scalar
from symtape.tensor.convert import convert


def cond(pred: Any, true_fn: Any = None, false_fn: Any = None, name: str | None = None) -> Any:
    """Call one of two functions; the relation that a tensor decided is in `conditions` afterwards.

    Raises `TypeError` for what is not callable.

    >>> cond(convert(2.0) > 1.0, lambda: "large", lambda: "small")
    'large'
    """
    for what, function in (("true_fn", true_fn), ("false_fn", false_fn)):
        if not callable(function):
            raise TypeError(f"'{what}' must be callable.")
    return true_fn() if bool(pred) else false_fn()


def case(
    pred_fn_pairs: Any,
    default: Any = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """Call the function of the first pair whose predicate is true, else `default`.

    With `exclusive`, raises `InvalidArgumentError` if several predicates are true.

    >>> case([(convert(False), lambda: 1), (convert(True), lambda: 2)])
    2
    """
    pairs = list(pred_fn_pairs.items()) if isinstance(pred_fn_pairs, dict) else list(pred_fn_pairs)
    pairs = [
        (pred.deref() if hasattr(pred, "deref") else pred, function) for pred, function in pairs
    ]
    if exclusive and sum(bool(pred) for pred, _ in pairs) > 1:
        raise InvalidArgumentError(
            message="Input error: exclusive=True: more than 1 conditions "
            f"({[p for p, _ in pairs]}) evaluated as True."
        )
    for pred, function in pairs:
        if bool(pred):
            return function()
    if default is None:
        raise InvalidArgumentError(message="None of the conditions evaluated as True.")
    return default()


def switch_case(
    branch_index: Any, branch_fns: Any, default: Any = None, name: str = "switch_case"
) -> Any:
    """Call the function with a number; the last one, or `default`, for numbers that none has.

    >>> switch_case(convert(1), [lambda: "zero", lambda: "one"])
    'one'
    """
    table = dict(branch_fns) if isinstance(branch_fns, dict) else dict(enumerate(branch_fns))
    if any([isinstance(v, tuple) for v in table.values()]):
        table = dict(branch_fns)
    number = scalar(branch_index)
    if is_tensor(branch_index):
        number = int(branch_index.read())  # which tapes remember
    chosen = table.get(number)
    if chosen is None:
        chosen = default if default is not None else table[max(table)]
    return chosen()


def while_loop(
    cond: Any,
    body: Any,
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: Any = None,
    name: str | None = None,
) -> Any:
    """Call `body` on the loop variables as long as `cond` of them is true; give the last ones.

    `shape_invariants`, `parallel_iterations` and `swap_memory` change nothing. Raises `TypeError`
    for what is not callable, `ValueError` if `body` gives another structure, and `UnsupportedError`
    for `back_prop=False`.

    >>> [x.numpy().item() for x in while_loop(lambda i: i < 3, lambda i: [i + 1], [convert(0)])]
    [3]
    """
    for what, function in (("cond", cond), ("body", body)):
        if not callable(function):
            raise TypeError(f"'{what}' must be callable.")
    if not loop_vars:
        raise ValueError("'loop_vars' must be provided.")
    if not back_prop:
        raise UnsupportedError(
            "while_loop with back_prop=False: give back_prop=True and stop_gradient of the results"
        )
    limit = None if maximum_iterations is None else scalar(maximum_iterations)
    variables = nest.map_structure(convert, loop_vars)
    count = 0
    while (limit is None or count < limit) and bool(cond(*variables)):
        found = body(*variables)
        if not isinstance(found, (list, tuple)):
            found = [found]
        nest.assert_same_structure(list(variables), list(found))
        variables = nest.pack_sequence_as(
            loop_vars, [convert(v) for v in nest.flatten(list(found))]
        )
        count += 1
    return variables


class Function:
    """A Python function under `tf.function`: it runs as it is, on every call."""

    def __init__(self, python_function: Callable[..., Any], input_signature: Any = None) -> None:
        functools.update_wrapper(self, python_function)
        self._python_function = python_function
        self._input_signature = input_signature

    @property
    def python_function(self) -> Callable[..., Any]:
        """The function that was decorated."""
        return self._python_function

    @property
    def input_signature(self) -> Any:
        """What was given as `input_signature`."""
        return self._input_signature

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        return self._python_function(*args, **kwargs)

    def __get__(self, instance: Any, owner: type | None = None) -> Function:
        if instance is None:
            return self
        return Function(self._python_function.__get__(instance, owner), self._input_signature)

    def rebound(self, standin: Callable[[Any], Any]) -> Function:
        """Decorate what stands for the function, while a function that calls it is traced."""
        return Function(standin(self._python_function), self._input_signature)

    def get_concrete_function(self, /, *args: Any, **kwargs: Any) -> Function:
        """Give oneself: there is one function for all shapes and dtypes."""
        return self

    def experimental_get_tracing_count(self) -> int:
        """Give 0: nothing is traced."""
        return 0


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

    None of the arguments after the first changes what the function computes.

    >>> @function(jit_compile=True)
    ... def double(x):
    ...     return x * 2
    >>> double(convert(3)).numpy()
    np.int32(6)
    """

    def decorate(inner: Callable[..., Any]) -> Function:
        return Function(inner, input_signature)

    return decorate if func is None else decorate(func)


def executing_eagerly() -> bool:
    """Say whether operations run at once: they do.

    >>> executing_eagerly()
    True
    """
    return True


@contextmanager
def _transparent() -> Iterator[None]:
    yield


def init_scope() -> AbstractContextManager[None]:
    """A context that changes nothing, since everything is eager.

    >>> with init_scope():
    ...     executing_eagerly()
    True
    """
    return _transparent()


def control_dependencies(control_inputs: Any) -> AbstractContextManager[None]:
    """A context that changes nothing, since operations run in the order of the code.

    >>> with control_dependencies([]):
    ...     executing_eagerly()
    True
    """
    return _transparent()


class name_scope:  # noqa: N801 - TensorFlow's name
    """A context that names operations in TensorFlow; here only variables and tensors have names."""

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        self.name = name

    def __enter__(self) -> str:
        return f"{self.name}/"

    def __exit__(self, *_: object) -> None:
        """Leave."""


def device(device_name: Any) -> AbstractContextManager[None]:
    """A context that changes nothing: there is one device.

    >>> with device("/CPU:0"):
    ...     executing_eagerly()
    True
    """
    return _transparent()


def group(*inputs: Any, **kwargs: Any) -> None:
    """Give None: its arguments were computed when they were made.

    >>> group(convert(1), convert(2)) is None
    True
    """


def no_op(name: str | None = None) -> None:
    """Do nothing.

    >>> no_op()
    """


def is_symbolic_tensor(tensor: Any) -> bool:
    """Say whether a tensor has no value yet: none is so.

    >>> is_symbolic_tensor(convert(1.0))
    False
    """
    return False
