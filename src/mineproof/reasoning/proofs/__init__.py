"""Why a cell is certain: smallest proofs, step by step.

`explain` proves one cell, `proofs` all certain cells. A finder (`finder`, and its twin in the
kernel) chooses the clues and the steps; `words` puts them into words.
"""

from __future__ import annotations

from mineproof.reasoning.proofs.explaining import PROOF_BUDGET, easiest, explain, proofs
from mineproof.reasoning.proofs.proof import Proof, ProofStep

__all__ = ["PROOF_BUDGET", "Proof", "ProofStep", "easiest", "explain", "proofs"]
