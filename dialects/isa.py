"""The Vector pipe's instruction list: names, operands, and nothing about how a pass uses them.

Costs live in the target files (`vector.cycles`), semantics in the emulator; both are keyed by the
names here.
"""

from .records import dataclass
from .tiling import DIRECTIONS


@dataclass(frozen=True)
class VectorInstruction:
    """`sources` tile operands, then a scalar if `scalar`. `converts`: the result type may differ from the sources'.
    `reduces`: each repeat gives one element. `gives`: the type of results, where it is not that of the sources. `mask`:
    which operand is a bit mask, "result" or "first" (the first source); the others have one type. `bits`: it works on
    the bits of integers. `moves`: results are not of the elements in their own places: "blocks" (of 8 elements, each
    fills a block) or "gather" (the second source says from where). `foreign`: what only other compilers emit."""

    name: str
    sources: int
    scalar: bool = False
    converts: bool = False
    mask: str = ""
    reduces: bool = False
    gives: str = ""
    bits: bool = False
    moves: str = ""
    foreign: bool = False


ROUNDINGS = {"z": "to zero", "f": "down", "c": "up", "a": "half away from zero", "r": "half to even"}
"""How `vconv_z` and its like round. `vconv` rounds half to even, too, but copies where it changes no type: the others
make whole numbers then."""

_TABLE = (
    VectorInstruction("vadd", 2),
    VectorInstruction("vsub", 2),
    VectorInstruction("vmul", 2),
    VectorInstruction("vdiv", 2),
    VectorInstruction("vmax", 2),
    VectorInstruction("vmin", 2),
    VectorInstruction("vmadd", 3),  # dst = a * b + c
    VectorInstruction("vadds", 1, scalar=True),
    VectorInstruction("vmuls", 1, scalar=True),
    VectorInstruction("vmaxs", 1, scalar=True),
    VectorInstruction("vmins", 1, scalar=True),
    VectorInstruction("vlrelu", 1, scalar=True),
    VectorInstruction("vaxpy", 2, scalar=True),  # dst = scalar * a + b
    VectorInstruction("vabs", 1),
    VectorInstruction("vrelu", 1),
    VectorInstruction("vexp", 1),
    VectorInstruction("vln", 1),
    VectorInstruction("vsqrt", 1),
    VectorInstruction("vrsqrt", 1),
    VectorInstruction("vrec", 1),
    VectorInstruction("vcopy", 1),
    VectorInstruction("vconv", 1, converts=True),  # rounds to nearest even
    *(VectorInstruction(f"vconv_{way}", 1, converts=True, foreign=True) for way in ROUNDINGS),
    VectorInstruction("vdup", 0, scalar=True),
    VectorInstruction("vci", 0, scalar=True, foreign=True),  # dst[i] = scalar + i
    VectorInstruction("vnot", 1, bits=True, foreign=True),
    VectorInstruction("vand", 2, bits=True, foreign=True),
    VectorInstruction("vor", 2, bits=True, foreign=True),
    VectorInstruction("vshls", 1, scalar=True, bits=True, foreign=True),
    VectorInstruction("vshrs", 1, scalar=True, bits=True, foreign=True),  # copies the sign
    VectorInstruction("vbrcb", 1, moves="blocks", foreign=True),
    VectorInstruction("vgather", 2, moves="gather", foreign=True),  # dst[i] = a at byte b[i]
    *(VectorInstruction(f"vcmpv_{direction}", 2, mask="result") for direction in DIRECTIONS),
    *(VectorInstruction(f"vcmpvs_{direction}", 1, scalar=True, mask="result") for direction in DIRECTIONS),
    VectorInstruction("vsel", 3, mask="first"),  # dst = mask ? a : b
    VectorInstruction("vsels", 2, scalar=True, mask="first", foreign=True),  # dst = mask ? a : scalar
    VectorInstruction("vcadd", 1, reduces=True),  # sum of a repeat
    VectorInstruction("vcmax", 1, reduces=True),
    VectorInstruction("vcmin", 1, reduces=True),
    VectorInstruction("vcmax_at", 1, reduces=True, gives="i32", foreign=True),  # where the first one is
    VectorInstruction("vcmin_at", 1, reduces=True, gives="i32", foreign=True),
)

ATOMICS = ("add", "max", "min")
"""How a DMA joins elements to those in GM."""

VECTOR_INSTRUCTIONS = {instruction.name: instruction for instruction in _TABLE}
