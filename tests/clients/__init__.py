"""Programs that were not written for symtape, run on it and on TensorFlow, and compared.

`python -m tests.clients` fetches what `sources.py` lists, runs each file unmodified in two
processes, and writes `docs/clients.md`. Nothing of what is fetched is kept here.
"""
