"""`tf.io.gfile`: files and folders of this machine."""

from symtape.namespace import show
from symtape.ops.files.folders import (
    copy as copy,
    exists as exists,
    glob as glob,
    isdir as isdir,
    join as join,
    listdir as listdir,
    makedirs as makedirs,
    mkdir as mkdir,
    remove as remove,
    rename as rename,
    rmtree as rmtree,
    stat as stat,
    walk as walk,
)
from symtape.ops.files.opened import GFile as GFile

show(__name__)
