"""Texts and files that boards and documents are kept in."""
