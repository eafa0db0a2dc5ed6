"""The Triton kernels of `examples/triton`: types and constants they are compiled with, launches, and oracles in numpy.

Nothing here imports Triton. `tests/data/hivm/generate.py` compiles the cases, and tests run what it stored.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

Arguments = dict[str, Any]
"""Arrays and scalars by the names of the parameters, in their order."""
Sizes = tuple[tuple[int, ...], ...]
"""Of each launch."""

F16, BF16, F32 = np.dtype(np.float16), np.dtype(ml_dtypes.bfloat16), np.dtype(np.float32)
PRIME = 97
"""What integers are compiled with: neither 1 nor a multiple of 16, of which Triton makes programs of their own."""


@dataclass(frozen=True)
class Kernel:
    """A Triton function: how it is launched, and what it computes."""

    source: str
    """`module:function` below `examples/triton`."""
    arguments: Callable[..., Arguments]
    """From a generator of random numbers, a type and sizes to what the function takes, constants left out."""
    grid: Callable[..., tuple[int, ...]]
    """From constants and arguments to the blocks of a launch."""
    oracle: Callable[..., dict[str, np.ndarray]]
    """From arguments in f64 and constants to what the outputs hold, by definition."""


@dataclass(frozen=True)
class Case:
    """A kernel, compiled for a type and constants, and the sizes at which it runs."""

    name: str
    kernel: Kernel
    dtype: np.dtype[Any]
    constants: Mapping[str, Any]
    sizes: Sizes

    def arguments(self, sizes: tuple[int, ...], seed: int = 0) -> Arguments:
        """Random arrays, outputs of NaN, and scalars, for one launch."""
        return self.kernel.arguments(np.random.default_rng(seed), self.dtype, *sizes)

    def grid(self, arguments: Arguments) -> tuple[int, ...]:
        return self.kernel.grid(self.constants, arguments)

    def expected(self, arguments: Arguments) -> dict[str, np.ndarray]:
        """What each output must hold, in f64."""
        exact = {n: _exact(v) for n, v in arguments.items()}
        return self.kernel.oracle(exact, self.constants)


def _exact(value: Any) -> Any:
    if not isinstance(value, np.ndarray) or value.dtype.kind == "i":
        return value
    return value.astype(np.float64)


def blank(shape: tuple[int, ...], dtype: np.dtype[Any]) -> np.ndarray:
    """An output: NaN, so that what was not written shows."""
    return np.full(shape, np.nan, dtype)


def blocks(size: int, block: int) -> int:
    return -(-size // block)


def _normal(rng: np.random.Generator, dtype: np.dtype[Any], *shape: int) -> np.ndarray:
    return rng.standard_normal(shape).astype(dtype)


# Element by element.


def _by_blocks(constants: Mapping[str, Any], arguments: Arguments) -> tuple[int, ...]:
    return (blocks(arguments["n"], constants["BLOCK"]),)


VECTOR_ADD = Kernel(
    "elementwise:vector_add",
    lambda rng, dtype, n: {
        "x": _normal(rng, dtype, n),
        "y": _normal(rng, dtype, n),
        "out": blank((n,), dtype),
        "n": n,
    },
    _by_blocks,
    lambda a, _: {"out": a["x"] + a["y"]},
)

CHAIN = Kernel(
    "elementwise:chain",
    lambda rng, dtype, n: {
        "x": _normal(rng, dtype, n),
        "y": _normal(rng, dtype, n),
        "out": blank((n,), dtype),
        "n": n,
        "scale": 0.75,
    },
    lambda c, a: (min(48, blocks(a["n"], c["BLOCK"])),),
    lambda a, _: {
        "out": np.exp(-np.abs(a["x"] * a["scale"])) + np.maximum(a["y"], 0) / (1 + a["y"] * a["y"])
    },
)


def _masked_chain(a: Arguments, _: Mapping[str, Any]) -> dict[str, np.ndarray]:
    return {"out": np.where(a["keep"] > 0, a["x"] / (1 + np.exp(-a["x"])), a["x"] / 4)}


MASKED_CHAIN = Kernel(
    "elementwise:masked_chain",
    lambda rng, dtype, n: {
        "x": _normal(rng, dtype, n),
        "keep": rng.integers(0, 2, n, dtype=np.int32),
        "out": blank((n,), dtype),
        "n": n,
    },
    _by_blocks,
    _masked_chain,
)

# Whole rows.


def _each_row(constants: Mapping[str, Any], arguments: Arguments) -> tuple[int, ...]:
    return (min(48, arguments["rows"]),)


def _some_rows(constants: Mapping[str, Any], arguments: Arguments) -> tuple[int, ...]:
    return (blocks(arguments["rows"], constants["ROWS"]),)


def _softmax(a: Arguments, _: Mapping[str, Any]) -> dict[str, np.ndarray]:
    grown = np.exp(a["x"] - a["x"].max(1, keepdims=True))
    return {"out": grown / grown.sum(1, keepdims=True)}


def _layer_norm(a: Arguments, _: Mapping[str, Any]) -> dict[str, np.ndarray]:
    x = a["x"]
    normal = (x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + a["eps"])
    return {"out": normal * a["weight"] + a["bias"]}


def _rms_norm(a: Arguments, _: Mapping[str, Any]) -> dict[str, np.ndarray]:
    x = a["x"]
    return {"out": x / np.sqrt((x * x).mean(1, keepdims=True) + a["eps"]) * a["weight"]}


SOFTMAX = Kernel(
    "rows:softmax",
    lambda rng, dtype, rows, columns: {
        "x": _normal(rng, dtype, rows, columns),
        "out": blank((rows, columns), dtype),
        "rows": rows,
        "columns": columns,
    },
    _each_row,
    _softmax,
)
LAYER_NORM = Kernel(
    "rows:layer_norm",
    lambda rng, dtype, rows, columns: {
        "x": _normal(rng, dtype, rows, columns),
        "weight": _normal(rng, dtype, columns),
        "bias": _normal(rng, dtype, columns),
        "out": blank((rows, columns), dtype),
        "rows": rows,
        "columns": columns,
        "eps": 1e-5,
    },
    _each_row,
    _layer_norm,
)
RMS_NORM = Kernel(
    "rows:rms_norm",
    lambda rng, dtype, rows, columns: {
        "x": _normal(rng, dtype, rows, columns),
        "weight": _normal(rng, dtype, columns),
        "out": blank((rows, columns), dtype),
        "rows": rows,
        "columns": columns,
        "eps": 1e-5,
    },
    _each_row,
    _rms_norm,
)
SUM_ROWS = Kernel(
    "rows:sum_rows",
    lambda rng, dtype, rows, columns: {
        "x": _normal(rng, dtype, rows, columns),
        "out": blank((rows,), F32),
        "rows": rows,
        "columns": columns,
    },
    _some_rows,
    lambda a, _: {"out": a["x"].sum(1)},
)
SUM_COLUMNS = Kernel(
    "rows:sum_columns",
    lambda rng, dtype, rows, columns: {
        "x": _normal(rng, dtype, rows, columns),
        "out": blank((columns,), F32),
        "rows": rows,
        "columns": columns,
    },
    lambda c, a: (blocks(a["columns"], c["COLUMNS"]),),
    lambda a, _: {"out": a["x"].sum(0)},
)
PREFIX_SUM = Kernel(
    "rows:prefix_sum",
    lambda rng, dtype, rows, columns: {
        "x": _normal(rng, dtype, rows, columns),
        "out": blank((rows, columns), dtype),
        "rows": rows,
        "columns": columns,
    },
    _some_rows,
    lambda a, _: {"out": a["x"].cumsum(1)},
)

# Products.


def _product(rng: np.random.Generator, dtype: np.dtype[Any], m: int, n: int, k: int) -> Arguments:
    return {
        "a": _normal(rng, dtype, m, k),
        "b": _normal(rng, dtype, k, n),
        "out": blank((m, n), dtype),
        "M": m,
        "N": n,
        "K": k,
    }


def _product_bias(rng: np.random.Generator, dtype: np.dtype[Any], m: int, n: int, k: int) -> Arguments:
    plain = _product(rng, dtype, m, n, k)
    scaled = {"a": plain["a"], "b": (plain["b"] / np.sqrt(k)).astype(dtype), "bias": _normal(rng, dtype, n)}
    return {**scaled, **{name: plain[name] for name in ("out", "M", "N", "K")}}


def _batched(rng: np.random.Generator, dtype: np.dtype[Any], batch: int, m: int, n: int, k: int) -> Arguments:
    return {
        "a": _normal(rng, dtype, batch, m, k),
        "b": _normal(rng, dtype, batch, k, n),
        "out": blank((batch, m, n), dtype),
        "M": m,
        "N": n,
        "K": k,
    }


def _tiles(constants: Mapping[str, Any], arguments: Arguments) -> tuple[int, ...]:
    tiles = blocks(arguments["M"], constants["BM"]) * blocks(arguments["N"], constants["BN"])
    batch = arguments["out"].shape[:-2]
    return (tiles, *batch)


def _gelu(a: Arguments, _: Mapping[str, Any]) -> dict[str, np.ndarray]:
    x = a["a"] @ a["b"] + a["bias"]
    return {"out": 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))}


def _matrix_product(a: Arguments, _: Mapping[str, Any]) -> dict[str, np.ndarray]:
    return {"out": a["a"] @ a["b"]}


MATMUL = Kernel("products:matmul", _product, _tiles, _matrix_product)
MATMUL_BIAS_GELU = Kernel("products:matmul_bias_gelu", _product_bias, _tiles, _gelu)
BATCHED_MATMUL = Kernel("products:batched_matmul", _batched, _tiles, _matrix_product)


def _attention(a: Arguments, constants: Mapping[str, Any]) -> dict[str, np.ndarray]:
    scores = a["q"] @ a["k"].swapaxes(1, 2) * a["scale"]
    if constants["CAUSAL"]:
        scores = np.where(np.tri(a["length"], dtype=bool), scores, -np.inf)
    grown = np.exp(scores - scores.max(2, keepdims=True))
    return {"out": grown / grown.sum(2, keepdims=True) @ a["v"]}


ATTENTION = Kernel(
    "attention:attention",
    lambda rng, dtype, heads, length, width=64: {
        **{name: _normal(rng, dtype, heads, length, width) for name in "qkv"},
        "out": blank((heads, length, width), dtype),
        "length": length,
        "scale": 0.125,
    },
    lambda c, a: (blocks(a["length"], c["BM"]), a["q"].shape[0]),
    _attention,
)

# Moves.


def _rotary(a: Arguments, constants: Mapping[str, Any]) -> dict[str, np.ndarray]:
    first, second = a["x"][:, : constants["HALF"]], a["x"][:, constants["HALF"] :]
    c, s = a["cosine"], a["sine"]
    return {"out": np.concatenate([first * c - second * s, second * c + first * s], 1)}


def _rotary_arguments(rng: np.random.Generator, dtype: np.dtype[Any], rows: int, half: int = 32) -> Arguments:
    angle = np.outer(np.arange(rows), 10000.0 ** (-np.arange(half) / half))
    return {
        "x": _normal(rng, dtype, rows, 2 * half),
        "cosine": np.cos(angle).astype(F32),
        "sine": np.sin(angle).astype(F32),
        "out": blank((rows, 2 * half), dtype),
        "rows": rows,
    }


ROTARY = Kernel("moves:rotary", _rotary_arguments, _some_rows, _rotary)
EMBEDDING = Kernel(
    "moves:embedding",
    lambda rng, dtype, n, words, width=128: {
        "ids": rng.integers(0, words, n, dtype=np.int32),
        "table": _normal(rng, dtype, words, width),
        "out": blank((n, width), dtype),
        "n": n,
    },
    lambda c, a: (blocks(a["n"], c["ROWS"]),),
    lambda a, _: {"out": a["table"][a["ids"]]},
)
TRANSPOSE = Kernel(
    "moves:transpose",
    lambda rng, dtype, rows, columns: {
        "x": _normal(rng, dtype, rows, columns),
        "out": blank((columns, rows), dtype),
        "rows": rows,
        "columns": columns,
    },
    lambda c, a: (blocks(a["rows"], c["ROWS"]), blocks(a["columns"], c["COLUMNS"])),
    lambda a, _: {"out": a["x"].T},
)


def _case(
    name: str, kernel: Kernel, dtype: np.dtype[Any], sizes: tuple[tuple[int, ...], ...], **constants: Any
) -> Case:
    short = {F16: "f16", BF16: "bf16", F32: "f32"}[dtype]
    return Case(f"{name}_{short}", kernel, dtype, constants, sizes)


LINES = ((98304,), (100001,), (5,))
ROWS = ((96, 1024), (50, 1001), (3, 17))
BLOCKS = ((96, 512), (50, 1001), (3, 17))
BATCHES = ((3, 128, 128, 128), (2, 100, 70, 50), (1, 17, 64, 200), (1, 64, 33, 200))
TILES = ((256, 256, 256), (200, 300, 100), (17, 128, 260), (128, 33, 260))

CASES = {
    case.name: case
    for case in (
        *(_case("vector_add", VECTOR_ADD, t, LINES, BLOCK=1024) for t in (F16, BF16, F32)),
        *(_case("chain", CHAIN, t, (*LINES, (250003,)), BLOCK=2048) for t in (F16, BF16, F32)),
        *(_case("masked_chain", MASKED_CHAIN, t, LINES, BLOCK=1024) for t in (F16, BF16, F32)),
        *(_case("softmax", SOFTMAX, t, ROWS, BLOCK=1024) for t in (F16, BF16, F32)),
        *(_case("layer_norm", LAYER_NORM, t, ROWS, BLOCK=1024) for t in (F16, BF16, F32)),
        *(_case("rms_norm", RMS_NORM, t, ROWS, BLOCK=1024) for t in (F16, BF16, F32)),
        *(_case("sum_rows", SUM_ROWS, t, BLOCKS, ROWS=16, COLUMNS=256) for t in (F16, BF16, F32)),
        *(_case("sum_columns", SUM_COLUMNS, t, BLOCKS, ROWS=32, COLUMNS=128) for t in (F16, BF16, F32)),
        *(
            _case("prefix_sum", PREFIX_SUM, t, ((64, 128), (50, 100)), ROWS=8, BLOCK=128)
            for t in (F16, BF16, F32)
        ),
        *(_case("matmul", MATMUL, t, TILES, BM=128, BN=128, BK=64) for t in (F16, BF16)),
        _case("matmul", MATMUL, F32, TILES, BM=64, BN=64, BK=64),
        _case("matmul_wide", MATMUL, F16, TILES, BM=64, BN=256, BK=128),
        _case("matmul_small", MATMUL, F16, TILES, BM=32, BN=32, BK=32),
        *(_case("matmul_bias_gelu", MATMUL_BIAS_GELU, t, TILES, BM=128, BN=128, BK=64) for t in (F16, BF16)),
        _case("matmul_bias_gelu", MATMUL_BIAS_GELU, F32, TILES, BM=64, BN=64, BK=64),
        *(_case("batched_matmul", BATCHED_MATMUL, t, BATCHES, BM=64, BN=64, BK=64) for t in (F16, BF16, F32)),
        *(
            _case(name, ATTENTION, t, ((2, 256), (1, 200)), WIDTH=64, BM=64, BN=64, CAUSAL=causal)
            for name, causal in (("attention", False), ("attention_causal", True))
            for t in (F16, BF16, F32)
        ),
        *(_case("rotary", ROTARY, t, ((256,), (77,)), HALF=32, ROWS=32) for t in (F16, BF16, F32)),
        *(
            _case("embedding", EMBEDDING, t, ((256, 1000), (77, 1000)), WIDTH=128, ROWS=32)
            for t in (F16, BF16, F32)
        ),
        *(
            _case("transpose", TRANSPOSE, t, ((256, 256), (100, 200)), ROWS=64, COLUMNS=64)
            for t in (F16, BF16, F32)
        ),
    )
}
