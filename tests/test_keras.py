"""Keras: the documented scripts, what layers own, formulas of networks, and what is not there."""

from __future__ import annotations

import copy
import gc
import pickle
import subprocess
import sys
import weakref
from threading import Thread

import numpy as np
import pytest
import sympy as sp

import symtape as tf
from symtape.errors import UnsupportedError
from symtape.ops.elementwise.logits import recall

keras = tf.keras


@pytest.fixture(autouse=True)
def fresh_names():
    """Count names from the start in each test."""
    keras.utils.clear_session(free_memory=False)


# --- documented scripts ---------------------------------------------------------------------------


@pytest.mark.slow
def test_documented_step_with_two_tapes():
    """A generator and a discriminator are trained at once, each on its own tape."""
    keras.utils.set_random_seed(7)
    generator = keras.Sequential(
        [keras.layers.Dense(8, activation="relu"), keras.layers.Dense(3, activation="tanh")]
    )
    discriminator = keras.Sequential(
        [
            keras.layers.Flatten(),
            keras.layers.Dense(8),
            keras.layers.LeakyReLU(),
            keras.layers.Dropout(0.3),
            keras.layers.Dense(1),
        ]
    )
    cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)
    generator_optimizer = tf.keras.optimizers.Adam(1e-3)
    discriminator_optimizer = tf.keras.optimizers.Adam(1e-3)
    images = tf.random.normal([16, 3]) + 2.0

    def discriminator_loss(real_output, fake_output):
        real_loss = cross_entropy(tf.ones_like(real_output), real_output)
        return real_loss + cross_entropy(tf.zeros_like(fake_output), fake_output)

    def generator_loss(fake_output):
        return cross_entropy(tf.ones_like(fake_output), fake_output)

    @tf.function
    def train_step(images):
        noise = tf.random.normal([16, 5])
        with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
            generated_images = generator(noise, training=True)

            real_output = discriminator(images, training=True)
            fake_output = discriminator(generated_images, training=True)

            gen_loss = generator_loss(fake_output)
            disc_loss = discriminator_loss(real_output, fake_output)

        gradients_of_generator = gen_tape.gradient(gen_loss, generator.trainable_variables)
        gradients_of_discriminator = disc_tape.gradient(
            disc_loss, discriminator.trainable_variables
        )
        generator_optimizer.apply_gradients(
            zip(gradients_of_generator, generator.trainable_variables, strict=True)
        )
        discriminator_optimizer.apply_gradients(
            zip(gradients_of_discriminator, discriminator.trainable_variables, strict=True)
        )
        return float(disc_loss)

    losses = [train_step(images) for _ in range(60)]
    assert losses[-1] < losses[0]
    assert int(generator_optimizer.iterations) == 60
    assert len(generator.trainable_variables) == len(discriminator.trainable_variables) == 4


# --- formulas -------------------------------------------------------------------------------------


def test_formulas_call_weights_by_their_paths():
    """The gradient of a layer is a formula in `dense_kernel`, `dense_bias` and the input."""
    x = tf.constant([[1.0, 2.0]])
    dense = keras.layers.Dense(1)
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(dense(x) ** 2)
    by_kernel, by_bias = tape.gradient(y, dense.trainable_variables)
    kernel, bias, inputs = (sp.IndexedBase(n) for n in ("dense_kernel", "dense_bias", "x"))
    expected = 2 * (bias[0] + kernel[0, 0] * inputs[0, 0] + kernel[1, 0] * inputs[0, 1])
    assert sp.expand(by_bias.entries[0] - expected) == 0
    assert sp.expand(by_kernel.entries[1, 0] - expected * inputs[0, 1]) == 0


def test_a_network_has_a_hessian():
    """A layer and a loss can be differentiated twice: linear least squares has 2 XᵀX / n."""
    x = np.arange(6.0, dtype=np.float32).reshape(3, 2)
    dense = keras.layers.Dense(1, use_bias=False, name="d")
    loss = keras.losses.MeanSquaredError()
    with tf.GradientTape() as tape:
        value = loss(tf.zeros([3, 1]), dense(tf.constant(x)))
    hessian = tape.hessian(value, dense.kernel).numpy().reshape(2, 2)
    np.testing.assert_allclose(hessian, 2 * x.T @ x / 3, rtol=1e-6)


def test_a_dropout_has_the_slope_of_what_it_kept():
    """The slope of a dropout is 0 where it dropped, else 1 / (1 - rate)."""
    x = tf.ones([20])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = keras.layers.Dropout(0.5, seed=1)(x, training=True)
    assert np.array_equal(tape.gradient(y, x).numpy(), y.numpy())
    assert set(y.numpy().tolist()) == {0.0, 2.0}


