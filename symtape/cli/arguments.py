"""What can be typed after `symtape`, and what it does."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any, TextIO

from symtape.cli.execution import execute
from symtape.cli.script import absolute, read
from symtape.errors import FormatError
from symtape.report import Derivatives, columns, table
from symtape.version import __version__

_MISUSE = 2
"""The exit status of Python and argparse for a command that cannot be begun."""


def main(arguments: Sequence[str] | None = None) -> Any:
    """Do what the command line asks for; gives the exit status, as `sys.exit` takes it.

    >>> main(["run", "/no/such/script.py"])
    2
    """
    options = _parser().parse_args(arguments)
    return options.command(options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="symtape", description="Exact derivatives of TensorFlow code: numbers and formulas."
    )
    parser.add_argument("--version", action="version", version=f"symtape {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    run = commands.add_parser(
        "run",
        help="run a TensorFlow script and list its derivatives",
        description=(
            "Run a TensorFlow script unmodified, with `import tensorflow` answered by symtape, and "
            "print every derivative that it took: where, of what, shape, value and formula."
        ),
    )
    run.add_argument("--latex", action="store_true", help="write the formulas as LaTeX, in full")
    run.add_argument("--quiet", action="store_true", help="print no table")
    run.add_argument(
        "file",
        metavar="FILE",
        help="a script, a notebook (.ipynb) or a page with Python blocks (.md)",
    )
    run.add_argument(
        "arguments",
        metavar="ARGUMENT",
        nargs=argparse.REMAINDER,
        help="what the script finds in sys.argv",
    )
    run.set_defaults(command=_run)
    return parser


def _run(options: argparse.Namespace) -> Any:
    try:
        script = read(options.file)
    except OSError as error:
        reason = f"[Errno {error.errno}] {error.strerror}"
        place = absolute(options.file)
        print(f"symtape: can't open file {place!r}: {reason}", file=sys.stderr)
        return _MISUSE
    except FormatError as error:
        print(f"symtape: {error}", file=sys.stderr)
        return _MISUSE
    for note in script.notes:
        print(f"symtape: {note}", file=sys.stderr)
    out = sys.stdout
    derivatives = Derivatives(script.file)
    with derivatives.observed():
        status = execute(script, options.arguments)
    if not options.quiet:
        _write(out, table(derivatives.rows, columns(), latex=options.latex))
    return status


def _write(out: TextIO, text: str) -> None:
    """Write to where the script's output went, whatever that can encode and unless it is closed."""
    encoding = getattr(out, "encoding", None) or "utf-8"
    try:
        out.write(f"\n{text}\n".encode(encoding, "backslashreplace").decode(encoding))
        out.flush()
    except BrokenPipeError:
        # Nobody reads any more. Python flushes once more as it exits, which must not fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())
    except ValueError:
        print("symtape: the script closed its output; there is no table", file=sys.stderr)
