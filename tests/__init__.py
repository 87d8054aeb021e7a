"""Tests."""

import os

# The tests run on all cores already: threads of a linear algebra library would wait for them.
for _library in ("OPENBLAS", "MKL", "OMP"):
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")
