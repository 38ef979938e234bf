"""B9, B11 as typed: deposited in one place, checked and replayed in another with nothing but the file."""

import csv
import io
import json
import shutil
import zipfile
from importlib.resources import files
from pathlib import Path

import pytest

from fakes.depositing import MAY_LEAVE, SECRET, an_archive, letters, words_of
from vestigia.app import asking
from vestigia.app.care import delete
from vestigia.app.depositing import checking, making
from vestigia.cli.outcome import FAILED, MISUSED, UNUSABLE
from vestigia.domain.ids import DocumentId
from vestigia.ledger import deposit as bundle

from .conftest import members_of

QUESTION = "Was steht in den Briefen über die Brücke?"
WINDOWS = ("--windows", "1881/1882, 1883/1884", "--quota", "10", "--undated", "0")


@pytest.fixture(scope="module")
def asked(free, typed, tmp_path_factory):
    """A question put to open letters, with a decision of a person, and its deposit."""
    root = free.root
    run = typed.data("ask", root, QUESTION, "--model", "parrot")["run"]
    typed("decide", root, "O3", "accept", "--run", run, "--reason", "it is the council's", "--as", "Ada")
    file = tmp_path_factory.mktemp("asked") / "asked.zip"
    made = typed.data("deposit", root, run, file, "--as", "Bo", "--licence", "CC-BY-4.0", "--with-text")
    return made, file


@pytest.fixture(scope="module")
def dossier(mixed, typed, tmp_path_factory):
    """From a survey to an interpretation over letters of all kinds of rights, and its deposit."""
    root = mixed.root
    survey = typed.data("survey", root, "Die neue Brücke", *WINDOWS)["run"]
    judging = typed.data("judge", root, survey, "--rubric", "testimony", "--model", "parrot")["run"]
    found = typed.data("curate", root, survey, "--judging", judging)
    names = [source["document"] for source in found["sources"]]
    keep = [word for name in names for word in ("--accept", name)]
    typed("curate", root, found["run"], *keep, "--as", "Ada")
    typed("curate", root, found["run"], "--note", f"{names[0]}=Darin steht: {SECRET}", "--as", "Ada")
    typed("seal", root, found["run"], "--statement", "Alle Briefe zur Brücke.", "--as", "Ada")
    asked = ("--question", "Was wird gebaut?", "--question", "Wann?", "--model", "parrot")
    written = typed.data("interpret", root, found["run"], *asked)["interpretations"][0]["run"]
    file = tmp_path_factory.mktemp("dossier") / "dossier.zip"
    made = typed.data("deposit", root, written, file, "--with-text")
    return made, file, (survey, judging, found["run"], written)


def elsewhere(file: Path, folder: Path, monkeypatch) -> Path:
    """A copy of the file alone, in a folder where nothing else is."""
    monkeypatch.chdir(folder)
    return Path(shutil.copy(file, folder / "copy.zip"))


def test_b9_a_deposit_verifies_and_replays_where_there_is_nothing_but_the_file(asked, typed, tmp_path, monkeypatch):
    made, file = asked
    copy = elsewhere(file, tmp_path, monkeypatch)

    checked = typed.data("verify", copy)
    assert (checked["sound"], checked["problems"], checked["unchecked"]) == (True, [], [])
    assert checked["seal"] == made["seal"]
    assert checked["runs"][-1]["head"] == made["runs"][-1]["head"]
    again = typed.data("replay", copy)
    assert [(one["finished"], one["decided_again"]) for one in again["runs"]] == [(True, True)]
    assert again["sources"][0] == {"document": "O3", "title": "Brief O3"}
    assert again["archive"] is None
    assert list(tmp_path.iterdir()) == [copy]


def test_b9_the_replayed_list_is_the_one_that_the_archive_shows(asked, free, typed):
    made, file = asked
    shown = typed.data("show", free.root, made["run"])
    assert typed.data("replay", file)["sources"] == [
        {"document": row["document"], "title": row["title"]} for row in shown["ranking"]
    ]


def test_a_deposit_says_on_the_page_what_it_is_and_that_it_is_sound(asked, typed):
    made, file = asked
    page = typed("verify", file)
    assert f"all {len(members_of(file)) - 1} files are as they were written" in page
    assert made["seal"] in page
    assert "decided again as recorded" in typed("replay", file)
    assert "1. Brief O3 O3" in typed("replay", file)


