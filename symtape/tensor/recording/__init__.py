"""What tapes keep: steps, leaves, where they come from, what travels."""
