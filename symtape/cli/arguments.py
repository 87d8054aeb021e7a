"""What can be typed after `symtape`, and what it does."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

from symtape.cli.derive import FORMATS, derive
from symtape.cli.execution import execute, execute_module
from symtape.cli.output import MISUSE, write
from symtape.cli.script import absolute, read
from symtape.cli.verify import KINDS
from symtape.cli.verify import verify as judge
from symtape.errors import FormatError
from symtape.notation import NOTATIONS
from symtape.report import Derivatives, columns, table
from symtape.version import __version__

_WIDTH = 78
_SCRIPTS = (".py", ".ipynb", ".md")


def main(arguments: Sequence[str] | None = None) -> Any:
    """Do what the command line asks for; gives the exit status, as `sys.exit` takes it.

    >>> main(["run", "/no/such/script.py"])
    2
    """
    given = sys.argv[1:] if arguments is None else [*arguments]
    if given[:1] == ["diff"]:
        given = _behind_dashes(given)
    parser, commands = _parser()
    if not given:
        parser.exit(MISUSE, parser.format_help())
    if given[0].endswith(_SCRIPTS):
        parser.error(f"a script is run by: symtape run {' '.join(given)}")
    options, unknown = parser.parse_known_args(given)
    if unknown:
        meant = next(commands[word] for word in given if word in commands)
        meant.error(f"unrecognized arguments: {' '.join(unknown)}")
    return options.command(options)


def _behind_dashes(given: Sequence[str]) -> list[str]:
    """Put a formula that begins with a minus, which is no option, behind --."""
    wanted = {"-", "--", "-h"}
    for k, own in enumerate(given):
        is_value = given[k - 1].startswith("--") and "=" not in given[k - 1]
        if own == "--":
            break
        if own[:1] == "-" and own[:2] != "--" and own not in wanted and not is_value:
            return [*given[:k], *given[k + 1 :], "--", own]
    return [*given]


def _parser() -> tuple[argparse.ArgumentParser, Mapping[str, argparse.ArgumentParser]]:
    """Make what reads a command line, and what reads the words behind each command."""
    parser = argparse.ArgumentParser(
        prog="symtape",
        **_about(
            "Exact derivatives of TensorFlow code: numbers and formulas.",
            "run train.py",
            "diff 'norm2(A*x - y)^2' --wrt x",
            "verify --shape x=5 losses.py:f '1/(1 + exp(-x))'",
            "diff --help",
        ),
    )
    parser.add_argument("--version", action="version", version=f"symtape {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    run = commands.add_parser(
        "run",
        help="run a TensorFlow script and list its derivatives",
        **_about(
            "Run a TensorFlow script unmodified, with `import tensorflow` answered by symtape, and "
            "print every derivative that it took: where, of what, shape, value and formula.",
            "run train.py --epochs 3",
            "run -m pytest tests",
            "run --latex page.md",
        ),
    )
    run.add_argument("--latex", action="store_true", help="write the formulas as LaTeX, in full")
    run.add_argument("--quiet", action="store_true", help="print no table")
    run.add_argument(
        "-m", dest="is_module", action="store_true", help="FILE is the name of a module, as pytest"
    )
    run.add_argument(
        "file",
        metavar="FILE",
        help="a script, a notebook (.ipynb), a page with Python blocks (.md), or - for a pipe",
    )
    rest = run.add_argument(
        "arguments",
        metavar="ARGUMENT",
        nargs=argparse.REMAINDER,
        help="what the script finds in sys.argv",
    )
    rest.required = False  # what argparse says of a missing FILE would name it, too
    run.set_defaults(command=_run)
    _add_diff(commands)
    _add_verify(commands)
    return parser, commands.choices


def _about(description: str, *examples: str) -> dict[str, Any]:
    """Describe a command, with lines that one can type."""
    lines = "\n".join([f"  symtape {example}" for example in examples])
    return {
        "description": fill(description, _WIDTH),
        "epilog": f"examples:\n{lines}",
        "formatter_class": argparse.RawDescriptionHelpFormatter,
    }


def _add_diff(commands: Any) -> None:
    diff = commands.add_parser(
        "diff",
        help="derive a formula",
        **_about(
            "Derive a formula by one of its variables, and say what the variables are. a to g are "
            "scalars, other small letters vectors, capital letters matrices, unless the formula "
            "has a meaning only otherwise.",
            "diff 'sin(a)^2' --wrt a",
            "diff 'norm2(A*x - y)^2' --wrt x --notation matrix --format latex",
            r"diff '\frac12\|Ax - b\|^2' --wrt x",
            "diff 'np.sum((A @ x)**2)' --wrt x --at 'x=[1, 2]' --at 'A=[[1, 0], [0, 2]]'",
        ),
    )
    diff.add_argument("--wrt", metavar="NAME", help="the variable, if there is more than one")
    diff.add_argument(
        "--notation",
        choices=NOTATIONS,
        help="matrix: * multiplies matrices, .* entries, ' transposes; python: @, * and .T do; "
        "latex: neighbours are multiplied, which a text with commands or braces is",
    )
    _add_several(
        diff, "--shape", "A=m,n", "the sizes of a variable, in letters or numbers; c= is a scalar"
    )
    _add_several(diff, "--symmetric", "S", "a matrix that is symmetric")
    diff.add_argument("--order", type=int, default=1, metavar="K", help="how often to derive")
    _add_several(diff, "--at", "x=[1,2]", "a value, as JSON writes it")
    diff.add_argument("--format", choices=FORMATS, default="text", help="how to write the formula")
    diff.add_argument("expression", metavar="FORMULA", help="the formula, or - for a pipe")
    diff.set_defaults(command=derive)


def _add_verify(commands: Any) -> None:
    verify = commands.add_parser(
        "verify",
        help="judge a gradient that somebody wrote",
        **_about(
            "Judge candidates for a derivative of a function, each in a process of its own. The "
            "exit status is 0 if all are accepted, 1 if one is refuted, and 2 if one is undecided "
            "or cannot be judged.",
            "verify --shape x=3,4 losses.py:f losses.py:gradient",
            "verify --shape x=5 --dtype float32 --json losses.py:f '1/(1 + exp(-x))'",
            "verify --kind vjp --example kernels.py:inputs kernels.py:f kernels.py:backward",
        ),
    )
    verify.add_argument(
        "--kind", choices=KINDS, default="gradient", help="what the candidate gives"
    )
    _add_several(
        verify, "--shape", "x=3,4", "an input by its name, drawn at random; x= is a number"
    )
    verify.add_argument(
        "--dtype", metavar="DTYPE", help="of inputs that are drawn, as float16; float64 as it is"
    )
    verify.add_argument("--example", metavar="MODULE:x", help="the inputs, or what gives them")
    _add_several(verify, "--wrt", "x", "an input to judge")
    _add_several(
        verify,
        "--domain",
        "x=positive",
        "real, positive, unit (between 0 and 1), near (the example), or fixed",
    )
    verify.add_argument("--seed", type=int, default=0, help="of random points")
    verify.add_argument("--seconds", type=float, default=60.0, help="the longest for a candidate")
    verify.add_argument("--json", action="store_true", help="write the reports as JSON")
    verify.add_argument("--within", type=float, help=argparse.SUPPRESS)
    verify.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    verify.add_argument("function", metavar="MODULE:f", help="the function, or file.py:f")
    verify.add_argument(
        "candidates", metavar="CANDIDATE", nargs="+", help="MODULE:candidate, or a formula"
    )
    verify.set_defaults(command=judge)


def _add_several(command: argparse.ArgumentParser, flag: str, metavar: str, text: str) -> None:
    """Add an option that can be given several times."""
    command.add_argument(flag, action="append", default=[], metavar=metavar, help=text)


def _run(options: argparse.Namespace) -> Any:
    if options.is_module:
        file = str(Path.cwd() / options.file)
        return _told(file, lambda: execute_module(options.file, options.arguments), options)
    try:
        script = read(options.file)
    except OSError as error:
        reason = f"[Errno {error.errno}] {error.strerror}"
        place = absolute(options.file)
        print(f"symtape: can't open file {place!r}: {reason}", file=sys.stderr)
        return MISUSE
    except FormatError as error:
        print(f"symtape: {error}", file=sys.stderr)
        return MISUSE
    for note in script.notes:
        print(f"symtape: {note}", file=sys.stderr)
    return _told(script.file, lambda: execute(script, options.arguments), options)


def _told(file: str, run: Callable[[], Any], options: argparse.Namespace) -> Any:
    """Run, and print the derivatives that were taken; gives the exit status."""
    out, process = sys.stdout, os.getpid()
    derivatives = Derivatives(file)
    with derivatives.observed():
        status = run()
    is_told = derivatives.rows or status in {0, None}  # of a script that failed, its error tells
    if options.quiet or not is_told or os.getpid() != process:  # a fork of the script's is no run
        return status
    if out.closed:
        print("symtape: the script closed its output; there is no table", file=sys.stderr)
        return status
    encoding = getattr(out, "encoding", None)
    found = table(derivatives.rows, columns(out), latex=options.latex, encoding=encoding)
    written = "\n" + found
    return write(out, written, "table") or status