def test_the_same_record_is_deposited_in_the_same_bytes(asked, free, typed, tmp_path):
    made, file = asked
    chosen = ("--as", "Bo", "--licence", "CC-BY-4.0", "--with-text")
    typed("deposit", free.root, made["run"], tmp_path / "again.zip", *chosen)
    assert (tmp_path / "again.zip").read_bytes() == file.read_bytes()


def test_open_texts_go_in_where_a_depositor_says_so(asked, free, typed, tmp_path):
    members = members_of(asked[1])
    sources = json.loads(members["sources.json"])
    texts = {one["id"]: one["text"] for one in letters()}
    assert {one["document"] for one in sources if one["text"]} == {"O1", "O2", "O3"}
    assert all(members[one["text"]].decode() == texts[one["document"]] for one in sources)
    typed("deposit", free.root, asked[0]["run"], tmp_path / "without.zip")
    assert not [name for name in members_of(tmp_path / "without.zip") if name.startswith("texts/")]


def test_a_source_is_located_by_file_offsets_digests_and_dates_as_written(asked):
    (source,) = [one for one in json.loads(members_of(asked[1])["sources.json"]) if one["document"] == "O1"]
    text = letters()[0]["text"]
    assert source["characters"] == len(text)
    assert source["text_digest"] == bundle.digest(text)
    assert source["passages"] == [
        {"passage": f"O1#0-{len(text)}", "start": 0, "end": len(text), "digest": bundle.digest(text), "pages": None}
    ]
    assert (source["date"], source["record"], source["access"]) == ("1881-05-01", "line 1", "open")


def test_prompts_as_sent_rules_rubric_and_words_of_prompts_are_in_it(asked, dossier, free):
    members = members_of(asked[1])
    run = asked[0]["run"]
    blobs = {path.name: path.read_bytes() for path in (free.runs / run / "blobs").iterdir()}
    sent = {name: held for name, held in members.items() if name.startswith(f"runs/{run}/prompts/")}
    assert {Path(name).stem: held for name, held in sent.items()} == blobs
    assert json.loads(members[f"runs/{run}/rules.json"])["rrf_k"] == 60
    assert members["prompts/review.md"].startswith(b"---\nname: review")
    assert b"name: testimony" in members_of(dossier[1])["rubrics/testimony.md"] or members_of(dossier[1])[
        "rubrics/testimony.md"
    ].startswith(b"---")


def test_no_key_address_folder_or_name_of_a_machine_is_in_it(free, typed, tmp_path, asked):
    root = tmp_path / "archive"
    shutil.copytree(free.root, root)
    secret = (
        '\n[models.far]\nmodel = "openai/x"\nkey = "MY_VERY_OWN_KEY"\nbase_url = "http://ada-laptop.example/v1"\n'
        'options = { extra_headers = { token = "sesame" } }\n'
        '[encoders.near]\nkind = "ollama"\nmodel = "m"\nurl = "http://ada-laptop.example"\nkey_variable = "MY_KEY"\n'
    )
    with (root / "vestigia.toml").open("a", encoding="utf-8") as file:
        file.write(secret)
    typed("deposit", root, asked[0]["run"], tmp_path / "one.zip")
    members = members_of(tmp_path / "one.zip")
    said = b"".join(members[name] for name in ("settings.json", "environment.json", "deposit.json"))
    assert b'"model": "openai/x"' in said
    for word in (b"MY_VERY_OWN_KEY", b"ada-laptop", b"sesame", b"MY_KEY", str(tmp_path).encode()):
        assert word not in said
    assert json.loads(members["deposit.json"])["settings_as_they_were"] is False


def test_b11_words_of_sources_that_may_not_leave_are_nowhere_in_a_deposit(dossier):
    members = members_of(dossier[1])
    assert len(dossier[0]["kept_back"]) == 9
    assert {one["why"] for one in dossier[0]["kept_back"]} == {"personal", "closed", "no-third-party-model"}
    for name, held in members.items():
        text = held.decode()
        assert not [words for words in words_of(SECRET, 3) if words in text], name
    assert all(one["text"] is None for one in json.loads(members["sources.json"]) if one["document"][0] != "O")


