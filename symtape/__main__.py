"""`python -m symtape`: the command line."""

import sys

from symtape.cli import main

if __name__ == "__main__":
    sys.exit(main())
