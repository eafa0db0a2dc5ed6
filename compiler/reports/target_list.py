"""The chips that `--target` knows, for people."""

from ...dialects.target import TargetError, load_target
from ...dialects.target_files import target_names


def target_list() -> str:
    """One line a chip: name, description, cores, clock, element types; or why its file cannot be used."""
    rows: list[tuple[str, ...]] = []
    for name in target_names():
        try:
            chip = load_target(name)
        except TargetError as error:
            rows.append((name, f"cannot be used: {error}"))
            continue
        number = f"{chip.cores}+{chip.vector_cores}" if chip.split else f"{chip.cores}"
        cores = f"{number} core{'s' if number != '1' else ''}"
        rows.append((name, chip.description, cores, f"{chip.clock_mhz:g} MHz", " ".join(chip.storage)))
    widths = [max(len(row[i]) for row in rows if len(row) > 2) for i in range(4)]
    return "\n".join(_line(row, widths) for row in rows)


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    name, description, *numbers = row
    start = f"{name:{widths[0]}}  "
    if not numbers:
        return start + description
    cores, clock, types = numbers
    return f"{start}{description:{widths[1]}}  {cores:>{widths[2]}}  {clock:>{widths[3]}}  {types}"
