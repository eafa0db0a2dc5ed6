"""ONNX's backend interface: `prepare(model, device)` compiles, `run(inputs)` emulates.

    from ascend_opt import onnx_backend
    (y,) = onnx_backend.prepare(model, "ascend910b").run([x])

A device is the name of a chip. Inputs that a node needs when the model is compiled (shapes, axes, pads) are taken from
the first run, and the model is compiled anew where they change.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from onnx.backend.base import Backend, BackendRep

from ...dialects.target import DEFAULT_TARGET, TargetError
from ..api import CompileError, Program, compile
from ..onnx.imported import ImportedModel
from ..onnx.importer import import_model
from ..onnx.options import ImportOptions
from ..onnx.unsupported import UnsupportedModel

Array = NDArray[Any]


class NotSupported(Exception):
    """A model that this backend cannot run, and why."""


class EmulatedModel(BackendRep):
    """A model on a chip; compiled when it is run first."""

    def __init__(self, model: Any, target: str, precision: str | None = None, fuse: bool = True):
        self.model, self.target, self.precision, self.fuse = model, target, precision, fuse
        self._constants: dict[str, Array] = {}
        self._compiled: tuple[ImportedModel, Program] | None = None

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Array, ...]:
        """The results for inputs in the order of the model's. Raises NotSupported, HazardError."""
        names = [value.name for value in self.model.graph.input]
        weights = {tensor.name for tensor in self.model.graph.initializer}
        names = [name for name in names if name not in weights]
        given: dict[str, Array] = (
            cast(Any, inputs) if isinstance(inputs, dict) else dict(zip(names, inputs, strict=False))
        )
        imported, program = self._program(given)
        arrays = {new: given[old] for new, old in zip(imported.inputs, self._left(names), strict=True)}
        return tuple(program.run(arrays).outputs.values())

    def _left(self, names: Sequence[str]) -> list[str]:
        return [name for name in names if name not in self._constants]

    def _program(self, given: dict[str, Array]) -> tuple[ImportedModel, Program]:
        changed = any(not np.array_equal(given[name], kept) for name, kept in self._constants.items())
        if self._compiled is None or changed:
            self._constants = {name: given[name] for name in self._constants}
            self._compiled = self._import(given)
        return self._compiled

    def _import(self, given: dict[str, Array]) -> tuple[ImportedModel, Program]:
        while True:
            try:
                options = ImportOptions(precision=self.precision, constants=self._constants)
                imported = import_model(self.model, options)
                return imported, compile(imported, self.target, self.fuse, tune=1)
            except UnsupportedModel as error:
                more = [name for name in error.needed if name in given and name not in self._constants]
                if not more:
                    raise NotSupported(str(error)) from error
                self._constants |= {name: given[name] for name in more}
            except (CompileError, TargetError) as error:
                if "internal error" in str(error):
                    raise
                raise NotSupported(str(error)) from error


class AscendBackend(Backend):
    """The emulated chips as a backend; `prepare` takes `precision` and `fuse` beside the model and the device."""

    @classmethod
    def prepare(cls, model: Any, device: str = DEFAULT_TARGET, **kwargs: Any) -> EmulatedModel:
        return EmulatedModel(model, device, kwargs.get("precision"), kwargs.get("fuse", True))

    @classmethod
    def run_model(
        cls, model: Any, inputs: Any, device: str = DEFAULT_TARGET, **kwargs: Any
    ) -> tuple[Any, ...]:
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        from ...dialects.target import load_target

        try:
            load_target(device)
        except TargetError:
            return False
        return True


prepare = AscendBackend.prepare
run_model = AscendBackend.run_model
supports_device = AscendBackend.supports_device

__all__ = [
    "AscendBackend",
    "EmulatedModel",
    "NotSupported",
    "prepare",
    "run_model",
    "supports_device",
]
