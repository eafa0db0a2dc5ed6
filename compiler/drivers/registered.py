"""xDSL's driver with all that packages of the environment add to it. To find that, a file of each package is read: here
once, where xDSL does so for dialects, for passes and for targets."""

from functools import cache

from xdsl.universe import Universe
from xdsl.xdsl_opt_main import xDSLOptMain


@cache
def _everything() -> Universe:
    return Universe.get_multiverse()


class RegisteredMain(xDSLOptMain):
    """The driver; as in xDSL, what it knows already stays."""

    def register_all_dialects(self) -> None:
        for name, factory in _everything().all_dialects.items():
            self.ctx.register_dialect(name, factory)

    def register_all_passes(self) -> None:
        for name, factory in _everything().all_passes.items():
            self.register_pass(name, factory)

    def register_all_targets(self) -> None:
        for name, factory in _everything().all_targets.items():
            self.available_targets.setdefault(name, factory)


__all__ = ["RegisteredMain"]
