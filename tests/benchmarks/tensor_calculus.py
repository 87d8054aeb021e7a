"""Jacobians, Hessians and their products: derived once and evaluated many times.

Every contender computes in float64 on one thread, and is compiled before it is timed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import symtape as st
from tests.benchmarks.harness import Work, agree, best_times, compare, human, peer, report


def _jax() -> Any:
    jax = peer("jax")
    if jax is not None:
        jax.config.update("jax_enable_x64", True)
    return jax


def _torch() -> Any:
    torch = peer("torch")
    if torch is not None:
        torch.set_num_threads(1)
    return torch


def _jitted(f: Callable[..., Any], *args: Any) -> Work:
    """Compile for JAX, whose arrays are its own; the result is waited for."""
    jax = _jax()
    compiled = jax.jit(f)
    own = [jax.numpy.asarray(a) for a in args]
    return lambda: compiled(*own).block_until_ready()


def _ours(f: Callable[..., Any], *args: Any) -> Work:
    """Call a function of ours; it is traced, derived and compiled before it is timed."""
    for _ in range(3):
        f(*args)
    return lambda: f(*args)


# --- Hessians -------------------------------------------------------------------------------------


def hessians() -> None:
    """Time Hessians of logistic regression, of matrix factorisation and of a quadratic form."""
    for n in (100, 300, 600):
        _logistic(n)
    for n in (100, 200, 300):
        _factorisation(n, 5)
    _quadratic(1000)


def _logistic(n: int) -> None:
    rng = np.random.default_rng(n)
    x, w = rng.normal(size=(2 * n, n)), rng.normal(size=n) / n
    y = np.sign(rng.normal(size=2 * n))
    jax, torch = _jax(), _torch()

    def ours(w: Any, x: Any, y: Any) -> Any:
        return st.reduce_sum(st.math.softplus(-y * st.linalg.matvec(x, w)))

    def by_hand() -> Any:
        p = 1 / (1 + np.exp(-y * (x @ w)))
        return x.T @ ((p * (1 - p))[:, None] * x)

    def of_torch() -> Work:
        data, labels, point = (torch.from_numpy(a) for a in (x, y, w))

        def f(w: Any) -> Any:
            return torch.nn.functional.softplus(-labels * (data @ w)).sum()

        hessian = torch.func.hessian(f)
        return lambda: hessian(point)

    def of_jax(w: Any) -> Any:
        return jax.nn.softplus(-y * (x @ w)).sum()

    compare(
        f"Hessian of logistic regression, n = {n}, m = {2 * n}",
        {
            "symtape": _ours(st.hessian(ours), w, x, y),
            "NumPy by hand": by_hand,
            "jax.jit(jax.hessian)": jax and _jitted(jax.hessian(of_jax), w),
            "torch.func.hessian": torch and of_torch(),
        },
        limits={"NumPy by hand": 1.1},
        tolerance=1e-9,
        rounds=7,
    )


def _factorisation(n: int, k: int) -> None:
    rng = np.random.default_rng(n)
    u, v, r = rng.normal(size=(n, k)), rng.normal(size=(n, k)), rng.normal(size=(n, n))
    jax = _jax()

    def ours(u: Any, v: Any, r: Any) -> Any:
        return st.reduce_sum(st.square(st.matmul(u, v, transpose_b=True) - r))

    def by_hand() -> Any:
        found = np.zeros((n, k, n, k))
        places = np.arange(n)
        found[places, :, places, :] = 2 * (v.T @ v)
        return found

    second = st.hessian(ours)
    core = second.formula(u, v, r).structure.core.lambdify(args=["v"])
    compare(
        f"Hessian of |UVᵀ - R|² by U, n = {n}, k = {k}",
        {
            "symtape": _ours(second, u, v, r),
            "NumPy by hand": by_hand,
            "jax.jit(jax.hessian)": jax
            and _jitted(jax.hessian(lambda u, v, r: ((u @ v.T - r) ** 2).sum()), u, v, r),
        },
        limits={"NumPy by hand": 1.5, "jax.jit(jax.hessian)": 1 / 300 if n == 300 else 1},
        tolerance=1e-9,
        rounds=5,
    )
    compare(
        "  its core alone",
        {"symtape": _ours(core, v), "NumPy by hand": lambda: 2 * (v.T @ v)},
        tolerance=1e-9,
    )


def _quadratic(n: int) -> None:
    rng = np.random.default_rng(n)
    a, x = rng.normal(size=(n, n)), rng.normal(size=n)
    jax = _jax()

    def ours(x: Any, a: Any) -> Any:
        return 0.5 * st.reduce_sum(x * st.linalg.matvec(a, x))

    compare(
        f"Hessian of xᵀAx/2, n = {n}",
        {
            "symtape": _ours(st.hessian(ours), x, a),
            "NumPy by hand": lambda: 0.5 * (a + a.T),
            "jax.jit(jax.hessian)": jax
            and _jitted(jax.hessian(lambda x, a: 0.5 * (x @ (a @ x))), x, a),
        },
        limits={"NumPy by hand": 1.2, "jax.jit(jax.hessian)": 1 / 40},
        tolerance=1e-9,
        rounds=5,
    )


# --- Jacobians ------------------------------------------------------------------------------------


def jacobians() -> None:
    """Time Jacobians of an elementwise function, of softmax, of logsumexp's gradient, of rows."""
    _elementwise(2000)
    _softmax(1000)
    for n in (64, 256, 1024):
        _logsumexp(n)
    _batch(256)


