"""Backwards that people write for PyTorch and JAX: the right ones are accepted, no wrong one is."""

from __future__ import annotations

import pytest

from tests.judged.verdicts import ALLOWED, verdict, verdicts
from tests.peers import (
    judged_jax,
    judged_jax_trees,
    judged_torch,
    judged_torch_contexts,
    judged_torch_layers,
)
from tests.sampling import ALL, some

TORCH = (judged_torch, judged_torch_contexts, judged_torch_layers)
JAX = (judged_jax, judged_jax_trees)

CASES = {f"torch: {n}": c for module in TORCH for n, c in module.CASES.items()} | {
    f"jax: {n}": c for module in JAX for n, c in module.CASES.items()
}


@pytest.mark.slow
@pytest.mark.parametrize("name", some([*CASES], 24))
def test_right_ones_are_accepted_and_no_wrong_one_is(name: str) -> None:
    """Each verdict is right, and takes seconds."""
    found = verdicts(CASES[name])
    bad = [f"{v.verdict}: {v.candidate}: {v.cause}" for v in found if not v.holds]
    assert not bad, "\n".join(bad)
    assert not (ALL and any(v.seconds > ALLOWED for v in found))


@pytest.mark.parametrize(
    ("name", "place", "line"),
    [
        ("torch: swiglu", 2, "`da = dc * (silu * (1 - sig) + sig) * b`"),
        ("torch: log determinant", 0, "`return g * (inverse.mT @ inverse)`"),
        (
            "torch: softmax in bfloat16",
            1,
            "`return (p * (h - (p * h).sum(1, keepdim=True))).to(g.dtype)`",
        ),
        ("jax: two_layers", 0, "`grads = {'w': x.T @ gh, 'b': gh.sum(0), 'v': h.T @ g}`"),
        ("jax: rotation", 0, "`dv = g - 2 * w * jnp.cross(u, g)"),
    ],
)
@pytest.mark.usefixtures("patient")
def test_the_line_of_a_backward_is_told(name: str, place: int, line: str) -> None:
    """What is wrong is shown in the code of the backward, and what would be right."""
    case = CASES[name]
    cause = verdict(case, case.wrongs[place]).cause
    assert "line " in cause, cause
    assert f"is right with {line}" in cause, cause
