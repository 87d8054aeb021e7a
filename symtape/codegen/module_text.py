"""How the parts of a module are put together: its imports in order, and the lines between parts."""

from __future__ import annotations

from itertools import pairwise
from typing import Any


def imports(texts: Any) -> str:
    """Sort imports as linters want them: the standard library, then the others.

    >>> print(imports(["from math import pi", "import numpy as np", "import math"]))
    import math
    from math import pi
    <BLANKLINE>
    import numpy as np
    """

    def is_library(text: str) -> bool:
        return text.split()[1].partition(".")[0] in {"numpy", "scipy"}

    def key(text: str) -> tuple[bool, str]:
        return text.startswith("from"), text

    groups: list[list[str]] = [[], []]
    for text in sorted(_merged(texts), key=key):
        groups[is_library(text)].append(text)
    return "\n\n".join(["\n".join(group) for group in groups if group])


def _merged(texts: Any) -> list[str]:
    """Join imports from one module."""
    found: dict[str, list[str]] = {}
    plain = []
    for text in texts:
        head, from_module, names = text.partition(" import ")
        if from_module:
            found.setdefault(head, []).append(names)
        else:
            plain.append(text)
    return plain + [f"{head} import {', '.join(sorted(own))}" for head, own in found.items()]


def joined(parts: list[str]) -> str:
    """Put two lines around what is defined, and one between what is assigned."""
    text = parts[0]
    for before, part in pairwise(parts):
        both = [_is_definition(before), _is_definition(part)]
        text += ("\n\n\n" if any(both) else "\n\n") + part
    return text + "\n"


def _is_definition(part: str) -> bool:
    return part.startswith(("def ", "class ", "@"))
