"""Compiled formulas: called, saved, exported, at other sizes."""
