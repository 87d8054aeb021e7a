"""Saved models: what has no program is refused, and so are files of another form.

What TensorFlow's loaded functions give is in `tests/answers/saved_models.py`.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import symtape as tf


def module_with(function, *specs, **parts):
    """Make a module with a function and parts."""
    module = tf.Module()
    for name, part in parts.items():
        setattr(module, name, part)
    module.f = tf.function(lambda *x: function(module, *x), input_signature=specs)
    return module


ROWS = tf.TensorSpec([None, 4])

WITHOUT = {
    "a sum decides": (
        lambda m, x: x if tf.reduce_sum(x) > 0 else -x,
        ROWS,
        "f: values of its arguments or variables decide",
    ),
    "a variable decides": (
        lambda m, x: x if m.w[0, 0] > 0 else -x,
        ROWS,
        "f: values of its arguments or variables decide",
    ),
    "a place of a variable is read": (
        lambda m, x: x * float(tf.stop_gradient(m.w[0, 0])),
        ROWS,
        "float\\(\\) takes a value|values of its arguments or variables decide",
    ),
    "a number leaves": (lambda m, x: x * x[0].numpy(), ROWS, "numpy\\(\\) takes a value"),
    "it draws": (lambda m, x: x + tf.random.normal([4]), ROWS, "assigns variables or draws"),
    "it assigns": (
        lambda m, x: m.w.assign_add(tf.ones([4, 4])),
        ROWS,
        "f: it assigns variables or draws random numbers",
    ),
    "a number of rows is read": (
        lambda m, x: x / x.shape[0],
        ROWS,
        "f: what it computes at other sizes is not what it computes at these",
    ),
    "rows are gone through": (
        lambda m, x: tf.add_n([row * row for row in x]),
        ROWS,
        "f: axis 0 of an argument of shape \\(None, 4\\) cannot be of any size",
    ),
    "pairs of rows": (
        lambda m, x: tf.reshape(x, [-1, 8]),
        ROWS,
        "cannot be of any size, since reshape has it",
    ),
    "it gives a text": (lambda m, x: "text", ROWS, "f: it has a tensor of texts"),
    "it takes a text": (
        lambda m, x: x,
        tf.TensorSpec([None], tf.string),
        "f: an argument of string is no part of a program",
    ),
}


@pytest.mark.parametrize("name", WITHOUT)
def test_what_has_no_program_is_refused(name, tmp_path):
    """A function that one program does not stand for is not saved, and nothing is written."""
    function, spec, words = WITHOUT[name]
    module = module_with(function, spec, w=tf.Variable(np.eye(4, dtype="float32")))
    with pytest.raises(tf.errors.UnsupportedError, match=words):
        tf.saved_model.save(module, tmp_path / "model")
    assert not (tmp_path / "model").exists()
    assert module.w.numpy().tolist() == np.eye(4).tolist()


def test_what_was_called_and_has_no_program_says_so(tmp_path):
    """A training step in a module is left out with a warning, and refuses to be called."""
    module = tf.Module()
    module.w = tf.Variable(1.0)
    module.step = tf.function(lambda x: module.w.assign_add(x))
    module.twice = tf.function(lambda x: 2 * x)
    module.step(1.5), module.twice(tf.constant(1.5))
    with pytest.warns(UserWarning, match="leaves out a signature of step: it assigns"):
        tf.saved_model.save(module, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    assert loaded.twice(tf.constant(4.0)).numpy() == 8.0
    with pytest.raises(tf.errors.UnsupportedError, match="could not be saved: step: it assigns"):
        loaded.step(1.5)


def test_more_signatures_than_are_kept(tmp_path):
    """A function that was called with very many shapes says that not all are kept."""
    module = tf.Module()
    module.f = tf.function(lambda x: x)
    for n in range(70):
        module.f(tf.zeros([n]))
    with pytest.warns(UserWarning, match="keeps the first signatures of f alone"):
        tf.saved_model.save(module, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    assert loaded.f(tf.zeros([63])).shape == [63]
    with pytest.raises(ValueError, match="Could not find matching concrete function"):
        loaded.f(tf.zeros([65]))


def test_a_call_notes_no_more_than_it_says(tmp_path):
    """Saving calls functions with sizes of its own, which are no signatures."""
    module = tf.Module()
    module.inner = tf.function(lambda x: x + 1)
    module.f = tf.function(lambda x: module.inner(x), input_signature=[ROWS])
    module.f(tf.zeros([2, 4]))
    tf.saved_model.save(module, tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    assert loaded.inner(tf.zeros([2, 4])).shape == [2, 4]
    with pytest.raises(ValueError, match="1 option"):
        loaded.inner(tf.zeros([12, 4]))


def test_sizes_that_no_program_has(tmp_path):
    """Arguments whose sizes do not fit one another are refused where they are given."""
    spec = tf.TensorSpec([None])
    tf.saved_model.save(module_with(lambda m, x, y: x * y, spec, spec), tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    with pytest.raises(tf.errors.InvalidArgumentError, match="axis 0 of the shape"):
        loaded.f(tf.zeros([2]), tf.zeros([3]))


def test_a_model_of_keras_is_told_its_way(tmp_path):
    """What is called without a function of its own is not written without it."""
    layer = tf.Module()
    layer._default_save_signature = None
    with pytest.raises(tf.errors.UnsupportedError, match="a model or layer of Keras"):
        tf.saved_model.save(layer, tmp_path / "model")
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (lambda: tf.saved_model.SaveOptions(function_aliases={"a": 1}), "function_aliases"),
        (lambda: tf.saved_model.SaveOptions(experimental_io_device="/tpu"), "files are local"),
        *(
            (lambda kind=kind, name=name: getattr(tf.saved_model, kind)(**{name: "own"}), name)
            for kind, names in {
                "SaveOptions": "namespace_whitelist function_aliases experimental_variable_policy",
                "LoadOptions": (
                    "allow_partial_checkpoint experimental_skip_checkpoint "
                    "experimental_variable_policy experimental_io_device"
                ),
            }.items()
            for name in names.split()
        ),
        (lambda: tf.saved_model.load("nowhere", tags=["train"]), "tags"),
    ],
)
def test_options_with_another_effect_are_refused(options, words):
    """An option that would do something else is refused by its name."""
    with pytest.raises(tf.errors.UnsupportedError, match=words):
        options()


@tf.custom_gradient
def clipped(x):
    """Give x, and a gradient that is not linear in the cotangent."""
    return tf.identity(x), lambda dy: tf.clip_by_norm(dy, 0.5)


# --- hostile files --------------------------------------------------------------------------------


@pytest.fixture
def saved(tmp_path):
    """A module that was saved, and its document."""
    module = module_with(
        lambda m, x: {"y": clipped(x @ m.w + np.float32([1, 2]))},
        ROWS,
        w=tf.Variable(np.ones((4, 2), "float32")),
        parts=[tf.Variable(1.0)],
    )
    tf.saved_model.save(module, tmp_path)
    return tmp_path, tmp_path / "saved_model.json"


def program(document):
    """Give the program of the function."""
    return document["functions"][0]["programs"][0]["programs"][0]


def author(document):
    """Give the gradient that its author says."""
    return program(document)["authors"][0]


def leaf(document, key):
    """Give the leaf that is a variable or an array."""
    return next(part for part in program(document)["leaves"] if key in part)


HOSTILE = {
    "another format": (lambda d: d.update(format="pickle"), "format: it is not"),
    "a later version": (lambda d: d.update(version=2), "version: this symtape reads version 1"),
    "an unknown key": (lambda d: d.update(code="print(1)"), "unknown key 'code'"),
    "fewer objects": (lambda d: d["objects"].pop(), "objects: the variables are those of"),
    "a kind that is none": (lambda d: d["objects"][0].update(kind="module"), "unknown 'module'"),
    "a root that is a list": (
        lambda d: d["objects"][0].update(kind="list"),
        "the first object is one with attributes",
    ),
    "a list with functions": (
        lambda d: d["functions"][0].update(object=1),
        "only an object has functions",
    ),
    "a value for no variable": (
        lambda d: d["objects"][-1].update(kind="object"),
        "a variable has a value",
    ),
    "a name that is none": (
        lambda d: d["functions"][0].update(name="a b"),
        "'a b' is no name of an attribute",
    ),
    "a hook": (lambda d: d["functions"][0].update(name="_waiting"), "is no name of an attribute"),
    "parameters twice": (
        lambda d: d["functions"][0].update(parameters=[["x", "named", None]] * 2),
        "duplicate parameter name",
    ),
    "an unknown kind of parameter": (
        lambda d: d["functions"][0].update(parameters=[["x", "lambda", None]]),
        "unknown 'lambda'",
    ),
    "a structure of objects": (
        lambda d: d["functions"][0]["programs"][0].update(arguments=["object", 1]),
        "it is none of list, tuple, dict",
    ),
    "another input": (lambda d: program(d).update(inputs=[]), "not one input for each tensor"),
    "other sizes": (lambda d: program(d).update(sizes=[[None, 5]]), "is no float32"),
    "a step that is no input": (
        lambda d: program(d).update(inputs=program(d)["outputs"]),
        "is no input",
    ),
    "a result that is not there": (
        lambda d: program(d).update(results=["result", 7]),
        "7 is not between 0 and 0",
    ),
    "a leaf without a value": (lambda d: program(d).update(leaves=[]), "has no value"),
    "a leaf with two": (lambda d: leaf(d, "array").update(variable=1), "a variable, or an array"),
    "another variable": (lambda d: leaf(d, "variable").update(variable=0), "it is no variable"),
    "another array": (lambda d: leaf(d, "array")["array"].update(data="AAAA"), "bytes, not the 8"),
    "no gradient for an input": (
        lambda d: author(d).update(gradients=[]),
        "there is not one gradient for each input",
    ),
    "a gradient of another shape": (
        lambda d: author(d).update(gradients=[leaf(d, "array")["position"]]),
        "has one shape and dtype",
    ),
    "a cotangent that is computed": (
        lambda d: author(d).update(cotangents=author(d)["outputs"]),
        "is no input",
    ),
    "a gradient of what is not passed on": (
        lambda d: author(d).update(computed=author(d)["cotangents"]),
        "does not pass on what is at",
    ),
    "an operation that is none": (
        lambda d: program(d)["operations"][0].update(kind="eval"),
        "unknown",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_document_is_refused(saved, name):
    """A document that is not of the form is refused, with the place."""
    folder, file = saved
    change, words = HOSTILE[name]
    document = json.loads(file.read_text("utf-8"))
    change(document)
    file.write_text(json.dumps(document), "utf-8")
    with pytest.raises(tf.errors.FormatError, match=words):
        tf.saved_model.load(folder)


def test_a_model_of_tensorflow_is_told_from_others(tmp_path):
    """Who wants to read TensorFlow's files hears that they are TensorFlow's."""
    Path(tmp_path, "saved_model.pb").write_bytes(b"\x08\x01\x12\x00")
    with pytest.raises(tf.errors.FormatError, match="a SavedModel that TensorFlow wrote"):
        tf.saved_model.load(tmp_path)
    assert not tf.saved_model.contains_saved_model(tmp_path)
