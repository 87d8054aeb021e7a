"""Run the benchmark tables: all of them, or those named on the command line."""

from __future__ import annotations

import os
import sys

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

from tests.benchmarks import tape  # noqa: E402 - the number of threads is read on import

TABLES = {table.__name__: table for module in (tape,) for table in module.TABLES}

if __name__ == "__main__":
    chosen = sys.argv[1:] or list(TABLES)
    for name in chosen:
        TABLES[name]()
