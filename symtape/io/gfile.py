"""`tf.io.gfile`: files and folders of this machine."""

from symtape.namespace import show
from symtape.ops.files.folders import (
    GFile as GFile,
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
    walk as walk,
)

show(__name__)
