"""Name scopes: what stands before the name of a variable that is made within them."""

from __future__ import annotations

import threading


class Scopes(threading.local):
    """The scope that is open in this thread, with a slash at its end, or nothing."""

    def __init__(self) -> None:
        self.open = ""

    def within(self, name: str) -> str:
        """Give the scope of a name within the open one; what ends with a slash is a whole path.

        >>> Scopes().within("layer"), Scopes().within("outer/layer/"), Scopes().within("")
        ('layer/', 'outer/layer/', '')
        """
        if not name or name.endswith("/"):
            return name
        return f"{self.open}{name}/"

    def named(self, name: str | None) -> str:
        """Give what a variable is called here; raises `ValueError` for a name that is no text."""
        if name is not None and not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        return self.within("Variable" if name is None else name).removesuffix("/")


SCOPES = Scopes()
