"""Compiled formulas of the case table, on a device and by NumPy."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from tests.cases import CASES, Case
from tests.compiled import arguments, derived
from tests.devices.outcome import Outcome, assert_same, checked


class Cupy:
    """Arrays of CuPy's."""

    backend = "cupy"

    def __init__(self) -> None:
        import cupy  # noqa: PLC0415 - where it is asked for

        self.cupy = cupy

    def there(self, x: Any) -> Any:
        """Copy an array to the device."""
        return self.cupy.asarray(x)

    def back(self, x: Any) -> Any:
        """Copy an array that has to be on the device from it."""
        assert isinstance(x, self.cupy.ndarray), type(x)
        return self.cupy.asnumpy(x)


class Torch:
    """Tensors of PyTorch's."""

    backend = "torch"

    def __init__(self) -> None:
        import torch  # noqa: PLC0415 - where it is asked for

        self.torch = torch
        torch.set_num_threads(1)

    def there(self, x: Any) -> Any:
        """Copy an array to the device."""
        return self.torch.tensor(np.asarray(x), device="cuda")

    def back(self, x: Any) -> Any:
        """Copy a tensor that has to be on the device from it."""
        assert x.device.type == "cuda", x.device
        return x.resolve_conj().resolve_neg().cpu().numpy()


class Jax:
    """Arrays of JAX."""

    backend = "jax"

    def __init__(self) -> None:
        import jax  # noqa: PLC0415 - where it is asked for

        self.jax = jax
        jax.config.update("jax_enable_x64", True)
        jax.config.update("jax_default_matmul_precision", "highest")
        self.device = jax.devices("gpu")[0]

    def there(self, x: Any) -> Any:
        """Copy an array to the device."""
        return self.jax.device_put(np.asarray(x), self.device)

    def back(self, x: Any) -> Any:
        """Copy an array that has to be on the device from it."""
        assert x.devices() == {self.device}, x.devices()
        return np.asarray(x)


PLACES = {"cupy": Cupy, "torch": Torch, "jax": Jax}
JUDGED = [c for c in CASES if c.inputs and c.order]


def jobs(which: str, step: int) -> list[tuple[str, str]]:
    """List the checks of a library: cases and dtypes."""
    dtypes = ["float64"] if which == "jax" else ["float64", "float32"]
    cases = JUDGED[::step]
    return [(c.name, d) for c in cases for d in dtypes if d == "float64" or d in c.dtypes]


def run(which: str, names: list[tuple[str, str]]) -> list[Outcome]:
    """Check some cases."""
    place, by_name = PLACES[which](), {c.name: c for c in JUDGED}
    return [
        checked(f"{name} {dtype}", partial(_check, place, by_name[name], dtype))
        for name, dtype in names
    ]


def _check(place: Any, case: Case, dtype: str) -> str:
    missing = ""
    tensors, _kept = derived(case, dtype)
    for tensor in tensors:
        reference = tensor.lambdify()
        given = arguments(tensor, reference)
        try:
            compiled = tensor.lambdify(backend=place.backend)
            found = compiled(*[place.there(a) for a in given])
        except UnsupportedError as error:
            missing = str(error)[:100]
            continue
        # nothing tells a formula without arguments where it is to be
        own = np.asarray(found) if not given and place.backend == "torch" else place.back(found)
        assert_same(own, np.asarray(reference(*given)))
    return missing
