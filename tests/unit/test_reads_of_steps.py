"""What a tile's steps ask of HBM: shares of the mean that add up to it."""

from pytest import approx

from ascend_opt.passes.kernels.product.operand_reads import Fetch, Reads

COLD, WARM = Fetch(100.0, 40.0, 330.0), Fetch(80.0, 0.0, 180.0)


def test_a_shorter_last_step_asks_for_less():
    reads = Reads(COLD, WARM, COLD, tiles=1, steps=3, end=0.75)
    asked = [reads.at(0, step).asked for step in range(3)]
    assert asked == approx([45, 45, 30])
    assert reads.at(0, 3) is WARM


def test_the_first_tile_of_an_image_reads_lines_of_the_next():
    reads = Reads(COLD, WARM, COLD, tiles=4, steps=1, first=1.6, inner=2)
    asked = [reads.at(tile, 0).asked for tile in range(4)]
    assert asked == approx([64, 16, 64, 16])


def test_steps_read_what_lines_hold_for_several():
    reads = Reads(COLD, WARM, COLD, tiles=1, steps=4, every=2)
    assert [reads.at(0, step) for step in range(4)] == [COLD, WARM, COLD, WARM]
