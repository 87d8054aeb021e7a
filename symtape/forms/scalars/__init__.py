"""Scalar expressions in their shortest form."""
