"""Texts of modules with one function, for tests of messages."""

X = "%x: tensor<64x64xf16>"


def graph(body: str, arguments: str = X) -> str:
    """A graph that returns `%y`."""
    return f"graph @f({arguments}) {{\n  {body}\n  return %y\n}}\n"


def mlir(body: str, signature: str = "(%x: tensor<4xf16>) -> tensor<4xf16>") -> str:
    """A function in MLIR."""
    return f"builtin.module {{\n  func.func @f{signature} {{\n    {body}\n  }}\n}}\n"
