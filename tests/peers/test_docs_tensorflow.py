"""What docs/tensorflow.md says of both is so in TensorFlow, and it invents no names."""

from __future__ import annotations

from operator import attrgetter

from tests.names import PAGE, listed, namespaces
from tests.sampling import all_hold
from tests.test_docs import failures

BEYOND = listed("## Beyond TensorFlow")
NAMES = [f"{path}.{name}" for path, names in namespaces().items() for name in names]


def test_conventions_are_those_of_tensorflow(tensorflow):
    """The blocks of the page give the same with TensorFlow as `tf`."""
    text = PAGE.read_text("utf-8")
    assert text.count("import symtape as tf") == 2  # in the first sentence, and in a block
    assert list(failures(text.replace("import symtape as tf", "import tensorflow as tf"))) == []


def test_names_are_tensorflows_unless_the_page_says_that_they_are_not(tensorflow):
    """Every name exists in TensorFlow, except for those listed as beyond it and what is in them."""
    all_hold(lambda name: is_as_the_page_says(name, tensorflow), NAMES)


def is_as_the_page_says(name, tensorflow):
    """Assert that a name exists in TensorFlow, or is listed."""
    path = name.removeprefix("tf.")
    try:
        attrgetter(path)(tensorflow)
    except AttributeError:
        exists = False
    else:
        exists = True
    is_beyond = not BEYOND.isdisjoint([path, path.removeprefix("errors."), path.partition(".")[0]])
    assert exists != is_beyond
