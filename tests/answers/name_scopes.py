"""`tf.name_scope`: what variables are called that are made within scopes."""

from __future__ import annotations

import copy
import threading
from typing import Any

from tests.answers.answer import Table

TABLE = Table("name_scopes")


def called(tf: Any, name: str | None = "w") -> Any:
    """Make a variable, and give what it is called."""
    return tf.Variable(1.0, name=name).name


def module(tf: Any) -> Any:
    """Define a module whose variables are made in three places."""

    class Layer(tf.Module):
        def __init__(self, name: Any = None) -> None:
            super().__init__(name=name)
            self.plain = tf.Variable(1.0, name="plain")
            with self.name_scope:
                self.w = tf.Variable(1.0, name="w")
                self.inner = tf.Module(name="inner")

        @tf.Module.with_name_scope
        def __call__(self, x: Any) -> Any:
            """Make a variable when it is first called."""
            if not hasattr(self, "b"):
                self.b = tf.Variable(1.0, name="b")
            return self.b * x

        def names(self) -> list[Any]:
            self(tf.constant(1.0))
            scopes = [self.name_scope.name, self.inner.name_scope.name, self.name, self.inner.name]
            return [*scopes, *[v.name for v in self.variables]]

    return Layer


@TABLE.program
def scopes_within_each_other(tf: Any) -> Any:
    """Open scopes, again, by a path, by a whole path, and leave all."""
    found = []
    with tf.name_scope("a") as whole:
        found += [whole, called(tf), called(tf, None), called(tf, "x/y"), called(tf, "x/")]
        for name in ("b", "b", "b/c", "root/", whole, ""):
            with tf.name_scope(name) as scope:
                found += [scope, called(tf)]
        found.append(called(tf))
    return [*found, called(tf)]


@TABLE.program
def one_scope_twice(tf: Any) -> Any:
    """Open a scope within itself, and after itself."""
    scope = tf.name_scope("a")
    with scope, scope:
        found = [called(tf)]
    with scope as whole:
        return [*found, called(tf), whole, scope.name, type(scope).__name__]


@TABLE.program
def left_by_an_error(tf: Any) -> Any:
    """Leave a scope by an error."""
    try:
        with tf.name_scope("a"):
            [].index(1)
    except ValueError:
        return called(tf)


@TABLE.program
def another_thread(tf: Any) -> Any:
    """Make a variable in another thread."""
    found: list[Any] = []
    with tf.name_scope("a"):
        other = threading.Thread(target=lambda: found.append(called(tf)))
        other.start()
        other.join()
    return found


@TABLE.program
def modules(tf: Any) -> Any:
    """Make modules in scopes, and have them make variables outside."""
    kind = module(tf)
    with tf.name_scope("outer"):
        inside = kind("layer")
        found = [inside.w.name]
    return [*found, *inside.names(), *kind().names(), kind.__call__.__name__, kind.__call__.__doc__]


@TABLE.program
def functions(tf: Any) -> Any:
    """Make variables in functions, which scopes around their calls do not name."""
    found: dict[str, Any] = {}

    class Layer(tf.Module):
        @tf.function
        def plain(self, x: Any) -> Any:
            if "plain" not in found:
                self.a = tf.Variable(1.0, name="w")
                with tf.name_scope("inner"):
                    self.b = tf.Variable(1.0, name="w")
                found["plain"] = [self.a.name, self.b.name]
            return x * self.a

        @tf.function
        @tf.Module.with_name_scope
        def within(self, x: Any) -> Any:
            if "within" not in found:
                self.c = tf.Variable(1.0, name="w")
                found["within"] = self.c.name
            return x * self.c

        @tf.Module.with_name_scope
        @tf.function
        def around(self, x: Any) -> Any:
            if "around" not in found:
                self.d = tf.Variable(1.0, name="w")
                found["around"] = self.d.name
            return x * self.d

    layer, x = Layer(name="layer"), tf.constant(1.0)
    with tf.name_scope("outer"):
        layer.plain(x), layer.within(x), layer.around(x)
        found["after"] = called(tf)
    return found


@TABLE.program
def functions_of_elements(tf: Any) -> Any:
    """Make variables where functions are called that run eagerly."""
    found = []

    def noted(x: Any) -> Any:
        found.append(called(tf))
        return x

    with tf.name_scope("a"):
        tf.map_fn(noted, tf.constant([1.0]))
        tf.cond(tf.constant(True), lambda: noted(1.0), lambda: 1.0)
        tf.custom_gradient(lambda x: (noted(x), lambda d: d))(tf.constant(1.0))
        with tf.init_scope():
            noted(1.0)
    return found


@TABLE.program
def copies(tf: Any) -> Any:
    """Copy variables in scopes."""
    with tf.name_scope("a"):
        v = tf.Variable([1.0], name="w")
    with tf.name_scope("b"):
        return [copy.copy(v).name, copy.deepcopy(v).name, v.assign([2.0]).name, repr(v)]


for _name in ("a b", "-x", "ü", "1x", "/", ".x", "a:b", "a//b"):

    def _run(tf: Any, name: str = _name) -> Any:
        with tf.name_scope(name) as scope:
            return [scope, called(tf), called(tf, name)]

    TABLE.add(f"called {_name!r}", _run)

TABLE.rows(
    "no name",
    [
        lambda tf: tf.name_scope(3),
        lambda tf: tf.name_scope(None),
        lambda tf: tf.Variable(1.0, name=3),
        lambda tf: tf.Variable(1.0, name="").name,
    ],
)


@TABLE.program
def one_context_of_a_module(tf: Any) -> Any:
    """A module has one context, which packages enter in a constructor and leave after it."""

    class Layer(tf.Module):
        def __init__(self) -> None:
            super().__init__(name="layer")
            self.entered = self.name_scope
            self.entered.__enter__()
            self.w = tf.Variable(1.0, name="w")

    with tf.name_scope("outer"):
        layer = Layer()
        layer.entered.__exit__(None, None, None)
    with layer.name_scope, layer.name_scope:
        inner = called(tf)
    return {
        "names": [layer.w.name, inner, layer._name_scope.name, called(tf)],
        "one": layer.name_scope is layer.name_scope,
    }


def without_a_name(asked: str) -> Any:
    """Ask a module whose constructor did not call that of `tf.Module`."""

    def answer(tf: Any) -> Any:
        class Layer(tf.Module):
            def __init__(self) -> None:
                self.w = tf.Variable(1.0)

        return repr(getattr(Layer(), asked))

    return answer


for _asked in ("name", "name_scope"):
    TABLE.add(f"{_asked} of a module that was not begun", without_a_name(_asked))
