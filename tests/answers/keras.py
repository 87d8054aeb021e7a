"""Keras: initializers, activations, layers, losses, models, optimizers, metrics, texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.answers.answer import Bits, Table

TABLE = Table("keras", lambda tf: tf.keras.utils.clear_session(free_memory=False))


def draw() -> Callable[..., Any]:
    """Make a function that draws arrays of float32, the same in every run."""
    rng = np.random.default_rng(20260)
    return lambda *shape: rng.standard_normal(shape).astype(np.float32)


def sloped(tf: Any, function: Callable[..., Any], *arrays: Any) -> Any:
    """Give a result, and its gradient in each input, weighted so that rows differ."""
    inputs = [tf.constant(a) for a in arrays]
    with tf.GradientTape() as tape:
        tape.watch(inputs)
        y = function(tf, *inputs)
        weights = np.linspace(1.0, 2.0, int(np.prod(y.shape))).reshape(tuple(y.shape))
        total = tf.reduce_sum(y * weights.astype(y.dtype.name))
    return [y, *tape.gradient(total, inputs)]


# --- initializers ---------------------------------------------------------------------------------

INITIALIZERS = [
    *("GlorotNormal", "GlorotUniform", "HeNormal", "HeUniform"),
    *("RandomNormal", "RandomUniform", "TruncatedNormal", "VarianceScaling"),
]


def initialized(tf: Any, name: str, dtype: Any) -> Any:
    """Initialize arrays of some shapes with some seeds."""
    make = getattr(tf.keras.initializers, name)
    shapes = ([], [3], (4, 5), (3, 3, 2, 4))
    return [
        Bits(make(seed=seed)(shape=shape, dtype=dtype))
        for shape in shapes
        for seed in (1, 2**31 + 5, -3)
    ]


for _name in INITIALIZERS:
    for _dtype in (None, "float16", "float64"):
        TABLE.add(
            f"{_name} in {_dtype}", lambda tf, n=_name, dtype=_dtype: initialized(tf, n, dtype)
        )

INITIALIZED: list[Callable[[Any], Any]] = [
    lambda k: k.Zeros()((2, 3)),
    lambda k: k.Ones()((2,), dtype="int32"),
    lambda k: k.Constant(3)((2,)),
    lambda k: k.Constant([1.0, 2.0])((2,)),
    lambda k: k.get("zeros")((2,)),
    lambda k: k.get(np.array([1.0, 2.0]))((2,)),
    lambda k: k.VarianceScaling(2.0, "fan_out", "uniform", seed=3)((4, 5)),
    lambda k: k.VarianceScaling(2.0, "fan_avg", "untruncated_normal", seed=3)((4, 5)),
    lambda k: k.RandomNormal(1.0, 2.0, seed=3)((4, 5)),
]
TABLE.rows("initialized", [lambda tf, f=f: f(tf.keras.initializers) for f in INITIALIZED], ulps=1)

# --- activations, layers, losses ------------------------------------------------------------------

ACTIVATIONS = [
    *("elu", "exponential", "gelu", "hard_sigmoid", "leaky_relu", "linear", "log_softmax", "relu"),
    *("relu6", "selu", "sigmoid", "silu", "softmax", "softplus", "softsign", "swish", "tanh"),
]

for _name in ACTIVATIONS:
    TABLE.add(
        f"activation {_name}",
        lambda tf, n=_name: sloped(
            tf, lambda tf, x: getattr(tf.keras.activations, n)(x), 3 * draw()(5, 6)
        ),
    )
    TABLE.add(
        f"layer of activation {_name}",
        lambda tf, n=_name: sloped(
            tf, lambda tf, x: tf.keras.layers.Activation(n)(x), 3 * draw()(5, 6)
        ),
    )

LAYERS: list[Callable[[Any, Any], Any]] = [
    lambda tf, x: tf.keras.activations.relu(x, 0.1),
    lambda tf, x: tf.keras.activations.relu(x, max_value=1.5),
    lambda tf, x: tf.keras.activations.relu(x, max_value=6),
    lambda tf, x: tf.keras.activations.relu(x, 0.1, 2.0, 0.5),
    lambda tf, x: tf.keras.activations.relu(x, threshold=0.7),
    lambda tf, x: tf.keras.activations.elu(x, 0.5),
    lambda tf, x: tf.keras.activations.gelu(x, approximate=True),
    lambda tf, x: tf.keras.activations.softmax(x, axis=0),
    lambda tf, x: tf.keras.layers.ReLU(6.0, 0.1, 0.2)(x),
    lambda tf, x: tf.keras.layers.LeakyReLU()(x),
    lambda tf, x: tf.keras.layers.LeakyReLU(0.1)(x),
    lambda tf, x: tf.keras.layers.ELU(0.3)(x),
    lambda tf, x: tf.keras.layers.Softmax()(x),
    lambda tf, x: tf.keras.layers.Softmax(axis=[0, 1])(x),
    lambda tf, x: tf.keras.layers.Softmax()(x, mask=tf.constant(np.arange(6) < 4)),
    lambda tf, x: tf.keras.layers.Flatten()(tf.reshape(x, [5, 2, 3])),
    lambda tf, x: tf.keras.layers.Flatten("channels_first")(tf.reshape(x, [5, 2, 3])),
    lambda tf, x: tf.keras.layers.Reshape((3, -1))(x),
    lambda tf, x: tf.keras.layers.Identity()(x),
    lambda tf, x: tf.keras.layers.Dropout(0.4, seed=3)(x, training=True),
    lambda tf, x: tf.keras.layers.Dropout(0.4, noise_shape=(None, 1), seed=3)(x, training=True),
    lambda tf, x: tf.keras.layers.Dropout(0.4, seed=3)(x),
    lambda tf, x: tf.keras.layers.Dropout(1.0)(x, training=True),
]
TABLE.rows("layer", [lambda tf, f=f: sloped(tf, f, 2 * draw()(5, 6)) for f in LAYERS])

LOSSES = [
    ("MeanSquaredError", {}),
    ("MeanAbsoluteError", {}),
    ("Huber", {}),
    ("Huber", {"delta": 0.3}),
    ("BinaryCrossentropy", {"from_logits": True}),
    ("BinaryCrossentropy", {"from_logits": True, "label_smoothing": 0.2}),
    ("CategoricalCrossentropy", {"from_logits": True}),
    ("CategoricalCrossentropy", {"from_logits": True, "label_smoothing": 0.2}),
]
PROBABILITIES = [
    ("BinaryCrossentropy", {}),
    ("BinaryCrossentropy", {"label_smoothing": 0.1}),
    ("CategoricalCrossentropy", {}),
    ("KLDivergence", {}),
]
REDUCTIONS = ["sum_over_batch_size", "sum", None, "mean_with_sample_weight"]


def lost(tf: Any, name: str, given: dict[str, Any], reduction: str | None) -> Any:
    """Compute a loss and its slope in the prediction, without weights and with them."""
    probable, data = (name, given) in PROBABILITIES, draw()
    true, predicted = data(4, 3), data(4, 3)
    if probable or "Crossentropy" in name:
        true = np.abs(true) / np.abs(true).sum(axis=1, keepdims=True)
    if probable:
        predicted = (1 / (1 + np.exp(-predicted))).astype(np.float32)
    loss = getattr(tf.keras.losses, name)(reduction=reduction, **given)
    return [
        sloped(tf, lambda tf, y, w=w: loss(tf.constant(true), y, sample_weight=w), predicted)
        for w in (None, np.array([0.5, 1.0, 0.0, 2.0], np.float32))
    ]


for _name, _given in LOSSES + PROBABILITIES:
    for _reduction in REDUCTIONS:
        TABLE.add(
            f"{_name} {_given} {_reduction}",
            lambda tf, n=_name, given=_given, r=_reduction: lost(tf, n, given, r),
        )


def of_classes(tf: Any, given: dict[str, Any], labels: Any) -> Any:
    """Compute a loss of labels that are numbers of classes."""
    predicted = np.abs(draw()(4, 3)) / 4
    loss = tf.keras.losses.SparseCategoricalCrossentropy(**given)
    return sloped(tf, lambda tf, y: loss(labels, y), predicted)


for _given in ({"from_logits": True}, {}):
    for _labels in (np.array([0, 2, 1, 1]), np.array([[0], [2], [1], [1]])):
        TABLE.add(
            f"classes {_given} of rank {_labels.ndim}",
            lambda tf, given=_given, labels=_labels: of_classes(tf, given, labels),
        )


def behind(tf: Any, loss: str, bend: Callable[[Any], Any]) -> Any:
    """Compute a loss of what an activation made: it keeps its slope where that rounds to 0 or 1."""
    z = np.array([[-40.0, 3.0], [200.0, -1.0]], np.float32)
    labels = np.array([[1.0, 0.0], [0.0, 1.0]], np.float32)
    of = getattr(tf.keras.losses, loss)()
    return sloped(tf, lambda tf, x: of(tf.constant(labels), bend(tf)(x)), z)


for _loss, _bend in (
    ("BinaryCrossentropy", "sigmoid"),
    ("BinaryCrossentropy", "softmax"),
    ("CategoricalCrossentropy", "softmax"),
):
    TABLE.add(
        f"{_loss} behind activations.{_bend}",
        lambda tf, loss=_loss, b=_bend: behind(
            tf, loss, lambda tf: getattr(tf.keras.activations, b)
        ),
    )
    TABLE.add(
        f"{_loss} behind nn.{_bend}",
        lambda tf, loss=_loss, b=_bend: behind(tf, loss, lambda tf: getattr(tf.nn, b)),
    )

RANKS = [
    ((2, 1), (2,)),
    ((2,), (2, 1)),
    ((2, 3, 1), (2, 3)),
    ((2, 3), (2, 3, 1)),
    ((2, 3), (2, 3)),
    ((2, 3), (3,)),
]


def of_ranks(tf: Any, one: Any, other: Any) -> Any:
    """Compute a loss whose arguments may differ by an axis of size 1 at the end."""
    data = draw()
    true, predicted = data(*one), data(*other)
    loss = tf.keras.losses.MeanSquaredError()
    return sloped(tf, lambda tf, y: loss(tf.constant(true), y), predicted)


for _one, _other in RANKS:
    TABLE.add(f"ranks {_one} {_other}", lambda tf, a=_one, b=_other: of_ranks(tf, a, b))

# --- models ---------------------------------------------------------------------------------------


def network(tf: Any) -> Any:
    """Make a small network of every kind of layer with weights, and some without."""
    k = tf.keras
    return k.Sequential(
        [
            k.layers.Dense(5, activation="tanh", kernel_initializer="he_normal"),
            k.layers.LeakyReLU(),
            k.layers.Dropout(0.3),
            k.layers.Dense(4, use_bias=False),
            k.layers.Flatten(),
            k.layers.Dense(2, activation=tf.nn.softplus, bias_initializer="ones"),
        ]
    )


@TABLE.program
def seeded_model(tf: Any) -> Any:
    """Give the weights and the outputs of a model after `set_random_seed`."""
    tf.keras.utils.set_random_seed(11)
    model = network(tf)
    x = tf.random.normal([3, 6])
    outputs = [model(x), model(x, training=True), model(x, training=True)]
    return [
        Bits(x),
        [v.path for v in model.weights],
        [Bits(v) for v in model.weights],
        outputs,
    ]


def subclassed(tf: Any) -> Any:
    """Make a model that holds layers as attributes, in a list and in a dict, and a weight."""

    class Net(tf.keras.Model):
        def __init__(self):
            super().__init__()
            self.first = tf.keras.layers.Dense(3, activation="relu")
            self.blocks = [tf.keras.layers.Dense(3), tf.keras.layers.Dense(3)]
            self.heads = {"out": tf.keras.layers.Dense(1)}
            self.drop = tf.keras.layers.Dropout(0.5, seed=2)
            self.scale = self.add_weight(shape=(3,), initializer="ones", name="scale")
            self.fixed = self.add_weight(shape=(), initializer="ones", trainable=False)
            self.plain = tf.Variable(1.0)

        def call(self, inputs, training=None):
            assert training in {None, True}
            x = self.first(inputs) * self.scale + self.fixed
            for block in self.blocks:
                x = block(x)
            return self.heads["out"](self.drop(x))

    return Net()


@TABLE.program
def subclassed_model(tf: Any) -> Any:
    """Say what a model of one's own tracks, and what it gives."""
    x = draw()(4, 5)
    tf.keras.utils.set_random_seed(5)
    model = subclassed(tf)
    before = [len(model.variables), model.built]
    outputs = [model(tf.constant(x)), model(tf.constant(x), training=True)]
    kinds = ("variables", "weights", "trainable_variables", "non_trainable_variables")
    paths = [[v.path for v in getattr(model, kind)] for kind in (*kinds, "trainable_weights")]
    names = [layer.name for layer in model.layers]
    model.first.trainable = False
    paths.append([v.path for v in model.trainable_variables])
    model.trainable = False
    paths.append([v.path for v in model.trainable_variables])
    return [before, outputs, paths, names, model.count_params()]


