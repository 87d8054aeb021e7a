"""Records: their bytes, their checksums, and what hostile files and messages do."""

from __future__ import annotations

import pickle
import struct
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import symtape as tf
from symtape.ops.files.sources import Source
from symtape.ops.records import examples, wire
from symtape.ops.records.checksums import crc32c, masked
from symtape.ops.records.framing import framed
from symtape.ops.records.values import entries, values_in

WHOLE = st.integers(-(2**63), 2**63 - 1)
SINGLE = st.floats(width=32, allow_nan=True)
VALUES = st.one_of(
    st.none(),
    st.lists(WHOLE).map(lambda v: tf.train.Feature(int64_list=tf.train.Int64List(value=v))),
    st.lists(SINGLE).map(lambda v: tf.train.Feature(float_list=tf.train.FloatList(value=v))),
    st.lists(st.binary()).map(lambda v: tf.train.Feature(bytes_list=tf.train.BytesList(value=v))),
)
FEATURES = st.dictionaries(st.text(), VALUES.map(lambda f: f or tf.train.Feature()), max_size=4)


def bit_by_bit(data: bytes) -> int:
    """Compute a checksum as it is defined."""
    state = 0xFFFFFFFF
    for byte in data:
        state ^= byte
        for _ in range(8):
            state = state >> 1 ^ (0x82F63B78 if state & 1 else 0)
    return state ^ 0xFFFFFFFF


def test_known_checksums():
    """Those of the publications that define the checksum (RFC 3720)."""
    assert crc32c(b"123456789") == 0xE3069283
    assert crc32c(bytes(32)) == 0x8A9136AA
    assert crc32c(b"\xff" * 32) == 0x62A8AB43
    assert crc32c(bytes(range(32))) == 0x46DD794E


@given(st.binary(max_size=40), st.sampled_from([0, 1000, 1024, 1026, 2048, 5000]))
def test_checksums_of_any_length(data, more):
    """They are those that single bits give, across blocks and their remainders."""
    whole = data + bytes(more) + data
    assert crc32c(whole) == bit_by_bit(whole)


@given(st.lists(WHOLE))
def test_numbers_come_back(values):
    """Numbers of any size are read as they were written, together and one by one."""
    together = next(wire.fields(tf.train.Int64List(value=values or [0]).SerializeToString()))
    assert wire.unpacked(together.content).tolist() == (values or [0])
    alone = b"".join(wire.numeric(1, value) for value in values)
    assert tf.train.Int64List.FromString(alone).value == values


@given(FEATURES)
def test_messages_become_tensors(features):
    """What a message holds is what is read of it, whatever the names and values are."""
    example = tf.train.Example(features=tf.train.Features(feature=features))
    found = wire_values(example.SerializeToString())
    assert found.keys() == features.keys()
    assert pickle.loads(pickle.dumps(example)) == example
    for key, feature in features.items():
        kind = feature.WhichOneof("kind")
        values = [] if kind is None else list(getattr(feature, kind).value)
        np.testing.assert_array_equal([] if kind is None else found[key].array.tolist(), values)


def wire_values(data: bytes):
    """Read the values of a message by their names, off its bytes."""
    return {key: values_in(part) for key, part in entries(data, 1).items()}


def test_messages_need_the_library(monkeypatch):
    """Without it the error says what to install; reading needs nothing."""
    monkeypatch.setitem(sys.modules, "google.protobuf.descriptor_pb2", None)
    examples._classes.cache_clear()
    try:
        with pytest.raises(tf.ExtraNotInstalledError, match=r'pip install "symtape\[records\]"'):
            tf.train.__getattr__("Example")
    finally:
        monkeypatch.undo()
        examples._classes.cache_clear()


@given(st.binary(max_size=40), st.data())
def test_cut_off_messages(data, draw):
    """A message that is cut off anywhere is another message, or an error that says so."""
    example = tf.train.Example()
    example.features.feature["a"].bytes_list.value.extend([data, b"x"])
    whole = example.SerializeToString()
    part = whole[: draw.draw(st.integers(0, len(whole) - 1))]
    wanted = {"a": tf.io.FixedLenFeature([2], tf.string)}
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.io.parse_single_example(part, wanted)