def _elementwise(n: int) -> None:
    x = np.random.default_rng(n).normal(size=n)
    v = np.cos(x)
    jax = _jax()

    def f(x: Any) -> Any:
        return st.sin(x) * x

    first = st.jacobian(f)
    compare(
        f"Jacobian of sin(x)·x, n = {n}",
        {
            "symtape": _ours(first, x),
            "NumPy by hand": lambda: np.diag(np.cos(x) * x + np.sin(x)),
            "jax.jit(jax.jacrev)": jax and _jitted(jax.jacrev(lambda x: jax.numpy.sin(x) * x), x),
        },
        limits={"NumPy by hand": 1.2, "jax.jit(jax.jacrev)": 1 / 40},
        tolerance=1e-9,
        rounds=5,
    )
    operator = _operator(first.formula(x))
    compare(
        "  its product with a vector",
        {
            "symtape, jvp": _ours(lambda: st.jvp(f, (x,), (v,))[1]),
            "symtape, operator": operator and _ours(lambda: operator @ v),
            "NumPy by hand": lambda: (np.cos(x) * x + np.sin(x)) * v,
        },
        tolerance=1e-9,
    )


def _operator(tensor: Any) -> Any:
    """Give the SciPy operator of a derivative, where SciPy is installed."""
    return tensor.structure.as_linear_operator() if peer("scipy") is not None else None


def _softmax(n: int) -> None:
    x = np.random.default_rng(n).normal(size=n)
    v = np.cos(x)
    jax = _jax()

    def by_hand() -> Any:
        e = np.exp(x - x.max())
        p = e / e.sum()
        found = -np.outer(p, p)
        found.reshape(-1)[:: n + 1] += p
        return found

    def product() -> Any:
        e = np.exp(x - x.max())
        p = e / e.sum()
        return p * v - p * (p @ v)

    first = st.jacobian(st.nn.softmax)
    compare(
        f"Jacobian of softmax, N = {n}",
        {
            "symtape": _ours(first, x),
            "NumPy by hand": by_hand,
            "jax.jit(jax.jacrev)": jax and _jitted(jax.jacrev(jax.nn.softmax), x),
        },
        limits={"NumPy by hand": 1.1},
        tolerance=1e-9,
    )
    compare(
        "  its product with a vector",
        {"symtape, jvp": _ours(lambda: st.jvp(st.nn.softmax, (x,), (v,))[1]),
         "NumPy by hand": product},
        tolerance=1e-9,
    )  # fmt: skip