def nested(tf: Any, seen: list[Any]) -> Any:
    """Make a layer of two inputs within a layer; both note the shapes that they are built for."""

    class Pair(tf.keras.layers.Layer):
        def build(self, a_shape, b_shape):
            seen.append((a_shape, b_shape))
            self.w = self.add_weight(shape=(a_shape[-1], 2), initializer="ones")
            self.b = self.add_weight(shape=(2,), initializer="zeros", name="b")

        def call(self, a, b):
            return (a - b) @ self.w + self.b

    class Outer(tf.keras.layers.Layer):
        def __init__(self):
            super().__init__(name="outer")
            self.pair = Pair()

        def build(self, input_shape):
            seen.append(input_shape)
            self.k = self.add_weight(shape=(1,), initializer="ones", name="k")

        def call(self, inputs):
            return self.pair(*inputs) * self.k

    return Outer()


@TABLE.program
def layers_of_ones_own(tf: Any) -> Any:
    """Build a layer with several inputs, and a layer within."""
    seen: list[Any] = []
    data = draw()
    x, y = data(2, 3), data(2, 3)
    layer = nested(tf, seen)
    out = layer([tf.constant(x), tf.constant(y)])
    return [str(seen), [v.path for v in layer.variables], out]


# --- optimizers -----------------------------------------------------------------------------------

