"""What can be made of a dataset, method by method."""
