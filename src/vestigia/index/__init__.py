"""Channels: words, characters, meaning, date and exact, searched on an immutable snapshot."""
