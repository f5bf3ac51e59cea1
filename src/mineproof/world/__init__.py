"""The model: cells, boards, views, clue models, rules, random streams and the referee."""
