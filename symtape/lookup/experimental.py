"""`tf.lookup.experimental`: tables that change."""

from symtape.namespace import show
from symtape.ops.tables.changing import (
    DenseHashTable as DenseHashTable,
    MutableHashTable as MutableHashTable,
)

show(__name__)
