"""`tf.compat.v1.app`: the beginning of a program of TensorFlow 1, which is absl's."""

from __future__ import annotations

import sys
from typing import Any, NoReturn

from symtape.stand_in.older.programs import flags


def run(main: Any = None, argv: Any = None) -> NoReturn:
    """Read the flags, run `main` with what is left of the command line, and end the program.

    `main` is the function of that name in the script, if none is given; what is no flag stays
    among its arguments. Raises `SystemExit` with what `main` gives.
    """
    main = main or sys.modules["__main__"].main

    def parsed(arguments: Any) -> Any:
        return flags.absl("flags").FLAGS(arguments, known_only=True)

    flags.absl("app").run(main=main, argv=argv, flags_parser=parsed)
    raise SystemExit
