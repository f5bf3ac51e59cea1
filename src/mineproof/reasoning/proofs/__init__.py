"""Why a cell is certain: smallest proofs, told step by step.

`explain` answers for one cell, `proofs` for all that are certain. A finder (`finder`, and its
twin in the kernel) chooses the clues and the steps; `words` tells them.
"""

from __future__ import annotations

from mineproof.reasoning.proofs.proof import Proof, ProofStep, easiest, explain, proofs

__all__ = ["Proof", "ProofStep", "easiest", "explain", "proofs"]
