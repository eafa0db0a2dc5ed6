"""Passes on a module, each verified and timed, for those who embed the compiler."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import field

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec

from ...dialects.records import dataclass
from ...passes.support.peers import peers_made_by
from ...passes.support.report import Report, collect_reports, without_reports
from ..text.diagnostics import Diagnostic, Source
from ..workers.shared import pass_session
from .read_module import make_context
from .verify_passes import PassVerifier

AfterPass = Callable[[str, float, ModuleOp], None]
"""`after_pass(name, seconds, module)`: called after each pass, for timings and dumps of the IR."""


@dataclass(frozen=True)
class Run:
    """A compilation: whether passes report, and what messages refer to, the sources that were read, and the passes that
    ran, the last one maybe still."""

    reports: bool = True

    texts: list[Source] = field(default_factory=list[Source])
    applied: list[ModulePass] = field(default_factory=list[ModulePass])

    def explained(self, error: BaseException) -> Diagnostic:
        """What to tell about an error."""
        from .explain import explain

        return explain(error, self.texts, self.applied[-1] if self.applied else None)


def run_passes(
    module: ModuleOp,
    specs: Iterable[ArgSpec],
    target: str,
    timings: list[tuple[str, float]],
    after_pass: AfterPass | None,
    run: Run,
) -> Sequence[Report]:
    """Run passes on a module, verify it behind each one; what they report, if they are to. `timings` gets seconds by
    pass, `run` the passes. Raises what passes raise, VerifyException, OpError, and ShownError for what other processes
    found."""
    from .pipelines import build_passes
    from .universe import UNIVERSE

    context = make_context()
    reporting = collect_reports() if run.reports else without_reports()
    # what `after_pass` gets is verified
    with reporting as reports, pass_session(run.explained, verifies=after_pass is None) as session:
        verifier = PassVerifier(session)
        for one in build_passes(UNIVERSE.all_passes, specs, target):
            run.applied.append(one)
            session.before(one)
            verifier.before(one, module)
            start = time.perf_counter()
            one.apply(context, module)
            timings.append((one.name, time.perf_counter() - start))
            verifier.after(one, module)
            if after_pass is not None and not session.is_copy:
                with peers_made_by(None):  # others do not call it
                    after_pass(*timings[-1], module)
    return tuple(reports or ())


__all__ = ["AfterPass", "Run", "run_passes"]
