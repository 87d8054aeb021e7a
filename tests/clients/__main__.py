"""Run clients with symtape and with TensorFlow, and write what agrees.

python -m tests.clients                            all of them, for docs/clients.md
python -m tests.clients --only d2l --to FILE       those whose group or path has a text
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.clients import offline, report
from tests.clients.fetching import fetched
from tests.clients.parts import parts_of
from tests.clients.sources import CLIENTS, Client

ROOT = Path(__file__).resolve().parents[2]
SUFFIXES = (".symtape", ".tensorflow", ".again")
CHILD = Path(__file__).with_name("child.py")


def main() -> None:
    """Fetch, run, compare, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", default="", help="clients whose group or path has this text")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir(), "symtape-clients"))
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "clients.md")
    parser.add_argument("--kept", action="store_true", help="only write what has been run")
    options = parser.parse_args()
    chosen = [c for c in CLIENTS if options.only in f"{c.group} {c.repo}/{c.path}"]
    files, problems = {}, {}
    for client in chosen:
        try:
            files[client] = written(client, options.work)
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            problems[client] = f"not fetched: {error}"
    if not options.kept:
        new = [c for c in files if not files[c].with_suffix(".tensorflow").exists()]
        run_all([sys.executable], new, files, ".tensorflow")
        run_all([sys.executable, "-m", "symtape", "run"], list(files), files, ".symtape")
        differing = [row.client for row in rows_of(files) if differs(row)]
        new = [c for c in differing if not files[c].with_suffix(".again").exists()]
        run_all([sys.executable], new, files, ".again")
    rows = rows_of(files)
    if not options.kept:
        rows += [report.Row(c, {}, {}, problem=text) for c, text in problems.items()]
    report.write(options.to, rows, options.work)
    print(report.failures(rows))
    if problems:
        sys.exit(f"{len(problems)} clients could not be fetched")


def rows_of(files: dict[Client, Path]) -> list[report.Row]:
    """Give what is known of the clients that were run in both ways."""
    found = {c: [f.with_suffix(s) for s in SUFFIXES] for c, f in files.items()}
    run = [c for c, (here, there, _) in found.items() if here.exists() and there.exists()]
    return [report.Row(c, *[lines(f) if f.exists() else {} for f in found[c]]) for c in run]


def differs(row: report.Row) -> bool:
    """Say whether a part gave something else, so that TensorFlow is asked again."""
    return any(v.word == "differs" for v in row.verdicts().values())


def written(client: Client, work: Path) -> Path:
    """Fetch a client and write its task; what TensorFlow gives for it once is kept beside it."""
    task, name = task_of(client, work)
    text = json.dumps(task, sort_keys=True)
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    file = work / f"tasks-{offline.VERSION}" / f"{name}-{digest}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def task_of(client: Client, work: Path) -> tuple[dict[str, Any], str]:
    """Fetch a client, and say what is to be run."""
    folders = () if "." in client.folders else (str(Path(client.path).parent), *client.folders)
    home = fetched(client.repo, _together(client.repo, folders), work)
    file = home / client.path
    task = {
        "file": str(file),
        "kind": client.kind,
        "parts": parts_of(file),
        "directory": str(file.parent),
        "path": [str(home / p) for p in client.path_of],
        "only": client.only,
        "small": client.small,
    }
    return task, client.path.replace("/", "-").replace(" ", "_")[-80:]


def _together(repo: str, folders: tuple[str, ...]) -> tuple[str, ...]:
    """Give what all clients of a repository need of it."""
    if not folders:
        return ()
    of = [(str(Path(c.path).parent), *c.folders) for c in CLIENTS if c.repo == repo]
    return () if any("." in f for f in of) else tuple(sorted({f for fs in of for f in fs}))


def run_all(
    command: list[str], clients: list[Client], files: dict[Client, Path], suffix: str
) -> None:
    """Run clients in one process that forks for each."""
    if not clients:
        return
    threads = dict.fromkeys(
        (
            *("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"),
            *("TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS"),
        ),
        "1",
    )
    quiet = {"MPLBACKEND": "Agg", "TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "-1"}
    tasks = [(str(files[c]), str(files[c].with_suffix(suffix)), c.seconds) for c in clients]
    with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as listed:
        json.dump(tasks, listed)
        listed.flush()
        subprocess.run(
            [*command, str(CHILD), listed.name], check=True, env=os.environ | threads | quiet
        )


def lines(file: Path) -> dict[Any, Any]:
    """Read a report: what each part gave."""
    found = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return {f["part"]: f for f in found}


if __name__ == "__main__":
    main()
