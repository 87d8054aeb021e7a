"""Formulas from text: what somebody typed, in one of two notations, and its derivatives."""

NOTATIONS = ("matrix", "python")
"""How a text can be written."""
