"""Page images that lie on this machine: found by the name a source gives them, and scaled.

A name is a source's word and is not trusted: it leads to a file only inside the folder the source's own file lies in,
or the folder above it where that is one of texts (`page/0001.xml` beside `0001.jpg`), or a folder that the settings
name. What is handed on is a picture drawn anew here, never the bytes of a file.
"""

import struct
import warnings
from io import BytesIO
from pathlib import Path, PurePosixPath
from threading import Semaphore
from typing import BinaryIO

from vestigia.app.workspace import Workspace
from vestigia.corpus.archives import MemberSource, Shelf, members_of
from vestigia.corpus.sources import FileSource
from vestigia.domain.archive import Access
from vestigia.domain.errors import SettingsError, UsageError

WIDTHS = (400, 900, 1800, 3600)
"""Widths in pixels in which a page is given."""
_TEXT_FOLDERS = frozenset({"page", "alto", "xml", "hocr", "ocr", "text", "txt", "pagexml", "altos", "fulltext"})
_FORMATS = ("JPEG", "PNG", "TIFF", "WEBP", "GIF", "JPEG2000", "BMP")
_MOST_PIXELS, _MOST_BYTES = 150_000_000, 512 * 2**20
_AT_ONCE = Semaphore(2)
_BROKEN = (OSError, ValueError, SyntaxError, MemoryError, ArithmeticError, LookupError, EOFError, struct.error)
"""What is raised over a damaged picture, or a damaged archive it lies in."""


def size(workspace: Workspace, file: str, image: str) -> tuple[int, int] | None:
    """Width and height in pixels of a page image, or None where it is not at hand or is none."""
    try:
        from PIL import Image  # noqa: PLC0415  a part of the extra `web`
    except ImportError:
        return None
    try:
        with (
            Shelf() as shelf,
            _opened(workspace, file, image, shelf) as stream,
            Image.open(stream, formats=_FORMATS) as picture,
        ):
            return picture.size if picture.width * picture.height <= _MOST_PIXELS else None
    except (UsageError, Warning, Image.DecompressionBombError, *_BROKEN):
        return None


def scaled(workspace: Workspace, file: str, image: str, width: int) -> bytes:
    """A page image as JPEG, at most `width` pixels wide (one of `WIDTHS`, else the next smaller one).

    `file` is the file of the source, `image` the name it gives the image. Raises UsageError where it is not at hand
    or cannot be read as an image.
    """
    try:
        from PIL import Image, ImageOps  # noqa: PLC0415
    except ImportError as error:
        raise SettingsError("page images need Pillow.", remedy='Install it: `pip install "vestigia[web]"`.') from error
    wide = max((one for one in WIDTHS if one <= width), default=WIDTHS[0])
    written = BytesIO()
    try:
        with _AT_ONCE, Shelf() as shelf, _opened(workspace, file, image, shelf) as stream, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(stream, formats=_FORMATS) as picture:
                if picture.width * picture.height > _MOST_PIXELS:
                    raise UsageError("the image is too large to be drawn.", where=image, remedy="Make it smaller.")
                high = max(1, round(picture.height * wide / picture.width))
                picture.draft("RGB", (wide, high))
                drawn = picture.convert("RGB")
                drawn.thumbnail((wide, high), Image.Resampling.LANCZOS)
                ImageOps.exif_transpose(drawn).save(written, "JPEG", quality=82, progressive=True)
    except (Image.DecompressionBombError, *_BROKEN) as error:
        raise UsageError(
            "the page image cannot be read.", where=image, remedy="Put a complete copy in its place."
        ) from error
    return written.getvalue()


def is_free(workspace: Workspace, file: str, image: str) -> bool:
    """Whether no closed document stands on the page, too: its text could be read off the picture (B11)."""
    catalogue = workspace.whole.catalogue()
    try:
        beside = catalogue.documents(catalogue.find(files=[file]))
        closed = (catalogue.document(card.id) for card in beside if card.access is Access.CLOSED)
        return not any(one.image == image for whole in closed if whole is not None for one in whole.anchors)
    finally:
        catalogue.close()


def is_remote(image: str) -> bool:
    """Whether the name of an image is an address of another machine."""
    return image.startswith(("https://", "http://"))


def _opened(workspace: Workspace, file: str, image: str, shelf: Shelf) -> BinaryIO:
    """Open the image. Raises UsageError, which names no folder."""
    lacking = UsageError("the page image is not at hand.", remedy="Name its folder in the settings: [images] folders.")
    if not image or is_remote(image) or "\0" in image:
        raise lacking
    for found in _candidates(workspace, file, image, shelf):
        if found is not None and _is_small(found):
            return found.open()
    raise lacking


def _is_small(found: FileSource | MemberSource) -> bool:
    if isinstance(found, MemberSource):
        return found.archive.members[found.member].file_size <= _MOST_BYTES
    return found.path.stat().st_size <= _MOST_BYTES


def _candidates(workspace: Workspace, file: str, image: str, shelf: Shelf) -> list[FileSource | MemberSource | None]:
    """Where the image may lie; each of them inside a folder that it may be taken from."""
    name = PurePosixPath(image.replace("\\", "/")).name
    member = _member(file, shelf)
    if member is not None:
        beside = [member.sibling(image), member.sibling(name)]
        return [*beside, member.sibling(f"../{name}") if _is_of_texts(PurePosixPath(member.member).parent) else None]
    path = Path(file)
    own = FileSource(path, file)
    found: list[FileSource | MemberSource | None] = []
    if path.is_absolute() or path.exists():
        found += [own.sibling(image), own.sibling(name)]
    if _is_of_texts(path.parent):
        found.append(FileSource(path, file, path.parent.parent).sibling(f"../{name}"))
    for folder in workspace.settings.images.folders:
        inside = FileSource(workspace.root / folder / "x", "x", workspace.root / folder)
        found += [inside.sibling(image), inside.sibling(name)]
    return found


def _is_of_texts(folder: Path | PurePosixPath) -> bool:
    return folder.name.casefold() in _TEXT_FOLDERS


def _member(file: str, shelf: Shelf) -> MemberSource | None:
    """The file of a source, where it lies in a zip archive that is still there."""
    for parent in PurePosixPath(file).parents:
        if parent.name.casefold().endswith(".zip") and Path(parent).is_file():
            there = members_of(Path(parent), str(parent), shelf)
            return next((one for one in there if isinstance(one, MemberSource) and one.name == file), None)
    return None
