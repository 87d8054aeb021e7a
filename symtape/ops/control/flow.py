"""Control flow: Python runs, and conditions remember what it decided."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from symtape import nest
from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import is_tensor, truth, valued
from symtape.ops.composite import Composite
from symtape.ops.control.function_types import spec_of
from symtape.ops.control.tensor_array import TensorArray
from symtape.ops.elementwise.conversion import stop_gradient
from symtape.ops.random.traced.scopes import eagerly, parts
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.recording.looking import chosen, is_unknown
from symtape.tensor.variables.scopes import SCOPES
from symtape.tensor.variables.variable import Variable
from symtape.tensor.within import WITHIN


def cond(pred: Any, true_fn: Any = None, false_fn: Any = None, name: str | None = None) -> Any:
    """Call one of two functions; the relation that a tensor decided is in `conditions` afterwards.

    Raises `TypeError` for what is not callable, and `ValueError` for what decides nothing.

    >>> cond(convert(2.0) > 1.0, lambda: "large", lambda: "small")
    'large'
    """
    for what, function in (("true_fn", true_fn), ("false_fn", false_fn)):
        if not callable(function):
            raise TypeError(f"'{what}' must be callable.")
    if not isinstance(pred, bool) and not is_tensor(pred):
        convert(pred)  # which raises for what is no value
    taken, other = parts(true_fn, false_fn)
    return taken() if chosen(pred, 2) else other()


def case(
    pred_fn_pairs: Any,
    default: Any = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """Call the function of the first pair whose predicate is true, else `default`.

    With `default`, a list or tuple of one result is that result, unless `strict`. With `exclusive`,
    raises `InvalidArgumentError` if several predicates are true. Raises `TypeError` for a predicate
    that is no tensor of bool.

    >>> case([(convert(False), lambda: 1), (convert(True), lambda: 2)])
    2
    """
    if not isinstance(pred_fn_pairs, (list, tuple, dict)):
        found = type(pred_fn_pairs)
        raise TypeError(f"'pred_fn_pairs' must be a list, tuple, or dict. Received: {found}")
    pairs = list(pred_fn_pairs.items()) if isinstance(pred_fn_pairs, dict) else list(pred_fn_pairs)
    pairs = [
        (pred.deref() if hasattr(pred, "deref") else pred, *parts(function))
        for pred, function in pairs
    ]
    for pred, _ in pairs:
        _check_predicate(pred)
    checked = pairs if default is not None else pairs[:-1]  # TensorFlow takes the last one for it
    if exclusive and sum(bool(pred) for pred, _ in checked) > 1:
        raise InvalidArgumentError(
            message="Input error: exclusive=True: more than 1 conditions "
            f"({[p for p, _ in pairs]}) evaluated as True."
        )
    taken = next((function for pred, function in pairs if chosen(pred, 2)), default)
    if taken is None:
        raise InvalidArgumentError(
            message="Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true. Summarized "
            "data: b'Input error: None of conditions evaluated as True:'\n"
            + ", ".join(["False"] * len(pairs))
        )
    found = taken()
    is_one = isinstance(found, (list, tuple)) and len(found) == 1
    return found[0] if is_one and default is not None and not strict else found


def _check_predicate(pred: Any) -> None:
    if not is_tensor(pred):
        raise TypeError(f"pred must be a Tensor, got: {pred}")
    if pred.dtype is not dtypes.bool_:
        raise TypeError(f"pred must be Tensor of type bool: {pred}")


def switch_case(
    branch_index: Any, branch_fns: Any, default: Any = None, name: str = "switch_case"
) -> Any:
    """Call the function with a number; the last one, or `default`, for numbers that none has.

    Raises `TypeError` for a number that is no tensor of integers and for what is not callable, and
    `ValueError` for functions whose numbers are not all from 0 on.

    >>> switch_case(convert(1), [lambda: "zero", lambda: "one"])
    'one'
    """
    if not is_tensor(branch_index):
        raise TypeError(f"'branch_index' must be a Tensor, got {type(branch_index)}")
    if not branch_index.dtype.is_integer:
        raise TypeError(f"'branch_index' must be an integer Tensor, got {branch_index.dtype}")
    functions = parts(*_in_order(branch_fns))
    index = branch_index.read()
    number = _number_of(index, len(functions) + (default is not None))
    if 0 <= number < len(functions):
        return functions[number]()
    return default() if default is not None else functions[-1]()


def _number_of(index: Any, count: int) -> int:
    """Read which function is called: each of them in a run, where nobody could know it."""
    return chosen(index, count) if is_unknown(index) else int(index)


def _in_order(functions: Any) -> list[Any]:
    """List the functions of `switch_case` by their numbers, which a list of them has itself."""
    if not functions:
        raise ValueError("Must provide at least one item in 'branch_fns'")
    if not isinstance(functions, (list, tuple, dict)):
        raise TypeError("'branch_fns' must be a list, tuple, or dict")
    pairs = list(functions.items()) if isinstance(functions, dict) else list(functions)
    if all(map(callable, pairs)):
        return pairs
    for pair in pairs:
        _check_pair(pair)
    numbers = sorted([number for number, _ in pairs])
    if numbers != list(range(len(pairs))):
        raise ValueError(
            f"branch indices (keys) must form contiguous range of [0 to {len(pairs)}) but found "
            f"{{{','.join(map(str, numbers))}}}"
        )
    return [function for _, function in sorted(pairs)]


def _check_pair(pair: Any) -> None:
    """Refuse what is no number with a function."""
    if not isinstance(pair, tuple) or len(pair) != len(("number", "function")):
        raise TypeError(f"Each entry in 'branch_fns' must be a 2-tuple. Received {pair}.")
    number, function = pair
    if not isinstance(number, int):
        raise TypeError(f"key must be a Python `int`, got {type(number)}")
    if not callable(function):
        raise TypeError(f"fn for key {number} must be callable.")


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
    for what is not callable and for iterations below one, `ValueError` if `body` gives another
    structure; with `maximum_iterations` a single tensor is one. With `back_prop=False` no gradient
    flows back in a `tf.function`, as in TensorFlow.

    >>> [x.numpy().item() for x in while_loop(lambda i: i < 3, lambda i: [i + 1], [convert(0)])]
    [3]
    """
    for what, function in (("cond", cond), ("body", body)):
        if not callable(function):
            raise TypeError(f"'{what}' must be callable.")
    if not loop_vars:
        raise ValueError("'loop_vars' must be provided.")
    check_iterations(parallel_iterations)
    cond, body = parts(cond, body)
    limit = None if maximum_iterations is None else _most(maximum_iterations)
    if executing_eagerly():
        given = nest.map_structure(_read, loop_vars)
        return loop_variables(_looped(cond, body, given, limit))
    variables = loop_variables(loop_vars)

    def step(*values: Any) -> Any:
        found = body(*values)
        found = found if isinstance(found, (list, tuple)) else [found]
        nest.assert_same_structure(list(values), list(found))
        return nest.pack_sequence_as(loop_vars, nest.flatten(loop_variables(list(found))))

    return derived(_looped(cond, step, variables, limit), back_prop=back_prop)


