"""One module for each kind of file; each reads records into documents and refusals."""
