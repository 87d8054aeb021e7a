"""How formulas in matrix notation are written: text, LaTeX, Python, SymPy, index notation."""
