# ruff: noqa: D103 - a candidate is described by its name
"""Backward rules of JAX, right and wrong: each is judged beside its own function."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from tests.judged import causes as by
from tests.judged.case import Candidate, Case, compiled, source

CASES: dict[str, Case] = {}


def case(
    maker: Any,
    draw: Any,
    *wrongs: tuple[str, tuple[str, str]],
    given: Any = np.asarray,
    **options: Any,
) -> None:
    """Enter what a maker gives, and what it gives where its text is edited and wrong."""
    right, text = maker(), source(maker)
    name = f"jax: {maker.__name__}"
    made = Case(name, right, draw, "vjp", options, given=given, has_numbers=False)
    made.rights.append(Candidate(maker.__name__, right))
    for cause, (old, new) in wrongs:
        assert text.count(old) == 1, (maker.__name__, old)
        changed = compiled(text.replace(old, new), maker)()
        made.wrongs.append(Candidate(f"{old} → {new or 'nothing'}", changed, cause, right=text))
    CASES[maker.__name__] = made


def layer_norm():
    @jax.custom_vjp
    def f(x, scale, bias):
        mean = jnp.mean(x, -1, keepdims=True)
        var = jnp.var(x, -1, keepdims=True)
        return (x - mean) * jax.lax.rsqrt(var + 1e-6) * scale + bias

    def forward(x, scale, bias):
        mean = jnp.mean(x, -1, keepdims=True)
        rstd = jax.lax.rsqrt(jnp.var(x, -1, keepdims=True) + 1e-6)
        return f(x, scale, bias), (x, mean, rstd, scale)

    def backward(saved, g):
        x, mean, rstd, scale = saved
        xhat = (x - mean) * rstd
        gs = g * scale
        c1 = jnp.mean(gs * xhat, -1, keepdims=True)
        c2 = jnp.mean(gs, -1, keepdims=True)
        dx = rstd * (gs - c2 - xhat * c1)
        return dx, jnp.sum(g * xhat, 0), jnp.sum(g, 0)

    f.defvjp(forward, backward)
    return f


case(
    layer_norm,
    lambda rng: [rng.normal(size=(3, 4)), rng.normal(size=4), rng.normal(size=4)],
    (by.MISSING, ("(gs - c2 - xhat * c1)", "(gs - xhat * c1)")),
    (by.any_of(by.MISSING, by.STALE), ("gs = g * scale", "gs = g")),
    (by.any_of(by.STALE, by.MISSING), ("jnp.sum(g * xhat, 0)", "jnp.sum(gs * xhat, 0)")),
    (by.MEAN, ("c1 = jnp.mean(", "c1 = jnp.sum(")),
    (by.any_of(by.MISSING, by.FACTOR), ("dx = rstd * (gs", "dx = (gs")),
    (by.any_of(by.MEAN), ("jnp.sum(g, 0)", "jnp.mean(g, 0)")),
)


def focal():
    @jax.custom_vjp
    def f(z, y):
        p = jax.nn.softmax(z)
        pt = jnp.sum(p * y, -1)
        return -jnp.mean((1 - pt) ** 2 * jnp.log(pt))

    def forward(z, y):
        return f(z, y), (z, y)

    def backward(saved, g):
        z, y = saved
        p = jax.nn.softmax(z)
        pt = jnp.sum(p * y, -1, keepdims=True)
        dpt = 2 * (1 - pt) * jnp.log(pt) - (1 - pt) ** 2 / pt
        dz = dpt * pt * (y - p) / len(z)
        return g * dz, jnp.zeros_like(y)

    f.defvjp(forward, backward)
    return f


case(
    focal,
    lambda rng: [rng.normal(size=(3, 4)), np.eye(4)[[0, 2, 3]]],
    (by.any_of(by.MISSING), ("2 * (1 - pt) * jnp.log(pt) - (1", "-(1")),
    (by.any_of(by.SIGN), ("(y - p)", "(p - y)")),
    (by.any_of(by.MISSING, by.FACTOR), ("dpt * pt * (y", "dpt * (y")),
    (by.MEAN, (" / len(z)", "")),
    (by.any_of("power", by.FACTOR, by.MISSING), ("(1 - pt) ** 2 / pt", "(1 - pt) / pt")),
    (by.any_of(by.MISSING, by.UPSTREAM), ("return g * dz", "return dz")),
)
for _made in CASES.values():
    if _made.name == "jax: focal":
        _made.options["wrt"] = [0]


def rotation():
    @jax.custom_vjp
    def f(q, v):
        w, u = q[0], q[1:]
        return v + 2 * w * jnp.cross(u, v) + 2 * jnp.cross(u, jnp.cross(u, v))

    def forward(q, v):
        return f(q, v), (q, v)

    def backward(saved, g):
        q, v = saved
        w, u = q[0], q[1:]
        uv = jnp.cross(u, v)
        dw = 2 * g @ uv
        du = 2 * w * jnp.cross(v, g) + 2 * (jnp.cross(uv, g) + jnp.cross(v, jnp.cross(g, u)))
        dv = g - 2 * w * jnp.cross(u, g) + 2 * jnp.cross(u, jnp.cross(u, g))
        return jnp.concatenate([dw[None], du]), dv

    f.defvjp(forward, backward)
    return f


case(
    rotation,
    lambda rng: [rng.normal(size=4), rng.normal(size=3)],
    (by.SIGN, ("g - 2 * w", "g + 2 * w")),
    (by.any_of(by.SIGN, by.ORDER, by.SWAPPED), ("jnp.cross(v, g) +", "jnp.cross(g, v) +")),
    (by.any_of(by.MISSING), (" + jnp.cross(v, jnp.cross(g, u))", "")),
    (by.any_of(by.TWICE, by.HALF, by.FACTOR), ("dw = 2 * g", "dw = g")),
    (by.any_of(by.MISSING), ("dv = g - 2", "dv = -2")),
    (by.any_of(by.STALE, by.OTHER, by.SIGN, by.ORDER), ("jnp.cross(uv, g)", "jnp.cross(g, uv)")),
)


def implicit_step():
    """Solve (I + dt A) y = x."""

    @jax.custom_vjp
    def f(a, x):
        return jnp.linalg.solve(jnp.eye(3) + 0.1 * a, x)

    def forward(a, x):
        y = f(a, x)
        return y, (a, y)

    def backward(saved, g):
        a, y = saved
        lam = jnp.linalg.solve((jnp.eye(3) + 0.1 * a).T, g)
        return -0.1 * jnp.outer(lam, y), lam

    f.defvjp(forward, backward)
    return f


case(
    implicit_step,
    lambda rng: [rng.normal(size=(3, 3)), rng.normal(size=3)],
    (by.TRANSPOSED, ("(jnp.eye(3) + 0.1 * a).T", "(jnp.eye(3) + 0.1 * a)")),
    (by.any_of(by.TRANSPOSED, by.ORDER, by.SWAPPED), ("jnp.outer(lam, y)", "jnp.outer(y, lam)")),
    (by.SIGN, ("-0.1 * jnp", "0.1 * jnp")),
    (by.any_of(by.FACTOR), ("-0.1 * jnp", "-jnp")),
    (by.any_of(by.STALE, by.OTHER), ("jnp.outer(lam, y)", "jnp.outer(g, y)")),
)


def log1mexp():
    """Compute log(1 - exp(x)) of a negative x in two ways."""

    @jax.custom_vjp
    def f(x):
        return jnp.where(x > -0.6931, jnp.log(-jnp.expm1(x)), jnp.log1p(-jnp.exp(x)))

    def forward(x):
        return f(x), x

    def backward(x, g):
        return (-g / jnp.expm1(-x),)

    f.defvjp(forward, backward)
    return f


case(
    log1mexp,
    lambda rng: [-np.exp(rng.normal(size=5))],
    (by.SIGN, ("-g / jnp", "g / jnp")),
    (by.any_of(by.SIGN, by.FACTOR), ("expm1(-x)", "expm1(x)")),
    (by.any_of("1|constant", by.OTHER), ("jnp.expm1(-x)", "jnp.exp(-x)")),
    (
        by.any_of(by.MASK, by.POSITIVE, by.ENTRIES),
        ("-g / jnp.expm1(-x)", "jnp.where(x > -3.0, -g / jnp.expm1(-x), 0.0)"),
    ),
    (by.any_of(by.MISSING, by.FACTOR, "/"), ("-g / jnp.expm1(-x)", "-g * jnp.exp(x)")),
)


def conjugate_product():
    """Multiply by a conjugate; JAX's cotangents are paired without conjugates."""

    @jax.custom_vjp
    def f(z, w):
        return z * jnp.conj(w)

    def backward(saved, g):
        z, w = saved
        return g * jnp.conj(w), jnp.conj(g * z)

    f.defvjp(lambda z, w: (f(z, w), (z, w)), backward)
    return f


