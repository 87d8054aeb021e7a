"""Functions of JAX that are imported: what people write, and every primitive by its name."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np


class Late:
    """A module that is imported when it is first used: a case is a case without JAX, too."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self._name), name)


jax, jnp, lax = Late("jax"), Late("jax.numpy"), Late("jax.lax")

CASES: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {}
"""Functions to numbers, with arguments, by name."""

RNG = np.random.default_rng(20261123)


def case(*examples: Any) -> Callable[[Any], Any]:
    """Enter a function in the table."""

    def enter(function: Any) -> Any:
        assert function.__name__ not in CASES
        CASES[function.__name__] = function, examples
        return function

    return enter


def N(*shape: int) -> Any:
    """Draw normal numbers."""
    return RNG.normal(size=shape)


def U(*shape: int) -> Any:
    """Draw numbers between 0.5 and 1.5."""
    return RNG.random(shape) + 0.5


def S(n: int) -> Any:
    """Draw a positive definite matrix."""
    a = N(n, n)
    return a @ a.T + n * np.eye(n)


@case(N(5, 3), N(3))
def mse(x, w):
    return jnp.mean((x @ w - 1.0) ** 2)


@case(N(4))
def huber(x):
    return jnp.sum(jnp.where(jnp.abs(x) < 1, 0.5 * x**2, jnp.abs(x) - 0.5))


@case(N(4, 3))
def cross_entropy(z):
    return -jnp.mean(jax.nn.log_softmax(z)[jnp.arange(4), jnp.array([0, 2, 1, 1])])


@case(N(6), U(6))
def bce(z, y):
    return jnp.mean(jnp.maximum(z, 0) - z * y + jnp.log1p(jnp.exp(-jnp.abs(z))))


@case(N(4, 3))
def focal(z):
    p = jax.nn.softmax(z)
    return -jnp.mean((1 - p) ** 2 * jnp.log(p))


@case(N(4))
def lse(x):
    return jax.nn.logsumexp(x)


@case(N(3, 4))
def lse_rows(x):
    return jnp.sum(jax.nn.logsumexp(x, axis=1) ** 2)


@case(N(3, 4))
def lse_weights(x):
    return jnp.sum(jax.scipy.special.logsumexp(x, axis=0, b=jnp.arange(1.0, 4.0)[:, None]))


@case(N(3, 4), N(4), N(4))
def layer_norm(x, g, b):
    m = x.mean(-1, keepdims=True)
    v = x.var(-1, keepdims=True)
    return jnp.sum(jnp.sin((x - m) / jnp.sqrt(v + 1e-5) * g + b))


@case(N(3, 4), N(4))
def rms_norm(x, g):
    return jnp.sum(jnp.tanh(x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * g))


@case(N(2, 3, 4), N(4))
def batch_norm(x, g):
    return jnp.sum(((x - x.mean((0, 1))) / jnp.sqrt(x.var((0, 1)) + 1e-3) * g) ** 3)


@case(N(4, 3), N(4, 3), N(4, 3))
def attention(q, k, v):
    s = q @ k.T / jnp.sqrt(3.0)
    s = jnp.where(jnp.tril(jnp.ones((4, 4), bool)), s, -1e30)
    return jnp.sum((jax.nn.softmax(s) @ v) ** 2)


@case(N(2, 4, 2, 3), N(2, 4, 2, 3), N(2, 4, 2, 3))
def heads(q, k, v):
    a = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(3)
    return jnp.sum(jnp.sin(jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(a, axis=-1), v)))


@case({"w": [N(3, 4), N(4, 2)], "b": (N(4), N(2))}, N(5, 3))
def mlp(params, x):
    h = x
    for w, b in zip(params["w"], params["b"]):
        h = jax.nn.gelu(h @ w + b)
    return jnp.sum(h**2)


@case(N(6))
def activations(x):
    return jnp.sum(
        jax.nn.silu(x)
        + jax.nn.softplus(x) * jax.nn.elu(x)
        + jax.nn.selu(x)
        + jax.nn.gelu(x, approximate=False)
        + jax.nn.leaky_relu(x)
        + jax.nn.relu6(x)
        + jax.nn.hard_tanh(x)
        + jax.nn.log_sigmoid(x)
        + jax.nn.mish(x)
        + jax.nn.celu(x)
        + jax.nn.soft_sign(x)
    ) + jnp.sum(jax.nn.glu(x) ** 2)


@case(N(3), N(3, 3), N(5, 3))
def rnn(h, w, xs):
    def f(c, x):
        c = jnp.tanh(w @ c + x)
        return c, c.sum()

    c, ys = lax.scan(f, h, xs)
    return jnp.sum(c) + jnp.sum(ys**2)


