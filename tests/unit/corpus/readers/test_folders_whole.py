"""Whole folders as they come from archives: every file is accounted for, and a second time changes nothing."""

from pathlib import Path

import pytest

from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.importing import FileReport, ImportReport, import_path

pytestmark = pytest.mark.shared
SAID = {
    "commons_written_answers_1889_08_21.xml": "not well-formed",
    "housecommons_1889_08_21.xml": "1887-08-21",
    "housecommons_empty.xml": "no text",
    "commons_with_date_repeated.xml": "3 sittings",
    "housecommons_example.xml": "Motor Vehicle Emissions",
}


def add_twice(tmp_path: Path, folder: Path) -> tuple[ImportReport, ImportReport]:
    catalogue = Catalogue(tmp_path / "catalogue.sqlite")
    reports = import_path(catalogue, folder), import_path(catalogue, folder)
    catalogue.close()
    return reports


def by_name(report: ImportReport) -> dict[str, FileReport]:
    return {Path(one.file).name: one for one in report.files}


def told(file: FileReport) -> str:
    said = [file.failure, file.skipped, *(one.reason for one in (*file.refused, *file.warnings))]
    return " ".join(one for one in said if one)


@pytest.mark.parametrize(
    ("folder", "documents"),
    [("iiif-newspaper-de", 1), ("hansard-xml-en", 97), ("date-strings", 0), ("debats-1881-txt-fr", 1)],
)
def test_a_folder_goes_in_once_dated_and_whole(tmp_path: Path, shared_data: Path, folder: str, documents: int):
    first, second = add_twice(tmp_path, shared_data / folder)
    assert (first.total("documents"), first.total("dated"), first.total("undated")) == (documents, documents, 0)
    assert (second.total("documents"), second.total("unchanged")) == (0, documents)
    assert all(one.documents or told(one) for one in first.files)
    assert [told(one) for one in first.files] == [told(one) for one in second.files]


def test_each_odd_debate_has_its_line_in_the_report(tmp_path: Path, shared_data: Path):
    files = by_name(add_twice(tmp_path, shared_data / "hansard-xml-en")[0])
    assert {name for name, file in files.items() if told(file) and not file.skipped} == set(SAID)
    assert all(words in told(files[name]) for name, words in SAID.items())


def test_the_issue_is_one_document_and_its_other_files_are_parts_of_it(tmp_path: Path, shared_data: Path):
    files = by_name(add_twice(tmp_path, shared_data / "iiif-newspaper-de")[0])
    assert files["newspaper_issue_1-manifest.json"].documents == 1
    for name in ("newspaper_issue_1-anno_p1.json", "newspaper_issue_1-alto_p1.xml"):
        assert files[name].skipped.endswith("newspaper_issue_1-manifest.json")
    assert "no document of its own" in told(files["newspaper_title-collection.json"])
