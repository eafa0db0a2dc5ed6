"""Random programs, with and without hazards: the emulator stops at one where a graph of what is ordered has one.

Its clocks and the graph (`orders`) share nothing. In most programs every flag and barrier is needed; in some one is
missing.
"""

from random import Random

import numpy as np
import pytest
from orders import Orders
from random_orders import Machine, coupled, group, random_items
from sweeps import ALL

from ascend_opt.dialects.element_types import BLOCK_BYTES
from ascend_opt.runtime.support.hazard import HazardError

SEEDS = 1000 if ALL else 48
MACHINES: dict[str, Machine] = {
    "one core": coupled(),
    "two cores": coupled(cores=2, spill=0.02),
    "ordered pipes": coupled(ordered_pipe=True),
    "group": group(),
    "group, ordered pipes": group(ordered_pipe=True),
}


def outcome(machine: Machine, items: list, seed: int) -> HazardError | None:
    program = machine.program(items)
    rng = np.random.default_rng(seed)
    inputs = {
        str(t.name_hint): rng.standard_normal(t.type.get_shape()).astype(np.float32)
        for t in program.tensors
        if t.name_hint in program.inputs
    }
    try:
        program.run(inputs)
    except HazardError as error:
        return error
    return None


def listing(orders: Orders) -> str:
    return "\n".join(f"{i}: {step}" for i, step in enumerate(orders.steps))


@pytest.mark.parametrize("name", MACHINES)
def test_hazards_are_those_of_the_graph(name: str):
    machine = MACHINES[name]
    right = 0
    for seed in range(SEEDS):
        rng = Random(seed)
        items = random_items(machine, rng, rng.randint(3, 12), rng.choice((0.0, 0.1, 0.4)))
        orders = machine.orders(items)
        expected = list(orders.unordered())
        found = outcome(machine, items, seed)
        right += found is None
        if found is None:
            assert not expected, f"seed {seed}: missed {expected}\n{listing(orders)}"
            continue
        assert any(found.kind == kind for kind, *_ in expected), f"seed {seed}: {found}\n{listing(orders)}"
        if found.byte_range is not None:
            first, end = found.byte_range[0] // BLOCK_BYTES, -(-found.byte_range[1] // BLOCK_BYTES)
            spans = {(min(b[2] for b in met), max(b[2] for b in met) + 1) for *_, met in expected if met}
            assert any(low <= first < end <= high for low, high in spans), f"seed {seed}: {found}"
    assert SEEDS // 4 <= right <= SEEDS * 3 // 4
