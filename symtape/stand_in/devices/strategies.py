"""`tf.distribute` for several replicas: here there is one, or none; and what Keras asks of it."""

from __future__ import annotations

import enum
import os
from collections.abc import Callable
from typing import Any, NoReturn

from symtape.errors import UnsupportedError
from symtape.training.strategies import Strategy


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


class MultiWorkerMirroredStrategy(Strategy):
    """A strategy of several machines, where there is one: `TF_CONFIG` names no others.

    Raises `UnsupportedError` where it is set.
    """

    def __init__(self, cluster_resolver: Any = None, communication_options: Any = None) -> None:
        if "TF_CONFIG" in os.environ:
            raise UnsupportedError(
                "tf.distribute.MultiWorkerMirroredStrategy: TF_CONFIG names machines, and there is "
                "one; unset it"
            )


class CentralStorageStrategy(Strategy):
    """A strategy that keeps variables in one place, as there is one."""

    def __init__(self, compute_devices: Any = None, parameter_device: Any = None) -> None:
        """Take what TensorFlow takes: there is one processor to compute and to keep."""


class TPUClusterResolver:
    """What would find tensor processors: there are none.

    Raises `ValueError` as TensorFlow does on a machine without them, and `UnsupportedError` for
    the name of one.
    """

    def __init__(self, tpu: str | None = None, *args: Any, **kwargs: Any) -> None:
        if not tpu:
            raise ValueError("Please provide a TPU Name to connect to.")
        raise UnsupportedError(
            "tf.distribute.cluster_resolver.TPUClusterResolver: there is one processor; "
            "use tf.distribute.get_strategy()"
        )

    @classmethod
    def connect(cls, tpu: str | None = None, zone: Any = None, project: Any = None) -> NoReturn:
        """Raise what making one raises."""
        cls(tpu)
        raise AssertionError


class TPUStrategy:
    """A strategy of tensor processors: there are none. Raises what `TPUClusterResolver` raises."""

    def __init__(self, tpu_cluster_resolver: Any = None, *args: Any, **kwargs: Any) -> None:
        TPUClusterResolver()


class CommunicationImplementation(enum.Enum):
    """How machines would talk to each other."""

    AUTO = "AUTO"
    RING = "RING"
    NCCL = "NCCL"


class CommunicationOptions:
    """How machines would talk to each other, in how large parts, and how long they would wait.

    Raises `ValueError` for parts of less than no bytes.
    """

    def __init__(
        self,
        bytes_per_pack: int = 0,
        timeout_seconds: float | None = None,
        implementation: CommunicationImplementation = CommunicationImplementation.AUTO,
    ) -> None:
        if bytes_per_pack < 0:
            raise ValueError(f"Argument `bytes_per_pack` must be >=0, Received {bytes_per_pack}.")
        self.bytes_per_pack = bytes_per_pack
        self.timeout_seconds = timeout_seconds
        self.implementation = implementation


class CrossDeviceOps:
    """How values of several replicas would become one; there is one replica, whose value it is."""


class ReductionToOneDevice(CrossDeviceOps):
    """Values would be brought to one processor."""

    def __init__(self, reduce_to_device: Any = None, accumulation_fn: Any = None) -> None:
        """Take what TensorFlow takes."""


class HierarchicalCopyAllReduce(CrossDeviceOps):
    """Values would be brought from processor to processor."""

    def __init__(self, num_packs: int = 1) -> None:
        """Take what TensorFlow takes; raises `ValueError` for less than no packs."""
        if num_packs < 0:
            raise ValueError(
                f"HierarchicalCopy requires num_packs >= 0, but {num_packs} is specified"
            )


class NcclAllReduce(CrossDeviceOps):
    """Values would be brought by a library for graphics processors."""

    def __init__(self, num_packs: int = 1) -> None:
        """Take what TensorFlow takes; raises `ValueError` for less than no packs."""
        if num_packs < 0:
            raise ValueError(
                f"NCCL all-reduce requires num_packs >= 0, but {num_packs} is specified"
            )


def strategy_supports_no_merge_call() -> bool:
    """Say whether replicas need not wait for each other: there is one.

    >>> strategy_supports_no_merge_call()
    True
    """
    return True


def maybe_merge_call(fn: Callable[..., Any], strategy: Any, *args: Any, **kwargs: Any) -> Any:
    """Call a function for all replicas: there is one."""
    return fn(strategy, *args, **kwargs)
