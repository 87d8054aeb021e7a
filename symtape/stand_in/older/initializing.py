"""TensorFlow 1's initializers of variables and tables, which are done before they are asked for."""

from __future__ import annotations

from typing import Any


def global_variables_initializer() -> None:
    """Do nothing: a variable has its first value when it is made.

    >>> global_variables_initializer()
    """


def local_variables_initializer() -> None:
    """Do nothing: a variable has its first value when it is made.

    >>> local_variables_initializer()
    """


def variables_initializer(var_list: Any, name: str = "init") -> None:
    """Do nothing: a variable has its first value when it is made, and keeps what it has.

    >>> variables_initializer([])
    """


def tables_initializer(name: str = "init_all_tables") -> None:
    """Do nothing: a table has its entries when it is made.

    >>> tables_initializer()
    """
