"""Elements that are put together: batches, and windows."""
