"""`tf.strings`: tensors of text."""

from symtape.namespace import show
from symtape.ops.strings.hashing import (
    to_hash_bucket,
    to_hash_bucket_fast,
    to_hash_bucket_strong,
)
from symtape.ops.strings.letters import (
    unicode_decode,
    unicode_decode_with_offsets,
    unicode_encode,
    unicode_split,
    unicode_split_with_offsets,
    unicode_transcode,
)
from symtape.ops.strings.numerals import as_string, format, to_number
from symtape.ops.strings.parts import bytes_split, ngrams, split
from symtape.ops.strings.patterns import regex_full_match, regex_replace
from symtape.ops.strings.segments import unsorted_segment_join
from symtape.ops.strings.texts import (
    join,
    length,
    lower,
    reduce_join,
    strip,
    substr,
    upper,
)

__all__ = [
    "as_string",
    "bytes_split",
    "format",
    "join",
    "length",
    "lower",
    "ngrams",
    "reduce_join",
    "regex_full_match",
    "regex_replace",
    "split",
    "strip",
    "substr",
    "to_hash_bucket",
    "to_hash_bucket_fast",
    "to_hash_bucket_strong",
    "to_number",
    "unicode_decode",
    "unicode_decode_with_offsets",
    "unicode_encode",
    "unicode_split",
    "unicode_split_with_offsets",
    "unicode_transcode",
    "unsorted_segment_join",
    "upper",
]

show(__name__, __all__)
