"""Stages of a pipeline: where elements come from, and what becomes of them."""
