"""Memory allocation: offsets in one space for buffers with known lifetimes.

A `Problem` goes in, a `Plan` comes out of `allocate`, and `validate` checks it without sharing a line with the
solvers. Nothing here knows the IR.
"""

from .problem import Buffer, Plan, Problem, Progress
from .solve import allocate
from .validate import InvalidPlanError, validate

__all__ = ["Buffer", "InvalidPlanError", "Plan", "Problem", "Progress", "allocate", "validate"]