@case(N(2), N(4, 2))
def scan_reverse(c, xs):
    c, ys = lax.scan(lambda c, x: (c * jnp.sin(x), c + x), c, xs, reverse=True)
    return jnp.sum(c * ys[0]) + ys[-1].sum()


@case(N(3))
def fori(x):
    return jnp.sum(lax.fori_loop(0, 4, lambda i, c: jnp.sin(c) * (i + 1.0), x))


@case(np.array(1.3))
def whiles(x):
    return lax.while_loop(
        lambda c: c[0] < 10, lambda c: (c[0] * c[0], c[1] + jnp.sin(c[0])), (x, x)
    )[1]


@case(np.array([1.3, 3.0, 1.1]))
def loops_of_a_batch(x):
    def root(a):
        return lax.while_loop(lambda x: abs(x * x - a) > 1e-12, lambda x: (x + a / x) / 2, a)

    return jnp.sum(jax.vmap(root)(x))


@case(N(3))
def conds(x):
    return lax.cond(x.sum() > 0, lambda x: jnp.sum(x**2), lambda x: jnp.sum(jnp.exp(x)), x)


@case(N(3), np.int32(1))
def switches(x, k):
    return jnp.sum(lax.switch(k, [jnp.sin, jnp.cos, jnp.tanh], x))


@case(N(3), N(2, 2))
def ode(y, a):
    from jax.experimental.ode import odeint

    f = lambda y, t, a: jnp.concatenate([a @ y[:2] * 0.1, -y[2:] * 0.5])
    return jnp.sum(odeint(f, y, jnp.array([0.0, 0.2, 0.5]), a, rtol=1e-11, atol=1e-11)[-1] ** 2)


@case(S(3), N(3))
def solve(a, b):
    return b @ jnp.linalg.solve(a, b)


@case(S(3), N(3, 2))
def solves(a, b):
    return jnp.sum(jnp.linalg.solve(a, b) ** 2)


@case(S(3))
def inverse(a):
    return jnp.sum(jnp.sin(jnp.linalg.inv(a) * 5))


@case(S(4))
def logdet(a):
    return jnp.linalg.slogdet(a)[1]


@case(S(4))
def det(a):
    return jnp.log(jnp.linalg.det(a))


@case(np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 0.0, 1.0]]))
def det_singular(a):
    return jnp.linalg.det(a) + jnp.sum(a**2)


@case(N(4, 3))
def lu_tall(a):
    return sum(jnp.sum(jnp.sin(part)) for part in jax.scipy.linalg.lu(a)[1:])


@case(N(2, 4))
def lu_wide(a):
    return sum(jnp.sum(jnp.sin(part)) for part in jax.scipy.linalg.lu(a)[1:])


@case(S(3))
def chol(a):
    return jnp.sum(jnp.linalg.cholesky(a) ** 3)


@case(S(3), N(3))
def gp(k, y):
    k = (k + k.T) / 2
    c = jax.scipy.linalg.cho_factor(k, lower=True)
    return y @ jax.scipy.linalg.cho_solve(c, y) + 2 * jnp.sum(jnp.log(jnp.diag(c[0])))


@case(S(3))
def eigh(a):
    w, v = jnp.linalg.eigh(a)
    return jnp.sum(w**2 * jnp.arange(3.0)) + jnp.sum(v[:, 0] ** 2 * jnp.arange(3.0))


@case(N(4, 3))
def svd(a):
    u, s, v = jnp.linalg.svd(a, full_matrices=False)
    return jnp.sum(jnp.log(s)) + jnp.sum(u[:, 0] ** 2 * jnp.arange(4.0))


@case(N(4, 3))
def nuclear(a):
    return jnp.linalg.norm(a, "nuc")


@case(N(4, 3))
def qr(a):
    q, rr = jnp.linalg.qr(a)
    return jnp.sum(q[0] * rr[0]) + jnp.sum(jnp.log(jnp.abs(jnp.diag(rr))))


@case(N(3, 3) * 0.3)
def expm(a):
    return jnp.sum(jax.scipy.linalg.expm(a) ** 2)


@case(N(3, 4))
def pinv(a):
    return jnp.sum(jnp.linalg.pinv(a) ** 2)


@case(N(5, 3), N(5))
def lstsq(a, b):
    return jnp.sum(jnp.linalg.lstsq(a, b)[0] ** 2)


@case(S(3), N(3))
def triangular(a, b):
    return jnp.sum(jax.scipy.linalg.solve_triangular(a, b, lower=False, trans=1) ** 2)


