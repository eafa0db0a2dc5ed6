"""What an instruction did to labels is copied where it meets the same labels again: it is what it would do."""

import pytest

import ascend_opt
from ascend_opt.compiler.drivers.run_inputs import seeded_inputs
from ascend_opt.runtime.machine.memory import Box
from ascend_opt.runtime.poison.label_hash import meets_itself
from ascend_opt.runtime.poison.shadow import Shadow, Tracker, _labelled
from ascend_opt.runtime.program.instruction import Instruction

# pyright: basic

GRAPHS = {
    "product": "%x: tensor<70x70xf16>, %w: tensor<70x133xf16>) {\n%p = matmul(%x, %w)\n%y = gelu(%p)",
    "convolution": "%x: tensor<2x20x9x9xf16>, %w: tensor<24x20x3x3xf16>) {\n%y = conv2d(%x, %w)",
    "selection": "%x: tensor<60x70xf16>, %w: tensor<70x50xf16>) {\n%p = matmul(%x, %w)\n%y = elu(%p)",
}


def labels(members: list[Shadow]) -> list[bytes]:
    return [space.tobytes() for memory in members for space in memory.spaces.values()]


@pytest.mark.parametrize(
    "name, chip",
    [
        ("product", "ascend910b"),
        ("convolution", "ascend950"),
        ("selection", "ascend310p"),
    ],
)
def test_what_is_copied_is_what_would_be_computed(name: str, chip: str, monkeypatch: pytest.MonkeyPatch):
    program = ascend_opt.compile(f"graph @f({GRAPHS[name]}\nreturn %y\n}}", target=chip, tune=1)
    repeat, hits = Tracker._repeat, list[bool]()

    def both(self: Tracker, instruction: Instruction, found: bytes | None, run) -> None:
        members, activity, origins = self.shadow.members, self.activity, self.origins
        key = activity.state, self.shadow.position, self.shadow.masked, instruction, found
        known, before = origins.steps.get(key), [{n: a.copy() for n, a in m.spaces.items()} for m in members]
        repeat(self, instruction, found, run)
        if known is None or known.state == key[0]:
            return
        copied, state = labels(members), activity.state
        for memory in members:
            for space, array in memory.spaces.items():
                where = memory.dirty[space]
                assert not _labelled(array, 0, array.size) & ~where
        for memory, spaces in zip(members, before, strict=True):
            for space, array in spaces.items():
                memory.spaces[space][...] = array
        activity.state = key[0]
        self._watch(instruction, run)
        assert labels(members) == copied and activity.state == state
        hits.append(True)

    monkeypatch.setattr(Tracker, "_repeat", both)
    program.run(seeded_inputs(program.inputs, 0))
    assert hits


def test_a_box_that_has_a_byte_several_times():
    assert meets_itself(Box(0, (4,), (16,), 32)) and meets_itself(Box(0, (2, 4), (64, 32), 32))
    assert not meets_itself(Box(0, (2, 4), (128, 32), 32))
