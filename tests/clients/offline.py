"""What clients get in place of the network, of displays, and of packages that are not installed.

Data are small and drawn from fixed seeds, so that both processes see the same numbers.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import importlib
import importlib.util
import socket
import sys
import tempfile
import types
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

VERSION = 3
"""Raised where what is made up here changes: what TensorFlow gave before is no longer kept."""
_SIZES = {"mnist": (28, 28), "fashion_mnist": (28, 28), "cifar10": (32, 32, 3)}
_SIZES["cifar100"] = _SIZES["cifar10"]


def install(small: int) -> None:
    """Set up this process; `small` is how many images a data set has."""
    np.random.seed(0)
    socket.getaddrinfo = _no_network
    _old_names()
    for name, make in _PACKAGES.items():
        if importlib.util.find_spec(name) is None:
            sys.modules[name] = make()
            for inner, module in vars(sys.modules[name]).items():
                if isinstance(module, types.ModuleType):
                    sys.modules[f"{name}.{inner}"] = module
    tf = importlib.import_module("tensorflow")
    tf.random.set_seed(0)
    with contextlib.suppress(AttributeError):
        _datasets(tf.keras.datasets, small)
    with contextlib.suppress(AttributeError):
        tf.keras.utils.get_file = get_file
    if importlib.util.find_spec("pandas") is not None:
        _tables(importlib.import_module("pandas"))
    if importlib.util.find_spec("matplotlib") is not None:
        _old_styles(importlib.import_module("matplotlib.style"))


_OLD = {
    "float_": np.float64,
    "complex_": np.complex128,
    "int": int,
    "float": float,
    "object": object,
}
"""Names of NumPy's that it has taken back since."""


def _old_styles(style: Any) -> None:
    """Have the styles of pictures that are called otherwise now, `seaborn-paper`, say."""
    for name, made in list(style.library.items()):
        style.library.setdefault(name.replace("-v0_8", ""), made)


def _old_names() -> None:
    """Let programs run that were written for an older Python and an older NumPy."""
    for name, value in _OLD.items():
        if name not in vars(np):
            setattr(np, name, value)
    made = dataclasses.dataclass

    def dataclass(kind: Any = None, **options: Any) -> Any:
        for name, value in list(vars(kind).items()) if kind is not None else []:
            default = value.default if isinstance(value, dataclasses.Field) else value
            if type(default).__hash__ is None and not isinstance(default, (list, dict, set)):
                field = dataclasses.field(default_factory=partial(copy.deepcopy, default))
                setattr(kind, name, field)
        return made(kind, **options)

    dataclasses.dataclass = dataclass


def _no_network(*_: Any, **__: Any) -> Any:
    raise OSError("a client runs without a network")


# --- data -----------------------------------------------------------------------------------------


def images(shape: tuple[int, ...], count: int, seed: int) -> tuple[Any, Any]:
    """Draw images with labels: a bright bar for each class, and noise."""
    rng = np.random.RandomState(seed)
    labels = rng.randint(0, 10, count).astype(np.uint8)
    values = rng.randint(0, 80, (count, *shape)).astype(np.uint8)
    for image, label in zip(values, labels, strict=True):
        image[2 * label : 2 * label + 4] += 150
    return values, labels


