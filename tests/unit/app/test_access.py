"""Who sees what (B11): the open part of an archive never heard of what is closed, and no run shown names it."""

import json
import re
import shutil
from datetime import date
from pathlib import Path
from types import SimpleNamespace

import pytest

from vestigia.app import (
    archive,
    asking,
    auditing,
    care,
    comparing,
    curating,
    deciding,
    dossiers,
    encoders,
    reading_room,
    report,
    sets,
    surveying,
    works,
    workspace,
)
from vestigia.app import open_part as parts
from vestigia.app.access import View, home_of, view
from vestigia.app.archive import add, status
from vestigia.app.entries import calls, listed
from vestigia.app.open_part import STATE, open_part
from vestigia.app.searching import Manner, search
from vestigia.app.silence import silence_of
from vestigia.app.vocabulary import passport
from vestigia.app.workspace import OPEN_PART, Workspace, init, open_workspace
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.archive import Access
from vestigia.domain.effects import Expand, Matching, Weigh
from vestigia.domain.errors import ArchiveError, UsageError, VestigiaError
from vestigia.domain.ids import DocumentId
from vestigia.domain.question import Question
from vestigia.index.durable import only_writer
from vestigia.index.snapshot import Snapshot
from vestigia.ledger import mentions
from vestigia.models.encoders.hashing import HashingEncoder

SECRET, TITLE, PLACE, FILE = "Zyklotrimethylen", "Geheimbericht", "Verschwiegenheim", "verborgen.jsonl"
BRIDGE = "Der Gemeinderat beschließt den Bau einer neuen Brücke über die Alzette bei der Mühle und vertagt die Sitzung."
OPEN = [
    {"id": "V2", "text": BRIDGE, "date": "1887-05-02", "title": "Rat"},
    {
        "id": "V3",
        "text": "Das Hochwasser hat den Steg an der Brücke fortgerissen.",
        "date": "1888-01-09",
        "title": "Steg",
    },
]
CLOSED = [
    {"id": "V1", "text": f"Die Brücke über die Alzette wurde mit {SECRET} gesprengt.", "date": "1787-03-11",
     "title": TITLE, "rights": "closed", "place": PLACE, "language": "de"},
    {"id": "V0", "text": BRIDGE, "date": "1887-05-02", "title": "Abschrift", "rights": "gesperrt bis 2030-06-30"},
]  # fmt: skip
HIDDEN = ("V1", "V0")


@pytest.fixture(scope="module")
def encoder():
    return HashingEncoder()


def with_one_encoder(patch, encoder):
    for module in (archive, encoders):
        patch.setattr(module, "available", lambda: (encoder,))
        patch.setattr(module, "encoder", lambda _name: encoder)
    patch.setattr(asking, "available", lambda: (encoder,))


@pytest.fixture(autouse=True)
def one_encoder(monkeypatch, encoder):
    with_one_encoder(monkeypatch, encoder)


@pytest.fixture
def today(monkeypatch):
    """Turn the day."""

    def turn(year, month, day):
        class Day(date):
            @classmethod
            def today(cls):
                return date(year, month, day)

        monkeypatch.setattr(workspace, "date", Day)

    turn(2026, 11, 30)
    return turn


@pytest.fixture(scope="module")
def made(tmp_path_factory, encoder) -> Path:
    """An archive with two open and two closed letters; one is closed until 2030, and says what an open one says."""
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patch:
        with_one_encoder(patch, encoder)
        of = init(folder / "archive")
        for name, records in (("offen.jsonl", OPEN), (FILE, CLOSED)):
            path = folder / name
            path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records), encoding="utf-8")
            add(of, [path], ImportOptions(sub_corpus="Letters"))
        open_part(of)
    return of.root


@pytest.fixture
def whole(tmp_path, today, made) -> Workspace:
    """A copy of it, with its open part."""
    return open_workspace(Path(shutil.copytree(made, tmp_path / "archive")))


@pytest.fixture
def part(whole) -> Workspace:
    return view(whole).workspace


def catalogue(of: Workspace):
    return of.catalogue()


def ids(of: Workspace) -> list[str]:
    opened = of.catalogue()
    try:
        return list(opened.ids())
    finally:
        opened.close()


