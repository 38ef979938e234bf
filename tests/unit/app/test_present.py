"""What is shown of a run: withdrawn, replaced and closed sources without a word of their texts."""

import json
from pathlib import Path

import pytest

from vestigia.app import archive, asking, care, encoders, present
from vestigia.app.archive import add
from vestigia.app.present import without_quotes
from vestigia.app.search_view import search_plain
from vestigia.app.workspace import Workspace, init
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.archive import Passage
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.domain.question import Question
from vestigia.models.encoders.hashing import HashingEncoder

QUESTION = Question("Wer hat die Brücke über die Alzette gesprengt?")
LETTERS = [
    {"id": "V1", "text": "Die Brücke über die Alzette wurde von Pionieren gesprengt.", "date": "1887-03-11"},
    {"id": "V2", "text": "Der Gemeinderat beschließt den Bau einer neuen Brücke über die Alzette.", "date": "1887"},
]


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    encoder = HashingEncoder()
    for module in (archive, encoders):
        monkeypatch.setattr(module, "available", lambda: (encoder,))
        monkeypatch.setattr(module, "encoder", lambda _name: encoder)
    monkeypatch.setattr(asking, "available", lambda: (encoder,))
    made = init(tmp_path / "archive")
    add(made, [source(tmp_path, LETTERS)], ImportOptions(sub_corpus="Letters"))
    return made


def source(folder: Path, records: list[dict[str, str]]) -> Path:
    path = folder / "letters.jsonl"
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records), encoding="utf-8")
    return path


def shown(workspace: Workspace, run: str, *, closed: bool = False) -> dict[str, present.Plain]:
    catalogue = workspace.catalogue()
    page = present.answer(asking.show(workspace, run), catalogue, closed=closed)
    catalogue.close()
    return {row["document"]: row for row in (*page["ranking"], *page["held"], *page["removed"])}


def test_as_long_as_nothing_changed_everything_is_shown(workspace: Workspace):
    run = asking.ask(workspace, QUESTION).run
    row = shown(workspace, run)["V1"]
    assert (row["withheld"], row["access"]) == (None, None)
    assert [passage["text"] for passage in row["passages"]] == [LETTERS[0]["text"]]
    assert [passage["withheld"] for passage in row["passages"]] == [None]


def words_of(row: present.Plain) -> str:
    return json.dumps({**row, "title": "", "citation": ""}, ensure_ascii=False)


def test_of_a_deleted_document_the_run_shows_title_and_path_but_no_text_nor_quotation(workspace: Workspace):
    run = asking.ask(workspace, QUESTION).run
    assert "Pionieren" in words_of(shown(workspace, run)["V1"])
    care.delete(workspace, [DocumentId("V1")])
    rows = shown(workspace, run)
    assert rows["V1"]["withheld"] == "withdrawn"
    assert rows["V1"]["title"]
    assert rows["V1"]["passages"][0] == {
        "id": "V1#0-58",
        "start": None,
        "end": None,
        "text": None,
        "quote": None,
        "quote_check": None,
        "pages": None,
        "quote_lines": None,
        "withheld": "withdrawn",
    }
    assert "Pionieren" not in words_of(rows["V1"])
    assert rows["V2"]["withheld"] is None
    assert asking.verify_run(workspace, run).sound
    assert asking.replay(workspace, run).finished


def test_a_document_added_again_as_it_was_is_shown_again(workspace: Workspace, tmp_path: Path):
    run = asking.ask(workspace, QUESTION).run
    before = shown(workspace, run)
    care.delete(workspace, [DocumentId("V1")])
    add(workspace, [tmp_path / "letters.jsonl"], ImportOptions(sub_corpus="Letters"))
    assert shown(workspace, run) == before


def test_a_text_of_the_same_length_in_its_place_is_not_shown_as_what_the_run_read(workspace: Workspace, tmp_path: Path):
    run = asking.ask(workspace, QUESTION).run
    changed = LETTERS[0] | {"text": LETTERS[0]["text"].replace("Pionieren", "Passanten")}
    add(workspace, [source(tmp_path, [changed, LETTERS[1]])], ImportOptions(sub_corpus="Letters", update=True))
    row = shown(workspace, run)["V1"]
    assert row["withheld"] == "replaced"
    assert "Pionieren" not in words_of(row)
    assert "Passanten" not in words_of(row)
    again = asking.ask(workspace, QUESTION).run
    assert "Passanten" in words_of(shown(workspace, again)["V1"])


def test_a_document_only_described_anew_is_shown(workspace: Workspace, tmp_path: Path):
    run = asking.ask(workspace, QUESTION).run
    described = [one | {"title": "Brief"} for one in LETTERS]
    add(workspace, [source(tmp_path, described)], ImportOptions(sub_corpus="Letters", update=True))
    assert shown(workspace, run)["V1"]["withheld"] is None


def test_the_text_of_a_closed_document_is_shown_only_when_asked_for(workspace: Workspace):
    run = asking.ask(workspace, QUESTION).run
    care.describe(workspace, "Letters", {"access": "closed"})
    row = shown(workspace, run)["V1"]
    assert (row["withheld"], row["passages"][0]["text"]) == ("closed", None)
    assert "Pionieren" not in words_of(row)
    opened = shown(workspace, run, closed=True)["V1"]
    assert (opened["withheld"], opened["passages"][0]["text"]) == (None, LETTERS[0]["text"])


def test_a_search_finds_a_closed_document_and_shows_its_text_only_when_asked_for(workspace: Workspace):
    from vestigia.app.searching import search

    care.describe(workspace, "Letters", {"rights": "Gesperrt bis 2040"})
    found = search(workspace, Question("Pionieren"), "words", 1)
    (hit,) = search_plain("Pionieren", found)["hits"]
    assert (hit["document"], hit["access"], hit["withheld"], hit["passage"]["text"]) == ("V1", "closed", "closed", None)
    (opened,) = search_plain("Pionieren", found, closed=True)["hits"]
    assert (opened["withheld"], opened["passage"]["text"]) == (None, LETTERS[0]["text"])


@pytest.mark.parametrize(
    ("reason", "left"),
    [
        ("2 of 3 words; words #1: “the bridge was blown up”", "2 of 3 words; words #1: “…”"),
        ("says „gesprengt“ and «sauté»", "says “…” and “…”"),
        ('names "Pioniere" twice', "names “…” twice"),
        ("cut off: “the bridge was", "cut off: “…”"),
        ("date fits", "date fits"),
        ("", ""),
    ],
)
def test_what_a_reason_quotes_is_left_out(reason: str, left: str):
    assert without_quotes(reason) == left


@pytest.mark.parametrize(
    ("quote", "check"), [("the bridge", "exact"), ("The  BRIDGE", "same after folding"), ("a ship", "altered")]
)
def test_a_quotation_is_held_against_its_passage(quote: str, check: str):
    held = Passage(PassageId("a#0-18"), DocumentId("a"), 0, 18, "We saw the bridge.")

    assert present.passage(held.id, held, quote)["quote_check"] == check


@pytest.mark.parametrize(
    ("file", "shown"),
    [
        ("letters/1887.jsonl", "letters/1887.jsonl"),
        ("/srv/data/letters/1887.jsonl", "letters/1887.jsonl"),
        ("C:/data/letters.zip/a.xml", "letters.zip/a.xml"),
        ("/a.txt", "a.txt"),
    ],
)
def test_a_file_is_cited_without_the_folders_of_a_machine(file, shown):
    assert present.file_shown(file) == shown
