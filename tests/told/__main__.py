"""Write what is said: python -m tests.told."""

from tests.told import record

record()
