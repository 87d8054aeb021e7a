"""`tf.distribute` on one replica: what a training loop asks of the strategy that is there."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from symtape import nest
from symtape.errors import UnsupportedError
from symtape.ops.reductions.reduction import reduce_mean, reduce_sum


class ReduceOp(enum.Enum):
    """How values of replicas become one."""

    SUM = "SUM"
    MEAN = "MEAN"


class _Several:
    """What only exists where there are several replicas."""

    def __init__(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise UnsupportedError(
            f"tf.distribute.{type(self).__name__}: there is one replica; "
            "use tf.distribute.get_strategy()"
        )


class DistributedDataset(_Several):
    """A dataset that is spread over replicas; there is none."""


class DistributedIterator(_Several):
    """An iterator that is spread over replicas; there is none."""


class DistributedValues(_Several):
    """Values of several replicas; there are none."""


class MultiWorkerMirroredStrategy(_Several):
    """A strategy of several machines; there is none."""


class TPUStrategy(_Several):
    """A strategy of tensor processors; there is none."""


class ReplicaContext:
    """What code finds that runs on the one replica."""

    num_replicas_in_sync = 1
    replica_id_in_sync_group = 0

    @property
    def strategy(self) -> Strategy:
        """The strategy."""
        return _STRATEGY

    def all_reduce(self, reduce_op: Any, value: Any, options: Any = None) -> Any:
        """Give the value: it is the sum and the mean over one replica."""
        return value

    def merge_call(
        self, merge_fn: Callable[..., Any], args: Sequence[Any] = (), kwargs: Any = None
    ) -> Any:
        """Call a function with the strategy, and what it works on."""
        return merge_fn(_STRATEGY, *args, **(kwargs or {}))


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
    """The strategy that is always there: one replica."""

    num_replicas_in_sync = 1
    extended = Extended()

    def run(
        self, fn: Callable[..., Any], args: Any = (), kwargs: Any = None, options: Any = None
    ) -> Any:
        """Call a function on the one replica."""
        return fn(*args, **(kwargs or {}))

    @contextmanager
    def scope(self) -> Iterator[Strategy]:
        """Make variables in the strategy: it is the one that is there."""
        yield self

    def reduce(self, reduce_op: Any, value: Any, axis: Any = None) -> Any:
        """Join the values of the one replica, and along an axis if one is given."""
        if axis is None:
            return value
        wanted = str(getattr(reduce_op, "value", reduce_op)).upper()
        join = reduce_sum if wanted == "SUM" else reduce_mean
        return nest.map_structure(lambda x: join(x, axis), value)

    def experimental_distribute_dataset(self, dataset: Any, options: Any = None) -> Any:
        """Give the dataset: it is for one replica."""
        return dataset

    def experimental_local_results(self, value: Any) -> tuple[Any, ...]:
        """Give the value of the one replica."""
        return (value,)


_STRATEGY = Strategy()
_CONTEXT = ReplicaContext()


def get_strategy() -> Strategy:
    """Give the strategy.

    >>> get_strategy().num_replicas_in_sync
    1
    """
    return _STRATEGY


def has_strategy() -> bool:
    """Say whether another strategy than the one that is always there was entered.

    >>> has_strategy()
    False
    """
    return False


def get_replica_context() -> ReplicaContext:
    """Give what code finds on the one replica."""
    return _CONTEXT


def in_cross_replica_context() -> bool:
    """Say whether code runs for all replicas: it runs on the one.

    >>> in_cross_replica_context()
    False
    """
    return False


def strategy_supports_no_merge_call() -> bool:
    """Say whether replicas need not wait for each other: there is one.

    >>> strategy_supports_no_merge_call()
    True
    """
    return True


def maybe_merge_call(fn: Callable[..., Any], strategy: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a function for all replicas: there is one."""
    return fn(strategy, *args, **kwargs)