def everything(of: Workspace) -> str:
    """What is said of the words of the archive by all that can be asked without a run, as one text."""
    said: list[object] = [status(of), report.plain(report.coverage(of)), care.duplicates(of)]
    opened = of.catalogue()
    index = asking.open_index(of, opened)
    try:
        said += [opened.sub_corpora(), opened.reports(), opened.find(files=[FILE]), opened.spans("Letters")]
        said += [opened.accesses("Letters"), opened.documents([DocumentId("V1"), DocumentId("V0")])]
        said.append(index.weigh(Weigh(f"{SECRET} {PLACE} {TITLE}")))
        said += [index.expand(Expand(word, (), 8)) for word in (SECRET[:-1], SECRET, TITLE, "Brücke")]
    finally:
        opened.close()
    for channel in ("fused", *index.channels()):
        for query in (SECRET, TITLE, PLACE, f"{SECRET[:6]}x{SECRET[7:]}", "Brücke 11. März 1787", "Letters"):
            try:
                said.append(search(of, Question(query), channel, 50, Manner(expand=5)))
            except UsageError:
                continue  # a channel that reads no such query
    said.append(search(of, Question("zyklo*"), "fused", 50, Manner(matching=Matching.SYNTAX)))
    said.append(search(of, Question("(?i)zyklo"), "exact", 50, Manner(matching=Matching.PATTERN)))
    said.append(passport(of, ["zyklotrimethyle", "Brücke", TITLE]))
    return repr(said)


def test_whatever_is_asked_of_the_open_part_says_nothing_of_what_is_closed(whole, part):
    said = everything(part)
    known = ("V1", "V0", FILE, "gesprengt", "Abschrift")
    assert [word for word in known if word in said] == []
    # Not even that there are such words: each count of them is none.
    assert all(entry.attested.passages == 0 for entry in passport(part, [SECRET, TITLE]).entries)
    assert [word for word in known if word in everything(whole)] == list(known), "the test can tell the difference"


def test_the_open_part_counts_only_what_is_open(part):
    found = report.coverage(part)
    assert (found.documents, status(part).passages) == (2, 2)
    assert [(one.kind if hasattr(one, "kind") else one) for one in care.duplicates(part).clusters] == []
    first = passport(part, ["Brücke"]).windows[0]
    assert first.first >= date(1880, 1, 1).toordinal() - date(1970, 1, 1).toordinal(), "the axis begins where it does"


def test_no_file_of_the_open_part_holds_a_word_of_what_is_closed(part):
    words = [way.encode(code) for word in (SECRET, TITLE, PLACE, FILE, "gesprengt")
             for way in (word, word.casefold()) for code in ("utf-8", "utf-16-le")]  # fmt: skip
    files = [path for path in part.part.rglob("*") if path.is_file()]
    assert len(files) > 5
    assert not [path.name for path in files for word in words if word in path.read_bytes()]


def test_who_sees_what(whole):
    reader = view(whole)
    curator, asking_for_it = view(whole, may_see_closed=True), view(whole, may_see_closed=True, asks_for_closed=True)
    assert (ids(reader.workspace), reader.closed) == (["V2", "V3"], False)
    assert (ids(curator.workspace), curator.closed) == (["V2", "V3"], False), "each time a person asks for it"
    assert (ids(asking_for_it.workspace), asking_for_it.closed) == (["V0", "V1", "V2", "V3"], True)


def test_asking_for_what_one_may_not_see_helps_nobody(whole):
    assert ids(view(whole, may_see_closed=False, asks_for_closed=True).workspace) == ["V2", "V3"]


def test_where_nothing_is_closed_the_archive_is_its_own_open_part(tmp_path, today):
    made = init(tmp_path / "plain")
    path = tmp_path / "offen.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in OPEN), encoding="utf-8")
    add(made, [path], ImportOptions(sub_corpus="Letters"))
    assert view(made) == View(made)
    assert [path.name for path in (made.root / OPEN_PART).iterdir() if path.is_dir()] == []


def test_a_document_is_open_from_the_day_after_its_embargo(whole, today):
    today(2030, 6, 30)
    assert "V0" not in ids(view(whole).workspace)
    today(2030, 7, 1)
    assert "V0" in ids(view(whole).workspace)
    assert "V1" not in ids(view(whole).workspace)


def test_what_is_closed_now_is_closed_now(whole, part):
    assert "V2" in ids(part)
    care.describe(whole, "Letters", {"access": "closed"})
    assert ids(view(whole).workspace) == []
    with pytest.raises(UsageError, match="no document"):
        search(view(whole).workspace, Question("Brücke"), "fused", 10)


