"""`tf.data.Options`: what somebody sets of a pipeline. It is kept and told; elements do not change.

Pipelines run in one thread, in order, so that there is nothing that these could speed up.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any, Self

_FIXED = (
    "Mutating `tf.data.Options()` returned by `tf.data.Dataset.options()` has no effect. Use "
    "`tf.data.Dataset.with_options(options)` to set or update dataset options."
)


class AutoShardPolicy(enum.IntEnum):
    """How a dataset is divided among workers (`tf.data.experimental.AutoShardPolicy`)."""

    OFF = -1
    AUTO = 0
    FILE = 1
    DATA = 2
    HINT = 3


class ExternalStatePolicy(enum.Enum):
    """What saving does with state (`tf.data.experimental.ExternalStatePolicy`)."""

    WARN = 0
    IGNORE = 1
    FAIL = 2


class AutotuneAlgorithm(enum.Enum):
    """How parallelism is chosen (`tf.data.experimental.AutotuneAlgorithm`)."""

    DEFAULT = 0
    HILL_CLIMB = 1
    GRADIENT_DESCENT = 2
    MAX_PARALLELISM = 3
    STAGE_BASED = 4


def _nothing() -> None:
    """Be the default of most options."""


class Option:
    """One option: its type, and what it is until somebody sets it."""

    def __init__(self, kind: type, default: Callable[[], Any] = _nothing) -> None:
        self.kind = kind
        self.default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, options: Any, owner: type) -> Any:
        if options is None:
            return self
        values = options.values
        if self.name not in values:
            values[self.name] = self.default()
        return values[self.name]

    def __set__(self, options: Any, value: Any) -> None:
        if not isinstance(value, self.kind):
            raise TypeError(
                f'Property "{self.name}" must be of type {self.kind}, got: {value} (type: '
                f"{type(value)})"
            )
        options.values[self.name] = value


class OptionsBase:
    """A group of options; equal if all options are."""

    values: dict[str, Any]

    def __init__(self) -> None:
        object.__setattr__(self, "values", {})
        object.__setattr__(self, "_mutable", True)

    def __setattr__(self, name: str, value: Any) -> None:
        if not self._mutable:  # type: ignore[attr-defined]  # set above, past this method
            raise ValueError(_FIXED)
        if not isinstance(getattr(type(self), name, None), Option):
            raise AttributeError(f"Cannot set the property {name} on {type(self).__name__}.")
        object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        names = self.values.keys() | other.values.keys()
        return all(getattr(self, name) == getattr(other, name) for name in names)

    __hash__ = None  # type: ignore[assignment]  # options change

    def fixed(self) -> Self:
        """Give a copy that cannot be changed."""
        copy: Self = merged(self)
        for group in copy.values.values():
            if isinstance(group, OptionsBase):
                object.__setattr__(group, "_mutable", False)
        object.__setattr__(copy, "_mutable", False)
        return copy


class AutotuneOptions(OptionsBase):
    """Options of how parallelism is chosen (`tf.data.experimental.AutotuneOptions`)."""

    enabled = Option(bool)
    cpu_budget = Option(int)
    ram_budget = Option(int)
    autotune_algorithm = Option(AutotuneAlgorithm)
    initial_parallelism = Option(int)
    min_parallelism = Option(int)


class DistributeOptions(OptionsBase):
    """Options of several workers (`tf.data.experimental.DistributeOptions`)."""

    auto_shard_policy = Option(AutoShardPolicy, lambda: AutoShardPolicy.AUTO)
    num_devices = Option(int)


class OptimizationOptions(OptionsBase):
    """Options of how a pipeline is rewritten (`tf.data.experimental.OptimizationOptions`)."""

    apply_default_optimizations = Option(bool)
    filter_fusion = Option(bool)
    filter_parallelization = Option(bool)
    inject_prefetch = Option(bool)
    map_and_batch_fusion = Option(bool)
    map_and_filter_fusion = Option(bool)
    map_fusion = Option(bool)
    map_parallelization = Option(bool)
    noop_elimination = Option(bool)
    parallel_batch = Option(bool)
    seq_interleave_prefetch = Option(bool)
    shuffle_and_repeat_fusion = Option(bool)


class ServiceOptions(OptionsBase):
    """Options of TensorFlow's data service."""

    pinned = Option(bool)


class ThreadingOptions(OptionsBase):
    """Options of threads (`tf.data.ThreadingOptions`)."""

    max_intra_op_parallelism = Option(int)
    private_threadpool_size = Option(int)


class Options(OptionsBase):
    """Options of a dataset (`tf.data.Options`).

    >>> options = Options()
    >>> options.deterministic = True
    >>> options.threading.private_threadpool_size = 10
    >>> options.speed = 3
    Traceback (most recent call last):
    AttributeError: Cannot set the property speed on Options.
    """

    autotune = Option(AutotuneOptions, AutotuneOptions)
    dataset_name = Option(str)
    deterministic = Option(bool)
    experimental_distribute = Option(DistributeOptions, DistributeOptions)
    experimental_external_state_policy = Option(ExternalStatePolicy)
    experimental_optimization = Option(OptimizationOptions, OptimizationOptions)
    experimental_service = Option(ServiceOptions, ServiceOptions)
    experimental_slack = Option(bool)
    experimental_symbolic_checkpoint = Option(bool)
    experimental_warm_start = Option(bool)
    framework_type = Option(list)
    threading = Option(ThreadingOptions, ThreadingOptions)

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(_RENAMED.get(name, name), value)

    @property
    def experimental_deterministic(self) -> Any:
        """The former name of `deterministic`."""
        return self.deterministic

    @property
    def experimental_threading(self) -> Any:
        """The former name of `threading`."""
        return self.threading

    def merge(self, options: Options) -> Options:
        """Give the options of both; where both set one, that of `options` holds.

        >>> first, second = Options(), Options()
        >>> first.deterministic, second.experimental_slack = False, True
        >>> both = first.merge(second)
        >>> both.deterministic, both.experimental_slack
        (False, True)
        """
        both: Options = merged(self, options)
        return both


_RENAMED = {
    "experimental_deterministic": "deterministic",
    "experimental_threading": "threading",
}


def merged(first: Any, *others: Any) -> Any:
    """Put groups of options together; raises `TypeError` for groups of different types."""
    kind = type(first)
    result, unset = kind(), kind()
    for options in (first, *others):
        if not isinstance(options, kind):
            raise TypeError(
                f"Could not merge incompatible options of type {type(options)} and {kind}."
            )
        for name, value in options.values.items():
            ours = getattr(result, name)
            if isinstance(value, OptionsBase):
                setattr(result, name, merged(ours, value))
            elif value != getattr(unset, name):
                setattr(result, name, value)
    return result
