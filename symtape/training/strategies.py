"""`tf.distribute`: strategies with one replica, so that code for many runs as it is."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Self

from symtape import nest
from symtape.errors import UnsupportedError
from symtape.ops.elementwise.conversion import identity
from symtape.ops.reductions.reduction import reduce_mean, reduce_sum
from symtape.ops.runtime.replicas import CONTEXTS
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor


class ReduceOp(enum.Enum):
    """How the values of replicas become one: their sum, or their mean."""

    SUM = "SUM"
    MEAN = "MEAN"

    @classmethod
    def of(cls, word: Any) -> ReduceOp:
        """Read a member, or its name in small or capital letters; else raises `ValueError`."""
        if isinstance(word, ReduceOp):
            return word
        name = str(word).upper()
        if name not in cls.__members__:
            raise ValueError(f"{name!r} is not a valid ReduceOp")
        return cls[name]


class InputContext:
    """What a function that makes the data of a strategy learns: there is one pipeline."""

    num_input_pipelines = 1
    input_pipeline_id = 0
    num_replicas_in_sync = 1

    def get_per_replica_batch_size(self, global_batch_size: int) -> int:
        """Give the whole batch."""
        return global_batch_size


class ValueContext:
    """What a function that makes the value of a replica learns of it: it is the only one."""

    replica_id_in_sync_group = 0
    num_replicas_in_sync = 1


class ReplicaContext:
    """What code learns of the replica that it runs for, which is the only one."""

    num_replicas_in_sync = 1

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy

    @property
    def replica_id_in_sync_group(self) -> Any:
        """The number of the replica, 0: a tensor where a strategy runs it, as in TensorFlow."""
        return 0 if type(self.strategy) is Strategy else convert(0)

    def all_reduce(self, reduce_op: Any, value: Any, options: Any = None) -> Any:
        """Give what the replicas have together: its own values. Errors as `ReduceOp`."""
        ReduceOp.of(reduce_op)
        return nest.map_structure(identity, value)

    def all_gather(self, value: Any, axis: int, options: Any = None) -> Any:
        """Give the values of all replicas one after another: its own."""
        return nest.map_structure(identity, value)

    def merge_call(self, merge_fn: Callable[..., Any], args: Any = (), kwargs: Any = None) -> Any:
        """Call a function with the strategy, outside of the replica."""
        with self.strategy.scope():
            return merge_fn(self.strategy, *args, **(kwargs or {}))


class Extended:
    """How a strategy places variables and updates them."""

    @contextmanager
    def colocate_vars_with(self, colocate_with_variable: Any) -> Iterator[None]:
        """Make variables where another is: all are in one place."""
        yield

    def update(
        self,
        var: Any,
        fn: Callable[..., Any],
        args: Any = (),
        kwargs: Any = None,
        group: bool = True,
    ) -> Any:
        """Call a function with a variable."""
        return fn(var, *args, **(kwargs or {}))

    def call_for_each_replica(
        self, fn: Callable[..., Any], args: Any = (), kwargs: Any = None
    ) -> Any:
        """Call a function on the one replica."""
        return fn(*args, **(kwargs or {}))

    def reduce_to(self, reduce_op: Any, value: Any, destinations: Any, options: Any = None) -> Any:
        """Give the value."""
        return value

    @property
    def variable_created_in_scope(self) -> Callable[[Any], bool]:
        """Say that a variable was made where it can be used."""
        return lambda _: True


class Strategy:
    """The strategy that holds where none was chosen: one replica, on the one processor.

    >>> strategy = MirroredStrategy()
    >>> with strategy.scope():
    ...     factor = convert(2.0)
    >>> strategy.run(lambda x: x * factor, args=(convert(3.0),)).numpy()
    np.float32(6.0)
    """

    num_replicas_in_sync = 1
    cluster_resolver = None
    extended = Extended()

    @contextmanager
    def scope(self) -> Iterator[Self]:
        """A context in which the strategy is that of `get_strategy`.

        Raises `RuntimeError` within the scope of another one.
        """
        if CONTEXTS.entered and CONTEXTS.entered[-1][0] is not self:
            raise RuntimeError(
                "Mixing different tf.distribute.Strategy objects: "
                f"{CONTEXTS.entered[-1][0]} is not {self}"
            )
        with self._entered(None):
            yield self

    @contextmanager
    def _entered(self, replica: ReplicaContext | None) -> Iterator[None]:
        if type(self) is Strategy:  # TensorFlow's default one is never found there
            yield
            return
        CONTEXTS.entered.append((self, replica))
        try:
            yield
        finally:
            CONTEXTS.entered.pop()

    def run(
        self, fn: Callable[..., Any], args: Any = (), kwargs: Any = None, options: Any = None
    ) -> Any:
        """Call a function for each replica, which is to say once, and give what it gives."""
        with self._entered(ReplicaContext(self)):
            return fn(*args, **(kwargs or {}))

    def reduce(self, reduce_op: Any, value: Any, axis: int | None) -> Any:
        """Make one value of those of all replicas, and of its elements along an axis, if given.

        Raises `ValueError` for what is neither a sum nor a mean.
        """
        along = reduce_sum if ReduceOp.of(reduce_op) is ReduceOp.SUM else reduce_mean
        if axis is None:
            return nest.map_structure(convert, value)
        return nest.map_structure(lambda x: along(x, axis), value)

    def gather(self, value: Any, axis: int) -> Tensor:
        """Put the values of all replicas one after another: the value itself."""
        return identity(value)

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """List the values of all replicas: the value alone."""
        return (value,)

    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """Give the data as they are: they all go to the one replica."""
        return dataset

    def distribute_datasets_from_function(
        self, dataset_fn: Callable[[InputContext], Any], options: Any = None
    ) -> Any:
        """Give the data that a function makes."""
        return dataset_fn(InputContext())

    def experimental_distribute_values_from_function(
        self, value_fn: Callable[[ValueContext], Any]
    ) -> Any:
        """Give the value that a function makes for the one replica."""
        return value_fn(ValueContext())


class OneDeviceStrategy(Strategy):
    """One replica on a device that is named, and is the processor here."""

    def __init__(self, device: Any) -> None:
        super().__init__()


class MirroredStrategy(Strategy):
    """A strategy with one replica, whatever TensorFlow would do on more devices.

    Raises `UnsupportedError` for more than one device: there is one.
    """

    def __init__(self, devices: Any = None, cross_device_ops: Any = None) -> None:
        if devices is not None and len(devices) > 1:
            raise UnsupportedError(
                f"MirroredStrategy({list(devices)}): symtape has one device; leave `devices` out, "
                "and there is one replica"
            )


_DEFAULT = Strategy()


def get_strategy() -> Strategy:
    """Give the strategy whose scope this is, else the one that does nothing.

    >>> get_strategy().num_replicas_in_sync
    1
    """
    found: Strategy = CONTEXTS.entered[-1][0] if CONTEXTS.entered else _DEFAULT
    return found


def get_replica_context() -> ReplicaContext | None:
    """Give the replica that code runs for; None in the scope of a strategy, outside of `run`.

    >>> get_replica_context().num_replicas_in_sync
    1
    """
    found: ReplicaContext | None = (
        CONTEXTS.entered[-1][1] if CONTEXTS.entered else ReplicaContext(_DEFAULT)
    )
    return found
