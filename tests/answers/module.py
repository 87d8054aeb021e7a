"""`tf.Module`: which variables and parts it finds, in which order, and which names it refuses."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from tests.answers.answer import Table

TABLE = Table("module")


@TABLE.program
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


@TABLE.program
def variables_of_a_class_of_its_own(tf: Any) -> Any:
    """What a class says of its variables says nothing of those that are trained."""

    class Fitted(tf.Module):
        def __init__(self):
            super().__init__()
            self.w, self.count = tf.Variable(1.0), tf.Variable(2.0, trainable=False)

        @property
        def variables(self):
            return ()

    fitted = Fitted()
    both = fitted.trainable_variables, fitted.non_trainable_variables
    return [[v.numpy().item() for v in part] for part in (fitted.variables, *both)]


for _name in ("a b", "1x", "", "ü"):
    TABLE.add(f"called {_name!r}", lambda tf, name=_name: tf.Module(name=name).name)


def _flattened(tf: Any) -> Any:
    """Go through what modules hold, with and without paths."""

    class Inner(tf.Module):
        def __init__(self):
            super().__init__()
            self.b, self.a = [1, {"k": 2}], 3

    class Outer(tf.Module):
        def __init__(self):
            super().__init__()
            self.z, self.inner, self.again = 4, Inner(), None
            self.again = self.inner

    def is_number(x: Any) -> bool:
        return type(x) is int and x > 0

    made = Outer()
    ways = [
        made._flatten(predicate=is_number),
        made._flatten(predicate=is_number, recursive=False),
        made._flatten(predicate=is_number, with_path=True),
        made._flatten(predicate=is_number, attribute_traversal_key=lambda k: -ord(k[0])),
    ]
    return [str([*way]) for way in ways]


TABLE.add("what modules hold", _flattened)


def _looped(tf: Any) -> Any:
    """Go through modules that hold each other."""
    first, second = tf.Module(name="first"), tf.Module(name="second")
    first.other, second.other = second, first
    first.v = tf.Variable(1.0)
    return [len(first.variables), len(second.variables), [m.name for m in first.submodules]]


TABLE.add("modules in a ring", _looped)


def _shared(tf: Any) -> Any:
    """Go through modules that hold the next one twice: there are 2⁴⁰ ways to the last."""
    modules = [tf.Module(name=f"m{k}") for k in range(40)]
    for module, after in pairwise(modules):
        module.one, module.other = after, [after]
    modules[-1].v = tf.Variable(1.0)
    return len(modules[0].variables), len(modules[0].submodules)


TABLE.add("modules that are shared", _shared)
