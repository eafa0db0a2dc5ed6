"""How much of a sweep runs."""

import os

ALL = os.environ.get("ASCEND_OPT_ALL") == "1"
"""Whether every case runs that a test has, not a sample: hours of tests. `ASCEND_OPT_ALL=1 pytest FILE` for one."""
