"""`save`, `load`, `to_json`, `from_json`: programs and compiled formulas as documents."""

from __future__ import annotations

import os
from pathlib import Path

from symtape.codegen.backends import BACKENDS
from symtape.compiled.function import CompiledFormula
from symtape.compiled.resized import ResizedFormula
from symtape.errors import FormatError
from symtape.exchange import documents
from symtape.program.excerpt import Parcel
from symtape.program.program import Program

Saved = CompiledFormula | Program


def to_json(thing: Saved) -> str:
    """Write a compiled formula (what `lambdify` gives) or a program as JSON.

    The form is documented in `docs/format.md`. Raises `TypeError` for anything else,
    `ReleasedError` for a formula whose recorded values are gone, and `UnsupportedError` for an
    operation that the form does not have.

    >>> import symtape as tf
    >>> text = tf.to_json(tf.trace(lambda x: x * x, 3.0))
    >>> print(tf.from_json(text))
    v0 = input[float64, ()]  # float64 ()
    v1 = multiply(v0, v0)  # float64 ()
    """
    if isinstance(thing, (CompiledFormula, ResizedFormula)):
        return thing.to_json()
    if isinstance(thing, Program):
        return documents.program_text(thing)
    raise TypeError(
        f"only compiled formulas and programs can be written as JSON, not {type(thing).__name__}: "
        "t.lambdify() gives the formula of a tensor, symtape.trace(f, …) the program of a function"
    )


def save(thing: Saved, path: str | os.PathLike[str]) -> None:
    """Write a compiled formula or a program to a file that `load` reads; see `to_json`.

    Raises what `to_json` raises, and then writes nothing; `OSError` where a file cannot be written.

    >>> import tempfile
    >>> import symtape as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.save(tf.trace(lambda x: x * x, 3.0), f"{folder}/square.json")
    ...     len(tf.load(f"{folder}/square.json"))
    2
    """
    Path(path).write_text(to_json(thing), encoding="utf-8")


def from_json(text: str | bytes) -> Saved:
    """Read what `to_json` wrote. Reading executes nothing: a formula is compiled when it is called.

    Raises `FormatError` for everything that is not of the documented form, and says where.

    >>> from_json('{"format": "symtape", "version": 2}')
    Traceback (most recent call last):
    symtape.errors.FormatError: the file: the key 'kind' is missing
    """
    if not isinstance(text, (str, bytes, bytearray)):
        raise FormatError(
            f"from_json() reads a text that to_json() wrote, not {text!r:.40}; load() reads a file"
        )
    found = documents.read(text)
    if not isinstance(found, Parcel):
        return found
    if found.backend not in BACKENDS:
        raise FormatError(
            f"backend: there is no backend {found.backend!r:.40}; there are {', '.join(BACKENDS)}"
        )
    return CompiledFormula.unpacked(*found)


def load(path: str | os.PathLike[str]) -> Saved:
    """Read a file that `save` wrote: a function of the leaves, or a program; see `from_json`.

    Raises `FormatError` for everything that is not of the documented form, and `OSError` for a file
    that cannot be read.

    >>> import tempfile
    >>> import symtape as tf
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     tf.save(tf.trace(lambda x: x + 1.0, 3.0), f"{folder}/next.json")
    ...     len(tf.load(f"{folder}/next.json"))
    3
    """
    return from_json(Path(path).read_bytes())
