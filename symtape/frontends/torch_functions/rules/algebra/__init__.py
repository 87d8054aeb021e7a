"""Rules of what is computed with whole matrices, transforms and polynomials."""
