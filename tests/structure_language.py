"""What the text of a structure says, as numbers: the judge of `t.structure`.

A formula such as `2·(VᵀV) ⊗ I` is read with the arrays that its names stand for; the sizes of `I`,
`1` and `e₂` are those that fit. A word such as `tridiagonal` is a property of the matrix. Matrices
count as their columns one after another, which `flat` does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_TOKEN = re.compile(
    r"(?:(?P<select>I\[(?:[^\[\]]|\[[^\]]*\])*\])|(?P<number>\d+(?:/\d+)?)"
    r"|(?P<unit>e[₀-₉]+)|(?P<word>diag|vec)(?=\()|(?P<name>[A-Za-z])"
    r"|(?P<mark>⁻¹|⁻ᵀ|[ᵀ()⊗+−·;,\[\]]))"
)


def flat(array: Any, rows: int) -> Any:
    """Write an array as a matrix; the axes of rows and of columns with the first one fastest."""
    shape = array.shape
    turned = array.transpose(*range(rows)[::-1], *range(rows, array.ndim)[::-1])
    return turned.reshape(prod(shape[:rows]), prod(shape[rows:]))


class Reader:
    """Reads a formula, and tries the sizes that fit."""

    def __init__(self, text: str, names: dict[str, Any], most: int) -> None:
        self.names = {name: np.asarray(value) for name, value in names.items()}
        self.tokens = list(self._split(text))
        self.at = 0
        self.tree = self._sum()
        assert self.at == len(self.tokens), f"{text}: {self.tokens[self.at :]} is left"
        self.sizes = range(1, most + 1)

    def _split(self, text: str) -> Iterator[tuple[str, str]]:
        """Take the longest name at each place; single letters may stand side by side."""
        at = 0
        while at < len(text):
            if text[at] == " ":
                at += 1
                continue
            found = _TOKEN.match(text, at)
            kind, token = (found.lastgroup, found[found.lastgroup]) if found else ("name", "")
            if kind == "name":
                token = max([n for n in self.names if text.startswith(n, at)] or [token], key=len)
            assert token, f"cannot read {text[at:]!r}"
            yield str(kind), token
            at += len(token)

    def _peek(self, k: int = 0) -> str:
        return self.tokens[self.at + k][1] if self.at + k < len(self.tokens) else ""

    def _take(self, token: str = "") -> str:
        found = self._peek()
        assert not token or found == token, f"{token} expected, not {found}"
        self.at += 1
        return found

    def _sum(self) -> Any:
        sign = -1 if self._peek() == "−" and self._take() else 1
        parts = [(sign, self._scaled())]
        while self._peek() in ("+", "−"):
            sign = 1 if self._take() == "+" else -1
            parts.append((sign, self._scaled()))
        return ("sum", parts)

    def _scaled(self) -> Any:
        factors = []
        while self._peek(1) == "·":
            kind, token = self.tokens[self.at]
            factors.append(float(Fraction(token)) if kind == "number" else self.names[token].item())
            self.at += 2
        return ("scaled", prod(factors), self._kron())

    def _kron(self) -> Any:
        parts = [self._chain()]
        while self._peek() == "⊗":
            self._take()
            parts.append(self._chain())
        return parts[0] if len(parts) == 1 else ("kron", parts)

    def _chain(self) -> Any:
        parts = [self._atom()]
        while self._peek() and self._peek() not in ("+", "−", ")", "⊗", ";", ",", "]"):
            parts.append(self._atom())
        return parts[0] if len(parts) == 1 else ("chain", parts)

    def _atom(self) -> Any:
        kind, token = self.tokens[self.at]
        self.at += 1
        if kind == "word":
            self._take("(")
            found: Any = (token, self._elementwise())
            self._take(")")
        elif (kind, token) == ("mark", "("):
            found = self._sum()
            self._take(")")
        elif (kind, token) == ("mark", "["):
            found = ("stack", *self._stack())
        else:
            found = (kind, token)
        while self._peek() in ("ᵀ", "⁻¹", "⁻ᵀ"):
            mark = self._take()
            found = ("inverse", found) if mark != "ᵀ" else found
            found = ("turned", found) if mark != "⁻¹" else found
        return found

    def _stack(self) -> tuple[str, list[Any]]:
        parts, mark = [self._sum()], ";"
        while self._peek() in (";", ","):
            mark = self._take()
            parts.append(self._sum())
        self._take("]")
        return mark, parts

    def _elementwise(self) -> Any:
        value = self._value()
        while self._peek() == "·":
            self._take()
            value = value * self._value()
        return value

    def _value(self) -> Any:
        if self._peek() == "vec":
            self._take()
            self._take("(")
            inner = self._elementwise()
            self._take(")")
            return inner.ravel(order="F")
        value = self.names[self._take()]
        while self._peek() in ("ᵀ", "⁻¹", "⁻ᵀ"):
            mark = self._take()
            value = np.linalg.inv(value) if mark != "ᵀ" else value
            value = value.T if mark != "⁻¹" else value
        return value

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

    def _of_scaled(self, node: Any, r: int, c: int) -> Iterator[Any]:
        for inner in self._all(node[2], r, c):
            yield node[1] * inner

    def _of_kron(self, node: Any, r: int, c: int) -> Iterator[Any]:
        first, *rest = node[1]
        other = rest[0] if len(rest) == 1 else ("kron", rest)
        for a in (n for n in range(1, r + 1) if r % n == 0):
            for b in (n for n in range(1, c + 1) if c % n == 0):
                left = _distinct(self._all(first, a, b))
                for right in _distinct(self._all(other, r // a, c // b)) if left else []:
                    yield from (np.kron(one, right) for one in left)

    def _of_chain(self, node: Any, r: int, c: int) -> Iterator[Any]:
        first, *rest = node[1]
        other = rest[0] if len(rest) == 1 else ("chain", rest)
        for k in self.sizes:
            left = _distinct(self._all(first, r, k))
            for right in _distinct(self._all(other, k, c)) if left else []:
                yield from (one @ right for one in left)

    def _of_stack(self, node: Any, r: int, c: int) -> Iterator[Any]:
        _, mark, (first, *rest) = node
        if not rest:
            yield from self._all(first, r, c)
            return
        for k in range(1, r if mark == ";" else c):
            shapes = ((k, c), (r - k, c)) if mark == ";" else ((r, k), (r, c - k))
            left = _distinct(self._all(first, *shapes[0]))
            for right in _distinct(self._all(("stack", mark, rest), *shapes[1])) if left else []:
                join = np.vstack if mark == ";" else np.hstack
                yield from (join([one, right]) for one in left)

    def _of_turned(self, node: Any, r: int, c: int) -> Iterator[Any]:
        for inner in self._all(node[1], c, r):
            yield inner.T

    def _of_inverse(self, node: Any, r: int, c: int) -> Iterator[Any]:
        if r == c:
            for inner in self._all(node[1], r, c):
                yield np.linalg.inv(inner)

    def _of_diag(self, node: Any, r: int, c: int) -> Iterator[Any]:
        if node[1].shape == (r,) and r == c:
            yield np.diag(node[1])

    def _of_vec(self, node: Any, r: int, c: int) -> Iterator[Any]:
        if (r, c) == (node[1].size, 1):
            yield node[1].reshape(-1, 1, order="F")

    def _of_number(self, node: Any, r: int, c: int) -> Iterator[Any]:
        assert node[1] == "1", node
        if c == 1:
            yield np.ones((r, 1))

    def _of_unit(self, node: Any, r: int, c: int) -> Iterator[Any]:
        k = int(node[1][1:].translate(SUBSCRIPTS))
        if c == 1 and k < r:
            yield np.eye(r)[:, [k]]

    def _of_select(self, node: Any, r: int, c: int) -> Iterator[Any]:
        inside = node[1][2:-1]
        whole = np.eye(r) if inside.startswith(":, ") else np.eye(c)
        rows = inside.removeprefix(":, ")
        if rows.startswith("["):
            chosen: Any = [int(k) for k in rows[1:-1].split(",")]
            if max(chosen) >= len(whole):
                return
        else:
            chosen = slice(*[int(k) if k else None for k in rows.split(":")])
        found = whole[:, chosen] if inside.startswith(":, ") else whole[chosen]
        if found.shape == (r, c):
            yield found

    def _of_name(self, node: Any, r: int, c: int) -> Iterator[Any]:
        if node[1] == "I":
            if r == c:
                yield np.eye(r)
        elif node[1] == "K":
            if r == c:
                for m in (n for n in range(2, r) if r % n == 0):
                    places = np.arange(r).reshape(m, r // m)
                    yield np.eye(r)[places.ravel(order="F")]
        else:
            value = self.names[node[1]]
            value = value[..., None] if value.ndim == 1 else value
            value = value.reshape(1, 1) if value.ndim == 0 else value
            if value.shape == (r, c):
                yield value


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
    if found := re.fullmatch(r"banded, diagonals ([−\d]+) to ([−\d]+)", text):
        return _banded(matrix, *[int(k.replace("−", "-")) for k in found.groups()])
    if found := re.fullmatch(r"diagonals ([−\d, ]+)", text):
        return _offsets(matrix) <= {int(k.replace("−", "-")) for k in found[1].split(",")}
    triangles = {
        "lower triangular of ones": np.tri(*matrix.shape),
        "strictly lower triangular of ones": np.tri(*matrix.shape, -1),
        "upper triangular of ones": np.tri(*matrix.shape[::-1]).T,
        "strictly upper triangular of ones": np.tri(*matrix.shape[::-1], -1).T,
    }
    if text in triangles:
        return bool((matrix == triangles[text]).all())
    words = {
        "zero": not matrix.any(),
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
