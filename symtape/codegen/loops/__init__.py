"""Loop nests, for numba and C."""
