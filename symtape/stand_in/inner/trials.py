"""Decorators of TensorFlow's own tests: here all run eagerly (`python.framework.test_util`)."""

from __future__ import annotations

import unittest
from typing import Any

_GRAPHS = unittest.skip("it runs in a graph, and here are none")


def run_in_graph_and_eager_modes(func: Any = None, *_: Any, **__: Any) -> Any:
    """Give a test as it is, which runs once, eagerly."""
    return func if func is not None else run_in_graph_and_eager_modes


def run_all_in_graph_and_eager_modes(cls: Any) -> Any:
    """Give a class of tests as it is."""
    return cls


def run_v2_only(func: Any = None, reason: str | None = None) -> Any:
    """Give a test of TensorFlow 2 as it is."""
    return func if func is not None else run_v2_only


def deprecated_graph_mode_only(func: Any = None) -> Any:
    """Skip a test that runs in a graph, or a class of them."""
    return _GRAPHS(func) if func is not None else _GRAPHS


run_deprecated_v1 = deprecated_graph_mode_only


def run_v1_only(reason: str, func: Any = None) -> Any:
    """Skip a test of TensorFlow 1."""
    skip = unittest.skip(reason)
    return skip(func) if func is not None else skip
