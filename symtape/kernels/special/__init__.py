"""Special functions of arrays of floats."""
