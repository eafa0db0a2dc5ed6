"""Instruction selection: how each tile op becomes instructions on buffers. Used by the pass `tile-to-ascend`."""