@given(st.lists(st.binary(max_size=30), max_size=5), st.sampled_from(["", "GZIP", "ZLIB"]))
def test_files_come_back(tmp_path_factory, records, kind):
    """Records are read as they were written."""
    path = str(tmp_path_factory.mktemp("records") / "a")
    with tf.io.TFRecordWriter(path, kind) as writer:
        for record in records:
            writer.write(record)
    assert [r.numpy() for r in tf.data.TFRecordDataset(path, kind)] == records


def test_a_byte_that_changed_is_seen(tmp_path):
    """Each single byte of a file counts, wherever it is."""
    data = framed(b"some") + framed(b"record")
    for place in range(len(data)):
        path = tmp_path / "a"
        path.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
        with pytest.raises(tf.errors.DataLossError):
            list(tf.data.TFRecordDataset(str(path)))


@pytest.mark.parametrize("length", [2**40, 2**63, 2**64 - 1, 2**64 - 4])
def test_lengths_that_lie(tmp_path, length):
    """A file says that its record has a terabyte: no memory is taken for it."""
    head = struct.pack("<Q", length)
    path = tmp_path / "a"
    path.write_bytes(head + struct.pack("<I", masked(head)) + b"abc")
    with pytest.raises(tf.errors.DataLossError, match="truncated record at 0'"):
        list(tf.data.TFRecordDataset(str(path)))


@pytest.mark.parametrize("message", [b"\x13" * 100000, b"\x0a" + wire.varint(2**63) + b"abc"])
def test_hostile_messages(message):
    """Groups that lie in each other without end, and lengths that lie, are an error."""
    with pytest.raises(tf.errors.InvalidArgumentError, match="Could not parse example input"):
        tf.io.parse_single_example(message, {"a": tf.io.FixedLenFeature([], tf.int64)})


def test_a_file_is_unpacked_piece_by_piece(tmp_path):
    """The first bytes of a file that is small and unpacks to much take little memory."""
    path = tmp_path / "a"
    path.write_bytes(zlib.compress(bytes(1 << 26)))
    source = Source(str(path), "ZLIB")
    assert source.take(12) == bytes(12)
    assert len(source._held) <= 1 << 18


def test_iteration_goes_on_with_the_next_file(tmp_path):
    """After an error comes what the next file has, and `ignore_errors` leaves the error out."""
    good, bad = tmp_path / "a", tmp_path / "b"
    good.write_bytes(framed(b"1") + framed(b"2"))
    bad.write_bytes(framed(b"1") + b"x" * 20)
    records = tf.data.TFRecordDataset([str(bad), str(good)])
    iterator, found = iter(records), []
    for _ in range(4):
        try:
            found.append(next(iterator).numpy())
        except tf.errors.DataLossError:
            found.append(None)
    assert found == [b"1", None, b"1", b"2"]
    assert [r.numpy() for r in records.ignore_errors()] == [b"1", b"1", b"2"]


def test_specs_of_files_that_are_not_there():
    """A spec is told without records; sizes that vary are not known."""
    wanted = {
        "a": tf.io.FixedLenFeature([2, 3], tf.float32),
        "b": tf.io.FixedLenSequenceFeature([2], tf.int64, allow_missing=True),
    }
    records = tf.data.TFRecordDataset("/no/such/file")
    one = records.map(lambda r: tf.io.parse_single_example(r, wanted)).element_spec
    assert (one["a"].shape.as_list(), one["b"].shape.as_list()) == ([2, 3], [None, 2])
    some = records.batch(4).map(lambda r: tf.io.parse_example(r, wanted)).element_spec
    assert some["a"].shape.as_list() == [None, 2, 3]
    assert some["b"].shape.as_list() == [None, None, 2]


def test_specs_of_what_is_decoded(tmp_path):
    """A function that needs the bytes of a record gets those of one for its spec."""
    path = str(Path(tmp_path, "a"))
    with tf.io.TFRecordWriter(path) as writer:
        example = tf.train.Example()
        example.features.feature["image"].bytes_list.value.append(bytes(12))
        writer.write(example.SerializeToString())

    def read(record):
        wanted = {"image": tf.io.FixedLenFeature([], tf.string)}
        image = tf.io.parse_single_example(record, wanted)["image"]
        return tf.reshape(tf.io.decode_raw(image, tf.uint8), [3, 4])

    assert tf.data.TFRecordDataset(path).map(read).element_spec.shape.as_list() == [3, 4]
