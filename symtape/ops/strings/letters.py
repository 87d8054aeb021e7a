"""Letters and their numbers in Unicode: texts decoded, encoded, and written in other codes."""

from __future__ import annotations

import codecs
import sys
import threading
from typing import Any

import numpy as np

from symtape.errors import InvalidArgumentError
from symtape.ops.arguments import tensor
from symtape.ops.attributes import attributes, boolean, integer, string
from symtape.ops.ragged.tensor import RaggedTensor
from symtape.ops.strings.arguments import each, text_of
from symtape.ops.strings.parts import in_parts
from symtape.tensor import dtypes
from symtape.tensor.convert import convert
from symtape.tensor.decided import decided_by_look
from symtape.tensor.dispatch import invalid, not_of
from symtape.tensor.tensor import Tensor

_CODES = {"UTF-8": "utf-8", "UTF-16-BE": "utf-16-be", "UTF-32-BE": "utf-32-be"}
_INPUT = _CODES | {"US-ASCII": "ascii", "UTF-16-LE": "utf-16-le", "UTF-32-LE": "utf-32-le"}
_INPUT |= {"ISO-8859-1": "latin-1", "LATIN1": "latin-1", "ASCII": "ascii"}
_IGNORED = str.maketrans("", "", "-_ ")
_INPUT |= {"UTF-16": "utf-16", "UTF-32": "utf-32"}
_MARKED = {
    "utf-16": [(codecs.BOM_UTF16_BE, "utf-16-be"), (codecs.BOM_UTF16_LE, "utf-16-le")],
    "utf-32": [(codecs.BOM_UTF32_BE, "utf-32-be"), (codecs.BOM_UTF32_LE, "utf-32-le")],
}
"""Codes whose order of bytes a mark says."""
_BY_LETTERS = {name.translate(_IGNORED): code for name, code in _INPUT.items()}
"""Codes by the letters and digits of their names, which are what ICU looks at."""
_ERRORS = ("strict", "replace", "ignore")
_MISSING = "\ufffd"
_CONTROLS = 32


