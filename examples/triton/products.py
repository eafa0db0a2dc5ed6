"""Products of matrices: a program computes one block of the result, its sum in f32."""

import triton
import triton.language as tl


@triton.jit
def matmul(a, b, out, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """out (M × N) = a (M × K) @ b (K × N), all of them by rows."""
    blocks_n = tl.cdiv(N, BN)
    row = tl.program_id(0) // blocks_n * BM + tl.arange(0, BM)
    column = tl.program_id(0) % blocks_n * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        left = tl.load(
            a + row[:, None] * K + k[None, :], mask=(row[:, None] < M) & (k[None, :] < K), other=0.0
        )
        right = tl.load(
            b + k[:, None] * N + column[None, :], mask=(k[:, None] < K) & (column[None, :] < N), other=0.0
        )
        total = tl.dot(left, right, total)
    inside = (row[:, None] < M) & (column[None, :] < N)
    tl.store(out + row[:, None] * N + column[None, :], total.to(out.dtype.element_ty), mask=inside)


@triton.jit
def matmul_bias_gelu(a, b, bias, out, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """out = gelu(a @ b + bias), with the tanh form of GELU as x * sigmoid(2u)."""
    blocks_n = tl.cdiv(N, BN)
    row = tl.program_id(0) // blocks_n * BM + tl.arange(0, BM)
    column = tl.program_id(0) % blocks_n * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        left = tl.load(
            a + row[:, None] * K + k[None, :], mask=(row[:, None] < M) & (k[None, :] < K), other=0.0
        )
        right = tl.load(
            b + k[:, None] * N + column[None, :], mask=(k[:, None] < K) & (column[None, :] < N), other=0.0
        )
        total = tl.dot(left, right, total)
    value = total + tl.load(bias + column, mask=column < N, other=0.0).to(tl.float32)[None, :]
    inner = 1.5957691216057308 * (value + 0.044715 * value * value * value)
    value = value / (1.0 + tl.exp(-inner))
    inside = (row[:, None] < M) & (column[None, :] < N)
    tl.store(out + row[:, None] * N + column[None, :], value.to(out.dtype.element_ty), mask=inside)


@triton.jit
def batched_matmul(a, b, out, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """out[i] = a[i] @ b[i]; the second dimension of the grid is i."""
    batch = tl.program_id(1)
    blocks_n = tl.cdiv(N, BN)
    row = tl.program_id(0) // blocks_n * BM + tl.arange(0, BM)
    column = tl.program_id(0) % blocks_n * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for start in range(0, K, BK):
        k = start + tl.arange(0, BK)
        left = tl.load(
            a + batch * M * K + row[:, None] * K + k[None, :],
            mask=(row[:, None] < M) & (k[None, :] < K),
            other=0.0,
        )
        right = tl.load(
            b + batch * K * N + k[:, None] * N + column[None, :],
            mask=(k[:, None] < K) & (column[None, :] < N),
            other=0.0,
        )
        total = tl.dot(left, right, total)
    inside = (row[:, None] < M) & (column[None, :] < N)
    at = batch * M * N + row[:, None] * N + column[None, :]
    tl.store(out + at, total.to(out.dtype.element_ty), mask=inside)
