"""Bytes of tensors, each once."""

from ascend_opt.runtime.profile.profile import TensorProfile, once


def tensor(number: int, size: int, read: int, start: int = 0, workspace: bool = False) -> TensorProfile:
    return TensorProfile("t", number, size, read, 0, 0, workspace, start)


def read(*tensors: TensorProfile) -> int:
    return once(tensors, lambda one: one.dma_read_bytes)


def test_what_is_read_again_counts_once():
    assert read(tensor(0, 100, 350)) == 100
    assert read(tensor(0, 100, 30)) == 30
    assert read(tensor(0, 100, 350), tensor(1, 50, 50)) == 150


def test_tensors_that_share_bytes_count_once():
    assert read(tensor(0, 100, 100), tensor(0, 100, 100)) == 100
    assert read(tensor(0, 60, 60), tensor(0, 60, 60, start=40)) == 100
    assert read(tensor(0, 60, 60), tensor(0, 40, 40, start=60)) == 100
    assert read(tensor(0, 60, 60, start=40), tensor(0, 60, 5)) == 65
    assert read(tensor(0, 100, 100), tensor(0, 20, 20, start=40), tensor(0, 30, 30, start=100)) == 130


def test_what_cores_hand_to_each_other_does_not_count():
    assert read(tensor(0, 100, 100, workspace=True), tensor(1, 10, 10)) == 10