# --- what a layer owns ----------------------------------------------------------------------------


def test_a_frozen_layer_is_not_watched():
    """Weights of a layer that is not trained are read without being watched."""
    dense = keras.layers.Dense(1, trainable=False)
    with tf.GradientTape() as tape:
        dense(tf.ones([1, 2]))
    assert tape.watched_variables() == ()
    assert dense.trainable_variables == []
    assert len(dense.non_trainable_variables) == 2


def test_layers_in_lists_and_dicts_belong_to_a_model_once():
    """A layer that is held twice, or added to a list later, is counted once."""

    class Net(keras.Model):
        def __init__(self):
            super().__init__()
            self.one = keras.layers.Dense(2)
            self.same = {"again": [self.one]}
            self.more = []
            self.more.append(keras.layers.Dense(2))
            self.parent = self

        def call(self, inputs):
            return self.more[0](self.one(inputs))

    net = Net()
    net(tf.ones([1, 2]))
    assert len(net.layers) == 2
    assert [v.path for v in net.variables] == [
        *("net/dense/kernel", "net/dense/bias"),
        *("net/dense_1/kernel", "net/dense_1/bias"),
    ]


def test_a_model_can_be_copied_and_pickled():
    """A copy has the same values and its own variables."""
    model = keras.Sequential([keras.layers.Dense(2, activation="tanh"), keras.layers.Dense(1)])
    x = tf.ones([3, 2])
    expected = model(x).numpy()
    for other in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert np.array_equal(other(x).numpy(), expected)
        assert [v.path for v in other.weights] == [v.path for v in model.weights]
        other.weights[0].assign(np.zeros((2, 2)))
        assert np.array_equal(model(x).numpy(), expected)


def test_variables_of_a_metric_have_its_dtype_or_their_own():
    """Without a dtype a variable has that of the metric."""
    metric = keras.metrics.Mean(dtype="float64")
    assert {v.dtype for v in metric.variables} == {"float64"}
    assert metric.add_variable((2,), dtype="int32").dtype == "int32"
    assert metric.add_variable((2,)).dtype == "float64"


def test_an_input_has_the_dtype_that_is_asked_for():
    """Without one it is that of all layers."""
    assert keras.layers.InputLayer((2,), dtype="float64").dtype == "float64"
    assert keras.layers.InputLayer((2,)).dtype == "float32"


def test_a_sequential_is_built_where_its_shapes_are_known():
    """An `Input`, `input_shape` or `build` makes the variables before the first call."""
    by_input = keras.Sequential([keras.Input((3,)), keras.layers.Dense(4), keras.layers.Dense(2)])
    by_argument = keras.Sequential([keras.layers.Dense(4, input_shape=(3,))])
    by_build = keras.Sequential([keras.layers.Reshape((3, -1)), keras.layers.Dense(5)])
    by_build.build((None, 12))
    for model, shapes in (
        (by_input, [(3, 4), (4,), (4, 2), (2,)]),
        (by_argument, [(3, 4), (4,)]),
        (by_build, [(4, 5), (5,)]),
    ):
        assert [tuple(v.shape) for v in model.weights] == shapes
        assert model.built
    by_input.add(keras.layers.Dense(1))
    assert len(by_input.weights) == 6
    assert by_input.pop().name == "dense_4"
    assert by_input.compute_output_shape((None, 3)) == (None, 2)


def test_a_layer_of_ones_own_inside_a_sequential():
    """A layer that does not say what shape it gives is called on zeros; all after it are built."""

    class Twice(keras.layers.Layer):
        def call(self, inputs):
            return tf.concat([inputs, inputs], 1)

    model = keras.Sequential([keras.Input((3,)), Twice(), keras.layers.Dense(2)])
    assert model.built
    assert tuple(model.weights[0].shape) == (6, 2)
    assert model(tf.ones([1, 3])).shape == (1, 2)
    model = keras.Sequential([Twice(), keras.layers.Dense(2)])
    model.build((None, None))
    assert not model.built
    assert keras.Sequential([keras.Input((None, 3)), keras.layers.Dense(2)]).built
    assert model(tf.ones([1, 3])).shape == (1, 2)
    assert model.built


def test_names_are_counted_in_each_thread():
    """Another thread starts counting its own names."""
    keras.layers.Dense(1)
    found = []
    thread = Thread(target=lambda: found.append(keras.layers.Dense(1).name))
    thread.start()
    thread.join()
    assert found == ["dense"]
    assert keras.layers.Dense(1).name == "dense_1"


