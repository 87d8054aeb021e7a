"""Methods of datasets that are refused: what has to do with graphs."""

from __future__ import annotations

from typing import NoReturn

from symtape.data.held import Held
from symtape.errors import UnsupportedError


class Refusing(Held):
    """What raises `UnsupportedError`, and says what to do."""

    def fingerprint(self) -> NoReturn:
        """Raise `UnsupportedError`: TensorFlow's number is one of its graph."""
        raise UnsupportedError("tf.data.Dataset.fingerprint: there is no graph; compare elements")
