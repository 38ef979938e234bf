"""Plug-ins that fail: whatever they raise is told as theirs, a file is refused, a run can be resumed."""

import asyncio
import sys
from dataclasses import dataclass, replace

import numpy as np
import pytest

from vestigia.app import encoders, models, plugins
from vestigia.app.archive import add, available_readers
from vestigia.app.guards import GuardedEncoder, GuardedModel, GuardedReader, guarded_reader
from vestigia.app.settings import Settings
from vestigia.app.workspace import Workspace
from vestigia.corpus.importing import ImportOptions
from vestigia.corpus.readers.tables import TablesReader
from vestigia.domain.archive import Document, Provenance
from vestigia.domain.effects import Replied
from vestigia.domain.errors import ModelUnavailableError, SettingsError, UsageError
from vestigia.domain.ids import DocumentId, digest
from vestigia.domain.ports import server_of
from vestigia.domain.question import Question
from vestigia.domain.requests import PlanRequest, Reading


@dataclass
class Point:
    """An entry point that loads `part`, or raises it."""

    name: str
    part: object
    value: str = "package:PART"

    def load(self) -> object:
        if isinstance(self.part, BaseException):
            raise self.part
        return self.part


def install(monkeypatch: pytest.MonkeyPatch, *points: Point) -> None:
    monkeypatch.setattr(plugins, "entry_points", lambda group: points)


def boom(*_: object, **__: object) -> None:
    raise RuntimeError("boom")


class Lines:
    """A reader of `.lines` that fails at the line `boom`, sniffs badly at `sniff`, and yields nonsense at `odd`."""

    name = "lines"

    def sniff(self, name: str, head: bytes) -> bool:
        if b"sniff" in head:
            boom()
        return name.endswith(".lines")

    def read(self, source):
        with source.open() as stream:
            content = stream.read()
        if b"boom" in content:
            boom()
        if b"leave" in content:
            sys.exit(3)
        yield 7 if b"odd" in content else content


# --- loading ---


def a_model():
    return models.model(Settings(), "x")


@pytest.mark.parametrize(
    "raised", [RuntimeError("boom"), ImportError("none"), ZeroDivisionError(), SystemError("x"), SystemExit(3)]
)
@pytest.mark.parametrize("load", [available_readers, encoders.available, a_model])
def test_a_plugin_that_cannot_be_loaded_is_named_with_what_it_raised(monkeypatch: pytest.MonkeyPatch, raised, load):
    install(monkeypatch, Point("x", raised))
    told = rf"package:PART: the plug-in 'x' cannot be loaded \({type(raised).__name__}"
    with pytest.raises(SettingsError, match=told):
        load()


def test_an_interruption_while_a_plugin_loads_is_no_fault_of_it(monkeypatch: pytest.MonkeyPatch):
    install(monkeypatch, Point("x", KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        plugins.installed(plugins.READERS)


@pytest.mark.parametrize(("load", "kind"), [(encoders.available, "encoder"), (a_model, "model")])
def test_a_plugin_whose_function_fails_makes_nothing(monkeypatch: pytest.MonkeyPatch, load, kind):
    install(monkeypatch, Point("x", boom))
    with pytest.raises(SettingsError, match=rf"'x' makes no {kind} \(RuntimeError: boom\)"):
        load()
    install(monkeypatch, Point("x", "a text"))
    with pytest.raises(SettingsError, match=f"'x' is no {kind}"):
        load()


def test_what_a_plugin_says_in_our_words_is_passed_on():
    def refuses() -> None:
        raise UsageError("it needs a key.")

    with pytest.raises(UsageError, match="it needs a key"):
        plugins.made("x", refuses, "model")


@pytest.mark.parametrize("part", [boom, "a text", Lines, None])
def test_what_is_no_reader_is_refused(part: object):
    with pytest.raises(SettingsError, match="'x' is no reader"):
        guarded_reader("x", part)


# --- readers ---


@pytest.mark.parametrize(
    ("content", "told"),
    [("boom", "RuntimeError: boom"), ("leave", "SystemExit: 3"), ("odd", "yields int"), ("bytes", "yields bytes")],
)
def test_a_reader_that_fails_refuses_its_file_and_the_neighbours_go_in(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, content: str, told: str
):
    folder = workspace.root.parent / "sources"
    folder.mkdir()
    (folder / "a.lines").write_text(content, encoding="utf-8")
    (folder / "b.txt").write_text("Das Einhorn.", encoding="utf-8")
    install(monkeypatch, Point("x", Lines()))
    (report,) = add(workspace, [folder], ImportOptions()).reports
    assert report.total("documents") == 1
    assert "the plug-in 'x' failed" in report.files[0].failure
    assert told in report.files[0].failure


SOUND = Document(DocumentId("A1"), "s", "t", "Das Einhorn.", "de", Provenance("a.one", "1", digest("x"), "one"))


class One:
    """A reader that yields one document, as it is told."""

    name = "one"

    def __init__(self, document: Document) -> None:
        self.document = document

    def sniff(self, name: str, head: bytes) -> bool:
        return name.endswith(".one")

    def read(self, source):
        yield self.document


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"text": None}, "in its document 'A1' the text is NoneType, not str"),
        ({"title": 7}, "the title is int, not str"),
        ({"id": ""}, "the id is empty"),
        ({"provenance": "a.one"}, "the provenance is str, not Provenance"),
        ({"provenance": replace(SOUND.provenance, record=3)}, "the provenance holds what is no str"),
        ({"dates": ("1887",)}, "the dates are no tuple of DatePeriod"),
        ({"dates": None}, "the dates are no tuple of DatePeriod"),
        ({"details": ("author", "H. Colby")}, "the details are no tuple of pairs"),
        ({"details": (("author", None),)}, "the details are no tuple of pairs of words"),
        ({"anchors": (1,)}, "the anchors are no tuple of Anchor"),
    ],
)
def test_a_document_that_cannot_be_stored_refuses_its_file_and_says_why(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, object], told: str
):
    folder = workspace.root.parent / "sources"
    folder.mkdir()
    (folder / "a.one").write_text("x", encoding="utf-8")
    (folder / "b.txt").write_text("Das Einhorn.", encoding="utf-8")
    install(monkeypatch, Point("x", One(replace(SOUND, **wrong))))
    (report,) = add(workspace, [folder], ImportOptions()).reports
    assert report.total("documents") == 1
    assert "the plug-in 'x' failed (TypeError: in its document" in report.files[0].failure
    assert told in report.files[0].failure


