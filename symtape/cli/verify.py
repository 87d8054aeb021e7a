"""`symtape verify`: judges gradients that somebody wrote, each in a process of its own."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import inspect
import json
import math
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np

from symtape.cli.output import MISUSE, write
from symtape.errors import ExtraNotInstalledError, SymtapeError
from symtape.signatures import read_signature
from symtape.stand_in.takeover import answering
from symtape.tensor.dtypes import as_dtype

try:
    import resource
except ImportError:  # where processes have no such limits, as on Windows
    resource = None  # type: ignore[assignment]  # a module, or none

KINDS = ("gradient", "vjp", "jvp", "jacobian", "hessian", "value")
UNDECIDED = 2
"""The exit status where no candidate is refuted and one is undecided."""


STARTING = 5.0
"""So many seconds of the processor more may a candidate take, which is called several times."""

_WAITING = 60.0
"""So many seconds more by the clock: importing takes some, and what else the machine does."""


_TOO_LONG = -getattr(signal, "SIGXCPU", 0) or None
"""How a process ended that took too long by the processor."""


class UsageError(Exception):
    """What was typed names nothing; the words say what."""


def verify(options: argparse.Namespace) -> int:
    """Judge and print; 0 if all are accepted, 1 if one is refuted, 2 if one is undecided."""
    try:
        if options.one:
            return _alone(options)
        _check(options)
        reports = [_in_process(options, given) for given in options.candidates]
    except (UsageError, ValueError, TypeError, SymtapeError) as error:
        print(f"symtape: {error}", file=sys.stderr)
        return MISUSE
    if options.json:
        written = json.dumps([own for own, _ in reports], indent=2)
    else:
        named = zip(options.candidates, reports, strict=True)
        written = "\n\n".join([f"{given}\n{text}" for given, (_, text) in named])
    verdicts = {own["verdict"] for own, _ in reports}
    status = 1 if "refuted" in verdicts else UNDECIDED if "undecided" in verdicts else 0
    return write(sys.stdout, written, "report") or status


def _alone(options: argparse.Namespace) -> int:
    """Judge one candidate for the process that waits; what the candidate prints is an error's.

    Where no TensorFlow is installed, symtape answers `import tensorflow`, as for a script.
    """
    out = os.dup(1)
    os.dup2(2, 1)
    is_there = importlib.util.find_spec("tensorflow") is not None
    try:
        with nullcontext() if is_there else answering():
            found = _judged(options, options.candidates[0])
    except UsageError:
        raise
    except Exception as error:  # noqa: BLE001 - the function's own: no candidate is refuted by it
        cause = f"it could not be judged: {type(error).__name__}: {error}"
        report, text = _ended(options, cause, "undecided")
        found = {"report": report, "text": text}
    os.write(out, json.dumps(found).encode())
    return 0


def _check(options: argparse.Namespace) -> None:
    """Refuse what names nothing before processes are started."""
    for option in (*options.shape, *options.domain):
        if "=" not in option:
            raise UsageError(f"{option}: it is a name, = and what it is")
    if not options.shape and options.example is None:
        raise UsageError("say what the inputs are: --shape x=3,4 for each, or --example MODULE:x")
    if options.example is not None and (options.shape or options.dtype):
        raise UsageError("--example gives the inputs; --shape and --dtype are for those drawn")
    if not 0 < options.seconds < math.inf:
        raise UsageError(f"--seconds {options.seconds:g}: it is a positive number")


def _in_process(options: argparse.Namespace, candidate: str) -> tuple[dict[str, Any], str]:
    """Judge one candidate in a process of its own, which is ended when its time is over."""
    command = [sys.executable, "-m", "symtape", "verify", "--one", "--kind", options.kind]
    for name in ("shape", "domain", "wrt"):
        for value in getattr(options, name):
            command += [f"--{name}", value]
    if options.example is not None:
        command += ["--example", options.example]
    if options.dtype is not None:
        command += ["--dtype", options.dtype]
    command += ["--seed", str(options.seed), "--seconds", str(options.seconds)]
    command += ["--within", str(options.seconds + STARTING)]
    command += [options.function, candidate]
    try:
        done = subprocess.run(  # noqa: S603 - this program itself
            command,
            capture_output=True,
            text=True,
            check=False,
            timeout=options.seconds + _WAITING,
        )
    except subprocess.TimeoutExpired:
        return _late(options)
    if done.returncode == _TOO_LONG:
        return _late(options)
    if done.returncode == MISUSE:
        raise UsageError(done.stderr.strip().removeprefix("symtape: "))
    try:
        found = json.loads(done.stdout)
    except ValueError:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        status = _status(done.returncode)
        return _ended(options, f"the process of the candidate ended with {status}: {last}")
    return found["report"], found["text"]


def _status(code: int) -> str:
    """Write how a process ended: by its exit status, or by the name of a signal."""
    try:
        return signal.Signals(-code).name
    except ValueError:
        return str(code)


def _late(options: argparse.Namespace) -> tuple[dict[str, Any], str]:
    cause = (
        f"there was no verdict after {options.seconds:g} s: give more with --seconds, or smaller "
        "inputs"
    )
    return _ended(options, cause, "undecided")


def _ended(
    options: argparse.Namespace, cause: str, verdict: str = "refuted"
) -> tuple[dict[str, Any], str]:
    from symtape.verify import Report  # noqa: PLC0415 - other commands need it not

    report = Report(kind=options.kind, verdict=verdict, cause=cause)
    return json.loads(report.to_json()), str(report)


def _judged(options: argparse.Namespace, candidate: str) -> dict[str, Any]:
    from symtape import verify as judge  # noqa: PLC0415 - other commands need it not

    function = _named(options.function)
    given = _named(candidate) if ":" in candidate else candidate
    inputs = _inputs(options, function)
    if options.within is not None:
        _end_after(options.within)
    settings: dict[str, Any] = {
        "domain": dict(option.split("=", 1) for option in options.domain),
        "seed": options.seed,
        "seconds": options.seconds,
    }
    if options.kind != "value":
        settings["wrt"] = options.wrt or None
    report = getattr(judge, options.kind)(function, given, *inputs, **settings)
    return {"report": json.loads(report.to_json()), "text": str(report)}


def _end_after(seconds: float) -> None:
    """Let this process end after more seconds of the processor, whatever it does then."""
    if resource is not None:
        last = math.ceil(time.process_time() + seconds)
        for what, most in ((resource.RLIMIT_CPU, last), (resource.RLIMIT_CORE, 0)):
            hard = resource.getrlimit(what)[1]
            resource.setrlimit(what, (most if hard < 0 else min(most, hard), hard))


def _inputs(options: argparse.Namespace, function: Any) -> list[Any]:
    """Give the example: what a module has, or random numbers of the shapes that were given."""
    if options.example is not None:
        found = _named(options.example)
        found = found() if callable(found) else found
        return list(found) if isinstance(found, (tuple, list)) else [found]
    shapes = [_shape(option) for option in options.shape]
    names = _in_order([name for name, _ in shapes], options.function, function)
    _check_names(options, names)
    rng, known = np.random.default_rng(options.seed), dict(shapes)
    dtype = _dtype(options.dtype or "float64")
    return [np.asarray(rng.normal(size=known[name])).astype(dtype) for name in names]


def _dtype(name: str) -> Any:
    try:
        return as_dtype(name).as_numpy_dtype
    except TypeError:
        raise UsageError(f"--dtype {name}: there is no such dtype") from None
    except ExtraNotInstalledError as error:
        raise UsageError(f"--dtype {name}: {error}") from None


def _check_names(options: argparse.Namespace, names: Sequence[str]) -> None:
    """Refuse to judge or to confine what is no input."""
    from symtape.verify.points.domain import KINDS as DOMAINS  # noqa: PLC0415 - as above

    domains = [option.partition("=") for option in options.domain]
    asked = [("wrt", own) for own in options.wrt] + [("domain", own) for own, *_ in domains]
    for option, own in asked:
        if own not in names:
            raise UsageError(f"--{option} {own}: the inputs are {', '.join(names)}")
    for name, _, kind in domains:
        if kind not in DOMAINS:
            raise UsageError(f"--domain {name}={kind}: it is one of {', '.join(DOMAINS)}")


def _shape(option: str) -> tuple[str, list[int]]:
    name, _, value = option.partition("=")
    sizes = [part for part in value.split(",") if part.strip()]
    if not all(part.strip().isdecimal() for part in sizes):
        raise UsageError(f"--shape {option}: sizes are numbers, with commas between")
    return name.strip(), [int(part) for part in sizes]


def _in_order(given: Sequence[str], called: str, function: Any) -> list[str]:
    """Order the names of inputs as the function takes them; what it does not name, as they come."""
    from symtape.verify.subject import input_names  # noqa: PLC0415 - other commands need it not

    if len({*given}) < len(given):
        raise UsageError(f"--shape: an input is given twice among {', '.join(given)}")
    wanted = input_names(function, len(given)) if callable(function) else given
    others = [name for name in given if name not in wanted]
    free = [name for name in wanted if name not in given]
    if not (all(_NAMELESS.fullmatch(name) for name in free) and _takes(function, len(given))):
        takes = str(_signature(function) or f"({', '.join(wanted)})")
        raise UsageError(f"--shape: {called} is called with {takes}, not ({', '.join(given)})")
    placed = dict(zip(free, others, strict=True))
    return [placed.get(name, name) for name in wanted]


def _takes(function: Any, count: int) -> bool:
    """Say whether a function takes so many arguments, as far as it tells."""
    signature = _signature(function)
    try:
        return signature is None or bool(signature.bind(*range(count)).arguments)
    except TypeError:
        return False


def _signature(function: Any) -> inspect.Signature | None:
    from symtape.verify.running.written import signed  # noqa: PLC0415 - other commands need it not

    try:
        return None if isinstance(function, type) else read_signature(signed(function))
    except (TypeError, ValueError):
        return None


_NAMELESS = re.compile(r"arg\d+")
"""How inputs are called that the function has no names for."""


def _named(given: str) -> Any:
    """Import MODULE:name; a module is one of Python's path, or a file that ends with .py."""
    place, _, name = given.rpartition(":")
    if not place or not name:
        raise UsageError(f"{given}: it is MODULE:name, or file.py:name")
    found = _module(place)
    for part in name.split("."):
        if not hasattr(found, part):
            raise UsageError(f"{given}: {place} has no {part!r}")
        found = getattr(found, part)
    return found


def _module(place: str) -> Any:
    if not place.endswith(".py"):
        sys.path.insert(0, "")
        try:
            return importlib.import_module(place)
        except ModuleNotFoundError as error:
            raise UsageError(f"{place}: {error}") from None
    path = Path(place)
    if path.stem in sys.modules and getattr(sys.modules[path.stem], "__file__", "") == str(path):
        return sys.modules[path.stem]
    if not path.is_file():
        raise UsageError(f"{place}: there is no such file")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None  # noqa: S101, PT018 - a file that is there
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module