@pytest.mark.parametrize("model", ["parrot", "stranger", "extractive"])
@pytest.mark.parametrize("only_open", [False, True])
def test_b11_whoever_judged_a_question_its_deposit_leaks_nothing_and_can_be_replayed(
    mixed, typed, tmp_path, model, only_open
):
    run = typed.data("ask", mixed.root, QUESTION, "--model", model)["run"]
    typed("decide", mixed.root, "C1", "reject", "--run", run, "--reason", f"it says {SECRET}", "--as", "Ada")
    file = tmp_path / "one.zip"
    made = typed.data("deposit", mixed.root, run, file, *(["--only-open"] if only_open else []))
    assert len(made["kept_back"]) == (12 if only_open else 9)
    for name, held in members_of(file).items():
        assert not [words for words in words_of(SECRET, 3) if words in held.decode()], name
        if only_open and name not in {"sources.json", "sources.csl.json"}:
            assert "Brief U1, wird im Mai" not in held.decode(), name
    assert typed.data("verify", file)["sound"] is True
    again = typed.data("replay", file)
    assert [one["document"] for one in again["sources"]] == [
        row["document"] for row in typed.data("show", mixed.root, run)["ranking"]
    ]


def test_b11_a_question_a_rubric_or_a_prompt_of_ones_own_that_repeats_such_a_source_does_not_take_it_out(
    mixed, typed, tmp_path
):
    root = tmp_path / "archive"
    shutil.copytree(mixed.root, root)
    words = "Quitten liegen heimlich unter siebzehn Dielen"
    prompts = files("vestigia.prompts")
    for folder, name in (("rubrics", "testimony"), ("prompts", "plan")):
        (root / folder).mkdir()
        text = (prompts / ("rubrics" if folder == "rubrics" else "") / f"{name}.md").read_text(encoding="utf-8")
        (root / folder / f"{name}.md").write_text(f"{text.rstrip()}\n- As in: {words}.\n", encoding="utf-8")
    survey = typed.data("survey", root, f"Wo {words}?", *WINDOWS)["run"]
    judging = typed.data("judge", root, survey, "--rubric", "testimony", "--model", "stranger")["run"]
    asked = typed.data("ask", root, f"Wo {words}?", "--model", "stranger")["run"]
    for run in (judging, asked):
        file = tmp_path / f"{run}.zip"
        typed("deposit", root, run, file)
        for name, held in members_of(file).items():
            assert not [some for some in words_of(words) if some in held.decode()], (run, name)
        assert "prompts/plan.md" not in members_of(file)
        assert "rubrics/testimony.md" not in members_of(file)
        assert typed.data("verify", file)["sound"] is True
        assert typed.data("replay", file)["same"] is True


def test_b11_where_the_core_looks_into_a_withheld_text_the_recorded_decisions_are_folded_and_that_is_told(
    mixed, typed, tmp_path
):
    """It searched twice for the same words: whether two texts that stay are the same words nobody can see."""
    run = typed.data("ask", mixed.root, QUESTION, "--model", "stutterer")["run"]
    typed("deposit", mixed.root, run, tmp_path / "one.zip")
    assert json.loads(members_of(tmp_path / "one.zip")["deposit.json"])["runs"][0]["decided_again"] is False
    (one,) = typed.data("replay", tmp_path / "one.zip")["runs"]
    assert (one["decided_again"], one["finished"]) == (False, True)
    assert "the record has Wasted" in one["why"]
    assert "texts are withheld, so they could not be decided again" in typed("replay", tmp_path / "one.zip")
    shown = [row["document"] for row in typed.data("show", mixed.root, run)["ranking"]]
    assert [row["document"] for row in typed.data("replay", tmp_path / "one.zip")["sources"]] == shown


def test_b11_what_lacks_texts_is_told_and_what_can_be_checked_of_it(dossier, typed):
    made, file, _ = dossier
    checked = typed.data("verify", file)
    assert checked["sound"] is True
    assert made["incomplete"] > 10
    assert made["prompts_kept_back"] > 10
    assert len([one for one in checked["unchecked"] if "entries lack texts" in one]) >= 3
    page = typed("verify", file)
    assert "Not checked: " in page
    assert "their places in the chain were checked" in page
    withheld = [json.loads(line) for name, held in members_of(file).items() if "ledger-withheld" in name
                for line in held.splitlines() if b'"withheld":{' in line]  # fmt: skip
    assert len(withheld) == made["incomplete"]
    assert all(line["digest"].startswith("sha256:") and line["withheld"]["bytes"] > 0 for line in withheld)


