"""A tensor of a graph: two examples of it, whose sizes differ where its size is not known.

Keras asks what shape a function's result has when sizes of its arguments are unknown. So every
function of TensorFlow's is applied to both examples. A size of the result in which they agree is
known, and one in which they differ is not.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from symtape import nest
from symtape.errors import UnsupportedError
from symtape.ops.control.flow import executing_eagerly
from symtape.ops.random.seeds import SEEDS
from symtape.ops.random.traced.scopes import Scope, traced
from symtape.stand_in.symbolic.errors import OperatorNotAllowedInGraphError, not_lifted
from symtape.stand_in.symbolic.operators import Operators
from symtape.stand_in.symbolic.unknown_places import (
    ends_of,
    items_of,
    reaching,
)
from symtape.stand_in.types import AnyTensor
from symtape.tensor.dtypes import DType
from symtape.tensor.operators import OPERATORS
from symtape.tensor.recording.active import THREAD
from symtape.tensor.recording.graphs import Graph
from symtape.tensor.recording.looking import Looking, looking_with
from symtape.tensor.shape import TensorShape
from symtape.tensor.tensor import Tensor
from symtape.tensor.values import value_of
from symtape.tensor.variables.creators import variable_creator_scope


class _State(threading.local):
    """What this thread is doing: how many graphs it builds, and for which example it computes.

    `given` are the results of functions in these graphs, and `run` knows of their values.
    """

    def __init__(self) -> None:
        self.graphs = 0
        self.run: Looking | None = None
        self.side: int | None = None
        self.given: list[Any] = []


STATE = _State()


class Symbolic(Tensor):
    """A tensor without a value: two examples, each with a size for what is unknown."""

    __slots__ = ("halves",)

    def __init__(self, first: Tensor, second: Tensor) -> None:
        self.halves = first, second
        self.origin = None
        self.label = None

    def read(self) -> Tensor:
        """Give the example for which is computed at present; raises where for none is."""
        if STATE.side is None:
            raise UnsupportedError(
                "a tensor of a graph has no value: compute with functions of `tensorflow`, as it "
                "is imported after tf.stand_in.for_tensorflow(), and not with others"
            )
        return self.halves[STATE.side]

    @property
    def raw(self) -> Any:
        """The array of the example for which is computed at present."""
        return self.read().raw

    @property
    def dtype(self) -> DType:
        """The dtype."""
        return self.halves[0].dtype

    @property
    def shape(self) -> TensorShape:
        """The shape; a size in which the examples differ is None."""
        if STATE.side is not None:
            return self.read().shape
        first, second = self.halves
        if first.ndim != second.ndim:
            return TensorShape(None)
        return TensorShape(
            [n if n == m else None for n, m in zip(first.shape, second.shape, strict=True)]
        )

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return self.halves[0].ndim

    @property
    def name(self) -> str:
        """The name that TensorFlow would give to what made it."""
        return "Placeholder:0"

    def get_shape(self) -> TensorShape:
        """Give the shape."""
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """Check that the shape may be this one."""
        if not self.shape.is_compatible_with(shape):
            raise ValueError(f"Shapes {self.shape} and {TensorShape(shape)} are not compatible.")

    def __getattribute__(self, name: str) -> Any:
        if name in {"numpy", "__array_interface__"}:
            raise AttributeError(f"'SymbolicTensor' object has no attribute {name!r}")
        return super().__getattribute__(name)

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"'SymbolicTensor' object has no attribute {name!r}")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        raise NotImplementedError(
            f"Cannot convert a symbolic tf.Tensor ({self.name}) to a numpy array. This error may "
            "indicate that you're trying to pass a Tensor to a NumPy call, which is not supported."
        )

    def __bool__(self) -> bool:
        return bool(self._value("`tf.Tensor` as a Python `bool`"))

    def __int__(self) -> int:
        return int(self._value("`tf.Tensor` as a Python `int`"))

    def __index__(self) -> int:
        return self._value("`tf.Tensor` as a Python `int`").__index__()

    def __float__(self) -> float:
        return float(self._value("`tf.Tensor` as a Python `float`"))

    def _value(self, way: str) -> Tensor:
        if STATE.side is not None:
            return self.read()
        raise OperatorNotAllowedInGraphError(
            f"Using a symbolic {way} is not allowed. You can attempt the following resolutions to "
            "the problem: If you are running in Graph mode, use Eager execution mode or decorate "
            "this function with @tf.function."
        )

    def __len__(self) -> int:
        if STATE.side is not None:
            return len(self.read())
        raise TypeError(
            f"len is not well defined for a symbolic Tensor ({self.name}). Please call `x.shape` "
            "rather than `len(x)` for shape information."
        )

    def __iter__(self) -> Iterator[Tensor]:
        if STATE.side is not None:
            return iter(self.read())
        shape = self.shape
        if not shape:
            raise TypeError("Cannot iterate over a tensor with unknown rank.")
        if not len(shape):
            raise TypeError("Cannot iterate over a scalar tensor.")
        if shape[0] is None:
            raise TypeError("Cannot iterate over a tensor with unknown first dimension.")
        return iter([self[k] for k in range(shape[0])])

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape={self.shape} dtype={self.dtype.name}>"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format(repr(self), spec)

    def __hash__(self) -> NoReturn:
        raise TypeError("Tensor is unhashable. Instead, use tensor.ref() as the key.")


@contextmanager
def building() -> Iterator[None]:
    """Build a graph: what is computed in it belongs to no tape, and assigns nothing."""
    state = THREAD.state
    run, STATE.run = STATE.run, STATE.run or Looking(0)
    recordings, state.recordings = state.recordings, [STATE.run, graph := Graph()]
    side, STATE.side = STATE.side, None
    before: dict[Any, Any] = {}

    def note(handle: Any) -> None:
        before.setdefault(handle, handle.tensor.raw)

    def lifting(next_creator: Callable[..., Any], **how: Any) -> Any:
        if not executing_eagerly():
            _check_lifted(how["initial_value"], how["name"], graph)
        return next_creator(**how)

    state.writers.append(note)
    STATE.graphs += 1
    VALUED.lift()
    scope = Scope(SEEDS.seed)
    try:
        with traced(lambda: scope), variable_creator_scope(lifting):
            yield
    finally:
        state.writers.remove(note)
        for handle, value in before.items():
            handle.put(value)
        STATE.graphs -= 1
        VALUED.restore()
        if not STATE.graphs:
            STATE.given.clear()
        STATE.side, STATE.run = side, run
        state.recordings = recordings


def _check_lifted(value: Any, name: str | None, graph: Graph) -> None:
    """Refuse a variable whose first value is a tensor of the graph: it lives longer than that."""
    if not isinstance(value, Tensor):
        return
    if type(value) is Symbolic or graph.made(value) or any(x is value for x in STATE.given):
        raise not_lifted(value, name)


_NUMBERS = (64, 192)
"""For each example, a size that hangs on values: that of an axis that is not the first."""


@contextmanager
def _for_side(side: int) -> Iterator[None]:
    before, STATE.side = STATE.side, side
    try:
        with looking_with(STATE.run, _NUMBERS[side], side):
            yield
    finally:
        STATE.side = before


def applied(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Apply a function to both examples, or to that for which is computed at present."""
    args, kwargs = nest.map_structure(_opened, (args, kwargs))
    given = nest.flatten([args, kwargs])
    symbols = [x for leaf in given for x in ends_of(leaf) if type(x) is Symbolic]
    if STATE.side is not None:
        args, kwargs = nest.map_structure(_half, (args, kwargs)) if symbols else (args, kwargs)
        return function(*args, **kwargs)
    if not symbols and not any(map(callable, given)):
        return function(*args, **kwargs)
    found = []
    for side in (0, 1):
        with _for_side(side):
            ours, named = nest.map_structure(_half, (args, kwargs))
            found.append(function(*ours, **named))
    return _joined(found[0], found[1], symbols)