def test_losses_of_layers_are_those_of_the_last_call():
    """`add_loss` keeps tensors that a tape differentiates, until the model is called again."""

    class Penalised(keras.layers.Dense):
        def call(self, inputs):
            self.add_loss(tf.reduce_sum(self.kernel**2))
            return super().call(inputs)

    model = keras.Sequential([Penalised(1, kernel_initializer="ones")])
    for _ in range(2):
        with tf.GradientTape() as tape:
            model(tf.ones([1, 2]))
            (penalty,) = model.losses
        gradient = tape.gradient(penalty, model.weights[0])
        assert gradient.numpy().tolist() == [[2.0], [2.0]]


def test_losses_of_a_model_are_those_of_all_calls_within_its_own():
    """A layer that is called twice has two, and the model's own is forgotten like theirs."""

    class Twice(keras.Model):
        def __init__(self):
            super().__init__()
            self.inner = keras.layers.Activation("relu")
            self.inner.call = self._kept

        def _kept(self, inputs):
            self.inner.add_loss(tf.reduce_sum(inputs))
            return 2.0 * inputs

        def call(self, inputs):
            outputs = self.inner(self.inner(inputs))
            self.add_loss(tf.reduce_sum(outputs))
            return outputs

    model = Twice()
    for _ in range(2):
        model(tf.ones([1, 2]))
        assert [float(x) for x in model.losses] == [8.0, 2.0, 4.0]


def test_training_is_passed_on():
    """A layer that is not told whether it trains does as the model that calls it."""

    class Net(keras.Model):
        def __init__(self):
            super().__init__()
            self.drop = keras.layers.Dropout(0.9, seed=1)

        def call(self, inputs):
            return self.drop(inputs)

    net, x = Net(), tf.ones([50])
    assert np.array_equal(net(x).numpy(), x.numpy())
    assert not np.array_equal(net(x, training=True).numpy(), x.numpy())
    assert np.array_equal(net(x).numpy(), x.numpy())


def test_names_of_earlier_versions_warn():
    """`alpha` of a leaky ReLU is its slope, and the warning says what it is called now."""
    with pytest.warns(UserWarning, match="`alpha` is deprecated. Use `negative_slope` instead"):
        layer = keras.layers.LeakyReLU(alpha=0.25)
    assert layer.negative_slope == 0.25
    assert layer(tf.constant([-4.0, 2.0])).numpy().tolist() == [-1.0, 2.0]


def test_one_class_is_warned_of():
    """Cross entropy between shares of one class is always 0: the binary one is meant."""
    with pytest.warns(SyntaxWarning, match="num_classes > 1.*binary_crossentropy"):
        found = keras.losses.categorical_crossentropy([[1.0]], [[0.5]])
    assert found.numpy().tolist() == pytest.approx([0.0], abs=1e-6)


def test_shares_that_are_taken_for_logits_are_warned_of():
    """What a sigmoid gave is no logit; the loss is computed all the same."""
    shares = keras.activations.sigmoid(tf.constant([[1.0]]))
    with pytest.warns(UserWarning, match="produced by a Sigmoid activation"):
        keras.losses.binary_crossentropy([[1.0]], shares, from_logits=True)


@pytest.mark.slow
def test_logits_are_forgotten_with_their_output():
    """What an activation was made of is not kept longer than the output."""
    y = keras.activations.sigmoid([[1.0]])
    logits = recall(y)
    assert logits is not None
    held = weakref.ref(logits)
    del y, logits
    gc.collect()
    assert held() is None


# --- variables and optimizers ---------------------------------------------------------------------


def test_keras_variables_are_variables():
    """They are read, watched, assigned and cast as Keras does it."""
    v = keras.Variable([1.0, 2.0], name="v")
    with tf.GradientTape() as tape:
        y = v * v
    assert tape.gradient(y, v).numpy().tolist() == [2.0, 4.0]
    assert v.assign(np.array([3, 4])).numpy().tolist() == [3.0, 4.0]
    assert v.assign_add(tf.constant([1.0, 1.0])).numpy().tolist() == [4.0, 5.0]
    assert v.assign_sub(1).numpy().tolist() == [3.0, 4.0]
    assert v.value is v
    v.trainable = False
    with tf.GradientTape() as tape:
        y = v * v
    assert tape.gradient(y, v) is None


