"""Searching the archive: channels side by side over derived data that can be rebuilt at any time.

`build` writes the words of passages, `encode` their vectors, `snapshot` opens both as the Index port.
"""
