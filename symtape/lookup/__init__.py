"""`tf.lookup`: tables from keys to values."""

from symtape.lookup import experimental as experimental
from symtape.namespace import show
from symtape.ops.tables.contents import (
    KeyValueTensorInitializer as KeyValueTensorInitializer,
    TextFileIndex as TextFileIndex,
    TextFileInitializer as TextFileInitializer,
)
from symtape.ops.tables.static import (
    StaticHashTable as StaticHashTable,
    StaticVocabularyTable as StaticVocabularyTable,
)

show(__name__, parts="experimental")
