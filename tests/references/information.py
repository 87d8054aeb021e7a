"""Information, weights of rows and columns, quantiles and Bessel functions, as books have them."""

from __future__ import annotations

import numpy as np
from scipy import special

from tests.references.room import Reference, T, dot, exp, inv, log, mv, total, tr, unit

INFORMATION: dict[str, Reference] = {
    "mutual information by the table (Cover and Thomas 2.28)": Reference(
        lambda q: total(q.A * log(q.A / (total(q.A, 1)[:, None] * total(q.A, 0)))),
        "A",
        "log(A ⊘ (A 𝟏 𝟏ᵀ A)) - 𝟏 𝟏ᵀ",
    ),
    "conditional entropy by the table (Cover and Thomas 2.10)": Reference(
        lambda q: -total(q.A * log(q.A / total(q.A, 0))),
        "A",
        "-log(A diag(𝟏 ⊘ (Aᵀ 𝟏)))",
    ),
    "rate of a channel by its input (Blahut 1972)": Reference(
        lambda q: total(q.x[:, None] * q.A * log(q.A / mv(T(q.A), q.x))),
        "x",
        "(A ⊙ (log(A diag(𝟏 ⊘ (Aᵀ x))) - 𝟏 𝟏ᵀ)) 𝟏",
    ),
    "counts beside margins (Deming and Stephan 1940)": Reference(
        lambda q: total(q.B * log(q.A / (total(q.A, 1)[:, None] * total(q.A, 0)))),
        "A",
        "B ⊘ A - ((B 𝟏) ⊘ (A 𝟏)) 𝟏ᵀ - 𝟏 ((𝟏ᵀ B) ⊘ (𝟏ᵀ A))",
    ),
    "signs of a factor (Srebro 2004)": Reference(
        lambda q: total(log(1 + exp(-q.A * (q.X @ q.B)))),
        "X",
        "-(A ⊙ σ(-A ⊙ (X B))) Bᵀ",
    ),
    "dependence by kernels (Gretton 2005)": Reference(
        lambda q: tr(q.A @ (unit(q.A, 0) - 1 / 3) @ q.B @ (unit(q.A, 0) - 1 / 3)),
        "A",
        "(I - 𝟏 𝟏ᵀ / 3) Bᵀ (I - 𝟏 𝟏ᵀ / 3)",
        is_of_any_size=False,
    ),
    "a resolvent by its frequency (Kailath 1980)": Reference(
        lambda q: dot(q.a, mv(inv(q.s * unit(q.A, 0) - q.A), q.b)), "s", "-aᵀ (s I - A)⁻² b"
    ),
    "kernels by their width (Gretton 2012)": Reference(
        lambda q: total(exp(-total((q.x - q.M) ** 2, 1) / (2 * q.s**2))),
        "s",
        "𝟏ᵀ (x 𝟏ᵀ - Mᵀ)^⊙2 exp(-(𝟏 xᵀ - M)^⊙2 𝟏 / (2 s²)) / s³",
    ),
    "a quantile by its level": Reference(
        lambda q: special.ndtri(q.s / 3), "s", "1 / (3 φ(Φ⁻¹(s/3)))"
    ),
    "a quantile by its level, twice": Reference(
        lambda q: special.ndtri(q.s / 3), "s", "Φ⁻¹(s/3) / (9 φ(Φ⁻¹(s/3))²)", order=2
    ),
    "expected shortfall by its level (McNeil 2.19)": Reference(
        lambda q: (
            q.s + q.t * exp(-(special.ndtri(q.r / 3) ** 2) / 2) / np.sqrt(2 * np.pi) / (1 - q.r / 3)
        ),
        "r",
        "t (3 φ(Φ⁻¹(r/3)) / (3 - r) - Φ⁻¹(r/3)) / (3 - r)",
    ),
    "light through a round hole (Born and Wolf 8.5)": Reference(
        lambda q: special.jv(1, q.s * q.t) / q.t, "t", "-s J₂(s t) / t"
    ),
    "a kernel of Matérn, by Bessel functions (Stein 1999)": Reference(
        lambda q: q.s**1.5 * special.kv(1.5, q.s), "s", "-s^(3/2) K_(1/2)(s)"
    ),
    "concentration of directions, scaled (Mardia)": Reference(
        lambda q: total(log(special.i0e(q.x)) + q.x), "x", "𝟏 + I₁(x) ⊘ I₀(x) - sign(x)"
    ),
}
