"""Configuration of `lit tests/lit`; works from any directory and without an activated environment."""

import os
import sys
import sysconfig
import tempfile

import lit.formats

config.name = "ascend-opt"  # noqa: F821
config.test_format = lit.formats.ShTest(execute_external=False)  # noqa: F821
config.suffixes = [".mlir", ".test"]  # noqa: F821
config.test_source_root = os.path.dirname(__file__)  # noqa: F821
config.test_exec_root = os.path.join(tempfile.gettempdir(), f"ascend-opt-lit-{os.getuid()}")  # noqa: F821

scripts = os.pathsep.join([os.path.dirname(sys.executable), sysconfig.get_path("scripts")])
config.environment["PATH"] = scripts + os.pathsep + os.environ.get("PATH", "")  # noqa: F821
