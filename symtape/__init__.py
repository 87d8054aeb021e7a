"""TensorFlow's eager names with exact derivatives: `import symtape as tf`.

Which names there are, and where, is written in `__init__.pyi`, for type checkers and for here alike
(Scientific Python, SPEC 1): a module is imported when somebody asks for a name that it has, but for
operations, which formulas mean by their names.
"""

from functools import partial
from importlib import import_module
from pkgutil import resolve_name
from typing import Any

from symtape.namespace import homes, show
from symtape.version import __version__

newaxis = None


def _of_keras(name: str) -> Any:
    """Give Keras, or a part of it that TensorFlow shows at the top."""
    return resolve_name("symtape.stand_in.training:shown")(name)


_KERAS = ("keras", "initializers", "losses", "metrics", "optimizers")
"""What is Keras itself where symtape stands in for TensorFlow and it is installed."""

_HOMES = homes(__name__, "__init__.pyi")

__all__ = [*_HOMES, "newaxis"]  # noqa: PLE0604 - names, all of them

show(
    __name__,
    __all__,
    {
        **{name: partial(resolve_name, home) for name, home in _HOMES.items()},
        **{name: partial(_of_keras, name) for name in _KERAS},
        "bfloat16": partial(resolve_name, "symtape.dtypes:bfloat16"),
    },
    hidden=["bfloat16"],
)

import_module(
    "symtape.ops"
)  # what formulas that travel mean by its name is there wherever symtape is
