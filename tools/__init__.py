"""What contributors run besides the tests: see `make help`."""
