"""The judge on forwards of torch that leave its graph: for NumPy, for a search, for few inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import symtape as tf
from symtape import verify
from tests.judged.case import compiled, source

X = torch.tensor([[0.3, -1.2], [0.8, 0.1]], dtype=torch.float64)


class BySearch(torch.autograd.Function):
    """A projection on the simplex, whose threshold is found by halving."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        """Compute."""
        low, step = x.max(-1, keepdim=True)[0] - 1, torch.ones(len(x), 1, dtype=x.dtype)
        for _ in range(50):
            step = step / 2
            is_less = (x - low - step).clamp(min=0).sum(-1, keepdim=True) >= 1
            low = torch.where(is_less, low + step, low)
        p = (x - low).clamp(min=0)
        ctx.save_for_backward(p)
        return p

    @staticmethod
    def backward(ctx: Any, u: Any) -> Any:
        """Take the mean of the support away."""
        (p,) = ctx.saved_tensors
        inside = (p > 0).to(u.dtype)
        return inside * (u - (inside * u).sum(-1, keepdim=True) / inside.sum(-1, keepdim=True))


class ByNumpy(torch.autograd.Function):
    """A sine that NumPy computes."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        """Compute."""
        ctx.save_for_backward(x)
        return torch.from_numpy(np.sin(x.detach().numpy()))

    @staticmethod
    def backward(ctx: Any, u: Any) -> Any:
        """Multiply by the cosine."""
        (x,) = ctx.saved_tensors
        return torch.cos(x) * u


class Conjugate(ByNumpy):
    """Pairs as complex numbers, whose memory NumPy reads."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:  # noqa: ARG004 - torch's
        """Compute."""
        return torch.from_numpy(x.detach().numpy().view("complex64").conj().view("float32"))

    @staticmethod
    def backward(ctx: Any, u: Any) -> Any:  # noqa: ARG004 - torch's
        """Change the sign of every second."""
        return u * torch.tensor([1.0, -1.0])


class WithGraph(torch.autograd.Function):
    """A forward that keeps a graph of its own."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        """Compute."""
        with torch.enable_grad():
            own = x.detach().requires_grad_()
            y = own * torch.sigmoid(own)
            (slope,) = torch.autograd.grad(y.sum(), own)
        ctx.save_for_backward(slope)
        return y.detach()

    @staticmethod
    def backward(ctx: Any, u: Any) -> Any:
        """Multiply."""
        (slope,) = ctx.saved_tensors
        return slope * u


FORWARDS = {
    "a search": (BySearch, "- (inside * u)", "+ (inside * u)", X),
    "NumPy": (ByNumpy, "torch.cos(x)", "torch.sin(x)", X),
    "NumPy, and zeros": (ByNumpy, "torch.cos(x)", "0.0", X),
    "memory": (Conjugate, "-1.0", "1.0", X.float()),
    "memory, and zeros": (Conjugate, "1.0, -1.0", "0.0, 0.0", X.float()),
}


@pytest.mark.parametrize("name", FORWARDS)
def test_a_forward_whose_formula_strays_is_measured(name: str) -> None:
    """What the graph of a forward holds constant has a derivative all the same."""
    right, old, new, x = FORWARDS[name]
    report = verify.vjp(right, right, x)
    assert report.verdict == "measured"
    assert any("its formula has not the slope that its values have" in n for n in report.notes)
    wrong = compiled(source(right).replace(old, new), right)
    assert verify.vjp(wrong, wrong, x).verdict == "refuted"
    assert verify.vjp(right, wrong, x).verdict == "refuted"
    assert verify.vjp(lambda x: wrong.apply(x), wrong, x).verdict == "refuted"


@pytest.mark.parametrize("wrong", ["-slope * u", "0 * u"])
def test_a_forward_with_a_graph_of_its_own_is_followed(wrong: str) -> None:
    """What it detaches from a graph that is its own is no end of torch's."""
    assert verify.vjp(WithGraph, WithGraph, X).verdict == "equal"
    other = compiled(source(WithGraph).replace("slope * u", wrong), WithGraph)
    assert not verify.vjp(other, other, X).ok
    assert not verify.vjp(lambda x: other.apply(x), other, X).ok


def test_what_is_stopped_on_purpose_is_no_slope() -> None:
    """The derivative of a function that stops gradients is what its author says."""

    def own(x: Any) -> Any:
        return x.detach().sin() * x

    assert verify.vjp(own, lambda x, u: x.sin() * u, X).ok
    assert not verify.vjp(own, lambda x, u: (x.sin() + x * x.cos()) * u, X).ok


def test_a_search_of_any_framework_is_measured() -> None:
    """A root that is found by halving has a slope, and no step of the search has it."""

    def root(a: Any) -> Any:
        low, step = tf.zeros_like(a), tf.ones_like(a) * 256
        for _ in range(50):
            step = step / 2
            low = tf.where((low + step) ** 2 <= a, low + step, low)
        return low

    a = np.array([2.0, 3.0])
    assert verify.vjp(root, lambda a, u: u / (2 * np.sqrt(a)), a, domain={"a": "positive"}).ok
    assert not verify.vjp(root, lambda a, u: u / np.sqrt(a), a, domain={"a": "positive"}).ok