OPTIMIZERS = [
    ("SGD", {}),
    ("SGD", {"learning_rate": 0.1, "momentum": 0.9}),
    ("SGD", {"learning_rate": 0.1, "momentum": 0.9, "nesterov": True}),
    ("SGD", {"learning_rate": 0.1, "weight_decay": 0.01}),
    ("SGD", {"learning_rate": 0.1, "clipnorm": 0.5}),
    ("SGD", {"learning_rate": 0.1, "global_clipnorm": 0.5}),
    ("SGD", {"learning_rate": 0.1, "clipvalue": 0.2}),
    ("Adam", {}),
    ("Adam", {"learning_rate": 0.1, "amsgrad": True, "beta_1": 0.8, "epsilon": 1e-3}),
    ("AdamW", {"learning_rate": 0.1}),
    ("RMSprop", {}),
    ("RMSprop", {"learning_rate": 0.1, "momentum": 0.5, "centered": True, "rho": 0.7}),
    ("Adagrad", {}),
    ("Adagrad", {"learning_rate": 0.3, "initial_accumulator_value": 0.5}),
]


def stepped(tf: Any, name: str, given: dict[str, Any], dtype: str) -> Any:
    """Take five steps; give the variables, and what the optimizer keeps."""
    data = draw()
    start = [data(3, 2).astype(dtype), data().astype(dtype)]
    variables = [tf.Variable(w, name=f"w{k}") for k, w in enumerate(start)]
    optimizer = getattr(tf.keras.optimizers, name)(name="o", **given)
    for _ in range(5):
        step = [tf.constant(data(*w.shape).astype(dtype)) for w in start]
        optimizer.apply_gradients(zip(step, variables, strict=True))
    kept = {v.path: v for v in optimizer.variables}
    return [variables, kept]


