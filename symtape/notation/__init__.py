"""Formulas from text: what somebody typed, in one of two notations, and its derivatives."""
