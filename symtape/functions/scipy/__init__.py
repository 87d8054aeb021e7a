"""Functions with their derivatives, as SciPy's solvers call them."""
