"""How the parts of a module are put together: its imports in order, and the lines between parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple


class Import(NamedTuple):
    """A module, or a name of it, and what it is called here if not so."""

    module: str
    name: str = ""
    own: str = ""

    @property
    def wish(self) -> str:
        """What it would be called."""
        return self.own or self.name or self.module

    @property
    def package(self) -> str:
        """The package that has to be there."""
        return self.module.partition(".")[0]

    def tail(self) -> str:
        """Write what is imported."""
        what = self.name or self.module
        return what if self.own in {"", what} else f"{what} as {self.own}"


class Part(NamedTuple):
    """Lines of a module, which define a function or a class, or do not."""

    text: str
    is_definition: bool = False


def imports(found: Iterable[Import]) -> str:
    """Sort imports as linters want them: the standard library, then the others.

    >>> print(imports([Import("math", "pi"), Import("numpy", own="np"), Import("math")]))
    import math
    from math import pi
    <BLANKLINE>
    import numpy as np
    """
    groups: list[list[str]] = [[], []]
    every = list(found)
    plain = sorted([i for i in every if not i.name], key=Import.tail)
    names: dict[str, list[Import]] = {}
    for one in sorted([i for i in every if i.name], key=lambda i: (i.module, i.tail())):
        names.setdefault(one.module, []).append(one)
    for one in plain:
        groups[_is_library(one)].append(f"import {one.tail()}")
    for module, ones in names.items():
        tails = ", ".join([one.tail() for one in ones])
        groups[_is_library(ones[0])].append(f"from {module} import {tails}")
    return "\n\n".join(["\n".join(group) for group in groups if group])


def _is_library(one: Import) -> bool:
    return one.package in {"numpy", "scipy"}


def joined(parts: Sequence[Part]) -> str:
    """Put two lines around what is defined, and one between what is assigned."""
    text = parts[0].text
    for before, part in pairwise(parts):
        is_wide = before.is_definition or part.is_definition
        text += ("\n\n\n" if is_wide else "\n\n") + part.text
    return text + "\n"