def _opened(value: Any) -> Any:
    """Take what a variable of Keras' holds while a graph is built, if that has no value."""
    if not isinstance(value, AnyTensor):
        return value
    held = value.__tf_tensor__()  # type: ignore[attr-defined]  # of who extends it
    return held if type(held) is Symbolic else value


def _half(value: Any) -> Any:
    return value.read() if type(value) is Symbolic else value


def _joined(first: Any, second: Any, symbols: list[Symbolic]) -> Any:
    """Make one result of those of the examples."""
    leaves = zip(nest.flatten(first), nest.flatten(second), strict=True)
    return nest.pack_sequence_as(first, [_one(a, b, symbols) for a, b in leaves])


def _one(first: Any, second: Any, symbols: list[Symbolic]) -> Any:
    if first is second:
        return first
    if isinstance(first, Tensor):
        for symbol in symbols:
            if symbol.halves[0] is first and symbol.halves[1] is second:
                return symbol
        return Symbolic(first, second)
    if isinstance(first, TensorShape):
        return TensorShape([n if n == m else None for n, m in zip(first, second, strict=True)])
    if first == second:
        return first
    raise UnsupportedError(
        f"a result that is no tensor depends on sizes that are not known: {first!r} or {second!r}"
    )


# --- operators ------------------------------------------------------------------------------------


def _lifted_operator(run: Any) -> Any:
    def method(self: Any, *others: Any) -> Any:
        is_built = STATE.graphs and STATE.side is None
        return applied(run, (self, *others), {}) if is_built else run(self, *others)

    return method


def _lifted_brackets(run: Any) -> Any:
    def method(self: Any, key: Any) -> Any:
        if not STATE.graphs or STATE.side is not None:
            return run(self, key)
        unknown = [any(map(_is_unknown, ends_of(item))) for item in items_of(key)]

        def take(table: Any, key: Any) -> Any:
            longer = reaching(table, key, unknown)
            return run(table, key) if longer is table else longer[key]

        return applied(take if any(unknown) else run, (self, key), {})

    return method


def _is_unknown(place: Any) -> bool:
    """Say whether a place is another for each example."""
    if type(place) is not Symbolic or place.ndim:
        return False
    first, second = (value_of(half) for half in place.halves)
    return bool(first != second)


VALUED = Operators(_lifted_operator, _lifted_brackets)
for _name in OPERATORS:
    setattr(Symbolic, _name, _lifted_operator(vars(Tensor)[_name]))
Symbolic.__getitem__ = _lifted_brackets(Tensor.__getitem__)  # type: ignore[method-assign]  # as all
