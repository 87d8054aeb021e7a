"""Keras on symtape trains embeddings, saves and restores, as on TensorFlow."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("tensorflow")
pytest.importorskip("keras")

TRAINED = """\
import json, tempfile
import tensorflow as tf, keras, numpy as np
keras.utils.set_random_seed(1)
layers = keras.layers
model = keras.Sequential([layers.Embedding(5, 3), layers.Flatten(), layers.Dense(2)])
x, y = np.array([[0, 1, 0], [2, 0, 4]]), np.array([0, 1])
optimizer = keras.optimizers.Adam(0.1)

def step():
    with tf.GradientTape() as tape:
        rows = keras.losses.sparse_categorical_crossentropy(y, model(x), from_logits=True)
        loss = tf.reduce_mean(rows)
    slopes = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(slopes, model.trainable_variables))
    return float(loss), isinstance(slopes[0], tf.IndexedSlices)

losses = [step() for _ in range(4)]
checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer)
with tempfile.TemporaryDirectory() as folder:
    path = checkpoint.save(folder + "/ckpt")
    keys = [name for name, _ in tf.train.list_variables(path)]
    further = [step() for _ in range(3)]
    checkpoint.restore(path).assert_existing_objects_matched()
again = [step() for _ in range(3)]
strategy = tf.distribute.MirroredStrategy(["/cpu:0"])
with strategy.scope():
    line = keras.Sequential([layers.Dense(1)])
    line.compile("adam", "mse")
found = line.fit(np.ones((4, 2)), np.ones((4, 1)), epochs=2, verbose=0).history["loss"]
print(json.dumps([losses, further, again == further, found, keys]))
"""


def ran(start: str) -> list[object]:
    """Run the training in a process of its own, and read what it prints last."""
    found = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", start + TRAINED],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    answer: list[object] = json.loads(found.stdout.splitlines()[-1])
    return answer


def test_keras_trains_and_restores_as_on_tensorflow():
    """Losses of an embedding whose rows repeat agree, and a restored model goes on as it did.

    A checkpoint has the keys that TensorFlow gives them.
    """
    here = ran("import symtape; symtape.stand_in.for_tensorflow()\n")
    there = ran("")
    assert here.pop() == there.pop()
    for one, other in zip(here, there, strict=True):
        np.testing.assert_allclose(np.array(one, float), np.array(other, float), rtol=2e-5)
    assert here[2] is True