for _name, _given in OPTIMIZERS:
    for _dtype in ("float16", "float32", "float64"):
        TABLE.add(
            f"{_name} {_given} in {_dtype}",
            lambda tf, n=_name, given=_given, dtype=_dtype: stepped(tf, n, given, dtype),
            ulps=8,
        )


@TABLE.program
def a_model_learns(tf: Any) -> Any:
    """Take ten steps of Adam on a seeded network."""
    data = draw()
    x, y = data(8, 4), data(8, 2)
    tf.keras.utils.set_random_seed(1)
    model, loss = network(tf), tf.keras.losses.MeanSquaredError()
    optimizer = tf.keras.optimizers.Adam(0.05)
    losses = []
    for _ in range(10):
        with tf.GradientTape() as tape:
            value = loss(tf.constant(y), model(tf.constant(x), training=True))
        gradients = tape.gradient(value, model.trainable_variables)
        steps = optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
        losses.append(float(value))
    return [losses, int(steps.numpy())]


def measured(tf: Any, name: str) -> Any:
    """Update a running metric with and without weights."""
    metric = getattr(tf.keras.metrics, name)(name="m")
    seen = [metric(1.0), metric([2.0, 3.0]), metric([[1.0, 2.0], [3.0, 5.0]])]
    seen.append(metric([1.0, 2.0], sample_weight=[0.0, 1.0]))
    seen.append(metric([[1.0, 2.0]], sample_weight=[3.0]))
    metric.reset_state()
    return [*map(float, seen), float(metric.result())]


