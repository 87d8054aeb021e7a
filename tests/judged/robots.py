# ruff: noqa: D103 - a candidate is described by its name
"""Jacobians of arms, vehicles and cameras, and forces of molecules, as their codes have them."""

from __future__ import annotations

import math
from math import cos, sin

import numpy as np

from tests.judged import causes as by
from tests.judged.case import Case


# 1 two link arm (DH matrices)
def dh(theta, d, a, alpha):
    return np.array(
        [
            [cos(theta), -sin(theta) * cos(alpha), sin(theta) * sin(alpha), a * cos(theta)],
            [sin(theta), cos(theta) * cos(alpha), -cos(theta) * sin(alpha), a * sin(theta)],
            [0, sin(alpha), cos(alpha), d],
            [0, 0, 0, 1],
        ]
    )


def fk(q):
    T = np.eye(4)
    for k, (d, a, al) in enumerate([(0.3, 0.0, np.pi / 2), (0.0, 0.5, 0.0), (0.0, 0.4, 0.0)]):
        T = T @ dh(q[k], d, a, al)
    return T[:3, 3]


c = Case("three link arm", fk, lambda r: [r.normal(size=3)], "jacobian")


@c.right
def fk_jac(q):
    Ts, T = [np.eye(4)], np.eye(4)
    for k, (d, a, al) in enumerate([(0.3, 0.0, np.pi / 2), (0.0, 0.5, 0.0), (0.0, 0.4, 0.0)]):
        T = T @ dh(q[k], d, a, al)
        Ts.append(T)
    J = np.zeros((3, 3))
    for i in range(3):
        z, p = Ts[i][:3, 2], Ts[i][:3, 3]
        J[:, i] = np.cross(z, Ts[-1][:3, 3] - p)
    return J


c.but(
    fk_jac,
    by.any_of(by.SIGN, "exchang"),
    ("np.cross(z, Ts[-1][:3, 3] - p)", "np.cross(Ts[-1][:3, 3] - p, z)"),
)
c.but(fk_jac, by.any_of(by.MISSING, "term"), ("Ts[-1][:3, 3] - p", "Ts[-1][:3, 3]"))
c.but(
    fk_jac,
    by.any_of(by.SHIFT, by.ENTRIES),
    ("Ts[i][:3, 2], Ts[i][:3, 3]", "Ts[i + 1][:3, 2], Ts[i][:3, 3]"),
)
c.but(
    fk_jac,
    by.any_of(by.ORDER, by.TRANSPOSED),
    ("Ts[i][:3, 2], Ts[i][:3, 3]", "Ts[i][2, :3], Ts[i][:3, 3]"),
)
c.but(fk_jac, by.any_of(by.TRANSPOSED, by.ORDER), ("J[:, i] =", "J[i, :] ="))


# 2 unicycle model
def uni(s, u, dt):
    x, y, th = s
    v, w = u
    return np.array([x + v * dt * math.cos(th), y + v * dt * math.sin(th), th + w * dt])


c = Case(
    "unicycle",
    uni,
    lambda r: [r.normal(size=3), r.normal(size=2), 0.1],
    "jacobian",
    {"wrt": [0, 1]},
    given=lambda x: x,
)


@c.right
def uni_jac(s, u, dt):
    th, v = s[2], u[0]
    A = np.eye(3)
    A[0, 2] = -v * dt * np.sin(th)
    A[1, 2] = v * dt * np.cos(th)
    B = np.array([[dt * np.cos(th), 0], [dt * np.sin(th), 0], [0, dt]])
    return A, B


c.but(uni_jac, by.SIGN, ("A[0, 2] = -v", "A[0, 2] = v"))
c.but(
    uni_jac,
    by.any_of(by.ORDER, by.SHIFT, by.ENTRIES),
    ("A[1, 2] = v * dt * np.cos", "A[2, 1] = v * dt * np.cos"),
)
c.but(uni_jac, by.any_of(by.MISSING, by.FACTOR), ("[0, dt]]", "[0, 1]]"))
c.but(
    uni_jac, by.any_of(by.MISSING, "diagonal", by.ZERO), ("A = np.eye(3)", "A = np.zeros((3, 3))")
)


# 3 EKF slam range bearing
def rb(p, m):
    d = m - p[:2]
    return np.array([np.sqrt(d @ d), np.arctan2(d[1], d[0]) - p[2]])


c = Case(
    "range and bearing",
    rb,
    lambda r: [r.normal(size=3), r.normal(size=2) + 3],
    "jacobian",
    has_numbers=False,
)


@c.right
def rb_jac(p, m):
    dx, dy = m[0] - p[0], m[1] - p[1]
    q = dx**2 + dy**2
    r = math.sqrt(q)
    H = np.array([[-dx / r, -dy / r, 0], [dy / q, -dx / q, -1]])
    return H, -H[:, :2]


c.but(rb_jac, by.SIGN, ("dy / q, -dx / q, -1", "dy / q, -dx / q, 1"))
c.but(
    rb_jac, by.any_of(by.OTHER, by.ENTRIES, "power"), ("dy / q, -dx / q, -1", "dy / r, -dx / r, -1")
)
c.but(rb_jac, by.any_of(by.OTHER, by.ENTRIES, by.ORDER), ("dy / q, -dx / q", "dx / q, -dy / q"))
c.but(rb_jac, by.SIGN, ("return H, -H", "return H, H"))


# 4 quaternion rotation
def qrot(q, v):
    w, u = q[0], q[1:]
    return (w * w - u @ u) * v + 2 * (u @ v) * u + 2 * w * np.cross(u, v)


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