class OfOne(torch.autograd.Function):
    """A kernel that is differentiated by its length alone, with a result that is no tensor."""

    is_wrong = False

    @staticmethod
    def forward(ctx: Any, x: Any, length: Any, power: float, eps: float) -> Any:
        """Compute; raises for gradients by the points, and for other powers."""
        if ctx.needs_input_grad[0]:
            raise RuntimeError("no gradients by the points")
        if power == 2.0:
            squares = ((x[:, None] - x[None]) ** 2).sum(-1)
        k = torch.exp(-squares / (length + eps))
        ctx.save_for_backward(squares, length, k)
        ctx.eps = eps
        return k, None

    @classmethod
    def backward(cls, ctx: Any, u: Any, _: Any) -> Any:
        """Derive by the length."""
        squares, length, k = ctx.saved_tensors
        slope = squares / (length + ctx.eps) ** 2
        return None, (u * k * (-slope if cls.is_wrong else slope)).sum(), None, None


class OfOneWrong(OfOne):
    """The same with a wrong sign."""

    is_wrong = True


def test_gradients_are_asked_for_by_what_is_judged_alone() -> None:
    """Numbers of Python's have none, tolerances stay small, and None is no result."""
    given = X, torch.tensor(0.7, dtype=torch.float64), 2.0, 1e-9
    for wrt in (["length"], [1]):
        assert verify.vjp(OfOne, OfOne, *given, wrt=wrt).ok
        assert not verify.vjp(OfOneWrong, OfOneWrong, *given, wrt=wrt).ok


def test_a_factor_of_python_has_no_gradient() -> None:
    """Torch derives by tensors; wrt can still ask for the number."""

    class Scaled(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, rate: float) -> Any:
            ctx.rate = rate
            return x * rate

        @staticmethod
        def backward(ctx: Any, u: Any) -> Any:
            return u * ctx.rate, None

    assert verify.vjp(Scaled, Scaled, X, 0.3).ok
    assert verify.vjp(Scaled, Scaled, X, 0.3, wrt=[0, 1]).cause.startswith("rate: it is zero")


def test_what_a_forward_prints_is_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """It is run at hundreds of points."""

    def own(x: Any) -> Any:
        print("forward")
        return x * x

    assert verify.vjp(own, lambda x, u: 2 * x * u, X.numpy()).ok
    assert not capsys.readouterr().out


class Dense(torch.autograd.Function):
    """A dense layer; subclasses are right for some ways to ask alone."""

    @staticmethod
    def forward(ctx: Any, x: Any, w: Any, b: Any) -> Any:
        """Compute."""
        ctx.save_for_backward(x, w)
        return x @ w + b

    @classmethod
    def backward(cls, ctx: Any, u: Any) -> Any:
        """Derive."""
        x, w = ctx.saved_tensors
        return u @ w.T, x.T @ u, u.sum(0) * cls.factor(ctx, x, u)

    @staticmethod
    def factor(ctx: Any, x: Any, u: Any) -> float:  # noqa: ARG004 - of some
        """Give 1 where it is right."""
        return 1.0


class OfMemory(Dense):
    """Wrong where the memory of the input has gaps."""

    @staticmethod
    def factor(ctx: Any, x: Any, u: Any) -> float:  # noqa: ARG004 - of others
        """Look at the memory."""
        return 1.0 if x.is_contiguous() else 2.0


class OfExpanded(Dense):
    """Wrong for one number as all cotangents, as a sum has them."""

    @staticmethod
    def factor(ctx: Any, x: Any, u: Any) -> float:  # noqa: ARG004 - of others
        """Look at the strides."""
        return 2.0 if 0 in u.stride() else 1.0


class OfAll(Dense):
    """Wrong where the input needs no gradient."""

    @staticmethod
    def factor(ctx: Any, x: Any, u: Any) -> float:  # noqa: ARG004 - of others
        """Look at what is needed."""
        return 1.0 if ctx.needs_input_grad[0] else 2.0


class WithBias(torch.autograd.Function):
    """A forward that leaves out a bias that needs no gradient, and goes through NumPy."""

    factor = 1.0

    @staticmethod
    def forward(ctx: Any, x: Any, b: Any) -> Any:
        """Compute."""
        ctx.save_for_backward(x)
        y = torch.from_numpy(np.sin(x.detach().numpy()))
        return y + b if b.requires_grad else y

    @classmethod
    def backward(cls, ctx: Any, u: Any) -> Any:
        """Derive."""
        (x,) = ctx.saved_tensors
        return u * torch.cos(x), cls.factor * u.sum(0)


class WithBiasWrong(WithBias):
    """The same with another factor."""

    factor = 2.0


