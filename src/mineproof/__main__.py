"""`python -m mineproof`."""

from __future__ import annotations

import sys

from mineproof.cli import main

sys.exit(main())