def test_what_comes_in_closed_never_was_in_the_open_part(whole, part, tmp_path):
    path = tmp_path / "more.jsonl"
    path.write_text(json.dumps({"id": "V9", "text": f"Noch mehr {SECRET}.", "rights": "vertraulich"}) + "\n")
    add(whole, [path], ImportOptions(sub_corpus="Letters"))
    assert ids(view(whole).workspace) == ["V2", "V3"]


def test_a_part_of_an_older_archive_is_never_used(whole, part):
    """Whoever cannot make it anew is told so; nobody is shown the old one."""
    care.describe(whole, "Letters", {"access": "closed"})
    with only_writer(whole.root / OPEN_PART, "preparing"), pytest.raises(ArchiveError, match="preparing"):
        view(whole)


def test_while_a_new_part_is_made_the_old_one_serves_if_it_shows_nothing_closed(whole, part, tmp_path):
    path = tmp_path / "more.jsonl"
    written = [
        {"id": "V7", "text": "Noch eine Brücke."},
        {"id": "V8", "text": "Noch ein Geheimnis.", "rights": "closed"},
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in written), encoding="utf-8")
    add(whole, [path], ImportOptions(sub_corpus="Letters"))
    with only_writer(whole.root / OPEN_PART, "preparing"):
        meanwhile = view(whole).workspace
        assert (meanwhile.part, ids(meanwhile)) == (part.part, ["V2", "V3"])
        assert meanwhile.hidden == {"V0", "V1", "V8"}, "runs that name what came in closed are hidden already"
        assert search(meanwhile, Question("Brücke"), "fused", 10).candidates
    assert ids(view(whole).workspace) == ["V2", "V3", "V7"]


def test_who_does_not_wait_meets_the_part_of_a_moment_ago_while_a_thread_makes_the_new_one(
    whole, part, tmp_path, monkeypatch
):
    threads = []

    def later(target, args, **_):
        threads.append((target, args))
        return SimpleNamespace(start=lambda: None)

    monkeypatch.setattr(parts, "Thread", later)
    path = tmp_path / "more.jsonl"
    path.write_text(json.dumps({"id": "V7", "text": "Noch eine Brücke."}) + "\n", encoding="utf-8")
    add(whole, [path], ImportOptions(sub_corpus="Letters"))
    assert ids(view(whole, wait=False).workspace) == ["V2", "V3"]
    assert ids(view(whole, wait=False).workspace) == ["V2", "V3"]
    assert len(threads) == 1, "one thread for an archive"
    threads[0][0](*threads[0][1])
    assert ids(view(whole, wait=False).workspace) == ["V2", "V3", "V7"]
    care.describe(whole, "Letters", {"genre": "letter"})
    view(whole, wait=False)
    assert len(threads) == 2, "and again when it changes again"


def test_who_does_not_wait_is_not_shown_what_was_closed_a_moment_ago(whole, part):
    care.describe(whole, "Letters", {"access": "closed"})
    assert ids(view(whole, wait=False).workspace) == []


def test_what_is_written_is_written_to_the_whole_archive(whole, part, tmp_path):
    path = tmp_path / "more.jsonl"
    path.write_text(json.dumps({"id": "V7", "text": "Noch eine Brücke."}) + "\n", encoding="utf-8")
    add(part, [path], ImportOptions(sub_corpus="Letters"))
    care.describe(view(whole).workspace, "Letters", {"genre": "letter"})
    care.rename(view(whole).workspace, "Letters", "Briefe")
    care.delete(view(whole).workspace, [DocumentId("V3")])
    assert ids(whole) == ["V0", "V1", "V2", "V7"]
    assert ids(view(whole).workspace) == ["V2", "V7"]
    opened = whole.catalogue()
    try:
        assert [(one.name, one.genre) for one in opened.sub_corpora()] == [("Briefe", "letter")]
    finally:
        opened.close()


def test_an_unreadable_state_is_made_anew(whole, part):
    (whole.root / OPEN_PART / STATE).write_text("{", encoding="utf-8")
    assert ids(view(whole).workspace) == ["V2", "V3"]


def test_looking_twice_makes_it_once(whole, part):
    assert view(whole).workspace == part
    assert open_part(whole).workspace.part == part.part
    assert len([path for path in (whole.root / OPEN_PART).iterdir() if path.is_dir()]) == 1


def test_what_is_deleted_is_deleted_from_the_open_part(whole, part):
    care.delete(whole, [DocumentId("V3")])
    word = b"fortgerissen"
    assert not [path for path in whole.root.rglob("*") if path.is_file() and word in path.read_bytes()]
    assert ids(view(whole).workspace) == ["V2"]


