"""Where points are drawn: what an example shows of its domain, and what the user states."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from symtape.exact.complex_residues import ComplexResidue, ComplexResidues
from symtape.exact.residues import Arithmetic, Residue
from symtape.verify.subject import wide

KINDS = ("real", "positive", "unit", "near", "fixed")
"""All real numbers; those above 0; between 0 and 1; of about the size of the example; as in it."""

_EDGES = (0, 1, -1, 30, -30, 1e-2, 1e-3, -1e-4, 1e-8, 300, -300)
"""Numbers at which branches for small and large arguments are taken."""

_SMALL = range(1, 9)
"""Random inputs are divided by these powers of ten, too."""

ROW_OF_MASK = "where a row of a mask"
"""What points begin with at which one has nothing, or all."""

_WORDS = {
    "real": "any real",
    "positive": "positive",
    "unit": "between 0 and 1",
    "near": "of the size of the example",
}


class Domain(NamedTuple):
    """What the entries of one input can be."""

    kind: str
    symmetric: bool = False
    definite: bool = False
    stochastic: bool = False
    ordered: bool = False
    masked: bool = False
    """Whether zeros and ones say what counts, of which there may be more."""

    @classmethod
    def of(cls, example: Any, kind: str, is_judged: bool) -> Domain:
        """Read the domain of an input from an example.

        A matrix that is symmetric stays so, and positive definite. Where no derivative is taken,
        whole numbers, truth, and zeros and ones keep their values, rows of shares their sum, and
        what increases, as knots and bounds of bins do, its order.
        """
        if example.dtype.kind not in "fcV" or (not is_judged and _is_choice(example)):
            return cls("fixed", masked=kind != "fixed" and _is_mask(example))
        symmetric = _is_symmetric(example)
        definite = symmetric and bool(np.all(np.linalg.eigvalsh(wide(example)) > 0))
        stochastic = not is_judged and _is_stochastic(example)
        ordered = not is_judged and not stochastic and _is_ordered(example)
        return cls(kind, symmetric, definite, stochastic, ordered)

    @property
    def is_free(self) -> bool:
        """Whether each entry can be any number of the domain, whatever the others are."""
        return self.kind not in {"fixed", "near"} and not self._is_bound

    @property
    def _is_bound(self) -> bool:
        """Whether some entries say something of others."""
        return self.symmetric or self.stochastic or self.ordered

    def has(self, x: Any) -> bool:
        """Say whether the entries of an array are positive, or between 0 and 1, if they have to."""
        if self.kind == "positive":
            return bool(np.all(x > 0))
        return self.kind != "unit" or bool(np.all((x >= 0) & (x <= 1)))

    def __str__(self) -> str:
        if self.kind == "fixed":
            return "values of the example"
        words = ["between 0 and 1" if self.stochastic else _WORDS[self.kind]]
        words += ["symmetric"] * (self.symmetric and not self.definite)
        words += ["symmetric positive definite"] * self.definite
        words += ["rows that sum to 1"] * self.stochastic + ["increasing"] * self.ordered
        return ", ".join(words)

    def sample(self, rng: Any, example: Any) -> Any:
        """Draw an array like the example."""
        if self.kind == "fixed":
            return _shuffled(rng, example, has_more=self.masked)
        scale = rng.choice([0.3, 1.0, 2.0])
        x = rng.normal(size=example.shape) * scale
        if example.dtype.kind == "c":
            x = x + 1j * rng.normal(size=example.shape) * scale
        if self.kind == "near":
            x = example * np.exp(x / 4)
        elif self.kind == "positive" and example.dtype.kind != "c":
            x = np.exp(x)
        elif self.kind == "unit" and example.dtype.kind != "c":
            x = 1 / (1 + np.exp(-x))
        if self.definite:
            x = x @ _turned(x) / x.shape[-1] + np.eye(x.shape[-1]) * rng.uniform(0.5, 2)
        elif self.symmetric:
            x = (x + _turned(x)) / 2
        if self.stochastic:
            x = np.exp(x)
            x = x / x.sum(axis=-1, keepdims=True)
        if self.ordered:
            x = np.sort(x)
        return np.asarray(x).astype(example.dtype)

    def scaled(self, x: Any, factor: float) -> Any:
        """Multiply an array by a positive number, if the domain has all such."""
        is_open = self.kind in {"real", "positive"} and not self.stochastic
        return np.asarray(x * factor).astype(x.dtype) if is_open else x

    def dense(self, rng: Any, example: Any, count: int) -> Iterator[Any]:
        """Draw so many arrays, in which each entry has one value of each of so many intervals."""
        if not self.is_free or example.dtype.kind == "c":
            for _ in range(count):
                yield self.sample(rng, example)
            return
        order = rng.permuted(np.tile(np.arange(count), (example.size, 1)), axis=1)
        for own in order.T.reshape(count, *example.shape):
            share = (own + rng.random(size=example.shape)) / count
            yield np.asarray(_spread(self.kind, share)).astype(example.dtype)

    def part(self, gradient: Any) -> Any:
        """Give what counts of a gradient: of symmetric matrices, the symmetric part.

        No symmetric change of the matrix tells the rest.
        """
        if not self.symmetric or np.ndim(gradient) < 2:
            return gradient
        turned = np.swapaxes(gradient, -1, -2)
        return (gradient + (np.conj(turned) if turned.dtype.kind == "c" else turned)) / 2

    def rounded(self, x: Any, digits: int) -> Any:
        """Give an array with fewer digits, if the domain has all such."""
        is_bound = self.stochastic or self.definite or self.ordered
        plain = self.kind == "real" and not is_bound
        return np.round(x, digits) + 0.0 if plain and x.dtype.kind in "fc" else x

    def residues(self, rng: Any, field: Arithmetic, real: Any) -> Any:
        """Draw residues that stand for an array: squares for positive numbers."""
        out = np.empty(real.shape, object)
        for at in np.ndindex(*real.shape):
            out[at] = (
                field.number(real[at]) if self.kind == "fixed" else _drawn(rng, field, real[at])
            )
        if self.symmetric:
            for at in np.ndindex(*real.shape):
                out[at] = out[(*at[:-2], *sorted(at[-2:]))]
        if self.stochastic and real.shape[-1]:
            for at in np.ndindex(*real.shape[:-1]):
                rest = field.add(list(out[at][:-1])) if real.shape[-1] > 1 else field.integer(0)
                out[(*at, -1)] = (field.integer(1) - rest).beside(float(real[(*at, -1)]))
        return out

    def special(self, rng: Any, example: Any) -> Iterator[tuple[str, Any]]:
        """List arrays at edges, with the words for them: zeros, ties, large and small numbers."""
        if self.kind == "fixed":
            for value in np.unique(example)[:4] if example.dtype.kind in "iub" else ():
                yield f"all {value}", np.full_like(example, value)
            yield from _of_masked_rows(rng, example)
            if self.masked:
                yield "where a mask has one more", _with_another_one(rng, example)
            return
        if self._is_bound or self.kind == "near":
            return
        if example.dtype.kind == "c":
            yield from _of_complex_numbers(rng, example)
            return
        values = {"real": _EDGES, "positive": [x for x in _EDGES if 0 < x <= 30]}
        for value in values.get(self.kind, [0.5]):
            yield f"all {value:g}", np.full_like(example, value)
        for _ in range(4):
            few = rng.choice([-1.0, 0.0, 1.0, 2.0], size=example.shape)
            yield "ties", _inside(self.kind, few).astype(example.dtype)
        for power in _SMALL if self.kind != "unit" else ():
            yield "small inputs", (self.sample(rng, example) * 10.0**-power).astype(example.dtype)
        if example.size > 1:
            for value in (30.0, 300.0):
                x = self.sample(rng, example)
                x.flat[rng.integers(example.size)] = value if self.kind != "unit" else 0.999
                yield "one large entry", x


def _of_complex_numbers(rng: Any, example: Any) -> Iterator[tuple[str, Any]]:
    """List arrays of complex numbers at edges: on both axes, with ties, and large and small."""
    for value in (v * unit for v in _EDGES for unit in (1, 1j)):
        yield f"all {value:g}", np.full_like(example, value)
    for unit in (1, 1j, 1 + 1j):
        few = rng.choice([-1.0, 0.0, 1.0, 2.0], size=(2, *example.shape))
        yield "ties", (few[0] * np.real(unit) + few[1] * np.imag(unit) * 1j).astype(example.dtype)
    for power in _SMALL:
        x = Domain("real").sample(rng, example) * 10.0**-power
        yield "small inputs", np.asarray(x).astype(example.dtype)
    for value in (30.0, 300.0, 30j, 300j) if example.size > 1 else ():
        x = Domain("real").sample(rng, example)
        x.flat[rng.integers(example.size)] = value
        yield "one large entry", x


def _of_masked_rows(rng: Any, example: Any) -> Iterator[tuple[str, Any]]:
    """List masks in which one row has nothing, or all.

    Zeros and ones of which each row has as many may be choices, of which a row has some.
    """
    if example.ndim == 0 or not np.all((example == 0) | (example == 1)):
        return
    are_alike = example.ndim > 1 and np.ptp(example.sum(axis=-1)) == 0
    if example.dtype.kind != "b" and (are_alike or not _is_mask(example)):
        return
    for value in (False, True):
        masks = example.copy()
        masks.reshape(-1, example.shape[-1])[rng.integers(example[..., 0].size)] = value
        yield f"{ROW_OF_MASK} has {'all' if value else 'nothing'}", masks


def _spread(kind: str, share: Any) -> Any:
    """Spread numbers between 0 and 1 over a domain."""
    if kind == "positive":
        return np.exp(7 * share - 4)
    return share if kind == "unit" else 10 * share - 5


def _inside(kind: str, x: Any) -> Any:
    if kind == "positive":
        return np.where(x == 0, 3.0, np.abs(x))
    return 0.5 + x / 8 if kind == "unit" else x


def _drawn(rng: Any, field: Arithmetic, real: Any) -> Any:
    if isinstance(field, ComplexResidues) and np.iscomplexobj(real):
        return ComplexResidue(_drawn(rng, field, real.real), _drawn(rng, field, real.imag))
    p, q = field.fields.p, field.fields.q
    square = pow(int(rng.integers(2, p)), 2, p)
    return Residue(field, square if real > 0 else p - square, int(rng.integers(2, q)), float(real))


def _turned(x: Any) -> Any:
    return np.conj(np.swapaxes(x, -1, -2))


def _is_choice(x: Any) -> bool:
    return bool(x.size > 1 and np.all((x == 0) | (x == 1)))


def _is_symmetric(x: Any) -> bool:
    square = x.ndim >= 2 and x.shape[-1] == x.shape[-2] > 1
    return bool(square and np.array_equal(x, _turned(x)))


def _is_stochastic(x: Any) -> bool:
    if x.ndim == 0 or x.shape[-1] < 2 or x.dtype.kind == "c" or np.any(x < 0):
        return False
    return bool(np.allclose(wide(x).sum(axis=-1), 1, atol=1e-6))


def _is_ordered(x: Any) -> bool:
    """Say whether numbers increase; of two that says nothing."""
    return bool(x.ndim == 1 and x.size > 2 and x.dtype.kind == "f" and np.all(np.diff(x) > 0))


def _is_mask(x: Any) -> bool:
    """Say whether zeros and ones are not choices, of which each row has one."""
    is_mixed = _is_choice(x) and bool(np.any(x) and not np.all(x))
    return is_mixed and bool(np.any(x.sum(axis=-1) != 1))


def _with_another_one(rng: Any, mask: Any) -> Any:
    """Let a mask have one more, so that no candidate knows how many there are."""
    more = mask.copy()
    more.flat[rng.choice(np.flatnonzero(mask == 0))] = 1
    return more


def _shuffled(rng: Any, example: Any, *, has_more: bool = False) -> Any:
    """Keep what stands in each row, so that labels and masks stay what they are, or nearly.

    Rows are in another order, too, so that no candidate knows what is special about the third.
    """
    if example.ndim == 0 or rng.random() < 0.3:
        return example.copy()
    mixed = rng.permuted(example, axis=-1)
    mixed = rng.permutation(mixed, axis=0) if example.ndim > 1 and rng.random() < 0.5 else mixed
    return _with_another_one(rng, mixed) if has_more else mixed