def test_no_gradients_for_any_variable():
    """Pairs without a gradient are an error if they are all, else a warning that names them."""
    w, v = tf.Variable(1.0, name="w"), tf.Variable(2.0, name="v")
    with pytest.raises(ValueError, match=r"^No gradients provided for any variable\.$"):
        keras.optimizers.SGD().apply_gradients([(None, w)])
    optimizer = keras.optimizers.SGD(0.5)
    with pytest.warns(UserWarning, match=r"Gradients do not exist for variables \['w:0'\]"):
        optimizer.apply_gradients([(None, w), (tf.constant(1.0), v)])
    assert (float(w), float(v), int(optimizer.iterations)) == (1.0, 1.5, 1)


def test_a_step_is_not_recorded():
    """An optimizer within a tape leaves no step on it; what it assigned to is watched, as by TF."""
    w = tf.Variable(1.0, name="w")
    with tf.GradientTape(persistent=True) as tape:
        keras.optimizers.Adam(0.1).apply_gradients([(tf.constant(1.0), w)])
    assert [v.name for v in tape.watched_variables()] == ["w:0"]
    assert tape.gradient(w.read_value() + 0.0, w) is None


def test_learning_rates():
    """A learning rate is a float that can be set, or a function that is asked at each step."""
    w = tf.Variable(1.0)
    optimizer = keras.optimizers.SGD(0.5)
    optimizer.learning_rate = 0.25
    optimizer.apply_gradients([(tf.constant(1.0), w)])
    assert float(w) == 0.75
    rates = iter([0.5, 0.125])
    optimizer = keras.optimizers.SGD(lambda: next(rates))
    for _ in range(2):
        optimizer.apply_gradients([(1.0, w)])
    assert float(w) == 0.125


def test_constraints_are_applied_after_a_step():
    """A constraint of a weight holds after each step."""
    dense = keras.layers.Dense(
        1, kernel_initializer="ones", kernel_constraint=lambda w: tf.maximum(w, 0.5)
    )
    dense(tf.ones([1, 2]))
    keras.optimizers.SGD(1.0).apply_gradients([(tf.ones([2, 1]), dense.kernel)])
    assert dense.kernel.numpy().tolist() == [[0.5], [0.5]]


@pytest.mark.parametrize("name", ["SGD", "Adam", "AdamW", "RMSprop", "Adagrad"])
def test_every_optimizer_goes_downhill(name):
    """The square of a variable falls in every step."""
    w = tf.Variable(1.0)
    optimizer = keras.optimizers.get(name)
    values = []
    for _ in range(5):
        with tf.GradientTape() as tape:
            y = w * w
        optimizer.apply_gradients([(tape.gradient(y, w), w)])
        values.append(float(y))
    assert values == sorted(values, reverse=True)
    assert optimizer.built


# --- what is not there ----------------------------------------------------------------------------

MISSING = [
    (lambda: keras.layers.Denze, "symtape has no tf.keras.layers.Denze; the nearest name is"),
    (lambda: keras.layers.Conv2D, "symtape has no tf.keras.layers.Conv2D"),
    (lambda: keras.optimizers.Adamm, "tf.keras.optimizers.Adam"),
    (lambda: keras.losses.MeanSquareError, "tf.keras.losses.MeanSquaredError"),
    (lambda: keras.initializers.Glorot_Normal, "tf.keras.initializers.glorot_normal"),
    (lambda: keras.activations.rellu, "tf.keras.activations.relu"),
    (lambda: keras.metrics.Meann, "tf.keras.metrics.Mean"),
    (lambda: keras.models.Sequentiel, "tf.keras.models.Sequential"),
    (lambda: keras.utils.set_seed, "tf.keras.utils.set_random_seed"),
    (lambda: keras.random.norml, "tf.keras.random.normal"),
    (lambda: keras.backend.epsilonn, "tf.keras.backend.epsilon"),
    (lambda: keras.Sequentiall, "tf.keras.Sequential"),
    *[
        (lambda n=name: getattr(keras.Sequential(), n), f"{name!r}; {way}")
        for way, names in {
            "write the loop yourself: tape.gradient(loss, model.trainable_variables) and optimizer."
            "apply_gradients(zip(gradients, model.trainable_variables))": (
                "compile fit evaluate train_on_batch train_step"
            ),
            "call the model on the data": "predict predict_on_batch predict_step",
            "keep the arrays of get_weights(), and give them to set_weights()": (
                "save save_weights load_weights export"
            ),
        }.items()
        for name in names.split()
    ],
    (lambda: keras.layers.Dense(1).get_config, "make another layer with the same arguments"),
    (lambda: keras.layers.Dense(1).nothing, "'Dense' object has no attribute 'nothing'"),
    (lambda: keras.optimizers.SGD().minimize, "take the gradients with a GradientTape"),
    (lambda: keras.optimizers.SGD().get_gradients, "'get_gradients'; take the gradients with a"),
    (lambda: keras.optimizers.SGD().get_config, "make another optimizer with the same arguments"),
    (lambda: keras.optimizers.SGD().lr, "it is called learning_rate"),
]