def test_a_sound_document_of_a_plugin_goes_in(workspace: Workspace, monkeypatch: pytest.MonkeyPatch):
    path = workspace.root.parent / "a.one"
    path.write_text("x", encoding="utf-8")
    install(monkeypatch, Point("x", One(replace(SOUND, details=(("author", "H. Colby"),)))))
    (report,) = add(workspace, [path], ImportOptions()).reports
    assert (report.total("documents"), report.files[0].failure) == (1, "")


def test_a_reader_that_fails_at_a_look_refuses_the_file(workspace: Workspace, monkeypatch: pytest.MonkeyPatch):
    path = workspace.root.parent / "a.lines"
    path.write_text("sniff", encoding="utf-8")
    install(monkeypatch, Point("x", Lines()))
    (report,) = add(workspace, [path], ImportOptions()).reports
    assert "RuntimeError: boom" in report.files[0].failure


def test_a_guarded_reader_takes_what_its_part_takes():
    plain, table = GuardedReader("x", Lines()), GuardedReader("y", TablesReader())
    assert (plain.name, plain.leads, table.name) == ("lines", False, "csv")
    assert plain.with_mapping({"a": "text"}) is plain
    assert plain.with_name_patterns([]) is plain
    assert plain.layouts(Source()) == ()
    mapped = table.with_mapping({"a": "text"})
    assert isinstance(mapped, GuardedReader)
    assert mapped.part.columns.given == {"a": "text"}


# --- encoders and models ---


@dataclass
class Part:
    """An encoder and a model that does what it is told."""

    name: str = "part"
    fingerprint: str = digest("part")
    answer: object = None

    def encode(self, texts, kind):
        return boom() if self.answer is None else self.answer

    async def complete(self, request, passages, prompt):
        return boom() if self.answer is None else self.answer


@pytest.mark.parametrize(
    ("answer", "told"),
    [(None, "RuntimeError: boom"), ([[1.0]], r"2 texts gave an array of shape \(1, 1\)"), ("x", "could not convert")],
)
def test_an_encoder_that_fails_is_unavailable(answer: object, told: str):
    with pytest.raises(ModelUnavailableError, match=f"the plug-in 'x' failed.*{told}"):
        GuardedEncoder("x", Part(answer=answer)).encode(["a", "b"], "query")


def test_an_encoder_that_works_is_passed_on():
    guarded = GuardedEncoder("x", Part(answer=[[1, 0]]))
    assert (guarded.name, guarded.fingerprint) == ("part", digest("part"))
    vectors = guarded.encode(["a"], "passage")
    assert (vectors.dtype, vectors.tolist()) == (np.float32, [[1.0, 0.0]])
    assert guarded.server == ""


def test_an_encoder_of_a_plug_in_says_where_it_sends_texts():
    part = Part()
    part.server = "https://models.example.org"
    assert server_of(GuardedEncoder("x", part)) == "https://models.example.org"


REQUEST = PlanRequest(Reading(Question("?")), (), (), 4)


@pytest.mark.parametrize(("answer", "told"), [(None, "RuntimeError: boom"), ("yes", "it answers with str")])
def test_a_model_that_fails_gave_no_answer(answer: object, told: str):
    with pytest.raises(ModelUnavailableError, match=f"the plug-in 'x' failed.*{told}"):
        asyncio.run(GuardedModel("x", Part(answer=answer)).complete(REQUEST, {}, lambda: ""))


def test_a_model_that_works_is_passed_on():
    guarded = GuardedModel("x", Part(answer=Replied("{}", "part")))
    assert (guarded.name, guarded.fingerprint) == ("part", digest("part"))
    assert asyncio.run(guarded.complete(REQUEST, {}, lambda: "")) == Replied("{}", "part")


def test_a_file_that_the_system_cannot_give_is_the_files_trouble():
    class Gone(Lines):
        def read(self, source):
            raise FileNotFoundError(2, "No such file or directory")

    with pytest.raises(FileNotFoundError):
        list(GuardedReader("x", Gone()).read(Source()))


class Source:
    name = "a.lines"


@pytest.mark.parametrize(("says", "bears"), [(None, 8), (2, 2), (0, 1)])
def test_a_guarded_model_is_given_as_many_calls_at_once_as_its_part_says(says: int | None, bears: int):
    part = Part()
    if says is not None:
        part.at_once = says  # type: ignore[attr-defined]
    assert GuardedModel("x", part).at_once == bears
