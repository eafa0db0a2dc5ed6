"""`ascend-run --compare`: a seeded slowdown is named with its kernel, pipe and cause; equal compares as equal."""

# pyright: basic

import json
import math
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from run_in_process import in_process

import ascend_opt
from ascend_opt.compiler.reports.comparison import Comparison, compare
from ascend_opt.compiler.reports.comparison_text import comparison_text, failure_text
from ascend_opt.compiler.reports.matched_kernels import Matched, matched
from ascend_opt.compiler.reports.slower_causes import causes
from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_types import Target
from ascend_opt.passes.ascend_multi_buffer import AscendMultiBuffer
from ascend_opt.passes.kernels.tuner import tuned_by
from ascend_opt.runtime.profile.profile import VERSION, Profile
from ascend_opt.runtime.profile.read_profile import ProfileError, profile_from

EXAMPLES = Path(__file__).parents[2] / "examples"
PRODUCT = """graph @product(%x: tensor<512x1024xf16>, %w: tensor<1024x1024xf16> {weight}) {
  %0 = matmul(%x, %w)
  %1 = relu(%0)
  %2 = exp(%1) {nofuse}
  return %1, %2
}
"""
TITLES = ("base", "new")


class Smallest:
    """Takes the smallest of some tiles."""

    count = 24

    def choose(self, alone, tilings, target) -> int:
        return min(range(len(tilings)), key=lambda i: math.prod(tilings[i].tiles))


def profile_of(source: str | Path, chip: str | Target = "ascend910b", **options) -> Profile:
    return ascend_opt.compile(source, chip, **options).time()


