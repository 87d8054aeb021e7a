"""Warnings as TensorFlow logs them: by the logger `tensorflow`, to the standard error."""

from __future__ import annotations

import logging
import sys

LOGGER = logging.getLogger("tensorflow")


def warn(message: str, *arguments: object) -> None:
    """Log a warning; where nobody set logging up, it is written as TensorFlow writes it."""
    if not LOGGER.handlers and not logging.getLogger().handlers:
        handler = _StandardError()
        handler.setFormatter(logging.Formatter(logging.BASIC_FORMAT))
        LOGGER.addHandler(handler)
    LOGGER.warning(message, *arguments)


class _StandardError(logging.StreamHandler):  # type: ignore[type-arg]  # generic only for checkers
    """Writes to what `sys.stderr` is at the time."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        self.stream = sys.stderr
        super().emit(record)