def gaussian(rng, *shape):
    return rng.normal(size=shape) + 1j * rng.normal(size=shape)


case(
    conjugate_product,
    lambda rng: [gaussian(rng, 3), gaussian(rng, 3)],
    (by.any_of(by.COMPLEX, "conj"), ("g * jnp.conj(w)", "g * w")),
    (by.any_of(by.COMPLEX, "conj"), ("g * jnp.conj(w)", "jnp.conj(g) * w")),
    (by.any_of(by.COMPLEX, "conj"), ("jnp.conj(g * z)", "g * z")),
)


def squared_modulus():
    @jax.custom_vjp
    def f(z):
        return jnp.real(z) ** 2 + jnp.imag(z) ** 2

    f.defvjp(lambda z: (f(z), z), lambda z, g: (2 * g * jnp.conj(z),))
    return f


case(
    squared_modulus,
    lambda rng: [gaussian(rng, 4)],
    (by.any_of(by.COMPLEX, "conj", r"re\(z\) - "), ("2 * g * jnp.conj(z)", "2 * g * z")),
    (by.any_of(by.HALF, by.FACTOR), ("2 * g * jnp.conj(z)", "g * jnp.conj(z)")),
)


def largest():
    """Give entries with their places, which are integers."""

    @jax.custom_vjp
    def f(x):
        return jax.lax.top_k(x, 2)

    def backward(saved, g):
        places, like = saved
        return (jnp.zeros_like(like).at[places].add(g[0]),)

    def forward(x):
        values, places = f(x)
        return (values, places), (places, x)

    f.defvjp(forward, backward)
    return f


