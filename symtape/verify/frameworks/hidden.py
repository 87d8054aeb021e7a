"""What torch's graph hides: the forward of an `autograd.Function`, which may leave for NumPy."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from symtape.frontends.imported import ImportedFunction
from symtape.nest.trees import take_apart
from symtape.verify.frameworks.functions import framework_of
from symtape.verify.frameworks.own_rules import is_autograd, of_apply
from symtape.verify.frameworks.whole import inner_of


def hides_forward(f: Any, inputs: Sequence[Any]) -> bool:
    """Say whether a function of torch is an `autograd.Function`, or what it computes is of one."""
    if "torch" not in sys.modules or isinstance(inner_of(f), ImportedFunction):
        return False
    if is_autograd(inner_of(of_apply(f))):
        return True
    is_torch = framework_of(f) == "torch" or any(framework_of(x) == "torch" for x in inputs)
    return is_torch and _applies_one(f, inputs)


def _applies_one(f: Any, inputs: Sequence[Any]) -> bool:
    """Say whether torch's graph of the results holds a node of an `autograd.Function`."""
    torch = sys.modules["torch"]

    leaves = [x.detach().clone() if isinstance(x, torch.Tensor) else x for x in inputs]
    for x in leaves:
        if isinstance(x, torch.Tensor) and (x.is_floating_point() or x.is_complex()):
            x.requires_grad_()
    try:
        found = take_apart(f(*leaves))[0]
    except Exception:  # noqa: BLE001 - what it raises is told where it is judged
        return False
    waiting = [r.grad_fn for r in found if isinstance(r, torch.Tensor)]
    seen: set[Any] = set()
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        if isinstance(node, torch.autograd.function.BackwardCFunction):
            return True
        seen.add(node)
        waiting += [own for own, _ in node.next_functions]
    return False
