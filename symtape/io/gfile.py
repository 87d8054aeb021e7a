"""`tf.io.gfile`: files and folders of this machine."""

from symtape.namespace import show
from symtape.ops.files.folders import (
    GFile,
    copy,
    exists,
    glob,
    isdir,
    join,
    listdir,
    makedirs,
    mkdir,
    remove,
    rename,
    rmtree,
    walk,
)

__all__ = [
    "GFile",
    "copy",
    "exists",
    "glob",
    "isdir",
    "join",
    "listdir",
    "makedirs",
    "mkdir",
    "remove",
    "rename",
    "rmtree",
    "walk",
]

show(__name__, __all__)
