"""Forms in which a list leaves the archive: each module turns a `Listing` into bytes and knows nothing else."""
