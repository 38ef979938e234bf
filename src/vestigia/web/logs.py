"""The log of a server as lines of JSON, for programs that gather logs.

A line has when, how grave, who says it and what, in words that stand in our code: the values that are put into them are
left out, and of an error only its kind and the lines of code it passed. So no line can hold a question, a document, a
password, a token or an address with any of them. Who asked for what is in the access log of `--data`.
"""

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, TextIO

VISITS = logging.getLogger("vestigia.visits")
"""One line for each request: method, template of the route, status, seconds."""
FIELDS = ("method", "route", "status", "seconds", "mark")
"""What a record may bring with it: `mark` is the end of a run's name, which has nothing of its question."""
_OURS = ("vestigia", "uvicorn")


class Lines(logging.Formatter):
    """A record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        told: dict[str, Any] = {"time": time, "level": record.levelname.lower(), "logger": record.name}
        told["event"] = _words(record)
        told |= {name: getattr(record, name) for name in FIELDS if hasattr(record, name)}
        if record.exc_info and record.exc_info[0] is not None:
            kind, _, trace = record.exc_info
            told["error"] = f"{kind.__module__}.{kind.__qualname__}"
            told["at"] = [f"{one.name} ({one.filename}:{one.lineno})" for one in traceback.extract_tb(trace)]
        return json.dumps(told, ensure_ascii=True)


def as_lines(stream: TextIO | None = None) -> None:
    """Let everything that is logged from here on be such lines, on standard error."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(Lines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    VISITS.setLevel(logging.INFO)
    logging.captureWarnings(capture=True)


def _words(record: logging.LogRecord) -> str:
    """The words of a record before values came into them; of what others say, which may be anything, the place."""
    ours = record.name.partition(".")[0] in _OURS
    return str(record.msg) if ours else f"said at {record.module}:{record.lineno}"
