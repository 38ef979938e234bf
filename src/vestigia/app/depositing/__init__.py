"""Depositing runs: what leaves an archive, and what can be checked of it anywhere (B9)."""
