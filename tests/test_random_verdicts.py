"""Verdicts on random functions: of right candidates, and of those with a change in their source.

The truth is recorded by the tape, and the candidate is the module that a formula is exported as, so
that it runs in NumPy; what is changed is compared with it at points that the judge does not know.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtape as tf
from symtape import verify
from tests.random_matrices import RandomFunction
from tests.sampling import ALL, all_hold, batches

SEEDS = [*range(1, 1000 if ALL else 12)]

OTHERS: Mapping[type, tuple[type, ...]] = {
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Div, ast.Add),
    ast.Div: (ast.Mult,),
}
"""What an operator is changed for."""


class Change(ast.NodeTransformer):
    """Changes one place of a function, the n-th that can be changed, and counts them."""

    def __init__(self, draw: random.Random, n: int = -1) -> None:
        self.draw, self.n, self.count = draw, n, 0
        self.words = ""

    def _is_here(self) -> bool:
        self.count += 1
        return self.count - 1 == self.n

    def visit_Module(self, node: ast.Module) -> ast.AST:
        """Leave alone what the function calls."""
        for part in node.body:
            if isinstance(part, ast.FunctionDef) and part.name == "_candidate":
                self.generic_visit(part)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Exchange an operator."""
        self.generic_visit(node)
        if type(node.op) in OTHERS and self._is_here():
            node.op = self.draw.choice(OTHERS[type(node.op)])()
            self.words = f"{ast.unparse(node)}"
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """Leave a sign out."""
        self.generic_visit(node)
        if isinstance(node.op, ast.USub) and self._is_here():
            self.words = f"no sign of {ast.unparse(node)}"
            return node.operand
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Move a number."""
        if isinstance(node.value, float) and self._is_here():
            self.words = f"not {node.value}"
            return ast.Constant(node.value + self.draw.choice([1.0, -1.0, 0.5]))
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Leave a function out, or exchange its arguments."""
        self.generic_visit(node)
        if len(node.args) == 1 and not node.keywords and self._is_here():
            self.words = f"no {ast.unparse(node.func)}"
            return node.args[0]
        if len(node.args) == 2 and self._is_here():
            self.words = f"exchanged {ast.unparse(node.func)}"
            node.args.reverse()
        return node


