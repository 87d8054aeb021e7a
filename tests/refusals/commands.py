"""What the command refuses that is typed wrongly, in the words that it prints."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout

from symtape.cli import main
from symtape.errors import SymtapeError
from tests.refusals.room import Call, Room

ROOM = Room("command")


def command(*arguments: str) -> Call:
    """Run the command, and raise what it prints of a mistake, and its exit status."""

    def run() -> None:
        errors = io.StringIO()
        with redirect_stderr(errors), redirect_stdout(io.StringIO()):
            status = main([*arguments])
        if status:
            lines = errors.getvalue().strip().splitlines()
            raise SymtapeError(f"{status}: {lines[-1] if lines else ''}")

    return run


def diff(*arguments: str) -> Call:
    """Derive by x."""
    return command("diff", "--notation", "matrix", "--wrt", "x", *arguments)


ROOM.refuses(
    no_formula=diff("x ?"),
    a_shape_without_sizes=diff("--shape", "x", "x"),
    a_shape_of_a_fraction=diff("--shape", "x=1.5", "x"),
    a_shape_twice=diff("--shape", "x=2", "--shape", "x=3", "x"),
    a_value_that_ends_early=diff("--at", "x=[1", "x"),
    a_value_without_a_name=diff("--at", "[1]", "x"),
    a_value_that_is_an_object=diff("--at", "x={}", "x"),
    a_value_of_a_formula_as_latex=diff("--format", "latex", "--at", "x=[1]", "sum(x)"),
    a_value_of_a_formula_as_python=diff("--format", "python", "--at", "x=[1]", "sum(x)"),
    a_value_twice=diff("--at", "x=[1]", "--at", "x=[2]", "sum(x)"),
    too_large_a_shape=diff("--shape", "x=999999", "sum(x)"),
    no_inputs=command("verify", "math:sin", "math:cos"),
    a_shape_to_judge_without_sizes=command("verify", "--shape", "x", "math:sin", "math:cos"),
    a_domain_without_a_kind=command("verify", "--shape", "x=", "--domain", "x", "a:f", "a:g"),
    a_function_without_a_module=command("verify", "--one", "--shape", "x=", "sin", "math:cos"),
    a_module_that_there_is_not=command("verify", "--one", "--shape", "x=", "no_such:f", "a:g"),
    a_file_that_there_is_not=command("verify", "--one", "--shape", "x=", "no_such.py:f", "a:g"),
    a_name_that_there_is_not=command("verify", "--one", "--shape", "x=", "math:sine", "a:g"),
    a_script_that_there_is_not=command("run", "/no_such/script.py"),
    a_script_that_is_a_folder=command("run", "/"),
    an_input_of_another_name=command("verify", "--one", "--shape", "y=", "math:sin", "math:cos"),
    an_input_too_many=command(
        "verify", "--one", "--shape", "x=", "--shape", "y=", "math:sin", "math:cos"
    ),
    an_input_to_judge_twice=command(
        "verify", "--one", "--shape", "x=1", "--shape", "x=2", "math:atan2", "math:cos"
    ),
    a_dtype_that_there_is_not=command(
        "verify", "--one", "--shape", "x=", "--dtype", "float33", "math:sin", "math:cos"
    ),
    judging_by_no_input=command("verify", "--one", "--shape", "x=", "--wrt", "y", "math:sin", "x"),
    a_domain_of_no_input=command(
        "verify", "--one", "--shape", "x=", "--domain", "y=real", "math:sin", "x"
    ),
    a_domain_of_no_kind=command(
        "verify", "--one", "--shape", "x=", "--domain", "x=huge", "math:sin", "x"
    ),
    a_shape_beside_an_example=command("verify", "--shape", "x=", "--example", "a:x", "a:f", "a:g"),
    a_dtype_of_an_example=command("verify", "--dtype", "float32", "--example", "a:x", "a:f", "a:g"),
    seconds_below_zero=command("verify", "--seconds=-1", "--shape", "x=", "a:f", "a:g"),
    sizes_that_are_words=command("verify", "--one", "--shape", "x=n", "math:sin", "math:cos"),
)
ROOM.allows(a_formula=diff("x'*x"), a_value=diff("--at", "x=[1]", "sum(x)"))
