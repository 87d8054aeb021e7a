"""Variables, and what a checkpoint and a name scope know of them."""
