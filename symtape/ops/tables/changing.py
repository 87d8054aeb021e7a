"""Tables that take keys and give them up: MutableHashTable, DenseHashTable."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.ops.tables.table import Table
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid, listed
from symtape.tensor.tensor import Tensor


class MutableHashTable(Table):
    """A table that takes keys and gives them up (`tf.lookup.experimental.MutableHashTable`).

    >>> table = MutableHashTable("string", "int64", -1)
    >>> table.insert(["a"], [7])
    >>> table.lookup(["a", "b"]).numpy()
    array([ 7, -1])
    """

    def __init__(
        self,
        key_dtype: Any,
        value_dtype: Any,
        default_value: Any,
        name: str = "MutableHashTable",
        checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
    ) -> None:
        self.key_dtype, self.value_dtype = dtypes.as_dtype(key_dtype), dtypes.as_dtype(value_dtype)
        self.default_value = convert(default_value, self.value_dtype)
        self.name = name
        self._found = {}

    def insert(self, keys: Any, values: Any, name: str | None = None) -> None:
        """Take keys, and give those that are there another value.

        Raises `InvalidArgumentError` where there are not as many values as keys.
        """
        given = np.asarray(decided_by_look(convert(keys, self.key_dtype)))
        try:
            taken = np.asarray(decided_by_look(convert(values, self.value_dtype)))
        except ValueError as error:
            raise ValueError(f"values: {error}") from None
        wanted = (*given.shape, *self.default_value.shape)
        if taken.shape != wanted:
            raise invalid(
                "LookupTableInsertV2",
                f"Expected shape {listed(wanted)} for value, got {listed(taken.shape)}",
            )
        for at in np.ndindex(given.shape):
            self._found[given[at] if given.dtype.kind == "O" else given[at].item()] = taken[at]

    def remove(self, keys: Any, name: str | None = None) -> None:
        """Give keys up; raises `TypeError` for another dtype."""
        for key in np.asarray(decided_by_look(self._keys(keys))).ravel().tolist():
            self._found.pop(key, None)

    def lookup(
        self, keys: Any, dynamic_default_values: Any = None, name: str | None = None
    ) -> Tensor:
        """Give the value of each key, or the default, of which there may be one for each."""
        given = np.asarray(decided_by_look(convert(keys, self.key_dtype)))
        if dynamic_default_values is None:
            return self._values(given, decided_by_look(self.default_value))
        others = np.asarray(decided_by_look(convert(dynamic_default_values, self.value_dtype)))
        out = np.array(others)
        for at in np.ndindex(given.shape):
            key = given[at] if given.dtype.kind == "O" else given[at].item()
            out[at] = self._found.get(key, others[at])
        return Tensor(out)

    def __getitem__(self, keys: Any) -> Tensor:
        return self.lookup(keys)


class DenseHashTable(MutableHashTable):
    """The same, which in TensorFlow is laid out otherwise, by two keys that are never used.

    Raises `InvalidArgumentError` where these are equal, or one of them is used.

    >>> table = DenseHashTable("int64", "int64", -1, empty_key=0, deleted_key=-1)
    >>> table.insert([3], [30])
    >>> table.lookup(convert([3, 4], "int64")).numpy()
    array([30, -1])
    """

    def __init__(
        self,
        key_dtype: Any,
        value_dtype: Any,
        default_value: Any,
        empty_key: Any,
        deleted_key: Any,
        initial_num_buckets: int | None = None,
        name: str = "MutableDenseHashTable",
        checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
    ) -> None:
        super().__init__(key_dtype, value_dtype, default_value, name)
        empty, deleted = [
            np.asarray(decided_by_look(convert(key, self.key_dtype))).item()
            for key in (empty_key, deleted_key)
        ]
        if empty == deleted:
            raise invalid("MutableDenseHashTableV2", "Empty and deleted keys cannot be equal")
        self._unused = {empty: "empty_key", deleted: "deleted_key"}

    def insert(self, keys: Any, values: Any, name: str | None = None) -> None:
        """Take keys; raises `InvalidArgumentError` for one that is never used."""
        self._check_used("LookupTableInsertV2", keys)
        super().insert(keys, values)

    def remove(self, keys: Any, name: str | None = None) -> None:
        """Give keys up; raises `InvalidArgumentError` for one that is never used."""
        self._check_used("LookupTableRemoveV2", keys)
        super().remove(keys)

    def lookup(
        self, keys: Any, dynamic_default_values: Any = None, name: str | None = None
    ) -> Tensor:
        """Give the value of each key; raises `InvalidArgumentError` for one that is never used."""
        self._check_used("LookupTableFindV2", keys)
        return super().lookup(keys, dynamic_default_values)

    def _check_used(self, op: str, keys: Any) -> None:
        given = np.asarray(decided_by_look(convert(keys, self.key_dtype))).ravel().tolist()
        met = next((self._unused[key] for key in given if key in self._unused), None)
        if met is not None:
            raise invalid(op, f"Using the {met} as a table key is not allowed")
