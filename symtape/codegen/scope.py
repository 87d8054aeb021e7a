"""The names in one piece of generated code: the user's, and apart from them every word of ours.

A label is whatever a person calls a value. `Grammar` says what may stand for a name in a language,
`given` makes names of labels, and a `Scope` draws all other names of the code. Code is made of
nodes, which know their words of ours and their variables.
"""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from symtape.kernels.nodes import Node, Phrase, Variable, printed


class Grammar(NamedTuple):
    """What a language takes for a name, and which names are words of its own."""

    is_name: Callable[[str], bool]
    is_word: Callable[[str], bool]


def _is_word_of_python(text: str) -> bool:
    return keyword.iskeyword(text) or text == "__debug__"  # which nothing may be assigned to


PYTHON = Grammar(str.isidentifier, _is_word_of_python)


def mended(label: str, grammar: Grammar = PYTHON) -> str:
    """Make any text a name that a language takes.

    It is normalized as Python does it (NFKC), a TensorFlow suffix `:0` is left out, and whatever
    cannot be part of a name becomes one `_`, or nothing at either end. Where that is no name yet,
    it has an `x` in front; a word of the language has a `_` behind.

    >>> mended("dense/kernel:0"), mended("lambda"), mended("2x"), mended("x²"), mended(";")
    ('dense_kernel', 'lambda_', 'x2x', 'x2', 'x')
    """
    text = unicodedata.normalize("NFKC", label)
    if not grammar.is_name(text):
        text = re.sub(r":\d+$", "", text)
        parts = "".join([c if grammar.is_name(f"a{c}") else " " for c in text]).split()
        text = "_".join([part for part in parts if part.strip("_")])
        text = text if grammar.is_name(text) else unicodedata.normalize("NFKC", f"x{text}")
    return f"{text}_" if grammar.is_word(text) else text


def given(labels: Sequence[str | None], grammar: Grammar = PYTHON) -> list[str]:
    """Give each label a name of its own; what has no label is x0, x1, …

    Labels that can stay as they are stay so; then those that are mended, or that somebody else has,
    get an index where they must; so nobody loses a name to one that had to change.

    >>> given(["w", "w", None, "w_1", "ﬁ", "fi"])
    ['w', 'w_2', 'x0', 'w_1', 'fi_1', 'fi']
    """
    names = {k: mended(label, grammar) for k, label in enumerate(labels) if label}
    taken: set[str] = set()
    kept: set[int] = set()
    for k, name in names.items():
        if name == labels[k] and name not in taken:
            taken.add(name)
            kept.add(k)
    for k, name in names.items():
        if k not in kept:
            names[k] = _apart(name, taken)
    wishes = (f"x{n}" for n in range(2 * len(labels)))
    free = (name for name in wishes if name not in taken)
    return [names[k] if k in names else next(free) for k in range(len(labels))]


def _apart(wish: str, taken: set[str]) -> str:
    name, count = wish, 0
    while name in taken:
        count += 1
        name = f"{wish}_{count}"
    taken.add(name)
    return name


class Scope:
    """The names in one piece of code; `names` are those of the user, in the order of the labels.

    >>> from symtape.kernels.nodes import NP
    >>> scope = Scope(["np", "v1"])
    >>> scope.write(NP.sin(Variable("np"))), scope.name("v1"), scope.name("v2")
    ('np_1.sin(np)', 'v1_1', 'v2')

    What is to be `apart` is no name for a word of ours either, such as that of the function itself.
    `spelled` says a form in the words of a library.
    """

    def __init__(
        self,
        labels: Sequence[str | None] = (),
        grammar: Grammar = PYTHON,
        *,
        apart: Iterable[str] = (),
        spelled: Callable[[Node], Node] | None = None,
    ) -> None:
        self.names = given(labels, grammar)
        self.words: dict[str, str] = {}
        self._own: dict[str, Variable] = {}
        self._taken = {*self.names, *apart}
        self._spelled = spelled
        self._printed: dict[Any, tuple[Callable[..., str], int]] = {}

    def arguments(self, inputs: Sequence[int]) -> dict[int, Variable]:
        """Give the variables of the user to what they stand for."""
        return dict(zip(inputs, map(Variable, self.names), strict=True))

    def fresh(self, wish: str) -> str:
        """Draw a name that nothing else has."""
        return _apart(wish, self._taken)

    def name(self, wish: str) -> str:
        """Name a variable of ours, which is drawn when it is first asked for."""
        return self.variable(wish).text

    def word(self, word: str) -> str:
        """Say what a word is called here that stands for something outside of the code."""
        found = self.words.get(word)
        if found is None:
            found = self.words[word] = self.fresh(word)
        return found

    def variable(self, wish: str) -> Variable:
        """Give a variable of ours."""
        found = self._own.get(wish)
        if found is None:
            found = self._own[wish] = Variable(_apart(wish, self._taken))
        return found

    def write(self, node: Node) -> str:
        """Print a node, its words as they are called here."""
        return node.write(self.word)

    def phrase(self, form: Node, operands: Sequence[Phrase] = ()) -> Phrase:
        """Print a form of operands in its slots, or a node that has none."""
        if not operands:
            return Phrase(form.write(self.word), form.binding, (form,))
        bindings: tuple[int, ...]
        texts: tuple[str, ...]
        if len(operands) == 2:  # what most steps have, without lists
            x, y = operands
            bindings, texts = (x.binding, y.binding), (x.text, y.text)
        else:
            bindings = tuple([x.binding for x in operands])
            texts = tuple([x.text for x in operands])
        key = form, bindings
        found = self._printed.get(key)
        if found is None:
            found = self._printed[key] = self._filling(form, bindings)
        fill, binding = found
        return Phrase(fill(*texts), binding, operands)

    def _filling(self, form: Node, bindings: tuple[int, ...]) -> tuple[Callable[..., str], int]:
        """Print a form with its words as they are called here, once for all its operands."""
        if self._spelled is not None:
            form = self._spelled(form)
        words, fill, binding = printed(form, bindings)
        slots = [f"{{{k}}}" for k in range(len(bindings))]
        return fill(*slots, *[self.word(word) for word in words]).format, binding

    def defined(self, title: str, text: str, words: Mapping[str, Any]) -> Callable[..., Any]:
        """Give the function that a text defines.

        It runs among what its words stand for and nothing else: `words`, or Python's own.
        """
        namespace = {
            own: words[word] if word in words else getattr(builtins, word)
            for word, own in self.words.items()
            if not keyword.iskeyword(word)
        }
        exec(compile(text, "<symtape>", "exec"), namespace)  # noqa: S102 - of names we made
        function: Callable[..., Any] = namespace[title]
        return function
