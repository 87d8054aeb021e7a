"""Brings the repositories of clients to this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

_KINDS = {".py", ".ipynb", ".md", ".txt", ".csv", ".json", ".mat", ".npy", ".npz"}


def fetched(repo: str, folders: tuple[str, ...], into: Path) -> Path:
    """Give a folder with a repository's files, below some folders only where these are named.

    A copy in the folder that `SYMTAPE_CLIENTS` names, as `owner+name`, is taken before GitHub's.
    """
    name = repo.replace("/", "+")
    target = into / name
    done = into / f"{name}.done"
    wanted = "\n".join(sorted(folders))
    if done.exists() and done.read_text(encoding="utf-8") == wanted:
        return target
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    git = _kept(name) or _cloned(repo, into)
    _write(git, folders, target)
    done.write_text(wanted, encoding="utf-8")
    return target


def _write(git: Path, folders: tuple[str, ...], target: Path) -> None:
    """Write the files that a program may read; what a copy lacks, as large files, is left out."""
    command = ["git", f"--git-dir={git}"]
    listed = subprocess.run(
        [*command, "ls-tree", "-r", "-z", "HEAD", *folders], stdout=subprocess.PIPE, check=True
    ).stdout.decode()
    entries = [line.split("\t", 1) for line in listed.split("\0") if line]
    blobs = [(head.split()[2], path) for head, path in entries if Path(path).suffix in _KINDS]
    with subprocess.Popen(
        [*command, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as reader:
        assert reader.stdin is not None
        assert reader.stdout is not None
        for digest, path in blobs:
            reader.stdin.write(f"{digest}\n".encode())
            reader.stdin.flush()
            head = reader.stdout.readline().split()
            if head[-1] != b"missing":
                file = target / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(reader.stdout.read(int(head[2]) + 1)[:-1])
        reader.stdin.close()


def _kept(name: str) -> Path | None:
    home = Path(os.environ.get("SYMTAPE_CLIENTS", "/nowhere")) / name
    places = (home / "repo" / ".git", home / "repo", home / ".git", home)
    return next((p for p in places if (p / "HEAD").exists()), None)


def _cloned(repo: str, into: Path) -> Path:
    folder = into / f"{repo.replace('/', '+')}.git"
    if not folder.exists():
        address = f"https://github.com/{repo}"
        subprocess.run(
            [
                "git",
                "clone",
                "--quiet",
                "--bare",
                "--depth=1",
                "--filter=blob:none",
                address,
                folder,
            ],
            check=True,
        )
    return folder
