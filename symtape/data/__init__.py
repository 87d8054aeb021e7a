"""`tf.data`: pipelines of elements, in memory and from files."""

from symtape.data import experimental
from symtape.data.dataset import Dataset
from symtape.data.elements.specs import DatasetSpec
from symtape.data.files.lines import TextLineDatasetV2 as TextLineDataset
from symtape.data.files.records import FixedLengthRecordDatasetV2 as FixedLengthRecordDataset
from symtape.data.files.records import TFRecordDatasetV2 as TFRecordDataset
from symtape.data.iterators import Iterator, NumpyIterator
from symtape.data.options import Options, ThreadingOptions
from symtape.data.stages.base import INFINITE as INFINITE_CARDINALITY
from symtape.data.stages.base import UNKNOWN as UNKNOWN_CARDINALITY
from symtape.namespace import show

AUTOTUNE = -1

__all__ = [
    "AUTOTUNE",
    "INFINITE_CARDINALITY",
    "UNKNOWN_CARDINALITY",
    "Dataset",
    "DatasetSpec",
    "FixedLengthRecordDataset",
    "Iterator",
    "NumpyIterator",
    "Options",
    "TFRecordDataset",
    "TextLineDataset",
    "ThreadingOptions",
    "experimental",
]

show(__name__, __all__)