@pytest.mark.parametrize(("look", "text"), MISSING)
def test_missing_names_say_what_there_is(look, text):
    """A name that is not there raises an AttributeError with the nearest names, or a way out."""
    with pytest.raises(AttributeError) as caught:
        look()
    assert text in str(caught.value)


REFUSED = [
    lambda: keras.Model(inputs=1, outputs=2),
    lambda: keras.layers.Dense(1, kernel_regularizer="l2"),
    lambda: keras.layers.Dense(1, activity_regularizer="l2"),
    lambda: keras.layers.Dense(1, kernel_constraint="non_neg"),
    lambda: keras.layers.Dense(1, lora_rank=2),
    lambda: keras.optimizers.SGD(use_ema=True),
    lambda: keras.optimizers.SGD(gradient_accumulation_steps=2),
    lambda: keras.losses.SparseCategoricalCrossentropy(ignore_class=1)(
        np.array([0]), np.array([[0.5, 0.5]])
    ),
    lambda: keras.layers.Dense(1, dtype="mixed_float16"),
]


@pytest.mark.parametrize("call", REFUSED)
def test_arguments_that_are_not_honoured_are_refused(call):
    """An argument of Keras's that would change the result and is not there raises."""
    with pytest.raises(UnsupportedError):
        call()


def test_a_layer_without_its_base_says_so():
    """A subclass that forgets `super().__init__()` is told so, and one without `call` too."""

    class Forgetful(keras.layers.Layer):
        def __init__(self):
            self.units = 3

        def call(self, inputs):
            return inputs

    with pytest.raises(RuntimeError, match=r"you forgot to call `super\(\).__init__\(\)`"):
        Forgetful()(tf.ones([1]))
    with pytest.raises(NotImplementedError, match="does not have a `call` method"):
        keras.layers.Layer()(tf.ones([1]))


@pytest.mark.slow
def test_keras_and_random_are_imported_late():
    """`import symtape` alone imports neither."""
    code = (
        "import sys, symtape; late = {'symtape.keras', 'symtape.random'}; "
        "assert not late & sys.modules.keys(); symtape.keras.layers, symtape.random.normal; "
        "assert late <= sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - our own text


def test_a_normal_distribution_is_cut_off():
    """In `VarianceScaling`, "normal" is another word for "truncated_normal"."""
    found = [
        tf.keras.initializers.VarianceScaling(1.0, "fan_in", name, seed=3)([4, 5]).numpy()
        for name in ("normal", "truncated_normal")
    ]
    np.testing.assert_array_equal(*found)


def test_labels_are_smoothed_over_the_classes():
    """The classes are the last axis, whatever comes before: published in Keras' documentation."""
    true = np.eye(4, dtype="float32")[[[0, 1], [2, 3], [1, 1]]]
    values = np.full((3, 2, 4), 0.25, "float32")
    loss = tf.keras.losses.categorical_crossentropy(true, values, label_smoothing=0.4)
    np.testing.assert_allclose(loss.numpy(), np.log(4.0), rtol=1e-6)
    values[..., 0] = 0.7
    values[..., 1:] = 0.1
    loss = tf.keras.losses.categorical_crossentropy(
        true[:1, :1], values[:1, :1], label_smoothing=0.4
    )
    smooth = np.array([0.7, 0.1, 0.1, 0.1])  # 0.6 of the label, and 0.1 for each of four classes
    np.testing.assert_allclose(loss.numpy(), -np.sum(smooth * np.log(smooth)), rtol=1e-6)


def test_the_largest_rank_is_allowed():
    """`max_ndim` and `min_ndim` are the last ranks that an input may have."""
    spec = tf.keras.layers.InputSpec(max_ndim=3, min_ndim=2)
    assert spec.problem((1, 2, 3), "float32") is None
    assert spec.problem((1, 2), "float32") is None
    assert "max_ndim=3" in spec.problem((1, 2, 3, 4), "float32")
    assert "min_ndim=2" in spec.problem((1,), "float32")


@pytest.mark.parametrize("module", ["losses", "metrics", "optimizers", "initializers", "layers"])
def test_classes_are_called_what_they_are(module):
    """A class has the name by which it is found, as messages and representations show it."""
    found = getattr(tf.keras, module)
    classes = [name for name in found.__all__ if isinstance(getattr(found, name), type)]
    assert classes
    assert [n for n in classes if getattr(found, n).__name__ != n and not n.islower()] == []
