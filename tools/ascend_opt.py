"""`ascend-opt`: read graph text or MLIR text, run passes on it, print it."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Entry point of `ascend-opt`; returns the exit code. Without arguments those of the process, which then ends."""
    try:
        from ..runtime.support.collector import leave_to_system, seldom_collecting
        from ..runtime.support.streams import open_streams

        open_streams()
        arguments = sys.argv[1:] if argv is None else argv
        with seldom_collecting():  # the imports, too
            from ..compiler.drivers.early_model import early_reader
            from ..compiler.workers.copies import ctrl_c_later

            with early_reader(arguments) as reader:
                with ctrl_c_later():  # Python loses it where it comes at certain points of an import
                    from ..compiler.drivers.driver import run_tool
                code = run_tool(arguments, reader)
            if argv is None:
                leave_to_system()
            return code
    except KeyboardInterrupt:  # before the driver is there to see it
        return 130


if __name__ == "__main__":
    sys.exit(main())
