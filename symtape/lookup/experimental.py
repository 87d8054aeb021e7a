"""`tf.lookup.experimental`: tables that change."""

from symtape.namespace import show
from symtape.ops.tables.changing import DenseHashTable, MutableHashTable

__all__ = ["DenseHashTable", "MutableHashTable"]

show(__name__, __all__)
