"""Keras against Keras: the same seeds, data and calls give the same numbers, names and errors."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import symtape


@pytest.fixture
def both(tensorflow):
    """Give TensorFlow and ourselves."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy 2.4 finds a protocol of Keras's variables old
        yield tensorflow, symtape


@pytest.fixture
def named(both):
    """Give TensorFlow and ourselves, both counting names from the start."""
    for tf in both:
        tf.keras.utils.clear_session()
    return both


def assert_close(found, expected, rtol=2e-6, atol=1e-7):
    """Assert that two results agree in dtype, shape and nearly every digit."""
    assert found.dtype.name == getattr(expected.dtype, "name", expected.dtype)
    np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=rtol, atol=atol)


def data(rng, *shape):
    """Draw an array of float32."""
    return rng.standard_normal(shape).astype(np.float32)


# --- initializers ---------------------------------------------------------------------------------

INITIALIZERS = [
    *("GlorotNormal", "GlorotUniform", "HeNormal", "HeUniform", "LecunNormal", "LecunUniform"),
    *("RandomNormal", "RandomUniform", "TruncatedNormal", "VarianceScaling"),
]


@pytest.mark.parametrize("name", INITIALIZERS)
@pytest.mark.parametrize("dtype", [None, "float16", "float64"])
def test_initializers_give_the_same_bits(both, name, dtype):
    """A seeded initializer gives Keras's first values for every shape, to the last bit."""
    for shape in ([], [3], (4, 5), (3, 3, 2, 4)):
        for seed in (1, 2**31 + 5, -3):
            expected, found = (
                getattr(tf.keras.initializers, name)(seed=seed)(shape=shape, dtype=dtype)
                for tf in both
            )
            assert found.dtype.name == expected.dtype.name
            assert found.numpy().tobytes() == expected.numpy().tobytes()


@pytest.mark.parametrize(
    "make",
    [
        lambda k: k.Zeros()((2, 3)),
        lambda k: k.Ones()((2,), dtype="int32"),
        lambda k: k.Constant(3)((2,)),
        lambda k: k.Constant([1.0, 2.0])((2,)),
        lambda k: k.Identity(2.0)((2, 3)),
        lambda k: k.get("zeros")((2,)),
        lambda k: k.get(np.array([1.0, 2.0]))((2,)),
        lambda k: k.VarianceScaling(2.0, "fan_out", "uniform", seed=3)((4, 5)),
        lambda k: k.VarianceScaling(2.0, "fan_avg", "untruncated_normal", seed=3)((4, 5)),
        lambda k: k.RandomNormal(1.0, 2.0, seed=3)((4, 5)),
    ],
)
def test_initializers_with_parameters(both, make):
    """Initializers with parameters, and those found by `get`, agree."""
    expected, found = (make(tf.keras.initializers) for tf in both)
    assert found.dtype.name == expected.dtype.name
    assert np.array_equal(found.numpy(), expected.numpy())


# --- activations, layers, losses ------------------------------------------------------------------

ACTIVATIONS = [
    *("celu", "elu", "exponential", "gelu", "hard_sigmoid", "hard_silu", "hard_tanh", "leaky_relu"),
    *("linear", "log_sigmoid", "log_softmax", "mish", "relu", "relu6", "selu", "sigmoid", "silu"),
    *("softmax", "softplus", "softsign", "squareplus", "swish", "tanh", "tanh_shrink", "glu"),
]


def run_with_gradient(tf, function, *arrays):
    """Give a result, and its gradient in each input, weighted so that rows differ."""
    inputs = [tf.constant(a) for a in arrays]
    with tf.GradientTape() as tape:
        for x in inputs:
            tape.watch(x)
        y = function(tf, *inputs)
        weights = np.linspace(1.0, 2.0, int(np.prod(y.shape))).reshape(tuple(y.shape))
        total = tf.reduce_sum(y * weights.astype(y.dtype.name))
    return [y, *tape.gradient(total, inputs)]


def compare(both, function, *arrays, rtol=2e-6, atol=1e-6):
    """Assert that values and gradients agree."""
    results = [run_with_gradient(tf, function, *arrays) for tf in both]
    for expected, found in zip(*results, strict=True):
        assert (found is None) == (expected is None)
        if found is not None:
            assert_close(found, expected, rtol, atol)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations(both, rng, name):
    """Every activation has Keras's values and slopes, by name and as a function."""
    x = 3 * data(rng, 5, 6)
    compare(both, lambda tf, x: getattr(tf.keras.activations, name)(x), x)
    compare(both, lambda tf, x: tf.keras.layers.Activation(name)(x), x)


