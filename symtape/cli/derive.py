"""`symtape diff`: the derivative of a formula that is given as text."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any, TypeVar

from symtape.cli.output import MISUSE, write
from symtape.errors import NotationError, SymtapeError

T = TypeVar("T")

_WITHOUT_VALUE = ("latex", "python")
FORMATS = ("text", *_WITHOUT_VALUE, "json")


def derive(options: argparse.Namespace) -> int:
    """Derive and print; 2 is the exit status for what cannot be read, 1 for what cannot be done."""
    try:
        found = _derivative(options)
        written = _written(found, options.format)
    except (NotationError, ValueError) as error:
        print(f"symtape: {error}", file=sys.stderr)
        return MISUSE
    except SymtapeError as error:
        print(f"symtape: {error}", file=sys.stderr)
        return 1
    return write(sys.stdout, written, "formula")


def _derivative(options: argparse.Namespace) -> Any:
    from symtape.notation.derivative import differentiate  # noqa: PLC0415 - scripts need it not

    if options.at and options.format in _WITHOUT_VALUE:
        raise NotationError(f"--at: the format {options.format} has no value; text and json have")
    text = sys.stdin.read().strip() if options.expression == "-" else options.expression
    at = _once("--at", [_pair(given, "--at") for given in options.at])
    return differentiate(
        text,
        options.wrt,
        notation=options.notation,
        order=options.order,
        shapes=_once("--shape", [_shape(given) for given in options.shape]),
        symmetric=options.symmetric,
        at={name: _value(name, given) for name, given in at.items()} or None,
    )


def _once(option: str, pairs: Sequence[tuple[str, T]]) -> dict[str, T]:
    """Take pairs as a mapping; what stands there twice may contradict itself."""
    found = dict(pairs)
    for name in found:
        if [own for own, _ in pairs].count(name) > 1:
            raise NotationError(f"{option} {name}= is given twice")
    return found


def _pair(given: str, option: str) -> tuple[str, str]:
    name, equals, value = given.partition("=")
    if not equals or not name.strip().isidentifier():
        raise NotationError(f"{option} {given}: it is a name, = and what it is")
    return name.strip(), value.strip()


def _shape(given: str) -> tuple[str, Sequence[int | str]]:
    name, value = _pair(given, "--shape")
    sizes = [part.strip() for part in value.split(",")] if value else []
    if any(not (part.isidentifier() or part.isdecimal()) for part in sizes):
        raise NotationError(f"--shape {given}: sizes are letters or numbers, with commas between")
    return name, [int(part) if part.isdecimal() else part for part in sizes]


def _value(name: str, given: str) -> Any:
    try:
        return json.loads(given)
    except (ValueError, RecursionError):
        raise NotationError(
            f"--at {name}={given[:40]}: it is a number or lists of numbers"
        ) from None


def _written(found: Any, form: str) -> str:
    if form == "json":
        return json.dumps(found.as_json(), ensure_ascii=False, indent=2)
    if form == "text":
        return _described(found, getattr(sys.stdout, "encoding", None) or "utf-8")
    return str(found.latex() if form == "latex" else found.text("python"))


def _described(found: Any, encoding: str) -> str:
    """Describe a derivative, with Python's signs where the output has no letters for others."""
    text = str(found.described())
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        first, *rest = text.splitlines()
        text = "\n".join([found.as_json()["python"] or first, *rest]).replace("×", "x")
    return text
