"""The peers that judge symtape: TensorFlow, PyTorch, JAX and SciPy, each a fixture.

A peer that is not installed skips its tests and says so; without any, nothing is collected here.
With SYMTAPE_REQUIRE_PEERS=1 in the environment nothing may skip: whatever would is a failure.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import warnings
from types import ModuleType

import pytest

REQUIRED = os.environ.get("SYMTAPE_REQUIRE_PEERS") == "1"
MISSING: dict[str, str] = {}
"""The peers that are not installed, and the packages that install them."""

PACKAGES = {
    "tensorflow": "tensorflow-cpu",
    "tensorflow_probability": "tensorflow-probability",
    "tf_keras": "tf-keras",
}
NAMES = ("tensorflow", "torch", "jax", "numba", "cffi", "dask", "array_api_strict")
if not REQUIRED and not any(importlib.util.find_spec(name) for name in NAMES):
    collect_ignore_glob = ["test_*.py"]
    MISSING["any peer"] = "tensorflow-cpu torch jax numba cffi"
NEEDS = {
    "jax_cases.py": ("jax",),
    "jax_primitives.py": ("jax",),
    "judged_jax.py": ("jax",),
    "judged_jax_trees.py": ("jax",),
    "judged_torch.py": ("torch",),
    "judged_torch_contexts.py": ("torch",),
    "judged_torch_layers.py": ("torch",),
    "test_from_jax.py": ("jax",),
    "test_from_torch.py": ("torch",),
    "test_judged_frameworks.py": ("jax", "torch"),
    "test_keras_itself.py": ("keras", "tensorflow"),
    "test_older_names.py": ("tensorflow",),
    "test_probability.py": ("tensorflow", "tensorflow_probability", "tf_keras"),
    "test_records_tensorflow.py": ("tensorflow",),
    "test_verify_tensorflow.py": ("tensorflow",),
    "test_verify_frameworks.py": ("jax", "torch"),
    "test_ties_torch.py": ("torch",),
    "torch_functions.py": ("torch",),
    "torch_ties.py": ("torch",),
}
"""Files that import peers as they are imported, or in processes of their own."""

collect_ignore = []
for file, needed in NEEDS.items():
    absent = [name for name in needed if importlib.util.find_spec(name) is None]
    if absent and not REQUIRED:
        collect_ignore.append(file)
        MISSING.update({name: PACKAGES.get(name, name) for name in absent})

# Peers read these as they are imported.
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ.setdefault("JAX_PLATFORMS", "cpu")


def peer(name: str, package: str) -> ModuleType:
    """Import a peer, or skip the test that wants it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what a peer says as it is imported is not about us
            return importlib.import_module(name)
    except ImportError as error:
        MISSING[name] = package
        pytest.skip(f"needs {name}, which is not here ({error}): pip install {package}")


@pytest.fixture(scope="session")
def tensorflow() -> ModuleType:
    """Give TensorFlow."""
    return peer("tensorflow", "tensorflow-cpu")


@pytest.fixture(scope="session")
def torch() -> ModuleType:
    """Give PyTorch."""
    return peer("torch", "torch")


@pytest.fixture(scope="session")
def jax() -> ModuleType:
    """Give JAX, which computes with 64 bits here."""
    module = peer("jax", "jax")
    module.config.update("jax_enable_x64", True)
    return module


@pytest.fixture(scope="session")
def numba() -> ModuleType:
    """Give numba."""
    return peer("numba", "numba")


@pytest.fixture(scope="session")
def cffi() -> ModuleType:
    """Give cffi, which calls compiled C."""
    return peer("cffi", "cffi")


@pytest.fixture(scope="session")
def scipy() -> ModuleType:
    """Give SciPy."""
    return peer("scipy", "scipy")


@pytest.fixture(scope="session")
def dask_array() -> ModuleType:
    """Give Dask's arrays, computed without threads."""
    peer("dask", "'dask[array]'").config.set(scheduler="synchronous")
    return peer("dask.array", "'dask[array]'")


@pytest.fixture(scope="session")
def array_api_strict() -> ModuleType:
    """Give the strict implementation of the array API standard."""
    peer("array_api_compat", "array-api-compat")
    return peer("array_api_strict", "array-api-strict")


@pytest.fixture(scope="session")
def cloudpickle() -> ModuleType:
    """Give the pickle that Dask uses."""
    return peer("cloudpickle", "cloudpickle")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say once for each peer that its tests were skipped."""
    for name, package in MISSING.items():
        terminalreporter.write_line(
            f"tests against {name} were skipped, it is not installed: pip install {package}"
        )