@pytest.mark.parametrize(
    "function",
    [
        lambda tf, x: tf.keras.activations.relu(x, 0.1),
        lambda tf, x: tf.keras.activations.relu(x, max_value=1.5),
        lambda tf, x: tf.keras.activations.relu(x, max_value=6),
        lambda tf, x: tf.keras.activations.relu(x, 0.1, 2.0, 0.5),
        lambda tf, x: tf.keras.activations.relu(x, threshold=0.7),
        lambda tf, x: tf.keras.activations.elu(x, 0.5),
        lambda tf, x: tf.keras.activations.celu(x, 0.5),
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
    ],
)
def test_layers_without_weights(both, rng, function):
    """Layers without weights have Keras's values and slopes."""
    compare(both, function, 2 * data(rng, 5, 6))


LOSSES = [
    ("MeanSquaredError", {}),
    ("MeanAbsoluteError", {}),
    ("MeanAbsolutePercentageError", {}),
    ("LogCosh", {}),
    ("Huber", {}),
    ("Huber", {"delta": 0.3}),
    ("CosineSimilarity", {}),
    ("BinaryCrossentropy", {"from_logits": True}),
    ("BinaryCrossentropy", {"from_logits": True, "label_smoothing": 0.2}),
    ("CategoricalCrossentropy", {"from_logits": True}),
    ("CategoricalCrossentropy", {"from_logits": True, "label_smoothing": 0.2}),
    ("Hinge", {}),
    ("SquaredHinge", {}),
]
PROBABILITIES = [
    ("BinaryCrossentropy", {}),
    ("BinaryCrossentropy", {"label_smoothing": 0.1}),
    ("CategoricalCrossentropy", {}),
    ("KLDivergence", {}),
    ("Poisson", {}),
    ("MeanSquaredLogarithmicError", {}),
]


