"""What `graph-pad-planes` weighed, until a grouping pass says it with the rest of what it decided."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from ...dialects.graph.base import bare_names
from ...dialects.records import dataclass
from ..support.words import counted
from .candidates import PaddingRecord


@dataclass(frozen=True)
class PaddingReport:
    """What was weighed in each function, by its name."""

    records: Mapping[str, tuple[PaddingRecord, ...]]
    name: str = "graph-pad-planes"

    def to_text(self) -> str:
        lines: list[str] = []
        for function, records in self.records.items():
            lines += [f"padding of @{function}: {counted(len(records), 'chain')} weighed"] if records else []
            lines += [f"  {line}" for line in padding_lines(records)]
        return "\n".join(lines)

    def to_json(self) -> Any:
        return [
            {"function": function, "padded": padding_json(records)}
            for function, records in self.records.items()
        ]


def padding_json(records: Sequence[PaddingRecord]) -> list[dict[str, Any]]:
    """The records as what `json.dumps` takes."""
    return [{"taken": one.taken, **asdict(one)} for one in records]


def padding_lines(records: Sequence[PaddingRecord]) -> list[str]:
    """Results with more lines or columns than the graph's, and why."""
    return [_padding_line(one) for one in records]


def _padding_line(one: PaddingRecord) -> str:
    shape, larger = ("x".join(map(str, sizes)) for sizes in (one.shape, one.padded))
    few = f"of {shape} {counted(one.cores, 'core')} could share the 32 B blocks"
    return (
        f"{'padded' if one.taken else 'not padded'}: {bare_names(one.ops, ' + ')} to {larger}: {few}; "
        f"{one.time_before:.1f} us as it is, {one.time_after:.1f} us with a kernel that takes the part"
    )


__all__ = ["PaddingReport", "padding_json", "padding_lines"]
