"""Looking after an archive: what is deleted is gone from every channel and every file, what is said is kept."""

import json
from pathlib import Path

import pytest

from vestigia.app import archive, asking, care, encoders
from vestigia.app.archive import add, status
from vestigia.app.care import Selection
from vestigia.app.searching import Manner, search
from vestigia.app.workspace import Workspace, init
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.archive import Access
from vestigia.domain.effects import SOURCE, Matching, Weigh
from vestigia.domain.errors import ArchiveError, UsageError
from vestigia.domain.ids import DocumentId
from vestigia.domain.question import Question
from vestigia.index.snapshot import Snapshot
from vestigia.models.encoders.hashing import HashingEncoder

SECRET = "Zyklotrimethylen"
LETTERS = [
    {"id": "V1", "text": f"Die Brücke über die Alzette wurde mit {SECRET} gesprengt.", "date": "1887-03-11"},
    {"id": "V2", "text": "Der Gemeinderat beschließt den Bau einer neuen Brücke.", "date": "1887-05-02"},
    {"id": "V3", "text": "Das Hochwasser hat den Steg fortgerissen.", "date": "1888-01-09"},
]


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    """An archive of three letters, with an encoder that needs no weights."""
    encoder = HashingEncoder()
    for module in (archive, encoders):
        monkeypatch.setattr(module, "available", lambda: (encoder,))
        monkeypatch.setattr(module, "encoder", lambda _name: encoder)
    monkeypatch.setattr(asking, "available", lambda: (encoder,))
    made = init(tmp_path / "archive")
    add(made, [source(tmp_path, LETTERS)], ImportOptions(sub_corpus="Letters"))
    return made


