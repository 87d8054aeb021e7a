"""The cost of a tape: record and differentiate, first and again, small and large."""

from __future__ import annotations

import gc
import itertools
import os
import subprocess
import sys
import tempfile
import time
import tracemalloc
from typing import Any

import numpy as np

import symtape as st
from tests.benchmarks.harness import Work, compare, peer, report


def _tensorflow_like(tf: Any, steps: int) -> Work:
    x = tf.constant(0.7)
    if steps == 1:

        def once() -> Any:
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = x * x
            return tape.gradient(y, x)

        return once

    def work() -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(steps // 2):
                y = tf.sin(y) * x
        return tape.gradient(y, x)

    return work


def _torch(torch: Any, steps: int) -> Work:
    def work() -> Any:
        x = torch.tensor(0.7, requires_grad=True)
        y = x
        if steps == 1:
            y = x * x
        else:
            for _ in range(steps // 2):
                y = torch.sin(y) * x
        y.backward()
        return x.grad

    return work


def small_tapes() -> None:
    """Time 1, 20 and 200 scalar operations."""
    tf, torch = peer("tensorflow"), peer("torch")
    for steps in (1, 20, 200):
        compare(
            f"tape of {steps} scalar operations, recorded and differentiated",
            {
                "symtape": _tensorflow_like(st, steps),
                "TensorFlow eager": tf and _tensorflow_like(tf, steps),
                "PyTorch eager": torch and _torch(torch, steps),
            },
            limits={"TensorFlow eager": 1 / 20, "PyTorch eager": 1 / 2},
        )


def nested() -> None:
    """Time the second derivative of a scalar by nested tapes."""

    def of(tf: Any) -> Work:
        x = tf.constant(0.7)

        def work() -> Any:
            with tf.GradientTape() as outer:
                outer.watch(x)
                with tf.GradientTape() as inner:
                    inner.watch(x)
                    y = x * x * x
                first = inner.gradient(y, x)
            return outer.gradient(first, x)

        return work

    def of_torch(torch: Any) -> Work:
        def work() -> Any:
            x = torch.tensor(0.7, requires_grad=True)
            (first,) = torch.autograd.grad(x * x * x, x, create_graph=True)
            return torch.autograd.grad(first, x)[0]

        return work

    tf, torch = peer("tensorflow"), peer("torch")
    compare(
        "second derivative of a scalar by nested tapes",
        {
            "symtape": of(st),
            "TensorFlow eager": tf and of(tf),
            "PyTorch eager": torch and of_torch(torch),
        },
        limits={"PyTorch eager": 1 / 2},
    )


def new_structures() -> None:
    """Time tapes of 20 operations of which no two are alike."""

    def of_symtape() -> Work:
        numbers = itertools.count()
        x = st.constant(0.7)

        def work() -> Any:
            n = next(numbers)
            with st.GradientTape() as tape:
                tape.watch(x)
                y = x
                for bit in range(20):
                    y = st.sin(y) if n >> bit & 1 else y * x
            return tape.gradient(y, x)

        return work

    def of_autograd(autograd: Any) -> Work:
        numbers = itertools.count()
        sin = autograd.numpy.sin

        def work() -> Any:
            n = next(numbers)

            def f(x: Any) -> Any:
                y = x
                for bit in range(20):
                    y = sin(y) if n >> bit & 1 else y * x
                return y

            return autograd.grad(f)(0.7)

        return work

    autograd = peer("autograd")
    if autograd is not None:
        peer("autograd.numpy")
    compare(
        "tape of 20 operations in a new structure every time",
        {"symtape": of_symtape(), "HIPS autograd": autograd and of_autograd(autograd)},
        limits={"HIPS autograd": 1.0},
    )


def large_tapes() -> None:
    """Time the first record and derivation of large tapes, their growth, and HIPS autograd."""
    x = st.constant(0.7, dtype=st.float64)

    def once(steps: int) -> Any:
        st.cache_clear()
        with st.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(steps // 2):
                y = st.sin(y) * x
        return tape.gradient(y, x)

    sizes = (100, 1_000, 10_000, 100_000)
    seconds = {n: min(_seconds(lambda n=n: once(n)) for _ in range(3)) for n in sizes}
    print("first record and derivation of n scalar operations")
    for n, s in seconds.items():
        print(f"  {n:>7} operations {s * 1e3:10.2f} ms")
    report("  100,000 operations", seconds[100_000], "s", 3.0)
    growth = float(np.polyfit(np.log(sizes), np.log([*seconds.values()]), 1)[0])
    report("  growth exponent from 100 to 100,000", growth, "", 1.1)
    autograd = peer("autograd")
    if autograd is None:
        print("  HIPS autograd           not installed")
        return
    sin = peer("autograd.numpy").sin

    def f(x: Any) -> Any:
        y = x
        for _ in range(50_000):
            y = sin(y) * x
        return y

    np.testing.assert_allclose(once(100_000).numpy(), autograd.grad(f)(0.7), rtol=1e-9)
    pairs = [(_seconds(lambda: once(100_000)), _seconds(lambda: autograd.grad(f)(0.7)))
             for _ in range(3)]  # fmt: skip
    own, other = (min(times) for times in zip(*pairs, strict=True))
    report("  100,000 operations, over HIPS autograd", own / other, "times", 1.0)


def _seconds(work: Work) -> float:
    gc.collect()
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def layers() -> None:
    """Time fifty layers of e = tanh(e)*e + e: both derivatives, compiled, and in steps."""

    def derived() -> tuple[Any, Any]:
        st.cache_clear()
        x = st.constant(0.1, dtype=st.float64)
        with st.GradientTape() as outer:
            outer.watch(x)
            with st.GradientTape() as inner:
                inner.watch(x)
                e = x
                for _ in range(50):
                    e = st.tanh(e) * e + e
            first = inner.gradient(e, x)
        return first, outer.gradient(first, x)

    def compiled() -> list[Any]:
        return list(st.lambdify(derived())(0.1))

    casadi = peer("casadi")
    compare(
        "50 layers, both derivatives, derived, compiled and called once",
        {"symtape": compiled, "CasADi": casadi and (lambda: _layers_by_casadi(casadi))},
        limits={"CasADi": 5},
        tolerance=1e-9,
    )
    text = []
    took = _seconds(lambda: text.append(derived()[1].latex("steps")))
    report("  both derivatives and steps", took, "s", 1.0)
    assert len(text[0]) > 1000
    first, _ = derived()
    start = time.perf_counter()
    try:
        _ = first.expr
    except st.ExpansionError:
        report("  its refusal to be expanded", time.perf_counter() - start, "s", 1.0)


def _layers_by_casadi(casadi: Any) -> list[Any]:
    x = e = casadi.SX.sym("x")
    for _ in range(50):
        e = casadi.tanh(e) * e + e
    second, first = casadi.hessian(e, x)
    return [float(f) for f in casadi.Function("derivatives", [x], [first, second])(0.1)]


def memory() -> None:
    """Measure what a training loop that keeps every loss grows by, and the size of a large tape."""
    rng = np.random.default_rng(0)
    sizes = [(10, 32), (32, 32), (32, 1)]
    weights = [st.Variable(rng.normal(size=s).astype(np.float32) * 0.1) for s in sizes]
    biases = [st.Variable(np.zeros(s[1], np.float32)) for s in sizes]
    inputs = rng.normal(size=(8, 10)).astype(np.float32)
    kept = []

    def step() -> None:
        x = st.constant(inputs)
        with st.GradientTape() as tape:
            h = x
            for w, b in zip(weights, biases, strict=True):
                h = st.tanh(h @ w + b)
            loss = st.reduce_mean(st.square(h - 1.0))
        for v, g in zip(weights + biases, tape.gradient(loss, weights + biases), strict=True):
            v.assign_sub(0.01 * g)
        kept.append(loss)

    for _ in range(100):
        step()
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(10_000):
        step()
    gc.collect()
    grown = (tracemalloc.get_traced_memory()[0] - before) / 10_000
    tracemalloc.stop()
    report("training steps that keep every loss", grown, "bytes a step", 1024)
    tracemalloc.start()
    v = st.constant(0.7)
    before = tracemalloc.get_traced_memory()[0]
    tape = st.GradientTape()
    with tape:
        tape.watch(v)
        y = v
        for _ in range(50_000):
            y = st.sin(y) * v
    report(
        "a tape of 100,000 operations",
        (tracemalloc.get_traced_memory()[0] - before) / 100_000,
        "bytes an operation",
        1229,
    )
    tracemalloc.stop()


FIRST = """
import symtape as tf
x = tf.Variable(2.0)
with tf.GradientTape() as tape:
    y = tf.sin(x) * x
tape.gradient(y, x)
"""


def imports() -> None:
    """Time `import symtape` and a first gradient beside `import sympy`, in fresh processes."""
    # as installed, with its byte code compiled
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}

    def seconds(code: str) -> float:
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True, env=environment)  # noqa: S603 - our own code
        return time.perf_counter() - start

    codes = ("pass", "import sympy", "import sympy, numpy", "import symtape", FIRST)
    best = dict.fromkeys(codes, float("inf"))
    with tempfile.TemporaryDirectory() as folder:
        environment["PYTHONPYCACHEPREFIX"] = folder
        for _ in range(25):
            for code in codes:
                best[code] = min(best[code], seconds(code))
    nothing, alone, base, own, first = (best[code] for code in codes)
    per = alone - nothing
    report("import symtape, over import sympy", (own - nothing) / per, "times", 1.5)
    report("and a first gradient, beyond sympy and numpy", (first - base) * 1e3, "ms", 150)
    report(
        "and a first gradient, over import sympy", (first - nothing) / (alone - nothing), "times", 2
    )


# Those without peers come first, in a process that has imported none.
TABLES = (layers, memory, imports, small_tapes, nested, new_structures, large_tapes)
