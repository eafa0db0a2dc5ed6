"""Rows of cells, times, bytes and shares as the reports print them."""

from __future__ import annotations

from collections.abc import Sequence

from ...runtime.machine.error_bars import NOT_VALIDATED


def table(rows: Sequence[Sequence[str]], left: int = 1, remarks: bool = False) -> list[str]:
    """Rows of cells as aligned lines; the first `left` columns are aligned to the left, and so is a last one of
    `remarks`."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lefts = {*range(left), *[len(widths) - 1] * remarks}
    lines: list[str] = []
    for row in rows:
        cells = [
            cell.ljust(width) if i in lefts else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  " + "   ".join(cells).rstrip())
    return lines


def time_text(us: float) -> str:
    """A time given in µs."""
    if us >= 100_000:
        return f"{us / 1000:,.1f} ms"
    return f"{us:,.1f} µs"


def predicted_text(us: float, interval: tuple[float, float] | None) -> str:
    """A time with its interval: `15.9 µs (14.6–17.4)`; without one where the chip is not validated."""
    return within_text(us, interval) if interval else f"{time_text(us)} ({NOT_VALIDATED})"


def within_text(us: float, interval: tuple[float, float] | None) -> str:
    """The same in a table whose head says whether the chip is validated: without one, the time alone."""
    if interval is None:
        return time_text(us)
    scale = 1000 if us >= 100_000 else 1
    low, high = (f"{end / scale:,.1f}" for end in interval)
    return f"{time_text(us)} ({low}–{high})"


def bytes_text(count: int) -> str:
    """A number of bytes."""
    if count < 10_000:
        return f"{count} B"
    if count < 10 * 2**20:
        return f"{count / 2**10:,.1f} KiB"
    return f"{count / 2**20:,.1f} MiB"


def share_text(share: float) -> str:
    """A share in per cent."""
    return f"{100 * share:.1f} %"


def cut(text: str, width: int) -> str:
    """A text in `width` columns at most."""
    return text if len(text) <= width else f"{text[: width - 1]}…"


__all__ = ["bytes_text", "cut", "predicted_text", "share_text", "table", "time_text", "within_text"]
