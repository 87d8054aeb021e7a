"""The memory of torch's tensors: contents beside storages, and views that lie in others."""
