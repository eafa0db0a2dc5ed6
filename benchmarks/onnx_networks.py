"""Networks in PyTorch, with seeded weights that keep activations in range, written as ONNX models.

    write("resnet50", Path("models"))        the path of the model, and inputs for it

    python benchmarks/onnx_networks.py resnet50 models        the same, and the inputs as NAME.npz

Batch normalisation gets the statistics of a random batch, biases are drawn, so that results depend on what comes in.
"""

# pyright: basic, reportMissingImports=false

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

SEED = 0
SPREADS = ((1.0, 0.0), (2.0, 1.0), (0.5, -0.5), (1.5, -1.0))
"""Spread and mean of the images that batch normalisation gets its statistics from. Images of one mean would not tell it
how much results vary: a network of 30 layers then gave 200 times as much for another mean."""


class MobileNetV1(nn.Module):
    """Depthwise-separable blocks (Howard et al., 2017)."""

    def __init__(self) -> None:
        super().__init__()
        plan = [
            (64, 1),
            (128, 2),
            (128, 1),
            (256, 2),
            (256, 1),
            (512, 2),
            *[(512, 1)] * 5,
            (1024, 2),
            (1024, 1),
        ]
        layers, channels = [*self._conv(3, 32, 3, 2)], 32
        for out, stride in plan:
            layers += [*self._conv(channels, channels, 3, stride, channels), *self._conv(channels, out, 1, 1)]
            channels = out
        self.features, self.head = nn.Sequential(*layers), nn.Linear(channels, 1000)

    @staticmethod
    def _conv(i: int, o: int, kernel: int, stride: int, groups: int = 1) -> list[nn.Module]:
        conv = nn.Conv2d(i, o, kernel, stride, kernel // 2, groups=groups, bias=False)
        return [conv, nn.BatchNorm2d(o), nn.ReLU6()]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.features(x).mean((2, 3)))


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


class Yolo(nn.Module):
    """YOLOv5n: CSP backbone, SPPF, path aggregation, and boxes decoded (Ultralytics, 2020; sizes from its yaml)."""

    def __init__(self, classes: int = 80) -> None:
        super().__init__()
        w = (16, 32, 64, 128, 256)
        self.stem = Cbs(3, w[0], 6, 2, 2)
        self.down = nn.ModuleList([Cbs(w[i], w[i + 1], 3, 2) for i in range(4)])
        self.stages = nn.ModuleList([C3(w[i + 1], w[i + 1], n) for i, n in enumerate((1, 2, 3, 1))])
        self.sppf = Sppf(w[4], w[4])
        self.lateral = nn.ModuleList([Cbs(w[4], w[3], 1, 1), Cbs(w[3], w[2], 1, 1)])
        self.top = nn.ModuleList([C3(2 * w[3], w[3], 1, False), C3(2 * w[2], w[2], 1, False)])
        self.again = nn.ModuleList([Cbs(w[2], w[2], 3, 2), Cbs(w[3], w[3], 3, 2)])
        self.bottom = nn.ModuleList([C3(2 * w[2], w[3], 1, False), C3(2 * w[3], w[4], 1, False)])
        self.outputs = classes + 5
        self.heads = nn.ModuleList([nn.Conv2d(c, 3 * self.outputs, 1) for c in w[2:]])
        sizes = [10, 13, 16, 30, 33, 23, 30, 61, 62, 45, 59, 119, 116, 90, 156, 198, 373, 326]
        self.register_buffer("anchors", torch.tensor(sizes, dtype=torch.float32).view(3, 1, 3, 1, 1, 2))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x, found = self.stem(x), []
        for down, stage in zip(self.down, self.stages, strict=True):
            x = stage(down(x))
            found.append(x)
        p5 = self.lateral[0](self.sppf(x))
        p4 = self.lateral[1](self.top[0](torch.cat([F.interpolate(p5, scale_factor=2.0), found[2]], 1)))
        p3 = self.top[1](torch.cat([F.interpolate(p4, scale_factor=2.0), found[1]], 1))
        n4 = self.bottom[0](torch.cat([self.again[0](p3), p4], 1))
        n5 = self.bottom[1](torch.cat([self.again[1](n4), p5], 1))
        boxes = [
            self._decoded(i, head(n))
            for i, (head, n) in enumerate(zip(self.heads, (p3, n4, n5), strict=True))
        ]
        return torch.cat(boxes, 1)

    def _decoded(self, level: int, x: torch.Tensor) -> torch.Tensor:
        batch, _, height, width = x.shape
        y = x.view(batch, 3, self.outputs, height, width).permute(0, 1, 3, 4, 2).sigmoid()
        rows, columns = torch.meshgrid(torch.arange(height), torch.arange(width), indexing="ij")
        grid = torch.stack([columns, rows], -1).float()
        centre = (y[..., :2] * 2 - 0.5 + grid) * float(8 << level)
        extent = (y[..., 2:4] * 2) ** 2 * self.anchors[level]
        return torch.cat([centre, extent, y[..., 4:]], -1).reshape(batch, -1, self.outputs)