def weighted(tf: Any, name: str) -> Any:
    """Measure values of every rank with weights of every rank that fits, and with a dtype."""
    seen = []
    for shape in ((3,), (3, 2), (3, 2, 2)):
        values = np.arange(1.0, 1 + np.prod(shape)).reshape(shape) ** 1.5
        for rank in range(len(shape) + 1):
            metric = getattr(tf.keras.metrics, name)(name="m", dtype="float64")
            weights = np.arange(0.5, np.prod(shape[:rank]), 1.0).reshape(shape[:rank])
            seen += [float(metric(values, sample_weight=weights)), float(metric(values[:1]))]
    return seen, [(v.name, v.path, v.dtype == "float64", v.trainable) for v in metric.variables]


for _name in ("Mean", "Sum"):
    TABLE.add(f"metric {_name}", lambda tf, n=_name: measured(tf, n))
    TABLE.add(f"metric {_name} with weights", lambda tf, n=_name: weighted(tf, n))


def drawn(tf: Any, name: str) -> Any:
    """Draw with seeds, with a generator of seeds, and from the shared generator."""
    tf.keras.utils.set_random_seed(4)
    generator = tf.keras.random.SeedGenerator(9)
    seeds = (1, generator, generator, None, None)
    return [Bits(getattr(tf.keras.random, name)((3,), seed=s)) for s in seeds]


for _name in ("normal", "uniform", "truncated_normal"):
    TABLE.add(f"keras.random.{_name}", lambda tf, n=_name: drawn(tf, n))

# --- errors and printed forms ---------------------------------------------------------------------


def unknown_variable(tf: Any) -> Any:
    """Give an optimizer a variable that it does not know."""
    optimizer = tf.keras.optimizers.SGD()
    optimizer.apply_gradients([(tf.constant(1.0), tf.Variable(1.0))])
    optimizer.apply_gradients([(tf.constant(1.0), tf.Variable(3.0))])


def built_then_called(tf: Any, width: int) -> Any:
    """Call a layer with an input of another width than it was built for."""
    layer = tf.keras.layers.Dense(3, name="d")
    layer(tf.ones([2, 4]))
    return layer(tf.ones([2, width]))


def state_too_late(tf: Any) -> Any:
    """Give a model a layer after it was called."""
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    layer = tf.keras.layers.Dense(2)
    layer(tf.ones([1, 2]))
    layer.more = tf.keras.layers.Dense(2)
    return model


