"""The entry point of `mineproof` and `python -m mineproof`.

Nothing else is imported before Ctrl-C is handled properly.
"""

from __future__ import annotations

import sys

from mineproof import interrupts


def start() -> int:
    """Run the command line of this process; return its exit code."""
    code = 130  # the exit code of a shell for a program stopped by Ctrl-C
    try:
        interrupts.listen()
        from mineproof.cli import main

        code = main()
        interrupts.ignore()
    except KeyboardInterrupt:
        interrupts.ignore()
    return code


if __name__ == "__main__":
    sys.exit(start())
