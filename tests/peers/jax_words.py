"""JAX's words for what only the table of operations needs: dtypes, positions, special functions."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np
import sympy as sp

from symtape.program import operations as ops
from symtape.program.kinds import matrices, structural
from tests.peers.translate import Jax

MATRIX_FUNCTIONS = {"exp": attrgetter("expm")}
"""What JAX differentiates of the functions of matrices."""


class JaxWords(Jax):
    """The operations of recorded programs."""

    def __init__(self, jax: Any) -> None:
        super().__init__(jax)
        self.rules |= {
            ops.Cast: self.cast,
            ops.Count: lambda op, x: self.np.asarray(op.count(x.shape), x.dtype),
            structural.Position: self.position,
            matrices.PseudoInverse: lambda _, x, smallest: self.np.linalg.pinv(x, rtol=smallest),
            matrices.MatrixFunction: lambda op, x: MATRIX_FUNCTIONS[op.name](jax.scipy.linalg)(x),
        }
        special = jax.scipy.special
        self.words = {
            "erf": special.erf,
            "erfc": special.erfc,
            "erfinv": special.erfinv,
            "polygamma": self.polygamma,
            "gamma": special.gamma,
            "zeta": special.zeta,
            "our_lowergamma": lambda a, x: special.gammainc(a, x) * special.gamma(a),
            "our_uppergamma": lambda a, x: special.gammaincc(a, x) * special.gamma(a),
            "betainc_regularized": lambda a, b, _, x: special.betainc(a, b, x),
            "besseli": lambda n, x: (special.i0, special.i1)[n](x),
            "Ei": special.expi,
            "erfi": lambda x: 2 / np.sqrt(np.pi) * self.np.exp(x * x) * special.dawsn(x),
            "our_fresnels": lambda x: special.fresnel(x)[0],
            "our_fresnelc": lambda x: special.fresnel(x)[1],
            "polylog": lambda _, x: special.spence(1 - x),
            "conjugate": self.np.conj,
            "re": self.np.real,
            "im": self.np.imag,
            "arg": self.np.angle,
        }

    def function(self, operation: ops.Map, module: str) -> Callable[..., Any]:
        """Let SymPy write the body, with JAX's special functions; some it refuses to write."""
        symbols, body = operation.formula
        for refused in (sp.lowergamma, sp.uppergamma, sp.fresnels, sp.fresnelc):
            body = body.replace(refused, sp.Function(f"our_{refused.__name__}"))
        return sp.lambdify(symbols, body, modules=[self.words, module])

    def polygamma(self, n: Any, x: Any) -> Any:
        """Give digamma for a number that is 0: JAX differentiates it better."""
        special = self.jax.scipy.special
        if isinstance(n, int):
            return special.digamma(x) if n == 0 else special.polygamma(n, x)
        return special.polygamma(n.astype(int), x)

    def cast(self, operation: ops.Cast, x: Any) -> Any:
        """Change the dtype; of complex numbers the real part is left."""
        if operation.dtype.kind != "c" and self.np.iscomplexobj(x):
            x = x.real
        return x.astype(operation.dtype)

    def position(self, operation: structural.Position, x: Any) -> Any:
        """Find where, as NumPy does."""
        if operation.which == "argsort":
            return self.np.argsort(x, axis=operation.axes[0], stable=True)
        return getattr(self.np, operation.which)(x, axis=operation.axes[0])

    def solve(self, operation: matrices.Solve, a: Any, b: Any) -> Any:
        """Solve with the adjoint, and with diagonals that are written out."""
        if operation.form == "tridiagonal":
            n = a.shape[-1]
            lines = zip((1, 0, -1), self.np.moveaxis(a, -2, 0), strict=True)
            a = sum(line[..., :, None] * self.np.eye(n, k=k) for k, line in lines)
            operation = matrices.Solve("full", operation.adjoint)
        return super().solve(operation, a.conj() if operation.adjoint else a, b)

    def determinant(self, operation: matrices.Determinant, x: Any) -> Any:
        """Give the sign of the determinant as well."""
        return (
            self.np.linalg.slogdet(x)[0]
            if operation.part == "sign"
            else super().determinant(operation, x)
        )
