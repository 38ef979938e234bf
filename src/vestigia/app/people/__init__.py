"""The people of a server: accounts, sessions, roles, tokens, and what is written down of their visits."""