@case(S(3), N(3))
def cg(a, b):
    a = (a + a.T) / 2
    return jnp.sum(jax.scipy.sparse.linalg.cg(lambda x: a @ x, b, tol=1e-15)[0] ** 2)


@case(S(3))
def lu(a):
    p, l, u = jax.scipy.linalg.lu(a)
    return jnp.sum(l**2) + jnp.sum(jnp.sin(u))


@case(N(3))
def custom_vjp(x):
    @jax.custom_vjp
    def g(x):
        return jnp.sin(x) * x

    g.defvjp(lambda x: (g(x), x), lambda x, ct: (ct * (jnp.cos(x) * x + jnp.sin(x)),))
    return jnp.sum(g(x) ** 2)


@case(N(3))
def custom_jvp(x):
    @jax.custom_jvp
    def g(x):
        return jnp.log1p(jnp.exp(x))

    g.defjvp(lambda p, t: (g(p[0]), t[0] * jax.nn.sigmoid(p[0])))
    return jnp.sum(g(x) ** 2)


@case(N(3), N(3))
def hand_backward(x, ct):
    @jax.custom_vjp
    def g(x):
        return jnp.sin(x) * x

    g.defvjp(lambda x: (g(x), x), lambda x, ct: (ct * (jnp.cos(x) * x + jnp.sin(x)),))
    return jnp.sum(jax.vjp(g, x)[1](ct)[0] ** 2)


@case(N(4, 3), N(3))
def vmapped(xs, w):
    return jnp.sum(jax.vmap(lambda x, w: jnp.tanh(x @ w) * x, (0, None))(xs, w) ** 2)


@case(N(3))
def grad_inside(x):
    return jnp.sum(jax.grad(lambda x: jnp.sum(jnp.sin(x) * x**3))(x) ** 2)


@case(N(3))
def hessian_inside(x):
    return jnp.sum(jax.hessian(lambda x: jnp.prod(jnp.sin(x)))(x) ** 2)


@case(N(3))
def jvp_inside(x):
    return jnp.sum(jax.jvp(lambda x: jnp.exp(x) * x, (x,), (jnp.cos(x),))[1])


@case(N(3))
def remat(x):
    return jnp.sum(jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)))(x) ** 2)


@case(N(1, 6, 6, 2), N(3, 3, 2, 3))
def conv(x, f):
    return jnp.sum(
        lax.conv_general_dilated(
            x, f, (2, 1), "SAME", rhs_dilation=(1, 2), dimension_numbers=("NHWC", "HWIO", "NHWC")
        )
        ** 2
    )


@case(N(2, 4, 7), N(6, 2, 3))
def conv_groups(x, f):
    return jnp.sum(
        lax.conv_general_dilated(x, f, (1,), [(2, -1)], lhs_dilation=(2,), feature_group_count=2)
        ** 2
    )


@case(N(1, 5, 5, 2), N(3, 3, 3, 2))
def conv_transpose(x, f):
    return jnp.sum(lax.conv_transpose(x, f, (2, 2), "SAME", transpose_kernel=True) ** 3)


@case(N(1, 4, 4, 1), N(2, 2, 1, 2))
def conv_grad_inside(x, f):
    h = lambda x, f: jnp.sum(
        lax.conv_general_dilated(x, f, (1, 1), "VALID", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        ** 2
    )
    a, b = jax.grad(h, (0, 1))(x, f)
    return jnp.sum(a**2) + jnp.sum(b**2)


@case(N(1, 6, 6, 2))
def max_pool(x):
    return jnp.sum(
        lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") ** 2
    )


@case(N(1, 5, 5, 2))
def avg_pool(x):
    return jnp.sum(lax.reduce_window(x, 0.0, lax.add, (1, 3, 3, 1), (1, 2, 2, 1), "SAME") ** 2)


@case(N(4, 4))
def pool_grad_inside(x):
    return jnp.sum(
        jax.grad(
            lambda x: jnp.sum(lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (1, 1), "SAME") ** 3)
        )(x)
        ** 2
    )


@case(N(5, 3))
def embedding(t):
    return jnp.sum(t[jnp.array([0, 2, 2, 4])] ** 2)


@case(N(4, 3))
def gather_grid(x):
    return jnp.sum(x[jnp.array([[0, 1], [3, 3]]), jnp.array([1, 2])] ** 3) + jnp.sum(
        x[1:, jnp.array([2, 0])] ** 2
    )


@case(N(4, 3))
def take_along(x):
    return jnp.sum(
        jnp.take_along_axis(x, jnp.argsort(x, axis=0), axis=0) * jnp.arange(12.0).reshape(4, 3)
    )


