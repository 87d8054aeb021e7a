"""Signatures and annotations of what others wrote, whatever the annotations name.

From Python 3.14 on annotations are computed when somebody asks for them (PEP 649), and may name
what is imported for type checkers alone; such names are given as references.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

_REFERENCES: dict[str, Any] = {}

if sys.version_info >= (3, 14):
    from annotationlib import Format, get_annotations

    _REFERENCES["annotation_format"] = Format.FORWARDREF

    def own_annotations(kind: type) -> dict[str, Any]:
        """Give the annotations of a class, and not those of its parents."""
        return get_annotations(kind, format=Format.FORWARDREF)

else:
    from inspect import get_annotations as own_annotations


read_signature: Callable[..., inspect.Signature] = partial(inspect.signature, **_REFERENCES)
"""Gives the signature of a function; raises as `inspect.signature` does."""


__all__ = ["own_annotations", "read_signature"]
