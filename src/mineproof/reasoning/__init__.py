"""From what was seen to what follows: knowledge, deductions, reasoners."""
