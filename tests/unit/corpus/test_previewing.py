"""Previews: what an import would do, and that nothing of it is done."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from vestigia.corpus.catalogue import Catalogue
from vestigia.corpus.importing import ImportOptions, import_path
from vestigia.corpus.previewing import FilePreview, preview_path
from vestigia.domain.errors import UsageError
from vestigia.domain.periods import label


@pytest.fixture
def catalogue(tmp_path: Path) -> Iterator[Catalogue]:
    opened = Catalogue(tmp_path / "catalogue.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "in"
    made.mkdir()
    (made / "a.csv").write_bytes(
        "Cote;Titre;Texte;Date\n".encode("cp1252")
        + b"".join(f"{n};Été {n};Où est {n} ?;{1880 + n}\n".encode("cp1252") for n in range(5))
    )
    (made / "b_1887-01-12.txt").write_text("Un jour.", encoding="utf-8")
    (made / "c.jpg").write_bytes(b"\xff\xd8\xff")
    (made / "d.jsonl").write_text('{"id": "X1", "text": "Un.", "lieu": "Metz"}\n{"te\n', encoding="utf-8")
    (made / "README").write_text("x", encoding="utf-8")
    return made


def previewed(catalogue: Catalogue, path: Path, options: ImportOptions | None = None) -> dict[str, FilePreview]:
    return {Path(one.report.file).name: one for one in preview_path(catalogue, path, options or ImportOptions())}


def test_the_report_is_that_of_the_import(catalogue: Catalogue, folder: Path):
    before = previewed(catalogue, folder)
    assert tuple(one.report for one in before.values()) == import_path(catalogue, folder).files


def test_nothing_is_imported_and_no_report_is_kept(catalogue: Catalogue, folder: Path):
    state = (catalogue.fingerprint, catalogue.batch)
    previewed(catalogue, folder)
    assert (catalogue.fingerprint, catalogue.batch) == state
    assert catalogue.sub_corpora() == ()
    assert list(catalogue.reports()) == []


def test_encoding_delimiter_and_columns_are_told(catalogue: Catalogue, folder: Path):
    found = previewed(catalogue, folder)
    (table,), (text,), (records,) = (found[name].layouts for name in ("a.csv", "b_1887-01-12.txt", "d.jsonl"))
    assert (table.encoding, table.delimiter) == ("cp1252", ";")
    assert table.columns == (("Cote", "id"), ("Titre", "title"), ("Texte", "text"), ("Date", "date"))
    assert (text.encoding, text.columns) == ("utf-8", ())
    assert records.columns == (("id", "id"), ("text", "text"), ("lieu", "details"))


def test_the_first_three_documents_are_shown_as_they_would_go_in(catalogue: Catalogue, folder: Path):
    first = previewed(catalogue, folder)["a.csv"].first
    assert [(one.id, one.title, label(one.dates[0])) for one in first] == [
        ("0", "Été 0", "1880"),
        ("1", "Été 1", "1881"),
        ("2", "Été 2", "1882"),
    ]
    assert previewed(catalogue, folder)["b_1887-01-12.txt"].first[0].sub_corpus == "in"


def test_what_the_user_says_counts(catalogue: Catalogue, folder: Path):
    options = ImportOptions("Presse", "fr", {"Cote": "title"}, name_patterns=("{title}_{date}",))
    found = previewed(catalogue, folder, options)
    assert found["a.csv"].layouts[0].columns[:2] == (("Cote", "title"), ("Titre", "details"))
    assert (found["a.csv"].first[0].sub_corpus, found["a.csv"].first[0].language) == ("Presse", "fr")
    assert found["b_1887-01-12.txt"].first[0].title == "b"


def test_what_would_be_refused_is_told(catalogue: Catalogue, folder: Path):
    found = previewed(catalogue, folder)
    assert "an image" in found["c.jpg"].report.skipped
    assert [one.place for one in found["d.jsonl"].report.refused] == ["line 2"]
    assert found["README"].report.skipped
    assert found["c.jpg"].layouts == found["c.jpg"].first == ()


def test_what_is_in_already_is_told(catalogue: Catalogue, folder: Path):
    import_path(catalogue, folder)
    found = previewed(catalogue, folder)
    assert (found["a.csv"].report.documents, found["a.csv"].report.unchanged) == (0, 5)
    assert len(found["a.csv"].first) == 3


def test_a_long_text_is_shown_by_its_beginning(catalogue: Catalogue, folder: Path):
    (folder / "long.txt").write_text("mot " * 100_000, encoding="utf-8")
    assert len(previewed(catalogue, folder / "long.txt")["long.txt"].first[0].text) == 1000


def test_a_path_that_is_not_there_and_a_senseless_pattern_are_usage_errors(catalogue: Catalogue, folder: Path):
    with pytest.raises(UsageError, match="no such file"):
        previewed(catalogue, folder / "absent")
    with pytest.raises(UsageError, match="has no field"):
        previewed(catalogue, folder, ImportOptions(name_patterns=("x",)))