def test_sub_corpora_that_hold_nothing_open_are_not_named(whole, tmp_path):
    path = tmp_path / "akten.jsonl"
    path.write_text(json.dumps({"id": "A1", "text": "Akte", "rights": "closed"}) + "\n")
    add(whole, [path], ImportOptions(sub_corpus="Geheimakten"))
    care.describe(whole, "Geheimakten", {"description": "Akten des Geheimdienstes"})
    opened = view(whole).workspace
    assert "eheimakten" not in repr(status(opened))
    assert not [path for path in opened.part.rglob("*") if path.is_file() and b"Geheimdienst" in path.read_bytes()]


def test_meaning_is_searched_in_the_open_part_without_encoding_anew(part, encoder, monkeypatch):
    monkeypatch.setattr(type(encoder), "encode", lambda self, texts, kind: _only_queries(self, texts, kind, encode))
    assert Snapshot.open(part.index, (encoder,)).encoded() == {encoder.name: 2}
    found = search(part, Question("Brücke"), "meaning", 10)
    assert {one.document for one in found.candidates} == {"V2", "V3"}


encode = HashingEncoder.encode


def _only_queries(self, texts, kind, real):
    assert kind == "query", "passages have their vectors already"
    return real(self, texts, kind)


# Records of runs.


@pytest.fixture
def met(whole) -> str:
    """A run over the whole archive that met a closed document."""
    return asking.ask(whole, Question(f"Wurde die Brücke mit {SECRET} gesprengt?")).run


@pytest.fixture
def plain(whole, part) -> str:
    """A run over the open part."""
    return asking.ask(part, Question("Wer beschließt den Bau der Brücke?")).run


def test_a_run_over_the_open_part_met_nothing_closed(whole, part, plain):
    record = (whole.runs / plain / "ledger.jsonl").read_text(encoding="utf-8")
    assert not [name for name in HIDDEN if f'"{name}' in record]
    assert "V2" in record
    assert view(whole).workspace.run(plain) == plain


def test_a_run_that_met_closed_documents_is_neither_listed_nor_opened(whole, met, plain):
    reader = view(whole).workspace
    assert [row.run for row in reader.run_rows()] == reader.run_names() == [plain]
    with pytest.raises(UsageError) as refused:
        reader.run(met)
    unknown = "2026-01-01-no-such-run-abcdef"
    with pytest.raises(UsageError) as absent:
        reader.run(unknown)
    assert str(refused.value).replace(met, unknown) == str(absent.value), "whether there is one is not said either"
    curator = view(whole, may_see_closed=True).workspace
    assert curator.run_names() == [plain], "each time a person asks for it"
    curator = view(whole, may_see_closed=True, asks_for_closed=True).workspace
    assert set(curator.run_names()) == {met, plain}
    assert curator.run(met) == met


def test_a_run_is_carried_on_in_the_part_it_was_made_with(whole, part, met, plain):
    assert home_of(whole, plain).part == part.part
    assert home_of(whole, met) == whole
    asking.resume(home_of(whole, plain), plain)
    with pytest.raises(UsageError, match="no run is called"):
        asking.resume(part, met)


def test_a_beginning_of_a_name_and_the_last_are_those_of_the_runs_one_may_see(whole, plain, met):
    assert view(whole).workspace.run("last") == plain
    assert view(whole).workspace.run("2026") == plain if plain.startswith("2026") else True
    for name in ("", "../../etc", ".", met[:-3]):
        with pytest.raises(UsageError) as refused:
            view(whole).workspace.run(name)
        assert met not in str(refused.value)


@pytest.mark.parametrize(
    "does",
    [
        asking.show,
        asking.replay,
        asking.resume,
        asking.verify_run,
        listed,
        lambda of, run: calls(of, run, 3),
        silence_of,
        lambda of, run: comparing.compare(of, run, run),
        works.read,
        works.resume,
        curating.begin,
        sets.set_of,
        lambda of, run: auditing.draw(of, run, 5, of.root / "sample.csv"),
        lambda of, run: dossiers.seal(of, run, "sealed", "odile"),
        reading_room.laid_out,
        deciding.held,
        deciding.plan_of,
    ],
)
def test_nothing_is_done_with_a_run_that_one_may_not_see(whole, met, does):
    with pytest.raises(UsageError, match=r"no run is called|no run yet"):
        does(view(whole).workspace, met)


