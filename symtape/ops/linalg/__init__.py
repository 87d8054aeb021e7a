"""Products, equations, factorizations and spectra of matrices."""
