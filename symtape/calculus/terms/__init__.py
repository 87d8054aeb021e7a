"""Sums of products with places: Jacobians, canonical forms, structures."""
