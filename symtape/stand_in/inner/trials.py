"""Decorators of TensorFlow's own tests: here all run eagerly (`python.framework.test_util`)."""

from __future__ import annotations

from typing import Any


def run_in_graph_and_eager_modes(func: Any = None, *_: Any, **__: Any) -> Any:
    """Give a test as it is, which runs once, eagerly."""
    return func if func is not None else run_in_graph_and_eager_modes


def run_all_in_graph_and_eager_modes(cls: Any) -> Any:
    """Give a class of tests as it is."""
    return cls


def run_v2_only(func: Any = None, reason: str | None = None) -> Any:
    """Give a test of TensorFlow 2 as it is."""
    return func if func is not None else run_v2_only