class Cbs(nn.Sequential):
    """Convolution, batch normalisation, SiLU."""

    def __init__(self, i: int, o: int, kernel: int, stride: int, pad: int | None = None) -> None:
        pad = kernel // 2 if pad is None else pad
        super().__init__(nn.Conv2d(i, o, kernel, stride, pad, bias=False), nn.BatchNorm2d(o, 1e-3), nn.SiLU())


class C3(nn.Module):
    def __init__(self, i: int, o: int, count: int, add: bool = True) -> None:
        super().__init__()
        self.add, half = add, o // 2
        self.one, self.two, self.out = Cbs(i, half, 1, 1), Cbs(i, half, 1, 1), Cbs(2 * half, o, 1, 1)
        self.blocks = nn.ModuleList(
            nn.Sequential(Cbs(half, half, 1, 1), Cbs(half, half, 3, 1)) for _ in range(count)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.one(x)
        for block in self.blocks:
            y = y + block(y) if self.add else block(y)
        return self.out(torch.cat([y, self.two(x)], 1))


class Sppf(nn.Module):
    def __init__(self, i: int, o: int) -> None:
        super().__init__()
        self.one, self.out = Cbs(i, i // 2, 1, 1), Cbs(2 * i, o, 1, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        found = [self.one(x)]
        for _ in range(3):
            found.append(F.max_pool2d(found[-1], 5, 1, 2))
        return self.out(torch.cat(found, 1))


class InceptionV2(nn.Module):
    """Batch-normalised Inception (table 1 of Ioffe and Szegedy, 2015)."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            *_bn_conv(3, 64, 7, 2),
            nn.MaxPool2d(3, 2, 1),
            *_bn_conv(64, 64, 1),
            *_bn_conv(64, 192, 3),
            nn.MaxPool2d(3, 2, 1),
        )
        plan = [
            (64, (64, 64), (64, 96), 32),
            (64, (64, 96), (64, 96), 64),
            (0, (128, 160), (64, 96), 0),
            (224, (64, 96), (96, 128), 128),
            (192, (96, 128), (96, 128), 128),
            (160, (128, 160), (128, 160), 96),
            (96, (128, 192), (160, 192), 96),
            (0, (128, 192), (192, 256), 0),
            (352, (192, 320), (160, 224), 128),
            (352, (192, 320), (192, 224), -128),
        ]
        blocks, channels = [], 192
        for one, single, double, pooled in plan:
            blocks.append(Inception(channels, one, single, double, pooled))
            channels = one + single[1] + double[1] + (abs(pooled) or channels)
        self.blocks, self.head = nn.Sequential(*blocks), nn.Linear(channels, 1000)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.blocks(self.stem(x)).mean((2, 3)))


class Inception(nn.Module):
    """A 1x1, a 3x3 and two 3x3 convolutions beside a pool; without the 1x1 it halves the image. A pool with fewer than
    no channels takes the largest."""

    def __init__(
        self, i: int, one: int, single: tuple[int, int], double: tuple[int, int], pooled: int
    ) -> None:
        super().__init__()
        step = 1 if one else 2
        pool = nn.AvgPool2d(3, 1, 1) if pooled > 0 else nn.MaxPool2d(3, step, 1)
        ways = [nn.Sequential(*_bn_conv(i, one, 1))] if one else []
        ways.append(nn.Sequential(*_bn_conv(i, single[0], 1), *_bn_conv(single[0], single[1], 3, step)))
        inner, outer = double
        twice = (*_bn_conv(inner, outer, 3), *_bn_conv(outer, outer, 3, step))
        ways.append(nn.Sequential(*_bn_conv(i, inner, 1), *twice))
        ways.append(nn.Sequential(pool, *(_bn_conv(i, abs(pooled), 1) if pooled else ())))
        self.ways = nn.ModuleList(ways)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cat([way(x) for way in self.ways], 1)


def _bn_conv(i: int, o: int, kernel: int, stride: int = 1) -> list[nn.Module]:
    conv = nn.Conv2d(i, o, kernel, stride, kernel // 2, bias=False)
    return [conv, nn.BatchNorm2d(o), nn.ReLU()]


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
        bags = [table(ids[:, i]).sum(1) for i, table in enumerate(self.tables)]
        dense = self.dense(x)
        rows = torch.stack([dense, *bags], 1) * 0.3
        products = (rows @ rows.transpose(1, 2)).flatten(1)
        return self.top(torch.cat([dense, products], 1))


def _vision(name: str) -> Callable[[], nn.Module]:
    def build() -> nn.Module:
        import torchvision

        more = {"aux_logits": False, "init_weights": True} if name == "googlenet" else {}
        return getattr(torchvision.models, name)(weights=None, **more)

    return build


def _image(size: int = 224) -> Callable[[], tuple[torch.Tensor, ...]]:
    return lambda: (torch.randn(1, 3, size, size),)


def _ids(rows: int, words: int) -> Callable[[], tuple[torch.Tensor, ...]]:
    return lambda: (torch.randint(0, words, (1, rows)),)


NETWORKS: dict[str, tuple[Callable[[], nn.Module], Callable[[], tuple[torch.Tensor, ...]]]] = {
    "resnet50": (_vision("resnet50"), _image()),
    "mobilenet_v1": (MobileNetV1, _image()),
    "mobilenet_v2": (_vision("mobilenet_v2"), _image()),
    "bert": (Bert, _ids(128, 30522)),
    "bert_sdpa": (lambda: Bert(True), _ids(128, 30522)),
    "llama": (Llama, _ids(64, 2048)),
    "yolov5n": (Yolo, _image(320)),
    "squeezenet": (_vision("squeezenet1_1"), _image()),
    "inception_v2": (InceptionV2, _image()),
    "googlenet": (_vision("googlenet"), _image()),
    "shufflenet": (_vision("shufflenet_v2_x1_0"), _image()),
    "densenet121": (_vision("densenet121"), _image()),
    "lstm": (Lstm, lambda: (torch.randn(16, 4, 64),)),
    "recommender": (Recommender, lambda: (torch.randn(8, 13), torch.randint(0, 2000, (8, 4, 6)))),
}
"""How each network is built, and inputs for it."""


def write(name: str, folder: Path, dynamo: bool = False) -> tuple[Path, dict[str, np.ndarray[Any, Any]]]:
    """Write a network as `NAME.onnx`; its inputs by name."""
    build, draw = NETWORKS[name]
    torch.manual_seed(SEED)
    model = build()
    inputs = draw()
    _scale(model, draw)
    names = [f"x{i}" for i in range(len(inputs))]
    path = folder / f"{name}.onnx"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            model.eval(), inputs, str(path), dynamo=dynamo, input_names=names, output_names=["y"]
        )
    return path, {n: value.numpy() for n, value in zip(names, inputs, strict=True)}


def _scale(model: nn.Module, draw: Callable[[], tuple[torch.Tensor, ...]]) -> None:
    """Draw biases, and take the statistics of random batches into batch normalisation, front to back."""
    norms = [one for one in model.modules() if isinstance(one, nn.BatchNorm2d)]
    for parameter_name, parameter in model.named_parameters():
        if "bias" in parameter_name:
            nn.init.normal_(parameter, std=0.1)
    for norm_name, norm in model.named_modules():
        if isinstance(norm, nn.BatchNorm2d):
            norm.momentum = 1.0
            if norm_name.endswith("bn3"):  # the last of a residual branch, which adds a little
                nn.init.constant_(norm.weight, 0.25)
    if not norms:
        return
    model.train()
    with torch.no_grad():
        model(torch.cat([draw()[0] * spread + mean for spread, mean in SPREADS]))
    model.eval()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("network", choices=NETWORKS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dynamo", action="store_true", help="by the exporter that traces bytecode")
    args = parser.parse_args()
    path, inputs = write(args.network, args.folder, args.dynamo)
    savez: Any = np.savez
    savez(path.with_suffix(".npz"), **inputs)


if __name__ == "__main__":
    main()

__all__ = ["NETWORKS", "write"]
