"""The append-only, hash-chained log that is the run."""
