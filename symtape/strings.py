"""`tf.strings`: tensors of text."""

from symtape.namespace import show
from symtape.ops.strings.hashing import (
    to_hash_bucket as to_hash_bucket,
    to_hash_bucket_fast as to_hash_bucket_fast,
    to_hash_bucket_strong as to_hash_bucket_strong,
)
from symtape.ops.strings.letters import (
    unicode_decode as unicode_decode,
    unicode_decode_with_offsets as unicode_decode_with_offsets,
    unicode_encode as unicode_encode,
    unicode_split as unicode_split,
    unicode_split_with_offsets as unicode_split_with_offsets,
    unicode_transcode as unicode_transcode,
)
from symtape.ops.strings.numerals import (
    as_string as as_string,
    format as format,
    to_number as to_number,
)
from symtape.ops.strings.parts import bytes_split as bytes_split, ngrams as ngrams, split as split
from symtape.ops.strings.patterns import (
    regex_full_match as regex_full_match,
    regex_replace as regex_replace,
)
from symtape.ops.strings.segments import unsorted_segment_join as unsorted_segment_join
from symtape.ops.strings.texts import (
    join as join,
    length as length,
    lower as lower,
    reduce_join as reduce_join,
    strip as strip,
    substr as substr,
    upper as upper,
)

show(__name__)
