# ruff: noqa: D103 - a candidate is described by its name
"""Jacobians of residuals and rates, scores of likelihoods, as SciPy and statistics have them."""

from __future__ import annotations

import numpy as np
from scipy import special

from tests.judged import causes as by
from tests.judged.case import Case


# 12 contrastive loss (chainer)
def contrastive(a, b, y):
    d = np.sqrt(np.sum((a - b) ** 2, axis=1))
    return np.sum(y * d**2 + (1 - y) * np.maximum(1 - d, 0) ** 2) / (2 * len(y))


c = Case(
    "contrastive",
    contrastive,
    lambda r: [r.normal(size=(4, 2)) * 0.4, r.normal(size=(4, 2)) * 0.4, np.array([1.0, 0, 0, 1])],
    "gradient",
    {"wrt": [0, 1]},
)


@c.right
def contrastive_back(a, b, y):
    diff = a - b
    dist = np.sqrt((diff**2).sum(axis=1))
    mdist = np.maximum(1 - dist, 0)
    alpha = 1 / len(y)
    gx0 = alpha * y[:, None] * diff
    gx0 += -alpha * ((1 - y) * mdist / np.maximum(dist, 1e-7))[:, None] * diff
    return gx0, -gx0


c.but(contrastive_back, by.SIGN, ("return gx0, -gx0", "return gx0, gx0"))
c.but(contrastive_back, by.any_of(by.MISSING, by.FACTOR), ("/ np.maximum(dist, 1e-7)", ""))
c.but(contrastive_back, by.any_of(by.MISSING, by.FACTOR), ("mdist / np", "1 / np"))


# 14 hmm forward log-lik gradient (posterior counts)
def hmm(logA, logpi, logB):
    a = logpi + logB[0]
    for t in range(1, len(logB)):
        a = np.log(np.sum(np.exp(a[:, None] + logA), axis=0)) + logB[t]
    return np.log(np.sum(np.exp(a)))


c = Case(
    "hmm",
    hmm,
    lambda r: [r.normal(size=(2, 2)), r.normal(size=2), r.normal(size=(4, 2))],
    "gradient",
)


@c.right
def hmm_counts(logA, logpi, logB):
    T, K = logB.shape
    al, be = np.zeros((T, K)), np.zeros((T, K))
    al[0] = logpi + logB[0]
    for t in range(1, T):
        for k in range(K):
            al[t, k] = np.log(np.sum(np.exp(al[t - 1] + logA[:, k]))) + logB[t, k]
    for t in range(T - 2, -1, -1):
        for k in range(K):
            be[t, k] = np.log(np.sum(np.exp(logA[k] + logB[t + 1] + be[t + 1])))
    ll = np.log(np.sum(np.exp(al[-1])))
    gamma = np.exp(al + be - ll)
    xi = np.zeros((K, K))
    for t in range(T - 1):
        xi += np.exp(al[t][:, None] + logA + (logB[t + 1] + be[t + 1])[None] - ll)
    return xi, gamma[0], gamma


c.but(hmm_counts, by.any_of(by.SHIFT, by.OTHER), ("return xi, gamma[0]", "return xi, gamma[-1]"))
c.but(hmm_counts, by.any_of(by.SHIFT, by.ENTRIES), ("range(T - 2, -1, -1)", "range(T - 2, 0, -1)"))
c.but(
    hmm_counts,
    by.any_of(by.TRANSPOSED, by.ORDER),
    ("logA[k] + logB[t + 1]", "logA[:, k] + logB[t + 1]"),
)
c.but(hmm_counts, by.any_of(by.MISSING, "overwritten"), ("xi += np.exp", "xi = np.exp"))
c.but(hmm_counts, by.any_of(by.MISSING, "term"), (" - ll)\n    return", ")\n    return"))


# 15 gmm EM-style gradient of log likelihood
def gmm(mu, ls, X):
    d = X[:, None] - mu[None]
    lp = (
        -0.5 * np.sum(d**2 * np.exp(-2 * ls), -1)
        - np.sum(ls, -1)
        - np.log(len(mu))
        - X.shape[1] / 2 * np.log(2 * np.pi)
    )
    return np.sum(np.log(np.sum(np.exp(lp), axis=1)))