case(
    largest,
    lambda rng: [rng.normal(size=5)],
    (by.any_of(by.FACTOR), (".add(g[0])", ".add(2 * g[0])")),
    (by.any_of(by.SIGN, by.FACTOR), (".add(g[0])", ".add(-g[0])")),
)


def recurrent():
    """Run a recurrent network, whose backward accumulates in a scan; some of it is saturated."""

    @jax.custom_vjp
    def f(w, xs):
        def step(h, x):
            h = jnp.tanh(w @ h + x)
            return h, h

        return jax.lax.scan(step, jnp.zeros_like(xs[0]), xs)[1]

    def backward(saved, g):
        w, hs = saved
        before = jnp.concatenate([jnp.zeros_like(hs[:1]), hs[:-1]])

        def step(carry, row):
            dh, dw = carry
            h, last, u = row
            d = (dh + u) * (1 - h**2)
            return (w.T @ d, dw + jnp.outer(d, last)), d

        start = (jnp.zeros_like(hs[0]), jnp.zeros_like(w))
        (_, dw), dx = jax.lax.scan(step, start, (hs, before, g), reverse=True)
        return dw, dx

    def forward(w, xs):
        hs = f(w, xs)
        return hs, (w, hs)

    f.defvjp(forward, backward)
    return f


case(
    recurrent,
    lambda rng: [
        rng.normal(size=(2, 2)).astype("float32"),
        3 * rng.normal(size=(3, 2)).astype("float32"),
    ],
    ("w is wrong|^w:|outer|overwritten", ("dw + jnp.outer", "jnp.outer")),
    ("w is wrong|^w:|jnp.outer", ("hs[:1]), hs[:-1]", "hs[:1]), hs[1:]")),
    (by.any_of(by.ORDER, by.TRANSPOSED), ("(w.T @ d", "(w @ d")),
)
