"""Everything that can go wrong around us, tried on purpose: `python -m tools.chaos`.

Runs are killed, bytes flipped, disks filled, pipes closed, and every command is fed files
that are almost valid. Each time the command must end with an exit code that
docs/contributing/reliability.md lists and at most one line of complaint, and finished work
must still be there.
"""
