"""Encoders that a person brings by `vestigia.toml`: side by side, chosen for search, and told when they are wrong."""

import json

import pytest
from typer.testing import CliRunner

from fakes.embedding_server import serving
from fakes.model_folders import onnx_model, static_model
from vestigia.app import archive, asking, encoders, searching
from vestigia.app.archive import add, encode, status
from vestigia.app.care import describe
from vestigia.app.encoder_settings import key_in
from vestigia.app.encoders import chosen
from vestigia.app.workspace import init, open_workspace
from vestigia.cli.commands import app
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.errors import ModelUnavailableError, SettingsError, UsageError, VestigiaError
from vestigia.domain.question import Question
from vestigia.models.encoders.hashing import HashingEncoder

LETTERS = [
    {"id": "V1", "text": "Die Brücke über die Alzette wurde gesprengt.", "date": "1887-03-11"},
    {"id": "V2", "text": "Der Gemeinderat beschließt den Bau einer neuen Brücke.", "date": "1887-05-02"},
    {"id": "V3", "text": "Ein Brief aus Wien.", "rights": "gesperrt"},
    {"id": "V4", "text": "Ein Telegramm aus Wien.", "rights": "no third party models"},
    {"id": "V5", "text": "Eine Karte aus Wien.", "rights": "Nur für den privaten Gebrauch"},
    {"id": "V6", "text": "Ein Zettel aus Wien.", "rights": "gemeinfrei"},
]


@pytest.fixture
def ours(monkeypatch):
    """Instead of encoders with weights, one without."""
    encoder = HashingEncoder()
    for module in (archive, asking, encoders):
        monkeypatch.setattr(module, "available", lambda: (encoder,))
    for module in (archive, encoders):
        monkeypatch.setattr(module, "encoder", lambda _name: encoder)
    return encoder


@pytest.fixture
def made(tmp_path, ours):
    """Make an archive with these lines in its settings."""

    def make(settings):
        root = tmp_path / "archive"
        workspace = init(root) if not root.exists() else open_workspace(root)
        plain = root / "vestigia.toml"
        kept = plain.read_text(encoding="utf-8").partition("\n[search]")[0].partition("\n[encoders")[0]
        plain.write_text(f"{kept}\n{settings}", encoding="utf-8")
        workspace = open_workspace(root)
        if not status(workspace).documents:
            letters = tmp_path / "letters.jsonl"
            letters.write_text("".join(json.dumps(one) + "\n" for one in LETTERS), encoding="utf-8")
            add(workspace, [letters], ImportOptions(sub_corpus="Letters"))
        return workspace

    return make


def table(name, kind, **said):
    lines = [f"[encoders.{name}]", f"kind = {json.dumps(kind)}"]
    return "\n".join([*lines, *(f"{key} = {json.dumps(value)}" for key, value in said.items())]) + "\n"


def local(server, name="near", **said):
    return table(name, "openai", url=f"{server.address}/v1", model="multilingual-e5-base", **said)


def channels(result):
    """The channels that found something."""
    return {standing.channel for one in result.candidates for standing in one.standings}


def found(workspace, text="Brücke Alzette", channel="fused"):
    return searching.search(workspace, Question(text), channel, 5)


def test_an_encoder_of_the_settings_is_a_channel_beside_ours(made):
    with serving() as server:
        workspace = made(local(server))
        assert status(workspace).encoders == {"hashing": 6, "near": 0}
        assert encode(workspace, "near").texts == 6
        assert status(workspace).encoders == {"hashing": 6, "near": 6}
        assert {"meaning:near", "meaning:hashing"} <= channels(found(workspace))
        hits = found(workspace, channel="meaning:near").candidates
    assert hits[0].document.endswith("V1")
    assert "passage: Letters: V1. Die Brücke über die Alzette wurde gesprengt." in server.texts
    assert "query: Brücke Alzette" in server.texts


def test_a_plain_run_asks_those_chosen(made):
    with serving() as server:
        workspace = made(local(server) + '[search]\nencoders = ["near"]\n')
        encode(workspace, "near")
        asked = asking.ask(workspace, Question("Wann wurde die Brücke gesprengt?"))
    said = (workspace.runs / asked.run / "ledger.jsonl").read_text(encoding="utf-8")
    assert "meaning:near" in said
    assert "meaning:hashing" not in said


