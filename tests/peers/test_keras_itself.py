"""Keras itself on symtape: what its page says, and the numbers that it has on TensorFlow."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
TAKEN = "import symtape\nsymtape.stand_in.for_tensorflow()\n"


def printed(code: str) -> str:
    """Run code in a process of its own, and give what it prints."""
    found = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3"},
    )
    assert found.returncode == 0, found.stderr[-3000:]
    return found.stdout


def test_the_page_shows_what_happens():
    """The example of docs/keras.md prints what the page says."""
    page = (ROOT / "docs" / "keras.md").read_text("utf-8")
    code, output = re.search(r"```py\n(.*?)```\n\n```text\n(.*?)```", page, re.DOTALL).groups()
    assert printed(code) == output


def test_functions_of_keras_are_themselves():
    """What a layer holds is what `tf.keras` has, also after `import tensorflow.keras.…`."""
    code = """
import tensorflow as tf
from tensorflow.keras.models import clone_model

model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Activation("relu")])
held = [m.layers[-1].activation for m in (model, clone_model(model))]
print([a is tf.keras.activations.relu for a in held], tf.nn.relu is tf.nn.relu)
"""
    assert printed(TAKEN + code) == "[True, True] True\n"


WATCHED = """
import keras
import tensorflow as tf

v = keras.Variable([1.0, 2.0], trainable=False)
with tf.GradientTape() as tape:
    for given in (v, [v]):
        try:
            tape.watch(given)
        except ValueError as error:
            print(str(error)[:47])
    tape.watch(v.value)
    y = v * v
print(tape.gradient(y, v).numpy())
"""


def test_a_variable_of_keras_is_watched_by_its_value():
    """A tape takes no variable of Keras' itself, as TensorFlow's does not."""
    found = printed(TAKEN + WATCHED)
    assert found == printed(WATCHED)
    assert found.count("Passed in object <Variable path=") == 2


NESTED = """
import tensorflow as tf


class Linear(tf.keras.layers.Layer):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def build(self, shape):
        self.w = tf.Variable(tf.random.normal([shape[-1], self.size]) * 0.5)

    def call(self, x):
        return x @ self.w


class Two(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.first, self.second = Linear(3), Linear(2)

    def call(self, x):
        return self.second(self.first(x))


tf.random.set_seed(0)
print(Two()(tf.ones([1, 3])).numpy(), tf.random.normal([2]).numpy())
"""


def test_layers_within_a_model_draw_what_they_draw_with_tensorflow():
    """A layer that makes its weights of random numbers is built when its model is called."""
    assert printed(TAKEN + NESTED) == printed(NESTED)


TRAINING = """\
import json
import keras
import numpy as np
import tensorflow as tf

layers = keras.layers
rng = np.random.default_rng(0)


def attending():
    x = keras.Input((6, 8))
    seen = layers.LayerNormalization()(x + layers.MultiHeadAttention(2, 4)(x, x))
    return keras.Model(x, layers.Dense(3)(layers.GlobalAveragePooling1D()(seen)))


MODELS = {
    "dense": (lambda: keras.Sequential([keras.Input((5,)), layers.Dense(8, activation="relu"),
                                        layers.BatchNormalization(), layers.Dense(3)]), (5,)),
    "convolution": (lambda: keras.Sequential([keras.Input((8, 8, 2)), layers.Conv2D(4, 3),
                                              layers.MaxPooling2D(2), layers.Flatten(),
                                              layers.Dense(3)]), (8, 8, 2)),
    "recurrent": (lambda: keras.Sequential([keras.Input((6, 4)), layers.LSTM(5),
                                            layers.Dense(3)]), (6, 4)),
    "attention": (attending, (6, 8)),
}
told = {}
for name, (make, shape) in MODELS.items():
    model = make()
    model.set_weights([rng.normal(size=w.shape) * 0.3 for w in model.get_weights()])
    features = rng.normal(size=(24, *shape)).astype("float32")
    labels = rng.integers(3, size=24)
    rate = keras.optimizers.schedules.ExponentialDecay(0.01, 2, 0.9)
    model.compile(
        keras.optimizers.Adam(rate, clipnorm=1.0),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
        run_eagerly=True,
    )
    history = model.fit(features, labels, batch_size=8, epochs=3, shuffle=False, verbose=0,
                        validation_split=0.25).history
    told[name] = [*history["loss"], *history["val_loss"], *history["accuracy"],
                  *model.evaluate(features, labels, verbose=0),
                  *model.predict(features, verbose=0).ravel().tolist()]
print(json.dumps(told))
"""


def test_training_has_tensorflows_numbers():
    """Losses, metrics and predictions after some epochs are those of Keras on TensorFlow."""
    there, here = json.loads(printed(TRAINING)), json.loads(printed(TAKEN + TRAINING))
    assert there.keys() == here.keys()
    for name, numbers in there.items():
        np.testing.assert_allclose(here[name], numbers, rtol=2e-3, atol=2e-4, err_msg=name)


SHAPES = """\
import keras
import tensorflow as tf

x = keras.Input((None, 3))
told = [
    keras.layers.Lambda(lambda t: tf.reduce_mean(t, 1))(x).shape,
    keras.layers.Lambda(lambda t: tf.concat([t, t[:, ::2]], 1))(x).shape,
    keras.layers.Lambda(lambda t: tf.reshape(t, [tf.shape(t)[0], -1, 1]))(x).shape,
]
n = keras.Input((4,), dtype="int32")
told += [
    keras.layers.Lambda(function, dtype="int32")(n).shape
    for function in (
        lambda t: tf.zeros([t[0, 0], 2]),
        lambda t: tf.fill([tf.shape(t)[0], t[0, 0]], 1),
        lambda t: tf.sequence_mask(t[:, 0]),
        lambda t: tf.sequence_mask(t, 5),
        lambda t: tf.repeat(t, t[:, 0], axis=0),
        lambda t: t[:, : t[0, 0]],
        lambda t: t[:1],
        lambda t: tf.boolean_mask(t, t > 0),
        lambda t: tf.pad(t, [[0, 0], [0, t[0, 0]]]),
        lambda t: tf.cond(t[0, 0] > 0, lambda: t, lambda: t[:, :2]),
    )
]
print(told)
"""


def test_shapes_of_functions_are_known_before_sizes_are():
    """Layers of one's own have TensorFlow's shapes, and none of what integers decide."""
    assert printed(TAKEN + SHAPES) == printed(SHAPES)


GIVEN = """\
import keras, numpy as np
import tensorflow as tf
from keras.src.trainers.data_adapters.data_adapter_utils import is_tensorflow_tensor

x, words = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), tf.constant([["a b"], ["c"], ["d"]])
some = [x, words, tf.Variable(x), keras.Variable(x), tf.ragged.constant([[1]]), x.numpy(), [x]]
print([is_tensorflow_tensor(value) for value in some])
layer = keras.layers.TextVectorization(output_sequence_length=2, vocabulary=["a", "b", "c"])
print(keras.Sequential([keras.Input((1,), dtype="string"), layer]).predict(words, verbose=0))
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1, kernel_initializer="ones")])
model.compile("sgd", "mse")
for given in (x, tf.sparse.from_dense(x), tf.Variable(x)):
    print(model.fit(given, x[:, :1], batch_size=2, shuffle=False, verbose=0).history)
