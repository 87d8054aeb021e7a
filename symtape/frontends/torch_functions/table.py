"""All rules, entered by importing the modules that have them."""

from symtape.frontends.torch_functions import (  # noqa: F401 - each enters its rules
    activations,
    creation,
    elementwise,
    indexing,
    joining,
    linear_algebra,
    losses,
    normalization,
    ordering,
    products,
    reductions,
    sliding,
)
from symtape.frontends.torch_functions.rules import READ, RULES, WIDE, Step, rule_of

__all__ = ["READ", "RULES", "WIDE", "Step", "rule_of"]
