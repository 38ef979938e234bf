"""People, at a terminal."""


def main() -> None:
    """Run the command line."""
