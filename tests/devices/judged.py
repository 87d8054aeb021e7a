"""Kernels of Triton and backwards of PyTorch and JAX on a device, in the judge."""

from __future__ import annotations

from functools import partial
from typing import Any

from tests.devices.outcome import Outcome, checked


def _tables() -> dict[str, Any]:
    from tests.devices import triton_kernels  # noqa: PLC0415 - it needs a device
    from tests.peers import judged_jax, judged_torch  # noqa: PLC0415 - they import frameworks

    return triton_kernels.CASES | judged_torch.CASES | judged_jax.CASES


def jobs(which: str, step: int) -> list[str]:
    """List the functions that are judged."""
    return [*_tables()][::step]


def run(which: str, names: list[str]) -> list[Outcome]:
    """Check that the right ones are accepted, and no wrong one is."""
    import torch  # noqa: PLC0415 - where it is asked for

    torch.set_num_threads(1)
    tables = _tables()
    return [
        checked(f"{name}: {c.name}", partial(_check, torch, tables[name], c))
        for name in names
        for c in (*tables[name].rights, *tables[name].wrongs)
    ]


def _check(torch: Any, case: Any, candidate: Any) -> str:
    from tests.judged.verdicts import ALLOWED, verdict  # noqa: PLC0415 - it imports a lot

    given = case.given

    def on_device(x: Any) -> Any:
        made = given(x)
        return made.cuda() if isinstance(made, torch.Tensor) else made

    case.given = on_device
    try:
        with torch.device("cuda"):
            found = verdict(case, candidate)
    finally:
        case.given = given
    assert found.holds, f"{found.verdict}: {found.cause}"
    named = "" if found.is_right or found.is_named else f"cause: {found.cause[:150]}"
    return named if found.seconds < ALLOWED else f"{found.seconds:.1f} s; {named}"
