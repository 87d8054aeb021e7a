"""`tf.data`: pipelines of elements, in memory and from files."""

from symtape.data import experimental as experimental
from symtape.data.dataset import Dataset as Dataset
from symtape.data.elements.specs import DatasetSpec as DatasetSpec
from symtape.data.files import lines, records
from symtape.data.iterators import Iterator as Iterator, NumpyIterator as NumpyIterator
from symtape.data.options import Options as Options, ThreadingOptions as ThreadingOptions
from symtape.data.stages import base
from symtape.namespace import show

AUTOTUNE = -1
INFINITE_CARDINALITY, UNKNOWN_CARDINALITY = base.INFINITE, base.UNKNOWN
TextLineDataset = lines.TextLineDatasetV2
FixedLengthRecordDataset = records.FixedLengthRecordDatasetV2
TFRecordDataset = records.TFRecordDatasetV2

show(__name__, parts="experimental")
