"""`tf.lookup`: tables from keys to values."""

from symtape.lookup import experimental
from symtape.namespace import show
from symtape.ops.tables.contents import (
    KeyValueTensorInitializer,
    TextFileIndex,
    TextFileInitializer,
)
from symtape.ops.tables.static import StaticHashTable, StaticVocabularyTable

__all__ = [
    "KeyValueTensorInitializer",
    "StaticHashTable",
    "StaticVocabularyTable",
    "TextFileIndex",
    "TextFileInitializer",
    "experimental",
]

show(__name__, __all__)
