"""Why a cell is certain: smallest proofs, told step by step."""