@pytest.mark.parametrize(
    "reduction", ["sum_over_batch_size", "sum", None, "mean_with_sample_weight"]
)
@pytest.mark.parametrize(("name", "given"), LOSSES + PROBABILITIES)
def test_losses(both, rng, name, given, reduction):
    """Every loss has Keras's value and slope in the prediction, for every reduction and weights."""
    probable = (name, given) in PROBABILITIES
    true, predicted = data(rng, 4, 3), data(rng, 4, 3)
    if probable or "Crossentropy" in name:
        true = np.abs(true) / np.abs(true).sum(axis=1, keepdims=True)
    if probable:
        predicted = (1 / (1 + np.exp(-predicted))).astype(np.float32)
    for weight in (None, np.array([0.5, 1.0, 0.0, 2.0], np.float32)):

        def function(tf, y, weight=weight):
            loss = getattr(tf.keras.losses, name)(reduction=reduction, **given)
            return loss(tf.constant(true), y, sample_weight=weight)

        compare(both, function, predicted, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("given", [{"from_logits": True}, {}])
def test_sparse_labels(both, rng, given):
    """Labels that are numbers of classes, in one axis or in two."""
    predicted = np.abs(data(rng, 4, 3)) / 4
    for labels in (np.array([0, 2, 1, 1]), np.array([[0], [2], [1], [1]])):

        def function(tf, y, labels=labels):
            return tf.keras.losses.SparseCategoricalCrossentropy(**given)(labels, y)

        compare(both, function, predicted)


@pytest.mark.parametrize("bend", ["sigmoid", "softmax"])
def test_losses_take_the_logits_behind_an_activation(both, bend):
    """As in Keras, a prediction that rounds to 0 or 1 keeps its slope if an activation made it."""
    z = np.array([[-40.0, 3.0], [200.0, -1.0]], np.float32)
    for loss in ("BinaryCrossentropy", "CategoricalCrossentropy"):
        for made in (
            lambda tf, x: getattr(tf.keras.activations, bend)(x),
            lambda tf, x: getattr(tf.nn, bend)(x),
        ):

            def function(tf, x, loss=loss, made=made):
                labels = tf.constant([[1.0, 0.0], [0.0, 1.0]])
                return getattr(tf.keras.losses, loss)()(labels, made(tf, x))

            if "binary" in loss.lower() or bend == "softmax":
                compare(both, function, z, rtol=1e-5)


RANKS = [
    ((2, 1), (2,)),
    ((2,), (2, 1)),
    ((2, 3, 1), (2, 3)),
    ((2, 3), (2, 3, 1)),
    ((2, 3), (2, 3)),
    ((2, 3), (3,)),
]


@pytest.mark.parametrize(("one", "other"), RANKS)
def test_losses_fit_ranks_that_differ_by_one(both, rng, one, other):
    """An axis of size 1 at the end is dropped or added where Keras does it."""
    true, predicted = data(rng, *one), data(rng, *other)
    compare(both, lambda tf, y: tf.keras.losses.MeanSquaredError()(tf.constant(true), y), predicted)


# --- models ---------------------------------------------------------------------------------------


def network(tf):
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


def test_a_seeded_model_starts_as_in_keras(named):
    """After `set_random_seed`, layers get the weights and dropouts of Keras, bit by bit."""
    runs = []
    for tf in named:
        tf.keras.utils.set_random_seed(11)
        model = network(tf)
        x = tf.random.normal([3, 6])
        outputs = [model(x), model(x, training=True), model(x, training=True)]
        runs.append((model, x, outputs))
    (expected, x, wanted), (found, own, made) = runs
    assert own.numpy().tobytes() == x.numpy().tobytes()
    assert [v.path for v in found.weights] == [v.path for v in expected.weights]
    for ours, theirs in zip(found.weights, expected.weights, strict=True):
        assert ours.numpy().tobytes() == theirs.numpy().tobytes()
    for ours, theirs in zip(made, wanted, strict=True):
        assert_close(ours, theirs)


def subclassed(tf):
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


def test_a_subclassed_model_is_tracked_as_in_keras(named, rng):
    """Paths, order, trainability and the passing on of `training` are Keras's."""
    x = data(rng, 4, 5)
    runs = []
    for tf in named:
        tf.keras.utils.set_random_seed(5)
        model = subclassed(tf)
        before = [len(model.variables), model.built]
        outputs = [model(tf.constant(x)), model(tf.constant(x), training=True)]
        paths = [
            [v.path for v in variables]
            for variables in (
                *(model.variables, model.weights, model.trainable_variables),
                *(model.non_trainable_variables, model.trainable_weights),
            )
        ]
        names = [layer.name for layer in model.layers]
        model.first.trainable = False
        paths.append([v.path for v in model.trainable_variables])
        model.trainable = False
        paths.append([v.path for v in model.trainable_variables])
        runs.append((before, paths, names, model.count_params(), outputs))
    assert runs[1][:-1] == runs[0][:-1]
    for ours, theirs in zip(runs[1][-1], runs[0][-1], strict=True):
        assert_close(ours, theirs)


def layers_of_ones_own(tf, seen):
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


def test_layers_of_ones_own(named, rng):
    """A layer with `build`, several inputs and a layer within: equal shapes and paths."""
    x, y = data(rng, 2, 3), data(rng, 2, 3)
    runs = []
    for tf in named:
        seen = []
        layer = layers_of_ones_own(tf, seen)
        out = layer([tf.constant(x), tf.constant(y)])
        runs.append((seen, [v.path for v in layer.variables], out.numpy()))
    assert runs[1][:2] == runs[0][:2]
    np.testing.assert_allclose(runs[1][2], runs[0][2], rtol=1e-5)


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


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize(("name", "given"), OPTIMIZERS)
def test_optimizers_take_the_same_steps(both, rng, name, given, dtype):
    """Five steps leave variables, and what the optimizer keeps, as Keras leaves them."""
    start = [rng.standard_normal((3, 2)).astype(dtype), rng.standard_normal(()).astype(dtype)]
    gradients = [[rng.standard_normal(w.shape).astype(dtype) for w in start] for _ in range(5)]
    runs = []
    for tf in both:
        variables = [tf.Variable(w, name=f"w{k}") for k, w in enumerate(start)]
        optimizer = getattr(tf.keras.optimizers, name)(name="o", **given)
        for step in gradients:
            optimizer.apply_gradients(zip(map(tf.constant, step), variables, strict=True))
        runs.append((variables, optimizer))
    (expected, theirs), (found, ours) = runs
    assert [v.path for v in ours.variables] == [v.path for v in theirs.variables]
    ulp = np.finfo(dtype).eps
    pairs = [
        *zip(found, expected, strict=True),
        *zip(ours.variables, theirs.variables, strict=True),
    ]
    for one, other in pairs:
        np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=8 * ulp, atol=4 * ulp)