@attributes(
    input_encoding=string(),
    errors=string("replace"),
    replacement_char=integer(65533),
    replace_control_characters=boolean(False),
)
def unicode_decode(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Tensor | RaggedTensor:
    """Give the numbers of letters, int32; those of several texts are a ragged tensor.

    Raises `InvalidArgumentError` for codes that are not known, and in strict reading for bytes that
    are no letters.

    >>> unicode_decode("hé", "UTF-8").numpy()
    array([104, 233], dtype=int32)
    """
    told = (errors, replacement_char, replace_control_characters)
    read = _Reader("UnicodeDecode", input_encoding, *told)
    return in_parts("UnicodeDecode", _given(input), read.numbers, dtypes.int32)


@attributes(
    input_encoding=string(),
    errors=string("replace"),
    replacement_char=integer(65533),
    replace_control_characters=boolean(False),
)
def unicode_decode_with_offsets(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Give the numbers of letters, and at which byte each begins: as `unicode_decode`, int64.

    >>> [x.numpy().tolist() for x in unicode_decode_with_offsets("éa", "UTF-8")]
    [[233, 97], [0, 2]]
    """
    told = (input_encoding, errors, replacement_char, replace_control_characters)
    texts, op = _given(input), "UnicodeDecodeWithOffsets"
    return (
        in_parts(op, texts, _Reader(op, *told).numbers, dtypes.int32),
        in_parts(op, texts, _Reader(op, *told).offsets, dtypes.int64),
    )


@attributes(input_encoding=string(), errors=string("replace"), replacement_char=integer(65533))
def unicode_split(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    name: str | None = None,
) -> Tensor | RaggedTensor:
    r"""Split into letters; those of several texts are a ragged tensor.

    Raises `InvalidArgumentError` as `unicode_decode`.

    >>> unicode_split(["hé", "a"], "UTF-8")
    <tf.RaggedTensor [[b'h', b'\xc3\xa9'], [b'a']]>
    """
    read = _Reader("UnicodeDecode", input_encoding, errors, replacement_char)
    return in_parts("UnicodeDecode", _given(input), read.letters)


@attributes(input_encoding=string(), errors=string("replace"), replacement_char=integer(65533))
def unicode_split_with_offsets(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    name: str | None = None,
) -> tuple[Any, Any]:
    """Split into letters, and say at which byte each begins: int64.

    >>> unicode_split_with_offsets("éa", "UTF-8")[1].numpy()
    array([0, 2])
    """
    told, texts = (input_encoding, errors, replacement_char), _given(input)
    op = "UnicodeDecodeWithOffsets"
    letters = in_parts(op, texts, _Reader(op, *told).letters)
    return letters, in_parts(op, texts, _Reader(op, *told).offsets, dtypes.int64)


@attributes(output_encoding=string(), errors=string("replace"), replacement_char=integer(65533))
def unicode_encode(
    input: Any,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    name: str | None = None,
) -> Tensor | RaggedTensor:
    r"""Write texts of the numbers of letters, which are in the last axis.

    Raises `ValueError` for one number, and `InvalidArgumentError` for numbers of no letter where
    `errors` is strict, and for codes that are not known.

    >>> unicode_encode([104, 233], "UTF-8").numpy()
    b'h\xc3\xa9'
    """
    code = _code("UnicodeEncode", output_encoding)
    _check_errors("UnicodeEncode", errors, replacement_char)

    def text(row: Any) -> bytes:
        read = [_letter(n, errors, replacement_char) for n in row]
        return "".join(read).encode(code)

    if isinstance(input, RaggedTensor):
        if isinstance(input.values, RaggedTensor):
            return input.with_values(
                unicode_encode(input.values, output_encoding, errors, replacement_char)
            )
        return convert(np.array([text(row) for row in input.to_list()], object), dtypes.string)
    numbers = tensor(input)
    if not numbers.shape.rank:
        raise ValueError("input_tensor's rank must be at least 1.")
    if numbers.dtype is not dtypes.int32:
        raise not_of("UnicodeEncode", dtypes.int32, numbers)
    array = np.asarray(decided_by_look(numbers))
    made = np.empty(array.shape[:-1], object)
    for place in np.ndindex(made.shape):
        made[place] = text(array[place].tolist())
    return convert(made[()] if made.ndim else made.item(), dtypes.string)


@attributes(
    input_encoding=string(),
    output_encoding=string(),
    errors=string("replace"),
    replacement_char=integer(65533),
    replace_control_characters=boolean(False),
)
def unicode_transcode(
    input: Any,
    input_encoding: str,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Tensor | RaggedTensor:
    r"""Write texts in another code.

    Raises `InvalidArgumentError` as `unicode_decode`.

    >>> unicode_transcode("hé", "UTF-8", "UTF-16-BE").numpy()
    b'\x00h\x00\xe9'
    """
    code = _code("UnicodeTranscode", output_encoding)
    told = (errors, replacement_char, replace_control_characters)
    if isinstance(input, RaggedTensor):
        flat = unicode_transcode(input.flat_values, input_encoding, output_encoding, *told)
        return input.with_flat_values(flat)
    read = _Reader("UnicodeTranscode", input_encoding, *told)
    texts = text_of("UnicodeTranscode", _given(input))
    if errors == "strict":
        each(_Reader("UnicodeTranscode", input_encoding, *told).refuse_controls, texts)
    return each(lambda t: "".join(map(chr, read.numbers(t))).encode(code), texts)


def _given(value: Any) -> Any:
    """Be rows, or a tensor; a list of texts and bytes is one of texts."""
    if isinstance(value, (str, bytes, list)) and value != []:
        return convert(value, dtypes.string)
    return value if isinstance(value, RaggedTensor) else tensor(value)


def _letter(number: int, errors: str, replacement: int) -> str:
    if 0 <= number < 0xD800 or 0xDFFF < number < 0x110000:
        return chr(number)
    if errors == "strict":
        text = "Code point is out of range for Unicode, or is a surrogate."
        raise invalid("UnicodeEncode", text)
    return "" if errors == "ignore" else chr(replacement)


def _code(op: str, encoding: str) -> str:
    _among(op, "output_encoding", encoding, tuple(_CODES))
    return _CODES[encoding]


def _check_errors(op: str, errors: str, replacement: int) -> None:
    _among(op, "errors", errors, _ERRORS)
    if not 0 <= replacement <= sys.maxunicode:
        raise invalid(op, "replacement_char out of unicode codepoint range")


def _among(op: str, attr: str, value: str, known: tuple[str, ...]) -> None:
    if value not in known:
        listed = ", ".join(f'"{k}"' for k in known)
        raise InvalidArgumentError(
            message=f"Value for attr '{attr}' of \"{value}\" is not in the list of allowed values: "
            f"{listed}\n\t; NodeDef: {{{{node {op}}}}}"
        )


class _Missed(threading.local):
    """Where the bytes that are no letters begin and end, in the text that this thread decodes."""

    def __init__(self) -> None:
        self.ends: dict[int, int] = {}


_MISSED = _Missed()


def _missing(error: Any) -> tuple[str, int]:
    _MISSED.ends[error.start] = error.end
    return (_MISSING, error.end)


codecs.register_error("symtape.missing", _missing)


class _Reader:
    """Reads the letters of texts in a code, one after another.

    Control characters may be replaced, too.
    """

    def __init__(
        self, op: str, encoding: str, errors: str, replacement: int, controls: bool = False
    ) -> None:
        _check_errors(op, errors, replacement)
        name = encoding.translate(_IGNORED).upper()
        if name not in _BY_LETTERS:
            text = f"Could not create converter for input encoding: {encoding}"
            raise invalid(op, text)
        self.op, self.errors, self.replacement = op, errors, replacement
        self.encoding, self.code = encoding, _BY_LETTERS[name]
        self.with_controls = controls

    def _begun(self, text: bytes) -> tuple[bytes, str]:
        """Read the mark at the beginning; without one, the largest byte comes first.

        As in TensorFlow, the first text of several letters says it for all that follow, in which a
        mark is a letter.
        """
        if self.code not in _MARKED:
            return text, self.code
        marks = _MARKED[self.code]
        mark, code = next((m for m in marks if text.startswith(m[0])), (b"", marks[0][1]))
        rest = text.removeprefix(mark)
        if len(rest.decode(code, "replace")) > 1:
            self.code = code
        return rest, code

    def read(self, text: bytes) -> str:
        """Read a text; the letter for what is missing stands where bytes are none."""
        text, code = self._begun(text)
        try:
            return text.decode(code, self.errors)
        except UnicodeDecodeError:
            raise invalid(self.op, "Invalid formatting on input string") from None

    def numbers(self, text: bytes) -> list[int]:
        """Give the numbers of letters."""
        lost, read = self.replacement, self.read(text)
        if self.errors == "ignore":
            return [ord(c) for c in read if not self._is_control(c)]
        return [lost if c == _MISSING or self._is_control(c) else ord(c) for c in read]

    def refuse_controls(self, text: bytes) -> bytes:
        """Raise for a control character, which is one of the errors when it is to be replaced."""
        if any(map(self._is_control, self.read(text))):
            raise invalid(self.op, "Invalid formatting on input string")
        return text

    def _is_control(self, letter: str) -> bool:
        """Say whether a letter is a control character which stands for an error."""
        return self.with_controls and ord(letter) < _CONTROLS

    def letters(self, text: bytes) -> list[bytes]:
        """Give the letters, each a text of its own."""
        numbers = self.numbers(text)
        code = _code("UnicodeEncode", self.encoding)
        return [chr(n).encode(code) for n in numbers]

    def offsets(self, text: bytes) -> list[int]:
        """Say at which byte each letter begins."""
        found: list[int] = []
        ends: dict[int, int] = {}
        _MISSED.ends = ends
        read, code = self._begun(text)
        marked = len(text) - len(read)
        whole = read.decode(code, "symtape.missing")
        begin = 0
        for letter in whole:
            skipped = letter == _MISSING and begin in ends
            if not ((skipped or self._is_control(letter)) and self.errors == "ignore"):
                found.append(begin)
            begin = ends[begin] if skipped else begin + len(letter.encode(code))
        return [n + marked if n else n for n in found]  # a mark is of the first letter