c = Case(
    "mixture",
    gmm,
    lambda r: [r.normal(size=(2, 3)), r.normal(size=(2, 3)) * 0.3, r.normal(size=(4, 3))],
    "gradient",
    {"wrt": [0, 1]},
)


@c.right
def gmm_grad(mu, ls, X):
    K, D = mu.shape
    lp = np.zeros((len(X), K))
    for k in range(K):
        lp[:, k] = -0.5 * (((X - mu[k]) / np.exp(ls[k])) ** 2).sum(1) - ls[k].sum()
    r = np.exp(lp - lp.max(1, keepdims=True))
    r /= r.sum(1, keepdims=True)
    gm, gs = np.empty((K, D)), np.empty((K, D))
    for k in range(K):
        z = (X - mu[k]) / np.exp(ls[k])
        gm[k] = r[:, k] @ (z / np.exp(ls[k]))
        gs[k] = r[:, k] @ (z**2 - 1)
    return gm, gs


c.but(gmm_grad, by.any_of(by.MISSING, "term"), (" - ls[k].sum()", ""))
c.but(gmm_grad, by.any_of(by.MISSING, "term"), ("(z**2 - 1)", "z**2"))
c.but(
    gmm_grad,
    by.any_of(by.MEAN, "sum", by.OTHER),
    ("    r /= r.sum(1, keepdims=True)\n", "    r /= r.sum()\n"),
)
c.but(gmm_grad, by.any_of(by.MISSING, by.FACTOR), ("(z / np.exp(ls[k]))", "z"))
c.but(gmm_grad, by.any_of(by.OTHER, by.ENTRIES), ("r[:, k] @ (z / np", "r[:, 0] @ (z / np"))


# 16 matrix factorization with mask
def mf(U, V, R, M):
    return 0.5 * np.sum(M * (R - U @ V.T) ** 2) + 0.05 * (np.sum(U**2) + np.sum(V**2))


c = Case(
    "matrix factorisation",
    mf,
    lambda r: [
        r.normal(size=(3, 2)),
        r.normal(size=(4, 2)),
        r.normal(size=(3, 4)),
        (r.random((3, 4)) > 0.4).astype(float),
    ],
    "gradient",
    {"wrt": [0, 1]},
    has_numbers=False,
)


@c.right
def mf_grad(U, V, R, M):
    gU, gV = np.zeros(U.shape), np.zeros(V.shape)
    for i in range(len(U)):
        for j in range(len(V)):
            if M[i, j] > 0:
                e = R[i, j] - np.dot(U[i], V[j])
                gU[i] -= e * V[j]
                gV[j] -= e * U[i]
    return gU + 0.1 * U, gV + 0.1 * V


c.but(mf_grad, by.any_of(by.HALF, by.FACTOR), ("gU + 0.1 * U", "gU + 0.05 * U"))
c.but(mf_grad, by.any_of(by.MISSING, by.FACTOR), ("gV[j] -= e * U[i]", "gV[j] -= U[i]"))
c.but(mf_grad, by.any_of(by.MISSING, "overwritten"), ("gU[i] -= e * V[j]", "gU[i] = -e * V[j]"))
c.but(mf_grad, by.any_of(by.MASK), ("            if M[i, j] > 0:\n", "            if True:\n"))


# 1 enzyme model of scipy least_squares docs style
def enzyme(x, u, y):
    return x[0] * (u**2 + x[1] * u) / (u**2 + x[2] * u + x[3]) - y


c = Case(
    "kowalik osborne",
    enzyme,
    lambda r: [r.uniform(0.5, 2, 4), np.array([4.0, 2.0, 1.0, 0.5, 0.25]), r.uniform(0, 0.2, 5)],
    "jacobian",
    {"wrt": [0], "domain": {"x": "positive", "u": "positive"}},
)


