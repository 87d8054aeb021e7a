"""What the judge tries in place of what stands in a candidate: every change of small functions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from symtape.verify.causes.changes import exchanged, inserted, places, replaced
from symtape.verify.causes.changes.dropped import dropped
from symtape.verify.causes.changes.listed import _spots, changes
from symtape.verify.causes.changes.reach import Reach

RULES: dict[str, tuple[Callable[[Any], list[Any]], tuple[str, ...]]] = {
    "operators": (
        lambda tree: [*replaced.OPERATORS],
        (
            "y = x; z[0] = y; y += x; y -= x; y *= x; y **= x; y /= x; y @= x; a = b = x",
            "y = -x + x * g; y = x - g / x; y = x @ g ** x; z = x[i + 1]; z = x[i - 1]; -(+x)",
            "y = where(x, g, 0); y = where(x); y = x if g else 0",
            "if x:\n        y = 1\n    else:\n        y = 2",
        ),
    ),
    "functions": (
        lambda tree: [*replaced.FUNCTIONS],
        (
            "y = np.sum(x, axis=0) + x.mean(1) + x.argmax(); y = exp(x)",
            "y = np.maximum(x, g); y = np.log(-x); y = g(x, 2, 0.5)",
            "y = x < 0; y = (x >= g) & (x != 2); y = (x == g) | y; y = 0 < x < 2",
            "y = solve(x, 'T', True); y = x[:, None]; y = np.abs(x)[0].sum()",
        ),
    ),
    "order": (
        lambda tree: [*places.ORDER],
        (
            "return x, g, [x, x * x]",
            "y = x.T @ g; y = np.swapaxes(x, 0, 1) + np.transpose(x); y = x[i, 1] * x[-1]",
            "for k in range(1, n):\n        y[k] = x[k - 1]",
            "for k in reversed(range(n)):\n        y[f(k)] = x[0.5]",
        ),
    ),
    "slices": (
        lambda tree: [*places.OTHERS],
        (
            "y = x[1:] + x[:-1] + x[1:2] + x[:] + x[::2] + x[1:3:2]; y = x[a, b]",
            "y = np.cumsum(x) + np.cumprod(g, 0); y = cumsum()",
            "for k in x:\n        y = k.T",
        ),
    ),
    "steps": (
        lambda tree: [*exchanged.RULES, *exchanged.OF_LOOPS],
        (
            "for k in x:\n        h = k\n        g = h\n        y += g",
            "y[a, b] = x * g; y[0] += x; y = x; f(x)\n    return g - x * x",
            "y = a + b + c + d + e + f + g + h",
        ),
    ),
    "turns": (
        lambda tree: [*exchanged.OTHERS],
        (
            "y = x[k] * g[k] + x[0]; y = x[k + 1] * g[k + 1]; y = x[k - 2] - g[k - 2]",
            "y = x[:, 0] * g[:, 0]; y = x[f(k)] * g[f(k)]\n    return x[k] * x[k]",
            "for k in x:\n        h = k\n        y[k] = h\n        z += h\n        f(x)",
            "while x:\n        h = x\n        y[0] += h",
        ),
    ),
    "dropped": (
        lambda tree: [dropped(tree)],
        ("s = x + 1\n    return g * x[k]", "return g + x", "s = x @ x; r = 1\n    return -x"),
    ),
    "inserted": (
        lambda tree: [*inserted.RULES],
        ("y = x; y = 2 * g", "return f(x) - g", "y = x[k] / g; y = [*x, 3]", "h = lambda y: y"),
    ),
    "pooled": (
        lambda tree: [inserted.pooled(tree), inserted.others(tree), places.elsewhere(tree)],
        ("y = x[0] * g\n    return x[1] - np.exp(x)", "y = x.T[k]\n    return y[j]"),
    ),
    "products": (
        lambda tree: [inserted.products],
        ("return x", "y = a = x; y = x + g", "a = b = c = d = e = f = h = i = j = k = l = m = x"),
    ),
}


def _function(body: str) -> Any:
    return ast.parse(f"def f(x, g):\n    {body}\n").body[0]


def _names(tree: Any) -> list[str]:
    stored = [n.id for n in ast.walk(tree) if type(n) is ast.Name and type(n.ctx) is ast.Store]
    return list(dict.fromkeys(["x", "g", *stored]))


def _made(rules: Callable[[Any], list[Any]], body: str) -> Iterator[str]:
    """Apply rules at every node of a function."""
    tree = _function(body)
    for spot in _spots(tree):
        for rule in rules(tree):
            for new, words in rule(spot.node, spot.parent, _names(tree)):
                made = " ".join(ast.unparse(ast.fix_missing_locations(new)).split())
                yield f"{' '.join(ast.unparse(spot.node).split())} → {made} ({words})"


def _all_made(rules: Callable[[Any], list[Any]], bodies: tuple[str, ...]) -> list[str]:
    return list(dict.fromkeys(line for body in bodies for line in _made(rules, body)))


def _in_turn(body: str) -> list[str]:
    """List what comes first and last of all changes, where all is a number."""
    tree = _function(body)
    found = list(changes(tree, frozenset(map(id, ast.walk(tree))), frozenset({0}), 2))
    told = [f"{ast.unparse(s.node)} → {o.words}" for s, options in found for o in options]
    return [str(len(told)), *told[:40], *told[-5:]]


SEVERAL = """n = len(x)
    a = x * g
    y, z = [], x
    for k in range(n):
        y.append(a[k])
    if n > 2:
        z = z + g
    with f(x) as w:
        w += 1
    return y, z, x"""


def _ranks() -> list[str]:
    """Say with which results each statement has to do, and what follows for each set of these."""
    tree = _function(SEVERAL)
    reach = Reach(tree, 3)
    wrong = [frozenset(w) for w in ({0}, {1}, {0, 1}, {2})]
    found = []
    for statement in tree.body:
        ranks = [reach.rank(statement, w) for w in wrong]
        line = ast.unparse(statement).splitlines()[0]
        found.append(f"{line} {sorted(reach.of(statement))} {ranks}")
    return found


TOLD: dict[str, Callable[[], Any]] = {
    name: partial(_all_made, rules, bodies) for name, (rules, bodies) in RULES.items()
}
TOLD |= {
    "all in turn": partial(_in_turn, "a = x[0] * g\n    b = -x\n    return a, b"),
    "with which results statements have to do": _ranks,
}
