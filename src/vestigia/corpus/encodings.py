"""Which encoding a file is in, and only when there is no doubt: a wrong guess falsifies every word with an accent.

UTF-8 proves itself, and a byte order mark says so. The single-byte encodings of Western Europe never fail to decode,
so they are tried against each other: a reading counts where every character beyond ASCII is one that such text has,
in a place where it can stand, and where no rival reads the bytes as well with another result. Anything else is refused.
"""

import codecs
import re

from vestigia.corpus.sources import MEGABYTE, read_whole
from vestigia.domain.errors import SourceRefusedError
from vestigia.domain.ports import Source

_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
          (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
GUESSED = ("cp1252", "mac_roman", "cp850")
"""Encodings that no mark proves; a file read in one of them is reported."""

_LETTERS = "àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿœšžßÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝŸŒŠŽ"
_USUAL = set("éèêëàâäçïîôöùûüœæßáíóúñåøÉÈÊÀÂÄÇÎÔÖÙÛÜŒÆÅØÑ«»“”„‘’–—…°§¡¿\xa0")
_SMALL = "a-zß-öø-ÿœ"
# A letter stands in or at a word, and no capital follows a small letter; a sign stands where print puts it.
_IN_PLACE = re.compile(
    rf"(?<![{_SMALL}])[{_LETTERS}](?!\d)|(?<=[{_SMALL}])[{_LETTERS.lower()}](?![A-Z\d])"
    r"|[’‘–—…•·†©®™§\xad]|(?<![^\W\d_])[«»‹›“”„‚]|[«»‹›“”„‚](?![^\W\d_])"
    r"|(?<=[\d\s])°|(?<=[nNrR])°(?=[\s\d])|(?<=\d)[½¼¾²³]|[€£](?=\s?\d)|(?<=\d)[€£]|(?<!\w)[¡¿](?=\w)"
    r"|(?<!\w)\xa0|\xa0(?!\w)|(?<=\d)\xa0|\xa0(?=\d)")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
_UNPRINTED = re.compile(r"[\x00-\x08\x0e-\x1f]")


def detect(source: Source) -> str:
    """Return the encoding of a source: `utf-8`, `utf-8-sig`, `utf-16`, `utf-32`, `cp1252`, `mac_roman` or `cp850`.

    A file of UTF-8 is read in portions, any other whole. Raises SourceRefusedError when there is doubt.
    """
    with source.open() as stream:
        head = stream.read(4)
        stream.seek(0)
        for mark, encoding in _MARKS:
            if head.startswith(mark):
                return encoding
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            while portion := stream.read(MEGABYTE):
                decoder.decode(portion)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return _single_byte(read_whole(source), source.name)
    return "utf-8"


def decode(source: Source) -> tuple[str, str]:
    """Return (text, encoding) of a source read whole, without byte order mark and with line ends as `\\n`.

    Raises SourceRefusedError when it is empty, too large, in no encoding that is beyond doubt, or no text at all.
    """
    content = read_whole(source)
    encoding = detect(source)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise SourceRefusedError(f"the file says it is {encoding} but byte {error.start} is not.", where=source.name,
                                 remedy="Save it as UTF-8 and add it again.") from error
    if len(_UNPRINTED.findall(text)) > 1 + len(text) // 100:
        raise SourceRefusedError("the file is not text: more than one character in a hundred cannot be printed.",
                                 where=source.name, remedy="If it is text, save it as UTF-8 and add it again.")
    return text.replace("\r\n", "\n").replace("\r", "\n"), encoding


def _single_byte(content: bytes, name: str) -> str:
    if _reads_well(content, "cp1252"):
        return "cp1252"
    rivals = [encoding for encoding in ("mac_roman", "cp850") if _reads_well(content, encoding)]
    if len(rivals) != 1:
        raise SourceRefusedError(f"the file is not UTF-8{_first_bad(content)} and its encoding cannot be told without "
                                 "doubt.", where=name, remedy="Open it in an editor, check the characters beyond a-z, "
                                 "save it as UTF-8 and add it again.")
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