def test_b9_a_dossier_is_deposited_with_all_runs_it_came_from_in_their_order(dossier, typed):
    made, file, (survey, judging, curation, written) = dossier
    assert [one["run"] for one in made["runs"]] == [survey, judging, curation, written]
    again = typed.data("replay", file)
    assert [one["kind"] for one in again["runs"]] == ["survey", "judging", "curation", "interpretation"]
    assert [one["decided_again"] for one in again["runs"]] == [True, True, True, True]
    assert len(again["sources"]) == 15


def numbers(file: Path, run: str) -> dict[str, dict[str, int]]:
    """The numbers of a run in the table beside the drawing, by step and part."""
    found: dict[str, dict[str, int]] = {}
    for row in csv.DictReader(io.StringIO(members_of(file)["flow.csv"].decode("utf-8-sig"))):
        if row["run"] == run:
            found.setdefault(row["step"], {})[row["part"]] = int(row["number"])
    return found


def test_b9_the_flow_of_every_kind_of_run_has_the_numbers_that_the_archive_shows(mixed, dossier, typed):
    _, file, (survey, judging, curation, _) = dossier
    shown = typed.data("show", mixed.root, survey)
    assert numbers(file, survey)["in the set (documents)"] == {
        window["window"]: len(window["sources"]) for window in shown["windows"]
    }
    shown = typed.data("show", mixed.root, judging)
    (judged,) = [numbers(file, judging)["to be judged (passages)"]["judged"]]
    assert (judged, shown["passages"]) == (shown["judged"], 15)
    assert sum(numbers(file, judging)["judged (passages)"].values()) == shown["judged"]
    counts = typed.data("show", mixed.root, curation)["counts"]
    flow = numbers(file, curation)
    assert flow["met by a search (documents)"] == {"in the set": counts["taken"]}
    assert flow["in the set (documents)"] == {"looked at by people": counts["screened"]}
    assert flow["looked at by people (documents)"] == {"accepted": counts["accepted"]}
    assert flow["accepted (documents)"] == {"in the sealed dossier": 15}


def test_b9_claims_are_counted_as_proven_or_not_where_their_words_are_there_and_only_there(
    free, dossier, typed, tmp_path
):
    survey = typed.data("survey", free.root, "Die neue Brücke", *WINDOWS)["run"]
    curation = typed.data("curate", free.root, survey)["run"]
    typed("curate", free.root, curation, "--accept", "O1", "--accept", "O2", "--as", "Ada")
    typed("curate", free.root, curation, "--reject", "O3", "--because", "off topic", "--as", "Bo")
    typed("seal", free.root, curation, "--statement", "Zwei.", "--as", "Ada")
    asked = ("--question", "Was wird gebaut?", "--model", "pen")
    written = typed.data("interpret", free.root, curation, *asked)["interpretations"][0]
    typed("contest", free.root, written["run"], written["unsigned"][0], "--sign", "--because", "seen", "--as", "Ada")
    typed("deposit", free.root, written["run"], tmp_path / "one.zip")
    flow = numbers(tmp_path / "one.zip", written["run"])
    claims = [claim["proven"] for chapter in written["chapters"] for claim in chapter["claims"]]
    assert flow["claims (claims)"] == {"proven": claims.count(True), "unproven, signed for": 1, "unproven": 1}
    assert flow["quotations (quotations)"] == {"altered": 1, "exact": 2}
    assert flow["in the dossier (documents)"] == {"laid before the model": 2}
    assert numbers(tmp_path / "one.zip", curation)["looked at by people (documents)"] == {
        "accepted": 2, "rejected: off topic": 1,
    }  # fmt: skip
    withheld = numbers(dossier[1], dossier[2][3])["claims (claims)"]
    assert list(withheld) == ["words withheld: whether proven is not to be seen here"]
    undone = members_of(tmp_path / "one.zip")["methods.en.md"].decode().partition("## What was not done")[2]
    assert "No person has said anything" not in undone
    assert (
        "people (Ada, Bo) looked at 3 documents: 2 accepted, 1 rejected"
        in members_of(tmp_path / "one.zip")["methods.en.md"].decode()
    )


