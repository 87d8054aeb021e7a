"""The memory of large results is kept for the next ones.

The C library of Linux gives what has 128 KiB and more back to the system as soon as it is free, and
each page of the next result is then new, which takes longer than to compute what is in it. It goes
by what is free at once up to the largest that was ever freed, of 32 MiB at most; so something as
large is asked for, of which no page is touched, and let go.
"""

from __future__ import annotations

import numpy as np

_LARGEST = 31 * 2**20
"""A little less than the library looks at, in bytes."""


def keep() -> None:
    """Let the process keep up to 64 MiB that are free."""
    np.empty(_LARGEST, np.uint8)
