"""Methods of datasets that are refused: what has to do with files, and with ragged rows."""

from __future__ import annotations

from typing import Any, NoReturn

from symtape.data.held import Held
from symtape.errors import UnsupportedError


class Refusing(Held):
    """What raises `UnsupportedError`, and says what to do."""

    def save(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise `UnsupportedError`: elements are in memory alone."""
        raise UnsupportedError("tf.data.Dataset.save: keep the arrays, as by numpy.savez")

    @classmethod
    def load(cls, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise `UnsupportedError`: elements are in memory alone."""
        raise UnsupportedError(
            "tf.data.Dataset.load: read the arrays, as by numpy.load, and use `from_tensor_slices`"
        )

    def snapshot(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise `UnsupportedError`: elements are in memory alone."""
        raise UnsupportedError("tf.data.Dataset.snapshot: use `cache()`, which keeps elements")

    def ragged_batch(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise `UnsupportedError`: there are no ragged tensors."""
        raise UnsupportedError("tf.data.Dataset.ragged_batch: use `padded_batch`")

    def sparse_batch(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise `UnsupportedError`: there are no sparse tensors."""
        raise UnsupportedError("tf.data.Dataset.sparse_batch: use `padded_batch`")

    def fingerprint(self) -> NoReturn:
        """Raise `UnsupportedError`: TensorFlow's number is one of its graph."""
        raise UnsupportedError("tf.data.Dataset.fingerprint: there is no graph; compare elements")
