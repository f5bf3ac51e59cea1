"""Everything that can go wrong around the program, provoked on purpose: `python -m tools.chaos`.

Runs are killed, bytes flipped, disks filled, pipes closed, and every command gets files that are
almost valid. Each time the command must end with an exit code listed in
docs/contributing/reliability.md and print at most one line of complaint, and finished work must
still be there.
"""
