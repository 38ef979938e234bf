"""The start of the command line, also as `python -m vestigia.cli`: Ctrl-C ends it cleanly from the first moment."""

import signal
import sys


def main() -> None:
    """Load the commands and run one. Loading takes a moment, and may be interrupted too."""
    try:
        from vestigia.cli.commands import app  # noqa: PLC0415  inside the guard
    except KeyboardInterrupt:
        sys.stderr.write("interrupted.\n")
        sys.exit(128 + signal.SIGINT)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    app()


if __name__ == "__main__":
    main()
