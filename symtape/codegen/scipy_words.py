"""The scipy backend: NumPy code that calls SciPy's special functions by SciPy's own names.

As `sympy.lambdify(modules="scipy")` does it: each function is the one ufunc of `scipy.special`,
with its speed, its dtypes, its digits and its values at poles. What SciPy has no function for
(slopes that would cancel) is the numpy backend's own, called `own`.
"""

from __future__ import annotations

from functools import lru_cache

from symtape.codegen.compile import Source
from symtape.codegen.libraries.adapters.cupy_library import SCIPY
from symtape.codegen.scope import Scope
from symtape.codegen.task import Backend, Code, Task
from symtape.extras import imported
from symtape.kernels.interpret import QUIET
from symtape.kernels.kernels import NAMESPACE
from symtape.kernels.nodes import Attribute, Call, Node, Number, Word, dotted, rebuilt
from symtape.kernels.special import functions as exact
from symtape.kernels.special.families import OF_SCIPY

_SAME = {
    "polygamma": "polygamma",
    "beta": "beta",
    "log_beta": "betaln",
    "log_normal_cdf": "log_ndtr",
    **OF_SCIPY,
    **SCIPY,
}


def write(task: Task) -> Code:
    """Write NumPy code whose bodies have SciPy's names in them."""
    special = imported("scipy.special", "the scipy backend", "scipy")
    scope = Scope(task.names, apart=[task.title], spelled=_spelled)
    source = Source(task.program, task.inputs, task.outputs, scope, task.title)
    function = source.compile({**NAMESPACE, "special": special, "own": exact.NAMESPACE})
    return Code(source.readable, lambda *values: QUIET.run(function, *values))


@lru_cache(maxsize=4096)
def _spelled(form: Node) -> Node:
    return rebuilt(form, _renamed)


_OF_ANY_ORDER = {"yn": "yv", "kn": "kv"}
"""Functions that SciPy has for whole orders, to which it cuts others off, and for any."""


def _renamed(node: Node) -> Node:
    if isinstance(node, Call):
        return _of_order(node)
    home, name = dotted(node)
    if home != "special":
        return node
    return Attribute(Word(home), _SAME[name]) if name in _SAME else Attribute(Word("own"), name)


def _of_order(call: Call) -> Node:
    """Call the function for any order where the order is no whole number that is known."""
    function, *operands = call.parts
    home, name = dotted(function)
    if home != "special" or name not in _OF_ANY_ORDER:
        return call
    order = operands[0]
    if isinstance(order, Number) and order.value == int(order.value):
        return call
    return call.of([Attribute(Word(home), _OF_ANY_ORDER[name]), *operands])


BACKEND = Backend(write)