@c.right
def enzyme_jac(x, u, y):
    J = np.empty((u.size, x.size))
    num, den = u**2 + x[1] * u, u**2 + x[2] * u + x[3]
    J[:, 0] = num / den
    J[:, 1] = x[0] * u / den
    J[:, 2] = -x[0] * num * u / den**2
    J[:, 3] = -x[0] * num / den**2
    return J


c.but(enzyme_jac, by.SIGN, ("J[:, 3] = -x[0]", "J[:, 3] = x[0]"))
c.but(enzyme_jac, by.MISSING, ("-x[0] * num * u / den**2", "-x[0] * num / den**2"))
c.but(enzyme_jac, by.any_of(by.MISSING, "power"), ("num * u / den**2", "num * u / den"))
c.but(
    enzyme_jac,
    by.any_of(by.SWAPPED, by.INSTEAD),
    (
        "J[:, 0] = num / den\n    J[:, 1] = x[0] * u / den",
        "J[:, 1] = num / den\n    J[:, 0] = x[0] * u / den",
    ),
)
c.but(enzyme_jac, by.any_of(by.SHAPE, by.TRANSPOSED), ("return J", "return J.T"))


# 3 van der pol solve_ivp
def vdp(y, mu):
    return np.array([y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]])


c = Case("van der pol", vdp, lambda r: [r.normal(size=2), np.array(3.0)], "jacobian", {"wrt": [0]})


@c.right
def vdp_jac(y, mu):
    return np.array([[0, 1], [-2 * mu * y[0] * y[1] - 1, mu * (1 - y[0] ** 2)]])


c.but(vdp_jac, by.SIGN, ("- 1, mu", "+ 1, mu"))
c.but(vdp_jac, by.MISSING, ("* y[1] - 1, mu", "* y[1], mu"))
c.but(vdp_jac, by.any_of(by.FACTOR, by.HALF), ("-2 * mu", "-mu"))
c.but(
    vdp_jac,
    by.TRANSPOSED,
    ("[0, 1], [-2 * mu * y[0] * y[1] - 1, mu", "[0, -2 * mu * y[0] * y[1] - 1], [1, mu"),
)
c.but(vdp_jac, by.any_of(by.INSTEAD, "power"), ("(1 - y[0] ** 2)", "(1 - y[0])"))


# 7 sklearn hessp multinomial
def mn_grad(w, X, Y, alpha):
    z = X @ w.T
    e = np.exp(z - z.max(axis=1, keepdims=True))
    p = e / e.sum(axis=1, keepdims=True)
    return (p - Y).T @ X + alpha * w


c = Case(
    "multinomial hessp",
    mn_grad,
    lambda r: [
        r.normal(size=(3, 2)),
        r.normal(size=(5, 2)),
        np.eye(3)[[0, 2, 1, 1, 0]],
        np.array(0.3),
    ],
    "vjp",
    {"wrt": [0]},
    has_numbers=False,
)


@c.right
def mn_hessp(w, X, Y, alpha, v):
    z = X @ w.T
    p = np.exp(z - special.logsumexp(z, axis=1)[:, np.newaxis])
    r_yhat = X @ v.T
    r_yhat += (-p * r_yhat).sum(axis=1)[:, np.newaxis]
    r_yhat *= p
    out = np.zeros((3, 2))
    out[:, :2] = r_yhat.T @ X
    out[:, :2] += v * alpha
    return out


c.but(mn_hessp, by.SIGN, ("(-p * r_yhat)", "(p * r_yhat)"))
c.but(mn_hessp, by.MISSING, ("    r_yhat *= p\n", ""))
c.but(mn_hessp, by.MISSING, ("    out[:, :2] += v * alpha\n", ""))
c.but(
    mn_hessp,
    by.any_of("axis", by.ENTRIES, by.OTHER, "wrong"),
    ("(-p * r_yhat).sum(axis=1)[:, np.newaxis]", "(-p * r_yhat).sum(axis=0)[np.newaxis]"),
)


# 9 negbin alpha
def nb2(params, X, y):
    a1 = np.exp(-params[-1])
    mu = np.exp(X @ params[:-1])
    size = a1
    return np.sum(
        special.gammaln(size + y)
        - special.gammaln(y + 1)
        - special.gammaln(size)
        + size * np.log(size / (size + mu))
        + y * np.log(mu / (size + mu))
    )


