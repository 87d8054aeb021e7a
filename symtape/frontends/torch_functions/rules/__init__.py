"""The closed table of ATen operations."""
