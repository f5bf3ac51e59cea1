"""Why a cell is certain: smallest proofs, told step by step.

`explain` answers for one cell, `proofs` for all that are certain. A finder (`finder`, and its
twin in the kernel) chooses the clues and the steps; `words` tells them.
"""

from __future__ import annotations

from mineproof.reasoning.proofs.explaining import PROOF_BUDGET, easiest, explain, proofs
from mineproof.reasoning.proofs.proof import Proof, ProofStep

__all__ = ["PROOF_BUDGET", "Proof", "ProofStep", "easiest", "explain", "proofs"]
