"""A table: a dictionary with dtypes, asked by tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from symtape.errors import FailedPreconditionError
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.tensor import Tensor


class Table:
    """A table: a dictionary with dtypes, asked by tensors."""

    _found: dict[Any, Any]
    key_dtype: dtypes.DType
    value_dtype: dtypes.DType
    default_value: Tensor

    def fill(self, pairs: Iterable[tuple[Any, Any]], op: str) -> None:
        """Take pairs in; raises `FailedPreconditionError` for two values of one key."""
        for key, value in pairs:
            old = self._found.setdefault(key, value)
            if old != value:
                raise FailedPreconditionError.of(
                    op,
                    f"HashTable has different value for same key. Key {_shown(key)} has "
                    f"{_shown(old)} and trying to add value {_shown(value)}",
                )

    def size(self, name: str | None = None) -> Tensor:
        """Count the keys."""
        return Tensor(np.int64(len(self._found)))

    def export(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """Give all keys, and the value of each; their order is none."""
        keys = [convert(list(self._found), self.key_dtype)]
        return keys[0], convert(list(self._found.values()), self.value_dtype)

    def _keys(self, keys: Any) -> Tensor:
        if keys.dtype != self.key_dtype:
            raise TypeError(
                f"Dtype of argument `keys` must be {self.key_dtype}, received: {keys.dtype}"
            )
        return convert(keys)

    def _values(self, keys: Any, default: Any) -> Tensor:
        one = np.asarray(default)
        out = np.empty((*keys.shape, *one.shape), self.value_dtype.numpy)
        for at in np.ndindex(keys.shape):
            found = self._found.get(keys[at] if keys.dtype.kind == "O" else keys[at].item(), one)
            out[at] = found[()] if isinstance(found, np.ndarray) and not found.ndim else found
        return Tensor(out if out.ndim or out.dtype.kind == "O" else out[()])


def of_elements(keys: Any, lookup: Callable[[Any], Tensor]) -> Any:
    """Look up the elements of keys that stand in rows of unlike lengths, or at few places.

    Gives None for keys that are tensors.
    """
    if hasattr(keys, "with_flat_values"):
        return keys.with_flat_values(lookup(keys.flat_values))
    if hasattr(keys, "dense_shape") and not isinstance(keys, Tensor):
        return type(keys)(keys.indices, lookup(keys.values), keys.dense_shape)
    return None


def _shown(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
