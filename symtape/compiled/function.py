"""Compiled formulas: a function of the leaves, with readable source."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from symtape.codegen.backends import BACKENDS, backend_name, backend_named
from symtape.codegen.task import Code, Recorded, Task
from symtape.compiled.results import finished
from symtape.errors import PathConditionError, UnsupportedError
from symtape.nest.trees import LEAF, Tree
from symtape.program.excerpt import Excerpt, Parcel
from symtape.program.program import Guard, Program


class Compiled(NamedTuple):
    """What a compiled formula computes, of which arguments; `labels` are names that were mended.

    The outputs are put into the structure `tree`, which of one formula is nothing. A formula that
    depends on none of its arguments, as the slope of 3x, can be called without them.
    """

    program: Program
    outputs: tuple[int, ...]
    arguments: tuple[tuple[str, int], ...]
    defaults: tuple[tuple[str, int, Callable[[], Any]], ...]
    guards: tuple[Guard, ...]
    labels: Mapping[str, str] = MappingProxyType({})
    tree: Tree = LEAF

    @property
    def decided(self) -> list[int]:
        """The positions whose values decide the path."""
        return [g.position for g in self.guards]


class CompiledFormula:
    """A formula as a function of its leaves; `source` is its code, `signature` its arguments.

    Arguments are numbers or arrays of the recorded shapes; numbers take the recorded dtype. Leaves
    that are not positional keep their recorded values and can be given by keyword. Raises
    `UnsupportedError` for a backend that does not exist.
    """

    def __init__(self, formula: Compiled, backend: str) -> None:
        self._formula = formula
        self._backend = backend
        self._row = backend_named(backend)
        self._names = [*[n for n, _ in formula.arguments], *[n for n, _, _ in formula.defaults]]
        self.signature = self.__signature__ = _signature(formula)
        shapes, dtypes = formula.program.shapes, formula.program.dtypes
        self._expected = [(n, p, shapes[p], dtypes[p]) for n, p in formula.arguments]
        self._defaults = [get for _, _, get in formula.defaults]
        self._guards = formula.guards
        self._dtypes = [dtypes[p] for p in formula.outputs]
        self._build = None if formula.tree is LEAF else formula.tree.builder

    @cached_property
    def _code(self) -> Code:
        return self._row.write(self._task)

    @property
    def _task(self) -> Task:
        return self._task_of([*self._formula.outputs, *self._formula.decided])

    def _task_of(self, outputs: Sequence[int]) -> Task:
        formula = self._formula
        positions = [*[p for _, p in formula.arguments], *[p for _, p, _ in formula.defaults]]
        return Task(formula.program, positions, outputs, self._names)

    def _look_at_path(self, values: Sequence[Any]) -> None:
        """Say that another path is taken, where something fails for it, as a place that is none."""
        for guard in self._guards:
            try:
                decided = self._row.write(self._task_of([guard.position])).run(*values)
            except Exception:  # noqa: BLE001 - the first failure is raised
                return
            check_path([guard], decided)

    @cached_property
    def _run(self) -> Callable[..., Sequence[Any]]:
        return self._code.run

    @property
    def source(self) -> str:
        """The code."""
        return self._code.text

    @property
    def header(self) -> str:
        """The declaration of the function, for backend "c"; else nothing."""
        return self._code.header

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Compute the formula.

        Raises `TypeError` and `ValueError` for arguments that do not fit, `PathConditionError` for
        values that take another branch than the recorded one, and `ReleasedError` where a leaf that
        is not given was freed with its tape.
        """
        expected = self._expected
        if kwargs or len(args) != len(expected):
            values = self._bound(args, kwargs)
        elif not self._row.on_host:
            fits = self._row.fits
            values = [
                a if fits(a, shape, dtype) else self._checked(name, p, a)
                for a, (name, p, shape, dtype) in zip(args, expected, strict=True)
            ]
            values += [Recorded(get()) for get in self._defaults]
        else:  # the way of an optimizer's inner loop: nothing is done twice
            values = []
            for a, (name, p, shape, dtype) in zip(args, expected, strict=True):
                same = type(a) is np.ndarray and a.dtype is dtype and a.shape == shape and shape
                values.append(a if same else self._checked(name, p, a))
            for get in self._defaults:
                values.append(get())
        try:
            results = self._run(*values)
        except Exception:
            if self._row.on_host:
                self._look_at_path(values)
            raise
        if self._guards:
            count = len(self._dtypes)
            given = results[count:], partial(check_path, self._guards)
            results = [self._row.guarded(result, *given) for result in results[:count]]
        if self._row.on_host:
            results = finished(results, values, self._dtypes)
        return results[0] if self._build is None else self._build(results)

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """Put the arguments in order, with the recorded values for those that are not given."""
        formula = self._formula
        given = self.bound(args, kwargs)
        values = [
            self._checked(n, p, given[n]) if n in given else None for n, p in formula.arguments
        ]
        for name, p, get in formula.defaults:
            if name in given:
                values.append(self._checked(name, p, given[name]))
            else:
                values.append(get() if self._row.on_host else Recorded(get()))
        return values

    def bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Mapping[str, Any]:
        """Give the arguments of a call by their names; raises `TypeError` for wrong ones."""
        try:
            return self.signature.bind(*args, **self._named(kwargs)).arguments
        except TypeError as error:
            raise TypeError(f"{error}; the signature is {self.signature}") from None

    @property
    def backend(self) -> str:
        """The name of the library that computes."""
        return self._backend

    @property
    def formula(self) -> Compiled:
        """What is computed."""
        return self._formula

    def _named(self, kwargs: dict[str, Any]) -> dict[str, Any]:
        """Call arguments as the signature does, which are given by the labels of their leaves."""
        labels, own = self._formula.labels, self.signature.parameters
        found: dict[str, Any] = {}
        for key, value in kwargs.items():
            name = key if key in own else labels.get(key, key)
            if name in found:
                raise TypeError(f"got multiple values for argument {name!r}")
            found[name] = value
        return found

    def _checked(self, name: str, position: int, value: Any) -> Any:
        shape, dtype = (
            self._formula.program.shapes[position],
            self._formula.program.dtypes[position],
        )
        array = self._row.accept(value, dtype)
        if tuple(array.shape) != shape:
            raise ValueError(
                f"{name} has shape {tuple(array.shape)}, the formula was recorded for {shape}; "
                f"the signature is {self.signature}"
            )
        given = self._row.dtype_of(array)
        if given != dtype and not np.can_cast(given, dtype, "same_kind"):
            raise TypeError(
                f"{name} has dtype {given}, the formula was recorded for {dtype}; the signature is "
                f"{self.signature}"
            )
        return self._row.cast(array, dtype)

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel as the steps that are needed and the recorded values, and be compiled anew."""
        parcel = self.parcel()
        return CompiledFormula.unpacked, tuple(parcel)

    def parcel(self) -> Parcel:
        """Give all that the formula is made of; raises `ReleasedError` for values that are gone."""
        formula = self._formula
        inputs = [*[p for _, p in formula.arguments], *[p for _, p, _ in formula.defaults]]
        return Parcel(
            Excerpt.of(formula.program, [*formula.outputs, *inputs], formula.guards),
            formula.outputs,
            formula.arguments,
            tuple([(name, p, np.asarray(get())) for name, p, get in formula.defaults]),
            self._backend,
            tuple(formula.labels.items()),
            formula.tree,
        )

    def to_json(self) -> str:
        """Write the formula as JSON; `symtape.from_json` reads it, and executes nothing.

        Raises `UnsupportedError` for a backend that is a module, which a file cannot name, and
        `ReleasedError` for recorded values that are gone.
        """
        if self._backend not in BACKENDS:
            raise UnsupportedError(
                f"a file names no backend like {self._backend!r}; pickle the formula, or compile "
                "it for a backend of the table"
            )
        from symtape.exchange import documents  # noqa: PLC0415 - most formulas are never saved

        return documents.formula_text(self.parcel())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the formula to a file that `symtape.load` reads; see `symtape.save`.

        Raises `UnsupportedError` and `ReleasedError` where `to_json` does, and `OSError` for a file
        that cannot be written.
        """
        Path(path).write_text(self.to_json(), encoding="utf-8")

    def export(
        self, path: str | os.PathLike[str], *, name: str | None = None, doc: str = ""
    ) -> None:
        """Write a Python module with the formula as a function, which needs NumPy alone.

        The function is called as the file is, or `name`; `doc` is the first line of its docstring.
        It takes what the formula takes, has the recorded values in it (those of more than 256
        numbers in an `.npz` file beside it), and raises `ValueError` outside of the recorded path.
        Special functions need SciPy, and the module says so.

        Raises `UnsupportedError` for what cannot be written that way, and `ReleasedError` for
        recorded values that are gone.
        """
        from symtape.compiled.export import Formula, Leaf, export  # noqa: PLC0415 - likewise

        parcel, signature = self.parcel(), self.signature.parameters
        leaves = [
            Leaf(n, p, is_needed=signature[n].default is inspect.Parameter.empty)
            for n, p in parcel.arguments
        ]
        leaves += [Leaf(n, p, value) for n, p, value in parcel.defaults]
        formula = Formula(self._task, leaves, parcel.outputs, parcel.tree, self._guards)
        export(formula, path, name, doc)

    @classmethod
    def unpacked(
        cls,
        excerpt: Excerpt,
        outputs: tuple[int, ...],
        arguments: tuple[tuple[str, int], ...],
        defaults: tuple[tuple[str, int, Any], ...],
        backend: str,
        labels: Sequence[tuple[str, str]] = (),
        tree: Tree = LEAF,
    ) -> CompiledFormula:
        """Make the formula of its parts; it is compiled when it is first called."""
        getters = tuple([(name, p, partial(_itself, value[()])) for name, p, value in defaults])
        guards = excerpt.guards
        own = arguments, getters, guards, dict(labels), tree
        return cls(Compiled(excerpt.program, outputs, *own), backend)

    def __repr__(self) -> str:
        return self.source