def test_a_curation_that_was_sealed_is_deposited_without_what_was_made_of_it(mixed, dossier, typed, tmp_path):
    (survey, judging, curation, _) = dossier[2]
    made = typed.data("deposit", mixed.root, curation, tmp_path / "one.zip")
    assert [one["run"] for one in made["runs"]] == [survey, judging, curation]
    assert typed.data("verify", tmp_path / "one.zip")["sound"] is True
    assert "not finished" not in typed("replay", tmp_path / "one.zip")


def test_a_fork_is_deposited_with_its_parent_and_an_origin_that_is_gone_is_named(free, typed, tmp_path, asked):
    root = tmp_path / "archive"
    shutil.copytree(free.root, root)
    parent = asked[0]["run"]
    fork = typed.data("fork", root, parent, "--at", "20")["run"]
    made = typed.data("deposit", root, fork, tmp_path / "one.zip")
    assert [one["run"] for one in made["runs"]] == [parent, fork]
    shutil.rmtree(root / "runs" / parent)
    made = typed.data("deposit", root, fork, tmp_path / "two.zip")
    assert (made["missing"], [one["run"] for one in made["runs"]]) == ([parent], [fork])
    checked = typed.data("verify", tmp_path / "two.zip")
    assert checked["sound"] is True
    assert f"{parent} was gone when the deposit was made" in checked["unchecked"][0]
    assert parent in members_of(tmp_path / "two.zip")["methods.en.md"].decode().partition("## What was not done")[2]


def test_an_archive_that_is_as_it_was_differs_in_nothing(asked, free, typed):
    made, file = asked
    found = typed.data("replay", file, "--archive", free.root)["archive"]
    assert found["same_fingerprint"] is True
    assert (found["documents"], found["fresh_run"]) == ([], [])
    assert found["records"] == [{"run": made["run"], "same": True, "entries_since": 0}]
    assert "The archive Brücken is as it was." in typed("replay", file, "--archive", free.root)


def test_b9_against_an_archive_it_says_where_a_fresh_run_would_differ(asked, free, typed, tmp_path):
    made, file = asked
    root = tmp_path / "archive"
    shutil.copytree(free.root, root)
    workspace = asking.Workspace(root, free.settings)
    delete(workspace, [DocumentId("O1")])
    changed = [{**one, "text": one["text"] + " Oder nie."} for one in letters() if one["id"] == "O3"]
    source = Path(json.loads(members_of(file)["sources.json"])[0]["file"])
    before = source.read_text(encoding="utf-8")
    try:
        source.write_text(json.dumps(changed[0], ensure_ascii=False) + "\n", encoding="utf-8")
        typed("add", root, source, "--update")
    finally:
        source.write_text(before, encoding="utf-8")
    typed("describe", root, "Briefe", "--access", "closed")
    typed("decide", root, "O3", "reject", "--run", made["run"], "--reason", "not now", "--as", "Cy")

    found = typed.data("replay", file, "--archive", root)["archive"]
    assert found["same_fingerprint"] is False
    assert {one["document"]: one["why"] for one in found["documents"]} == {
        "O1": "withdrawn",
        "O2": "its rights are closed now",
        "O3": "replaced",
    }
    assert found["fresh_run"] == ["archive", "index"]
    assert found["records"] == [{"run": made["run"], "same": True, "entries_since": 1}]
    page = typed("replay", file, "--archive", root)
    assert "O1: withdrawn: it is no longer in the archive" in page
    assert "a fresh run would have another archive" in page
    assert "the archive has the same record, with 1 entries since" in page


def test_a_model_that_is_not_set_here_is_told_of_a_fresh_run(asked, free, typed, tmp_path, monkeypatch):
    root = tmp_path / "archive"
    shutil.copytree(free.root, root)
    monkeypatch.setattr("vestigia.app.models.installed", lambda _kind: {})
    (said,) = typed.data("replay", asked[1], "--archive", root)["archive"]["fresh_run"]
    assert said.startswith("it cannot be said of a fresh run:")