"""


def test_tensors_are_taken_for_tensors():
    """What is given to `fit` and `predict` may be tensors, of texts too, as on TensorFlow."""
    assert printed(TAKEN + GIVEN) == printed(GIVEN)


WEIGHTS = """\
import keras, numpy as np
model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(3), keras.layers.Dense(2)])
"""


def test_weights_travel_between_both(tmp_path):
    """A model that was saved on TensorFlow is loaded on symtape, and gives the same."""
    file = tmp_path / "model.keras"
    saved = f"{WEIGHTS}model.save({str(file)!r})\nprint(model(np.ones((1, 4))).numpy().tolist())"
    loaded = (
        f"{TAKEN}import keras, numpy as np\nmodel = keras.models.load_model({str(file)!r})\n"
        "print(model(np.ones((1, 4))).numpy().tolist())"
    )
    there, here = json.loads(printed(saved)), json.loads(printed(loaded))
    np.testing.assert_allclose(here, there, rtol=1e-5)


RESTORED = """
import tempfile
from pathlib import Path

import tensorflow as tf

layers = tf.keras.layers
MADE = [
    (lambda: layers.Dense(2), (1, 3)),
    (layers.BatchNormalization, (1, 3)),
    (lambda: layers.LSTM(2), (1, 2, 2)),
    (lambda: layers.Embedding(3, 2), (1, 1)),
    (lambda: tf.keras.Sequential([layers.Dense(2), layers.Dense(2)]), (1, 3)),
    (lambda: tf.keras.Sequential([tf.keras.Input((3,)), layers.Dense(2)]), (1, 3)),
]
for make, shape in MADE:
    for builds in (True, False):
        saved = make()
        saved(tf.ones(shape))
        for k, weight in enumerate(saved.weights):
            weight.assign(tf.ones_like(weight) * (k + 5.0))
        path = tf.train.Checkpoint(net=saved).write(str(Path(tempfile.mkdtemp(), "file")))
        net = make()
        tf.train.Checkpoint(net=net).read(path)
        net.build(shape) if builds and not net.built else net(tf.ones(shape))
        print([float(tf.reduce_mean(weight.value)) for weight in net.weights])
"""


def test_a_checkpoint_waits_for_layers_that_are_not_built():
    """A layer or a sequence that is built after it was restored has the values of the file."""
    assert printed(TAKEN + RESTORED) == printed(RESTORED)


OWN = """
import tempfile

import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = tf.keras.layers.Dense(2)

    def call(self, x):
        return self.inner(x)


def trained(net, optimizer):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((net(tf.ones([1, 3])) - 4.0) ** 2)
    slopes = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(slopes, net.trainable_variables))


def fresh():
    net, optimizer = Net(), tf.keras.optimizers.Adam(0.1)
    return net, optimizer, tf.train.Checkpoint(net=net, optimizer=optimizer)


net, optimizer, checkpoint = fresh()
trained(net, optimizer)
path = checkpoint.save(tempfile.mkdtemp() + "/file")
other, twin, again = fresh()
status = again.restore(path)
trained(net, optimizer), trained(other, twin)
status.assert_consumed()
for own, new in zip(net.weights + optimizer.variables, other.weights + twin.variables):
    assert bool(tf.reduce_all(own == new)), own
"""


def test_training_goes_on_where_it_was_saved():
    """A model of one's own and its optimizer, neither of them built, take all that was saved.

    TensorFlow leaves their first values to kernels and to what the optimizer remembers.
    """
    printed(TAKEN + OWN)