class RandomCandidate:
    """A random function of arrays, and a candidate for a derivative of it by one of them."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.seed, self.draw = seed, random.Random(seed)
        self.kind = self.draw.choice(("gradient", "gradient", "jacobian", "hessian"))
        own = RandomFunction(seed, 3, 2)
        self.of(own)
        self.names = sorted({*own.used})
        self.leaves = {name: own.leaves[name] for name in self.names}
        self.wrt = self.draw.choice(self.names)
        values, found = self.derived()
        self.has_numbers = found is not None and all(np.isfinite(x).all() for x in (values, found))
        if self.has_numbers:
            path = folder / f"candidate_{seed}.py"
            found.lambdify([*self.leaves.values()]).export(path, name="candidate")
            self.source = path.read_text("utf-8")

    def of(self, own: RandomFunction) -> Any:
        """Make the function of some leaves."""
        kind = own.draw.choice("vw") if self.kind == "jacobian" else "s"
        return own.made(kind, own.draw.randint(2, 4) - (self.kind != "gradient"))

    def __call__(self, *arrays: Any) -> Any:
        """Compute it for others."""
        own = RandomFunction(self.seed, 3, 2)
        own.leaves = {**own.leaves, **dict(zip(self.names, arrays, strict=True))}
        return self.of(own)

    def derived(self) -> tuple[Any, Any]:
        """Give its value and its derivative, which is None where there is none."""
        x, everything = self.leaves[self.wrt], [*self.leaves.values()]
        with tf.GradientTape() as outer:
            outer.watch(everything)
            with tf.GradientTape() as tape:
                tape.watch(everything)
                y = self(*everything)
            slope = tape.gradient(y, x) if self.kind == "hessian" else None
        if self.kind == "hessian":
            return y.numpy(), None if slope is None else outer.jacobian(slope, x)
        return y.numpy(), getattr(tape, self.kind)(y, x)

    def right(self) -> Callable[..., Any]:
        """Give the candidate as it was exported."""
        return compiled(ast.parse(self.source))

    def changed(self) -> tuple[str, Callable[..., Any]] | None:
        """Give the candidate with one change, and words for it."""
        counting = Change(self.draw)
        counting.visit(ast.parse(self.source))
        if not counting.count:
            return None
        change = Change(self.draw, self.draw.randrange(counting.count))
        tree = change.visit(ast.parse(self.source))
        with suppress(SyntaxError):  # of a warning that Python has for what cannot be meant
            return change.words, compiled(tree)
        return None

    def verdict(self, candidate: Callable[..., Any]) -> Any:
        """Ask the judge."""
        arrays = [x.numpy() for x in self.leaves.values()]
        judge = getattr(verify, self.kind)
        return judge(self, candidate, *arrays, wrt=self.names.index(self.wrt))

    def points(self) -> Iterator[list[Any]]:
        """Give inputs near those that the function was recorded with."""
        rng = np.random.default_rng(self.seed)
        for _ in range(4):
            yield [
                np.asarray(x) * (1 + 0.3 * rng.uniform(-1, 1, x.shape))
                for x in self.leaves.values()
            ]

    def is_another(self, candidate: Callable[..., Any]) -> bool:
        """Say whether a candidate gives other numbers than the right one, or none."""
        for point in self.points():
            try:
                own, other = (np.asarray(f(*point)) for f in (self.right(), candidate))
            except Exception:  # noqa: BLE001 - what is changed may do anything
                return True
            if own.shape != other.shape or not np.isfinite(other).all():
                return True
            if np.max(np.abs(own - other), initial=0) > 1e-6 * np.max(np.abs(own), initial=1e-6):
                return True
        return False


def compiled(tree: ast.AST) -> Callable[..., Any]:
    """Run a module, and give the candidate in it."""
    made: dict[str, Any] = {}
    exec(compile(ast.fix_missing_locations(tree), "<candidate>", "exec"), made)  # noqa: S102 - ours
    return made["candidate"]


@pytest.mark.slow
@pytest.mark.parametrize("seeds", batches(SEEDS), ids=lambda s: f"{s[0]} to {s[-1]}")
def test_verdicts_on_random_functions(tmp_path: Path, seeds: list[int]) -> None:
    """What is right is not refuted, and what gives other numbers is."""

    def judge(seed: int) -> None:
        with suppress(tf.errors.InvalidArgumentError):  # of a matrix without an inverse
            own = RandomCandidate(seed, tmp_path)
            if not own.has_numbers:
                return
            report = own.verdict(own.right())
            assert report.ok, report
            words, candidate = own.changed() or ("", None)
            if candidate is not None and own.is_another(candidate):
                report = own.verdict(candidate)
                assert report.verdict == "refuted", (words, report)

    all_hold(judge, seeds)


def test_what_cancels_to_zero_is_zero() -> None:
    """The slope of a sum that is one is zero, of which floats have roundings alone."""
    x = np.array([1.15, 0.65, 1.1])

    def softmaxes(x: Any) -> Any:
        return tf.reduce_sum(tf.nn.softmax(x))

    def rounded(x: Any) -> Any:
        p = np.exp(x - x.max())
        p = p / p.sum()
        return p * (1 - p.sum())

    for candidate in (np.zeros_like, rounded):
        report = verify.gradient(softmaxes, candidate, x)
        assert report.ok, report
        assert "ULP" not in str(report)
    for wrong in (lambda x: 1e-6 * x, lambda x: np.exp(x - x.max()), np.ones_like):
        assert verify.gradient(softmaxes, wrong, x).verdict == "refuted"


def test_what_cancels_to_zero_is_as_sharp_as_its_summands() -> None:
    """The slope of y / y is zero, where y is small, too, and its summands are large."""

    def quotient(y: Any) -> Any:
        return tf.reduce_sum(y / y)

    def by_terms(y: Any) -> Any:
        return 1 / y - ((y / y) / y)

    y = np.array([0.3, 1.3, 0.7])
    assert verify.gradient(quotient, by_terms, y).ok
    assert verify.gradient(quotient, lambda y: 1e-3 / y, y).verdict == "refuted"
