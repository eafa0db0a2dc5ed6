"""Networks of convolutions, as PyTorch modules: MobileNetV1, YOLOv5n and batch-normalised Inception."""

# pyright: basic, reportMissingImports=false

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional as F


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
