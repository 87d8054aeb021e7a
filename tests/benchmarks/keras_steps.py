"""A training step of networks that Keras builds: on symtape, and on TensorFlow run eagerly.

A process has one TensorFlow, so each contender is a process; they take turns. The step is forward,
loss, gradient and the update by Adam, with `run_eagerly=True` on both sides, of the same weights
and data; the losses of the first steps must agree.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.benchmarks.harness import human

ROUNDS = 7


def _dense(keras: Any) -> tuple[Any, Any, Any]:
    layers = keras.layers
    model = keras.Sequential(
        [
            keras.Input((20,)),
            layers.Dense(64, activation="relu"),
            layers.Dense(64, activation="relu"),
            layers.Dense(10),
        ]
    )
    return model, (32, 20), 10


def _lenet(keras: Any) -> tuple[Any, Any, Any]:
    layers = keras.layers
    model = keras.Sequential(
        [
            keras.Input((28, 28, 1)),
            layers.Conv2D(6, 5, padding="same", activation="tanh"),
            layers.AveragePooling2D(2),
            layers.Conv2D(16, 5, activation="tanh"),
            layers.AveragePooling2D(2),
            layers.Flatten(),
            layers.Dense(120, activation="tanh"),
            layers.Dense(84, activation="tanh"),
            layers.Dense(10),
        ]
    )
    return model, (32, 28, 28, 1), 10


def _lstm(keras: Any) -> tuple[Any, Any, Any]:
    layers = keras.layers
    model = keras.Sequential([keras.Input((20, 16)), layers.LSTM(32), layers.Dense(10)])
    return model, (32, 20, 16), 10


def _transformer(keras: Any) -> tuple[Any, Any, Any]:
    layers = keras.layers
    x = keras.Input((20, 32))
    seen = layers.LayerNormalization()(x + layers.MultiHeadAttention(4, 8)(x, x))
    wide = layers.Dense(32)(layers.Dense(64, activation="gelu")(seen))
    pooled = layers.GlobalAveragePooling1D()(layers.LayerNormalization()(seen + wide))
    return keras.Model(x, layers.Dense(10)(pooled)), (16, 20, 32), 10


NETWORKS: dict[str, Callable[[Any], tuple[Any, Any, Any]]] = {
    "a dense network of 20-64-64-10, 32 rows": _dense,
    "LeNet, 32 images of 28 by 28": _lenet,
    "an LSTM of 32 units, 20 steps, 32 rows": _lstm,
    "a transformer block of 32, 20 places, 16 rows": _transformer,
}


def keras_steps() -> None:
    """Time a training step of each network, in both processes in turns."""
    for title in NETWORKS:
        workers = {name: _worker(name, title) for name in ("symtape", "tensorflow")}
        first = {name: _asked(w, "losses") for name, w in workers.items()}
        np.testing.assert_allclose(first["symtape"], first["tensorflow"], rtol=1e-3)
        best = dict.fromkeys(workers, np.inf)
        for _ in range(ROUNDS):
            for name, worker in workers.items():
                best[name] = min(best[name], _asked(worker, "time"))
        for worker in workers.values():
            assert worker.stdin is not None
            worker.stdin.close()
            worker.wait()
        ratio = best["symtape"] / best["tensorflow"]
        print(f"a step by Keras of {title}")
        print(f"  {'symtape':<18}{human(best['symtape']):>14}")
        print(f"  {'TensorFlow eager':<18}{human(best['tensorflow']):>14}  ratio {ratio:7.2f}")


def _worker(engine: str, title: str) -> subprocess.Popen[str]:
    return subprocess.Popen(  # noqa: S603 - our own module
        [sys.executable, "-m", "tests.benchmarks.keras_steps", engine, title],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def _asked(worker: subprocess.Popen[str], what: str) -> Any:
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(what + "\n")
    worker.stdin.flush()
    return json.loads(worker.stdout.readline())


def _serve(engine: str, title: str) -> None:
    """Train one network, as many steps as are asked for."""
    if engine == "symtape":
        import symtape  # noqa: PLC0415 - TensorFlow's process has none of it

        symtape.stand_in.for_tensorflow()
    import keras  # noqa: PLC0415 - after who answers `import tensorflow`

    rng = np.random.default_rng(0)
    model, shape, classes = NETWORKS[title](keras)
    features = rng.normal(size=shape).astype(np.float32)
    labels = rng.integers(classes, size=shape[0])
    model.set_weights([0.2 * rng.normal(size=w.shape) for w in model.get_weights()])
    model.compile(
        keras.optimizers.Adam(1e-3),
        keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        run_eagerly=True,
    )

    def step() -> float:
        return float(model.train_on_batch(features, labels))

    for line in sys.stdin:
        if line.strip() == "losses":
            answer: Any = [step() for _ in range(5)]
        else:
            answer = _timed(step)
        print(json.dumps(answer), flush=True)


def _timed(step: Callable[[], float], seconds: float = 0.3) -> float:
    """Give the time of a step: the best of some."""
    best, end = np.inf, time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        step()
        best = min(best, time.perf_counter() - start)
    return float(best)


TABLES = (keras_steps,)

if __name__ == "__main__":
    _serve(sys.argv[1], sys.argv[2])
