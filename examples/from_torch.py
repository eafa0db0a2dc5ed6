"""From a PyTorch module to a profile: export it as ONNX, compile it, run it on the emulator, compare it with PyTorch.

pip install 'ascend-opt[onnx]' torch
python examples/from_torch.py [CHIP ...]
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

import ascend_opt

try:
    import torch
except ImportError:
    sys.exit("error: this example needs PyTorch: pip install 'ascend-opt[onnx]' torch")


class Net(torch.nn.Module):
    """A convolution with batch normalisation, a pool, and two linear layers: 8x3x32x32 -> 8x10."""

    def __init__(self) -> None:
        super().__init__()
        self.features = torch.nn.Sequential(
            torch.nn.Conv2d(3, 32, 3, padding=1),
            torch.nn.BatchNorm2d(32),
            torch.nn.ReLU(),
            torch.nn.MaxPool2d(4),
        )
        self.head = torch.nn.Sequential(torch.nn.Linear(2048, 128), torch.nn.GELU(), torch.nn.Linear(128, 10))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.features(x).flatten(1))


def main(targets: list[str]) -> None:
    """Print what becomes of the network on each chip: kernels, their time and what limits them, and the error."""
    torch.manual_seed(0)
    module, x = Net().eval(), torch.randn(8, 3, 32, 32)
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "net.onnx"
        torch.onnx.export(module, (x,), path, dynamo=False, input_names=["x"], output_names=["y"])
        model = ascend_opt.from_onnx(path, precision="f16")  # the graph and its weights, for any chip
    with torch.no_grad():
        expected = module(x).numpy()
    for target in targets:
        program = ascend_opt.compile(model, target=target, tune=1)
        result = program.run(x=x.numpy())
        print(result.profile.summary)
        for kernel in result.profile.kernels:
            nodes = ", ".join(kernel.sources)
            print(f"  {kernel.time_us:6.1f} us, limited by {kernel.bottleneck.resource}: {nodes}")
        error = np.linalg.norm(result.outputs["y"] - expected) / np.linalg.norm(expected)
        print(f"  relative L2 error against PyTorch in f32: {error:.1e}")


if __name__ == "__main__":
    main(sys.argv[1:] or ["ascend910b", "ascend310p"])
