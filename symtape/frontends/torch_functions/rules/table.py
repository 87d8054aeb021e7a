"""All rules, entered by importing the modules that have them."""

from symtape.frontends.torch_functions.rules import (
    choices,
    creation,
    elementwise,
    indexing,
    joining,
    ordering,
    reductions,
    sampling,
    tails,
)
from symtape.frontends.torch_functions.rules.algebra import (
    fourier,
    linear_algebra,
    polynomials,
    products,
)
from symtape.frontends.torch_functions.rules.networks import (
    activations,
    alignments,
    bags,
    losses,
    normalization,
    resampling,
    sliding,
)
from symtape.frontends.torch_functions.rules.rules import READ, RULES, WIDE, Step, rule_of

ENTERED = (
    activations, alignments, bags, choices, creation, elementwise, fourier, indexing, joining,
    linear_algebra, losses, normalization, ordering, polynomials, products, reductions, resampling,
    sampling, sliding, tails,
)  # fmt: skip
"""Each enters its rules as it is imported."""

__all__ = ["ENTERED", "READ", "RULES", "WIDE", "Step", "rule_of"]
