"""Section 2 of The Matrix Cookbook (Petersen and Pedersen, 2012), with its numbers: MC 49."""

from __future__ import annotations

import symtape as tf
from tests.references.room import Reference, T, chain, det, dot, inv, mv, outer, qf, total, tr

COOKBOOK: dict[str, Reference] = {
    "MC 49, det X": Reference(lambda q: tf.linalg.det(q.X), "X", "det(X) X⁻ᵀ"),
    "MC 51, det AXB": Reference(lambda q: tf.linalg.det(q.A @ q.X @ q.B), "X", "det(A X B) X⁻ᵀ"),
    "MC 57, log det X": Reference(lambda q: tf.linalg.slogdet(q.X)[1], "X", "X⁻ᵀ"),
    "MC 61, aᵀX⁻¹b": Reference(lambda q: dot(q.a, mv(inv(q.X), q.b)), "X", "-X⁻ᵀ a bᵀ X⁻ᵀ"),
    "MC 63, tr AX⁻¹B": Reference(lambda q: tr(q.A @ inv(q.X) @ q.B), "X", "-X⁻ᵀ Aᵀ Bᵀ X⁻ᵀ"),
    "MC 64, tr (X+A)⁻¹": Reference(lambda q: tr(inv(q.X + q.A)), "X", "-((X + A)⁻²)ᵀ"),
    "MC 69, xᵀa": Reference(lambda q: dot(q.x, q.a), "x", "a"),
    "MC 70, aᵀXb": Reference(lambda q: dot(q.a, mv(q.X, q.b)), "X", "a bᵀ"),
    "MC 71, aᵀXᵀb": Reference(lambda q: dot(q.a, mv(T(q.X), q.b)), "X", "b aᵀ"),
    "MC 72, aᵀXa": Reference(lambda q: dot(q.a, mv(q.X, q.a)), "X", "a aᵀ"),
    "MC 77, bᵀXᵀXc": Reference(lambda q: dot(q.b, mv(T(q.X) @ q.X, q.c)), "X", "X (b cᵀ + c bᵀ)"),
    "MC 78, (Bx+b)ᵀC(Dx+c)": Reference(
        lambda q: dot(mv(q.B, q.x) + q.b, mv(q.C, mv(q.D, q.x) + q.c)),
        "x",
        "Bᵀ C (D x + c) + Dᵀ Cᵀ (B x + b)",
    ),
    "MC 81, xᵀBx": Reference(lambda q: dot(q.x, mv(q.B, q.x)), "x", "(B + Bᵀ) x"),
    "MC 82, bᵀXᵀDXc": Reference(
        lambda q: dot(mv(q.X, q.b), mv(q.D, mv(q.X, q.c))), "X", "D X c bᵀ + Dᵀ X b cᵀ"
    ),
    "MC 83, (Xb+c)ᵀD(Xb+c)": Reference(
        lambda q: dot(mv(q.X, q.b) + q.c, mv(q.D, mv(q.X, q.b) + q.c)),
        "X",
        "(D + Dᵀ) (X b + c) bᵀ",
    ),
    "MC 84, (x-As)ᵀW(x-As) by x": Reference(
        lambda q: dot(q.x - mv(q.A, q.a), mv(q.B, q.x - mv(q.A, q.a))),
        "x",
        "(B + Bᵀ) (x - A a)",
    ),
    "MC 85, by s": Reference(
        lambda q: dot(q.x - mv(q.A, q.a), mv(q.B, q.x - mv(q.A, q.a))), "a", "Aᵀ (B + Bᵀ) (A a - x)"
    ),
    "MC 88, by A": Reference(
        lambda q: dot(q.x - mv(q.A, q.a), mv(q.B, q.x - mv(q.A, q.a))), "A", "(B + Bᵀ) (A a - x) aᵀ"
    ),
    "MC 99, tr X": Reference(lambda q: tr(q.X), "X", "I"),
    "MC 100, tr XA": Reference(lambda q: tr(q.X @ q.A), "X", "Aᵀ"),
    "MC 101, tr AXB": Reference(lambda q: tr(q.A @ q.X @ q.B), "X", "Aᵀ Bᵀ"),
    "MC 102, tr AXᵀB": Reference(lambda q: tr(q.A @ T(q.X) @ q.B), "X", "B A"),
    "MC 103, tr XᵀA": Reference(lambda q: tr(T(q.X) @ q.A), "X", "A"),
    "MC 106, tr X²": Reference(lambda q: tr(q.X @ q.X), "X", "2 Xᵀ"),
    "MC 107, tr X²B": Reference(lambda q: tr(q.X @ q.X @ q.B), "X", "(B X + X B)ᵀ"),
    "MC 108, tr XᵀBX": Reference(lambda q: tr(T(q.X) @ q.B @ q.X), "X", "(B + Bᵀ) X"),
    "MC 111, tr XBXᵀ": Reference(lambda q: tr(q.X @ q.B @ T(q.X)), "X", "X (B + Bᵀ)"),
    "MC 115, tr XᵀX": Reference(lambda q: tr(T(q.X) @ q.X), "X", "2 X"),
    "MC 109, tr BXXᵀ": Reference(lambda q: tr(q.B @ q.X @ T(q.X)), "X", "(B + Bᵀ) X"),
    "MC 116, tr BᵀXᵀCXB": Reference(
        lambda q: tr(T(q.B) @ T(q.X) @ q.C @ q.X @ q.B), "X", "(C + Cᵀ) X B Bᵀ"
    ),
    "MC 117, tr XᵀBXC": Reference(lambda q: tr(T(q.X) @ q.B @ q.X @ q.C), "X", "Bᵀ X Cᵀ + B X C"),
    "MC 118, tr AXBXᵀC": Reference(
        lambda q: tr(q.A @ q.X @ q.B @ T(q.X) @ q.C), "X", "C A X B + Aᵀ Cᵀ X Bᵀ"
    ),
    "MC 121, tr X³": Reference(lambda q: tr(q.X @ q.X @ q.X), "X", "3 (X²)ᵀ"),
    "MC 124, tr AX⁻¹B": Reference(lambda q: tr(q.A @ inv(q.X) @ q.B), "X", "-X⁻ᵀ Aᵀ Bᵀ X⁻ᵀ"),
    "MC 129, ‖x-a‖": Reference(lambda q: tf.norm(q.x - q.a), "x", "(x - a) / ‖x - a‖"),
    "MC 130, (x-a)/‖x-a‖": Reference(
        lambda q: (q.x - q.a) / tf.norm(q.x - q.a),
        "x",
        "(I - (x - a) (x - a)ᵀ / ‖x - a‖²) / ‖x - a‖",
        book="I / ‖x - a‖ - (x - a) (x - a)ᵀ / ‖x - a‖³",
    ),
    "MC 131, ‖x‖²": Reference(lambda q: tf.norm(q.x) ** 2, "x", "2 x"),
    "MC 132, ‖X‖²": Reference(lambda q: tf.norm(q.X) ** 2, "X", "2 X"),
    "log det XXᵀ": Reference(lambda q: tf.linalg.slogdet(q.M @ T(q.M))[1], "M", "2 (M Mᵀ)⁻¹ M"),
    "MC 52 det XᵀAX square": Reference(lambda q: det(T(q.X) @ q.A @ q.X), "X", "2 det(Xᵀ A X) X⁻ᵀ"),
    "MC 53 det MᵀAM symmetric": Reference(
        lambda q: det(q.M @ q.S @ T(q.M)), "M", "2 det(M S Mᵀ) (M S Mᵀ)⁻¹ M S", symmetric="S"
    ),
    "MC 54": Reference(
        lambda q: det(q.M @ q.A @ T(q.M)),
        "M",
        "det(M A Mᵀ) ((M A Mᵀ)⁻ᵀ M Aᵀ + (M A Mᵀ)⁻¹ M A)",
        book="det(M A Mᵀ) ((M A Mᵀ)⁻ᵀ M Aᵀ + (M Aᵀ Mᵀ)⁻ᵀ M A)",
    ),
    "MC 55 log det XᵀX": Reference(
        lambda q: tf.linalg.slogdet(q.W @ T(q.W))[1], "W", "2 (W Wᵀ)⁻¹ W"
    ),
    "MC 58 det X³": Reference(lambda q: det(q.X @ q.X @ q.X), "X", "3 det(X³) X⁻ᵀ"),
    "MC 62 det X⁻¹": Reference(lambda q: det(inv(q.X)), "X", "-det(X⁻¹) X⁻ᵀ"),
    "MC 66 prod eig = det": Reference(lambda q: det(q.X), "X", "det(X) X⁻ᵀ"),
    "MC 72b aᵀXᵀa": Reference(lambda q: dot(q.a, mv(T(q.X), q.a)), "X", "a aᵀ"),
    "MC 76 sum sum": Reference(lambda q: total(q.X) ** 2, "X", "2 (𝟏ᵀ X 𝟏) 𝟏 𝟏ᵀ"),
    "MC 84 by s, W symmetric": Reference(
        lambda q: qf(q.S, q.x - mv(q.A, q.a)),
        "a",
        "2 Aᵀ S (A a - x)",
        book="-2 Aᵀ S (x - A a)",
        symmetric="S",
    ),
    "MC 85 W sym": Reference(lambda q: qf(q.S, q.x - q.a), "x", "2 S (x - a)", symmetric="S"),
    "MC 86 W sym": Reference(
        lambda q: qf(q.S, q.x - q.a), "a", "2 S (a - x)", book="-2 S (x - a)", symmetric="S"
    ),
    "MC 87 W sym": Reference(
        lambda q: qf(q.S, q.x - mv(q.A, q.a)), "x", "2 S (x - A a)", symmetric="S"
    ),
    "MC 88 W sym by A": Reference(
        lambda q: qf(q.S, q.x - mv(q.A, q.a)),
        "A",
        "2 S (A a - x) aᵀ",
        book="-2 S (x - A a) aᵀ",
        symmetric="S",
    ),
    "MC 91 aᵀX²b": Reference(
        lambda q: dot(q.a, mv(q.X @ q.X, q.b)), "X", "a bᵀ Xᵀ + Xᵀ a bᵀ", book="a bᵀ Xᵀ + Xᵀ a bᵀ"
    ),
    "MC 91 aᵀX³b": Reference(
        lambda q: dot(q.a, mv(chain(q.X, q.X, q.X), q.b)),
        "X",
        "a bᵀ (X²)ᵀ + Xᵀ (a bᵀ Xᵀ + Xᵀ a bᵀ)",
        book="a bᵀ (X²)ᵀ + Xᵀ a bᵀ Xᵀ + (X²)ᵀ a bᵀ",
    ),
    "MC 92 aᵀ(X²)ᵀX²b": Reference(
        lambda q: dot(mv(q.X @ q.X, q.a), mv(q.X @ q.X, q.b)),
        "X",
        "Xᵀ X² (a bᵀ + b aᵀ) + X² (a bᵀ + b aᵀ) Xᵀ",
        book="X² a bᵀ Xᵀ + X² b aᵀ Xᵀ + Xᵀ X² a bᵀ + Xᵀ X² b aᵀ",
    ),
    "MC 97 xᵀAx+bᵀx": Reference(lambda q: qf(q.A, q.x) + dot(q.b, q.x), "x", "(A + Aᵀ) x + b"),
    "MC 98 Hessian": Reference(lambda q: qf(q.A, q.x) + dot(q.b, q.x), "x", "A + Aᵀ", order=2),
    "MC 104 tr AXᵀ": Reference(lambda q: tr(q.A @ T(q.X)), "X", "A"),
    "MC 105 tr A⊗X": Reference(lambda q: tr(q.A) * tr(q.X), "X", "tr(A) I"),
    "MC 110 tr XXᵀB": Reference(
        lambda q: tr(q.X @ T(q.X) @ q.B), "X", "(B + Bᵀ) X", book="B X + Bᵀ X"
    ),
    "MC 112 tr BXᵀX": Reference(
        lambda q: tr(q.B @ T(q.X) @ q.X), "X", "X (B + Bᵀ)", book="X Bᵀ + X B"
    ),
    "MC 113 tr XᵀXB": Reference(
        lambda q: tr(T(q.X) @ q.X @ q.B), "X", "X (B + Bᵀ)", book="X Bᵀ + X B"
    ),
    "MC 114 tr AXBX": Reference(
        lambda q: tr(q.A @ q.X @ q.B @ q.X), "X", "(B X A + A X B)ᵀ", book="Aᵀ Xᵀ Bᵀ + Bᵀ Xᵀ Aᵀ"
    ),
    "MC 115b tr XXᵀ": Reference(lambda q: tr(q.X @ T(q.X)), "X", "2 X"),
    "MC 119": Reference(
        lambda q: tr((q.A @ q.X @ q.B + q.C) @ T(q.A @ q.X @ q.B + q.C)), "X", "2 Aᵀ (A X B + C) Bᵀ"
    ),
    "MC 120 tr X⊗X": Reference(lambda q: tr(q.X) * tr(q.X), "X", "2 tr(X) I"),
    "MC 121 tr X⁴": Reference(lambda q: tr(chain(q.X, q.X, q.X, q.X)), "X", "4 (X³)ᵀ"),
    "MC 122 tr AX²": Reference(lambda q: tr(q.A @ q.X @ q.X), "X", "(A X + X A)ᵀ"),
    "MC 122 tr AX³": Reference(
        lambda q: tr(chain(q.A, q.X, q.X, q.X)),
        "X",
        "(A X² + X (A X + X A))ᵀ",
        book="(A X² + X A X + X² A)ᵀ",
    ),
    "MC 123": Reference(
        lambda q: tr(chain(T(q.B), T(q.X), q.C, q.X, T(q.X), q.C, q.X, q.B)),
        "X",
        "(Cᵀ X Xᵀ Cᵀ + C X Xᵀ C) X B Bᵀ + (Cᵀ X B Bᵀ Xᵀ Cᵀ + C X B Bᵀ Xᵀ C) X",
        book="C X Xᵀ C X B Bᵀ + Cᵀ X B Bᵀ Xᵀ Cᵀ X + C X B Bᵀ Xᵀ C X + Cᵀ X Xᵀ Cᵀ X B Bᵀ",
    ),
    "MC 125": Reference(
        lambda q: tr(inv(T(q.X) @ q.S @ q.X) @ q.A),
        "X",
        "-X⁻ᵀ (A + Aᵀ) (Xᵀ S X)⁻¹",
        book="-(S X (Xᵀ S X)⁻¹) (A + Aᵀ) (Xᵀ S X)⁻¹",
        symmetric="S",
    ),
    "MC 125 wide": Reference(
        lambda q: tr(inv(q.M @ q.S @ T(q.M)) @ outer(q.y, q.z)),
        "M",
        "-(M S Mᵀ)⁻¹ (z yᵀ + y zᵀ) (M S Mᵀ)⁻¹ M S",
        book="-(M S Mᵀ)⁻¹ (y zᵀ + z yᵀ) (M S Mᵀ)⁻¹ M S",
        symmetric="S",
    ),
    "MC 126": Reference(
        lambda q: tr(inv(q.M @ q.S @ T(q.M)) @ (q.M @ q.D @ T(q.M))),
        "M",
        "2 (M S Mᵀ)⁻¹ M D (I - Mᵀ (M S Mᵀ)⁻¹ M S)",
        book="2 (M S Mᵀ)⁻¹ M D - 2 (M S Mᵀ)⁻¹ M D Mᵀ (M S Mᵀ)⁻¹ M S",
        symmetric="SD",
    ),
    "MC 127": Reference(
        lambda q: tr(inv(q.A + T(q.X) @ q.S @ q.X) @ (T(q.X) @ q.D @ q.X)),
        "X",
        "2 (I - S X (Xᵀ S X + A)⁻¹ Xᵀ) D X (Xᵀ S X + A)⁻¹",
        book="2 D X (A + Xᵀ S X)⁻¹ - 2 S X (A + Xᵀ S X)⁻¹ Xᵀ D X (A + Xᵀ S X)⁻¹",
        symmetric="SDA",
    ),
    "MC 130b": Reference(lambda q: tf.norm(mv(q.A, q.x) - q.b), "x", "Aᵀ (A x - b) / ‖A x - b‖"),
    "MC 132 Frobenius": Reference(lambda q: total(q.X * q.X), "X", "2 X"),
    "MC 141 tr of symmetric": Reference(
        lambda q: tr(q.A @ ((q.X + T(q.X)) / 2)), "X", "(A + Aᵀ) / 2"
    ),
    "MC diag: tr(A diag(x))": Reference(lambda q: tr(q.A @ tf.linalg.diag(q.x)), "x", "diag(A)"),
    "MC 60 entry of an inverse": Reference(
        lambda q: tf.linalg.inv(q.X)[0, 1], "X", "-X⁻ᵀ[:, 0] X⁻ᵀ[1]", is_of_any_size=False
    ),
    "MC 65 sum of eigenvalues": Reference(
        lambda q: tf.reduce_sum(tf.linalg.eigvalsh(q.S)), "S", "I", symmetric="S"
    ),
}