def _datasets(holder: Any, small: int) -> None:
    for name, shape in _SIZES.items():

        def load(*_: Any, shape: Any = shape, flat: bool = "mnist" in name, **__: Any) -> Any:
            parts = images(shape, small, 1), images(shape, small // 4, 2)
            return tuple((x, y if flat else y[:, None]) for x, y in parts)

        with contextlib.suppress(AttributeError):
            getattr(holder, name).load_data = load
    with contextlib.suppress(AttributeError):
        holder.imdb.load_data = _reviews
    with contextlib.suppress(AttributeError):
        holder.boston_housing.load_data = _houses


def _reviews(num_words: int | None = None, **_: Any) -> Any:
    rng = np.random.RandomState(3)
    words = [rng.randint(1, num_words or 1000, rng.randint(20, 90)).tolist() for _ in range(160)]
    labels = np.array([int(np.mean(w) > (num_words or 1000) / 2) for w in words])
    x = np.array(words, dtype=object)
    return (x[:128], labels[:128]), (x[128:], labels[128:])


def _houses(**_: Any) -> Any:
    rng = np.random.RandomState(4)
    x = rng.rand(160, 13) * 10
    y = x @ rng.rand(13) + rng.rand(160)
    return (x[:128], y[:128]), (x[128:], y[128:])


def get_file(fname: Any = None, origin: Any = None, *_: Any, **__: Any) -> str:
    """Give a small file of the kind that a name says: a picture, a table, or a text."""
    name = Path(str(origin or fname)).name
    folder = Path(tempfile.mkdtemp())
    path = folder / name
    kind = path.suffix.lower()
    if kind in {".jpg", ".jpeg", ".png"}:
        pictures = importlib.import_module("PIL.Image")
        pictures.fromarray(
            np.kron(images((16, 16, 3), 1, 5)[0][0], np.ones((8, 8, 1), np.uint8))
        ).save(path)
    elif kind in {".csv", ".data"}:
        path.write_text(_csv(name), encoding="utf-8")
    elif kind == ".txt":
        path.write_text("All the world is a stage,\nand we are players.\n\n" * 60, encoding="utf-8")
    else:
        raise OSError(f"a client runs without a network: {origin or fname}")
    return str(path)


def _csv(name: str) -> str:
    rng = np.random.RandomState(6)
    if "iris" in name:
        rows = [[*rng.rand(4).round(2) * 5, k % 3] for k in range(120)]
        head = "120,4,setosa,versicolor,virginica"
        return "\n".join([head, *(",".join(map(str, r)) for r in rows)]) + "\n"
    return "\n".join(",".join(map(str, rng.rand(5).round(3))) for _ in range(80)) + "\n"


def _tables(pandas: Any) -> None:
    """Let `read_csv` make up what it is asked to fetch."""
    read = pandas.read_csv

    def read_csv(source: Any, *args: Any, **options: Any) -> Any:
        if not str(source).startswith("http"):
            return read(source, *args, **options)
        rng = np.random.RandomState(7)
        names = list(options.get("names") or "abcde")
        table = pandas.DataFrame(rng.rand(200, len(names)) * 20, columns=names)
        if "diagnosis" in names:
            table["diagnosis"] = np.where(table.iloc[:, 2] > 10, "M", "B")
        if "Origin" in names:
            table["Origin"] = rng.randint(1, 4, 200)
        return table

    pandas.read_csv = read_csv


# --- packages -------------------------------------------------------------------------------------


class _Silent(types.ModuleType):
    """A module whose functions do nothing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_, **__: _Silent(name)


def _ipython() -> Any:
    module = types.ModuleType("IPython")
    module.display = _Silent("IPython.display")
    module.get_ipython = lambda: None
    module.version_info = (8, 0, 0)
    return module


def _tfds() -> Any:
    module = types.ModuleType("tensorflow_datasets")

    def load(name: str, split: Any = None, batch_size: Any = None, **options: Any) -> Any:
        tf = importlib.import_module("tensorflow")

        def part(text: str) -> Any:
            x, y = images((*_SIZES.get(name, (28, 28)),), 256, len(text))
            x = x if x.ndim == 4 else x[..., None]
            y = y.astype(np.int64)
            if batch_size == -1:
                return tf.convert_to_tensor(x), tf.convert_to_tensor(y)
            pair = (x, y) if options.get("as_supervised") else {"image": x, "label": y}
            data = tf.data.Dataset.from_tensor_slices(pair)
            return data if batch_size is None else data.batch(batch_size)

        if split is None:
            found: Any = {"train": part("train"), "test": part("test")}
        else:
            found = part(split) if isinstance(split, str) else [part(s) for s in split]
        return (found, _Silent("info")) if options.get("with_info") else found

    module.load = load
    module.disable_progress_bar = lambda: None
    return module


def _requests() -> Any:
    module = types.ModuleType("requests")

    def get(address: str, **_: Any) -> Any:
        path = Path(get_file(origin=f"{address}.png"))
        return types.SimpleNamespace(raw=path.open("rb"), content=path.read_bytes())

    module.get = get
    return module


def _inline() -> Any:
    module = types.ModuleType("matplotlib_inline")
    module.backend_inline = _Silent("matplotlib_inline.backend_inline")
    return module


def _designs() -> Any:
    module = types.ModuleType("pyDOE")

    def lhs(n: int, samples: int) -> Any:
        rows = np.arange(samples)[:, None] + np.random.rand(samples, n)
        return np.array([np.random.permutation(c) for c in rows.T]).T / samples

    module.lhs = lhs
    return module


def _gym() -> Any:
    games = importlib.import_module("tests.clients.games")
    module = types.ModuleType("gym")
    module.make = games.make
    module.Env = games.CartPole
    return module


_PACKAGES = {
    "IPython": _ipython,
    "tensorflow_datasets": _tfds,
    "requests": _requests,
    "gym": _gym,
    "wandb": lambda: _Silent("wandb"),
    "matplotlib_inline": _inline,
    "pyDOE": _designs,
}
