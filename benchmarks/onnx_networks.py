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
from convolutional_networks import InceptionV2, MobileNetV1, Yolo
from sequence_networks import BagRecommender, Bert, Llama, Lstm, Recommender
from torch import nn

SEED = 0
SPREADS = ((1.0, 0.0), (2.0, 1.0), (0.5, -0.5), (1.5, -1.0))
"""Spread and mean of the images that batch normalisation gets its statistics from. Images of one mean would not tell it
how much results vary: a network of 30 layers then gave 200 times as much for another mean."""


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


def _offsets(tables: int, bags: int, items: int) -> torch.Tensor:
    """Where the bags of each table begin, the first one with its list."""
    places = torch.randint(0, items + 1, (tables, bags)).sort(1).values
    places[:, 0] = 0
    return places


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
    "recommender_bags": (
        BagRecommender,
        lambda: (torch.randn(8, 13), torch.randint(0, 2000, (4, 48)), _offsets(4, 8, 48)),
    ),
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
