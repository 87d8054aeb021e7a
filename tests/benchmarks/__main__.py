"""Run the benchmark tables: all of them, or those named on the command line."""

from __future__ import annotations

import os
import sys

for _name in ("OMP", "OPENBLAS", "MKL", "NUMEXPR"):
    os.environ[f"{_name}_NUM_THREADS"] = "1"
os.environ["TF_NUM_INTRAOP_THREADS"] = os.environ["TF_NUM_INTEROP_THREADS"] = "1"
if hasattr(os, "sched_setaffinity"):  # what keeps threads of its own, as XLA does, has one core
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")

from tests.benchmarks import (  # noqa: E402 - threads are read on import
    arrays,
    backends,
    calls,
    forms,
    gradients,
    keras_steps,
    likelihoods,
    loads,
    steps,
    tape,
    tensor_calculus,
)
from tests.benchmarks.harness import conditions  # noqa: E402 - likewise

TABLES = {
    table.__name__: table
    for module in (
        tape,
        calls,
        steps,
        arrays,
        backends,
        tensor_calculus,
        forms,
        keras_steps,
        loads,
        likelihoods,
        gradients,
    )
    for table in module.TABLES
}

if __name__ == "__main__":
    print(conditions())
    chosen = sys.argv[1:] or list(TABLES)
    for name in chosen:
        TABLES[name]()
