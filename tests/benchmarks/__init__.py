"""Benchmarks against peers: `python -m tests.benchmarks`."""
