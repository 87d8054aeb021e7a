"""What a checkpoint looks into: objects that tell who waits for their attributes."""

from __future__ import annotations

from typing import Any


class Trackable:
    """The base of what a checkpoint looks into: modules, layers, optimizers, checkpoints.

    A checkpoint that is restored before an attribute is there waits for it.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        waiting = vars(self).get("_waiting")
        if waiting is not None:
            waiting(name, value)

    def _no_dependency(self, value: Any) -> Any:
        """Give a value that is no part of this object, as TensorFlow's packages say of some."""
        return value
