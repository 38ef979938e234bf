"""The reader that the documents offer as a template keeps the contract that every reader keeps."""

import inspect

import pytest

from contract import test_reader as contract
from contract.test_reader import Sample
from docs.pages import ROOT, blocks
from fakes.sources import source
from vestigia.domain.archive import Document
from vestigia.domain.periods import label
from vestigia.domain.ports import Reader

SOUND = b"Paris, 12 janvier 1887\nMon cher ami.\n%\nLyon, s.d.\nOui.\n"
CHECKS = [
    check for name, check in inspect.getmembers(contract, inspect.isfunction)
    if name.startswith("test_") and list(inspect.signature(check).parameters) == ["sample"]
]  # fmt: skip


@pytest.fixture(scope="module")
def reader() -> Reader:
    (template,) = [one for one in blocks(ROOT / "docs" / "importing.md") if one.language == "python"]
    names: dict[str, Reader] = {"__name__": "template"}  # type: ignore[dict-item]
    exec(compile(template.text, template.page, "exec"), names)
    return names["READER"]


def test_the_contract_has_checks():
    assert len(CHECKS) >= 10


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_template_keeps_the_contract(reader: Reader, check):
    check(Sample(reader, "a.letters", SOUND, 2, SOUND.replace(b"Mon cher ami.", b" "), 1))


def test_the_template_reads_dates_and_tells_what_it_cannot_read(reader: Reader):
    one, other, note = reader.read(source("a.letters", SOUND))
    assert isinstance(one, Document)
    assert isinstance(other, Document)
    assert (label(one.dates[0]), other.dates, note.kept) == ("1887-01-12", (), True)
