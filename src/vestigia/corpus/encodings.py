"""Which encoding a file is in, and only when there is no doubt: a wrong guess falsifies every word with an accent.

UTF-8 proves itself, and a byte order mark says so. The single-byte encodings of Western Europe never fail to decode,
so they are tried against each other: a reading counts where every character beyond ASCII is one that such text has,
in a place where it can stand, and where no rival reads the bytes as well with another result. Anything else is refused,
unless the user says which encoding it is.
"""

import codecs
import re

from vestigia.corpus.sources import MEGABYTE, read_whole, said_of
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ports import Source

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
GUESSED = ("cp1252", "mac_roman", "cp850", "utf-16-le", "utf-16-be")
"""Encodings that no mark proves; a file read in one of them is reported."""

_HEAD = 4096
_FEWEST = 8
_LETTERS = "àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿœšžßÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝŸŒŠŽ"
_USUAL = set("éèêëàâäçïîôöùûüœæßáíóúñåøÉÈÊÀÂÄÇÎÔÖÙÛÜŒÆÅØÑ«»“”„‘’–—…°§¡¿€£\xa0")
_SMALL = "a-zß-öø-ÿœ"
# A letter stands in or at a word, and no capital follows a small letter; a sign stands where print puts it.
_IN_PLACE = re.compile(
    rf"(?<![{_SMALL}])[{_LETTERS}](?!\d)|(?<=[{_SMALL}])[{_LETTERS.lower()}](?![A-Z\d])"
    r"|[’‘–—…•·†©®™§\xad]|(?<![^\W\d_])[«»‹›“”„‚]|[«»‹›“”„‚](?![^\W\d_])"
    r"|(?<=[\d\s])°|(?<=[nNrR])°(?=[\s\d])|(?<=\d)[½¼¾²³]|(?<![^\W\d_])[€£](?![^\W\d_])|(?<!\w)[¡¿](?=\w)"
    r"|(?<!\w)\xa0|\xa0(?!\w)|(?<=\d)\xa0|\xa0(?=\d)"
)
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_UNPRINTED = re.compile(r"[\x00-\x08\x0e-\x1f]")


def detect(source: Source) -> str:
    """Return the encoding of a source: `utf-8`, `utf-8-sig`, `utf-16`, `utf-32`, one of `GUESSED`, or the user's.

    A file of Unicode is read in portions to its end, any other whole. Raises SourceRefusedError when there is doubt,
    and when the file breaks off inside a character.
    """
    with source.open() as stream:
        head = stream.read(_HEAD)
    marked = next((encoding for mark, encoding in _MARKS if head.startswith(mark)), "")
    encoding = marked or _unmarked_wide(head) or "utf-8"
    problem = _first_undecodable(source, encoding)
    if problem is None:
        return encoding
    byte, broken_off = problem
    if encoding == "utf-8" and said_of(source).encoding:
        return _as_said(source, said_of(source).encoding)
    if broken_off:
        raise SourceRefusedError(
            f"the file is {encoding} and breaks off inside a character (byte {byte}): its end is missing.",
            where=source.name,
            remedy="Take the original file again.",
        )
    if encoding != "utf-8":
        raise SourceRefusedError(
            f"the file says it is {encoding} but byte {byte} is not.",
            where=source.name,
            remedy="Save it as UTF-8 and add it again.",
        )
    return _single_byte(read_whole(source), source.name)


def _as_said(source: Source, encoding: str) -> str:
    problem = _first_undecodable(source, encoding)
    if problem is None:
        return encoding
    raise SourceRefusedError(
        f"the file is neither UTF-8 nor {encoding}, as --encoding says: byte {problem[0]} is not.",
        where=source.name,
        remedy="Add it by itself under another encoding, or save it as UTF-8.",
    )


def _unmarked_wide(head: bytes) -> str:
    """Return UTF-16 without a mark, told by the zeros that Western text has in every second byte."""
    if len(head) < _FEWEST:
        return ""
    for encoding, zeros, others in (("utf-16-le", head[1::2], head[::2]), ("utf-16-be", head[::2], head[1::2])):
        if zeros.count(0) > 0.8 * len(zeros) and others.count(0) == 0:
            return encoding
    return ""


def _first_undecodable(source: Source, encoding: str) -> tuple[int, bool] | None:
    """Return (byte, whether the file only breaks off there) of what is not of this encoding, or None when all is.

    A last byte that could begin a character of UTF-8 is a letter of a single-byte encoding where it is the only one.
    """
    decoder = codecs.getincrementaldecoder(encoding)()
    done, proven = 0, encoding != "utf-8"
    with source.open() as stream:
        while True:
            portion, pending = stream.read(MEGABYTE), len(decoder.getstate()[0])
            try:
                proven = not decoder.decode(portion, final=not portion).isascii() or proven
            except UnicodeDecodeError as error:
                return done - pending + error.start, not portion and proven
            done += len(portion)
            if not portion:
                return None


def begin_of(head: bytes) -> str:
    """Return the beginning of a file as text, for a first look at it: what cannot be decoded is shown as U+FFFD."""
    encoding = next((encoding for mark, encoding in _MARKS if head.startswith(mark)), "") or _unmarked_wide(head)
    return head.decode(encoding or "utf-8", "replace")


def decode(source: Source) -> tuple[str, str]:
    """Return (text, encoding) of a source read whole, without byte order mark and with line ends as `\\n`.

    Raises SourceRefusedError when it is empty, too large, in no encoding that is beyond doubt, or no text at all.
    """
    content = read_whole(source)
    encoding = detect(source)
    text = content.decode(encoding)
    if len(_UNPRINTED.findall(text)) > 1 + len(text) // 100:
        raise SourceRefusedError(
            "the file is not text: more than one character in a hundred cannot be printed.",
            where=source.name,
            remedy="If it is text, save it as UTF-8 and add it again.",
        )
    return text.replace("\r\n", "\n").replace("\r", "\n"), encoding


def _single_byte(content: bytes, name: str) -> str:
    if _reads_well(content, "cp1252"):
        return "cp1252"
    rivals = [encoding for encoding in ("mac_roman", "cp850") if _reads_well(content, encoding)]
    if len(rivals) != 1:
        raise SourceRefusedError(
            f"the file is not UTF-8{_first_bad(content)} and its encoding cannot be told without doubt.",
            where=name,
            remedy="Name it (--encoding cp1252 is what Windows writes) and look at the characters beyond a-z with "
            "--preview; or save it as UTF-8 in an editor.",
        )
    return rivals[0]


def _reads_well(content: bytes, encoding: str) -> bool:
    """Whether every character beyond ASCII stands where it can, and nine in ten are usual ones."""
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError:
        return False
    beyond = _BEYOND_ASCII.findall(text)
    in_place = len(_IN_PLACE.findall(text))
    return in_place == len(beyond) and sum(character in _USUAL for character in beyond) >= 0.9 * len(beyond)


def _first_bad(content: bytes) -> str:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return f" (byte {content[error.start]:#04x} in line {line})"
    return ""
