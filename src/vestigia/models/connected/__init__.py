"""Language models behind a network address: hosted ones, and servers of one's own."""
