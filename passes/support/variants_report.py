"""Which sizes get a variant of their own, and what the samples lose."""

from typing import Any

from ...dialects.records import dataclass
from .size_ranges import Part


@dataclass(frozen=True)
class VariantsReport:
    """The parts of the range of each function, by its name."""

    functions: tuple[tuple[str, tuple[Part, ...]], ...]
    range: tuple[int, int]
    most: float
    name: str = "graph-size-variants"

    def to_text(self) -> str:
        lines: list[str] = []
        for function, parts in self.functions:
            first = self.range[0]
            if all(part.loss is None for part in parts):
                lines.append(f"@{function}: a variant up to each of {', '.join(str(p.last) for p in parts)}")
                continue
            said: list[str] = []
            for part in parts:
                said.append(f"  {first} to {part.last}: {self._lost(part)}")
                first = part.last + 1
            count = f"{len(parts)} variant{'' if len(parts) == 1 else 's'}"
            lines += [f"@{function}: {count}, against a program for each size alone:", *said]
        return "\n".join(lines)

    def _lost(self, part: Part) -> str:
        loss = part.loss or 0.0
        more = f", more than the {100 * self.most:g} % allowed" if loss > self.most else ""
        return f"at most {100 * max(loss, 0):.1f} % slower{more}"

    def to_json(self) -> Any:
        return [
            {
                "function": function,
                "range": list(self.range),
                "max_loss": self.most,
                "variants": [
                    {"last": p.last, "sizes": list(p.samples), "loss": p.loss and round(p.loss, 6)}
                    for p in parts
                ],
            }
            for function, parts in self.functions
        ]
