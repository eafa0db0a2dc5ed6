"""The reference: every graph op in plain numpy, the oracle that compiled programs are compared with.

    outputs = evaluate(module, {"x": x, "w": w})

It shares nothing with the tiling rules: each op is written from its definition.
"""

from ..reference import (
    attention,
    contraction,
    elementwise,
    images,
    indexing,
    movement,
    pooling,
    reduction,
    rotary,
    spatial,
    structure,
)
from .evaluate import evaluate, evaluate_op
from .registry import reference, reference_of

__all__ = [
    "attention",
    "contraction",
    "elementwise",
    "evaluate",
    "evaluate_op",
    "images",
    "indexing",
    "movement",
    "pooling",
    "reduction",
    "reference",
    "reference_of",
    "rotary",
    "spatial",
    "structure",
]
