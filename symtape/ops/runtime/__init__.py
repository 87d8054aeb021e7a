"""The one processor: its devices, settings, clock and output."""
