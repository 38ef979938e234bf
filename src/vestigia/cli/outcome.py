"""How a command ends: every error one message and one exit code, never a traceback."""

import os
import sys
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console

from vestigia.domain.errors import LedgerError, ModelUnavailableError, SourceRefusedError, UsageError, VestigiaError

FAILED, MISUSED, UNUSABLE, NO_MODEL, INTERRUPTED = 1, 2, 3, 4, 130

errors = Console(stderr=True, highlight=False)


def exit_code(error: VestigiaError) -> int:
    """Return the exit code of an error."""
    match error:
        case UsageError():
            return MISUSED
        case ModelUnavailableError():
            return NO_MODEL
        case LedgerError() | SourceRefusedError():
            return FAILED
        case _:
            return UNUSABLE


@contextmanager
def ending(resumable: str = "") -> Iterator[None]:
    """Turn errors and Ctrl-C into a message and an exit code; `resumable` says how to go on after them."""
    try:
        yield
    except VestigiaError as error:
        say_error(str(error))
        if isinstance(error, ModelUnavailableError) and resumable:
            say_error(resumable)
        raise typer.Exit(exit_code(error)) from error
    except KeyboardInterrupt as error:
        say_error("interrupted. " + (resumable or "Nothing stored was harmed; the same command goes on."))
        raise typer.Exit(INTERRUPTED) from error
    except BrokenPipeError:
        leave_output()
        raise typer.Exit(0) from None
    except OSError as error:  # what no part has words for: a folder that may not be read, a disk that is gone
        say_trouble(error)
        raise typer.Exit(UNUSABLE) from error


def say_error(message: str) -> None:
    """Print a message on standard error: no mark-up, and nothing in it that steers a terminal."""
    written = message.encode("utf-8", "backslashreplace").decode("utf-8")
    shown = "".join(c for c in written if c == "\n" or unicodedata.category(c) not in {"Cc", "Cf", "Cs"})
    errors.print(shown, markup=False, soft_wrap=True, style="bold red" if errors.is_terminal else None)


def say_trouble(error: OSError) -> None:
    """Say what the system says of a file or a disk."""
    place = f"{error.filename}: " if error.filename else ""
    say_error(f"{place}{error.strerror or error}. Check rights and free space, then run it again.")


def leave_output() -> None:
    """Stop printing: whoever reads has read enough, or nothing can be written."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
