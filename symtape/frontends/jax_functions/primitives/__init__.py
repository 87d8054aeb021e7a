"""The closed table of JAX's primitives."""
