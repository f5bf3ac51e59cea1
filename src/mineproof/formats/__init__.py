"""Text and file formats of boards, positions and games."""