def test_words_of_a_withdrawn_source_stay_where_they_are(typed, small_encoders, tmp_path):
    workspace = an_archive(tmp_path, "OU")
    run = typed.data("ask", workspace.root, QUESTION, "--model", "parrot")["run"]
    delete(workspace, [DocumentId("U1")])
    made = typed.data("deposit", workspace.root, run, tmp_path / "one.zip")
    assert made["kept_back"] == [{"document": "U1", "why": "withdrawn"}]
    for name, held in members_of(tmp_path / "one.zip").items():
        assert "Brief U1, wird im Mai" not in held.decode(), name
    assert typed.data("verify", tmp_path / "one.zip")["sound"] is True
    assert set(MAY_LEAVE) == {"O", "U"}


def altered(file: Path, to: Path, change) -> Path:
    """A deposit whose members somebody changed who then wrote its manifest anew."""
    members = {name: held for name, held in members_of(file).items() if name != bundle.MANIFEST}
    change(members)
    to.write_bytes(bundle.pack(members))
    return to


def name_of(file: Path, ending: str) -> str:
    return next(name for name in sorted(members_of(file)) if name.endswith(ending) and name != bundle.MANIFEST)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("ledger.jsonl", b'"decision":"accept"', b'"decision":"reject"'),
        ("flow.csv", b"put forward (documents)", b"put forward (Documents)"),
        ("flow.svg", b"documents", b"Documents"),
        ("prov.json", b"person_1", b"person_2"),
        ("ro-crate-metadata.json", b"Brief", b"Grief"),
        ("methods.fr.md", b"sources", b"Sources"),
        ("CITATION.cff", b"Bo", b"Cy"),
        ("sources.csl.json", b"Brief O3", b"Brief O9"),
        ("sources.json", b'"characters": ', b'"characters": 1'),
        ("README.md", b"deposit", b"Deposit"),
        ("rules.json", b"60", b"61"),
        ("prompts/review.md", b"---\n", b"--- \n"),
        (".txt", b"Br", b"br"),
        ("deposit.json", b'"entries": ', b'"entries": 1'),
    ],
)
def test_b9_what_does_not_say_what_the_ledgers_say_is_named_though_the_manifest_was_written_anew(
    asked, typed, tmp_path, name, old, new
):
    whole = name_of(asked[1], name)

    def change(members):
        assert old in members[whole]
        members[whole] = members[whole].replace(old, new, 1)

    checked = typed.data("verify", altered(asked[1], tmp_path / "one.zip", change), code=FAILED)
    assert checked["sound"] is False
    assert any(whole.rsplit("/", 1)[-1] in problem for problem in checked["problems"])
    refused = typed("replay", tmp_path / "one.zip", code=FAILED)
    assert "the deposit is not as it was written" in " ".join(refused.split())


@pytest.mark.parametrize(
    "ending", ["ledger.jsonl", "sources.json", "deposit.json", "flow.svg", ".txt", "settings.json"]
)
def test_b9_a_missing_file_is_named_though_the_manifest_was_written_anew(asked, typed, tmp_path, ending):
    name = name_of(asked[1], ending)
    checked = typed.data("verify", altered(asked[1], tmp_path / "one.zip", lambda m: m.pop(name)), code=FAILED)
    assert any(name in problem for problem in checked["problems"])


@pytest.mark.parametrize(
    "name", ["more.txt", "runs/other/ledger.jsonl", "prompts/more.md", "rubrics/more.md", "texts/9.txt"]
)
def test_b9_an_added_file_is_named_though_the_manifest_was_written_anew(asked, typed, tmp_path, name):
    checked = typed.data(
        "verify", altered(asked[1], tmp_path / "one.zip", lambda m: m.update({name: b"x"})), code=FAILED
    )
    assert any(name.rsplit("/", 1)[-1].removesuffix(".md") in problem for problem in checked["problems"])


def test_b9_a_withheld_entry_cannot_be_taken_for_another(dossier, typed, tmp_path):
    """Whoever changes what such an entry says is found by what was made of it."""
    name = next(n for n in members_of(dossier[1]) if "ledger-withheld" in n and "curat" not in n)

    def change(members):
        assert b'"score":' in members[name] or b'"number":' in members[name]
        members[name] = members[name].replace(b'"withheld":{"bytes":', b'"withheld":{"bytes":1', 1)

    file = altered(dossier[1], tmp_path / "one.zip", change)
    assert typed.data("verify", file, code=FAILED)["sound"] is False


