"""Functions that call functions: conditions, loops, maps, and Python in the middle."""
