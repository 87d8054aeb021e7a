"""Training steps under a tape, and the same compiled: against eager frameworks and by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

import symtape as st
from tests.benchmarks import problems
from tests.benchmarks.harness import Work, compare, peer

ROWS = (1, 64)


def _tape(tf: Any, p: Any, x: Any, y: Any) -> Work:
    variables = [tf.Variable(a) for a in p]
    inputs, targets = tf.constant(x), tf.constant(y)

    def step() -> list[Any]:
        with tf.GradientTape() as tape:
            loss = problems.network_loss(tf, variables, inputs, targets)
        return [loss, *tape.gradient(loss, variables)]

    return step


def _torch(torch: Any, p: Any, x: Any, y: Any) -> Work:
    torch.set_num_threads(1)
    variables = [torch.tensor(a, requires_grad=True) for a in p]
    inputs, targets = torch.tensor(x), torch.tensor(y)

    def step() -> list[Any]:
        hidden = torch.tanh(inputs @ variables[0] + variables[1])
        hidden = torch.tanh(hidden @ variables[2] + variables[3])
        loss = ((hidden @ variables[4] + variables[5] - targets) ** 2).mean()
        return [loss.detach(), *torch.autograd.grad(loss, variables)]

    return step


def networks() -> None:
    """Time steps of a small network under a tape."""
    tensorflow, torch = peer("tensorflow"), peer("torch")
    for rows in ROWS:
        p, x, y = problems.network(rows)
        compare(
            f"loss and gradients of a 10-32-32-1 network under a tape, {rows} rows",
            {
                "symtape": _tape(st, p, x, y),
                "TensorFlow eager": tensorflow and _tape(tensorflow, p, x, y),
                "PyTorch eager": torch and _torch(torch, p, x, y),
            },
            limits={"TensorFlow eager": 1 / 8, "PyTorch eager": 1.0},
        )


def compiled_networks() -> None:
    """Time the same loss and gradients, compiled."""
    jax = peer("jax")
    for rows in ROWS:
        p, x, y = problems.network(rows)
        function = st.value_and_grad(lambda q, x, y: problems.network_loss(st, q, x, y))

        def own(function: Any = function, p: Any = p, x: Any = x, y: Any = y) -> list[Any]:
            loss, slopes = function(p, x, y)
            return [loss, *slopes]

        compare(
            f"loss and gradients of a 10-32-32-1 network, compiled, {rows} rows",
            {
                "symtape": own,
                "by hand": lambda p=p, x=x, y=y: problems.network_slopes(p, x, y),
                "JAX jit": jax and _jax(jax, p, x, y),
            },
            limits={"by hand": 1.1},
        )


def _jax(jax: Any, p: Any, x: Any, y: Any) -> Work:
    class Words:
        tanh, reduce_mean = staticmethod(jax.numpy.tanh), staticmethod(jax.numpy.mean)

    function = jax.jit(jax.value_and_grad(lambda q: problems.network_loss(Words, q, x, y)))
    parameters = [jax.numpy.asarray(a) for a in p]

    def step() -> list[Any]:
        loss, slopes = function(parameters)
        return [loss.block_until_ready(), *slopes]

    return step


def logistic_steps() -> None:
    """Time steps of logistic regression under a tape."""
    rng = np.random.default_rng(0)
    features = rng.normal(size=(1000, 100)).astype(np.float32)
    labels = (rng.random(1000) > 0.5).astype(np.float32)
    tensorflow, torch = peer("tensorflow"), peer("torch")

    def of_tape(tf: Any) -> Work:
        w = tf.Variable(np.zeros(100, np.float32))
        x, y = tf.constant(features), tf.constant(labels)

        def step() -> list[Any]:
            with tf.GradientTape() as tape:
                z = tf.linalg.matvec(x, w)
                loss = tf.reduce_mean(tf.math.softplus(z) - y * z)
            return [loss, tape.gradient(loss, w)]

        return step

    def of_torch(torch: Any) -> Work:
        w = torch.zeros(100, requires_grad=True)
        x, y = torch.tensor(features), torch.tensor(labels)

        def step() -> list[Any]:
            z = x @ w
            loss = (torch.nn.functional.softplus(z) - y * z).mean()
            return [loss.detach(), *torch.autograd.grad(loss, w)]

        return step

    compare(
        "loss and gradient of a logistic regression 1000 by 100 under a tape",
        {
            "symtape": of_tape(st),
            "TensorFlow eager": tensorflow and of_tape(tensorflow),
            "PyTorch eager": torch and of_torch(torch),
        },
        limits={"TensorFlow eager": 1 / 8, "PyTorch eager": 1.0},
    )


TABLES = (networks, compiled_networks, logistic_steps)
