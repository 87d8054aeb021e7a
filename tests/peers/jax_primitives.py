"""One function for each primitive of JAX that is read, by the primitive's name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.peers.jax_cases import Late, N, S, U

jax, jnp, lax = Late("jax"), Late("jax.numpy"), Late("jax.lax")
random, linalg = Late("jax.random"), Late("jax.lax.linalg")

x, y = N(3, 4), N(3, 4)
u, v = U(3, 4), U(3, 4)
small = x / 4
z = N(3) + 1j * N(3)
i, j = np.array([5, -3, 8]), np.array([2, 2, -3])
bits = np.array([5, 3, 200], np.uint32)
key = np.array([0, 7], np.uint32)
truth = x > 0
image, filters = N(1, 2, 5, 5), N(3, 2, 2, 2)

Case = tuple[Any, ...]
"""A function of arrays to an array or several, and the arrays."""


def one(name: str, *arrays: Any) -> Case:
    """Make a case of a function of `jax.lax`."""
    return (lambda *a: getattr(lax, name)(*a), *arrays)


def window(function: str, start: float) -> Callable[..., Any]:
    """Reduce windows of a matrix, with padding and holes."""
    return lambda a: lax.reduce_window(
        a,
        start,
        getattr(lax, function),
        (2, 2),
        (1, 2),
        ((1, 0), (0, 1)),
        base_dilation=(1, 2),
        window_dilation=(2, 1),
    )


def largest_of_windows(a: Any) -> Any:
    """Take the maxima of windows that overlap."""
    return lax.reduce_window(a, -jnp.inf, lax.max, (2, 2), (1, 1), "SAME")


def at(name: str, **settings: Any) -> Callable[..., Any]:
    """Change elements at places, of which one is outside."""
    places = np.array([2, 0, 1, 9])
    return lambda a, b: getattr(jnp.asarray(a).at[places], name)(b, mode="drop", **settings)


def along_rows(function: Callable[..., Any]) -> Callable[..., Any]:
    """Map a function over rows, which has a name for their axis."""
    return lambda a: jax.vmap(function, axis_name="i")(a)


def both(function: Callable[..., Any]) -> Callable[..., Any]:
    """Take a function with a rule of its own, as it is and inside of another."""

    def run(a: Any) -> Any:
        own = jax.custom_jvp(function)
        own.defjvp(lambda p, t: jax.jvp(function, p, t))
        return own(a) * 2.0

    return run


def with_backward(a: Any) -> Any:
    """Take a function whose backward is written by hand."""
    own = jax.custom_vjp(jnp.sin)
    own.defvjp(lambda b: (jnp.sin(b), b), lambda b, g: (g * jnp.cos(b),))
    return own(a)


def in_total_order(name: str) -> Callable[..., Any]:
    """Compare as sorting does."""
    return lambda a, b: getattr(Late("jax.extend.core.primitives"), f"{name}_p").bind(a, b)


def threefry(k: Any) -> Any:
    """Draw random bits."""
    return random.bits(random.wrap_key_data(k))


PRIMITIVES: dict[str, Case] = {
    **{
        name: one(name, x)
        for name in (
            "abs",
            "atan",
            "asinh",
            "ceil",
            "cos",
            "cosh",
            "erf",
            "erfc",
            "exp",
            "exp2",
            "expm1",
            "floor",
            "logistic",
            "neg",
            "sign",
            "sin",
            "sinh",
            "square",
            "stop_gradient",
            "tan",
            "tanh",
            "is_finite",
            "bessel_i0e",
            "bessel_i1e",
        )
    },
    **{
        name: one(name, u)
        for name in ("cbrt", "digamma", "lgamma", "log", "log1p", "rsqrt", "sqrt")
    },
    **{name: one(name, small) for name in ("acos", "asin", "atanh", "erf_inv")},
    **{name: one(name, x, y) for name in ("add", "atan2", "max", "min", "mul", "sub")},
    **{name: one(name, x, y) for name in ("eq", "ge", "gt", "le", "lt", "ne", "complex")},
    **{name: one(name, z) for name in ("conj", "imag", "real")},
    "acosh": one("acosh", u + 1),
    "round": (
        lambda a: [lax.round(a * 4, way) for way in lax.RoundingMethod],
        np.array([0.125, 0.375, -0.125, -0.7, 2.0]),
    ),
    "add_any": (lambda a: jax.grad(lambda b: jnp.sum(b * jnp.sin(b)))(a), x),
    "div": (lambda a, b, m, n: [a / b, lax.div(m, n)], x, u, i, j),
    "rem": (lambda a, b, m, n: [lax.rem(a, b), lax.rem(m, n)], x * 5, y, i, j),
    "pow": (lambda a, b, n: [lax.pow(a, b), lax.pow(a[0, :3], n)], u, v, i),
    "integer_pow": (lambda a, n: [a**3, a**-1, a**-2, n**2], u, i),
    "call_hi_primitive": (lambda a: a * jnp.searchsorted(jnp.array([-1.0, 0.0, 1.0]), a), x),
    "log2": (lambda a: jnp.log2(a), u),
    "one_minus_square": (lambda a: jax.grad(lambda b: jnp.sum(jnp.tanh(b)))(a), x),
    "polynomial": (lambda a, c: [jnp.polyval(c, a), jnp.polyval(c[:1], a)], x, u[:, 0]),
    "nextafter": (lambda a, b: lax.nextafter(a, b), x, y),
    "igamma": one("igamma", u, v),
    "igammac": one("igammac", u, v),
    "igamma_grad_a": (lambda a, b: lax.igamma_grad_a(a, b), u, v),
    "polygamma": (lambda a: lax.polygamma(2.0, a), u),
    "zeta": (lambda a: lax.zeta(2.5, a), u),
    "regularized_incomplete_beta": (lambda a: lax.betainc(2.0, 3.0, a / 2), u),
    "clamp": (lambda a, b: lax.clamp(-0.5, a, b), x, u),
    "select_n": (
        lambda a, b, n: [lax.select_n(a > b, a, b), lax.select_n(n[0] - 5, a, b, a * b)],
        x,
        y,
        i,
    ),
    "convert_element_type": (
        lambda a, n, c: [
            a.astype("int32"),
            n.astype(float),
            a.astype("float32").astype(float),
            (a > 0) * 1.0,
            c.astype("complex64").astype(complex),
        ],
        x,
        i,
        z,
    ),
    "reduce_precision": (lambda a: lax.reduce_precision(a, 8, 7), x),
    "copy": (lambda a: jnp.copy(a), x),
    "device_put": (lambda a: jax.device_put(a), x),
    "name": (lambda a: Late("jax.ad_checkpoint").checkpoint_name(a, "a"), x),
    "optimization_barrier": (lambda a, b: lax.optimization_barrier((a, b)), x, y),
    **{name: (in_total_order(name), x, y) for name in ("eq_to", "le_to", "lt_to")},
    # truth and bits
    "and": (lambda a, b, n, m: [(a > 0) & (b > 0), n & m], x, y, i, j),
    "or": (lambda a, b, n, m: [(a > 0) | (b > 0), n | m], x, y, i, j),
    "xor": (lambda a, b, n, m: [(a > 0) ^ (b > 0), n ^ m], x, y, i, j),
    "not": (lambda a, n: [~(a > 0), ~n], x, i),
    "shift_left": (lambda n: n << 2, i),
    "shift_right_arithmetic": (lambda n: n >> 1, i),
    "shift_right_logical": (lambda n: lax.shift_right_logical(n, bits * 0 + 1), bits),
    "population_count": one("population_count", bits),
    "clz": one("clz", bits),
    "mulhi": one("mulhi", bits, bits),
    "bitcast_convert_type": (lambda n: lax.bitcast_convert_type(n, "int32"), bits),
    "reduce_xor": (lambda n: lax.reduce(n, 0, lax.bitwise_xor, (0,)), i),
    "random_wrap": (threefry, key),
    "random_bits": (threefry, key),
    "random_seed": (lambda n: random.bits(random.key(n[0])), i),
    "random_split": (lambda k: random.bits(random.split(random.wrap_key_data(k))[0]), key),
    "random_fold_in": (
        lambda k, n: random.bits(random.fold_in(random.wrap_key_data(k), n[0])),
        key,
        i,
    ),
    "random_unwrap": (lambda k: random.key_data(random.wrap_key_data(k)), key),
    "random_clone": (lambda k: random.bits(random.clone(random.wrap_key_data(k))), key),
    "threefry2x32": (
        lambda k: Late("jax.extend.random").threefry_2x32(k, jnp.arange(4, dtype="uint32")),
        key,
    ),
    "rng_bit_generator": (lambda k: lax.rng_bit_generator(jnp.tile(k, 2), (3,))[1], key),
    # moving
    "broadcast_in_dim": (lambda a: lax.broadcast_in_dim(a, (2, 3, 5, 4), (1, 3)), x),
    "reshape": (lambda a: [a.reshape(2, 6), lax.reshape(a, (6, 2), (1, 0))], x),
    "squeeze": (lambda a: lax.squeeze(a[:1], (0,)), x),
    "transpose": (lambda a: lax.transpose(a.reshape(3, 2, 2), (2, 0, 1)), x),
    "concatenate": (lambda a, b: lax.concatenate([a, b, a], 1), x, y),
    "rev": (lambda a: lax.rev(a, (0, 1)), x),
    "slice": (lambda a: lax.slice(a, (0, 1), (3, 4), (2, 2)), x),
    "pad": (
        lambda a, b: [
            lax.pad(a, b[0, 0], ((1, -1, 2), (-2, 3, 0))),
            lax.pad(a, 0.0, ((1, 1, 0),) * 2),
        ],
        x,
        y,
    ),
    "split": (lambda a: lax.split(a, (1, 3), 1), x),
    "stack": (lambda a, b: jnp.stack([a, b], 1), x, y),
    "tile": (lambda a: jnp.tile(a, (2, 1)), x),
    "unstack": (lambda a: jnp.unstack(a, axis=1), x),
    "dynamic_slice": (lambda a, n: lax.dynamic_slice(a, (n[0] - 9, 1), (2, 2)), x, i),
    "dynamic_update_slice": (
        lambda a, b, n: lax.dynamic_update_slice(a, b[:2, :2], (n[0], 1)),
        x,
        y,
        i,
    ),
    "gather": (
        lambda a, n: [
            a[np.array([0, 2, 2])],
            a[:, n % 4],
            a[n % 3, n % 2],
            a[:2, n % 3 - 1],
            jnp.take(a, n, axis=0, mode="clip"),
            jnp.take(a, n, axis=1, mode="fill", fill_value=2.0),
            jnp.take_along_axis(a, jnp.argsort(a, 1), 1),
        ],
        x,
        i,
    ),
    "scatter": (at("set"), x, N(4, 4)),
    "scatter-add": (at("add"), x, N(4, 4)),
    "scatter-sub": (at("subtract"), x, N(4, 4)),
    "scatter-mul": (at("multiply", unique_indices=True), x, N(4, 4)),
    "scatter-max": (at("max"), x, N(4, 4)),
    "scatter-min": (at("min"), x, N(4, 4)),
    # reductions and order
    "reduce_sum": (lambda a: a.sum((0, 1)), x),
    "reduce_prod": (lambda a: a.prod(0), x),
    "reduce_max": (lambda a: a.max(1), x),
    "reduce_min": (lambda a: a.min(0), x),
    "reduce_and": (lambda a: (a > -1).all(0), x),
    "reduce_or": (lambda a: (a > 1).any(1), x),
    "reduce": (
        lambda a, b: [
            lax.reduce(a, 0.5, lax.add, (1,)),
            lax.reduce(a, 0.25, lax.max, (0, 1)),
            lax.reduce(a, 0.5, lambda p, q: jnp.sqrt(p * p + q * q), (0,)),
            lax.reduce((a, b), (0.0, 1.0), lambda p, q: (p[0] + q[0], p[1] * q[1]), (1,)),
        ],
        x,
        y,
    ),
    "argmax": (lambda a: [jnp.argmax(a, 1), jnp.argmax(a)], x),
    "argmin": (lambda a: jnp.argmin(a, 0), x),
    "cumsum": (lambda a: [lax.cumsum(a, 0), lax.cumsum(a, 1, reverse=True)], x),
    "cumprod": (lambda a: lax.cumprod(a, 0, reverse=True), x),
    "cummax": (lambda a: lax.cummax(a, 1), x),
    "cummin": (lambda a: lax.cummin(a, 1, reverse=True), x),
    "cumlogsumexp": (lambda a: lax.cumlogsumexp(a, 1), x),
    "sort": (lambda a, b: lax.sort((a, b), dimension=0, num_keys=1), x, y),
    "top_k": (lambda a: lax.top_k(a, 2), x),
    # products and windows
    "dot_general": (
        lambda a, b: [
            a @ b.T,
            jnp.einsum("ij,ij->i", a, b),
            lax.dot_general(a, b, (((0,), (0,)), ((1,), (1,)))),
        ],
        x,
        y,
    ),
    "conv_general_dilated": (
        lambda a, f: [
            lax.conv_general_dilated(a, f, (2, 1), ((1, -1), (0, 2)), (1, 2), (2, 1)),
            lax.conv_general_dilated(
                jnp.concatenate([a, a * 2, a, a]),
                jnp.tile(f, (2, 1, 1, 1)),
                (1, 1),
                "SAME",
                batch_group_count=2,
            ),
        ],
        image,
        filters,
    ),
    "fft": (
        lambda a: [
            jnp.abs(jnp.fft.fft(a)),
            jnp.fft.irfft(jnp.fft.rfft(a)[:, :2]),
            jnp.fft.ifft2(a * 1j).imag,
            jnp.fft.irfft2(jnp.fft.rfft2(a)),
        ],
        x,
    ),
    "reduce_window": (
        lambda a: [
            window("mul", 1.0)(a),
            lax.reduce_window(a, 0.5, lax.max, (2, 2), (1, 1), "SAME"),
            lax.reduce_window(a, 0.0, lambda p, q: p + 2 * q, (2, 3), (1, 1), "VALID"),
        ],
        x,
    ),
    "reduce_window_sum": (window("add", 0.0), x),
    "reduce_window_max": (window("max", -np.inf), x),
    "reduce_window_min": (window("min", np.inf), x),
    "select_and_scatter_add": (
        lambda a, b: jax.vjp(largest_of_windows, a)[1](b)[0],
        x,
        y,
    ),
    "select_and_gather_add": (
        lambda a, b: jax.jvp(largest_of_windows, (a,), (b,))[1],
        x,
        y,
    ),
    # matrices
    "cholesky": (lambda a: linalg.cholesky(a), S(3)),
    "triangular_solve": (
        lambda a, b: [
            linalg.triangular_solve(
                a,
                b if left else b.T,
                left_side=left,
                lower=lower,
                transpose_a=turned,
                unit_diagonal=unit,
            )
            for left in (True, False)
            for lower in (True, False)
            for turned in (True, False)
            for unit in (True, False)
        ],
        S(3),
        x,
    ),
    "lu": (lambda a: linalg.lu(a)[0], N(3, 3)),
    "lu_pivots_to_permutation": (
        lambda a: linalg.lu_pivots_to_permutation(linalg.lu(a)[1], 3),
        S(3),
    ),
    "eigh": (lambda a: [b**2 for b in linalg.eigh(a)], S(3)),
    "eig": (lambda a: jnp.sort(jnp.abs(linalg.eig(a, compute_left_eigenvectors=False)[0])), S(3)),
    "svd": (
        lambda a: [
            *[b**2 for b in linalg.svd(a, full_matrices=False)],
            linalg.svd(a, compute_uv=False),
        ],
        x,
    ),
    "qr": (lambda a: linalg.qr(a.T, full_matrices=False), x),
    "tridiagonal_solve": (
        lambda a, b: linalg.tridiagonal_solve(
            a[0] * jnp.array([0.0, 1.0, 1.0, 1.0]),
            a[1] + 5,
            a[2] * jnp.array([1.0, 1.0, 1.0, 0.0]),
            b.T,
        ),
        x,
        y,
    ),
    # axes with names, and samples
    "psum": (lambda a: along_rows(lambda r: r / lax.psum(r * r, "i"))(a), x),
    "pmax": (lambda a: along_rows(lambda r: r - lax.pmax(r, "i"))(a), x),
    "pmin": (lambda a: along_rows(lambda r: r - lax.pmin(r, "i"))(a), x),
    "random_gamma": (lambda a: jax.random.beta(jax.random.key(2), a, a + 1), u),
    # calls
    "jit": (lambda a: jax.jit(jnp.sin)(a), x),
    "debug_print": (lambda a: (jax.debug.print("{}", a[0, 0]), jnp.sin(a))[1], x),
    "debug_callback": (lambda a: (jax.debug.callback(float, a[0, 0]), jnp.sin(a))[1], x),
    "custom_jvp_call": (both(lambda a: jnp.sin(a)), x),
    "custom_vjp_call": (with_backward, x),
    "remat2": (lambda a: jax.checkpoint(jnp.sin)(a), x),
    "composite": (lambda a: lax.composite(lambda b: jnp.sin(b), "own.sin")(a), x),
    "cond": (lambda a: lax.cond(a[0, 0] > 0, jnp.sin, jnp.cos, a), x),
    "while": (
        lambda a: lax.while_loop(lambda b: jnp.sum(b**2) < 1e3, lambda b: b * 1.5, a),
        x,
    ),
    "scan": (lambda a: lax.scan(lambda c, b: (c * b, c + b), a[0], a, reverse=True), x),
    "custom_linear_solve": (
        lambda a, b: lax.custom_linear_solve(
            lambda t: a @ t,
            b[0, :3],
            lambda _, t: jnp.linalg.solve(a, t),
            lambda _, t: jnp.linalg.solve(a.T, t),
        ),
        S(3),
        x,
    ),
}