def source(folder: Path, records: list[dict[str, str]], name: str = "letters.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records), encoding="utf-8")
    return path


def channels(workspace: Workspace) -> tuple[str, ...]:
    return Snapshot.open(workspace.index, archive.available()).channels()


def found(workspace: Workspace, query: str, channel: str) -> list[str]:
    return [one.document for one in search(workspace, Question(query), channel, 10).candidates]


def files_with(root: Path, word: str) -> list[str]:
    """Every file of the archive whose bytes hold the word in some way it could be written, folded and cut too."""
    ways = [
        way.encode(coding)
        for way in (word, word.casefold(), word.casefold()[:7])
        for coding in ("utf-8", "utf-16-le", "utf-32-le")
    ]
    return [
        path.relative_to(root).as_posix()
        for path in sorted(root.rglob("*"))
        if path.is_file() and any(way in path.read_bytes() for way in ways)
    ]


def test_before_it_is_deleted_a_word_is_in_the_files_and_found(workspace: Workspace):
    assert "catalogue.sqlite" in " ".join(files_with(workspace.root, SECRET))
    assert any(name.startswith("index/") for name in files_with(workspace.root, SECRET))
    assert found(workspace, SECRET, "words") == ["V1"]


def test_a_deleted_document_is_found_by_no_channel_and_no_file_holds_its_word(workspace: Workspace):
    before = channels(workspace)
    deleted = care.delete(workspace, [DocumentId("V1")])
    assert deleted == care.Deleted(1, ())
    assert channels(workspace) == before
    for channel in ("words", "exact"):
        assert found(workspace, SECRET, channel) == []
    for channel in ("fused", "characters", "meaning"):
        assert "V1" not in found(workspace, SECRET, channel)
    assert "V1" not in found(workspace, "11 März 1887", "date")
    assert files_with(workspace.root, SECRET) == []
    assert (status(workspace).documents, status(workspace).stale) == (2, False)


WAYS = [
    (SECRET, Manner()),
    (SECRET, Manner(strict=True)),
    (SECRET.replace("o", "a", 1), Manner(fuzzy=2)),
    (SECRET, Manner(expand=5)),
    (SECRET, Manner(windows="1y")),
    (f'"{SECRET} gesprengt" OR {SECRET[:6]}* OR {SECRET}~1', Manner(matching=Matching.SYNTAX)),
    (f"text:{SECRET} NEAR/3 gesprengt", Manner(matching=Matching.SYNTAX)),
    (SECRET.upper(), Manner(matching=Matching.FOLDED)),
    (f"{SECRET[:4]}[a-z]+", Manner(matching=Matching.PATTERN)),
    ("11 März 1887", Manner()),
]
"""Every way in which a query can be read."""


def hits(workspace: Workspace, query: str, manner: Manner) -> dict[str, list[str]]:
    """What each channel that reads a query in a manner finds, and all of them together.

    The source channel is left out: of one sub-corpus no query can name a part. It reads what characters does.
    """
    only = {Matching.SYNTAX: ["words"], Matching.FOLDED: ["exact"], Matching.PATTERN: ["exact"]}
    dated = "1887" in query
    names = [name for name in channels(workspace) if name != SOURCE and (dated or name != "date")]
    return {
        name: [one.document for one in search(workspace, Question(query), name, 10, manner).candidates]
        for name in ("fused", *only.get(manner.matching, names))
    }


@pytest.mark.parametrize(("query", "manner"), WAYS)
def test_no_channel_and_no_manner_finds_what_was_deleted_and_all_do_when_it_is_added_again(
    workspace: Workspace, tmp_path: Path, query: str, manner: Manner
):
    before = hits(workspace, query, manner)
    assert "V1" in before["fused"]
    care.delete(workspace, [DocumentId("V1")])
    after = hits(workspace, query, manner)
    assert after.keys() == before.keys()
    assert [name for name, found in after.items() if "V1" in found] == []
    add(workspace, [tmp_path / "letters.jsonl"], ImportOptions(sub_corpus="Letters"))
    assert hits(workspace, query, manner) == before


def test_the_ways_tried_reach_every_channel_there_is(workspace: Workspace):
    reached = {
        name for query, manner in WAYS for name, found in hits(workspace, query, manner).items() if "V1" in found
    }
    assert reached == {"fused", *channels(workspace)} - {SOURCE}


def test_the_vocabulary_does_not_know_what_was_deleted(workspace: Workspace):
    def known() -> list[int]:
        snapshot = Snapshot.open(workspace.index, archive.available())
        return [term.documents for term in snapshot.weigh(Weigh(SECRET)).terms]

    assert known() == [1]
    care.delete(workspace, [DocumentId("V1")])
    assert known() == [0]


def test_the_vectors_of_a_deleted_document_are_gone_and_those_of_the_others_are_kept(workspace: Workspace):
    def rows() -> int:
        from vestigia.index.vectors import open_parts

        (encoder,) = archive.available()
        return sum(len(part.texts) for part in open_parts(workspace.index, encoder))

    assert rows() == 3
    care.delete(workspace, [DocumentId("V1")])
    assert rows() == 2
    assert status(workspace).encoders == {"hashing": 2}


def test_deleting_everything_leaves_an_archive_that_can_be_filled_again(workspace: Workspace, tmp_path: Path):
    whole = status(workspace)
    assert care.delete(workspace, [DocumentId(one["id"]) for one in LETTERS]).documents == 3
    assert status(workspace).documents == 0
    for record in LETTERS:
        assert files_with(workspace.root, record["text"].split()[-1].strip(".")) == []
    add(workspace, [tmp_path / "letters.jsonl"], ImportOptions(sub_corpus="Letters"))
    assert status(workspace) == whole


def test_what_is_added_again_has_the_same_id_and_passages(workspace: Workspace, tmp_path: Path):
    before = search(workspace, Question(SECRET), "words", 1)
    care.delete(workspace, [DocumentId("V1")])
    add(workspace, [tmp_path / "letters.jsonl"], ImportOptions(sub_corpus="Letters"))
    after = search(workspace, Question(SECRET), "words", 1)
    assert after.passages == before.passages
    assert after.cards == before.cards


def test_a_deletion_that_was_cut_short_is_made_good_by_the_next_add(workspace: Workspace, tmp_path: Path):
    catalogue = workspace.catalogue()
    with catalogue.writing():
        catalogue.delete([DocumentId("V1")])
    catalogue.close()
    assert files_with(workspace.root, SECRET)
    with pytest.raises(Exception, match="older than the catalogue"):
        found(workspace, SECRET, "words")
    add(workspace, [source(tmp_path, [], "empty.jsonl")], ImportOptions())
    assert files_with(workspace.root, SECRET) == []
    assert found(workspace, SECRET, "words") == []


def test_while_another_program_reads_the_catalogue_the_deletion_says_that_traces_are_left(workspace: Workspace):
    reader = workspace.catalogue()
    reader.store.connection.execute("BEGIN")
    reader.store.read("SELECT * FROM documents")
    with pytest.raises(ArchiveError, match="still holds what was deleted"):
        care.delete(workspace, [DocumentId("V1")])
    assert files_with(workspace.root, SECRET)
    reader.close()
    assert care.delete(workspace, []).documents == 0
    assert files_with(workspace.root, SECRET) == []


def test_documents_are_selected_by_id_file_and_sub_corpus(workspace: Workspace, tmp_path: Path):
    folder = tmp_path / "minutes"
    folder.mkdir()
    add(workspace, [source(folder, [{"id": "M1", "text": "Sitzung."}])], ImportOptions(sub_corpus="minutes"))
    whole = (tmp_path / "letters.jsonl").as_posix()
    for selection, names in (
        (Selection(documents=("V2", "M1")), ["M1", "V2"]),
        (Selection(files=(whole,)), ["V1", "V2", "V3"]),
        (Selection(files=(folder.as_posix(),)), ["M1"]),
        (Selection(sub_corpora=("minutes",)), ["M1"]),
        (Selection(documents=("V2",), sub_corpora=("minutes",)), ["M1", "V2"]),
    ):
        assert [card.id for card in care.selected(workspace, selection)] == names


@pytest.mark.parametrize(
    "selection",
    [
        Selection(documents=("V1", "V9")),
        Selection(files=("letters",)),
        Selection(sub_corpora=("Letter",)),
    ],
)
def test_what_is_not_there_cannot_be_selected(workspace: Workspace, selection: Selection):
    with pytest.raises(UsageError, match="there is no") as caught:
        care.selected(workspace, selection)
    assert "nothing was deleted" in caught.value.remedy


def test_what_a_person_says_of_a_sub_corpus_is_kept_and_shown_and_the_index_stays_usable(workspace: Workspace):
    care.describe(workspace, "Letters", {"genre": "private letters", "languages": ("de", "lb")})
    described = care.describe(workspace, "Letters", {"rights": "CC BY 4.0", "source": "Stadtarchiv"})
    assert described.genre == "private letters"
    (shown,) = status(workspace).sub_corpora
    assert (shown.genre, shown.languages, shown.rights, shown.source) == (
        "private letters",
        ("de", "lb"),
        "CC BY 4.0",
        "Stadtarchiv",
    )
    assert not status(workspace).stale
    assert care.describe(workspace, "Letters", {"genre": ""}).genre == ""


def test_what_may_be_done_is_said_by_a_known_name(workspace: Workspace):
    assert care.describe(workspace, "Letters", {"access": "closed"}).access is Access.CLOSED
    assert search(workspace, Question(SECRET), "words", 1).cards[0].access is Access.CLOSED
    with pytest.raises(UsageError, match="'shut' does not say") as caught:
        care.describe(workspace, "Letters", {"access": "shut"})
    assert "no-third-party-model" in caught.value.remedy
    assert care.describe(workspace, "Letters", {"access": ""}).access is Access.UNKNOWN


def test_a_sub_corpus_that_is_not_there_cannot_be_described_or_renamed(workspace: Workspace):
    for act in (
        lambda: care.describe(workspace, "Letter", {"genre": "x"}),
        lambda: care.rename(workspace, "Letter", "Briefe"),
    ):
        with pytest.raises(UsageError, match="no sub-corpus 'Letter'"):
            act()


def test_a_renamed_sub_corpus_is_searched_by_its_new_name_and_keeps_what_was_said_of_it(
    workspace: Workspace, tmp_path: Path
):
    care.describe(workspace, "Letters", {"genre": "private letters"})
    assert care.rename(workspace, "Letters", "Briefe") == 3
    assert [(one.name, one.genre) for one in status(workspace).sub_corpora] == [("Briefe", "private letters")]
    assert found(workspace, SECRET, "words") == ["V1"]
    assert search(workspace, Question(SECRET, ("Briefe",)), "words", 1).cards[0].sub_corpus == "Briefe"
    added = add(workspace, [tmp_path / "letters.jsonl"], ImportOptions(sub_corpus="Letters"))
    assert (added.reports[0].total("unchanged"), added.indexed) == (3, 0)


def test_a_replaced_text_is_found_as_it_is_now_and_the_old_one_goes_with_a_deletion_of_nothing(
    workspace: Workspace, tmp_path: Path
):
    changed = [LETTERS[0] | {"text": "Die Brücke wurde gesprengt."}, *LETTERS[1:]]
    report = add(workspace, [source(tmp_path, changed)], ImportOptions(sub_corpus="Letters", update=True)).reports[0]
    assert (report.total("updated"), report.total("unchanged")) == (1, 2)
    assert found(workspace, SECRET, "words") == found(workspace, SECRET, "exact") == []
    assert "V1" in found(workspace, "gesprengt", "words")
    care.delete(workspace, [])
    assert files_with(workspace.root, SECRET) == []


def test_the_runs_that_name_a_deleted_document_are_told(workspace: Workspace):
    answer = asking.ask(workspace, Question(f"Wer hat die Brücke mit {SECRET} gesprengt?"))
    other = asking.ask(workspace, Question("Was sagt das Hochwasser?", ("Letters",)))
    deleted = care.delete(workspace, [DocumentId("V1")])
    assert answer.run in deleted.runs
    assert set(deleted.runs) <= {answer.run, other.run}
    assert care.runs_naming(workspace, [DocumentId("V")]) == ()
    assert asking.verify_run(workspace, answer.run).sound
    assert asking.replay(workspace, answer.run).finished


def test_duplicates_are_found_as_soon_as_documents_are_in(workspace: Workspace, tmp_path: Path):
    assert care.duplicates(workspace) == care.Duplicates((), ())
    text = " ".join(one["text"] for one in LETTERS) + " Der Bürgermeister dankt allen, die geholfen haben."
    add(
        workspace,
        [
            source(
                tmp_path,
                [{"id": "N1", "text": text, "date": "1890"}, {"id": "N2", "text": text.upper(), "date": "1891"}],
                "n.jsonl",
            )
        ],
        ImportOptions(),
    )
    (cluster,) = care.duplicates(workspace).clusters
    assert (cluster.kind, [one.card.id for one in cluster.members]) == ("reprint", ["N1", "N2"])
    care.delete(workspace, [DocumentId("N1")])
    assert care.duplicates(workspace).clusters == ()
