"""Somebody else's code, run: within limits, watched, and again at other points."""
