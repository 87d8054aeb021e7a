"""`tf.io`: files, records, and bytes that stand for tensors."""

from symtape.io import gfile
from symtape.namespace import show
from symtape.ops.files.compressed import decode_compressed
from symtape.ops.files.decoding import decode_csv
from symtape.ops.files.encoding import decode_base64, decode_raw, encode_base64
from symtape.ops.files.protos import parse_tensor, serialize_tensor
from symtape.ops.files.reading import matching_files, read_file, write_file
from symtape.ops.image.files.decoding import (
    decode_and_crop_jpeg,
    decode_bmp,
    decode_gif,
    decode_image,
    decode_jpeg,
    decode_png,
    extract_jpeg_shape,
    is_jpeg,
)
from symtape.ops.image.files.encoding import encode_jpeg, encode_png
from symtape.ops.records.features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    RaggedFeature,
    SparseFeature,
    VarLenFeature,
)
from symtape.ops.records.parsing import parse_example, parse_single_example
from symtape.ops.records.sequences import parse_sequence_example, parse_single_sequence_example
from symtape.ops.records.writing import TFRecordOptions, TFRecordWriter

__all__ = [
    "FixedLenFeature",
    "FixedLenSequenceFeature",
    "RaggedFeature",
    "SparseFeature",
    "TFRecordOptions",
    "TFRecordWriter",
    "VarLenFeature",
    "decode_and_crop_jpeg",
    "decode_base64",
    "decode_bmp",
    "decode_compressed",
    "decode_csv",
    "decode_gif",
    "decode_image",
    "decode_jpeg",
    "decode_png",
    "decode_raw",
    "encode_base64",
    "encode_jpeg",
    "encode_png",
    "extract_jpeg_shape",
    "gfile",
    "is_jpeg",
    "matching_files",
    "parse_example",
    "parse_sequence_example",
    "parse_single_example",
    "parse_single_sequence_example",
    "parse_tensor",
    "read_file",
    "serialize_tensor",
    "write_file",
]

show(__name__, __all__)
