"""`python -m mineproof`, and the program `mineproof`.

Nothing is imported here before Ctrl-C is heard as it should be.
"""

from __future__ import annotations

import sys

from mineproof import interrupts


def start() -> int:
    """Run the command of this process; its exit code."""
    code = 130  # what a shell gives for a program that Ctrl-C ended
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
