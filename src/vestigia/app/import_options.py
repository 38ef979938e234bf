"""What is typed about files to be taken in, as the import wants it."""

import codecs

from vestigia.app.questions import legible
from vestigia.corpus.importing import ImportOptions
from vestigia.corpus.languages import language_code
from vestigia.domain.errors import UsageError


def options_of(sub_corpus: str, language: str, columns: list[str], encoding: str = "") -> ImportOptions:
    """Make import options of what was typed.

    Raises UsageError for a column that is not `COLUMN=FIELD`, a language or an encoding that is none.
    """
    legible("the name of the sub-corpus", sub_corpus)
    code = language_code(language)
    if code and not (len(code) in {2, 3} and code.isascii() and code.isalpha()):
        raise UsageError(
            f"{language!r} is no language that is known.",
            where="--language",
            remedy="Give its code of two or three letters (ISO 639), e.g. de, fr, gsw.",
        )
    mapping = {}
    for column in columns:
        name, found, field = column.partition("=")
        if not found or not name.strip() or not field.strip():
            raise UsageError(
                f"{column!r} does not say which column is what.",
                where="--column",
                remedy="Write --column COLUMN=FIELD, e.g. --column corps=text.",
            )
        mapping[name.strip()] = field.strip()
    return ImportOptions(sub_corpus, language, mapping, encoding=_encoding(encoding))


def _encoding(typed: str) -> str:
    """Return the name by which an encoding is known. Raises UsageError for what is none of text."""
    try:
        "".encode(typed or "utf-8")
        return codecs.lookup(typed).name if typed else ""
    except (LookupError, ValueError) as error:
        raise UsageError(
            f"{typed!r} is no encoding that is known.",
            where="--encoding",
            remedy="Name one, e.g. cp1252 (Windows), latin-1, mac-roman, cp850 (DOS), utf-16.",
        ) from error
