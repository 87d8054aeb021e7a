"""Signals: transforms, windows, frames, spectra."""
