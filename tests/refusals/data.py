"""What pipelines refuse: files, batches of datasets, and functions that change what they give."""

from __future__ import annotations

import symtape as tf
from tests.refusals.room import Call, Room

ROOM = Room("data")
D = tf.data.Dataset
NUMBERS = D.range(6)

ROOM.refuses(
    save_without_end=lambda: NUMBERS.repeat().save("path"),
    save_datasets=lambda: NUMBERS.window(2).save("path"),
    save_in_parts=lambda: NUMBERS.save("path", shard_func=lambda n: n % 2),
    save_with_checkpoints=lambda: NUMBERS.save("path", checkpoint_args={}),
    save_compressed_otherwise=lambda: NUMBERS.save("path", "SNAPPY"),
    load_nothing=lambda: D.load("path"),
    load_by_a_reader=lambda: D.load("path", reader_func=lambda d: d),
    snapshot_in_parts=lambda: NUMBERS.snapshot("path", shard_func=lambda n: n % 2),
    snapshot_compressed_otherwise=lambda: NUMBERS.snapshot("path", "ZIP"),
    snapshot_of_datasets=lambda: NUMBERS.window(2).snapshot("path"),
    cache_datasets_in_a_file=lambda: list(NUMBERS.window(2).cache("path")),
    ragged_values=lambda: tf.RaggedTensorSpec([None], flat_values_spec=tf.TensorSpec([None])),
    fingerprint=NUMBERS.fingerprint,
    batch_of_datasets=lambda: list(NUMBERS.window(2).batch(2)),
    unbatch_of_datasets=lambda: NUMBERS.window(2).unbatch(),
    slices_of_datasets=lambda: D.from_tensor_slices(NUMBERS),
    rebatch_to_nothing=lambda: NUMBERS.batch(2).rebatch(0),
    map_to_another_dtype=lambda: list(NUMBERS.map(lambda n: n if n < 2 else 1.5)),
    map_to_another_structure=lambda: list(NUMBERS.map(lambda n: n if n < 2 else (n, n))),
    map_to_nothing=lambda: list(NUMBERS.map(lambda n: None)),
    scan_without_a_pair=lambda: list(NUMBERS.scan(0, lambda s, n: s)),
    reduce_to_another_dtype=lambda: NUMBERS.reduce(0, lambda s, n: n),
    unknown_keyword=lambda: D.range(3, steps=2),
    sparse_feature=lambda: tf.io.parse_single_example(b"", {"a": tf.io.VarLenFeature("int64")}),
    sparse_steps=lambda: tf.io.parse_single_sequence_example(
        b"", None, {"a": tf.io.VarLenFeature("int64")}
    ),
    records_of_an_unknown_compression=lambda: list(tf.data.TFRecordDataset(["a"], "gzip")),
    writer_of_an_unknown_level=lambda: tf.io.TFRecordWriter(
        "a", tf.io.TFRecordOptions("GZIP", compression_level=99)
    ),
    rows_that_do_not_fit=lambda: tf.io.parse_single_example(
        b"", {"a": tf.io.RaggedFeature("int64", partitions=[tf.io.RaggedFeature.RowSplits("b")])}
    ),
)

ROOM.allows(
    ragged_feature=lambda: tf.io.parse_single_example(b"", {"a": tf.io.RaggedFeature("int64")}),
    records_of_nothing=lambda: list(tf.data.TFRecordDataset([], "GZIP")),
    ragged_batch=lambda: list(NUMBERS.map(tf.range).ragged_batch(2)),
    sparse_batch=lambda: list(NUMBERS.map(tf.range).sparse_batch(2, [None])),
    cache=lambda: list(NUMBERS.cache()),
    batches_of_windows=lambda: list(NUMBERS.window(2).flat_map(lambda w: w.batch(2))),
    ignore_errors_behind_map=lambda: list(NUMBERS.map(abs).ignore_errors()),
    map_to_one_dtype=lambda: list(NUMBERS.map(lambda n: n if n < 2 else n * 2)),
    scan=lambda: list(NUMBERS.scan(0, lambda s, n: (s, n))),
    rebatch=lambda: list(NUMBERS.batch(2).rebatch(1)),
    range_by_keyword=lambda: list(D.range(3, output_type=tf.int32)),
)


def _pairs(**how: object) -> Call:
    """Make a table of a dataset."""
    pairs = tf.data.Dataset.range(3).map(lambda n: (n, n))
    words = {"key_dtype": tf.int64, **how}
    return lambda: tf.data.experimental.table_from_dataset(pairs, **words)


ROOM.refuses(
    an_element_of_a_shuffle=lambda: tf.data.experimental.at(tf.data.Dataset.range(3).shuffle(3), 1),
    an_element_of_a_scan=lambda: tf.data.experimental.at(
        tf.data.Dataset.range(3).scan(0, lambda s, n: (s, n)), 1
    ),
    a_default_beside_numbers_of_other_keys=_pairs(num_oov_buckets=2, default_value=7),
    another_hash=_pairs(num_oov_buckets=2, hasher_spec="strong"),
    elements_of_unlike_dtypes=lambda: tf.data.experimental.from_list([1, "a"]),
)
ROOM.allows(
    numbers_of_other_keys=_pairs(num_oov_buckets=2, default_value=-1),
    an_element_by_its_number=lambda: tf.data.experimental.at(tf.data.Dataset.range(3), 1),
)