def _logsumexp(n: int) -> None:
    x = np.random.default_rng(n).normal(size=n)
    jax = _jax()

    def by_hand() -> Any:
        e = np.exp(x - x.max())
        p = e / e.sum()
        found = -np.outer(p, p)
        found.reshape(-1)[:: n + 1] += p
        return found

    compare(
        f"Hessian of logsumexp, N = {n}",
        {
            "symtape": _ours(st.hessian(st.reduce_logsumexp), x),
            "NumPy by hand": by_hand,
            "jax.jit(jax.hessian)": jax and _jitted(jax.hessian(jax.scipy.special.logsumexp), x),
        },
        limits={"NumPy by hand": 1.1},
        tolerance=1e-9,
    )


def _batch(rows: int) -> None:
    rng = np.random.default_rng(rows)
    first, second = rng.normal(size=(16, 32)) / 4, rng.normal(size=(32, 16)) / 4
    x = rng.normal(size=(rows, 16))
    tensor = st.constant(x)
    with st.GradientTape() as tape:
        tape.watch(tensor)
        y = st.tanh(st.tanh(tensor @ first) @ second)
    found = tape.batch_jacobian(y, tensor).lambdify()

    def by_hand() -> Any:
        hidden = np.tanh(x @ first)
        outer = 1 - np.tanh(hidden @ second) ** 2
        inner = (1 - hidden**2)[:, None, :] * second.T[None]
        return outer[:, :, None] * (inner @ first.T)

    def of_jax() -> Work:
        jax = _jax()

        def f(x: Any) -> Any:
            return jax.numpy.tanh(jax.numpy.tanh(x @ first) @ second)

        return _jitted(jax.vmap(jax.jacrev(f)), x)

    def of_tensorflow() -> Work:
        tf = peer("tensorflow")
        source = tf.constant(x)

        def work() -> Any:
            with tf.GradientTape() as tape:
                tape.watch(source)
                y = tf.tanh(tf.tanh(source @ first) @ second)
            return tape.batch_jacobian(y, source)

        return work

    compare(
        f"batch_jacobian of {rows} rows of a 16-32-16 tanh network",
        {
            "symtape": _ours(found, x),
            "NumPy by hand": by_hand,
            "jax.jit(jax.vmap(jacrev))": peer("jax") and of_jax(),
            "TensorFlow batch_jacobian": peer("tensorflow") and of_tensorflow(),
        },
        limits={"NumPy by hand": 1.2, "TensorFlow batch_jacobian": 1 / 200},
        tolerance=1e-9,
        rounds=5,
    )


# --- products and costs ---------------------------------------------------------------------------


def products() -> None:
    """Measure how products with vectors grow with the size, beside those by hand: none is a matrix.

    Where caches end, everything grows faster than the size; so growth is that of the ratio.
    """
    rng = np.random.default_rng(0)
    cases: Mapping[str, tuple[Callable[[Any, Any], Any], Callable[[Any, Any], Any]]] = {
        "jvp of softmax": (lambda x, v: st.jvp(st.nn.softmax, (x,), (v,))[1], _softmax_product),
        "vjp of softmax": (lambda x, v: st.vjp(st.nn.softmax, x)[1](v)[0], _softmax_product),
        "hvp of logsumexp": (
            lambda x, v: st.hvp(st.reduce_logsumexp, (x,), (v,)), _softmax_product,
        ),
        "hvp of rosenbrock": (
            lambda x, v: st.hvp(_rosenbrock, (x,), (v,)), _rosenbrock_product,
        ),
    }  # fmt: skip
    sizes = [2**k for k in (14, 17, 20)]
    for name, (own, by_hand) in cases.items():
        ratios = []
        print(name)
        for n in sizes:
            x, v = rng.normal(size=n), rng.normal(size=n)
            work = {
                "own": lambda own=own, x=x, v=v: own(x, v),
                "by hand": lambda by_hand=by_hand, x=x, v=v: by_hand(x, v),
            }
            agree(work, 1e-9)
            times = best_times(work)
            ratios.append(times["own"] / times["by hand"])
            print(f"  {human(times['own']):>12} at {n:>8}, by hand {human(times['by hand']):>12}")
        growth = float(np.log(ratios[-1] / ratios[0]) / np.log(sizes[-1] / sizes[0]))
        report("  growth exponent of the ratio", growth, "", 0.1)


