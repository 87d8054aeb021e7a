"""What matrixcalculus.org documents and prints (Laue, Mitterreiter, Giesen), and its operators."""

from __future__ import annotations

import symtape as tf
from tests.references.room import (
    Reference,
    T,
    chain,
    det,
    dot,
    exp,
    inv,
    log,
    mv,
    outer,
    qf,
    sin,
    total,
    tr,
)

CALCULUS: dict[str, Reference] = {
    "xᵀAx + cᵀx": Reference(
        lambda q: dot(q.x, mv(q.A, q.x)) + dot(q.c, q.x), "x", "(A + Aᵀ) x + c"
    ),
    "its Hessian": Reference(lambda q: dot(q.x, mv(q.A, q.x)) + dot(q.c, q.x), "x", "A + Aᵀ", 2),
    "‖Mx-y‖²": Reference(lambda q: tf.norm(mv(q.M, q.x) - q.y) ** 2, "x", "2 Mᵀ (M x - y)"),
    "Hessian of ‖Mx-y‖²": Reference(lambda q: total((mv(q.M, q.x) - q.y) ** 2), "x", "2 Mᵀ M", 2),
    "‖Mx-y‖": Reference(lambda q: tf.norm(mv(q.M, q.x) - q.y), "x", "Mᵀ (M x - y) / ‖M x - y‖"),
    "sum log(1 + exp(-y ⊙ Mx))": Reference(
        lambda q: total(log(1 + exp(-q.y * mv(q.M, q.x)))), "x", "-Mᵀ (y ⊙ σ(-y ⊙ (M x)))"
    ),
    "exp(xᵀx)": Reference(lambda q: exp(dot(q.x, q.x)), "x", "2 exp(‖x‖²) x"),
    "cot s, twice": Reference(lambda q: 1 / tf.tan(q.s), "s", "2 cos(s) / sin(s)³", 2),
    "csc s, twice": Reference(lambda q: 1 / sin(q.s), "s", "(1 + cos(s)²) / sin(s)³", 2),
    "sin(aᵀx) b": Reference(lambda q: sin(dot(q.a, q.x)) * q.b, "x", "cos(aᵀ x) b aᵀ"),
    "log sum exp": Reference(lambda q: tf.reduce_logsumexp(q.x), "x", "softmax(x)"),
    "Hessian of log sum exp": Reference(
        lambda q: tf.reduce_logsumexp(q.x), "x", "diag(softmax(x)) - softmax(x) softmax(x)ᵀ", 2
    ),
    "softmax": Reference(
        lambda q: tf.nn.softmax(q.x), "x", "diag(softmax(x)) - softmax(x) softmax(x)ᵀ"
    ),
    "elementwise product": Reference(lambda q: q.x * mv(q.A, q.x), "x", "diag(x) A + diag(A x)"),
    "quotient": Reference(lambda q: q.x / q.a, "x", "diag(𝟏 ⊘ a)"),
    "cubes": Reference(lambda q: q.x**3, "x", "3 diag(x^⊙2)"),
    "matrix factorization": Reference(
        lambda q: tf.norm(q.M - q.W @ q.X) ** 2, "X", "2 Wᵀ (W X - M)"
    ),
    "ones": Reference(lambda q: total(q.M), "M", "𝟏 𝟏ᵀ"),
    "0.5x'Ax": Reference(lambda q: 0.5 * qf(q.A, q.x), "x", "(A + Aᵀ) x / 2"),
    "A exp(x)": Reference(lambda q: mv(q.A, exp(q.x)), "x", "A diag(exp(x))"),
    "(y.*v)'x by x": Reference(lambda q: dot(q.a * q.b, q.x), "x", "a ⊙ b"),
    "(y.*v)'x by y": Reference(lambda q: dot(q.a * q.b, q.x), "a", "x ⊙ b", book="b ⊙ x"),
    "norm1(Ax-y)": Reference(lambda q: total(tf.abs(mv(q.A, q.x) - q.b)), "x", "Aᵀ sign(A x - b)"),
    "norm2^2": Reference(lambda q: tf.norm(mv(q.A, q.x) - q.b) ** 2, "x", "2 Aᵀ (A x - b)"),
    "logistic": Reference(
        lambda q: total(log(exp(-q.y * mv(q.M, q.x)) + 1)),
        "x",
        "-Mᵀ (y ⊙ σ(-y ⊙ (M x)))",
        book="-Mᵀ (y ⊙ exp(-y ⊙ (M x)) ⊘ (𝟏 + exp(-y ⊙ (M x))))",
    ),
    "tr(AX'BXC)": Reference(
        lambda q: tr(chain(q.A, T(q.X), q.B, q.X, q.C)), "X", "Bᵀ X Aᵀ Cᵀ + B X C A"
    ),
    "log det inv X": Reference(lambda q: log(det(inv(q.X))), "X", "-X⁻ᵀ"),
    "sin(x)'y": Reference(lambda q: dot(sin(q.x), q.a), "x", "a ⊙ cos(x)"),
    "cos": Reference(lambda q: dot(tf.cos(q.x), q.a), "x", "-a ⊙ sin(x)", book="-(a ⊙ sin(x))"),
    "sum exp": Reference(lambda q: total(exp(mv(q.A, q.x))), "x", "Aᵀ exp(A x)"),
    "x'x / x'Ax": Reference(
        lambda q: dot(q.x, q.x) / qf(q.A, q.x),
        "x",
        "(2 x - ‖x‖² (A + Aᵀ) x / (xᵀ A x)) / (xᵀ A x)",
        book="2 x / (xᵀ A x) - ‖x‖² (A + Aᵀ) x / (xᵀ A x)²",
    ),
    "rayleigh": Reference(
        lambda q: qf(q.S, q.x) / dot(q.x, q.x),
        "x",
        "2 (I - x xᵀ / ‖x‖²) S x / ‖x‖²",
        book="2 S x / ‖x‖² - 2 (xᵀ S x) x / ‖x‖⁴",
        symmetric="S",
    ),
    "norm2(X)": Reference(lambda q: tf.norm(q.X), "X", "X / ‖X‖_F", book="X / ‖X‖"),
    "norm2(A*X-B)^2": Reference(lambda q: tf.norm(q.A @ q.X - q.B) ** 2, "X", "2 Aᵀ (A X - B)"),
    "sum of log": Reference(lambda q: total(log(q.x)), "x", "𝟏 ⊘ x"),
    "x.^3": Reference(lambda q: total(q.x**3), "x", "3 x^⊙2"),
    "x./y": Reference(lambda q: total(q.x / q.a), "a", "-x ⊘ a^⊙2", book="-(x ⊘ a^⊙2)"),
    "adj via det": Reference(
        lambda q: det(q.X) * dot(q.a, mv(inv(q.X), q.b)),
        "X",
        "det(X) ((aᵀ X⁻¹ b) I - X⁻ᵀ a bᵀ) X⁻ᵀ",
        book="det(X) ((aᵀ X⁻¹ b) X⁻ᵀ - X⁻ᵀ a bᵀ X⁻ᵀ)",
    ),
    "inv(X)b by b": Reference(lambda q: mv(inv(q.X), q.b), "b", "X⁻¹"),
    "logdet": Reference(
        lambda q: tf.linalg.slogdet(q.X @ T(q.X) + q.S)[1],
        "X",
        "2 (X Xᵀ + S)⁻¹ X",
        book="2 (S + X Xᵀ)⁻¹ X",
        symmetric="S",
    ),
    "elementwise inverse": Reference(lambda q: total(1 / mv(q.A, q.x)), "x", "-Aᵀ (𝟏 ⊘ (A x)^⊙2)"),
    "abs": Reference(lambda q: total(tf.abs(q.x)), "x", "sign(x)"),
    "hessian quad over lin": Reference(lambda q: dot(q.x, q.x) / q.s, "x", "2 I / s", order=2),
    "exp(x'Ax)": Reference(lambda q: exp(qf(q.A, q.x)), "x", "exp(xᵀ A x) (A + Aᵀ) x"),
    "log(x'Ax)": Reference(lambda q: log(qf(q.A, q.x)), "x", "(A + Aᵀ) x / (xᵀ A x)"),
    "log(sum(exp))": Reference(lambda q: log(total(exp(mv(q.A, q.x)))), "x", "Aᵀ softmax(A x)"),
    "tr(XX')^2": Reference(lambda q: tr(q.X @ T(q.X)) ** 2, "X", "4 ‖X‖_F² X", book="4 ‖X‖² X"),
    "kron-ish outer": Reference(
        lambda q: dot(q.a, mv(outer(q.x, q.x), q.b)), "x", "(b aᵀ + a bᵀ) x"
    ),
    "det(A+sI) by s": Reference(
        lambda q: det(q.A + q.s * tf.eye(q.A.shape[0], dtype=q.A.dtype)),
        "s",
        "det(A + s I) tr((A + s I)⁻¹)",
    ),
    "tr(inv(A+sI)) by s": Reference(
        lambda q: tr(inv(q.A + q.s * tf.eye(q.A.shape[0], dtype=q.A.dtype))),
        "s",
        "-tr((A + s I)⁻²)",
    ),
    "logdet(A+sB) by s": Reference(
        lambda q: tf.linalg.slogdet(q.A + q.s * q.B)[1],
        "s",
        "tr(B (A + s B)⁻¹)",
        book="tr((A + s B)⁻¹ B)",
    ),
    "logdet(diag(x))": Reference(lambda q: tf.linalg.slogdet(tf.linalg.diag(q.x))[1], "x", "𝟏 ⊘ x"),
    "a'*diag(x)*b": Reference(lambda q: dot(q.a, mv(tf.linalg.diag(q.x), q.b)), "x", "a ⊙ b"),
    "x'*diag(a)*x": Reference(lambda q: dot(q.x, q.a * q.x), "x", "2 (a ⊙ x)", book="2 a ⊙ x"),
    "norm2(a.*x-b)^2": Reference(
        lambda q: total((q.a * q.x - q.b) ** 2),
        "x",
        "2 (a ⊙ (a ⊙ x - b))",
        book="2 a ⊙ (a ⊙ x - b)",
    ),
    "sum(A.*(x*x'))": Reference(lambda q: total(q.A * outer(q.x, q.x)), "x", "(A + Aᵀ) x"),
    "norm2(X-x*a')^2 by x": Reference(
        lambda q: total((q.X - outer(q.x, q.a)) ** 2), "x", "2 (x aᵀ - X) a"
    ),
    "norm2(X-x*a')^2 by a": Reference(
        lambda q: total((q.X - outer(q.x, q.a)) ** 2), "a", "2 (a xᵀ - Xᵀ) x"
    ),
    "norm2(A*X*B-C)^2": Reference(
        lambda q: total((q.A @ q.X @ q.B - q.C) ** 2), "X", "2 Aᵀ (A X B - C) Bᵀ"
    ),
    "tr(X'*A*X)/tr(X'*X)": Reference(
        lambda q: tr(T(q.X) @ q.A @ q.X) / tr(T(q.X) @ q.X),
        "X",
        "((A + Aᵀ) X - 2 tr(X Xᵀ A) X / ‖X‖_F²) / ‖X‖_F²",
        book="(A + Aᵀ) X / ‖X‖² - 2 tr(Xᵀ A X) X / ‖X‖⁴",
    ),
    "sum(exp(X))": Reference(lambda q: total(exp(q.X)), "X", "exp(X)"),
    "sum(log(A*X))": Reference(
        lambda q: total(log(q.A @ q.X)), "X", "Aᵀ ((𝟏 𝟏ᵀ) ⊘ (A X))", book="Aᵀ (𝟏 𝟏ᵀ ⊘ (A X))"
    ),
    "norm1(X)": Reference(lambda q: total(tf.abs(q.X)), "X", "sign(X)"),
    "sum(sin(A*x).*b)": Reference(lambda q: dot(sin(mv(q.A, q.x)), q.b), "x", "Aᵀ (b ⊙ cos(A x))"),
    "(a'*x)^2": Reference(lambda q: dot(q.a, q.x) ** 2, "x", "2 (aᵀ x) a"),
    "its Hessian 2": Reference(lambda q: dot(q.a, q.x) ** 2, "x", "2 a aᵀ", order=2),
    "(a'*x)*(b'*x)": Reference(
        lambda q: dot(q.a, q.x) * dot(q.b, q.x), "x", "(b aᵀ + a bᵀ) x", book="(bᵀ x) a + (aᵀ x) b"
    ),
    "its Hessian 3": Reference(
        lambda q: dot(q.a, q.x) * dot(q.b, q.x), "x", "a bᵀ + b aᵀ", order=2
    ),
    "x.^s by s": Reference(lambda q: total(q.x**q.s), "s", "(x^⊙s)ᵀ log(x)", book="log(x)ᵀ x^⊙s"),
    "inv(s*I+A)*b by s": Reference(
        lambda q: dot(q.a, mv(inv(q.A + q.s * tf.eye(q.A.shape[0], dtype=q.A.dtype)), q.b)),
        "s",
        "-aᵀ (A + s I)⁻² b",
    ),
    "A*x Jacobian": Reference(lambda q: mv(q.A, q.x), "x", "A"),
    "exp(A*x) Jacobian": Reference(lambda q: exp(mv(q.A, q.x)), "x", "diag(exp(A x)) A"),
    "x*(x'*a) Jacobian": Reference(
        lambda q: q.x * dot(q.x, q.a), "x", "x aᵀ + (aᵀ x) I", book="(aᵀ x) I + x aᵀ"
    ),
    "x/(a'*x) Jacobian": Reference(
        lambda q: q.x / dot(q.a, q.x),
        "x",
        "(I - x aᵀ / (xᵀ a)) / (xᵀ a)",
        book="I / (aᵀ x) - x aᵀ / (aᵀ x)²",
    ),
    "inv(A)*x Jacobian": Reference(lambda q: tf.linalg.solve(q.A, q.x[:, None])[:, 0], "x", "A⁻¹"),
    "Hessian of exp(a'*x)": Reference(lambda q: exp(dot(q.a, q.x)), "x", "exp(aᵀ x) a aᵀ", order=2),
    "Hessian of norm2(x)": Reference(
        lambda q: tf.norm(q.x),
        "x",
        "(I - x xᵀ / ‖x‖²) / ‖x‖",
        book="I / ‖x‖ - x xᵀ / ‖x‖³",
        order=2,
    ),
    "Hessian of norm2(A*x-b)": Reference(
        lambda q: tf.norm(mv(q.A, q.x) - q.b),
        "x",
        "Aᵀ (I - (A x - b) (A x - b)ᵀ / ‖A x - b‖²) A / ‖A x - b‖",
        order=2,
        book="Aᵀ A / ‖A x - b‖ - Aᵀ (A x - b) (A x - b)ᵀ A / ‖A x - b‖³",
    ),
    "Hessian of x.^4": Reference(lambda q: total(q.x**4), "x", "12 diag(x^⊙2)", order=2),
    "Hessian of log(x'*x)": Reference(
        lambda q: log(dot(q.x, q.x)),
        "x",
        "2 (I - 2 x xᵀ / ‖x‖²) / ‖x‖²",
        order=2,
        book="2 I / ‖x‖² - 4 x xᵀ / ‖x‖⁴",
    ),
    "cholesky logdet": Reference(
        lambda q: 2 * total(log(tf.linalg.diag_part(tf.linalg.cholesky(q.A @ T(q.A) + q.S)))),
        "A",
        "2 (A Aᵀ + S)⁻¹ A",
        book="2 (S + A Aᵀ)⁻¹ A",
        symmetric="S",
    ),
}
