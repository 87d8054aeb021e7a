"""Which layouts TensorFlow gives the results of the cases, for operands that are cut in some ways.

`python -m tests.layouts` asks the TensorFlow that is installed, and writes `golden/layouts.json`:
for each case the ways, and what comes of them outside of functions and in a `tf.function`.
"""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tests.answers.stand_ins import wide
from tests.cases import CASES, Case
from tests.goldens import FOLDER, keep

FILE = FOLDER / "layouts.json"
WHOLE = "unsharded"
MOST = 3
"""How many ways of cutting the operands of a case are tried."""
REFUSED = "refused"
SIZES = {"x": 2, "y": 3}
_NAMES = Counter(case.name for case in CASES)
CUT = [case for case in CASES if case.inputs and _NAMES[case.name] == 1]


def ways(case: Case) -> list[tuple[str, ...]]:
    """Choose ways of cutting the operands: a word for each, with a letter for each axis."""
    shapes = [array.shape for array in case.arrays("float32")]
    found = [*itertools.product(*map(_words, shapes))]
    np.random.default_rng(zlib.crc32(case.name.encode())).shuffle(found)
    return [tuple(map(str, way)) for way in found[:MOST]]


def _words(shape: Sequence[int]) -> list[str]:
    """List how a shape can be cut: an axis along one direction, or two axes along both."""
    letters = [["."] + [d for d, size in SIZES.items() if n and n % size == 0] for n in shape]
    words = ["".join(word) for word in itertools.product(*letters)]
    return [w for w in words if all(w.count(d) < 2 for d in SIZES)]


def asked(tf: Any, case: Case) -> list[list[Any]]:
    """Ask a module with TensorFlow's names for the layouts of a case."""
    tf = wide(tf)
    dims = list(SIZES.items())
    mesh = tf.experimental.dtensor.create_mesh(dims, devices=[f"CPU:{k}" for k in range(6)])
    return [_asked(tf, case, way, mesh) for way in ways(case)]


def _asked(tf: Any, case: Case, way: Sequence[str], mesh: Any) -> list[Any]:
    d = tf.experimental.dtensor

    def run(*operands: Any) -> Any:
        return case.run(tf, *operands)

    def found(call: Callable[..., Any]) -> Any:
        try:
            operands = [
                d.relayout(tf.constant(x), d.Layout([_spec(c) for c in word], mesh))
                for x, word in zip(case.arrays("float32"), way, strict=True)
            ]
            return [_word(d.fetch_layout(t)) for t in tf.nest.flatten(call(*operands))]
        except Exception as error:  # noqa: BLE001 - whatever it is, it refuses
            unknown = "is not known here" in str(error)
            return "unknown" if unknown else REFUSED

    return [" ".join(way), found(run), found(tf.function(run))]


def _spec(letter: str) -> str:
    return WHOLE if letter == "." else letter


def _word(layout: Any) -> Any:
    specs = None if layout is None else layout.sharding_specs
    return None if specs is None else "".join("." if s == WHOLE else s for s in specs)


# --- recording ------------------------------------------------------------------------------------


def child(start: int) -> None:
    """Ask for one case after another, and write a line for each."""
    import tensorflow as tf  # noqa: PLC0415 - tests read this without

    names = [tf.config.LogicalDeviceConfiguration()] * 6
    tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], names)
    for case in CUT[start:]:
        print(json.dumps([case.name, asked(tf, case)]), flush=True)


def main() -> None:
    """Write what TensorFlow gives; a case that ends its process is left out."""
    found: dict[str, Any] = {}
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "TF_ENABLE_ONEDNN_OPTS": "0"}
    start = 0
    while start < len(CUT):
        command = [sys.executable, "-m", "tests.layouts", str(start)]
        done = subprocess.run(  # noqa: S603 - the same interpreter
            command, env=os.environ | quiet, capture_output=True, text=True, check=False
        )
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        found.update(rows)
        start += len(rows) + 1
    keep(FILE, dict(sorted(found.items())))


if __name__ == "__main__":
    child(int(sys.argv[1])) if len(sys.argv) > 1 else main()
