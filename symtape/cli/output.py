"""Writing to where a command's output goes."""

from __future__ import annotations

import os
import sys
from typing import TextIO

MISUSE = 2
"""The exit status of Python and argparse for a command that cannot be begun."""


def write(out: TextIO, text: str, what: str) -> int:
    """Write to where the output went, whatever that can encode; `what` is what is written.

    Gives the exit status: 0, or 1 where there is no room.
    """
    encoding = getattr(out, "encoding", None) or "utf-8"
    try:
        out.write(f"{text}\n".encode(encoding, "backslashreplace").decode(encoding))
        out.flush()
    except BrokenPipeError:
        _close(out)  # nobody reads any more
    except OSError as error:
        reason = f"[Errno {error.errno}] {error.strerror}"
        print(f"symtape: can't write the {what}: {reason}", file=sys.stderr)
        _close(out)
        return 1
    return 0


def _close(out: TextIO) -> None:
    """Let nothing reach an output; Python flushes once more as it exits, which must not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