@case(N(4, 3), N(2, 3))
def scatter(x, u):
    return jnp.sum(
        jnp.asarray(x).at[jnp.array([3, 1])].set(u).at[0].add(x[1]).at[:, 1].multiply(2.0) ** 2
    )


@case(N(4), N(5))
def scatters(x, u):
    i = jnp.array([0, 2, 2, 9, -1])
    return (
        jnp.sum(jnp.asarray(x).at[i].add(u, mode="drop") ** 2)
        + jnp.sum(jnp.asarray(x).at[i].max(u) ** 3)
        + jnp.sum(jnp.asarray(x).at[i].min(u) ** 3)
        + jnp.sum(jnp.asarray(x).at[jnp.array([1, 3, 2])].multiply(u[:3], unique_indices=True) ** 2)
    )


@case(N(6))
def segments(x):
    return jnp.sum(jax.ops.segment_sum(x, jnp.array([0, 0, 1, 1, 2, 2]), 3) ** 2) + jnp.sum(
        jax.ops.segment_max(x, jnp.array([0, 0, 1, 1, 2, 2]), 3) ** 2
    )


@case(N(6), np.int32(2))
def dynamic(x, i):
    return jnp.sum(lax.dynamic_slice(x, (i,), (3,)) ** 2) + jnp.sum(
        lax.dynamic_update_slice(x, jnp.sin(x[:2]), (i,)) ** 3
    )


@case(N(3, 4))
def pads(x):
    return jnp.sum(lax.pad(x, 2.0, ((1, -1, 1), (-1, 2, 0))) ** 3) + jnp.sum(
        jnp.pad(x, 1, mode="reflect") ** 2
    )


@case(N(3, 4))
def moves(x):
    return (
        jnp.sum(jnp.roll(x, 1, 0)[::-1] * jnp.flip(x, 1))
        + jnp.sum(jnp.concatenate([x, x**2]).reshape(4, 6).T[::2] ** 2)
        + jnp.sum(jnp.tile(x, (2, 1)) * jnp.repeat(x, 2, 0))
        + jnp.sum(jnp.stack(jnp.split(x, 2, 1)) ** 2)
    )


@case(N(6))
def sorts(x):
    return (
        jnp.sum(jnp.sort(x) * jnp.arange(6.0))
        + jnp.sum(lax.top_k(x, 3)[0] * jnp.arange(3.0))
        + jnp.median(x) ** 2
        + jnp.quantile(x, 0.3)
    )


@case(N(2, 5))
def sort_pairs(x):
    a, b = lax.sort((jnp.round(x), x * 2), dimension=1, num_keys=2)
    return jnp.sum(b**2 * jnp.arange(5.0))


@case(N(3, 4))
def cums(x):
    return (
        jnp.sum(jnp.cumsum(x, 0) ** 2)
        + jnp.sum(jnp.cumprod(x, 1) ** 2)
        + jnp.sum(lax.cumlogsumexp(x, axis=1))
        + jnp.sum(lax.cummax(x, axis=1) ** 2)
        + jnp.sum(lax.cummin(x, axis=0, reverse=True) ** 2)
    )


@case(N(3, 4))
def extremes(x):
    return (
        x[jnp.argmax(x[:, 0]), jnp.argmin(x[0])] ** 2
        + jnp.max(x) * jnp.min(x, 0).sum()
        + jnp.prod(x)
        + jnp.ptp(x)
    )


@case(U(4), U(4) + 1)
def specials(a, x):
    s = jax.scipy.special
    return jnp.sum(
        s.gammaln(x)
        + s.digamma(x)
        + s.erf(x)
        + s.erfc(x)
        + s.erfinv(a / 3)
        + s.i0e(x) * s.i1e(x)
        + s.i0(x)
        + s.ndtr(x)
        + s.log_ndtr(a)
        + s.xlogy(a, x)
        + s.entr(a)
        + s.betaln(a, x)
        + s.logit(a / 3)
        + s.expit(x)
        + s.gammaincc(2.0, x)
        + s.polygamma(1, x)
        + s.zeta(3.0, x)
    )


@case(U(4), U(4) + 1)
def incomplete(a, x):
    return jnp.sum(jax.scipy.special.gammainc(a, x)) + jnp.sum(
        jax.scipy.special.betainc(2.0, 3.0, a / 3)
    )


