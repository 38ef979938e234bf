"""The start of the command line, also as `python -m vestigia.cli`: Ctrl-C ends it cleanly from the first moment."""

import signal
import sys


def main() -> None:
    """Load the commands and run one. Loading takes a moment, and may be interrupted too."""
    try:
        from vestigia.cli.commands import app  # noqa: PLC0415  inside the guard
        from vestigia.cli.outcome import UNUSABLE, leave_output, say_trouble  # noqa: PLC0415
    except KeyboardInterrupt:
        sys.stderr.write("interrupted.\n")
        sys.exit(128 + signal.SIGINT)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # What a terminal cannot show is written out: a question mark would hide it, and an id be wrong.
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except OSError as error:  # of printing: all else was told before
        leave_output()
        say_trouble(error)
        sys.exit(UNUSABLE)


if __name__ == "__main__":
    main()