def test_the_origin_of_a_run_must_be_the_one_it_took_over(dossier, asked, typed, tmp_path):
    _, file, (survey, *_) = dossier

    def change(members):
        whole = next(n for n in members if n.startswith(f"runs/{survey}/ledger"))
        members[whole] = b"".join(members[whole].splitlines(keepends=True)[:-1])
        said = json.loads(members["deposit.json"])
        lines = members[whole].splitlines()
        said["runs"][0] |= {"entries": len(lines), "head": json.loads(lines[-1])["digest"]}
        members["deposit.json"] = json.dumps(said, indent=1, ensure_ascii=False).encode() + b"\n"

    checked = typed.data("verify", altered(file, tmp_path / "one.zip", change), code=FAILED)
    assert any("the entry that" in one and "came from is not in it" in one for one in checked["problems"])


def test_a_deposit_is_not_written_over_anything(asked, free, typed):
    assert "there is a file already" in typed("deposit", free.root, "last", asked[1], code=MISUSED)


def test_a_deposit_needs_a_folder_to_lie_in_and_a_missing_one_is_no_archive(free, typed, tmp_path):
    said = typed("deposit", free.root, "last", tmp_path / "nowhere" / "one.zip", code=MISUSED)
    assert "nowhere: there is no such folder" in said
    for command in ("verify", "replay"):
        said = typed(command, tmp_path / "none.zip", code=MISUSED)
        assert "none.zip: it cannot be read (No such file or directory)" in said
        assert "vestigia init" not in said


def test_what_is_no_deposit_is_told_so(free, typed, tmp_path):
    (tmp_path / "letter.txt").write_text("Lieber Freund", encoding="utf-8")
    assert "it is no deposit" in typed("verify", tmp_path / "letter.txt", code=MISUSED)
    with zipfile.ZipFile(tmp_path / "book.zip", "w") as book:
        book.writestr("mimetype", "application/epub+zip")
    assert "it is no deposit: it holds no manifest" in typed("replay", tmp_path / "book.zip", code=MISUSED)
    (tmp_path / "one.zip").write_bytes(bundle.pack({"a.txt": b""}))
    assert "deposit.json is missing" in typed("verify", tmp_path / "one.zip", code=FAILED)


def test_a_record_that_was_altered_is_not_deposited(free, asked, typed, tmp_path):
    root = tmp_path / "archive"
    shutil.copytree(free.root, root)
    ledger = root / "runs" / asked[0]["run"] / "ledger.jsonl"
    ledger.write_bytes(ledger.read_bytes().replace(b'"decision":"accept"', b'"decision":"reject"', 1))
    assert "was altered" in typed("deposit", root, asked[0]["run"], tmp_path / "one.zip", code=FAILED)
    assert not (tmp_path / "one.zip").exists()


def test_a_prompt_that_is_gone_is_told_and_nothing_is_written(free, asked, typed, tmp_path):
    root = tmp_path / "archive"
    shutil.copytree(free.root, root)
    shutil.rmtree(root / "runs" / asked[0]["run"] / "blobs")
    assert "cannot be read" in typed("deposit", root, asked[0]["run"], tmp_path / "one.zip", code=FAILED)
    assert not (tmp_path / "one.zip").exists()


def test_a_disk_that_takes_nothing_is_told(free, typed, tmp_path, monkeypatch):
    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("vestigia.ledger.durable.os.fsync", full)
    said = typed("deposit", free.root, "last", tmp_path / "one.zip", code=UNUSABLE)
    assert "could not be written: No space left on device" in said
    assert not list(tmp_path.iterdir())


def test_the_page_says_what_was_kept_back_and_what_is_not_known(mixed, dossier, typed, tmp_path):
    page = typed("deposit", mixed.root, dossier[0]["run"], tmp_path / "one.zip")
    assert "The words of 9 sources were kept back" in page
    assert "Of 3 sources nobody has said what their rights are" in page
    assert "No licence is stated" in page


def test_checking_and_making_say_the_same_of_a_deposit(asked):
    found = checking.check(asked[1])
    assert found.seal == asked[0]["seal"]
    assert found.record.statement["by"] == ["Bo"]
    assert making.Choices() == making.Choices((), "", False, False)