def one_slot(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ping-pong is lost everywhere."""
    monkeypatch.setattr(AscendMultiBuffer, "__post_init__", lambda self: object.__setattr__(self, "slots", 1))


def against(before: Profile, after: Profile) -> Comparison:
    return compare(before, after, TITLES)


@pytest.fixture(scope="module")
def product() -> Profile:
    return profile_of(PRODUCT)


def test_equal_profiles_compare_as_equal(product: Profile):
    found = against(product, profile_of(PRODUCT))
    assert found.equal and found.slower == 0 and not found.worst
    assert "base -> new on ascend910b: equal" in comparison_text(found)
    read = profile_from(json.loads(product.to_json()), "written")
    assert read == product and against(read, product).equal


@pytest.mark.parametrize("field", ["time_us", "hbm_read_bytes", "instructions"])
def test_a_number_that_differs_is_not_equal(product: Profile, field: str):
    kernels = list(product.kernels)
    kernels[1] = replace(kernels[1], **{field: getattr(kernels[1], field) + 1})
    found = against(product, replace(product, kernels=tuple(kernels)))
    assert not found.equal and [field in one.changes for one in found.kernels] == [False, True]


def test_a_double_buffer_that_is_lost_is_the_cause(product: Profile, monkeypatch: pytest.MonkeyPatch):
    one_slot(monkeypatch)
    found = against(product, profile_of(PRODUCT))
    assert found.slower > 0.02
    worst = found.worst[0]
    assert worst.numbers == Matched((0,), (0,)) and worst.ops == "matmul relu"
    cause = worst.causes[0]
    assert cause.rule == "turns" and cause.pipe in ("MTE2", "MTE1", "M")
    assert "has 1 slot, 2 before" in cause.evidence and "take turns" in cause.evidence
    assert cause.us > 0.5 * worst.more_us
    text = failure_text(found, 0.02)
    assert "\n" not in text and "@product_0" in text and "turns" in text and cause.pipe in text


def test_where_no_slot_was_lost_that_is_not_the_cause(product: Profile, monkeypatch: pytest.MonkeyPatch):
    """The same times, but with the slots that there were: the cause must be another one."""
    one_slot(monkeypatch)
    slow = profile_of(PRODUCT)
    kernels = [replace(k, buffers=b.buffers) for k, b in zip(slow.kernels, product.kernels, strict=True)]
    found = against(product, replace(slow, kernels=tuple(kernels)))
    assert "turns" not in {cause.rule for one in found.worst for cause in one.causes}


def test_small_tiles_are_the_cause():
    text = PRODUCT.replace("%w:", "%v: tensor<512x1024xf16>, %w:").replace("exp(%1)", "exp(%v)")
    text = text.replace("return %2", "return %1, %2")
    product = profile_of(text, join_launches=False)
    with tuned_by(lambda count: Smallest()):
        slow = profile_of(text, tune=2, join_launches=False)
    found = against(product, slow)
    assert found.slower > 0.1
    by_ops = {one.ops: one for one in found.worst}
    old, new = ({kernel.ops[0]: kernel for kernel in profile.kernels} for profile in (product, slow))
    (cause,) = by_ops["matmul relu"].causes
    gms = [kernels["graph.matmul"].pipes["MTE2"].gm for kernels in (old, new)]
    assert (cause.rule, cause.pipe) == ("reread", "MTE2")
    assert [gm and gm.bytes for gm in gms] == [cause.numbers["before"], cause.numbers["after"]]
    assert "most of it of w_packed" in cause.evidence
    cause = by_ops["exp"].causes[0]
    counts = [kernels["graph.exp"].pipes["MTE2"].instructions for kernels in (old, new)]
    assert (cause.rule, cause.pipe) == ("latency", "MTE2") and counts[1] > 2 * counts[0]
    assert f"with {counts[1]} instructions, {counts[0]} before" in cause.evidence
    for name, kernels in (("matmul relu", "graph.matmul"), ("exp", "graph.exp")):
        was, now = by_ops[name].changes["tiles"]
        assert (tuple(was), tuple(now)) == (old[kernels].tiles, new[kernels].tiles)
        assert f"tiles {'x'.join(map(str, was))} -> {'x'.join(map(str, now))}" in comparison_text(found)


def test_fusion_that_is_lost_is_the_cause():
    source = EXAMPLES / "matmul_add_gelu.mlir"
    found = against(profile_of(source), profile_of(source, fuse=False))
    (worst,) = found.worst
    assert worst.numbers == Matched((0,), (0, 1, 2))
    assert [cause.rule for cause in worst.causes] == ["fusion"]
    assert (
        worst.causes[0].us == pytest.approx(worst.more_us) and "1 kernel became 3" in worst.causes[0].evidence
    )


def changed(product: Profile, **numbers) -> list[str]:
    """The rules of the causes where the first kernel has other numbers."""
    kernel = product.kernels[0]
    return [cause.rule for cause in causes(kernel, replace(kernel, **numbers))]


def test_each_cause_is_told_by_its_numbers(product: Profile):
    """One number is changed, and the time with it, from the other numbers on which the cause could not be told."""
    kernel = product.kernels[0]
    time = kernel.time_us
    pipes = kernel.pipes
    pace = max(pipes, key=lambda name: pipes[name].active_us)
    pipe = pipes[pace]
    late = {"time_us": time + 5, "core_us": kernel.core_us + 5}

    def with_pipe(**numbers):
        return {"pipes": {**pipes, pace: replace(pipe, **numbers)}, **late}

    longer = {"busy_us": pipe.busy_us + 5, "active_us": pipe.active_us + 5}
    gm = pipe.gm
    assert gm is not None
    assert changed(product) == []
    assert changed(product, launch_us=kernel.launch_us + 1) == ["launch"]
    assert changed(product, time_us=time + 5) == ["uneven-cores"]
    assert changed(product, **late, scalar_us=pipe.busy_us + 5)[0] == "scalar"
    assert changed(product, **late, waits={**kernel.waits, "MTE2 -> V": 9}) == ["flags"]
    assert changed(product, **late) == ["waiting"]
    other = next(name for name in pipes if name not in (pace, "M"))
    busier = {**pipes, other: replace(pipes[other], busy_us=pipes[other].busy_us + 5)}
    (beside,) = causes(kernel, replace(kernel, pipes=busier, **late))
    assert beside.pipe == other and beside.us == pytest.approx(5) and f"{pace} is busy" in beside.evidence
    assert changed(product, **with_pipe(active_us=pipe.active_us + 5)) == ["latency"]
    more = replace(gm, bytes=gm.bytes * 4)
    assert changed(product, **with_pipe(**longer, gm=more)) == ["reread"]
    waits = {"hbm_wait_us": kernel.hbm_wait_us + 5}
    assert changed(product, **with_pipe(**longer), **waits) == ["hbm"]
    fetched = {**waits, "hbm_read_bytes": kernel.hbm_read_bytes * 2}
    assert changed(product, **with_pipe(**longer), **fetched) == ["refetch"]
    assert changed(product, **with_pipe(**longer), hbm_busy_us=kernel.hbm_busy_us + 5) == ["hbm"]
    assert changed(product, **with_pipe(**longer, gm=replace(gm, lines=gm.lines * 2))) == ["short-bursts"]
    assert changed(product, **with_pipe(**longer, gm=replace(gm, bursts=gm.bursts * 2))) == ["short-bursts"]
    small = replace(gm, instructions=gm.instructions * 9)
    assert changed(product, **with_pipe(**longer, gm=small, issue_us=pipe.issue_us + 5)) == ["small-dma"]
    assert changed(product, **with_pipe(**longer)) == ["port"]
    assert changed(product, **with_pipe(**longer, gm=None, conflict_us=5)) == ["banks"]
    fewer = {
        **with_pipe(busy_us=pipe.busy_us * 2, active_us=pipe.active_us * 2),
        "time_us": time + pipe.busy_us,
    }
    fewer |= {"core_us": kernel.core_us + pipe.busy_us, "cores": kernel.cores // 2}
    assert changed(product, **fewer) == ["few-cores"]


def kernels_of(product: Profile, *launches: tuple[str, str]):
    """Kernels by ops and sources, each in letters."""
    base = product.kernels[0]
    return [replace(base, ops=tuple(ops), sources=tuple(sources)) for ops, sources in launches]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ([("ab", "12"), ("c", "3")], [("ab", "12"), ("c", "3")], [((0,), (0,)), ((1,), (1,))]),
        ([("ab", "12"), ("c", "3")], [("a", "1"), ("b", "2"), ("c", "3")], [((0,), (0, 1)), ((1,), (2,))]),
        ([("a", "1"), ("b", "2")], [("b", "2"), ("a", "1")], [((1,), (0,)), ((0,), (1,))]),
        ([("ab", "12"), ("cd", "34")], [("a", "1"), ("bc", "23"), ("d", "4")], [((0, 1), (0, 1, 2))]),
        (
            [("ab", ""), ("a", "")],
            [("a", ""), ("b", ""), ("a", "")],
            [((0,), (0, 1)), ((1,), (2,))],
        ),
        ([("a", "1")], [("a", "1"), ("x", "9")], [((0,), (0,)), ((), (1,))]),
        ([("a", "1"), ("x", "9")], [("a", "1")], [((0,), (0,)), ((1,), ())]),
    ],
)
def test_launches_are_matched_by_ops_and_names(product: Profile, before, after, expected):
    found = matched(kernels_of(product, *before), kernels_of(product, *after))
    assert sorted((one.before, one.after) for one in found) == sorted(expected)


def test_lines_that_moved_are_matched_by_ops():
    """The text got a comment: every kernel comes from another line now, some from that of another one."""
    found = against(profile_of(PRODUCT), profile_of("// one more line\n" + PRODUCT))
    assert [one.numbers for one in found.kernels] == [Matched((0,), (0,)), Matched((1,), (1,))]


def test_what_cannot_be_compared_is_refused(product: Profile):
    with pytest.raises(ProfileError, match="run on ascend910b, 'new' on ascend910: times of one chip"):
        against(product, replace(product, target="ascend910"))
    with pytest.raises(ProfileError, match="cold at the start of 'base', and warm at that of 'new'"):
        against(product, replace(product, warm=True))
    data = json.loads(product.to_json())
    for broken, message in (
        ({**data, "version": VERSION + 1}, f"of version {VERSION + 1}; this ascend-run reads versions 1 to"),
        ({"tile-fuse": []}, "is no profile"),
        ([], "is no profile"),
        ({**data, "kernels": [{"name": "k"}]}, "damaged profile: it lacks 'ops'"),
    ):
        with pytest.raises(ProfileError, match=message):
            profile_from(broken, "p.json")


def test_a_chip_with_other_numbers_is_noted(product: Profile):
    """A chip goes by its name, but its file may have been edited."""
    slow = load_target("ascend910b").with_(name="mine", memory={"hbm_chip": 300.0})
    sides = [profile_of(PRODUCT, chip) for chip in (load_target("ascend910b").with_(name="mine"), slow)]
    found = against(*sides)
    assert found.same_target is False and found.to_json()["same_target"] is False
    assert "note: mine has other numbers in the later one" in comparison_text(found)
    assert against(product, product).same_target
    unknown = against(replace(sides[0], target_digest=""), sides[1])
    assert unknown.same_target is None and "note: " not in comparison_text(unknown)


def test_profiles_of_version_1_are_read(product: Profile):
    data = json.loads(product.to_json())
    del data["version"], data["utilisation"]
    for kernel in data["kernels"]:
        del kernel["buffers"], kernel["waits"], kernel["tiles"]
    assert against(profile_from({"fused": data}, "old"), product).equal


@pytest.fixture
def run(capsys):
    return in_process(capsys)


@pytest.fixture
def files(tmp_path: Path, product: Profile) -> tuple[Path, Path]:
    """A profile of the model, and the model."""
    model = tmp_path / "product.mlir"
    model.write_text(PRODUCT)
    (tmp_path / "base.json").write_text(profile_of(model).to_json())
    return tmp_path / "base.json", model


@pytest.mark.full
def test_the_tool_fails_where_the_later_one_is_slower(run, files, monkeypatch: pytest.MonkeyPatch):
    base, model = files
    assert run("--compare", base, model, "--fail-if-slower", "2%")[0] == 0
    one_slot(monkeypatch)
    code, out, err = run("--compare", base, model, "--fail-if-slower", "2%")
    assert code == 1 and err.count("\n") == 1 and err.startswith("error: --fail-if-slower: ")
    assert "turns" in err and "@product_0" in err and "why they are slower:" in out
    assert run("--compare", base, model, "--fail-if-slower", "0.9")[0] == 0
    assert run("--compare", base, model)[0] == 0


def test_more_than_no_time_is_slower(run, tmp_path: Path):
    nothing, some = tmp_path / "nothing.mlir", tmp_path / "some.mlir"
    nothing.write_text("graph @f(%x: tensor<37x5xf16>) { return %x }")
    some.write_text("graph @f(%x: tensor<37x5xf16>) { %y = relu(%x) return %y }")
    written = tmp_path / "c.json"
    code, out, err = run("--compare", nothing, some, "--fail-if-slower", "2%", "--json", written)
    assert code == 1 and f"{some} is slower than {nothing} (" in err and ", slower; kernels: 1 new" in out
    assert json.loads(written.read_text(), parse_constant=pytest.fail)["slower"] is None
    assert run("--compare", some, nothing, "--fail-if-slower", "0%")[0] == 0
    assert run("--compare", nothing, nothing, "--fail-if-slower", "0%")[0] == 0


def test_a_cold_profile_goes_before_warm(run, files):
    code, out, err = run("--compare", *files, "--warm")
    assert code == 0 and ": equal, " in out
    assert err == f"note: --warm has no effect: {files[0]} is of a cold run\n"


def test_the_comparison_and_both_timelines_are_written(run, files, tmp_path: Path):
    base, model = files
    written = tmp_path / "c.json", tmp_path / "t.json"
    assert run("--compare", base, model, "--json", written[0], "--trace", written[1])[0] == 0
    data = json.loads(written[0].read_text())
    assert data["equal"] is True and len(data["kernels"]) == 2 and data["before"]["title"] == str(base)
    events = json.loads(written[1].read_text())["traceEvents"]
    names = [e["args"]["name"] for e in events if e["name"] == "process_name"]
    assert names[:2] == [f"{base}: program", f"{model}: program"] and len(names) > 2
    line = {pid: [e for e in events if e["ph"] == "X" and e["pid"] == pid] for pid in (0, 1)}
    assert [e["dur"] for e in line[0]] == [e["dur"] for e in line[1]] != []


def test_plans_are_compared(run, files, tmp_path: Path):
    """The plan of a tune that took the smallest tiles: what it costs, on the chip that it is for."""
    with tuned_by(lambda count: Smallest()):
        small = ascend_opt.compile(files[1], "ascend910b1", tune=2)
    plans = tmp_path / "default.plan.json", tmp_path / "small.plan.json"
    default = ascend_opt.compile(files[1], "ascend910b1")
    for program, file in zip((default, small), plans, strict=True):
        assert program.plan is not None
        program.plan.save(file)
    code, out, _ = run("--compare", *plans, files[1], "--fail-if-slower", "2%")
    assert code == 1 and f"on ascend910b1: {default.time().total_us:.1f}" in out and "reread, MTE2" in out
    _, _, err = run("--compare", files[1], plans[0], "--target", "ascend910b1", "--plan", plans[0])
    assert err == f"note: --plan has no effect on '{plans[0]}', which is a plan\n"
    code, _, err = run("--compare", *plans)
    assert code == 1 and "is a plan: name the model that it is for, too" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere", "{model}"), "'nowhere' is no file, and "),
        (("{base}", "{base}", "--check"), "--compare is about times: --check has no place there"),
        (("{base}", "{base}", "--fail-if-slower", "2"), "a share is 0.1 or 10%, from 0% to 1000%, not '2'"),
        (("{base}", "{model}", "--target", "ascend910"), "times of one chip are compared"),
        (("{base}", "{base}", "--json", "{base}"), "--json would overwrite the input"),
    ],
)
def test_mistakes_are_one_message(run, files, arguments, message):
    given = [one.format(base=files[0], model=files[1]) for one in arguments]
    code, out, err = run("--compare", *given)
    assert code == 1 and out == "" and message in err and err.count("\n") == 1


def test_the_compiler_in_a_folder_makes_a_profile_of_its_own(run, files):
    code, out, _ = run("--compare", files[0], Path(__file__).parents[2], files[1])
    assert code == 0 and ": equal, " in out
    code, _, err = run("--compare", files[0], Path(__file__).parents[2])
    assert code == 1 and "name the model that it compiles, too" in err


@pytest.mark.slow
def test_a_revision_is_run_by_itself(run, files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A commit that loses ping-pong, in a checkout of its own, is named as the cause by the tool."""
    seeded = tmp_path / "seeded"
    root = Path(__file__).parents[2]
    for folder in ("compiler", "dialects", "passes", "runtime", "tools", "src"):
        shutil.copytree(
            root / folder, seeded / folder, symlinks=True, ignore=shutil.ignore_patterns("*.egg-info")
        )
    source = seeded / "passes" / "ascend_multi_buffer.py"
    source.write_text(source.read_text().replace("slots: int = 2\n", "slots: int = 1\n"))

    def git(*arguments: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", "-C", str(seeded), *who, *arguments], check=True, capture_output=True)

    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "slower")
    shutil.rmtree(seeded / "passes")
    monkeypatch.chdir(seeded)
    code, out, err = run("--compare", files[0], "HEAD", files[1], "--fail-if-slower", "2%")
    assert code == 1 and "HEAD is " in err and "turns" in err and "@product_0" in err, out + err
    code, _, err = run("--compare", "HEAD~1", files[1])
    assert code == 1 and "'HEAD~1' is no file, and no revision of the sources in" in err


def test_marks_and_files_hold_for_what_is_compiled(run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """By another compiler, too, which runs in another folder."""
    monkeypatch.chdir(tmp_path)
    Path("g.mlir").write_text(
        "graph @f(%x: tensor<64x512xf16>) {\n  %a = exp(%x)\n  %y = neg(%a)\n  return %y\n}\n"
    )
    assert run("g.mlir", "--json", "one.json", "--save-plan", "g.plan.json")[0] == 0
    assert run("--compare", "one.json", "g.mlir", "--mark", "%y {nofuse}", "--fail-if-slower", "2%")[0] == 1
    tree = Path(__file__).parents[2]
    code, out, _ = run("--compare", "one.json", tree, "g.mlir", "--plan", "g.plan.json")
    assert code == 0 and "equal" in out


def test_other_programs_are_noted(run, files, tmp_path: Path):
    """What one of them lacks, and a model that nothing compiles."""
    base, graph = files
    other = tmp_path / "other.mlir"
    other.write_text("graph @f(%x: tensor<64x64xf16>) { %y = sqrt(%x) return %y }")
    code, _, err = run("--compare", str(base), str(other))
    assert code == 0
    assert err.startswith(f"note: they may not compute the same: '{base}' has no sqrt, and '{other}' has no ")
    code, _, err = run("--compare", str(base), str(graph), str(other))
    assert code == 0
    assert err == f"note: {other} has no effect: neither source is a plan or a revision\n"


def test_options_of_what_is_compiled_are_noted_beside_profiles(run, files):
    code, _, err = run("--compare", files[0], files[0], "--mark", "%y {cores = 2}", "--size", "3")
    why = "has no effect: nothing is compiled"
    assert code == 0 and err == f"note: --mark {why}\nnote: --size {why}\n"
