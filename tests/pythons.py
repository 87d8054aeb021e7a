"""What Python itself writes in other words from version to version, as older ones write it."""

from __future__ import annotations

import re
import sys
from typing import Any

_NEW_IN_3_14 = (
    (re.compile(r"cannot use '[^']*' as a (?:set element|dict key) \((.*)\)"), r"\1"),
    (re.compile(r"missing a required (?:keyword-only|positional-only) argument"),
     "missing a required argument"),
    (re.compile(r"(?<=expected )(\w+) \| (\w+)"), r"typing.Union[\1, \2]"),
)  # fmt: skip


def as_before(answer: Any) -> Any:
    """Write texts of Python's as before 3.14, in an answer or a part of one."""
    if sys.version_info < (3, 14):
        return answer
    if isinstance(answer, dict):
        return {key: as_before(part) for key, part in answer.items()}
    if isinstance(answer, list):
        return [as_before(part) for part in answer]
    if isinstance(answer, str):
        for new, old in _NEW_IN_3_14:
            answer = new.sub(old, answer)
    return answer
