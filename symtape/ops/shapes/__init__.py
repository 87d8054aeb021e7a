"""The same elements in other shapes; tensors made of sizes."""
