"""How a program is read in matrix notation."""
