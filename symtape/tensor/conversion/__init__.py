"""What becomes a tensor in a way of its own."""
