"""`tf.io`: files, records, and bytes that stand for tensors."""

from symtape.io import gfile as gfile
from symtape.namespace import show
from symtape.ops.files.compressed import decode_compressed as decode_compressed
from symtape.ops.files.decoding import decode_csv as decode_csv
from symtape.ops.files.encoding import (
    decode_base64 as decode_base64,
    decode_raw as decode_raw,
    encode_base64 as encode_base64,
)
from symtape.ops.files.protos import (
    parse_tensor as parse_tensor,
    serialize_tensor as serialize_tensor,
)
from symtape.ops.files.reading import (
    matching_files as matching_files,
    read_file as read_file,
    write_file as write_file,
)
from symtape.ops.image.files.decoding import (
    decode_and_crop_jpeg as decode_and_crop_jpeg,
    decode_bmp as decode_bmp,
    decode_gif as decode_gif,
    decode_image as decode_image,
    decode_jpeg as decode_jpeg,
    decode_png as decode_png,
    extract_jpeg_shape as extract_jpeg_shape,
    is_jpeg as is_jpeg,
)
from symtape.ops.image.files.encoding import encode_jpeg as encode_jpeg, encode_png as encode_png
from symtape.ops.records.features import (
    FixedLenFeature as FixedLenFeature,
    FixedLenSequenceFeature as FixedLenSequenceFeature,
    RaggedFeature as RaggedFeature,
    SparseFeature as SparseFeature,
    VarLenFeature as VarLenFeature,
)
from symtape.ops.records.parsing import (
    parse_example as parse_example,
    parse_single_example as parse_single_example,
)
from symtape.ops.records.sequences import (
    parse_sequence_example as parse_sequence_example,
    parse_single_sequence_example as parse_single_sequence_example,
)
from symtape.ops.records.writing import (
    TFRecordOptions as TFRecordOptions,
    TFRecordWriter as TFRecordWriter,
)

show(__name__, parts="gfile")
