"""Functions of PyTorch that compute on a device, read by `tf.from_torch`."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from tests.devices.outcome import Outcome, checked


def jobs(which: str, step: int) -> list[str]:
    """List the functions and operations of the table."""
    from tests.peers import torch_functions as table  # noqa: PLC0415 - it imports torch

    return [*table.CASES, *table.OPS][::step]


def run(which: str, names: list[str]) -> list[Outcome]:
    """Check some functions: values and first derivatives are torch's, on the device."""
    import torch  # noqa: PLC0415 - where it is asked for

    from tests.peers import torch_functions as table  # noqa: PLC0415 - it imports torch

    torch.set_num_threads(1)
    known = table.CASES | table.OPS
    return [checked(name, partial(_check, torch, *known[name])) for name in names]


def _check(torch: Any, function: Any, args: Any) -> str:
    from tests.peers.test_from_torch import ours, theirs  # noqa: PLC0415 - it imports torch

    there = [x.cuda() for x in args]
    with torch.device("cuda"):
        try:
            expected = theirs(torch, function, there, second=False)
        except Exception as error:  # noqa: BLE001 - torch does not take it there
            return f"torch: {type(error).__name__}"
        found = ours(torch, function, there, expected[1])
    _assert_near(found[0], expected[0])
    for a, b in zip(found[1], expected[1], strict=True):
        _assert_near(a, b)
    return ""


def _assert_near(a: Any, b: Any) -> None:
    b = None if b is None else b.detach().resolve_conj().numpy(force=True)
    if a is None or b is None:
        rest = b if a is None else a.numpy()
        assert rest is None or not np.any(rest)
        return
    np.testing.assert_allclose(a.numpy(), b, rtol=1e-7, atol=1e-8)
