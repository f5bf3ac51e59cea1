"""The world: cells, boards, views, clue models, rules, chance, and the referee of one game."""
