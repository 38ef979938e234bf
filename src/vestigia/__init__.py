"""Accountable source discovery in digital archives."""
