"""Test collections, measures and reports; sees runs only as values."""
