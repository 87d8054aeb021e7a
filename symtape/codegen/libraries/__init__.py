"""Compiled formulas on array libraries: one set of functions, a dictionary for each library."""
