"""How a person reads a program: SymPy expressions, formulas with indices, LaTeX."""
