"""The `ascend-opt` driver: xDSL's, with graph text, fixed pipelines, reports and errors for people.

Every option of `xdsl-opt` works. What differs: the input may be graph text; `--fuse` and `--lower` name
fixed pipelines and run in command-line order with `-p`, but `--fuse` before `--lower`; `--target` also takes a chip.
Whatever is wrong with the input is one located message on stderr and exit code 1; an output file is complete or
untouched.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import traceback
from collections.abc import Generator, Sequence
from contextlib import contextmanager, nullcontext
from io import BytesIO
from pathlib import Path
from typing import IO, Any, NoReturn

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, PassPipeline
from xdsl.utils.arg_spec import ArgSpec
from xdsl.utils.exceptions import DiagnosticException, ParseError
from xdsl.utils.lexer import Input, Span
from xdsl.utils.target import Target

from ...dialects.target_files import DEFAULT_TARGET, target_names
from ...passes.kernels.tuner import TUNE, TUNE_HELP
from ...passes.support.report import Report, collect_reports, notes_told_to
from ...runtime.support.collector import seldom_collecting
from ..pipeline.explain import UsageError, explain
from ..pipeline.pass_text import parse_passes
from ..pipeline.pipelines import (
    build_passes,
    stages,
    variants_of,
    with_choices,
)
from ..pipeline.read_module import has_tiles_to_choose, set_sizes
from ..pipeline.save_plan import plan_of, plans_collected, save_plan
from ..pipeline.verify_passes import PassVerifier
from ..reports.progress_bars import ProgressBars
from ..reports.report_files import (
    add_report_options,
    report_files,
    settle_report_files,
    with_report_files,
    write_reports,
)
from ..text.diagnostics import Diagnostic, ShownError, ShownParseError, Source
from ..text.mlir_printer import QuickPrinter
from ..text.mlir_text import parse_mlir_text
from ..text.output_files import KeptText, check_output_files, put_text, target_file
from ..text.source_text import decode, is_blank, is_graph_text
from ..workers.session import Session
from ..workers.shared import JOBS_HELP, pass_session, passes_shared
from .choice_options import add_choice_options, fusion_limits, overruled, tile_options, unused
from .driver_options import AddStage, Help, OutputOrChip, fuse_first, positive
from .early_model import ModelReader
from .model_import import ModelImport
from .model_options import add_model_options, model_options_given
from .registered import RegisteredMain


class AscendOptMain(RegisteredMain):
    """xDSL's driver with our front ends, pipelines and reports."""

    version_format = "ascend-opt on xdsl {xdsl_version}"

    def __init__(self, args: Sequence[str], reader: ModelReader | None = None):
        self._reader = reader
        self.sources: list[Source] = []
        self.applied: ModulePass | None = None
        self._first_line = 0
        self._started = time.perf_counter()
        self._kept: KeptText | None = None
        self._reports: Sequence[Report] = ()
        self._analysed = 0
        """How many of the reports have been written as an analysis."""
        self._verifier = PassVerifier(Session(1, self._explained))
        super().__init__(
            "Compile graphs of tensor operations for Huawei Ascend NPUs", with_report_files(args)
        )

    def register_all_frontends(self) -> None:
        # Both syntaxes may live in any file: the text tells which it is.
        self.available_frontends["mlir"] = lambda io: self._parse(io.read(), forced=None)
        self.available_frontends["graph"] = lambda io: self._parse(io.read(), forced="graph")
        self.available_frontends["onnx"] = lambda _: self._model.module(_show)

    def register_all_targets(self) -> None:
        super().register_all_targets()
        self.available_targets["mlir"] = _mlir_target

    def register_all_arguments(self, arg_parser: argparse.ArgumentParser) -> None:
        super().register_all_arguments(arg_parser)
        arg_parser.prog = "ascend-opt"
        arg_parser.formatter_class = Help
        arg_parser.allow_abbrev = False
        arg_parser.conflict_handler = "resolve"
        arg_parser.error = _raise_usage_error

        class Target(OutputOrChip):
            outputs = frozenset(self.available_targets)

        # A group made now takes over the options of xDSL's driver that it defines again.
        add = arg_parser.add_argument_group("ascend-opt").add_argument
        chip = f"chip to compile for: a name or a .toml file (default {DEFAULT_TARGET})"
        add("--target", action=Target, metavar="CHIP", help=chip)
        add("--list-targets", action="store_true", help="list the chips and exit")
        fixed: dict[str, Any] = {"action": AddStage, "nargs": 0, "dest": "steps"}
        add("--fuse", **fixed, const="fuse", help="graph level to tile level, fused where that pays")
        add(
            "--library",
            **fixed,
            const="library",
            help="the same, but each operator that a library has is a kernel",
        )
        add("--lower", **fixed, const="lower", help="tile level (or graph, unfused) to ascend level")
        add("-p", "--passes", action=AddStage, dest="steps", help="passes to run: a,b{option=1},...")
        add("--tune", type=positive, default=TUNE, metavar="N", help=TUNE_HELP)
        add("--jobs", type=positive, default=1, metavar="N", help=JOBS_HELP)
        add("--emit", choices=["hivm"], help="write the compiled kernels as HIVM of AscendNPU-IR")
        add_choice_options(add)
        add_model_options(add)
        add("--weights", metavar="NPZ", help="keep a model's weights in this file, which the output reads")
        add_report_options(add)
        add("--debug", action="store_true", help="show the Python traceback of an error")
        arg_parser.set_defaults(passes="", chip=None, steps=[])

    def setup_pipeline(self) -> None:
        self._model = ModelImport(self.get_input_name(), self.args, self._reader)
        self.pipeline = PassPipeline(self._passes(), self._between_passes)

    def _passes(self) -> tuple[ModulePass, ...]:
        """The passes that are asked for."""
        settle_report_files(self.args)
        works = self.args.steps or self._analyses
        if self.args.chip is not None and (works or self.args.chip not in target_names()):
            from ...dialects.target import load_target

            load_target(self.args.chip)
        specs: list[ArgSpec] = []
        for stage, text in fuse_first(self.args.steps):
            specs += parse_passes(text) if stage is None else stages(stage)
        if self._analyses and not self.args.steps:
            specs += stages("fuse")
        if self.args.emit == "hivm":
            specs.append(ArgSpec("ascend-to-hivm", {}))
            self.args.print_op_generic = True
        self._pass_names = {spec.name for spec in specs}
        for note in unused(self.args, self._pass_names):
            _show(Diagnostic(note, "note"))
        given = fusion_limits(self.args) | ({} if self.args.store is None else {"store": self.args.store})
        variants = variants_of(self.args.dynamic_range, self.args.max_loss)
        specs = list(with_choices(specs, given, self.args.dynamic_sizes, self.args.tune, variants))
        if self._analyses and all(spec.name != "tile-fuse" for spec in specs):
            raise UsageError(
                "--analyze is about what tile-fuse decides: it needs --fuse, --library or no passes"
            )
        passes = build_passes(self.available_passes, specs, self.args.chip)
        for note in overruled(self.args, specs, passes):
            _show(Diagnostic(note, "note"))
        return passes

    def get_input_stream(self) -> tuple[IO[bytes], str]:
        if self.args.input_file in (None, "-"):
            if self.args.frontend == "onnx":
                raise UsageError("-f onnx takes a file: a model is not read from stdin")
            return BytesIO(sys.stdin.buffer.read()), "mlir"
        stream, extension = super().get_input_stream()
        return stream, extension if extension in self.available_frontends else "mlir"

    def get_input_name(self) -> str:
        name = self.args.input_file
        return "<stdin>" if name in (None, "-") else name

    def parse_chunk(self, chunk: IO[bytes], file_extension: str, start_offset: int = 0) -> ModuleOp | None:
        # A chunk of a split file is parsed behind as many empty lines as lie before it, so that locations
        # are those of the file. The driver adds the lines to errors itself, so these move back.
        self._first_line = start_offset
        try:
            return super().parse_chunk(chunk, file_extension, start_offset)
        except ParseError as error:
            content = error.span.input.content
            assert isinstance(content, str)
            start, end = (max(0, at - start_offset) for at in (error.span.start, error.span.end))
            text = Input(content[start_offset:], error.span.input.name)
            raise ShownParseError(Span(start, end, text), error.msg) from error

    def _parse(self, data: bytes, forced: str | None) -> ModuleOp:
        name = self.get_input_name()
        args = self.args
        given = model_options_given(args.precision, args.precision_of)
        for option in (*given, *["--weights"] * (args.weights is not None)):
            _show(Diagnostic(f"{option} has no effect: the input is no ONNX model", "note"))
        text = "\n" * self._first_line + decode(data, name)
        self.sources = [Source(text, name)]
        if is_blank(text) and not self.args.split_input_file:
            end = len(text.rstrip())
            raise self.sources[0].error(
                end, end, "the file is empty: expected 'graph @name(...)' or MLIR text"
            )
        if forced == "graph" or (self.args.frontend is None and is_graph_text(text)):
            from ..text.graph_text import parse_graph_text

            directory = Path(name).parent if self.args.input_file not in (None, "-") else Path()
            module = parse_graph_text(text, name, directory=directory, warn=_show)
        else:
            implicit = not self.args.no_implicit_module
            module = parse_mlir_text(self.ctx, text, name, implicit_module=implicit)
        if args.dims:
            set_sizes(module, args.dims)
        return module

    def apply_passes(self, prog: ModuleOp) -> None:
        if not has_tiles_to_choose(prog):
            for option in tile_options(self.args, self._pass_names):
                _show(Diagnostic(f"{option} has no effect: the module is past the graph level", "note"))
        elif self.args.dynamic_sizes or self.args.dynamic_range:
            from ...passes.support.dynamic_size import check_has_dynamic_size

            check_has_dynamic_size(prog)
        # what is printed between passes is not about a pass behind one that was wrong
        verifies = not (self.args.debug or self.args.print_between_passes or self.args.time_passes)
        try:
            self._check_chip(prog)
            for note in self._marked(prog):
                _show(Diagnostic(note, "note"))
            with (
                seldom_collecting(),
                passes_shared(self.args.jobs),
                ProgressBars().watching(),
                notes_told_to(lambda note: _show(Diagnostic(note, "note"))),
                plans_collected(self.args.save_plan) as plans,
                pass_session(self._explained, verifies) as self._verifier.session,
            ):
                super().apply_passes(prog)
                self._resulting = self._result(prog)
            if self.args.save_plan is not None:
                save_plan(self.args.save_plan, plan_of(prog, self.args.chip, plans))
        except DiagnosticException as error:
            raise ShownError(explain(error, self.sources)) from error

    def _check_chip(self, prog: ModuleOp) -> None:
        """That a module with kernels has those of the chip that is asked for, whichever passes follow."""
        from ...passes.support.module import TARGET_ATTRIBUTE, check_made_for, chip_of

        if self.args.chip is not None and TARGET_ATTRIBUTE in prog.attributes:
            check_made_for(prog, chip_of(prog, self.args.chip))

    def _explained(self, error: BaseException) -> Diagnostic:
        """What to tell about an error while the last pass that was begun runs."""
        return explain(error, self.sources, self.applied)

    def _marked(self, prog: ModuleOp) -> list[str]:
        """Put the marks that are given beside the graph; notes on those that it states otherwise."""
        if not self.args.marks:
            return []
        from ..text.command_marks import put_marks

        return put_marks(prog, self.args.marks, self.sources)

    def _between_passes(
        self, previous: ModulePass | None, module: ModuleOp, following: ModulePass | None
    ) -> None:
        if self.args.time_passes and previous is not None:
            print(f"Pass {previous.name} took {time.perf_counter() - self._started} seconds")
        self.applied = previous
        if not self.args.disable_verify:
            if previous is not None:
                self._verifier.after(previous, module)
            else:
                self._verifier.first(module)
        if previous and following and self.args.print_between_passes:
            print(f"IR after {previous.name}:")
            QuickPrinter(stream=sys.stdout).print_op(module)
            print("\n\n\n")
        self.applied = following
        if following is not None:
            self._verifier.session.before(following)
            if not self.args.disable_verify:
                self._verifier.before(following, module)
        self._started = time.perf_counter()

    @property
    def _analyses(self) -> bool:
        return self.args.analyze or self.args.analyze_json

    def prepare_output(self) -> IO[str]:
        return sys.stdout if self._kept is None else self._kept

    def output_resulting_program(self, prog: ModuleOp) -> str:
        return self._resulting

    def _result(self, prog: ModuleOp) -> str:
        if not self._analyses:
            if self.args.target == "graph-text" and self.args.output_file not in (None, "-"):
                from ..text.graph_printer import with_paths_from

                prog = with_paths_from(prog, Path(self.args.output_file).parent)
            return super().output_resulting_program(prog)
        from ...passes.support.module import chip_of
        from ..reports.model_analysis import analysis_json, analysis_text

        new, self._analysed = self._reports[self._analysed :], len(self._reports)
        written = analysis_json if self.args.analyze_json else analysis_text
        return written(new, chip_of(prog, self.args.chip).name)

    def run(self) -> None:
        if self.args.list_targets:
            from ..reports.target_list import target_list

            print(target_list())
            return
        reported = report_files(self.args.report, self.args.report_json)
        if self.args.weights is not None and Path(self.args.weights).suffix != ".npz":
            raise UsageError(f"--weights writes an .npz file, not '{self.args.weights}'")
        args = self.args
        read = [args.input_file, args.plan or None, args.store or None, target_file(args.chip)]
        written = {"-o": args.output_file, "--weights": args.weights, "--save-plan": args.save_plan}
        check_output_files(read, {**written, **reported})
        asked = self._analyses or self.args.report is not None or self.args.report_json is not None
        with collect_reports() if asked else nullcontext([]) as reports, self._output_file():
            self._reports = reports
            super().run()
        write_reports(reports, self.args.report, self.args.report_json, self.get_input_name())

    @contextmanager
    def _output_file(self) -> Generator[None]:
        """Collect the output of a run and write it to the `-o` file once the run has succeeded."""
        if self.args.output_file is None:
            yield
            return
        self._kept = KeptText()
        yield
        put_text(self.args.output_file, self._kept.text)


def _mlir_target() -> type[Target]:
    from ..text.mlir_printer import QuickMLIRTarget

    return QuickMLIRTarget


def _raise_usage_error(message: str) -> NoReturn:
    raise UsageError(message)


def _show(diagnostic: Diagnostic) -> None:
    print(diagnostic, file=sys.stderr)


def run_tool(argv: Sequence[str], reader: ModelReader | None = None) -> int:
    """Run `ascend-opt` with these arguments; returns the exit code. `reader`: reads a model."""
    main: AscendOptMain | None = None
    try:
        main = AscendOptMain(argv, reader)
        main.run()
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read our output has enough; without this Python complains once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else 0
    except Exception as error:
        if "--debug" in argv:
            traceback.print_exception(error)
        sources = main.sources if main is not None else []
        applied = main.applied if main is not None else None
        _show(explain(error, sources, applied))
        return 1
    return 0


__all__ = ["AscendOptMain", "run_tool"]
