"""Chips that have bf16: made-up copies of a built-in chip, and every built-in chip that states it."""

from pathlib import Path

from ascend_opt.dialects.target import load_target
from ascend_opt.dialects.target_files import target_names

BASE = Path(__file__).parents[2] / "dialects" / "targets" / "ascend310p.toml"
ROW = '{ k0 = 16, cycles = 1, acc = "f32" }'
BYTES = '{ k0 = 32, cycles = 1, acc = "i32" }'
CYCLES = {"vexp": 4, "vln": 4, "vsqrt": 4, "vdiv": 4, "vcadd": 7}
MADE = {
    "converts": ('["f16", "f32"]', "inf"),
    "computes": ('["f16", "bf16", "f32"]', "inf"),
    "saturates": ('["f16", "f32"]', "saturate"),
}
"""What the Vector of a made-up chip computes in, and its overflow mode."""
REAL = tuple(name for name in target_names() if "bf16" in load_target(name).storage)
CHIPS = (*MADE, *REAL)


def bf16_text(name: str) -> str:
    """The TOML text of a made-up chip."""
    compute, overflow = MADE[name]
    text = BASE.read_text(encoding="utf-8")
    changes = {
        'name = "ascend310p"': f'name = "{name}"',
        'storage = ["f16", "f32", "i1", "i8", "i32"]': 'storage = ["f16", "bf16", "f32"]',
        f"fractal = {{ f16 = {ROW}, i8 = {BYTES} }}": f"fractal = {{ f16 = {ROW}, bf16 = {ROW} }}",
        'compute = ["f16", "f32"]': f"compute = {compute}",
        'overflow = "inf"': f'overflow = "{overflow}"',
        **{f"{key} = {{ f16 = {n},": f"{key} = {{ f16 = {n}, bf16 = {n}," for key, n in CYCLES.items()},
    }
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def bf16_chip(name: str, folder: Path) -> str:
    """What `--target` takes for one of `CHIPS`: a name, or the path of a file in `folder`."""
    if name in REAL:
        return name
    path = folder / f"{name}.toml"
    path.write_text(bf16_text(name), encoding="utf-8")
    return str(path)
