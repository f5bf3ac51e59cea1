"""Reasoning: knowledge about a game, deductions, reasoners and probabilities."""
