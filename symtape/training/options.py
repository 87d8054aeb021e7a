"""`tf.train.CheckpointOptions`: what is done after a checkpoint was written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symtape.errors import UnsupportedError
from symtape.signatures import read_signature


class CheckpointOptions:
    """Options of `save`, `write`, `read` and `restore` of a checkpoint.

    `experimental_write_callbacks` are called after each checkpoint that was written, in order, with
    its path or with nothing. Files are local, and are there when a call returns: so
    `experimental_io_device` and `enable_async` change nothing. Raises `UnsupportedError` for
    `experimental_skip_slot_variables` and `experimental_sharding_callback`, and `AssertionError`
    for a callback of more than one argument.

    >>> CheckpointOptions(enable_async=True).enable_async
    True
    """

    def __init__(
        self,
        experimental_io_device: str | None = None,
        experimental_enable_async_checkpoint: bool = False,
        experimental_write_callbacks: Sequence[Callable[..., Any]] | None = None,
        enable_async: bool = False,
        experimental_skip_slot_variables: bool = False,
        experimental_sharding_callback: Any = None,
    ) -> None:
        if experimental_skip_slot_variables:
            raise UnsupportedError(
                "CheckpointOptions(experimental_skip_slot_variables=True): a checkpoint is "
                "restored whole; leave the optimizer out of tf.train.Checkpoint(...) instead"
            )
        if experimental_sharding_callback is not None:
            raise UnsupportedError(
                "CheckpointOptions(experimental_sharding_callback=…): a checkpoint is one file; "
                "leave it out"
            )
        self.experimental_io_device = experimental_io_device
        self.enable_async = experimental_enable_async_checkpoint or enable_async
        self.experimental_enable_async_checkpoint = self.enable_async
        if any(_takes(f) > 1 for f in experimental_write_callbacks or ()):
            raise AssertionError("a callback takes the path of the checkpoint, or nothing")
        self.experimental_write_callbacks = experimental_write_callbacks
        self.experimental_skip_slot_variables = experimental_skip_slot_variables
        self.experimental_sharding_callback = experimental_sharding_callback


def written(options: CheckpointOptions, path: str) -> None:
    """Call what is to be called after a checkpoint was written."""
    for callback in options.experimental_write_callbacks or ():
        callback(*[path][: _takes(callback)])


def _takes(callback: Callable[..., Any]) -> int:
    return len(read_signature(callback).parameters)


def checked(options: Any) -> CheckpointOptions:
    """Be options, or those that change nothing; raises `TypeError` for something else."""
    if options is None:
        return CheckpointOptions()
    if not isinstance(options, CheckpointOptions):
        raise TypeError(
            f"options are a tf.train.CheckpointOptions, and not a {type(options).__name__}"
        )
    return options
