"""The commands of symtape."""

from symtape.cli.arguments import main

__all__ = ["main"]
