"""Elements taken from places and put there."""
