"""How long HBM takes for a kernel's tensors."""

from ascend_opt.dialects.target import load_target
from ascend_opt.runtime.profile.profile import KernelProfile


def tensors_us(kernel: KernelProfile, chip: str) -> float:
    """Each tensor across HBM once, results too: what L2 still holds at the end makes a kernel's bound less."""
    target = load_target(chip)
    return target.microseconds(kernel.compulsory_bytes / target.memory.hbm_chip)
