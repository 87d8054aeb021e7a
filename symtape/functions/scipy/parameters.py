"""What adapters for SciPy share: parameters that a vector stands for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from symtape.functions.scipy.packing import Packing, joined_arrays, real_array
from symtape.functions.tracing.arguments import called, parameter_names
from symtape.namespace import hiding


@hiding("packing read split title user")
class Parametrized:
    """A function of one vector, which may stand for a structure of parameters."""

    def __init__(self, title: str, fun: Callable[..., Any], params: Any, *, sparse: bool) -> None:
        self.title, self.user, self.is_sparse = title, fun, sparse
        self.packing = None if params is None else Packing(title, params)

    def __reduce__(self) -> Any:
        """Travel as the function and the parameters; what was traced is traced anew."""
        params = None if self.packing is None else self.packing.unpack(self.x0)
        return partial(type(self), sparse=self.is_sparse), (self.user, params)

    def __repr__(self) -> str:
        return f"<{self.title} of {called(self.user, parameter_names(self.user))}>"

    @property
    def x0(self) -> Any:
        """The vector of the parameters that were given: where to start."""
        packing = self._packed("x0")
        return joined_arrays(packing.values)

    def pack(self, params: Any) -> Any:
        """Give the vector of a structure of parameters.

        Raises `TypeError` for another structure, `ValueError` for other shapes.
        """
        return self._packed("pack").pack(params)

    def unpack(self, x: Any) -> Any:
        """Give the parameters that a vector stands for, as arrays of their own shapes and dtypes.

        Raises `ValueError` for a vector of another size.
        """
        return self._packed("unpack").unpack(x)

    def _packed(self, asked: str) -> Packing:
        if self.packing is None:
            raise ValueError(
                f"{self.title}: {asked} is for parameters with a structure, which are given as "
                f"{self.title}(fun, params)"
            )
        return self.packing

    def read(self, x: Any) -> Any:
        """Read what SciPy gives as an array of float64."""
        if self.packing is not None:
            return self.packing.vector(x)
        return real_array(self.title, x)

    def split(self, vector: Any) -> Any:
        """Give what the function takes for a vector."""
        return vector if self.packing is None else self.packing.views(vector)
