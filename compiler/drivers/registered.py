"""xDSL's driver with all that packages of the environment add to it. To find that, a file of each package is read: here
once, where xDSL does so for dialects, for passes and for targets."""

from functools import cache
from importlib.metadata import EntryPoint, entry_points

from xdsl.universe import Universe
from xdsl.xdsl_opt_main import xDSLOptMain


@cache
def everything() -> Universe:
    """What packages add. ValueError where one registers what cannot be used."""
    try:
        return Universe.get_multiverse()
    except Exception:
        for point in entry_points(group="xdsl.universe"):
            if (reason := _wrong_with(point)) is not None:
                where = f"entry point {point.name} = {point.value} of {point.dist.name if point.dist else 'a package'}"
                raise ValueError(f"{where}, for xdsl.universe, {reason}") from None
        raise


def _wrong_with(point: EntryPoint) -> str | None:
    """Why an entry point is no universe; None where it is one."""
    try:
        found = point.load()
    except Exception as error:
        return f"does not load: {error}"
    return None if isinstance(found, Universe) else "is no Universe"


class RegisteredMain(xDSLOptMain):
    """The driver; as in xDSL, what it knows already stays."""

    def register_all_dialects(self) -> None:
        for name, factory in everything().all_dialects.items():
            self.ctx.register_dialect(name, factory)

    def register_all_passes(self) -> None:
        for name, factory in everything().all_passes.items():
            self.register_pass(name, factory)

    def register_all_targets(self) -> None:
        for name, factory in everything().all_targets.items():
            self.available_targets.setdefault(name, factory)


__all__ = ["RegisteredMain", "everything"]
