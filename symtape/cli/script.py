"""The Python in a file: a script, the cells of a notebook, or the blocks of a page."""

from __future__ import annotations

import ast
import json
import os
import re
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from symtape.errors import FormatError

STANDARD_INPUT = "<stdin>"
"""What Python calls the file of a script that it reads from its standard input."""


class Part(NamedTuple):
    """What is compiled in one go, and the name of the file that tracebacks show for it."""

    filename: str
    source: str | bytes


@dataclass(frozen=True, slots=True)
class Script:
    """A file to be run: its parts in order, in one namespace."""

    name: str
    """The name by which it was asked for."""
    file: str
    """The path that Python would give it in `__file__`."""
    parts: tuple[Part, ...]
    notes: tuple[str, ...] = ()
    """What was left out, and where."""


def read(name: str) -> Script:
    """Read a file by its suffix: `.ipynb`, `.md`, and anything else as Python; `-` is a pipe.

    Raises `OSError` as `open` does, and `FormatError` for what is no notebook or no text.
    """
    is_piped = name == "-"
    file = STANDARD_INPUT if is_piped else absolute(name)
    data = sys.stdin.buffer.read() if is_piped else Path(name).read_bytes()
    if b"\0" in data:
        raise FormatError(
            f"{file} cannot be read: it has null bytes, so it is no source code in UTF-8; "
            "save it as text in that encoding"
        )
    find = _FINDERS.get(Path(name).suffix.lower())
    if find is None:
        return Script(name, file, (Part(file, data),))
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
        blocks = list(find(text, file))
    except ValueError as error:
        raise FormatError(f"{file} cannot be read: {error}") from None
    notes: list[str] = []
    parts = []
    for filename, first, code in blocks:
        source = _without_magics(code, notes, Path(filename).name, first)
        parts.append(Part(filename, "\n" * (first - 1) + source))
    return Script(name, file, tuple(parts), tuple(notes))


def absolute(name: str) -> str:
    """Make a path absolute as Python does for a script: what it goes through is kept.

    >>> absolute("/there/../here.py")
    '/there/../here.py'
    """
    return name if Path(name).is_absolute() else f"{Path.cwd()}{os.sep}{name}"


Block = tuple[str, int, str]
"""The name of the file for tracebacks, the line in it of the first line, and the code."""


# --- notebooks ------------------------------------------------------------------------------------


def _cells(text: str, file: str) -> Iterator[Block]:
    """Find the code cells of a notebook, counted from 1 as a fresh kernel counts them."""
    try:
        notebook = json.loads(text)
    except RecursionError:
        raise FormatError("the notebook is nested too deeply") from None
    try:
        language = _language(notebook.get("metadata", {}))
        # Before version 4 of the format, cells lay in worksheets and their source was the input.
        cells = notebook["cells"] if "cells" in notebook else notebook["worksheets"][0]["cells"]
        codes = [
            cell["source"] if "source" in cell else cell["input"]
            for cell in cells
            if cell["cell_type"] == "code"
        ]
        sources = ["".join(code) for code in codes]
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise FormatError("a notebook has a list of cells, this file has not") from error
    if language != "python":
        raise FormatError(f"the notebook is written in {language}, not in Python")
    for number, code in enumerate(sources, 1):
        yield f"{file}, cell {number}", 1, code


def _language(metadata: Any) -> str:
    named = metadata.get("language_info", {}).get("name")
    return str(named or metadata.get("kernelspec", {}).get("language") or "python").lower()


# --- pages ----------------------------------------------------------------------------------------

_ITEM = re.compile(r" {0,3}(?:[-+*]|\d{1,9}[.)]) {1,4}(?=\S)")
_FENCE = re.compile(r" {0,3}(?P<fence>`{3,}(?=[^`]*$)|~{3,}) *(?P<info>.*)")
_PYTHON = re.compile(r"(?:python3?|py)(?=[\s{,:]|$)|\{ *\.?python[\s,}]", re.IGNORECASE)


def _blocks(text: str, file: str) -> Iterator[Block]:
    """Find the fenced blocks of Python; each keeps the lines that it has in the file."""
    lines = text.split("\n")
    margins = [0]  # where the text of the page, and of each list item that is open, begins
    number = 0
    while number < len(lines):
        line = lines[number].expandtabs(4)
        number += 1
        while line.strip() and _indent(line) < margins[-1]:
            margins.pop()
        while item := _ITEM.match(line, margins[-1]):
            margins.append(item.end())
        fence = _FENCE.match(line, margins[-1])
        if fence is None:
            continue
        first = number
        while number < len(lines) and not _closes(lines[number], fence["fence"]):
            number += 1
        if _PYTHON.match(fence["info"]):
            code = [_outdented(inner, fence.start("fence")) for inner in lines[first:number]]
            yield file, first + 1, "\n".join(code)
        number += 1


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(fence) and not bare.strip(fence[0])


def _outdented(line: str, indent: int) -> str:
    return line[min(indent, _indent(line)) :]


_FINDERS = {".ipynb": _cells, ".md": _blocks}


# --- what only IPython understands ----------------------------------------------------------------

_MAGIC = re.compile(r"\s*[%!?]|\s*[\w.*]+\?{1,2}\s*$|\s*[\w, ]+=\s*(?:!|%[a-zA-Z])")
_TIMED = re.compile(r"(\s*)%time\s+(?=\S)")
_TRANSPARENT = {"%%time", "%%capture", "%%prun"}
"""Cell magics that run the cell as Python."""


def _without_magics(code: str, notes: list[str], where: str, first: int) -> str:
    """Replace magics by `pass`, with a note for each; lines keep their numbers.

    A line such as `% b` may also go on with an expression, and `!` may stand in a text. So a line
    is taken for a magic only where Python says that it is wrong.
    """
    lines = code.split("\n")

    def skip(n: int) -> None:
        notes.append(f"{where}, line {first + n}: skipped {lines[n].strip()}")

    start = next((n for n, line in enumerate(lines) if line.strip()), 0)
    if lines[start].startswith("%%"):
        skip(start)
        if lines[start].split()[0] not in _TRANSPARENT:
            return ""
        lines[start] = "pass"
    while (n := _wrong_line(lines)) is not None and _MAGIC.match(lines[n]):
        skip(n)
        if timed := _TIMED.match(lines[n]):
            lines[n] = timed[1] + lines[n][timed.end() :]
            continue
        end = n
        while lines[end].endswith("\\") and end + 1 < len(lines):
            end += 1
        lines[n : end + 1] = [f"{lines[n][: _indent(lines[n])]}pass", *[""] * (end - n)]
    return "\n".join(lines)


def _wrong_line(lines: list[str]) -> int | None:
    """Find the line of which Python says that it is no syntax."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # they are given when the code is compiled to be run
        try:
            ast.parse("\n".join(lines))
        except SyntaxError as error:
            n = (error.lineno or 0) - 1
            return n if 0 <= n < len(lines) else None
        except ValueError:  # a null character, of which compiling speaks too
            return None
    return None
