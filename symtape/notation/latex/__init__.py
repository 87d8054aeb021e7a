"""LaTeX of formulas: how it is read."""
