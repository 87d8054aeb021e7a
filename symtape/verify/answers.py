"""What a candidate gave, as a list of arrays; what is no answer is said in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from symtape.errors import UnsupportedError
from symtape.nest.trees import take_apart
from symtape.verify.frameworks.dense import numbers_of


class CandidateError(Exception):
    """A candidate that gives no answer of the right kind: the words say what it did."""


def listed(found: Any, names: Sequence[str] | None, count: int) -> list[Any]:
    """Give what a candidate gave as a list; raises `CandidateError` for another number.

    `names` are those of the results, where they have some. An array of several results has them
    along its first axis.
    """
    if count == 1 and not isinstance(found, (tuple, list, dict)):
        return [found]
    if isinstance(found, dict):
        found = _by_name(found, names)
    if count == 1 and isinstance(found, list) and len(found) != 1:
        found = [found]  # nested lists of numbers
    if tuple(getattr(found, "shape", ()))[:1] == (count,):
        found = [found[k] for k in range(count)]
    if not isinstance(found, (tuple, list)):
        raise CandidateError(
            f"the candidate gives a {type(found).__name__} where {count} results are asked for"
        )
    parts = list(found)
    if len(parts) > count and all(x is None for x in parts[count:]):
        parts = parts[:count]
    if len(parts) != count:
        asked = "1 is" if count == 1 else f"{count} are"
        raise CandidateError(f"the candidate gives {len(parts)} results, and {asked} asked for")
    return parts


def _by_name(found: Mapping[Any, Any], names: Sequence[str] | None) -> list[Any]:
    """Order what has names; results that have none are in the order of their sorted keys."""
    if names is None:
        return take_apart(found)[0]
    if set(found) != set(names):
        raise CandidateError(
            f"the candidate names {', '.join(map(str, found))}, and {', '.join(names)} "
            "are asked for"
        )
    return [found[name] for name in names]


def as_array(x: Any) -> Any:
    """Make an array of what a candidate gave; raises `CandidateError` for what is none."""
    if x is None:
        return None
    try:
        found = numbers_of(x)
    except (TypeError, ValueError, UnsupportedError):
        found = np.asarray(None)
    if found.dtype.kind not in "fciubV":
        raise CandidateError(f"the candidate gives a {type(x).__name__} that has no numbers")
    if np.ma.is_masked(x):
        raise CandidateError("the candidate gives an array in which entries are masked")
    return found
