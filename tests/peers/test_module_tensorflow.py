"""`tf.Module` against TensorFlow's: which variables and parts it finds, in which order."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

import symtape


def parts(tf: Any) -> dict[str, Any]:
    """Define some modules with a module that has TensorFlow's names."""

    class HTTPLayer2(tf.Module):
        def __init__(self, value, name=None):
            super().__init__(name=name)
            self.w = tf.Variable(value)
            self.b = tf.Variable(value + 1, trainable=False)
            self._hidden = tf.Variable(value + 2)

    class MyNet(tf.Module):
        def __init__(self):
            super().__init__()
            self.layers = [HTTPLayer2(10.0), (HTTPLayer2(20.0), {"k": HTTPLayer2(30.0)})]
            self.extra = {"z": tf.Variable(2.0), "a": tf.Variable(1.0)}
            self.again = self.extra["a"]
            self.first = HTTPLayer2(40.0, name="first")
            self.first.deeper = HTTPLayer2(50.0)
            self.cycle = self
            self.number = 3
            self.values = [tf.constant(1.0), None, "text"]

        @tf.Module.with_name_scope
        def __call__(self, x):
            with self.name_scope:
                return x

    net = MyNet()
    return {
        "variables": [v.numpy().item() for v in net.variables],
        "trainable": [v.numpy().item() for v in net.trainable_variables],
        "others": [v.numpy().item() for v in net.non_trainable_variables],
        "names": [net.name, net.first.name, net.layers[0].name, tf.Module().name],
        "submodules": [m.w.numpy().item() for m in net.submodules],
        "call": net(3),
        "types": [type(net.variables).__name__, type(net.submodules).__name__],
    }


@pytest.fixture(scope="module")
def theirs(tensorflow: ModuleType) -> dict[str, Any]:
    """What TensorFlow finds."""
    return parts(tensorflow)


@pytest.mark.parametrize(
    "what", ["variables", "trainable", "others", "names", "submodules", "call", "types"]
)
def test_module_finds_what_tensorflow_finds(what: str, theirs: dict[str, Any]) -> None:
    """Variables and parts are TensorFlow's, in its order."""
    assert parts(symtape)[what] == theirs[what]


@pytest.mark.parametrize("name", ["a b", "1x", "", "ü"])
def test_names_that_tensorflow_refuses_are_refused(name: str, tensorflow: ModuleType) -> None:
    """A name that is no identifier raises `ValueError`, as in TensorFlow."""
    found = []
    for tf in (symtape, tensorflow):
        try:
            found.append(tf.Module(name=name).name)
        except ValueError as error:
            found.append(str(error))
    assert found[0] == found[1]