c = Case(
    "negative binomial score",
    nb2,
    lambda r: [np.array([0.3, -0.5, 0.2]), r.normal(size=(6, 2)), np.array([0.0, 1, 3, 0, 2, 5])],
    "gradient",
    {"wrt": [0]},
    has_numbers=False,
)


@c.right
def nb2_score(params, X, y):
    a1 = np.exp(-params[-1])
    mu = np.exp(X @ params[:-1])
    prob = a1 / (a1 + mu)
    dparams = X.T @ (prob * (y - mu))
    dalpha = (
        special.digamma(y + a1) - special.digamma(a1) + np.log(prob) - (y - mu) / (a1 + mu)
    ).sum() * -a1
    return np.r_[dparams, dalpha]


c.but(nb2_score, by.any_of(by.MISSING), (" - special.digamma(a1)", ""))
c.but(nb2_score, by.any_of(by.SIGN), ("* -a1", "* a1"))
c.but(nb2_score, by.any_of(by.MISSING), ("X.T @ (prob * (y - mu))", "X.T @ (y - mu)"))
c.but(nb2_score, by.any_of(by.SIGN, by.OTHER), ("- (y - mu) / (a1 + mu)", "- (y + mu) / (a1 + mu)"))
c.but(
    nb2_score,
    by.any_of(by.OTHER, "number"),
    ("special.digamma(y + a1)", "special.polygamma(1, y + a1)"),
)


# 10 cox partial likelihood
def cox(beta, X, event):
    eta = X @ beta
    ll = 0.0
    for i in range(len(event)):
        if event[i]:
            ll = ll + eta[i] - np.log(np.sum(np.exp(eta[i:])))
    return ll


c = Case(
    "cox score",
    cox,
    lambda r: [r.normal(size=2), r.normal(size=(5, 2)), np.array([1, 0, 1, 1, 0])],
    "gradient",
    {"wrt": [0]},
    has_numbers=False,
)


@c.right
def cox_score(beta, X, event):
    w = np.exp(X @ beta)
    s0 = np.cumsum(w[::-1])[::-1]
    s1 = np.cumsum((w[:, None] * X)[::-1], axis=0)[::-1]
    return np.sum(event[:, None] * (X - s1 / s0[:, None]), axis=0)


c.but(cox_score, by.any_of(by.ORDER, "way"), ("np.cumsum(w[::-1])[::-1]", "np.cumsum(w)"))
c.but(cox_score, by.any_of(by.MISSING, by.FACTOR), ("event[:, None] * (X - s1", "(X - s1"))
c.but(cox_score, by.MISSING, ("(w[:, None] * X)[::-1]", "X[::-1]"))
c.but(cox_score, by.SIGN, ("(X - s1 /", "(X + s1 /"))
c = Case(
    "cox hessian",
    cox,
    lambda r: [r.normal(size=2), r.normal(size=(5, 2)), np.array([1, 0, 1, 1, 0])],
    "hessian",
    {"wrt": [0]},
    has_numbers=False,
)


@c.right
def cox_hess(beta, X, event):
    w = np.exp(X @ beta)
    H = np.zeros((len(beta), len(beta)))
    for i in range(len(event)):
        if not event[i]:
            continue
        risk = slice(i, None)
        s0 = w[risk].sum()
        m = (w[risk, None] * X[risk]).sum(0) / s0
        H -= (X[risk].T * w[risk]) @ X[risk] / s0 - np.outer(m, m)
    return H


c.but(cox_hess, by.MISSING, (" - np.outer(m, m)", ""))
c.but(cox_hess, by.SIGN, ("H -= (X", "H += (X"))
c.but(cox_hess, by.any_of(by.SHIFT, "finite"), ("slice(i, None)", "slice(i + 1, None)"))
c.but(
    cox_hess,
    by.any_of("branch", "condition", by.MISSING),
    ("        if not event[i]:\n            continue\n", ""),
)