def derived(found: Any, *, back_prop: bool) -> Any:
    """Give results through which no gradient flows, in a function and where that is said."""
    if back_prop or executing_eagerly():
        return found
    return nest.map_structure(lambda x: stop_gradient(x) if is_tensor(x) else x, found)


def _looped(cond: Any, body: Any, variables: Any, limit: Any) -> Any:
    """Loop with what is given, which outside of functions may be Python's numbers."""
    count = 0
    while limit is None or count < limit:
        goes_on = cond(*variables)
        if not (goes_on if limit is None else truth("LogicalAnd", goes_on, 1)):
            break
        found = body(*variables)
        count += 1
        if limit is None:
            _check_turn(list(variables), list(found))
        else:  # TensorFlow counts in a variable of the loop, beside which the others are one
            _check_turn([0, variables], [count, found])
        variables = found
    return variables


def _check_turn(before: Any, after: Any) -> None:
    """Raise TensorFlow's error where a turn gives another structure, which tells types."""
    try:
        nest.assert_same_structure(before, after)
    except (TypeError, ValueError):
        nest.assert_same_structure(spec_of(loop_variables(before)), after)
        raise


def _most(number: Any) -> int:
    """Read how often to loop; a fraction loses its part."""
    found = convert(number)
    if found.ndim:
        text = f"'maximum_iterations' must be a scalar. Received shape: {found.shape}"
        raise ValueError(text)
    return int(valued(found))


def check_iterations(number: Any) -> None:
    """Raise `TypeError` for a count of iterations at a time below one; others change nothing."""
    if number < 1:
        raise TypeError("'parallel_iterations' must be a positive integer.")


def _read(value: Any) -> Any:
    return convert(value) if isinstance(value, Variable) else value


def loop_variables(values: Any) -> Any:
    """Make tensors of a structure of loop variables, and of what composites in it are made of.

    >>> loop_variables([1, (2.0,)])[0].numpy()
    np.int32(1)
    """
    return nest.map_structure(_variable, values, expand_composites=True)


def _variable(value: Any) -> Any:
    """Take a loop variable: a tensor; what is made of several, or has elements, as it is."""
    keeps = isinstance(value, (TensorArray, Composite)) or hasattr(value, "element_spec")
    return value if keeps else convert(value)


def executing_eagerly() -> bool:
    """Say whether no function runs that TensorFlow traces, as those of `tf.function` and of `map`.

    Operations run at once in these, too.

    >>> executing_eagerly()
    True
    """
    return WITHIN.find is None


def init_scope() -> AbstractContextManager[None]:
    """A context in which random numbers are drawn as outside of functions.

    >>> with init_scope():
    ...     executing_eagerly()
    True
    """
    return eagerly(is_lifted=True)


def control_dependencies(control_inputs: Any) -> AbstractContextManager[None]:
    """A context that changes nothing, since operations run in the order of the code.

    >>> with control_dependencies([]):
    ...     executing_eagerly()
    True
    """
    return nullcontext()


class name_scope_v2:  # noqa: N801 - TensorFlow's name
    """A context whose name stands before those of the variables that are made in it.

    Scopes lie within each other; a name that ends with a slash is a whole path, and an empty one
    leaves all scopes. Raises `ValueError` for a name that is no text.

    >>> with name_scope("net"), name_scope("dense") as scope:
    ...     scope
    'net/dense/'
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        self._name = name
        self._left: list[str] = []

    @property
    def name(self) -> str:
        """What was given."""
        return self._name

    def __enter__(self) -> str:
        self._left.append(SCOPES.open)
        SCOPES.open = SCOPES.within(self._name)
        return SCOPES.open

    def __exit__(self, *_: object) -> None:
        SCOPES.open = self._left.pop()


name_scope = name_scope_v2


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