def _softmax_product(x: Any, v: Any) -> Any:
    e = np.exp(x - x.max())
    p = e / e.sum()
    return p * (v - p @ v)


def _rosenbrock_product(x: Any, v: Any) -> Any:
    before, after = x[:-1], x[1:]
    found = np.zeros_like(x)
    found[:-1] = (1200 * before**2 - 400 * after + 2) * v[:-1] - 400 * before * v[1:]
    found[1:] += 200 * v[1:] - 400 * before * v[:-1]
    return found


def _rosenbrock(x: Any) -> Any:
    return st.reduce_sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def _logistic_loss(w: Any, x: Any, y: Any) -> Any:
    return st.reduce_mean(st.math.softplus(-y * st.linalg.matvec(x, w)))


def _network_loss(w: Any, v: Any, x: Any) -> Any:
    return st.reduce_sum(st.square(st.tanh(x @ w) @ v))


def costs() -> None:
    """Compare value and gradient, and a Hessian-vector product, with the function alone."""
    rng = np.random.default_rng(0)
    for n in (10, 1_000, 100_000):
        x = rng.normal(size=n)
        _cost(f"Rosenbrock, n = {n}", _rosenbrock, (x,))
        _cost(f"logsumexp, n = {n}", st.reduce_logsumexp, (x,))
    for m, n in ((20, 10), (1_000, 100), (4_000, 400)):
        data = rng.normal(size=(m, n)), np.sign(rng.normal(size=m))
        _cost(f"logistic regression, {m} by {n}", _logistic_loss, (rng.normal(size=n), *data))
    for m, n in ((4, 8), (64, 32), (512, 256)):
        args = (rng.normal(size=(n, n)) / n, rng.normal(size=(n, 1)), rng.normal(size=(m, n)))
        _cost(f"tanh network, {m} rows, width {n}", _network_loss, args)


def _cost(title: str, f: Callable[..., Any], args: Sequence[Any]) -> None:
    """Time a function of ours, compiled, and its derivatives by the first argument."""
    value = _compiled(f)
    both = st.value_and_grad(f)
    direction = np.cos(args[0])
    product = st.hvp(lambda first: f(first, *args[1:]))
    times = best_times(
        {
            "f": _ours(value, *args),
            "both": _ours(both, *args),
            "product": _ours(lambda: product((args[0],), (direction,))),
        }
    )
    print(f"{title}: the function {human(times['f'])}")
    report("  value and gradient", times["both"] / times["f"], "times the function", 4)
    report("  Hessian-vector product", times["product"] / times["f"], "times the function", 8)


def _compiled(f: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function alone, by the same means as its derivatives."""
    pulled = st.value_and_grad(lambda zero, *args: f(*args) + zero)
    return lambda *args: pulled(0.0, *args)[0]


def first_derivation() -> None:
    """Time the first call of a Hessian, which traces and derives."""
    x = np.random.default_rng(0).normal(size=50)
    start = time.perf_counter()
    st.hessian(st.reduce_logsumexp)(x)
    report("first Hessian of logsumexp", (time.perf_counter() - start) * 1e3, "ms", 20)


TABLES = (hessians, jacobians, products, costs, first_derivation)