def test_a_model_learns_as_in_keras(both, rng):
    """Ten steps of Adam on a seeded network: the losses are Keras's to the single digits lost."""
    x, y = data(rng, 8, 4), data(rng, 8, 2)
    runs = []
    for tf in both:
        tf.keras.utils.set_random_seed(1)
        model, loss = network(tf), tf.keras.losses.MeanSquaredError()
        optimizer = tf.keras.optimizers.Adam(0.05)
        losses = []
        for _ in range(10):
            with tf.GradientTape() as tape:
                value = loss(tf.constant(y), model(tf.constant(x), training=True))
            gradients = tape.gradient(value, model.trainable_variables)
            steps = optimizer.apply_gradients(
                zip(gradients, model.trainable_variables, strict=True)
            )
            losses.append(float(value))
        runs.append((losses, int(steps.numpy())))
    assert runs[1][1] == runs[0][1] == 10
    np.testing.assert_allclose(runs[1][0], runs[0][0], rtol=1e-4)


def test_mean_metrics(both):
    """Running means with and without weights agree."""
    runs = []
    for tf in both:
        mean, total = tf.keras.metrics.Mean(name="loss"), tf.keras.metrics.Sum()
        seen = []
        for metric in (mean, total):
            seen += [metric(1.0), metric([2.0, 3.0]), metric([[1.0, 2.0], [3.0, 5.0]])]
            seen.append(metric([1.0, 2.0], sample_weight=[0.0, 1.0]))
            seen.append(metric([[1.0, 2.0]], sample_weight=[3.0]))
            metric.reset_state()
            seen.append(metric.result())
        runs.append([float(x) for x in seen])
    np.testing.assert_allclose(runs[1], runs[0], rtol=1e-6)


def test_keras_random(both):
    """Seeded draws and generators of seeds agree; so does the shared generator after a seed."""
    for name in ("normal", "uniform", "truncated_normal"):
        runs = []
        for tf in both:
            tf.keras.utils.set_random_seed(4)
            draw = getattr(tf.keras.random, name)
            generator = tf.keras.random.SeedGenerator(9)
            runs.append([draw((3,), seed=s) for s in (1, generator, generator, None, None)])
        for expected, found in zip(*runs, strict=True):
            assert found.numpy().tobytes() == expected.numpy().tobytes()


# --- errors and printed forms ---------------------------------------------------------------------


def unknown_variable(tf):
    """Give an optimizer a variable that it does not know."""
    optimizer = tf.keras.optimizers.SGD()
    optimizer.apply_gradients([(tf.constant(1.0), tf.Variable(1.0))])
    optimizer.apply_gradients([(tf.constant(1.0), tf.Variable(3.0))])


def built_then_called(tf, width):
    """Call a layer with an input of another width than it was built for."""
    layer = tf.keras.layers.Dense(3, name="d")
    layer(tf.ones([2, 4]))
    return layer(tf.ones([2, width]))


def state_too_late(tf):
    """Give a model a layer after it was called."""
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    layer = tf.keras.layers.Dense(2)
    layer(tf.ones([1, 2]))
    layer.more = tf.keras.layers.Dense(2)
    return model


ERRORS = [
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


@pytest.mark.parametrize("call", ERRORS)
def test_errors(both, call):
    """What Keras refuses is refused with the same type and the same first words."""
    errors = []
    for tf in both:
        with pytest.raises(Exception) as caught:  # noqa: PT011 - compared below
            call(tf)
        errors.append(caught.value)
    expected, found = errors
    assert type(found).__name__ == type(expected).__name__
    text = str(expected)
    for end in ("\n\nArguments", "{'", "=<keras", "(of type", " [Op:"):
        text = text.partition(end)[0]
    text = text.removeprefix("Exception encountered when calling ").strip()
    assert str(found).startswith(text)


PRINTED = [
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


@pytest.mark.parametrize("call", PRINTED)
def test_printed_forms(named, call):
    """Layers, variables and names print as Keras's do."""
    expected, found = (str(call(tf)) for tf in named)
    assert found == expected
