"""Runs the unit tests of a client one by one, each whatever became of those before."""

from __future__ import annotations

import importlib
import inspect
import sys
import time
import types
import unittest
from typing import Any

from tests.clients import internals
from tests.clients.digests import failure


def run(task: Any, tell: Any) -> None:
    """Load the file as a module, and run the methods that are tests."""
    internals.install(importlib.import_module("tensorflow"))
    module = types.ModuleType("client")
    module.__file__ = task["file"]
    sys.modules["client"] = module
    try:
        for filename, source in task["parts"]:
            exec(compile(source, filename, "exec", dont_inherit=True), vars(module))
    except Exception as error:
        tell(part="load", **failure(error))
        return
    for name, case in list(cases(module, task["only"])):
        begun = time.perf_counter()
        tell(part=name, **outcome(case), seconds=time.perf_counter() - begun)


def cases(module: Any, only: str) -> Any:
    """Find the tests of a module, with parameters where a class takes them."""
    kinds = [c for c in vars(module).values() if inspect.isclass(c) and own(c, module)]
    for kind in kinds:
        for method in unittest.TestLoader().getTestCaseNames(kind):
            if hasattr(module, "test_params"):
                for params in module.test_params:
                    if only in params["path"]:
                        yield f"{method} {params['path']}", kind(method, params=params)
            elif method != "test_session":
                yield f"{kind.__name__}.{method}", kind(method)


def own(kind: type, module: Any) -> bool:
    """Say whether a class is a test case that the module itself defines."""
    return issubclass(kind, unittest.TestCase) and kind.__module__ == module.__name__


def outcome(case: Any) -> dict[str, Any]:
    """Run a test, and tell how it ended."""
    result = Result()
    case.run(result)
    if result.skipped:
        return {"raises": "SkipTest", "says": result.skipped[0][1], "at": "", "trace": ""}
    return failure(result.problems[0]) if result.problems else {"gives": {}}


class Result(unittest.TestResult):
    """Keeps exceptions themselves."""

    def __init__(self) -> None:
        super().__init__()
        self.problems: list[Any] = []

    def addError(self, test: Any, err: Any) -> None:
        """Keep it."""
        super().addError(test, err)
        self.problems.append(err[1])

    def addFailure(self, test: Any, err: Any) -> None:
        """Keep it."""
        super().addFailure(test, err)
        self.problems.append(err[1])

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:
        """Keep it."""
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.problems.append(err[1])
