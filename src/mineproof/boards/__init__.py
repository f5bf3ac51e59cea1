"""Generating and grading boards, and the best possible play on small ones."""