ERRORS: list[Callable[[Any], Any]] = [
    lambda tf: tf.keras.layers.Dense(0),
    lambda tf: tf.keras.layers.Dense("a"),
    lambda tf: tf.keras.layers.Dense(3, activation="foo"),
    lambda tf: tf.keras.layers.Dense(3, kernel_initializer="foo"),
    lambda tf: tf.keras.layers.Dense(3, foo=1),
    lambda tf: tf.keras.layers.Dense(3).kernel,
    lambda tf: tf.keras.layers.Dense(3)(3.0),
    lambda tf: tf.keras.layers.Dense(3)([[1.0, 2.0]]),
    lambda tf: tf.keras.layers.Dense(3)(),
    lambda tf: tf.keras.layers.Dense(3)(tf.ones([1, 2]), foo=1),
    lambda tf: tf.keras.layers.Dense(3, name="d")(tf.ones([2])),
    lambda tf: built_then_called(tf, 5),
    lambda tf: tf.keras.layers.Dense(3, trainable=1),
    lambda tf: tf.keras.layers.Dropout(1.5),
    lambda tf: tf.keras.layers.Activation("nope"),
    lambda tf: tf.keras.layers.LeakyReLU(-1.0),
    lambda tf: tf.keras.Sequential([3]),
    lambda tf: tf.keras.Sequential(name="s")(tf.ones([1, 2])),
    lambda tf: tf.keras.Sequential(
        [tf.keras.layers.Dense(1, name="a"), tf.keras.layers.Dense(1, name="a")]
    ),
    lambda tf: tf.keras.layers.Dense(3, name="d").count_params(),
    lambda tf: tf.keras.layers.Dense(3, name="d").set_weights([1]),
    state_too_late,
    lambda tf: tf.keras.optimizers.SGD(1),
    lambda tf: tf.keras.optimizers.SGD(0.1, momentum=2.0),
    lambda tf: tf.keras.optimizers.SGD(foo=1),
    lambda tf: tf.keras.optimizers.SGD(0.1, clipnorm=1.0, clipvalue=1.0),
    lambda tf: tf.keras.optimizers.SGD().apply_gradients([(None, tf.Variable(1.0))]),
    lambda tf: tf.keras.optimizers.SGD().apply_gradients([]),
    lambda tf: tf.keras.optimizers.SGD().apply_gradients(
        [(tf.constant([1.0, 2.0]), tf.Variable(1.0))]
    ),
    unknown_variable,
    lambda tf: tf.keras.optimizers.get("foo"),
    lambda tf: tf.keras.initializers.get("foo"),
    lambda tf: tf.keras.initializers.get(3),
    lambda tf: tf.keras.initializers.GlorotNormal(seed=1.5),
    lambda tf: tf.keras.initializers.VarianceScaling(scale=-1.0),
    lambda tf: tf.keras.initializers.Constant([1.0, 2.0])((3,)),
    lambda tf: tf.keras.losses.BinaryCrossentropy()(np.ones((2, 3)), np.ones((2, 4))),
    lambda tf: tf.keras.losses.CategoricalCrossentropy()(np.ones((2, 3)), np.ones((2, 4))),
    lambda tf: tf.keras.losses.MeanSquaredError()(np.ones((2, 3)), np.ones((2, 4))),
    lambda tf: tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)(
        np.array([5]), np.ones((1, 3))
    ),
    lambda tf: tf.keras.activations.get("foo"),
    lambda tf: tf.keras.utils.set_random_seed("a"),
    lambda tf: tf.keras.Variable(1.0, name="a/b"),
    lambda tf: tf.keras.Variable(tf.keras.initializers.Zeros()),
    lambda tf: tf.keras.Variable([1.0, 2.0], name="v").assign([1.0]),
]
TABLE.rows("mistake", ERRORS, says="start")

PRINTED: list[Callable[[Any], Any]] = [
    lambda tf: tf.keras.layers.Dense(3),
    lambda tf: tf.keras.Sequential([tf.keras.layers.Dense(3)], name="gen"),
    lambda tf: tf.keras.Variable([1.0, 2.5], name="v"),
    lambda tf: tf.keras.Variable(np.float32(0.1), name="v"),
    lambda tf: tf.keras.Variable(np.ones((2, 2), np.float32), name="v"),
    lambda tf: tf.keras.optimizers.SGD(0.1).learning_rate,
    lambda tf: tf.keras.optimizers.SGD(0.1).iterations,
    lambda tf: tf.keras.metrics.Mean(),
    lambda tf: [layer.name for layer in (tf.keras.layers.ReLU(), tf.keras.layers.ReLU())],
    lambda tf: tf.keras.optimizers.Adam().name,
    lambda tf: tf.keras.losses.Huber().name,
]
TABLE.rows("printed", [lambda tf, call=call: str(call(tf)) for call in PRINTED])


