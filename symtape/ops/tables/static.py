"""Tables that stay as they are: StaticHashTable, StaticVocabularyTable."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtape.errors import NotFoundError
from symtape.ops.elementwise.conversion import cast
from symtape.ops.strings.hashing import fingerprint
from symtape.ops.tables.contents import Initializer
from symtape.ops.tables.table import Table, of_elements
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.tensor import Tensor

_KEYS = ("string", "int32", "int64")


class StaticHashTable(Table):
    """A table that stays as it is (`tf.lookup.StaticHashTable`).

    Raises `FailedPreconditionError` for two values of one key, and `ValueError` for a default that
    is no scalar.

    >>> from symtape.lookup import KeyValueTensorInitializer
    >>> table = StaticHashTable(KeyValueTensorInitializer(["a", "b"], [1, 2]), -1)
    >>> table.lookup(convert(["b", "z"])).numpy()
    array([ 2, -1], dtype=int32)
    """

    def __init__(
        self,
        initializer: Initializer,
        default_value: Any,
        name: str | None = None,
        experimental_is_anonymous: bool = False,
    ) -> None:
        self.key_dtype = dtypes.as_dtype(initializer.key_dtype)
        self.value_dtype = dtypes.as_dtype(initializer.value_dtype)
        if self.key_dtype.name not in _KEYS:
            raise NotFoundError(
                message="Could not find device for node: {{node HashTableV2}} = HashTableV2"
                f"[key_dtype=DT_{self.key_dtype.enum_name.upper()}] [Op:HashTableV2] name: "
            )
        self.default_value = convert(default_value, self.value_dtype)
        self.default_value.shape.merge_with([])
        self.name = name or "hash_table"
        self._found = {}
        initializer.initialize(self)

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """Give the value of each key, or the default; raises `TypeError` for another dtype."""
        if (made := of_elements(keys, self.lookup)) is not None:
            return made
        given = np.asarray(decided_by_look(self._keys(keys)))
        return self._values(given, decided_by_look(self.default_value))

    def __getitem__(self, keys: Any) -> Any:
        return self.lookup(keys)


class StaticVocabularyTable:
    """Numbers for words, and for those that are not there some of their own, by their hashes.

    Raises `ValueError` without such numbers, and `TypeError` for values that are not int64.

    >>> from symtape.lookup import KeyValueTensorInitializer
    >>> words = KeyValueTensorInitializer(["a", "b"], [0, 1], value_dtype="int64")
    >>> StaticVocabularyTable(words, 2).lookup(convert(["b", "z"])).numpy()
    array([1, 3])
    """

    def __init__(
        self,
        initializer: Initializer | None,
        num_oov_buckets: int,
        lookup_key_dtype: Any = None,
        name: str | None = None,
        experimental_is_anonymous: bool = False,
    ) -> None:
        if num_oov_buckets <= 0:
            raise ValueError("`num_oov_buckets` must be > 0; use StaticHashTable.")
        if initializer is not None and initializer.value_dtype is not dtypes.int64:
            raise TypeError(
                f"Invalid `value_dtype`, expected {dtypes.int64} but got {initializer.value_dtype}."
            )
        self._table = None if initializer is None else StaticHashTable(initializer, -1)
        wanted = lookup_key_dtype or (dtypes.string if initializer is None else None)
        self.key_dtype = (
            dtypes.as_dtype(wanted) if self._table is None or wanted else self._table.key_dtype
        )
        self.value_dtype = dtypes.int64
        self.name = name or "string_to_index"
        self._buckets = num_oov_buckets

    @property
    def _words(self) -> int:
        return 0 if self._table is None else int(self._table.size())

    def size(self, name: str | None = None) -> Tensor:
        """Count the words, and the numbers for others."""
        return Tensor(np.int64(self._words + self._buckets))

    def lookup(self, keys: Any, name: str | None = None) -> Any:
        """Give the number of each word; raises `TypeError` for another dtype."""
        if (made := of_elements(keys, self.lookup)) is not None:
            return made
        if keys.dtype != self.key_dtype:
            raise TypeError(
                f"Dtype of argument `keys` must be {self.key_dtype}, received: {keys.dtype}"
            )
        given = np.asarray(decided_by_look(convert(keys)))
        known = (
            np.full(given.shape, -1)
            if self._table is None
            else np.asarray(decided_by_look(self._table.lookup(cast(keys, self._table.key_dtype))))
        )
        out = np.array(known, np.int64)
        for at in zip(*np.nonzero(out == -1), strict=True):
            text = given[at] if given.dtype.kind == "O" else str(given[at]).encode()
            out[at] = self._words + fingerprint(text) % self._buckets
        return Tensor(out[()])

    def __getitem__(self, keys: Any) -> Any:
        return self.lookup(keys)
