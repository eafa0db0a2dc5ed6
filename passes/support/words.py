"""Words of reports and messages."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """`1 kernel`, `2 kernels`."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"
