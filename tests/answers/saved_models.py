"""`tf.saved_model`: what functions of a module give when they were saved and loaded."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.answers.answer import Table

TABLE = Table("saved_models")


def again(tf: Any, module: Any, **how: Any) -> Any:
    """Save a module and load it."""
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(module, folder, **how)
        return tf.saved_model.load(folder)


def _slopes(tf: Any, function: Any, x: Any, variables: Any) -> Any:
    x = tf.constant(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    first = tf.nest.flatten(y)
    return y, tape.gradient([v for v in first if v.dtype.is_floating], [x, *variables])


W = np.linspace(-1, 1, 12).reshape(4, 3).astype("float32")
X = np.linspace(-2, 3, 20).reshape(5, 4).astype("float32")
IMAGES = np.linspace(-1, 2, 2 * 8 * 8).reshape(2, 8, 8, 1).astype("float32")


def _network(tf: Any) -> Any:
    class Dense(tf.Module):
        def __init__(self, w):
            super().__init__()
            self.w = tf.Variable(w, name="w")
            self.b = tf.Variable(tf.ones(w.shape[1]), name="b")

        def __call__(self, x):
            return tf.nn.softplus(x @ self.w + self.b)

    class Network(tf.Module):
        def __init__(self):
            super().__init__()
            self.layers = [Dense(W), Dense(W.T)]
            self.table = {"scale": tf.Variable(0.5, trainable=False)}
            self.pair = (tf.Variable([1.0, 2.0]),)
            self.mean = np.float32([1.0, 2.0, 3.0, 4.0])
            self.sizes = [4, 3]

        @tf.function(input_signature=[tf.TensorSpec([None, 4])])
        def __call__(self, x):
            y = x - self.mean
            for layer in self.layers:
                y = layer(y)
            return {"y": y * self.table["scale"], "best": tf.argmax(y, 1)}

        @tf.function
        def shifted(self, x, twice=False, *, sign=1.0):
            return (2 * x if twice else sign * x) + self.pair[0]

    return Network()


@TABLE.program
def a_network_and_its_gradients(tf):
    net = _network(tf)
    loaded = again(tf, net)
    parts = [loaded.layers[0].w, loaded.layers[1].b]
    return [
        _slopes(tf, loaded, X, parts),
        _slopes(tf, loaded, X[:1], parts),
        [v.name for v in parts],
        [v.trainable for v in (*parts, loaded.table["scale"], loaded.pair[0])],
        [v.numpy().tolist() for v in (loaded.table["scale"], loaded.pair[0])],
        hasattr(loaded, "mean"),
    ]


@TABLE.program
def a_loaded_variable_is_assigned(tf):
    loaded = again(tf, _network(tf))
    loaded.layers[0].w.assign(tf.zeros([4, 3]))
    loaded.table["scale"].assign_add(1.0)
    return loaded(tf.constant(X))


@TABLE.program
def it_is_saved_again(tf):
    loaded = again(tf, again(tf, _network(tf)))
    return loaded(tf.constant(X))


def _function(tf: Any, f: Callable[..., Any], *specs: Any) -> Any:
    module = tf.Module()
    module.w = tf.Variable(W)
    module.f = tf.function(lambda *x: f(tf, module.w, *x), input_signature=specs)
    return again(tf, module)


FUNCTIONS: list[Callable[..., Any]] = [
    lambda tf, w, x: tf.nn.softmax(tf.nn.relu(x @ w))[:, 1],
    lambda tf, w, x: tf.reduce_mean((x @ w) ** 2),
    lambda tf, w, x: tf.reshape(x, [tf.shape(x)[0], 2, 2]) * w[0, 0],
    lambda tf, w, x: tf.reshape(x, [-1, 4, 1]) - w[None, :, :1],
    lambda tf, w, x: tf.zeros([tf.shape(x)[0], 2]) + x[:, :2],
    lambda tf, w, x: x[:, -1] + x[:, 0] * w[1, 1],
    lambda tf, w, x: (tf.math.top_k(x, 2).values, tf.sort(x, 0)),
    lambda tf, w, x: tf.nn.l2_normalize(x, 1) @ tf.transpose(x),
    lambda tf, w, x: tf.concat([x, tf.ones([tf.shape(x)[0], 1])], 1),
    lambda tf, w, x: [tf.cumsum(x), tf.pad(x, [[1, 1], [0, 0]]), tf.cast(tf.shape(x), tf.float32)],
    lambda tf, w, x: tf.where(x > 0, x, w[:, 0]),
    lambda tf, w, x: tf.einsum("bi,ij->jb", x, w),
]


def _of_rows(f: Any) -> Callable[[Any], Any]:
    def run(tf: Any) -> Any:
        loaded = _function(tf, f, tf.TensorSpec([None, 4]))
        return [_slopes(tf, loaded.f, x, [loaded.w]) for x in (X, X[:1], np.tile(X, (3, 1)))]

    return run


TABLE.rows("function of rows", [_of_rows(f) for f in FUNCTIONS])


@TABLE.program
def any_number_of_axes(tf):
    loaded = _function(tf, lambda tf, w, x: tf.sin(x) * w[1, 2], tf.TensorSpec(None))
    return [_slopes(tf, loaded.f, x, [loaded.w]) for x in (np.float32(2.0), X, X[:, :, None])]


@TABLE.program
def places_in_a_table(tf):
    loaded = _function(tf, lambda tf, w, i: tf.gather(w, i), tf.TensorSpec([None], tf.int32))
    with tf.GradientTape() as tape:
        y = loaded.f(tf.constant([1, 3, 1]))
    return y, tf.convert_to_tensor(tape.gradient(y, loaded.w)), loaded.f([0])


@TABLE.program
def places_that_are_not_there(tf):
    loaded = _function(tf, lambda tf, w, i: tf.gather(w, i), tf.TensorSpec([None], tf.int32))
    try:
        return loaded.f(tf.constant([1, 4]))
    except tf.errors.InvalidArgumentError as error:
        return "= 4 is not in [0, 4)" in str(error)


@TABLE.program
def features_of_one_size_alone(tf):
    loaded = _function(
        tf, lambda tf, w, x: tf.concat([x, x[:, :1]], 1) @ w, tf.TensorSpec([None, None])
    )
    return _slopes(tf, loaded.f, X[:, :3], [loaded.w])


@TABLE.program
def a_convolution_and_a_pool(tf):
    module = tf.Module()
    module.k = tf.Variable(np.linspace(-1, 1, 18).reshape(3, 3, 1, 2).astype("float32"))

    def f(x):
        pooled = tf.nn.max_pool2d(tf.nn.conv2d(x, module.k, 1, "SAME"), 2, 2, "VALID")
        return tf.reshape(pooled, [-1, 32])

    module.f = tf.function(f, input_signature=[tf.TensorSpec([None, 8, 8, 1])])
    loaded = again(tf, module)
    return _slopes(tf, loaded.f, IMAGES, [loaded.k])


@TABLE.program
def a_derivative_within(tf):
    module = tf.Module()

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float64)])
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(x * tf.sin(x))
        return tape.gradient(y, x)

    module.slope = slope
    return _slopes(tf, again(tf, module).slope, np.array([0.5, 2.0, -1.0]), [])


@TABLE.program
def a_gradient_of_ones_own(tf):
    @tf.custom_gradient
    def f(x):
        return x * x, lambda dy: 10 * dy

    module = tf.Module()
    module.f = tf.function(f, input_signature=[tf.TensorSpec([None])])
    options = tf.saved_model.SaveOptions(experimental_custom_gradients=True)
    return _slopes(tf, again(tf, module, options=options).f, np.float32([1.0, 2.0]), [])


@TABLE.program
def what_it_was_called_with(tf):
    net = _network(tf)
    net.shifted(tf.ones([2]))
    net.shifted(tf.ones([3, 2]), twice=True)
    net.shifted.get_concrete_function(tf.TensorSpec([None, None, 2], tf.float32))
    loaded = again(tf, net)
    given = [
        loaded.shifted(tf.zeros([2])),
        loaded.shifted(tf.zeros([3, 2]), True),
        loaded.shifted(tf.zeros([3, 2]), twice=True),
        loaded.shifted([1.0, 2.0]),
        loaded.shifted(x=tf.zeros([2]), twice=False),
        loaded.shifted(np.zeros((4, 1, 2), "float32")),
    ]
    return [
        *given,
        *[
            _refused(call)
            for call in (
                lambda: loaded.shifted(tf.zeros([2]), True),
                lambda: loaded.shifted(tf.zeros([2], tf.float64)),
                lambda: loaded.shifted(tf.zeros([7, 2])),
                lambda: loaded.shifted(),
                lambda: loaded.shifted(tf.zeros([2]), other=1),
            )
        ],
    ]


def _refused(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except Exception as error:
        return isinstance(error, (TypeError, ValueError))


@TABLE.program
def nothing_was_called(tf):
    return again(tf, _network(tf)).shifted(tf.zeros([2]))


@TABLE.program
def lists_and_dicts_of_tensors(tf):
    module = tf.Module()

    @tf.function(
        input_signature=[[tf.TensorSpec([None]), tf.TensorSpec([])], {"k": tf.TensorSpec([2])}]
    )
    def f(pair, table):
        return {"sum": (pair[0] + pair[1], [table["k"]]), "none": None}

    module.f = f
    loaded = again(tf, module)
    x = tf.constant([1.0, 2.0, 3.0])
    return [
        loaded.f([x, 2.0], {"k": [1.0, 2.0]}),
        _refused(lambda: loaded.f([x], {"k": [1.0, 2.0]})),
        _refused(lambda: loaded.f([x, 2.0], {"j": [1.0, 2.0]})),
    ]


@TABLE.program
def a_signature_of_its_own_accord(tf):
    module = tf.Module()
    module.w = tf.Variable(3.0)
    module.f = tf.function(lambda x: module.w * x, input_signature=[tf.TensorSpec([None])])
    loaded = again(tf, module)
    run = loaded.signatures["serving_default"]
    return list(loaded.signatures), run(x=tf.constant([1.0, 2.0]))


@TABLE.program
def the_only_function_that_can_be_a_signature(tf):
    """Others have no `input_signature`, or results that are no tensors by name or in a row."""
    specs = [tf.TensorSpec([2])]
    found = []
    for bodies in (
        [lambda x: x, None],
        [lambda x: x, lambda x: -x],
        [lambda x: {"y": x}, lambda x: {"y": [x]}],
        [lambda x: (x, x), lambda x: [x, [x]]],
        [lambda x: [x, x], lambda x: None],
        [lambda x: {"y": {"z": x}}],
        [lambda x: ()],
    ):
        module = tf.Module()
        for k, body in enumerate(bodies):
            setattr(module, f"f{k}", tf.function(body or abs, input_signature=body and specs))
        module.part = tf.Module()
        module.part.f = tf.function(lambda x: x, input_signature=specs)
        found.append(sorted(again(tf, module).signatures))
    return found


@TABLE.program
def signatures_by_name(tf):
    module = tf.Module()
    module.w = tf.Variable(3.0)

    @tf.function
    def named(x, y):
        return {"sum": x + y, "times": module.w * x}

    @tf.function(input_signature=[tf.TensorSpec([], name="x")])
    def pair(x):
        return x, module.w * x

    asked = named.get_concrete_function(tf.TensorSpec([None]), tf.TensorSpec([None]))
    loaded = again(tf, module, signatures={"named": asked, "pair": pair})
    x = tf.constant([1.0, 2.0])
    return [
        sorted(loaded.signatures),
        loaded.signatures["named"](x=x, y=x),
        loaded.signatures["pair"](x=tf.constant(2.0)),
    ]


@TABLE.program
def tensors_of_signatures_by_names_of_specs(tf):
    module = tf.Module()
    module.w = tf.Variable(3.0)
    module.one = tf.function(
        lambda x: {"y": module.w * x}, input_signature=[tf.TensorSpec([None], name="given")]
    )
    module.two = tf.function(
        lambda x, y: x * y,
        input_signature=[tf.TensorSpec([None]), tf.TensorSpec([], name="factor")],
    )
    module.parts = tf.function(
        lambda d, *, b, a: d["p"] - d["q"] * a + b[0],
    )
    nested = {"p": tf.TensorSpec([2]), "q": tf.TensorSpec([2])}
    asked = module.parts.get_concrete_function(
        nested, b=tf.TensorSpec([1]), a=tf.TensorSpec([1], name="zz")
    )
    given = {"one": module.one, "two": module.two, "parts": asked}
    run = again(tf, module, signatures=given).signatures
    x = tf.constant([1.0, 2.0])
    return [
        run["one"](given=x),
        run["one"](x),
        _refused(lambda: run["one"](x=x)),
        _refused(lambda: run["two"](x, 2.0)),
        run["two"](factor=tf.constant(2.0), x=x),
        run["parts"](d=x, d_1=x * x, b=x[:1], zz=x[1:]),
        [sorted(f.structured_input_signature[1]) for f in run.values()],
        [str(f.structured_outputs) for f in run.values()],
        [str(f.output_shapes) for f in run.values()],
    ]


@TABLE.program
def a_variable_that_is_no_part(tf):
    outside = tf.Variable(1.0)
    module = tf.Module()
    module.f = tf.function(lambda x: outside * x, input_signature=[tf.TensorSpec([])])
    try:
        return again(tf, module)
    except AssertionError as error:
        return str(error)[:64]


for _name, _wrong in {"a number": 3, "a list": [1.0]}.items():
    TABLE.add(f"saved is {_name}", lambda tf, x=_wrong: again(tf, x), says="type")


@TABLE.program
def a_folder_without_anything(tf):
    with tempfile.TemporaryDirectory() as folder:
        try:
            return tf.saved_model.load(folder), tf.saved_model.contains_saved_model(folder)
        except OSError as error:
            return str(error).replace(folder, "FOLDER")


@TABLE.program
def a_folder_with_something(tf):
    with tempfile.TemporaryDirectory() as folder:
        tf.saved_model.save(_network(tf), folder)
        return tf.saved_model.contains_saved_model(folder)


@TABLE.program
def a_gradient_that_is_clipped(tf):
    @tf.custom_gradient
    def clipped(x):
        return tf.identity(x), lambda dy: tf.clip_by_norm(dy, 0.5)

    module = tf.Module()
    module.f = tf.function(lambda x: 3 * clipped(2 * x), input_signature=[tf.TensorSpec(None)])
    options = tf.saved_model.SaveOptions(experimental_custom_gradients=True)
    loaded = again(tf, module, options=options)
    return [_slopes(tf, loaded.f, x, []) for x in (np.float32(2.0), np.float32([1.0, 2.0]))]


@TABLE.program
def a_gradient_by_rows_and_a_variable(tf):
    w = tf.Variable([1.0, 2.0])

    @tf.custom_gradient
    def f(x):
        y = x * w

        def grad(dy, variables):
            return dy * w * tf.abs(x), [tf.reduce_sum(dy * x, 0) for _ in variables]

        return tf.reduce_sum(y, 1), lambda dy, variables: grad(dy[:, None], variables)

    module = tf.Module()
    module.w = w
    module.f = tf.function(lambda x: f(x) ** 2, input_signature=[tf.TensorSpec([None, 2])])
    options = tf.saved_model.SaveOptions(experimental_custom_gradients=True)
    loaded = again(tf, module, options=options)
    with tf.GradientTape() as tape:
        y = loaded.f(tf.constant([[1.0, 2.0], [3.0, -1.0], [0.5, 0.5]]))
    return y, tape.gradient(y, loaded.w)


@TABLE.program
def a_second_derivative_of_ones_own(tf):
    @tf.custom_gradient
    def f(x):
        return x * x, lambda dy: 3 * dy * x * x

    module = tf.Module()
    module.f = tf.function(f, input_signature=[tf.TensorSpec([])])
    options = tf.saved_model.SaveOptions(experimental_custom_gradients=True)
    loaded = again(tf, module, options=options)
    x = tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = loaded.f(x)
        slope = tape.gradient(y, x)
    return y, slope, outer.gradient(slope, x)
