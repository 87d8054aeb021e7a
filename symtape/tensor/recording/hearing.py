"""What a recording hears of beside steps: a tape minds none of it, a traced function all.

What `functions/` records stands for other calls, too, so it overrides these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Hearing:
    """Hears of values that leave and of what may change, and lets it be."""

    def took_in(self, tensor: Any, array: Any) -> None:
        """Hear that a tensor was made of an array, which may be changed later."""

    def constant(self, tensor: Any) -> None:
        """Hear that a tensor was made of Python's numbers."""

    def follow(self, tensor: Any) -> None:
        """Hear that NumPy made a tensor of nothing but a shape, into which code may write."""

    def from_numpy(self, made: Any, make: Callable[[Any], Any], base: Any) -> None:
        """Hear that NumPy made a tensor, which may be a view of another one; None is no other."""

    def left(self, tensor: Any, way: str) -> None:
        """Hear that a value was taken out of what is recorded, and in which way."""

    def stated(self, tensor: Any, way: str) -> None:
        """Hear that a value was taken out, and that a guard is going to say which it was."""
        self.left(tensor, way)

    def looked_at(self, tensor: Any) -> None:
        """Hear that a value was read for something that has no derivative."""

    def varies(self, tensor: Any) -> bool:  # noqa: ARG002 - what a tape records is one computation
        """Say whether what is recorded has to serve other values of a tensor, too."""
        return False

    def required(self, tensor: Any, requirement: Any) -> None:  # noqa: ARG002 - it is one value
        """Hear that a value passed a test that it has to pass."""
        self.looked_at(tensor)

    def carries(self, tensor: Any) -> bool:  # noqa: ARG002 - a tape lets values go
        """Say whether a derivative would be lost with a value that leaves."""
        return False

    def changed(self) -> None:
        """Hear of what another run does again: a variable was assigned, a random number drawn."""

    def depends(self, read: Callable[[], Any], value: Any) -> None:
        """Hear of a setting that was read, and how to read it again."""
