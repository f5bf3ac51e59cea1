"""Everything that can go wrong around us, tried on purpose: `python -m tests.chaos`.

Runs are killed, bytes flipped, disks filled, pipes closed, and every command is fed files
that are almost what it takes. Each time the answer must be an exit code that
docs/reliability.md names and at most one line of complaint, and what was finished before
must still be there.
"""
