"""Formulas from text: what somebody typed, in one of three notations, and its derivatives."""

NOTATIONS = ("matrix", "python", "latex")
"""How a text can be written."""
