"""Names of TensorFlow 1 that programs of TensorFlow 2 still call: settings, and sessions."""

from __future__ import annotations

import logging as standard
from pkgutil import resolve_name
from types import SimpleNamespace
from typing import Any, ClassVar, NoReturn, Self

from symtape.errors import UnsupportedError
from symtape.ops.control.flow import name_scope_v2

OTHERWISE = frozenset(
    f"compat.v1.{name}"
    for name in """
    data.Dataset distribute hessians
    image.sample_distorted_bounding_box io.serialize_many_sparse io.serialize_sparse layers
    lookup.StaticHashTable metrics nn.batch_norm_with_global_normalization nn.ctc_loss
    nn.embedding_lookup_sparse nn.fractional_avg_pool nn.fractional_max_pool
    nn.safe_embedding_lookup_sparse optimizers saved_model.load
    sparse.concat sparse.matmul sparse.split summary train
    """.split()
)
"""What takes other arguments, or means something else, in TensorFlow 1 than in TensorFlow 2."""


INSTEAD = {
    "get_default_graph": "there are no graphs: call functions, and decorate them with tf.function",
    "layers": "use tf.keras.layers",
    "metrics": "use tf.keras.metrics",
    "optimizers": "use tf.keras.optimizers",
    "summary": "use tf.summary of TensorFlow 2, with a writer",
    "train.Saver": "use tf.train.Checkpoint",
}
"""What to use in place of what only TensorFlow 1 has."""


def set_random_seed(seed: Any) -> None:
    """Set the global seed, as `tf.random.set_seed` does."""
    resolve_name("symtape.ops.random.drawn:set_seed")(seed)  # imported when numbers are drawn


def enable_eager_execution(
    config: Any = None, device_policy: Any = None, execution_mode: Any = None
) -> None:
    """Do nothing: everything is eager."""


def enable_v2_behavior() -> None:
    """Do nothing: everything behaves as in TensorFlow 2."""


def disable_eager_execution() -> NoReturn:
    """Refuse with an `UnsupportedError`: there are no graphs."""
    raise UnsupportedError(
        "tf.compat.v1.disable_eager_execution(): there are no graphs and sessions: call functions, "
        "and decorate them with tf.function"
    )


disable_v2_behavior = disable_eager_execution


class Settings(SimpleNamespace):
    """Settings of a runtime, which are kept and change nothing; parts are made when asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = Settings()
        setattr(self, name, made)
        return made


ConfigProto = GPUOptions = Settings


class Session:
    """What a program opens to set how much memory a device may take; there is nothing to run."""

    def __init__(self, target: str = "", graph: Any = None, config: Any = None) -> None:
        self.graph = graph

    def run(self, fetches: Any, *args: Any, **kwargs: Any) -> NoReturn:
        """Raise `RuntimeError`, as TensorFlow does: there is no graph."""
        raise RuntimeError(
            "The Session graph is empty. Add operations to the graph before calling run()."
        )

    def close(self) -> None:
        """Do nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class InteractiveSession(Session):
    """A session that is the default one."""


class name_scope_v1(name_scope_v2):  # noqa: N801 - TensorFlow's name
    """A scope as of TensorFlow 1, whose name may be None: then `default_name` is what it is called.

    `values`, of whose graph the scope would be, change nothing. Without a name the scope is the
    outermost. Raises `ValueError` for a name that is no text.

    >>> with name_scope_v1("net"), name_scope_v1(None, "dense", values=[]) as scope:
    ...     scope
    'net/dense/'
    """

    def __init__(self, name: Any, default_name: Any = None, values: Any = None) -> None:
        self._chosen = default_name if name is None else name
        super().__init__("" if self._chosen is None else self._chosen)

    @property
    def name(self) -> Any:
        """What was given: None if that is nothing."""
        return self._chosen


class _Logging:
    """Python's logger of the name `tensorflow`, by the names of TensorFlow 1."""

    DEBUG, INFO, WARN, ERROR, FATAL = (
        *(standard.DEBUG, standard.INFO, standard.WARNING),
        *(standard.ERROR, standard.CRITICAL),
    )
    _logger = standard.getLogger("tensorflow")
    set_verbosity = staticmethod(_logger.setLevel)
    get_verbosity = staticmethod(_logger.getEffectiveLevel)
    debug = staticmethod(_logger.debug)
    info = staticmethod(_logger.info)
    warn = warning = staticmethod(_logger.warning)
    error = staticmethod(_logger.error)
    fatal = staticmethod(_logger.critical)
    log = staticmethod(_logger.log)
    vlog = staticmethod(_logger.log)
    TaskLevelStatusMessage = staticmethod(_logger.error)
    _count: ClassVar[int] = 0

    @staticmethod
    def flush() -> NoReturn:
        """Refuse, as TensorFlow does: what is told is not held back."""
        raise NotImplementedError

    @classmethod
    def log_if(cls, level: int, msg: str, condition: Any, *args: Any) -> None:
        """Tell something if a condition holds."""
        if condition:
            cls._logger.log(level, msg, *args)

    @classmethod
    def log_first_n(cls, level: int, msg: str, n: int, *args: Any) -> None:
        """Tell something as long as less often was counted than is said."""
        cls.log_if(level, msg, cls._called() < n, *args)

    @classmethod
    def log_every_n(cls, level: int, msg: str, n: int, *args: Any) -> None:
        """Tell something each time that it was counted so often."""
        cls.log_if(level, msg, cls._called() % n == 0, *args)

    @classmethod
    def _called(cls) -> int:
        """Count what was told before: as in TensorFlow, all lines of a program are one."""
        cls._count += 1
        return cls._count - 1


logging = _Logging()
"""What TensorFlow has as a module: it can be imported, and is not called."""


def dimension_value(dimension: Any) -> Any:
    """Give a size as it is: a number, or None.

    >>> dimension_value(3)
    3
    """
    return dimension
