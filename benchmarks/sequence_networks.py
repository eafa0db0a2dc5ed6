"""Networks over sequences and looked-up rows, as PyTorch modules: BERT, Llama, an LSTM and a recommender."""

# pyright: basic, reportMissingImports=false

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    """Self-attention, written out or by the operator of PyTorch; with fewer heads of keys, and positions turned in."""

    def __init__(self, width: int, heads: int, groups: int, sdpa: bool, rotary: bool, bias: bool) -> None:
        super().__init__()
        self.heads, self.groups, self.depth, self.sdpa, self.rotary = (
            heads,
            groups,
            width // heads,
            sdpa,
            rotary,
        )
        self.q = nn.Linear(width, width, bias)
        self.k, self.v = (nn.Linear(width, groups * self.depth, bias) for _ in range(2))
        self.o = nn.Linear(width, width, bias)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, rows, width = x.shape
        q = self.q(x).view(batch, rows, self.heads, self.depth).transpose(1, 2)
        k, v = (one(x).view(batch, rows, self.groups, self.depth).transpose(1, 2) for one in (self.k, self.v))
        if self.rotary:
            q, k = turned(q), turned(k)
        if self.groups != self.heads:
            k, v = (t.repeat_interleave(self.heads // self.groups, 1) for t in (k, v))
        if self.sdpa:
            y = F.scaled_dot_product_attention(q, k, v, is_causal=self.rotary)
        else:
            scores = q @ k.transpose(2, 3) / self.depth**0.5
            if self.rotary:
                scores = scores + torch.full((rows, rows), -3.4e38).triu(1)
            y = scores.softmax(-1) @ v
        return self.o(y.transpose(1, 2).reshape(batch, rows, width))


def turned(x: torch.Tensor) -> torch.Tensor:
    """Rotary position embedding, the halves of a row together."""
    rows, depth = x.shape[-2:]
    angles = torch.arange(rows)[:, None] * 10000.0 ** (-torch.arange(0, depth, 2) / depth)
    cos, sin = (torch.cat([one, one], 1) for one in (angles.cos(), angles.sin()))
    a, b = x.chunk(2, -1)
    return x * cos + torch.cat([-b, a], -1) * sin


class BertLayer(nn.Module):
    def __init__(self, width: int, heads: int, sdpa: bool) -> None:
        super().__init__()
        self.attention = Attention(width, heads, heads, sdpa, False, True)
        self.first, self.second = nn.LayerNorm(width, 1e-12), nn.LayerNorm(width, 1e-12)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.first(x + self.attention(x))
        return self.second(x + self.narrow(F.gelu(self.wide(x))))


class Bert(nn.Module):
    """BERT-base without its pooler: 12 layers of 768."""

    def __init__(self, sdpa: bool = False) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(30522, 768), nn.Embedding(512, 768)
        self.norm = nn.LayerNorm(768, 1e-12)
        self.layers = nn.Sequential(*(BertLayer(768, 12, sdpa) for _ in range(12)))

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        places = self.places(torch.arange(ids.shape[1])[None])
        return self.layers(self.norm(self.words(ids) + places))


class RmsNorm(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * self.weight


class LlamaLayer(nn.Module):
    def __init__(self, width: int, heads: int, groups: int, inner: int, sdpa: bool) -> None:
        super().__init__()
        self.attention = Attention(width, heads, groups, sdpa, True, False)
        self.first, self.second = RmsNorm(width), RmsNorm(width)
        self.gate, self.up = (nn.Linear(width, inner, False) for _ in range(2))
        self.down = nn.Linear(inner, width, False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x + self.attention(self.first(x))
        h = self.second(x)
        return x + self.down(F.silu(self.gate(h)) * self.up(h))


class Llama(nn.Module):
    """Two layers with grouped heads, rotary positions and a gated MLP."""

    def __init__(self, sdpa: bool = False) -> None:
        super().__init__()
        self.words = nn.Embedding(2048, 512)
        self.layers = nn.Sequential(*(LlamaLayer(512, 8, 2, 1408, sdpa) for _ in range(2)))
        self.norm, self.head = RmsNorm(512), nn.Linear(512, 2048, False)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        return self.head(self.norm(self.layers(self.words(ids))))


class Lstm(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lstm, self.head = nn.LSTM(64, 128, 2), nn.Linear(128, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.lstm(x)[0][-1])


class Recommender(nn.Module):
    """Sums of looked-up rows, their products with each other, and an MLP (as in DLRM, Naumov et al., 2019)."""

    def __init__(self) -> None:
        super().__init__()
        self.tables = nn.ModuleList(nn.Embedding(2000, 32) for _ in range(4))
        self.dense = nn.Sequential(nn.Linear(13, 64), nn.ReLU(), nn.Linear(64, 32), nn.ReLU())
        self.top = nn.Sequential(nn.Linear(32 + 25, 64), nn.ReLU(), nn.Linear(64, 1), nn.Sigmoid())

    def forward(self, x: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
        return self.joined(x, [table(ids[:, i]).sum(1) for i, table in enumerate(self.tables)])

    def joined(self, x: torch.Tensor, bags: list[torch.Tensor]) -> torch.Tensor:
        dense = self.dense(x)
        rows = torch.stack([dense, *bags], 1) * 0.3
        products = (rows @ rows.transpose(1, 2)).flatten(1)
        return self.top(torch.cat([dense, products], 1))


class BagRecommender(Recommender):
    """The same with bags of any sizes: indices of a table are one list, which offsets cut."""

    def __init__(self) -> None:
        super().__init__()
        self.tables = nn.ModuleList(nn.EmbeddingBag(2000, 32, mode="sum") for _ in range(4))

    def forward(self, x: torch.Tensor, ids: torch.Tensor, offsets: torch.Tensor) -> torch.Tensor:
        return self.joined(x, [table(ids[i], offsets[i]) for i, table in enumerate(self.tables)])
