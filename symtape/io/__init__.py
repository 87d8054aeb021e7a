"""`tf.io`: files, and bytes that stand for tensors."""

from symtape.io import gfile
from symtape.namespace import show
from symtape.ops.files.decoding import decode_csv
from symtape.ops.files.encoding import decode_base64, decode_raw, encode_base64
from symtape.ops.files.protos import parse_tensor, serialize_tensor
from symtape.ops.files.reading import matching_files, read_file, write_file

__all__ = [
    "decode_base64",
    "decode_csv",
    "decode_raw",
    "encode_base64",
    "gfile",
    "matching_files",
    "parse_tensor",
    "read_file",
    "serialize_tensor",
    "write_file",
]

show(__name__, __all__)
