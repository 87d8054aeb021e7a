"""Rules of JAX for trees, for what has no derivative, and rules of tangents."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

from tests.judged import causes as by
from tests.peers.judged_jax import CASES, case

__all__ = ["CASES"]


def _as_it_is(x):
    return x


def two_layers():
    @jax.custom_vjp
    def f(params, x):
        h = jnp.tanh(x @ params["w"] + params["b"])
        return h @ params["v"]

    def forward(params, x):
        h = jnp.tanh(x @ params["w"] + params["b"])
        return h @ params["v"], (params, x, h)

    def backward(saved, g):
        params, x, h = saved
        gh = jnp.outer(g, params["v"]) * (1 - h**2)
        grads = {"w": x.T @ gh, "b": gh.sum(0), "v": h.T @ g}
        return grads, gh @ params["w"].T

    f.defvjp(forward, backward)
    return f


def network(rng):
    tree = {"w": rng.normal(size=(2, 4)), "b": rng.normal(size=4), "v": rng.normal(size=4)}
    return [tree, rng.normal(size=(3, 2))]


case(
    two_layers,
    network,
    (by.any_of(by.MEAN), ("gh.sum(0)", "gh.mean(0)")),
    (by.any_of(by.MISSING, "power"), ("(1 - h**2)", "(1 - h)")),
    (by.any_of(by.MISSING), (" * (1 - h**2)\n", "\n")),
    (by.any_of(by.STALE, by.MISSING, by.INSTEAD), ('"v": h.T @ g', '"v": gh.T @ g')),
    (by.any_of("axis", by.SHAPE), ("gh.sum(0)", "jnp.full(4, gh.sum())")),
    (by.any_of(by.RAISES, by.SHAPE, by.ORDER), ("return grads, gh @", "return gh @")),
    given=_as_it_is,
)


def power_of():
    @partial(jax.custom_vjp, nondiff_argnums=(1,))
    def f(x, n):
        return jnp.sum(x**n, axis=-1)

    def forward(x, n):
        return f(x, n), x

    def backward(n, x, g):
        return (n * x ** (n - 1) * g[..., None],)

    f.defvjp(forward, backward)
    return f


case(
    power_of,
    lambda rng: [rng.normal(size=(2, 3)), 3],
    (by.any_of(by.FACTOR, by.MISSING), ("n * x ** (n - 1)", "x ** (n - 1)")),
    (by.any_of("power", by.FACTOR, by.SHIFT, by.MISSING), ("x ** (n - 1)", "x**n")),
    (by.any_of("axis|places|upstream", by.INSTEAD, by.ENTRIES), ("g[..., None]", "g.sum()")),
    given=_as_it_is,
)


def log_sum_exp():
    @partial(jax.custom_jvp, nondiff_argnums=(1,))
    def f(x, axis):
        m = jnp.max(x, axis, keepdims=True)
        return jnp.squeeze(m + jnp.log(jnp.sum(jnp.exp(x - m), axis, keepdims=True)), axis)

    @f.defjvp
    def rule(axis, primals, tangents):
        (x,), (v,) = primals, tangents
        y = f(x, axis)
        p = jnp.exp(x - jnp.expand_dims(y, axis))
        return y, jnp.sum(p * v, axis)

    return f


case(
    log_sum_exp,
    lambda rng: [rng.normal(size=(3, 4)), 1],
    (
        by.any_of("hard|maximum|largest", by.OTHER),
        ("p = jnp.exp(x - jnp.expand_dims(y, axis))", "p = (x == jnp.max(x, axis, keepdims=True))"),
    ),
    (by.MEAN, ("jnp.sum(p * v, axis)", "jnp.mean(p * v, axis)")),
    (by.any_of("axis"), ("p = jnp.exp(x - jnp.expand_dims(y, axis))", "p = jax.nn.softmax(x, 0)")),
    (
        by.any_of("axis"),
        ("p = jnp.exp(x - jnp.expand_dims(y, axis))", "p = jax.nn.softmax(x, (0, 1))"),
    ),
    (by.any_of("factor", by.MISSING, by.ZERO), ("jnp.sum(p * v, axis)", "jnp.sum(p, axis)")),
    given=_as_it_is,
)


def sinc():
    @jax.custom_jvp
    def f(x):
        return jnp.where(x == 0, 1.0, jnp.sin(x) / jnp.where(x == 0, 1.0, x))

    @f.defjvp
    def rule(primals, tangents):
        (x,), (v,) = primals, tangents
        safe = jnp.where(x == 0, 1.0, x)
        slope = jnp.where(x == 0, 0.0, (jnp.cos(x) - jnp.sin(x) / safe) / safe)
        return f(x), slope * v

    return f


case(
    sinc,
    lambda rng: [rng.normal(size=3)],
    (by.any_of(by.MISSING), ("(jnp.cos(x) - jnp.sin(x) / safe)", "jnp.cos(x)")),
    (by.any_of("zero|0|edge|kink", by.MASK), ("x == 0, 0.0, (", "x == 0, 1.0, (")),
    (by.any_of("power", by.MISSING), ("jnp.sin(x) / safe) / safe", "jnp.sin(x)) / safe")),
    (by.SIGN, ("jnp.cos(x) - ", "jnp.cos(x) + ")),
    (
        by.any_of("finite|nan"),
        (
            "slope = jnp.where(x == 0, 0.0, (jnp.cos(x) - jnp.sin(x) / safe) / safe)",
            "slope = (jnp.cos(x) - jnp.sin(x) / x) / x",
        ),
    ),
)


def two_slopes():
    @jax.custom_jvp
    def f(x, y):
        return jnp.log(jnp.exp(x) + jnp.exp(y))

    f.defjvps(
        lambda v, out, x, y: jnp.exp(x - out) * v,
        lambda v, out, x, y: jnp.exp(y - out) * v,
    )
    return f


case(
    two_slopes,
    lambda rng: [rng.normal(size=3), rng.normal(size=3)],
    (by.any_of(by.INSTEAD, by.SWAPPED, by.STALE), ("jnp.exp(y - out)", "jnp.exp(x - out)")),
    (by.any_of(by.SIGN, by.MISSING), ("jnp.exp(y - out)", "jnp.exp(y)")),
    (by.any_of(by.ZERO, by.MISSING), ("lambda v, out, x, y: jnp.exp(y - out) * v", "None")),
)


def decayed():
    @jax.custom_vjp
    def f(a, x):
        def step(h, pair):
            h = pair[0] * h + pair[1]
            return h, h

        return jax.lax.scan(step, jnp.zeros(x.shape[1:]), (a, x))[1]

    def forward(a, x):
        h = f(a, x)
        return h, (a, h)

    def backward(saved, g):
        a, h = saved

        def step(carry, given):
            a_next, now = given
            u = now + a_next * carry
            return u, u

        later = jnp.concatenate([a[1:], jnp.zeros_like(a[:1])])
        u = jax.lax.scan(step, jnp.zeros(g.shape[1:]), (later, g), reverse=True)[1]
        before = jnp.concatenate([jnp.zeros_like(h[:1]), h[:-1]])
        return jnp.sum(u * before, axis=1), u

    f.defvjp(forward, backward)
    return f


case(
    decayed,
    lambda rng: [rng.uniform(0.2, 0.9, size=4), rng.normal(size=(4, 2))],
    (by.any_of(by.SHIFT, by.STALE, by.INSTEAD, "places"), ("(later, g)", "(a, g)")),
    (by.any_of(by.SHIFT, by.STALE, by.INSTEAD), ("u * before", "u * h")),
    (by.any_of(by.ORDER), (", reverse=True", "")),
    (by.any_of(by.MISSING), ("now + a_next * carry", "now + carry")),
    (
        by.any_of(by.STALE, by.INSTEAD, by.MISSING),
        ("jnp.sum(u * before, axis=1)", "jnp.sum(g * before, axis=1)"),
    ),
)


def pooled():
    @partial(jax.custom_vjp, nondiff_argnums=(2,))
    def f(x, ids, count):
        return jax.ops.segment_sum(x, ids, count) / count

    def forward(x, ids, count):
        return f(x, ids, count), ids

    def backward(count, ids, g):
        return g[ids] / count, None

    f.defvjp(forward, backward)
    return f


case(
    pooled,
    lambda rng: [rng.normal(size=(5, 2)), np.array([0, 2, 2, 1, 0]), 3],
    (by.MEAN, ("g[ids] / count", "g[ids]")),
    (
        by.any_of("order|places|index", by.INSTEAD, by.ENTRIES),
        ("g[ids] / count", "g[jnp.sort(ids)] / count"),
    ),
    given=_as_it_is,
)


def spectrum():
    @jax.custom_vjp
    def f(x):
        return jnp.abs(jnp.fft.rfft(x)) ** 2

    def forward(x):
        return f(x), x

    def backward(x, g):
        n = x.shape[0]
        s = jnp.fft.rfft(x)
        w = jnp.full(s.shape, 0.5).at[0].set(1.0).at[-1].set(1.0)
        return (2 * n * jnp.fft.irfft(g * w * s, n),)

    f.defvjp(forward, backward)
    return f


ENDS = by.any_of("frequenc", "Nyquist", "weight", r"\bends?\b", "first", "last")
case(
    spectrum,
    lambda rng: [rng.normal(size=6)],
    (ENDS, (".at[-1].set(1.0)", "")),
    (ENDS, (".at[0].set(1.0)", "")),
    (ENDS, (".at[0].set(1.0).at[-1].set(1.0)", "")),
)


def clipped():
    @jax.custom_vjp
    def f(x, bounds):
        return jnp.clip(x, bounds[0], bounds[1])

    def forward(x, bounds):
        low, high = bounds
        return jnp.clip(x, low, high), (x, low, high)

    def backward(saved, g):
        x, low, high = saved
        inside = (x > low) & (x < high)
        return g * inside, (jnp.sum(g * (x < low)), jnp.sum(g * (x > high)))

    f.defvjp(forward, backward)
    return f


case(
    clipped,
    lambda rng: [rng.normal(size=6), (np.array(-0.5), np.array(0.6))],
    (
        by.any_of(by.SWAPPED, by.MASK),
        (
            "(jnp.sum(g * (x < low)), jnp.sum(g * (x > high)))",
            "(jnp.sum(g * (x > high)), jnp.sum(g * (x < low)))",
        ),
    ),
    (by.any_of(by.MASK), ("g * inside,", "g,")),
    (by.any_of(by.MASK, by.MISSING), ("(x > low) & (x < high)", "(x > low)")),
    (by.any_of(by.ZERO, by.MISSING), ("(jnp.sum(g * (x < low)), ", "(jnp.zeros_like(low), ")),
    given=_as_it_is,
    domain={"bounds": "near"},
)
