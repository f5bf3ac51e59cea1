"""Tools for contributors, besides the tests: see `make help`."""