def test_switching_is_one_line_and_never_half(made):
    with serving() as old, serving(dimension=32) as new:
        both = local(old, "older") + local(new, "newer")
        workspace = made(both + '[search]\nencoders = ["older"]\n')
        encode(workspace, "older")
        encode(workspace, "newer")
        before = found(workspace, channel="meaning")
        assert channels(before) == {"meaning:older"}
        workspace = made(both + '[search]\nencoders = ["newer"]\n')
        after = found(workspace, channel="meaning")
        assert channels(after) == {"meaning:newer"}
        assert status(workspace).encoders == {"hashing": 0, "older": 6, "newer": 6}


def test_a_changed_setting_begins_vectors_of_their_own(made):
    with serving() as server:
        encode(made(local(server)), "near")
        workspace = made(local(server, query_prefix="Frage: "))
        assert status(workspace).encoders["near"] == 0
        assert encode(workspace, "near").texts == 6
        assert status(made(local(server))).encoders["near"] == 6


def test_no_encoder_can_be_searched_for_words_alone(made):
    workspace = made("[search]\nencoders = []\n")
    assert not [name for name in asking.open_index(workspace, workspace.catalogue()).channels() if "meaning" in name]
    assert found(workspace).candidates


def test_add_does_not_encode_with_ours_where_it_is_not_searched(made, ours, tmp_path):
    with serving() as server:
        workspace = made(local(server) + '[search]\nencoders = ["near"]\n')
        assert status(workspace).encoders["hashing"] == 0


def elsewhere(monkeypatch):
    """Let the server on this machine count as one on another."""
    monkeypatch.setattr(archive, "is_here", lambda _url: False)


def test_what_may_not_leave_is_not_sent_and_is_counted(made, monkeypatch):
    elsewhere(monkeypatch)
    with serving() as server:
        workspace = made(local(server))
        encoded = encode(workspace, "near")
        sent = " ".join(server.texts)
        again = encode(workspace, "near")
    assert (encoded.texts, encoded.withheld) == (3, 3)
    assert (again.texts, again.withheld) == (0, 3)
    assert "Zettel" in sent
    assert "Gemeinderat" in sent
    assert not [word for word in ("Brief", "Telegramm", "Karte") if word in sent]
    told = status(workspace)
    assert (told.encoders["near"], told.withheld["near"]) == (3, 3)


def test_what_a_person_closes_later_is_not_sent_either(made, monkeypatch):
    elsewhere(monkeypatch)
    with serving() as server:
        workspace = made(local(server))
        describe(workspace, "Letters", {"access": "no-third-party-model"})
        assert encode(workspace, "near") == archive.Encoded(0, 6)
        assert not server.requests


def test_on_this_machine_everything_may_be_encoded(made):
    with serving() as server:
        assert encode(made(local(server)), "near") == archive.Encoded(6, 0)


def test_the_command_says_what_was_held_back(made, monkeypatch):
    elsewhere(monkeypatch)
    with serving() as server:
        root = str(made(local(server)).root)
        shown = CliRunner().invoke(app, ["encode", root, "--encoder", "near"])
        data = json.loads(CliRunner().invoke(app, ["encode", root, "--encoder", "near", "--json"]).stdout)
        listed = CliRunner().invoke(app, ["status", root]).stdout
    assert "3 texts encoded with near." in shown.stdout
    assert "3 passages were not sent there: their rights do not allow it." in shown.stdout
    assert data == {"encoder": "near", "encoded": 0, "withheld": 3}
    assert "meaning by near: 3 of 6 passages; 3 may not be sent there\n" in listed


def test_models_in_folders_work_without_a_server(made, tmp_path):
    for needed in ("onnx", "onnxruntime", "tokenizers"):
        pytest.importorskip(needed)
    static_model(tmp_path / "archive-models" / "static")
    onnx_model(tmp_path / "archive-models" / "small")
    workspace = made(
        table("static", "model2vec", folder="../archive-models/static")
        + table(
            "small", "onnx", folder=str(tmp_path / "archive-models" / "small"), pooling="mean", passage_prefix="p: "
        )
    )
    assert encode(workspace, "static").texts == encode(workspace, "small").texts == 6
    assert status(workspace).encoders == {"hashing": 6, "static": 6, "small": 6}
    assert found(workspace, "Die Brücke über die Alzette wurde gesprengt.", "meaning:static").candidates[0].document