@case(U(4), U(4))
def elementary(x, y):
    return jnp.sum(
        jnp.arctan2(x, y)
        + x**y
        + jnp.sinh(x) * jnp.arcsinh(y)
        + jnp.arccosh(1 + x)
        + jnp.arctanh(x / 4)
        + jnp.cbrt(x)
        + jnp.exp2(y)
        + jnp.hypot(x, y)
        + jnp.expm1(x) * jnp.log2(y)
        + jnp.arcsin(x / 3) * jnp.arccos(y / 3)
        + jnp.tan(x)
        + jnp.fmod(x * 7, y)
        + jnp.remainder(-x * 7, y)
        + jnp.clip(x, 0.6, 0.9)
        + jnp.sinc(x)
        + jnp.logaddexp(x, y)
        + 1 / x
    )


@case(N(5))
def random(x):
    return jnp.sum(x * jax.random.normal(jax.random.PRNGKey(0), (5,))) + jnp.sum(
        jnp.where(jax.random.bernoulli(jax.random.key(1), 0.5, (5,)), x**2, 0)
    )


@case(N(4), np.array([0, 7], np.uint32))
def dropout(x, key):
    return jnp.sum(jnp.where(jax.random.bernoulli(key, 0.6, x.shape), x / 0.6, 0.0) ** 2)


@case(N(8))
def fft(x):
    return jnp.sum(jnp.abs(jnp.fft.fft(x)) ** 2 * jnp.arange(8.0)) + jnp.sum(
        jnp.fft.irfft(jnp.fft.rfft(x) * jnp.arange(5.0)) ** 2
    )


@case(N(3, 4), N(3, 4))
def complexes(a, b):
    z = lax.complex(a, b)
    return jnp.sum(jnp.abs(jnp.exp(1j * z) * jnp.conj(z) + jnp.sin(z)) ** 2).real + jnp.sum(
        jnp.angle(z)
    )


@case(N(4))
def stopped(x):
    return jnp.sum(lax.stop_gradient(jnp.sin(x)) * x**2)


@case(N(3, 2), N(4, 2))
def distances(x, y):
    return jnp.sum(jnp.exp(-jnp.sum((x[:, None] - y[None]) ** 2, -1)))


@case(N(3, 3), N(3, 3))
def kron(a, b):
    return (
        jnp.sum(jnp.kron(a, b) ** 2)
        + jnp.trace(a @ b) ** 2
        + jnp.sum(jnp.outer(a[0], b[0]) ** 3)
        + jnp.sum(jnp.cross(a, b) ** 2)
    )


@case(N(4))
def polynomials(x):
    return (
        jnp.sum(jnp.polyval(jnp.array([1.0, 2.0, 3.0]), x))
        + jnp.sum(jnp.interp(x, jnp.array([-1.0, 0.0, 1.0]), jnp.array([0.0, 3.0, 1.0])) ** 2)
        + jnp.sum(jnp.convolve(x, jnp.array([1.0, 2.0, 1.0])) ** 2)
        + jnp.sum(jnp.vander(x, 3) ** 2)
    )


@case(N(5))
def associative(x):
    return jnp.sum(lax.associative_scan(lambda a, b: a * b + a, x) ** 2)


@case(N(3, 3))
def power(a):
    return jnp.sum(jnp.linalg.matrix_power(a, 3)) + jnp.sum(jnp.linalg.multi_dot([a, a, a]))


@case(N(5, 2))
def statistics(x):
    return (
        jnp.sum(jnp.cov(x.T) ** 2)
        + jnp.sum(jnp.corrcoef(x.T))
        + jnp.std(x, ddof=1)
        + jnp.sum(jax.scipy.stats.norm.logpdf(x, 0.3, 1.5))
        + jnp.sum(jax.scipy.stats.t.logpdf(x, 4.0))
    )


@case(N(5))
def mapped(x):
    return jnp.sum(lax.map(lambda t: jnp.sin(t) * t, x) ** 2)


@case(np.array([0.0, 0.0, 2.0]), U(3))
def logarithms_at_0(x, y):
    special = importlib.import_module("jax.scipy.special")
    return jnp.sum(jnp.sin(special.xlogy(x, y)) + special.xlog1py(x, y) ** 2 + x * y)


@case(N(3, 3), N(3, 3))
def tangent_of_solution(a, b):
    solution = lambda a: jnp.linalg.solve(a, b) @ jnp.linalg.inv(a)
    return jnp.sum(jax.jvp(solution, (a,), (b,))[1] * b)


@case(N(3, 3))
def complex_determinant(a):
    sign, log = jnp.linalg.slogdet(a + 2j * a.T)
    return log * jnp.real(sign)


@case(N(4), N(4))
def complex_sign(a, b):
    z = lax.complex(a, b)
    return jnp.sum(jnp.real(jnp.sign(z) * z)) + jnp.sum(jnp.abs(z) ** 3)
