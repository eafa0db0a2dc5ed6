"""Triton functions through the compilers of the extra `triton`; without it only the message about that is tested."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from ascend_opt.triton import TritonError, emulate

INSTALLED = find_spec("triton") is not None and find_spec("ascendnpuir") is not None
needs_triton = pytest.mark.skipif(not INSTALLED, reason="the extra triton is not installed")


@pytest.mark.skipif(INSTALLED, reason="the extra triton is installed")
def test_without_the_extra_a_message_says_what_to_install():
    with pytest.raises(TritonError, match=r"pip install 'ascend-opt\[triton\]'"):
        emulate(len)[1]()
