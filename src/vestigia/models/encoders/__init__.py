"""Encoders: text in, unit vectors out. Their weights are inside their packages, so nothing is fetched."""