def test_no_module_goes_round_the_workspace_to_the_runs():
    """`find`, `runs` and `list_runs` know no visitor: the workspace alone asks them."""
    source = Path(workspace.__file__).parents[1]
    for path in (
        sorted(source.glob("app/**/*.py")) + sorted(source.glob("cli/**/*.py")) + sorted(source.glob("web/**/*.py"))
    ):
        if path.name not in {"workspace.py", "replaying.py"}:  # that one reads a deposit, which is nobody's archive
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"ledger\.naming import .*\b(find|runs)\b|\blist_runs\b", text), path.name


def test_what_builds_on_a_hidden_run_is_hidden(whole, met):
    built = curating.begin(whole, met).run
    assert built not in {row.run for row in view(whole).workspace.run_rows()}


def test_a_run_is_hidden_from_the_moment_its_source_is_closed(whole, plain):
    care.describe(whole, "Letters", {"access": "closed"})
    assert view(whole).workspace.run_rows() == ()


def test_a_record_that_cannot_be_read_is_not_shown(whole, plain):
    ledger = whole.runs / plain / "ledger.jsonl"
    ledger.write_text("no json\n", encoding="utf-8")
    assert view(whole).workspace.run_rows() == ()


def test_a_run_at_work_is_shown_while_its_last_line_is_being_written(whole, plain):
    ledger = whole.runs / plain / "ledger.jsonl"
    with ledger.open("ab") as file:
        file.write(b'{"number": 99, "bo')
    assert [row.run for row in view(whole).workspace.run_rows()] == [plain]


def test_a_last_line_that_names_something_closed_counts_before_it_ends(whole, plain):
    ledger = whole.runs / plain / "ledger.jsonl"
    with ledger.open("ab") as file:
        file.write(b'{"document": "V1"}')
    assert view(whole).workspace.run_rows() == ()


def test_what_a_run_over_the_open_part_shows_says_nothing_of_what_is_closed(whole, part, plain):
    said = repr([listed(part, plain), silence_of(part, plain), asking.show(part, plain)])
    assert [word for word in (SECRET, TITLE, PLACE, FILE, "1787", "V1", "V0") if word in said] == []


def test_surveys_of_the_open_part_meet_nothing_closed(whole, part):
    work = surveying.survey(part, Question("Brücke"), surveying.Plan(windows="50y"))
    record = (whole.runs / work.run / "ledger.jsonl").read_text(encoding="utf-8")
    assert not [name for name in HIDDEN if f'"{name}' in record]


def test_the_whole_archive_is_as_it_was(whole, part, met):
    opened = whole.catalogue()
    try:
        assert [card.access for card in opened.documents([DocumentId("V1"), DocumentId("V2")])] == [
            Access.CLOSED,
            Access.UNKNOWN,
        ]
    finally:
        opened.close()
    assert comparing.compare(whole, met, met)["both"]
    assert not [error for error in _problems(whole) if error]


def _problems(of: Workspace) -> list[str]:
    try:
        asking.verify_run(of, "last")
    except VestigiaError as error:
        return [str(error)]
    return []


def test_the_words_of_a_record_are_found_wherever_they_stand(tmp_path):
    run = tmp_path / "2026-01-01-a-abcdef"
    run.mkdir()
    for line, hidden in (
        ({"a": [{"b": ["x", "V1"]}]}, True),
        ({"hits": ["V1#0-12"]}, True),
        ({"V1": 1}, True),
        ({"body": "V1 says so"}, False),
        ({"reason": "V1"}, False),
        ({"note": "V1", "tag": "V1", "nested": {"text": "V1"}}, False),
        ({"reason": ["V1"]}, True),
        ({"document": "V1", "note": "seen"}, True),
        ({"hits": ["V11#0-12", "V2"]}, False),
    ):
        (run / "ledger.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
        mentions._named.cache_clear()
        assert mentions.names_any(tmp_path, run.name, frozenset({"V1"})) is hidden, line


def test_a_chain_of_runs_is_followed_to_its_end_even_in_a_ring(tmp_path):
    names = [f"2026-01-0{number}-a-abcdef" for number in range(1, 4)]
    for number, name in enumerate(names):
        (tmp_path / name).mkdir()
        body = {"parent": names[(number + 1) % 3], "document": "V1" if number == 2 else "V2"}
        (tmp_path / name / "ledger.jsonl").write_text(json.dumps(body) + "\n", encoding="utf-8")
    assert mentions.names_any(tmp_path, names[0], frozenset({"V1"}))
    assert not mentions.names_any(tmp_path, names[0], frozenset({"V7"}))


def test_the_folder_of_the_open_part_is_in_the_archive(part, whole):
    assert Path(part.part).parent == whole.root / OPEN_PART
