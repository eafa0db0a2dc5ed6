"""From tiles to instructions: which cores run a kernel, in which order they take its tiles, and how each tile op
becomes instructions on buffers. Used by the passes `tile-partition`, `tile-pipeline` and `tile-to-ascend`."""
