"""Indices: numbers where they are known while compiling, else values of the IR."""

from xdsl.ir import SSAValue

Idx = int | SSAValue
