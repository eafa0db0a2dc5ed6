"""Whose a pass is: other packages may register passes, which run beside ours."""

from xdsl.passes import ModulePass


def package_of(one: ModulePass) -> str:
    """The package that a pass is of."""
    return type(one).__module__.partition(".")[0]


def is_ours(one: ModulePass) -> bool:
    """Whether a pass is of this package."""
    return package_of(one) == __name__.partition(".")[0]


__all__ = ["is_ours", "package_of"]
