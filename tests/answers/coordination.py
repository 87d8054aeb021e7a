"""Threads that stop together, checkpoints that are followed and looked into."""

from __future__ import annotations

import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from tests.answers.answer import Table

TABLE = Table("coordination")


def _stopped(tf: Any) -> Any:
    c = tf.train.Coordinator()
    found: list[Any] = [c.should_stop(), c.joined, c.wait_for_stop(0)]
    c.request_stop()
    found += [c.should_stop(), c.wait_for_stop(0), c.join([]), c.joined]
    c.clear_stop()
    return [*found, c.should_stop(), c.joined, c.raise_requested_exception()]


def _failing(kind: Any, after: str = "join", **how: Any) -> Any:
    def ask(tf: Any) -> Any:
        c = tf.train.Coordinator(**how)
        with c.stop_on_exception():
            raise kind(tf)
        return [c.should_stop(), getattr(c, after)()]

    return ask


def _late(tf: Any) -> Any:
    c = tf.train.Coordinator()
    c.request_stop()
    c.join([])
    with c.stop_on_exception():
        raise ValueError("late")


def _first(tf: Any) -> Any:
    c = tf.train.Coordinator()
    for text in ("first", "second"):
        with c.stop_on_exception():
            raise ValueError(text)
    c.join([])


def _threads(tf: Any) -> Any:
    c = tf.train.Coordinator()
    steps: list[int] = []

    def work() -> None:
        while not c.should_stop():
            steps.append(1)
            if len(steps) > 3:
                c.request_stop()
            time.sleep(0.001)

    thread = threading.Thread(target=work)
    c.register_thread(thread)
    thread.start()
    return [c.join(), c.joined, len(steps) > 3, thread.is_alive()]


def _lazy(**how: Any) -> Any:
    def ask(tf: Any) -> Any:
        c, go_on = tf.train.Coordinator(), threading.Event()
        thread = threading.Thread(target=go_on.wait, name="lazy")
        thread.start()
        c.request_stop()
        try:
            return c.join([thread], stop_grace_period_secs=0.01, **how)
        finally:
            go_on.set()
            thread.join()

    return ask


TABLE.rows(
    "coordinator",
    [
        _stopped,
        _threads,
        _lazy(),
        _lazy(ignore_live_threads=True),
        _late,
        _first,
        _failing(lambda tf: KeyError("a")),
        _failing(lambda tf: KeyError("a"), "raise_requested_exception"),
        _failing(lambda tf: tf.errors.OutOfRangeError(None, None, "end")),
        _failing(lambda tf: KeyError("a"), clean_stop_exception_types=[KeyError]),
        _failing(
            lambda tf: tf.errors.OutOfRangeError(None, None, "end"), clean_stop_exception_types=[]
        ),
    ],
)


def _saved(tf: Any, folder: str) -> tuple[Any, str]:
    module = tf.Module()
    module.w, module.parts = tf.Variable(1.0), [tf.Variable(2.0)]
    checkpoint = tf.train.Checkpoint(m=module, step=tf.Variable(1))
    return checkpoint, checkpoint.save(f"{folder}/ck")


def _shown(thing: Any) -> str:
    return str(float(thing.numpy())) if hasattr(thing, "numpy") else "…"


def _viewed(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        checkpoint, path = _saved(tf, folder)
        view, program = tf.train.CheckpointView(path), tf.train.TrackableView(checkpoint)
    nodes = view.descendants()
    other = tf.train.Checkpoint(m=checkpoint.m, extra=tf.Variable(7.0))
    common, there, here = view.diff(other)
    return [
        nodes,
        [view.children(k) for k in nodes],
        {k: _shown(v) for k, v in view.match(checkpoint).items()},
        [sorted(common), there, [_shown(v) for v in here]],
        [_shown(v) for v in program.descendants()],
        list(tf.train.TrackableView.children(checkpoint)),
        program.root is checkpoint,
    ]


def _followed(**how: Any) -> Any:
    def ask(tf: Any) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            _saved(tf, folder)
            found = list(tf.train.checkpoints_iterator(folder, timeout=0, **how))
        return [Path(path).name for path in found]

    return ask


def _strange(tf: Any) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        view = tf.train.CheckpointView(_saved(tf, folder)[1])
    return view.match(3)


TABLE.rows(
    "checkpoints",
    [
        _viewed,
        _strange,
        lambda tf: tf.train.CheckpointView("/no/such/file"),
        _followed(),
        _followed(min_interval_secs=0.01),
        _followed(timeout_fn=lambda: True),
        lambda tf: list(tf.train.checkpoints_iterator("/no/such/folder", timeout=0)),
    ],
)
