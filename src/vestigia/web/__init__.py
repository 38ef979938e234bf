"""The workbench in a browser (not built yet)."""
