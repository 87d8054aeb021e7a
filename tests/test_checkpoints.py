"""Checkpoints: hostile files are refused, and what comes later gets its values.

What TensorFlow saves, restores and raises is in `tests/answers/checkpoints.py`.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import symtape as tf


@pytest.fixture
def saved(tmp_path):
    """A checkpoint of two variables, and the path that it was saved under."""
    checkpoint = tf.train.Checkpoint(a=tf.Variable([1.0, 2.0]), b=tf.Variable(3))
    return checkpoint, Path(checkpoint.save(tmp_path / "ckpt"))


def index_of(path):
    """Give the file of a checkpoint that says what is where."""
    return path.with_name(path.name + ".index")


def data_of(path):
    """Give the file of a checkpoint that has the numbers."""
    return path.with_name(path.name + ".data-00000-of-00001")


def changed(change):
    """Make a function that changes the document of an index."""

    def run(path):
        document = json.loads(index_of(path).read_text("utf-8"))
        change(document)
        index_of(path).write_text(json.dumps(document), "utf-8")

    return run


def value(document):
    """Give the entry of the first variable."""
    return document["nodes"][1]["value"]


HOSTILE = {
    "another format": (lambda d: d.update(format="pickle"), "format: it is not"),
    "a later version": (lambda d: d.update(version=2), "version: this symtape reads version 1"),
    "more data than there are": (lambda d: d.update(bytes=10**6), "bytes: the data have"),
    "no objects": (lambda d: d.update(nodes=[]), "nodes: 0 objects"),
    "a part that is not there": (
        lambda d: d["nodes"][0].update(parts=[["a", 9]]),
        r"nodes\[0\].parts\[0\]\[1\]: 9 is not between 0 and",
    ),
    "a part without a number": (
        lambda d: d["nodes"][0].update(parts=[["a"]]),
        r"nodes\[0\].parts\[0\]: a part is a name and a number",
    ),
    "a value behind the end": (lambda d: value(d).update(start=17), "the data end before"),
    "a value of unbounded size": (
        lambda d: value(d).update(shape=[2**40, 2**40]),
        "shape: an array of shape",
    ),
    "a value of objects": (lambda d: value(d).update(dtype="object"), "dtype: unknown 'object'"),
    "a key twice": (
        lambda d: d["nodes"][2]["value"].update(key=value(d)["key"]),
        "nodes: a key is there twice",
    ),
    "an unknown field": (lambda d: d.update(code="print(1)"), "unknown key 'code'"),
    "a missing field": (lambda d: value(d).pop("checksum"), "'checksum' is missing"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_index_is_refused(saved, name):
    """An index that is not of the form is refused, with the place, and nothing is assigned."""
    checkpoint, path = saved
    change, words = HOSTILE[name]
    changed(change)(path)
    checkpoint.a.assign([8.0, 9.0])
    with pytest.raises(tf.errors.FormatError, match=words):
        checkpoint.restore(str(path))
    with pytest.raises(tf.errors.FormatError, match=words):
        tf.train.load_checkpoint(path)
    assert checkpoint.a.numpy().tolist() == [8.0, 9.0]


@pytest.mark.parametrize("content", [b"", b"\x80\x04K\x01.", b"[1.5]", b"[" * 100_000, b"\xff\xfe"])
def test_what_is_no_index_is_refused(saved, content):
    """Pickles, other JSON, and bytes that are no text are refused."""
    checkpoint, path = saved
    index_of(path).write_bytes(content)
    with pytest.raises(tf.errors.FormatError):
        checkpoint.restore(path)


def test_an_index_of_tensorflow_is_told_from_others(saved):
    """Who wants to read TensorFlow's files hears that they are TensorFlow's."""
    checkpoint, path = saved
    index_of(path).write_bytes(b"\0" * 40 + bytes.fromhex("57fb808b247547db"))
    with pytest.raises(tf.errors.FormatError, match="a checkpoint that TensorFlow wrote"):
        checkpoint.restore(path)


def test_damaged_bytes_are_refused(saved):
    """A bit that flipped in the data is found by the sum of its value."""
    checkpoint, path = saved
    damaged = bytearray(data_of(path).read_bytes())
    damaged[1] ^= 4
    data_of(path).write_bytes(damaged)
    with pytest.raises(tf.errors.FormatError, match="bytes of the checkpoint are damaged"):
        checkpoint.restore(path)


def test_files_come_into_being_as_a_whole(saved, tmp_path):
    """Beside the two files and the list of a folder nothing is left."""
    names = sorted(p.name for p in tmp_path.iterdir())
    assert names == ["checkpoint", "ckpt-1.data-00000-of-00001", "ckpt-1.index"]


@pytest.mark.parametrize(
    "text",
    ["import os", "model_checkpoint_path: 3", 'model_checkpoint_path: "a', "x: 1", "\xff\xfe"],
)
def test_a_list_of_another_form_is_refused(saved, tmp_path, text):
    """A file `checkpoint` that TensorFlow would not write is refused, and the line is told."""
    (tmp_path / "checkpoint").write_bytes(text.encode("latin-1"))
    with pytest.raises(tf.errors.FormatError, match="checkpoint"):
        tf.train.latest_checkpoint(tmp_path)


def test_a_manager_deletes_in_its_folder_alone(tmp_path):
    """A list that names checkpoints of another folder does not get them deleted."""
    checkpoint = tf.train.Checkpoint(w=tf.Variable(1.0))
    other = Path(checkpoint.write(tmp_path / "other" / "ckpt-1"))
    own = tmp_path / "own"
    own.mkdir()
    (own / "checkpoint").write_text(
        'model_checkpoint_path: "ckpt-0"\nall_model_checkpoint_paths: "../other/ckpt-1"\n', "utf-8"
    )
    manager = tf.train.CheckpointManager(checkpoint, own, max_to_keep=1)
    for _ in range(3):
        manager.save()
    assert index_of(other).is_file()
    assert [Path(path).name for path in manager.checkpoints] == ["ckpt-3"]


def test_some_checkpoints_are_kept_for_longer(tmp_path, monkeypatch):
    """With `keep_checkpoint_every_n_hours`, one of each such time stays."""
    now = [0.0]
    monkeypatch.setattr("symtape.training.manager.time.time", lambda: now[0])
    manager = tf.train.CheckpointManager(
        tf.train.Checkpoint(w=tf.Variable(1.0)), tmp_path, 1, keep_checkpoint_every_n_hours=1
    )
    for _ in range(6):
        now[0] += 1500.0
        manager.save()
    kept = sorted(p.name for p in tmp_path.iterdir() if p.suffix == ".index")
    assert kept == ["ckpt-3.index", "ckpt-6.index"]


def test_layers_that_are_built_later_get_their_values(tmp_path):
    """A model and its optimizer, restored before they have variables, go on as the saved ones."""
    data = np.array([[1.0, 2.0], [3.0, 5.0]], np.float32)

    def model_and_optimizer():
        tf.keras.utils.clear_session()
        tf.keras.utils.set_random_seed(3)
        layers = tf.keras.layers
        return (
            tf.keras.Sequential([layers.Dense(3, "tanh"), layers.Dense(1)]),
            tf.keras.optimizers.Adam(0.1),
        )

    def step(model, optimizer):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(data) ** 2)
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
        return loss.numpy().item()

    model, optimizer = model_and_optimizer()
    step(model, optimizer)
    path = tf.train.Checkpoint(model=model, optimizer=optimizer).save(tmp_path / "ckpt")
    expected = [step(model, optimizer) for _ in range(3)]
    model, optimizer = model_and_optimizer()
    status = tf.train.Checkpoint(model=model, optimizer=optimizer).restore(path)
    assert [step(model, optimizer) for _ in range(3)] == expected
    status.assert_consumed()


def test_what_is_put_into_a_list_gets_its_value_when_somebody_asks(tmp_path):
    """A list is looked at again where an attribute is set, and where the status is asked."""
    path = tf.train.Checkpoint(v=[tf.Variable(1.0), tf.Variable(2.0)]).write(tmp_path / "file")
    later = []
    checkpoint = tf.train.Checkpoint(v=later)
    status = checkpoint.read(path)
    later.append(tf.Variable(0.0))
    checkpoint.other = 3
    assert later[0].numpy() == 1.0
    later.append(tf.Variable(0.0))
    status.assert_consumed()
    assert later[1].numpy() == 2.0


def test_two_variables_that_were_one_are_told(tmp_path):
    """The first of two variables that were saved as one has the value, and a warning says so."""
    shared = tf.Variable(1.0)
    path = tf.train.Checkpoint(a=shared, b=shared).write(tmp_path / "file")
    checkpoint = tf.train.Checkpoint(a=tf.Variable(0.0), b=tf.Variable(0.0))
    with pytest.warns(UserWarning, match="Inconsistent references"):
        checkpoint.read(path)
    assert [checkpoint.a.numpy(), checkpoint.b.numpy()] == [1.0, 0.0]


@pytest.mark.parametrize(
    "texts", ["text", ["a", "", "w\u00f6rd"], [[b"\xff\x00"], [b"b"]], np.zeros((0, 2), object)]
)
def test_texts_are_saved(tmp_path, texts):
    """Variables of text come back byte by byte, whatever their lengths."""
    variable = tf.Variable(tf.constant(texts, tf.string))
    expected = variable.numpy()
    path = tf.train.Checkpoint(v=variable).write(tmp_path / "file")
    variable.assign(tf.fill(variable.shape, "other"))
    tf.train.Checkpoint(v=variable).read(path).assert_consumed()
    assert np.array_equal(variable.numpy(), expected)
    assert np.array_equal(tf.train.load_variable(path, "v/.ATTRIBUTES/VARIABLE_VALUE"), expected)


def test_texts_of_other_lengths_are_refused(tmp_path):
    """A file that names fewer lengths than it has texts is not of the form."""
    path = tf.train.Checkpoint(v=tf.Variable(["a", "bc"])).write(tmp_path / "file")

    def shorten(document):
        value = next(node["value"] for node in document["nodes"] if "value" in node)
        value["lengths"] = [3]

    changed(shorten)(Path(path))
    with pytest.raises(tf.errors.FormatError, match="1 lengths of texts for string of"):
        tf.train.load_checkpoint(path)


def test_circles_are_saved_once(tmp_path):
    """A module that holds its parent is saved, and restored, without end."""
    parent, child = tf.Module(), tf.Module()
    parent.child, child.parent, child.w = child, parent, tf.Variable(2.0)
    checkpoint = tf.train.Checkpoint(parent)
    path = checkpoint.write(tmp_path / "file")
    child.w.assign(0.0)
    checkpoint.read(path).assert_consumed()
    assert child.w.numpy() == 2.0
    assert tf.train.list_variables(path)[1:] == [("child/w/.ATTRIBUTES/VARIABLE_VALUE", [])]


def test_what_has_no_name_is_refused(tmp_path):
    """A variable that a dict has by a key that is no text is refused before a file is written."""
    checkpoint = tf.train.Checkpoint(v={(3,): tf.Variable(1.0)})
    with pytest.raises(ValueError, match="names the values of a dict by"):
        checkpoint.write(tmp_path / "file")
    assert list(tmp_path.iterdir()) == []


def test_options_are_refused_by_name(tmp_path):
    """What is no options, or would have an effect that is not there, is not ignored."""
    with pytest.raises(TypeError, match=r"options are a tf\.train\.CheckpointOptions"):
        tf.train.Checkpoint(w=tf.Variable(1.0)).write(tmp_path / "file", options="later")
    with pytest.raises(tf.errors.UnsupportedError, match="restored whole"):
        tf.train.CheckpointOptions(experimental_skip_slot_variables=True)
    with pytest.raises(tf.errors.UnsupportedError, match="one file"):
        tf.train.CheckpointOptions(experimental_sharding_callback=object())


def test_an_order_that_nobody_has_set_is_restored(tmp_path):
    """A shuffle without a seed goes on in the order that it had, and so do its later orders."""

    def begun():
        return iter(tf.data.Dataset.range(8).shuffle(8).repeat())

    iterator = begun()
    next(iterator)
    path = tf.train.Checkpoint(iterator=iterator).save(tmp_path / "ckpt")
    expected = [next(iterator).numpy() for _ in range(20)]
    other = begun()
    tf.train.Checkpoint(iterator=other).restore(path).assert_consumed()
    assert [next(other).numpy() for _ in range(20)] == expected


def test_an_iterator_that_gives_other_elements_is_refused(tmp_path):
    """Elements of a generator that goes on do not come again, and the iterator says so."""
    numbers = iter(range(100))
    iterator = iter(tf.data.Dataset.from_generator(lambda: numbers, tf.int64))
    checkpoint = tf.train.Checkpoint(iterator=iterator)
    next(iterator)
    path = checkpoint.save(tmp_path / "ckpt")
    checkpoint.restore(path)
    with pytest.raises(tf.errors.UnsupportedError, match="cannot go on after 1 elements"):
        next(iterator)