TABLE.rows(
    "a rate of dropout",
    [
        lambda tf, r=rate: float(tf.keras.layers.Dropout(r).rate)
        for rate in (0, 0.0, 0.5, 1, 1.0, 1.25, -0.25)
    ],
)


# --- models of layers that say nothing of shapes ----------------------------------------------


@TABLE.program
def a_sequence_with_a_layer_of_ones_own(tf):
    k = tf.keras.layers

    class Doubled(k.Layer):
        def build(self, input_shape):
            self.scale = self.add_weight(shape=(input_shape[-1],), initializer="ones")

        def call(self, inputs):
            return tf.concat([inputs * self.scale, inputs], -1)

    model = tf.keras.Sequential([Doubled(), k.Dense(3), Doubled(), k.Dense(2)])
    model.build((None, 4))
    inner = [layer.built for layer in model.layers]
    return model.built, inner, [list(v.shape) for v in model.weights]


@TABLE.program
def a_sequence_that_is_told_no_shape(tf):
    model = tf.keras.Sequential([tf.keras.layers.Dense(3), tf.keras.layers.Dense(2)])
    model.build()
    before = [model.built, [layer.built for layer in model.layers]]
    return before, list(model(tf.ones([1, 4])).shape), model.built


TABLE.rows(
    "an initializer called",
    [
        lambda tf, n=name: type(tf.keras.initializers.get(n)).__name__
        for name in ("uniform", "normal", "zero", "one", "zeros", "ones", "Zeros", "RandomNormal")
    ],
)
TABLE.rows(
    "an initializer that is not called",
    [
        lambda tf, n=name: tf.keras.initializers.get(n)
        for name in ("Uniform", "ZERO", "randomnormal")
    ],
    says="type",
)


# --- logits ---------------------------------------------------------------------------------------


def _far(tf: Any, bend: Callable[..., Any], loss: str, true: Any) -> Any:
    """Give a loss of what has rounded to 0 and 1, and its slope, outside and within a function."""
    x = tf.Variable([[200.0, 0.0]])

    def run() -> Any:
        with tf.GradientTape() as tape:
            y = tf.reduce_mean(getattr(tf.keras.losses, loss)(tf.constant(true), bend(tf, x)))
        return y, tape.gradient(y, x)

    return [*run(), *tf.function(run)()]


BENDS: dict[str, Callable[..., Any]] = {
    "tf.nn.softmax": lambda tf, x: tf.nn.softmax(x),
    "tf.nn.softmax, the last axis": lambda tf, x: tf.nn.softmax(x, axis=1),
    "tf.nn.softmax, the first axis": lambda tf, x: tf.nn.softmax(x, axis=0),
    "tf.nn.softmax and more": lambda tf, x: tf.identity(tf.nn.softmax(x)),
    "softmax of Keras": lambda tf, x: tf.keras.activations.softmax(x),
}
for _name, _bend in BENDS.items():
    TABLE.add(
        f"logits of {_name}",
        lambda tf, bend=_bend: [
            _far(tf, bend, "sparse_categorical_crossentropy", [1]),
            _far(tf, bend, "categorical_crossentropy", [[0.0, 1.0]]),
        ],
    )
for _name, _bend in {
    "tf.nn.sigmoid": lambda tf, x: tf.nn.sigmoid(x),
    "tf.sigmoid": lambda tf, x: tf.sigmoid(x),
    "tf.math.sigmoid and more": lambda tf, x: 1.0 * tf.math.sigmoid(x),
    "sigmoid of Keras": lambda tf, x: tf.keras.activations.sigmoid(x),
}.items():
    TABLE.add(
        f"logits of {_name}",
        lambda tf, bend=_bend: _far(tf, bend, "binary_crossentropy", [[0.0, 1.0]]),
    )
