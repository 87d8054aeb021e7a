"""What the text of a structure says, as numbers: the judge of `t.structure`.

A formula such as `2 (Vᵀ V) ⊗ I` is read with the arrays that its names stand for; the sizes of
`I`, `𝟏` and `I[2]` are those that fit. A word such as `tridiagonal` is a property of the matrix.
Matrices count as their columns one after another, which `flat` does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from math import prod
from typing import Any

import numpy as np

_TOKEN = re.compile(
    r"(?:(?P<number>[0-9]+(?:\.[0-9]+)?)|(?P<word>[a-zσ]+)(?=\()|(?P<chosen>\[(?:[^\[\];]|\[[^\]]*\])*\])"
    r"|(?P<name>[A-Za-z𝟏])"
    r"|(?P<mark>⁻¹|⁻ᵀ|⁻[²³]|[²³⁴]|[ᵀ()⊗⊙⊘+\-;,\[\]/‖]))"
)
_POWERS = {"²": 2, "³": 3, "⁴": 4, "⁻²": -2, "⁻³": -3}
_ENDS = ("", "+", "-", ")", "⊗", "⊙", "⊘", ";", ",", "]", "/", "‖")
_FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "exp": np.exp, "cos": np.cos, "sin": np.sin, "tanh": np.tanh, "tril": np.tril, "triu": np.triu,
    "chol": np.linalg.cholesky,
    "σ": lambda z: 1 / (1 + np.exp(-z)), "softmax": lambda z: np.exp(z) / np.exp(z).sum(),
}  # fmt: skip


def flat(array: Any, rows: int) -> Any:
    """Write an array as a matrix; the axes of rows and of columns with the first one fastest."""
    shape = array.shape
    turned = array.transpose(*range(rows)[::-1], *range(rows, array.ndim)[::-1])
    return turned.reshape(prod(shape[:rows]), prod(shape[rows:]))


class Reader:
    """Reads a formula, and tries the sizes that fit."""

    def __init__(self, text: str, names: dict[str, Any], most: int) -> None:
        self.names = {name: _as_matrix(np.asarray(value)) for name, value in names.items()}
        self.tokens = list(self._split(text))
        self.at = 0
        self.tree = self._sum()
        assert self.at == len(self.tokens), f"{text}: {self.tokens[self.at :]} is left"
        self.sizes = range(1, most + 1)

    def _split(self, text: str) -> Iterator[tuple[str, str]]:
        """Take the longest name at each place; a bracket behind a name chooses from it."""
        at, last = 0, ""
        while at < len(text):
            if text[at] == " ":
                at, last = at + 1, ""
                continue
            found = _TOKEN.match(text, at)
            kind, token = (found.lastgroup, found[found.lastgroup]) if found else ("name", "")
            if kind == "chosen" and last != "name":
                kind, token = "mark", "["
            if kind == "name":
                token = max([n for n in self.names if text.startswith(n, at)] or [token], key=len)
            assert token, f"cannot read {text[at:]!r}"
            yield str(kind), token
            at, last = at + len(token), str(kind)

    def _peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def _take(self, token: str = "") -> str:
        found = self._peek()
        assert not token or found == token, f"{token} expected, not {found}"
        self.at += 1
        return found

    def _sum(self) -> Any:
        sign = -1 if self._peek() == "-" and self._take() else 1
        parts = [(sign, self._quotient())]
        while self._peek() in ("+", "-"):
            sign = 1 if self._take() == "+" else -1
            parts.append((sign, self._quotient()))
        return ("sum", parts)

    def _quotient(self) -> Any:
        found = self._joined(("⊗", "⊙", "⊘"))
        while self._peek() == "/":
            self._take()
            found = ("over", found, self._chain())
        return found

    def _joined(self, signs: tuple[str, ...]) -> Any:
        found = self._chain()
        while self._peek() in signs:
            sign = self._take()
            found = (_JOINED[sign], found, self._chain())
        return found

    def _chain(self) -> Any:
        parts = [self._atom()]
        while self._peek() not in _ENDS or self._opens_a_norm():
            parts.append(self._atom())
        return parts[0] if len(parts) == 1 else ("chain", parts)

    def _opens_a_norm(self) -> bool:
        return self._peek() == "‖" and sum(t == "‖" for _, t in self.tokens[: self.at]) % 2 == 0

    def _atom(self) -> Any:
        kind, word = self.tokens[self.at]
        self.at += 1
        if kind == "word":
            self._take("(")
            found: Any = (word if word in ("diag", "vec", "det") else "call", self._sum(), word)
            self._take(")")
        elif word in ("(", "‖"):
            found = self._sum() if word == "(" else ("norm", self._sum())
            self._take(")" if word == "(" else "‖")
        elif word == "[":
            found = ("stack", self._stack())
        else:
            found = (kind, word)
        while self.at < len(self.tokens):
            kind, mark = self.tokens[self.at]
            if kind != "chosen" and mark not in ("ᵀ", "⁻¹", "⁻ᵀ", *_POWERS):
                break
            self.at += 1
            found = self._marked(found, kind, mark)
        return found

    @staticmethod
    def _marked(found: Any, kind: str, mark: str) -> Any:
        if kind == "chosen":
            return ("chosen", found, mark[1:-1])
        if mark in _POWERS:
            return ("power", found, _POWERS[mark])
        found = ("inverse", found) if mark != "ᵀ" else found
        return ("turned", found) if mark != "⁻¹" else found

    def _stack(self) -> list[list[Any]]:
        rows = [[self._sum()]]
        while self._peek() in (";", ","):
            if self._take() == ";":
                rows.append([self._sum()])
            else:
                rows[-1].append(self._sum())
        self._take("]")
        return rows

    # --- numbers --------------------------------------------------------------------------------

    def matrices(self, r: int, c: int) -> list[Any]:
        """Give the matrices of r rows and c columns that the text can mean."""
        return list(self._all(self.tree, r, c))

    def _all(self, node: Any, r: int, c: int) -> Iterator[Any]:
        yield from getattr(self, f"_of_{node[0]}")(node, r, c)

    def _of_sum(self, node: Any, r: int, c: int) -> Iterator[Any]:
        found = [np.zeros((r, c))]
        for sign, part in node[1]:
            found = [a + sign * b for a in found for b in _distinct(self._all(part, r, c))]
        yield from found

    def _of_over(self, node: Any, r: int, c: int) -> Iterator[Any]:
        for below in _distinct(self._all(node[2], 1, 1)):
            yield from (inner / below.item() for inner in self._all(node[1], r, c))

    def _of_entries(self, node: Any, r: int, c: int, *, divided: bool) -> Iterator[Any]:
        for left in self._all(node[1], r, c):
            for right in self._all(node[2], r, c):
                yield left / right if divided else left * right

    def _of_times(self, node: Any, r: int, c: int) -> Iterator[Any]:
        yield from self._of_entries(node, r, c, divided=False)

    def _of_divided(self, node: Any, r: int, c: int) -> Iterator[Any]:
        yield from self._of_entries(node, r, c, divided=True)

    def _of_kron(self, node: Any, r: int, c: int) -> Iterator[Any]:
        _, first, other = node
        for a in (n for n in range(1, r + 1) if r % n == 0):
            for b in (n for n in range(1, c + 1) if c % n == 0):
                left = _distinct(self._all(first, a, b))
                for right in _distinct(self._all(other, r // a, c // b)) if left else []:
                    yield from (np.kron(one, right) for one in left)

    def _is_scalar(self, node: Any) -> bool:
        """Say whether a factor multiplies whatever stands behind it."""
        kind, inner = node[0], node[1]
        if kind == "power":
            return self._is_scalar(inner)
        is_name = kind == "name" and inner in self.names and self.names[inner].size == 1
        return is_name or kind in ("number", "norm", "det")

    def _of_chain(self, node: Any, r: int, c: int) -> Iterator[Any]:
        first, *rest = node[1]
        other = rest[0] if len(rest) == 1 else ("chain", rest)
        if self._is_scalar(first) or first[0] == "sum":  # such as (xᵀ y)
            for number in _distinct(self._all(first, 1, 1)):
                yield from (number.item() * inner for inner in self._all(other, r, c))
        if self._is_scalar(first):
            return
        for k in self.sizes:
            left = _distinct(self._all(first, r, k))
            for right in _distinct(self._all(other, k, c)) if left else []:
                yield from (one @ right for one in left)

    def _of_stack(self, node: Any, r: int, c: int) -> Iterator[Any]:
        first, *rest = node[1]
        if not rest:
            yield from self._row(first, r, c)
        for k in range(1, r) if rest else ():
            above = _distinct(self._row(first, k, c))
            for below in _distinct(self._all(("stack", rest), r - k, c)) if above else []:
                yield from (np.vstack([one, below]) for one in above)

    def _row(self, blocks: list[Any], r: int, c: int) -> Iterator[Any]:
        first, *rest = blocks
        if not rest:
            zeros = [np.zeros((r, c))] if first == _ZERO else []
            yield from zeros or self._all(first, r, c)
        for k in range(1, c) if rest else ():
            left = _distinct(self._row([first], r, k))
            for right in _distinct(self._row(rest, r, c - k)) if left else []:
                yield from (np.hstack([one, right]) for one in left)

    def _of_turned(self, node: Any, r: int, c: int) -> Iterator[Any]:
        for inner in self._all(node[1], c, r):
            yield inner.T

    def _of_inverse(self, node: Any, r: int, c: int) -> Iterator[Any]:
        if r == c:
            for inner in self._all(node[1], r, c):
                yield np.linalg.inv(inner)

    def _of_power(self, node: Any, r: int, c: int) -> Iterator[Any]:
        for inner in self._all(node[1], r, c) if r == c else ():
            yield np.linalg.matrix_power(inner, node[2])

    def _of_diag(self, node: Any, r: int, c: int) -> Iterator[Any]:
        for inner in self._all(node[1], r, 1) if r == c else ():
            yield np.diag(inner.ravel())

    def _of_vec(self, node: Any, r: int, c: int) -> Iterator[Any]:
        for k in (n for n in range(1, r + 1) if r % n == 0) if c == 1 else ():
            yield from (x.reshape(-1, 1, order="F") for x in self._all(node[1], k, r // k))

    def _of_any(self, function: Callable[[Any], Any], node: Any, r: int, c: int) -> Iterator[Any]:
        shapes = [(k, n) for k in self.sizes for n in self.sizes] if r == c == 1 else []
        for shape in shapes:
            yield from (np.full((1, 1), function(x)) for x in self._all(node[1], *shape))

    def _of_norm(self, node: Any, r: int, c: int) -> Iterator[Any]:
        yield from self._of_any(np.linalg.norm, node, r, c)

    def _of_det(self, node: Any, r: int, c: int) -> Iterator[Any]:
        square = [x for k in self.sizes for x in self._all(node[1], k, k)] if r == c == 1 else []
        yield from (np.full((1, 1), np.linalg.det(x)) for x in square)

    def _of_call(self, node: Any, r: int, c: int) -> Iterator[Any]:
        yield from map(_FUNCTIONS[node[2]], self._all(node[1], r, c))

    def _of_number(self, node: Any, r: int, c: int) -> Iterator[Any]:
        if (r, c) == (1, 1):
            yield np.full((1, 1), float(node[1]))

    def _of_chosen(self, node: Any, r: int, c: int) -> Iterator[Any]:
        for n in self.sizes:
            for whole in self._all(node[1], n, c):
                with_rows = _rows(whole, node[2])
                if with_rows is not None and with_rows.shape == (r, c):
                    yield with_rows

    def _of_name(self, node: Any, r: int, c: int) -> Iterator[Any]:
        if node[1] in self.names:
            if self.names[node[1]].shape == (r, c):
                yield self.names[node[1]]
        elif node[1] == "I":
            if r == c:
                yield np.eye(r)
        elif node[1] == "K":
            for m in (n for n in range(2, r) if r % n == 0) if r == c else ():
                places = np.arange(r).reshape(m, r // m)
                yield np.eye(r)[places.ravel(order="F")]
        else:
            assert node[1] == "𝟏", node
            if c == 1:
                yield np.ones((r, 1))


_ZERO = ("sum", [(1, ("number", "0"))])
_JOINED = {"⊗": "kron", "⊙": "times", "⊘": "divided"}


def _as_matrix(value: Any) -> Any:
    """Give a number or a vector two axes."""
    return value.reshape(*value.shape, *[1] * (2 - value.ndim)) if value.ndim < 2 else value


def _rows(whole: Any, inside: str) -> Any | None:
    """Choose rows as NumPy does; None where there are too few."""
    if inside.startswith("["):
        chosen: Any = [int(k) for k in inside[1:-1].split(",")]
    elif ":" in inside:
        chosen = slice(*[int(k) if k else None for k in inside.split(":")])
    else:
        chosen = [int(inside)]
    most = max(chosen) if isinstance(chosen, list) else max(chosen.stop or 0, chosen.start or 0) - 1
    return whole[chosen] if most < len(whole) else None


def _distinct(matrices: Iterator[Any]) -> list[Any]:
    found: list[Any] = []
    for matrix in matrices:
        if not any(np.allclose(matrix, other) for other in found):
            found.append(matrix)
    return found


def _offsets(matrix: Any) -> set[int]:
    rows, columns = np.nonzero(matrix)
    return {int(k) for k in columns - rows}


def _banded(matrix: Any, low: int, high: int) -> bool:
    return _offsets(matrix) <= set(range(low, high + 1))


def _ones(matrix: Any) -> bool:
    return bool(np.isin(matrix, (0, 1)).all())


def says(text: str, matrix: Any) -> bool | None:
    """Say whether a word is true of a matrix; None where the text is no word."""
    square = matrix.shape[0] == matrix.shape[1]
    if found := re.fullmatch(r"banded, diagonals (-?\d+) to (-?\d+)", text):
        return _banded(matrix, *map(int, found.groups()))
    if found := re.fullmatch(r"diagonals ([-\d, ]+)", text):
        return _offsets(matrix) <= {*map(int, found[1].split(","))}
    words = {
        "zero": bool(np.abs(matrix).max() < 1e-12),  # what cancels is zero but for rounding
        "diagonal": square and _banded(matrix, 0, 0),
        "tridiagonal": _banded(matrix, -1, 1),
        "bidiagonal": _banded(matrix, 0, 1) or _banded(matrix, -1, 0),
        "permutation": square and _ones(matrix) and bool((matrix.sum(0) == 1).all()),
        "selection": _ones(matrix)
        and bool((matrix.sum(0) <= 1).all() or (matrix.sum(1) <= 1).all()),
        "block diagonal": None,
        "block": None,
        "constant": None,
        "dense": None,
    }
    return True if text in words and words[text] is None else words.get(text)


def means(text: str, matrix: Any, names: dict[str, Any]) -> bool:
    """Say whether a text is true of a matrix, given the arrays that its names stand for."""
    word = says(text, matrix)
    if word is not None:
        return word
    most = max([*matrix.shape, *[n for value in names.values() for n in np.shape(value)]])
    reader = Reader(text, names, most)
    return any(np.allclose(m, matrix, rtol=1e-7, atol=1e-9) for m in reader.matrices(*matrix.shape))
