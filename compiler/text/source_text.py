"""What a file is before it is parsed: text or not, graph text or MLIR text."""

from __future__ import annotations

import re
from pathlib import Path

from .diagnostics import Source

_BLANK = re.compile(r"(?:\s|//[^\n]*)*")
_GRAPH = re.compile(r"^[ \t]*graph\s+@", re.MULTILINE)
_CONTROL = re.compile(rb"[\x00-\x08\x0E-\x1A\x1C-\x1F]")
"""Bytes that are in no text: control characters but for white space and escapes."""
_MODEL = re.compile(rb"\x08[\x01-\x1F][\x12\x1A\x22\x28\x32\x3A\x42\x72]")
_FIRST = re.compile(r"([A-Za-z_][A-Za-z_0-9.]*)(\s*@)?")


def decode(data: bytes, name: str) -> str:
    """The text of a file. Raises ParseError at the first byte that no text has."""
    control = _CONTROL.search(data)
    if control is not None:
        byte = "a zero byte" if control[0] == b"\0" else f"byte 0x{control[0][0]:02X}"
        hint = ""
        if is_model_start(data):
            hint = "; if it is an ONNX model, name it .onnx, or give ascend-opt -f onnx"
        raise _not_text(data, control.start(), name, f"{byte}; this is a binary file, not text{hint}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        byte = f"0x{data[error.start]:02X}"
        raise _not_text(data, error.start, name, f"byte {byte}, which is not UTF-8 text") from None


def is_model_start(data: bytes) -> bool:
    """Whether bytes are such as an ONNX model starts with: the version of its format, and a field of the model."""
    return _MODEL.match(data) is not None


def _not_text(data: bytes, position: int, name: str, what: str) -> Exception:
    # Only the line around the byte is shown; what lies before is needed for the line number.
    start = data.rfind(b"\n", 0, position) + 1
    end = data.find(b"\n", position)
    end = len(data) if end < 0 else end
    start, end = max(start, position - 40), min(end, position + 40)
    line = _CONTROL.sub(b".", data[start:end]).decode("utf-8", "replace")
    before = len(data[start:position].decode("utf-8", "replace"))
    newlines = data.count(b"\n", 0, position)
    return Source("\n" * newlines + line, name).error(
        newlines + before, newlines + before + 1, f"found {what}"
    )


def is_blank(text: str) -> bool:
    """Whether a text holds nothing but blanks and comments."""
    match = _BLANK.match(text)
    return match is not None and match.end() == len(text)


def is_graph_text(text: str) -> bool:
    """Whether a text is graph text: its first keyword is `graph`, or a slip of it before a name."""
    blank = _BLANK.match(text)
    first = _FIRST.match(text, blank.end() if blank else 0)
    if first is None:
        # Neither syntax starts like this; what follows tells which was meant.
        return _GRAPH.search(text) is not None
    word = first[1]
    if word == "graph":
        return True
    if first[2] is None:
        return False
    import difflib

    return bool(difflib.get_close_matches(word[:20], ["graph"], cutoff=0.7))


HIVM = b"hivm.hir."
"""How the names of ops of HIVM begin."""


def is_hivm_file(path: str) -> bool:
    """Whether a file holds HIVM."""
    file = Path(path)
    return file.is_file() and file.suffix == ".mlir" and HIVM in file.read_bytes()