def test_the_key_comes_from_the_environment_and_is_written_nowhere(made, monkeypatch):
    monkeypatch.setenv("A_KEY", "  sk-very-secret\n")
    with serving() as server:
        workspace = made(local(server, key_variable="A_KEY"))
        encode(workspace, "near")
        asked = asking.ask(workspace, Question("Wann wurde die Brücke gesprengt?"))
    assert {headers["authorization"] for *_, headers in server.requests} == {"Bearer sk-very-secret"}
    assert asked.run
    for path in workspace.root.rglob("*"):
        assert path.is_dir() or b"sk-very-secret" not in path.read_bytes()


@pytest.mark.parametrize("value", ["", "  ", "a key", "schlüssel", "a\x01b"])
def test_what_is_no_key_is_refused(monkeypatch, value):
    monkeypatch.setenv("A_KEY", value)
    with pytest.raises(SettingsError, match="A_KEY"):
        key_in("A_KEY", "here")


HERE = {"url": "http://localhost:9/v1", "model": "m"}
WRONG = {
    "an address without a scheme": (
        table("near", "openai", url="localhost:9", model="m"),
        "url is no address of a server",
    ),
    "an address with a key in it": (
        table("near", "openai", url="https://me:secret@api.example.org/v1", model="m"),
        "url holds a name or password, which would be recorded",
    ),
    "a port that is none": (table("near", "openai", url="http://localhost:http/v1", model="m"), "url cannot be read"),
    "an address with a query": (table("near", "openai", url="http://x/v1?key=1", model="m"), "more than an address"),
    "no model": (table("near", "openai", url="http://localhost:9/v1"), "an encoder of kind 'openai' needs model"),
    "no folder": (table("near", "onnx"), "an encoder of kind 'onnx' needs folder"),
    "a setting of another kind": (
        table("near", "model2vec", folder="f", url="http://localhost"),
        "an encoder of kind 'model2vec' has no url",
    ),
    "a kind that is none": (table("near", "word2vec", folder="f"), "encoders.near.kind"),
    "an unknown setting": (
        table("near", "openai", **HERE, prompt="x"),
        "encoders.near.prompt: there is no such setting",
    ),
    "a name that is none": (table('"Über uns"', "openai", **HERE), "should match pattern"),
    "a batch of none": (table("near", "openai", **HERE, batch=0), "encoders.near.batch"),
    "a key in the file": (table("near", "openai", **HERE, key="sk-1"), "encoders.near.key: there is no such setting"),
}


@pytest.mark.parametrize(("settings", "said"), WRONG.values(), ids=WRONG)
def test_settings_that_cannot_be_are_refused_when_they_are_read(made, settings, said):
    with pytest.raises(SettingsError) as told:
        made(settings)
    assert said in str(told.value)
    assert "vestigia.toml" in str(told.value)
    assert told.value.remedy


UNUSABLE = {
    "no key": (table("near", "openai", **HERE, key_variable="NOT_SET"), "'NOT_SET' holds no key. Set it before"),
    "a folder that is not there": (
        table("near", "onnx", folder="nowhere"),
        "its folder does not exist. Correct `folder`",
    ),
    "a folder without files": (table("near", "model2vec", folder="."), "has no model.safetensors. Correct `folder`"),
    "the name of another": (table("universal", "openai", **HERE), "is that of another encoder. Choose another"),
}


@pytest.mark.parametrize(("settings", "said"), UNUSABLE.values(), ids=UNUSABLE)
def test_an_encoder_that_cannot_be_used_is_told_and_the_rest_works(made, settings, said):
    workspace = made(settings)
    name = settings.partition("]")[0].removeprefix("[encoders.")
    assert said in status(workspace).unusable[name]
    for act in (lambda: encode(workspace, name), lambda: found(workspace)):
        with pytest.raises((SettingsError, ModelUnavailableError)) as told:
            act()
        assert said in str(told.value)
    assert "Or leave it out of `search.encoders`." in str(told.value)
    workspace = made(settings + '[search]\nencoders = ["hashing"]\n')
    assert found(workspace).candidates
    listed = CliRunner().invoke(app, ["status", str(workspace.root), "--json"])
    assert json.loads(listed.stdout)["encoders"][name]["encoded"] is None
    assert said.split(".")[0] in json.loads(listed.stdout)["encoders"][name]["unusable"]


