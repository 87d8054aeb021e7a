"""Records that TensorFlow writes are read here, and those that are written here, by TensorFlow."""

from __future__ import annotations

import pytest
import tensorflow  # noqa: ICN001 - `tf` is one of two
from hypothesis import given
from hypothesis import strategies as st

import symtape
from tests.test_records import SINGLE, WHOLE

VALUES = st.one_of(
    st.tuples(st.just("int64_list"), st.lists(WHOLE)),
    st.tuples(st.just("float_list"), st.lists(SINGLE)),
    st.tuples(st.just("bytes_list"), st.lists(st.binary())),
)
FEATURES = st.dictionaries(st.text(), VALUES, max_size=4)


def message(tf, features):
    """Make a message of one of the two."""
    example = tf.train.Example()
    for key, (kind, values) in features.items():
        getattr(example.features.feature[key], kind).value.extend(values)
    return example


@given(FEATURES)
def test_messages_are_the_same_bytes(features):
    """Both write a message alike, print it alike, and read what the other wrote."""
    theirs, ours = message(tensorflow, features), message(symtape, features)
    data = theirs.SerializeToString(deterministic=True)
    assert ours.SerializeToString(deterministic=True) == data
    assert tensorflow.train.Example.FromString(data) == theirs
    assert symtape.train.Example.FromString(theirs.SerializeToString()) == ours
    if len(features) < 2:  # the others are printed in an order of chance
        assert str(ours) == str(theirs)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_alike(data):
    """What one takes for a message the other does, and writes it again in the same bytes."""
    read = []
    for tf in (tensorflow, symtape):
        try:
            found = tf.train.Example.FromString(data)
            read.append(found.SerializeToString(deterministic=True))
        except Exception as error:  # noqa: BLE001 - of two packages
            read.append(type(error).__name__)
    assert read[0] == read[1]


@pytest.mark.parametrize("kind", ["", "GZIP", "ZLIB"])
@pytest.mark.parametrize("pair", [(tensorflow, symtape), (symtape, tensorflow)])
def test_files_are_exchanged(tmp_path, kind, pair):
    """One writes, and the other reads."""
    writes, reads = pair
    path, records = str(tmp_path / "a"), [b"", b"one", bytes(5000), b"x" * 1000]
    with writes.io.TFRecordWriter(path, kind) as writer:
        for record in records:
            writer.write(record)
    assert [r.numpy() for r in reads.data.TFRecordDataset(path, kind)] == records
