"""What is asked of JAX itself: its modules, how many bits it has, where a step was written."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np

from symtape.extras import imported

_OWN = str(Path(__file__).parent)
"""From here JAX is called for the steps of rules and branches, which no user's line has."""


def module(name: str = "jax") -> Any:
    """Import JAX, or a module of it; without it, the error names the extra."""
    return imported(name, "from_jax", "jax")


def has_64_bits() -> bool:
    """Say whether JAX computes with 64 bits here."""
    return bool(module().config.jax_enable_x64)


def with_bits(are_64: bool) -> AbstractContextManager[Any]:
    """Let JAX compute with 64 bits or without them; what was set before comes back after it."""
    enable = getattr(module(), "enable_x64", None)
    if enable is None:  # before JAX 0.8
        enable = module("jax.experimental").enable_x64
    context: AbstractContextManager[Any] = enable(are_64)
    return context


def written_at(equation: Any) -> str:
    """Say where the user wrote a step: file, line and function; nothing where only JAX did."""
    found: str = module("jax.extend.source_info_util").summarize(equation.source_info)
    return "" if found.startswith(_OWN) else found


def number_in(atom: Any) -> Any:
    """Give the number that stands in an equation, with its dtype."""
    return np.asarray(atom.val, atom.aval.dtype)[()]


def is_literal(atom: Any) -> bool:
    """Say whether an operand of an equation is a number that stands there."""
    return hasattr(atom, "val")


def bound(equation: Any, operands: Sequence[Any]) -> Sequence[Any]:
    """Let JAX do one equation with arrays, and list the results."""
    primitive = equation.primitive
    given = primitive.get_bind_params(equation.params)
    functions, parameters = given if isinstance(given, tuple) else ((), given)  # before JAX 0.8
    with equation.ctx.manager:
        found = primitive.bind(*functions, *operands, **parameters)
    return found if primitive.multiple_results else [found]
