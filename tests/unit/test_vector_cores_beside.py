"""Predicted times where Vector cores lay a feature map out for a Cube core and do the epilogue of its tiles."""

import pytest

import ascend_opt
from ascend_opt.passes.fusion.report import FusionReport
from ascend_opt.passes.kernels.product.hand_over import Side
from ascend_opt.passes.kernels.product.step_costs import Rates


class Chunks:
    """The chunks of a tile that one Vector core has."""

    def __init__(self, parts: int, load: float, work: float, store: float):
        self.parts = parts
        self.beside_load, self.beside_work, self.beside_store = (
            parts * load,
            parts * work,
            parts * store,
        )


RATES = Rates(
    depth=32,
    hbm=800.0,
    l2_read=64.0,
    dma_issue=20.0,
    dma_latency=180.0,
    miss_latency=150.0,
    vector_latency=22.0,
    shape_latency=180.0,
    store_latency=90.0,
    mte1_latency=28.0,
    mmad_latency=53.0,
    cross_latency=100.0,
)


def test_small_chunks_wait_for_their_slots():
    """Two slots: the third chunk is loaded when the first one is computed."""
    side, parts = Side(), 8
    side.take(Chunks(parts, 50.0, 15.0, 60.0), RATES, 0.0, 0.0)  # pyright: ignore[reportArgumentType]
    turn = 50.0 + RATES.dma_latency + 15.0 + RATES.vector_latency
    assert side.v == pytest.approx(parts // 2 * turn - RATES.vector_latency + 50.0, rel=0.05)


def test_large_chunks_go_at_the_pace_of_the_slowest_pipe():
    side, parts = Side(), 8
    side.take(Chunks(parts, 500.0, 100.0, 900.0), RATES, 0.0, 0.0)  # pyright: ignore[reportArgumentType]
    first = 500.0 + RATES.dma_latency + 100.0 + RATES.vector_latency
    assert side.mte3 == pytest.approx(first + parts * 900.0)


def test_no_chunk_begins_before_its_tile_is_there():
    side = Side()
    side.take(Chunks(1, 50.0, 15.0, 60.0), RATES, 1000.0, 2000.0)  # pyright: ignore[reportArgumentType]
    assert side.mte2 == 1050.0 and side.v == 2015.0


def convolution(batch: int, channels: int, filters: int, size: int) -> str:
    return (
        f"graph @f(%x: tensor<{batch}x{channels}x{size}x{size}xf16>, "
        f"%w: tensor<{filters}x{channels}x1x1xf16> {{weight}}, %b: tensor<{filters}xf16> {{weight}}) {{\n"
        "  %c = conv2d(%x, %w)\n  %s = bias_add(%c, %b)\n  %y = relu(%s)\n  return %y\n}\n"
    )


@pytest.mark.parametrize("shape", [(8, 64, 256, 56), (8, 64, 64, 56), (8, 256, 1024, 14)])
def test_what_vector_cores_do_for_two_tiles_is_one_queue(shape: tuple[int, int, int, int]):
    """Maps of the next tile and the epilogue of the last one share their pipes: predicted times are as emulated."""
    program = ascend_opt.compile(convolution(*shape), target="ascend910b", tune=1)
    plans = [x for report in program.reports if isinstance(report, FusionReport) for x in report.to_json()]
    predicted = sum(plan["time_us_after"] for plan in plans)
    assert predicted == pytest.approx(program.time().total_us, rel=0.1)