@pytest.mark.parametrize(("kind", "package"), [("model2vec", "tokenizers"), ("onnx", "onnxruntime")])
def test_an_extra_that_is_not_installed_is_named(made, monkeypatch, tmp_path, kind, package):
    import sys

    static_model(tmp_path / "model")
    (tmp_path / "model" / "model.onnx").write_bytes(b"")
    workspace = made(table("near", kind, folder="../model"))
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ModelUnavailableError, match=rf"needs {package}.*Install vestigia\[{kind}\]"):
        encode(workspace, "near")


REFUSING = {
    "an unknown model": (lambda *_: (404, {}, {"error": 'model "m" not found'}), "Correct `model`, or load that model"),
    "an address without an interface": (lambda *_: (404, {}, "Not Found"), "Correct `url`"),
    "a wrong key": (lambda *_: (401, {}, {"error": {"message": "invalid key"}}), "Set `key_variable`"),
    "no embeddings": (lambda *_: (501, {}, "no"), "embeddings turned on"),
    "a page for people": (lambda *_: (200, {}, "<html></html>"), "interface for programs"),
    "the other kind of answer": (lambda *_: (200, {}, {"embeddings": [[1.0]]}), "Check `url` and `kind`"),
}


@pytest.mark.parametrize(("behave", "said"), REFUSING.values(), ids=REFUSING)
def test_a_server_that_does_not_fit_is_told_with_what_to_change(made, behave, said):
    with serving(behave) as server, pytest.raises(ModelUnavailableError) as told:
        encode(made(local(server)), "near")
    assert said in str(told.value)
    assert server.address in str(told.value)


def test_a_server_that_is_not_running_is_told_by_the_command(made):
    with serving() as server:
        workspace = made(local(server))
    ended = CliRunner().invoke(app, ["encode", str(workspace.root), "--encoder", "near"])
    assert ended.exit_code == 4
    assert "cannot be reached" in ended.stderr
    assert "Start it, or correct `url`." in " ".join(ended.stderr.split())


def test_a_server_that_goes_away_is_a_failed_channel_not_an_empty_one(made):
    with serving() as server:
        workspace = made(local(server))
        encode(workspace, "near")
    result = found(workspace)
    assert result.candidates
    (failure,) = result.failures
    assert failure.startswith("meaning:near: ")
    assert "cannot be reached" in failure


def test_another_model_behind_the_same_name_is_told(made):
    with serving() as server:
        workspace = made(local(server))
        encode(workspace, "near")
        server.dimension = 32
        (failure,) = found(workspace).failures
    assert "no longer the one whose vectors are kept" in failure
    assert "Give the new model a name of its own under [encoders]" in failure


def test_unknown_names_are_told_with_those_there_are(made):
    workspace = made('[search]\nencoders = ["elmo"]\n')
    with pytest.raises(SettingsError, match=r"no encoder 'elmo' here\. There are: hashing"):
        chosen(workspace, (HashingEncoder(),))
    with pytest.raises(VestigiaError, match="elmo"):
        found(workspace)


def test_an_encoder_asked_for_by_a_wrong_name_is_refused(made, monkeypatch):
    monkeypatch.undo()
    with pytest.raises(UsageError, match=r"no encoder 'elmo'\. There are: .*and those under \[encoders\]"):
        encoders.encoder("elmo")


def test_a_run_whose_server_goes_away_says_that_the_search_failed(made):
    with serving() as server:
        workspace = made(local(server))
        encode(workspace, "near")
    asked = asking.ask(workspace, Question("Wann wurde die Brücke gesprengt?"))
    assert asked.result.finished
    assert any("meaning:near" in failure and "cannot be reached" in failure for failure in asked.result.failures)
