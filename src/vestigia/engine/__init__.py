"""The imperative shell: performs effects, writes the ledger, resumes; the only place that waits."""
