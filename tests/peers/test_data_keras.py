"""A seeded `fit` of Keras sees batches in TensorFlow's order, of arrays and of datasets."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]

PROGRAM = """\
import sys
if sys.argv[1] == "symtape":
    from symtape.stand_in import for_tensorflow
    for_tensorflow()
import json
import keras
import numpy as np
import tensorflow as tf
keras.utils.set_random_seed(3)
x = np.random.rand(100, 4).astype("float32")
y = 2 * x.sum(1, keepdims=True)
dense = keras.layers.Dense
model = keras.Sequential([dense(8, activation="tanh"), keras.layers.Dropout(0.1), dense(1)])
model.compile("sgd", "mse", run_eagerly=True)
losses = model.fit(x, y, epochs=2, batch_size=16, verbose=0).history["loss"]
data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(50).batch(20)
told = model.fit(data, epochs=2, verbose=0, validation_data=data.take(1)).history
order = [int(n) for n in tf.random.shuffle(tf.range(9))]
print(json.dumps([losses, told["loss"], told["val_loss"], order]))
"""


def losses(framework: str) -> list[list[float]]:
    """Run the program in a process of its own."""
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "KERAS_BACKEND": "tensorflow", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", PROGRAM, framework],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | quiet,
    )
    found: list[list[float]] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.slow
def test_a_seeded_fit_has_tensorflows_losses(tensorflow):
    """Orders of epochs, masks of dropout, and what is drawn afterwards are the same."""
    del tensorflow  # it is asked in a process of its own
    for ours, theirs in zip(losses("symtape"), losses("tensorflow"), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5)