def _itself(value: Any) -> Any:
    return value


def check_path(guards: Sequence[Guard], decided: Sequence[Any]) -> None:
    """Raise `PathConditionError` unless the values take the recorded path."""
    for guard, value in zip(guards, decided, strict=True):
        if (
            bool(np.all(value)) != guard.value
            if isinstance(guard.value, bool)
            else value != guard.value
        ):
            raise PathConditionError(
                "these values take another branch than the recorded one (step "
                f"v{guard.position} was {guard.value}); record anew, or pass check=False to "
                "evaluate this branch"
            )


def _signature(formula: Compiled) -> inspect.Signature:
    plain = inspect.Parameter.POSITIONAL_OR_KEYWORD
    keyword = inspect.Parameter.KEYWORD_ONLY
    places = {p for _, p in formula.arguments}
    needed = formula.program.schedule([*formula.outputs, *formula.decided], places)[1]
    default = inspect.Parameter.empty if needed else ...
    return inspect.Signature(
        [inspect.Parameter(n, plain, default=default) for n, _ in formula.arguments]
        + [inspect.Parameter(n, keyword, default=...) for n, _, _ in formula.defaults]
    )


def compiled(formula: Compiled, backend: Any) -> CompiledFormula:
    """Compile a formula for a backend; raises `UnsupportedError` for an unknown one."""
    made = CompiledFormula(formula, backend_name(backend))
    _ = made.source  # what cannot be compiled raises here, and not when it is called
    return made
