"""The emulated chips as a backend of the `onnx` package; see `ascend_opt.compiler.drivers.onnx_backend`."""

from .compiler.drivers.onnx_backend import AscendBackend, NotSupported, prepare, run_model, supports_device

__all__ = ["AscendBackend", "NotSupported", "prepare", "run_model", "supports_device"]
