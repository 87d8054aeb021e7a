"""Numbers of Arb with a radius: what contains the exact value."""