c = Case(
    "quaternion",
    qrot,
    lambda r: [r.normal(size=4), r.normal(size=3)],
    "jacobian",
    has_numbers=False,
)


@c.right
def qrot_jac(q, v):
    w, u = q[0], q[1:]
    dw = 2 * w * v + 2 * np.cross(u, v)
    du = -2 * np.outer(v, u) + 2 * np.outer(u, v) + 2 * np.dot(u, v) * np.eye(3) - 2 * w * skew(v)
    R = (w * w - u @ u) * np.eye(3) + 2 * np.outer(u, u) + 2 * w * skew(u)
    return np.column_stack([dw, du]), R


c.but(
    qrot_jac,
    by.any_of(by.TRANSPOSED, by.ORDER, "exchang"),
    ("-2 * np.outer(v, u)", "-2 * np.outer(u, v)"),
)
c.but(qrot_jac, by.SIGN, ("- 2 * w * skew(v)", "+ 2 * w * skew(v)"))
c.but(qrot_jac, by.any_of(by.MISSING, by.FACTOR), ("dw = 2 * w * v +", "dw = w * v +"))
c.but(
    qrot_jac,
    by.any_of(by.ORDER, by.SHIFT, "exchang"),
    ("column_stack([dw, du])", "column_stack([du, dw])"),
)
c.but(qrot_jac, by.any_of(by.SIGN, by.TRANSPOSED), ("+ 2 * w * skew(u)\n", "- 2 * w * skew(u)\n"))


# 5 dihedral / angle force molecular dynamics
def angle(x):
    a, b = x[0] - x[1], x[2] - x[1]
    th = np.arccos(np.dot(a, b) / np.linalg.norm(a) / np.linalg.norm(b))
    return 0.5 * 3.0 * (th - 1.9) ** 2


c = Case("angle bend", angle, lambda r: [r.normal(size=(3, 3))], "gradient")


@c.right
def angle_grad(x):
    a, b = x[0] - x[1], x[2] - x[1]
    na, nb = np.linalg.norm(a), np.linalg.norm(b)
    co = a @ b / (na * nb)
    th = math.acos(co)
    pre = -3.0 * (th - 1.9) / math.sqrt(1 - co**2)
    g = np.zeros_like(x)
    g[0] = pre * (b / (na * nb) - co * a / na**2)
    g[2] = pre * (a / (na * nb) - co * b / nb**2)
    g[1] = -g[0] - g[2]
    return g


c.but(angle_grad, by.SIGN, ("pre = -3.0", "pre = 3.0"))
c.but(angle_grad, by.any_of(by.MISSING, by.ENTRIES, by.OTHER), ("    g[1] = -g[0] - g[2]\n", ""))
c.but(angle_grad, by.any_of(by.OTHER, "exchang"), ("- co * b / nb**2", "- co * b / na**2"))
c.but(angle_grad, by.any_of(by.MISSING, by.OTHER), (" / math.sqrt(1 - co**2)", " / (1 - co**2)"))


# 6 coulomb + harmonic with neighbour loops & periodic box
def ewaldless(x, q):
    e = 0.0
    for i in range(len(q)):
        for j in range(i):
            d = x[i] - x[j]
            d = d - 10.0 * np.round(d / 10.0)
            e += q[i] * q[j] / np.sqrt(np.sum(d**2))
    return e


c = Case(
    "coulomb with images",
    ewaldless,
    lambda r: [r.uniform(0, 10, (3, 3)), np.array([1.0, -1, 0.5])],
    "gradient",
    {"wrt": [0]},
    has_numbers=False,
)


@c.right
def coulomb_forces(x, q):
    F = np.zeros(x.shape)
    n = x.shape[0]
    for i in range(n):
        for j in range(i + 1, n):
            d = x[i] - x[j]
            d -= 10.0 * np.rint(d / 10.0)
            r = np.sqrt(d.dot(d))
            f = -q[i] * q[j] * d / r**3
            F[i] += f
            F[j] -= f
    return F


c.but(
    coulomb_forces,
    by.any_of("branch", by.MISSING),
    ("            d -= 10.0 * np.rint(d / 10.0)\n", ""),
)
c.but(coulomb_forces, by.SIGN, ("F[j] -= f", "F[j] += f"))
c.but(coulomb_forces, by.any_of("power", "number"), ("r**3", "r**2"))
c.but(coulomb_forces, by.any_of(by.SHIFT, "range"), ("range(i + 1, n)", "range(i + 2, n)"))


# 7 morse / stillinger
def morse(r, D, a, r0):
    return D * (1 - np.exp(-a * (r - r0))) ** 2


c = Case(
    "morse", morse, lambda r: [r.uniform(0.8, 2, 4), np.array(1.2), np.array(0.9), np.array(1.1)]
)


@c.right
def morse_back(r, D, a, r0, g):
    e = np.exp(-a * (r - r0))
    t = 2 * D * (1 - e) * e
    return g * t * a, np.sum(g * (1 - e) ** 2), np.sum(g * t * (r - r0)), -np.sum(g * t * a)


c.but(
    morse_back,
    by.any_of(by.MISSING, by.FACTOR),
    ("g * t * a, np.sum(g * (1", "g * t, np.sum(g * (1"),
)
c.but(morse_back, by.any_of(by.BROADCAST, by.SHAPE), ("-np.sum(g * t * a)", "-g * t * a"))
c.but(morse_back, by.any_of(by.HALF, by.FACTOR), ("t = 2 * D", "t = D"))
c.but(morse_back, by.any_of(by.MISSING, by.OTHER), ("(r - r0)), -np", "r), -np"))