def test_a_forward_is_measured_as_it_is_trained() -> None:
    """It may look at what needs a gradient."""
    given = X, torch.ones(2, dtype=torch.float64)
    assert verify.vjp(WithBias, WithBias, *given).ok
    assert "b: it has the factor 2" in verify.vjp(WithBiasWrong, WithBiasWrong, *given).cause
    assert verify.vjp(lambda x, b: WithBias.apply(x, b), WithBias, *given).ok


class ByCholesky(torch.autograd.Function):
    """A solution by a factor, of which LAPACK reads one half of the matrix."""

    sign = -1.0

    @staticmethod
    def forward(ctx: Any, a: Any, b: Any) -> Any:
        """Solve."""
        factor = torch.linalg.cholesky(a)
        x = torch.cholesky_solve(b, factor)
        ctx.save_for_backward(factor, x)
        return x

    @classmethod
    def backward(cls, ctx: Any, u: Any) -> Any:
        """Solve again."""
        factor, x = ctx.saved_tensors
        z = torch.cholesky_solve(u, factor)
        return cls.sign * x @ z.mT, z


class ByCholeskyWrong(ByCholesky):
    """The same with a wrong sign."""

    sign = 1.0


def test_a_symmetric_matrix_is_moved_as_one() -> None:
    """Its formula has the slope that its values have."""
    given = X @ X.T + torch.eye(2, dtype=torch.float64), X[:, :1]
    report = verify.vjp(ByCholesky, ByCholesky, *given)
    assert report.ok
    assert not any("has not the slope" in note for note in report.notes)
    assert "the sign is wrong" in verify.vjp(ByCholeskyWrong, ByCholeskyWrong, *given).cause


LAYERS = [X, torch.ones(2, 3, dtype=torch.float64), torch.zeros(3, dtype=torch.float64)]


@pytest.mark.parametrize(
    ("layer", "where"),
    [
        (OfMemory, "where the memory of x is not contiguous"),
        (OfExpanded, "where upstream is one number, expanded"),
        (OfAll, "where no other input needs a gradient"),
    ],
)
def test_what_depends_on_how_it_is_asked_is_refuted(layer: Any, where: str) -> None:
    """The same numbers in other memory, and each gradient alone, are the same."""
    assert verify.vjp(Dense, Dense, *LAYERS).ok
    report = verify.vjp(Dense, layer, *LAYERS)
    assert report.verdict == "refuted"
    assert report.cause == f"b: it is wrong {where}, and right elsewhere"
    assert set(report.counterexample) == {"x", "w", "b", "upstream"}


class Extremes(torch.autograd.Function):
    """The largest and the mean of each row, the place of the largest, and how far it is known."""

    absent = 0.0

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        """Choose and average."""
        ctx.set_materialize_grads(False)
        top, place = x.max(-1)
        sharpness = x.std(-1)
        ctx.mark_non_differentiable(place, sharpness)
        ctx.save_for_backward(x, place)
        return top, place, x.mean(-1), sharpness

    @classmethod
    def backward(cls, ctx: Any, gt: Any, _: Any, gm: Any, __: Any) -> Any:
        """Use those that are there."""
        x, place = ctx.saved_tensors
        d = torch.full_like(x, cls.absent if gm is None else 0.0)
        if gt is not None:
            d.scatter_(-1, place[..., None], gt[..., None])
        return d if gm is None else d + gm[..., None] / x.shape[-1]


class Filled(Extremes):
    """The same, with ones in the place of what nobody asks for."""

    absent = 1.0


class Asking(Extremes):
    """The same, for all cotangents alone."""

    @classmethod
    def backward(cls, ctx: Any, gt: Any, _: Any, gm: Any, __: Any) -> Any:
        """Take each of them for a tensor."""
        return Extremes.backward(ctx, gt + 0, _, gm + 0, __)


def test_each_result_is_asked_for_alone() -> None:
    """A cotangent is None where its result is not used, and nobody wants zeros."""
    report = verify.vjp(Extremes, Extremes, X)
    assert report.ok
    assert not report.notes
    wrong = verify.vjp(Extremes, Filled, X)
    assert (
        wrong.cause
        == "x: it is wrong where the result of upstream0 alone is used, and right elsewhere"
    )
    raising = verify.vjp(Extremes, Asking, X)
    assert raising.ok
    assert raising.notes == (
        "the candidate raises TypeError where the result of upstream0 alone is used",
        "the candidate raises TypeError where the result of upstream2 alone is used",
    )


def test_a_backward_that_raises_for_gaps_in_memory_is_noted() -> None:
    """It gives no wrong number."""

    class Flat(Dense):
        @staticmethod
        def forward(ctx: Any, x: Any, w: Any, b: Any) -> Any:
            return Dense.forward(ctx, x.view(x.numel()).view(x.shape), w, b)  # of rows alone

    report = verify.vjp(Dense, Flat, *LAYERS)
    assert report.ok
    assert "the candidate raises RuntimeError where the memory of x is transposed" in (report.notes)
