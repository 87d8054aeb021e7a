"""The scipy backend: NumPy code that calls SciPy's special functions by SciPy's own names.

As `sympy.lambdify(modules="scipy")` does it: each function is the one ufunc of `scipy.special`,
with its speed, its dtypes, its digits and its values at poles. What SciPy has no function for
(slopes that would cancel) is the numpy backend's own, called `own`.
"""

from __future__ import annotations

import re
from typing import Any

from symtape.extras import imported
from symtape.numeric import special as exact
from symtape.numeric.compile import Source
from symtape.numeric.interpret import QUIET
from symtape.numeric.kernels import NAMESPACE
from symtape.numeric.portable.cupy_library import SCIPY
from symtape.numeric.task import Backend, Code, Task

_SAME = {"polygamma": "polygamma", **SCIPY}


def write(task: Task) -> Code:
    """Write NumPy code, and put SciPy's names into it."""
    special = imported("scipy.special", "the scipy backend", "scipy")
    text = re.sub(r"\bspecial\.(\w+)", _renamed, Source(*task).text)
    names: dict[str, Any] = {**NAMESPACE, "special": special, "own": exact.NAMESPACE}
    exec(compile(text, "<symtape>", "exec"), names)  # noqa: S102 - of names we made
    function = names["f"]
    return Code(text, lambda *values: QUIET.run(function, *values))


def _renamed(found: re.Match[str]) -> str:
    name = found[1]
    return f"special.{_SAME[name]}" if name in _SAME else f"own.{name}"


BACKEND = Backend(write)
