"""Every rule of the advice: a program that it applies to, the same work with the advice followed, which takes less
time, and a program that it does not apply to (the latter one, unless a third is named)."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import advice_programs as programs
import pytest
from advice_programs import FAST_HBM, chain, hand_over, loads, products, reads, stream, vectors

import ascend_opt
from ascend_opt.dialects.target import load_target
from ascend_opt.runtime.profile.advice import RULES, advise
from ascend_opt.runtime.profile.findings import Advice
from ascend_opt.runtime.profile.profile import KernelProfile, Profile

Case = tuple[Callable[[], Profile], Callable[[], Profile], Callable[[], Profile] | None]
APART, CLASHING = (0, 0x8100, 0x10200), (0, 0x8000, 0x10000)

CASES: dict[str, Case] = {
    "launch": (lambda: stream(launches=8, elements=1024), lambda: stream(tiles=256, elements=1024), None),
    "hbm": (
        lambda: chain("4096x4096", "ascend910", False),
        lambda: chain("4096x4096", "ascend910", True),
        lambda: stream(work=16, tiles=256),
    ),
    "refetch": (
        lambda: reads(8, 256, times=4, l2=False),
        lambda: reads(8, 256, times=4, parts=16, l2=False),
        None,
    ),
    "few-cores": (lambda: stream(cores=2), lambda: stream(cores=32), None),
    "uneven-cores": (
        lambda: stream(tiles=40, elements=16384, work=16, spread=True),
        lambda: stream(tiles=160, elements=4096, work=16, spread=True),
        None,
    ),
    "cross-flags": (lambda: hand_over(1), lambda: hand_over(12), None),
    "turns": (lambda: stream(8, tiles=256, slots=1), lambda: stream(8, tiles=256, slots=2), None),
    "epilogue": (lambda: programs.epilogue(1), lambda: programs.epilogue(2), None),
    "small-dma": (lambda: stream(tiles=256, piece=64), lambda: stream(tiles=256, piece=8192), None),
    "latency": (lambda: stream(8, tiles=256), lambda: stream(8, tiles=256, slots=4), None),
    "short-bursts": (lambda: reads(32, 64, times=8), lambda: reads(2, 1024, times=8), None),
    "unaligned-rows": (lambda: reads(16, 512, 4111), lambda: reads(16, 512, 4352), None),
    "reread": (lambda: products(32, 16), lambda: products(128, 16), lambda: products(256, 4)),
    "reload": (lambda: loads(2), lambda: loads(8), None),
    "small-instructions": (
        lambda: vectors(APART, repeats=1, count=2048),
        lambda: vectors(APART, repeats=64, count=32),
        None,
    ),
    "banks": (lambda: vectors(CLASHING), lambda: vectors(APART), None),
    "scalar": (
        lambda: vectors(APART, repeats=8, flags=8, count=256),
        lambda: vectors(APART, repeats=8, count=256),
        None,
    ),
    "compute": (
        lambda: stream(work=16, tiles=256, dtype="f32"),
        lambda: stream(work=16, tiles=256),
        lambda: chain("4096x4096", "ascend910", True),
    ),
    "port": (
        lambda: chain("4096x4096", FAST_HBM, False),
        lambda: chain("4096x4096", FAST_HBM, True),
        lambda: stream(work=16, tiles=256),
    ),
}


def rules(profile: Profile) -> set[str]:
    return {advice.rule for kernel in profile.kernels for advice in kernel.advice}


def test_every_rule_has_a_case():
    assert set(CASES) == {rule.name for rule in RULES}


@pytest.mark.parametrize("name", CASES)
def test_rule(name: str):
    about, followed, other = CASES[name]
    before, after = about(), followed()
    assert name in rules(before)
    assert after.total_us < 0.97 * before.total_us
    assert name not in rules(after if other is None else other())


def test_advice_is_in_the_profile_and_its_text_states_its_numbers():
    kernel = vectors(CLASHING).to_dict()["kernels"][0]
    (advice,) = kernel["advice"]
    assert advice["rule"] == "banks"
    assert f"{advice['numbers']['conflict']:.0%} of it for bank conflicts" in advice["evidence"]
    pipe = kernel["pipes"]["V"]
    assert advice["numbers"]["conflict"] == pytest.approx(pipe["conflict_us"] / pipe["busy_us"])
    assert pipe["conflict_us"] == pytest.approx(0.5 * pipe["busy_us"], rel=0.01)


@pytest.mark.parametrize(
    ("profile", "resource"),
    [
        (lambda: stream(launches=2, elements=1024), "launch"),
        (lambda: chain("4096x4096", "ascend910", True), "HBM"),
        (lambda: reads(2, 1024, times=8), "L2"),
        (lambda: vectors(APART), "V"),
        (lambda: vectors(APART, repeats=1, flags=8, count=256), "scalar"),
        (lambda: hand_over(1), "waiting"),
    ],
)
def test_bottleneck(profile: Callable[[], Profile], resource: str):
    assert profile().kernels[0].bottleneck.resource == resource


def test_hbm_is_in_use_no_longer_than_the_launches_take():
    """Writes that L2 has taken may still be on their way when a launch ends."""
    kernels = chain("2048x1024", "ascend910", False).kernels
    left = sum(k.hbm_read_bytes + k.hbm_write_bytes for k in kernels) / 1024 / 1000 - sum(
        k.hbm_busy_us for k in kernels
    )
    assert all(k.hbm_busy_us <= k.time_us * 1.001 for k in kernels)
    assert left > 0.1 * kernels[-1].time_us


def test_requests_of_a_pipe_count_lines_and_cuts():
    aligned, cut = (reads(16, 512, pitch).kernels[0].pipes["MTE2"].gm for pitch in (4352, 4111))
    assert aligned is not None and cut is not None
    assert (aligned.bursts, aligned.lines, aligned.cut_lines) == (1536 * 8, 1536 * 8 * 2, 0)
    assert cut.cut_lines == cut.lines == aligned.lines


def advice_of(profile: Profile, rule: str) -> tuple[KernelProfile, Advice]:
    return next((k, a) for k in profile.kernels for a in k.advice if a.rule == rule)


def test_fusing_is_for_kernels_that_hand_each_other_tensors():
    """Each of two names the other one; a kernel alone, or one whose tensors are all its own, is told something else."""
    small = [chain("64x64", "ascend910", fuse) for fuse in (False, True)]
    for i, (kernel, other) in enumerate(zip(small[0].kernels, reversed(small[0].kernels), strict=True)):
        assert kernel.neighbours == (other.name,)
        (advice,) = kernel.advice
        title = f"kernel {1 - i} @{other.name} (<string>:{3 - i})"
        assert advice.rule == "launch" and f"fuse it with {title}, where that is legal, or" in advice.help
    for profile in (small[1], stream(launches=8, elements=1024)):
        kernel, advice = advice_of(profile, "launch")
        assert not kernel.neighbours
        assert advice.help == "more work for its launch, such as a larger batch"
    assert "fuse" not in advice_of(chain("4096x4096", "ascend910", True), "hbm")[1].help


LAYERS = """graph @net(%x: tensor<64x64xf16>, %w: tensor<64x64xf16> {weight}) {
  %a = matmul(%x, %w)
  %b = softmax(%a)
  %c = matmul(%b, %w)
  %d = softmax(%c)
  %e = reduce_mean(%c) {axes = [0]}
  return %d, %e
}
"""


def fusable(source: str, max_occupancy: float | None = None) -> list[tuple[list[str], list[str]]]:
    """Of each launch of a fused program what advice tells to fuse it with, and what is said of that."""
    profile = ascend_opt.compile(source, "ascend910b", tune=1, max_occupancy=max_occupancy).time()
    return [
        (list(kernel.fusable), [a.help for a in kernel.advice if "fuse it" in a.help])
        for kernel in profile.kernels
    ]


def test_what_the_compiler_refused_is_not_advised():
    """The second product has two users, which is no kernel: they are neighbours all the same."""
    profile = ascend_opt.compile(LAYERS, "ascend910b", tune=1).time()
    assert any(kernel.neighbours for kernel in profile.kernels)
    assert all(found == ([], []) for found in fusable(LAYERS))


def test_what_a_limit_refused_is_advised_by_number_name_and_lines(tmp_path: Path):
    path = tmp_path / "net.mlir"
    path.write_text("graph @net(%x: tensor<64x512xf16>, %w: tensor<512x64xf16> {weight}) {\n  %a = matmul(%x, %w)\n"
                    "  %b = softmax(%a)\n  return %b\n}\n")  # fmt: skip
    first, second = fusable(str(path), max_occupancy=0)
    assert first[0] == ["kernel 1 @net_1 (net.mlir:3)"] and second[0] == ["kernel 0 @net_0 (net.mlir:2)"]
    for titles, helps in (first, second):
        assert helps and all(f"fuse it with {titles[0]}, or" in text for text in helps)


def test_a_saved_program_has_the_advice(tmp_path: Path):
    for limit in (0, 0.8):
        program = ascend_opt.compile(LAYERS, "ascend910b", tune=1, max_occupancy=limit)
        program.save(tmp_path / "p")
        assert ascend_opt.load(tmp_path / "p").time() == program.time()


def test_bytes_beyond_the_needed_ones_are_explained():
    """An operand that is fetched again by its name; what L2 of an earlier result gives back to HBM."""
    kernel, advice = advice_of(reads(8, 256, times=4, l2=False), "refetch")
    assert advice.evidence.endswith(f": x is read 4.0 times ({kernel.hbm_read_bytes} B)")
    _, advice = advice_of(chain("4096x4096", "ascend910", True), "hbm")
    assert advice.evidence.endswith("the bytes that the kernel needs")
    results = sum(t.dma_write_bytes for t in kernel.tensors)
    evicting = replace(kernel, hbm_write_bytes=results + 5_000_000)
    (found, *_) = [a for a in advise(evicting, load_target("ascend910")) if a.rule == "refetch"]
    assert found.evidence.endswith(f"B), {results + 5_000_000} B are written, {results} B of them results")
    handed = tuple(replace(t, workspace=True) for t in kernel.tensors)
    (found, *_) = [
        a for a in advise(replace(kernel, tensors=handed), load_target("ascend910")) if a.rule == "refetch"
    ]
    assert found.evidence.endswith(f": {kernel.hbm_read_bytes} B of x are read back")


@pytest.mark.parametrize(
    "profile",
    [
        lambda: chain("4096x4096", "ascend910", False),
        lambda: reads(8, 256, times=4, l2=False),
        lambda: products(64, 8),
        lambda: hand_over(4),
    ],
)
def test_what_hbm_sends_is_counted_by_tensor(profile: Callable[[], Profile]):
    for kernel in profile().kernels:
        assert sum(t.hbm_read_bytes for t in kernel.tensors) == kernel.hbm_read_bytes
        assert sum(t.dma_read_bytes for t in kernel.tensors) == kernel.dma_read_bytes
        assert sum(t.dma_write_bytes for t in kernel.tensors) == kernel.dma_write_bytes


def test_the_operand_that_is_read_most_is_named():
    kernel, advice = advice_of(products(64, 8), "reread")
    x = max(kernel.tensors, key=lambda t: t.dma_read_bytes)
    assert f" times in the mean, {x.name} {x.dma_read_bytes / x.bytes:.1f} times, and " in advice.evidence
    assert x.dma_read_bytes == 8 * x.bytes


def test_packed_weights_have_the_name_of_the_weights():
    text = """graph @f(%x: tensor<32x64xf16>, %w: tensor<64x48xf16> {weight}) {
      %h = matmul(%x, %w)
      return %h
    }"""
    (kernel,) = ascend_opt.compile(text, target="ascend910b", tune=1).time().kernels
    assert [tensor.name for tensor in kernel.tensors] == ["x", "w_packed", "%h"]
