"""Random graphs of all ops, run on the emulator and compared with onnxruntime (docs/testing.md).

steering    which ops follow each other: the least covered pairs first
drawing     a graph along such a path, its inputs and what it must give
generators  a call of every op on a given value
oracle      what an op gives, by onnxruntime or by its definition in numpy; nothing of this project's
running     compiles and runs a graph, and says how it came out
reduction   the smallest graph that comes out alike
"""
