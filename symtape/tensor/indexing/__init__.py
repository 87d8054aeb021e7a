"""What brackets take of a tensor, and the places that they name."""
