"""The functional core: discover (TRACE), its fold and its views. It decides; it never acts."""
