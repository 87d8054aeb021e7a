"""What Keras asks of `tf.distribute` where there are several replicas: here there is one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from symtape.errors import UnsupportedError


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


def strategy_supports_no_merge_call() -> bool:
    """Say whether replicas need not wait for each other: there is one.

    >>> strategy_supports_no_merge_call()
    True
    """
    return True


def maybe_merge_call(fn: Callable[..., Any], strategy: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a function for all replicas: there is one."""
    return fn(strategy, *args, **kwargs)
