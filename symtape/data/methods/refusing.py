"""Methods of datasets that are refused: what has to do with graphs."""

from __future__ import annotations

from typing import Any, NoReturn

from symtape.data.held import Held
from symtape.errors import UnsupportedError


class Refusing(Held):
    """What raises `UnsupportedError`, and says what to do."""

    def snapshot(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise `UnsupportedError`: nobody knows whether what is kept is of the same pipeline."""
        raise UnsupportedError(
            "tf.data.Dataset.snapshot: use `cache(filename)`, or `save` and tf.data.Dataset.load"
        )

    def fingerprint(self) -> NoReturn:
        """Raise `UnsupportedError`: TensorFlow's number is one of its graph."""
        raise UnsupportedError("tf.data.Dataset.fingerprint: there is no graph; compare elements")
