"""Readers, dates as read, passages and the catalogue."""
