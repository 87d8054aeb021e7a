"""What CuPy, PyTorch and JAX give on a GPU: run by hand where there is one, see `__main__.py`."""
