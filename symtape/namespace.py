"""What a namespace says of a name that it lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import NoReturn


def refuser(module: str, names: Callable[[], Iterable[str]]) -> Callable[[str], NoReturn]:
    """Make the `__getattr__` of a module: it names the nearest of the names that exist.

    >>> refuser("symtape.math", lambda: ["reduce_sum"])("reducesum")
    Traceback (most recent call last):
    AttributeError: symtape has no tf.math.reducesum; the nearest name is tf.math.reduce_sum
    """
    prefix = "tf" + module.removeprefix("symtape")

    def refuse(name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        raise AttributeError(f"symtape has no {prefix}.{name}{_nearest(prefix, name, names())}")

    return refuse


def _nearest(prefix: str, name: str, names: Iterable[str]) -> str:
    known = [n for n in names if not n.startswith("_")]
    by_small = {n.lower(): n for n in known}
    close = [by_small[n] for n in get_close_matches(name.lower(), by_small, n=3, cutoff=0.6)]
    if not close:
        return ""
    shown = " and ".join(
        [", ".join(f"{prefix}.{n}" for n in close[:-1]), f"{prefix}.{close[-1]}"]
        if len(close) > 1
        else [f"{prefix}.{close[0]}"]
    )
    return f"; the nearest {'names are' if len(close) > 1 else 'name is'} {shown}"
