"""Datasets in files: what is damaged, hostile or of others is told, and nothing is left behind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as nps

import symtape as tf
from symtape.errors import FormatError, UnsupportedError

Dataset = tf.data.Dataset


class Point(NamedTuple):
    """An element that JSON has no word for."""

    x: object
    y: object


KINDS = ("bool", "int8", "uint64", "float16", "float64", "complex128")
COLUMNS = st.sampled_from(KINDS).flatmap(
    lambda kind: st.lists(
        st.tuples(nps.arrays(kind, nps.array_shapes(min_dims=0, min_side=0)), st.binary()),
        min_size=1,
        max_size=3,
    )
)


@given(COLUMNS, st.sampled_from([None, "GZIP"]))
def test_elements_come_back(tmp_path_factory, rows, compression):
    """Any tensors are read as they were written, to the last bit."""
    folder = str(tmp_path_factory.mktemp("kept"))
    spec = (tf.TensorSpec(None, rows[0][0].dtype), {"t": tf.TensorSpec([], tf.string)})
    elements = [(array, {"t": text}) for array, text in rows]
    made = Dataset.from_generator(lambda: iter(elements), output_signature=spec)
    made.save(folder, compression)
    found = list(Dataset.load(folder, compression=compression))
    assert len(found) == len(rows)
    for (array, texts), (wanted, text) in zip(found, rows, strict=True):
        assert array.numpy().tobytes() == wanted.tobytes()
        assert (tuple(array.shape), texts["t"].numpy()) == (wanted.shape, text)


def test_a_byte_that_changed_is_seen(tmp_path):
    """Each byte of the records counts."""
    Dataset.from_tensor_slices([1.5, 2.5]).save(tmp_path)
    records = tmp_path / "elements.tfrecord"
    whole = records.read_bytes()
    for place in range(len(whole)):
        records.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(tf.errors.DataLossError):
            list(Dataset.load(tmp_path))


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"count": 1}, "there are more elements than the index says"),
        ({"count": 3}, "there are fewer elements than the index says"),
        ({"leaves": [{"dtype": "int32", "shape": []}]}, "expected int32 but got float"),
        ({"leaves": [{"dtype": "float32", "shape": [2]}]}, "Incompatible shapes at component 0"),
        ({"leaves": [{}]}, "there are more elements than the index says"),
    ],
)
def test_an_index_of_others(tmp_path, change, error):
    """An index that does not say what the records are is told when elements are read."""
    Dataset.from_tensor_slices([1.5, 2.5]).save(tmp_path)
    index = tmp_path / "dataset_spec.json"
    index.write_text(json.dumps(json.loads(index.read_text()) | change))
    with pytest.raises((tf.errors.DataLossError, tf.errors.InvalidArgumentError), match=error):
        list(Dataset.load(tmp_path))


@pytest.mark.parametrize(
    "change",
    [
        {"format": "another"},
        {"version": 2},
        {"count": -1},
        {"count": 1.5},
        {"leaves": [{"dtype": "object"}]},
        {"leaves": []},
        {"leaves": [{"dtype": "int8", "shape": [-2]}]},
        {"spec": {"kind": "class"}},
        {"spec": {"kind": "dict", "keys": ["a", "a"], "parts": [{"kind": "leaf"}]}},
        {"spec": {"kind": "tuple", "parts": []}},
        {"more": 1},
    ],
)
def test_a_hostile_index(tmp_path, change):
    """An index of another form is refused."""
    Dataset.range(2).save(tmp_path)
    index = tmp_path / "dataset_spec.json"
    index.write_text(json.dumps(json.loads(index.read_text()) | change))
    with pytest.raises(FormatError):
        Dataset.load(tmp_path)


def test_named_tuples_need_a_spec(tmp_path):
    """Classes are not written: who reads says what elements are."""
    points = Dataset.from_tensor_slices(Point([1, 2], [[0.5], [1.5]]))
    points.save(tmp_path)
    with pytest.raises(UnsupportedError, match="give element_spec="):
        Dataset.load(tmp_path)
    found = list(Dataset.load(tmp_path, points.element_spec))
    assert [type(point) for point in found] == [Point, Point]
    assert found[1].y.numpy() == [1.5]
    cached = points.cache(str(tmp_path / "c"))
    assert [type(point) for point in [*cached, *cached]] == [Point] * 4


def _small(n):
    tf.debugging.assert_less(n, tf.constant(2, "int64"))
    return n


def test_what_stops_early_leaves_nothing(tmp_path):
    """An iteration that stops, or fails, leaves no files."""
    cached = Dataset.range(5).cache(str(tmp_path / "c"))
    iterator = iter(cached)
    next(iterator)
    del iterator
    assert list(tmp_path.iterdir()) == []
    failing = Dataset.range(5).map(_small)
    with pytest.raises(tf.errors.InvalidArgumentError):
        list(failing.cache(str(tmp_path / "d")))
    assert list(tmp_path.iterdir()) == []


def test_what_is_kept_is_read_by_all_permitted(tmp_path):
    """Files have the rights that files have which are made here."""
    Dataset.range(2).save(tmp_path / "a")
    plain = tmp_path / "plain"
    plain.touch()
    rights = {path.stat().st_mode for path in (tmp_path / "a").iterdir()}
    assert rights == {plain.stat().st_mode}
    assert isinstance(Path(tmp_path, "a", "elements.tfrecord").read_bytes(), bytes)
