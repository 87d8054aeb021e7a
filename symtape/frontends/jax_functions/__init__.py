"""JAX functions, as functions on tensors."""

from symtape.frontends.jax_functions.tracing import from_jax

__all__ = ["from_jax"]
