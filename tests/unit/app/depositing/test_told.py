"""What is made of a record: provenance and crate that their libraries read, drawing, methods, citations."""

import csv
import io
import json
import re
from dataclasses import replace
from typing import get_args

import pytest
from lxml import etree
from prov.model import ProvAgent, ProvAssociation, ProvDocument, ProvMembership
from rocrate.rocrate import ROCrate

from fakes.depositing import STATEMENT, a_record
from fakes.runs import QUESTION, RUN, finished, golden_run, scripted
from fakes.samples import full
from vestigia.app.depositing import citing, crate
from vestigia.app.depositing.derived import derived
from vestigia.app.depositing.drawing import as_svg
from vestigia.app.depositing.flow import Flow, Part, Step, flows
from vestigia.app.depositing.methods import LANGUAGES, filled, paragraphs, phrases
from vestigia.app.depositing.provenance import prov
from vestigia.app.depositing.record import DepositedRun
from vestigia.domain.entries import Entry, Recorded
from vestigia.domain.events import Audited, Consulted, HumanAct, Outcome, SearchFailed
from vestigia.domain.evidence import Assessment
from vestigia.domain.ids import digest
from vestigia.domain.rules import Budget, Rules


@pytest.fixture(scope="module")
def record():
    return a_record()


@pytest.fixture(scope="module")
def made(record):
    return derived(record, {f"runs/{RUN}/ledger.jsonl": b"{}\n"})


def test_prov_is_read_by_its_library_and_says_the_same_after_a_round_trip(made):
    read = ProvDocument.deserialize(content=made["prov.json"].decode(), format="json")
    again = ProvDocument.deserialize(content=read.serialize(format="json"), format="json")
    assert again == read
    assert read.unified() == read
    assert read.get_provn().startswith("document")


def test_prov_names_who_took_part_and_what_a_person_decided(made, record):
    read = ProvDocument.deserialize(content=made["prov.json"].decode(), format="json")
    agents = {str(agent.label) for agent in read.get_records(ProvAgent)}
    assert agents == {"Vestigia 0", "scripted", "Ada"}
    (act,) = [one for one in read.get_records() if "_act_" in str(one.identifier) and one.is_element()]
    assert act.label == "reject"
    associated = [
        one.args[1] for one in read.get_records(ProvAssociation) if str(one.args[0]).endswith(str(act.identifier))
    ]
    assert len(associated) == 1
    assert len(list(read.get_records(ProvMembership))) == len(record.main.state.ranking)


def test_prov_counts_agents_once_however_often_they_act(record):
    twice = replace(record, runs=(record.main, replace(record.main, run="2026-01-03-again-abcdef")))
    agents = prov(twice)["agent"]
    assert sorted(said["prov:label"] for said in agents.values()) == ["Ada", "Vestigia 0", "scripted"]


def test_every_kind_of_act_of_a_person_stands_in_the_provenance_and_is_read_back(record):
    acts = [full(kind) for kind in get_args(HumanAct)]
    later = enumerate(acts, len(record.main.entries))
    more = tuple(
        Entry(n, digest("b"), digest(str(n)), "2026-01-02T11:00:00Z", "person:Ada", Recorded(act)) for n, act in later
    )
    run = replace(record.main, entries=(*record.main.entries, *more))
    written = json.dumps(prov(replace(record, runs=(run,))))
    read = ProvDocument.deserialize(content=written, format="json")
    kinds = {
        str(kind) for one in read.get_records() if "_act_" in str(one.identifier) for kind in one.get_asserted_types()
    }
    assert kinds == {f"v:{kind.__name__}" for kind in get_args(HumanAct)}
    assert ProvDocument.deserialize(content=read.serialize(format="json"), format="json") == read


def test_the_crate_is_read_by_its_library_with_all_files(made, tmp_path):
    given = {f"runs/{RUN}/ledger.jsonl": b"{}\n"}
    for name, held in {**given, **made}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(held)
    read = ROCrate(tmp_path)
    assert read.name == f"Question: {QUESTION.text}"
    assert sorted(one.id for one in read.data_entities) == sorted({*given, *made} - {crate.NAME})
    assert [one["name"] for one in read.root_dataset["author"]] == ["Bo", "Ada"]
    assert read.root_dataset["license"]["name"] == "No licence"
    (action,) = [one for one in read.get_entities() if one.type == "CreateAction"]
    assert action["instrument"]["name"] == "Vestigia"
    assert action["result"].id == f"runs/{RUN}/ledger.jsonl"
    written = ROCrate(tmp_path).metadata.generate()
    assert {one["@id"] for one in written["@graph"]} == {one["@id"] for one in json.loads(made[crate.NAME])["@graph"]}


def test_the_crate_has_what_its_specification_requires(made):
    graph = {one["@id"]: one for one in json.loads(made[crate.NAME])["@graph"]}
    assert graph[crate.NAME]["conformsTo"] == {"@id": "https://w3id.org/ro/crate/1.1"}
    assert graph[crate.NAME]["about"] == {"@id": "./"}
    assert all(graph["./"][name] for name in ("name", "description", "datePublished", "license"))
    for part in graph["./"]["hasPart"]:
        described = graph[part["@id"]]
        assert described["@type"] == "File"
        if part["@id"] in made:
            assert described["sha256"] == digest(made[part["@id"]])[7:]
            assert int(described["contentSize"]) == len(made[part["@id"]])


@pytest.mark.parametrize(("licence", "name"), [("CC-BY-4.0", "#licence"), ("https://x.org/l", "https://x.org/l")])
def test_a_licence_is_named_as_it_was_stated(licence, name):
    stated = a_record(statement={**STATEMENT, "licence": licence})
    graph = {one["@id"]: one for one in crate.crate(stated, {f"runs/{RUN}/ledger.jsonl": b""})["@graph"]}
    assert graph["./"]["license"] == {"@id": name}
    assert graph[name]["name"] == licence
    assert licence in citing.citation_file(stated).decode()


def test_a_licence_in_other_words_is_no_field_of_the_citation_file():
    stated = a_record(statement={**STATEMENT, "licence": "ask me first"})
    assert "license" not in citing.citation_file(stated).decode()


def test_nobody_is_made_up_as_an_author():
    quiet = tuple(entry for entry in golden_run().entries if not entry.actor.startswith("person:"))
    record = a_record(runs=(DepositedRun(RUN, quiet, (), frozenset()),), statement={**STATEMENT, "by": []})
    assert "author" not in crate.crate(record, {f"runs/{RUN}/ledger.jsonl": b""})["@graph"][1]
    assert 'name: "Nobody was named"' in citing.citation_file(record).decode()


def test_the_citation_file_has_the_fields_of_its_format(made):
    text = made["CITATION.cff"].decode()
    assert text.startswith("cff-version: 1.2.0\n")
    assert 'authors:\n  - name: "Bo"\n  - name: "Ada"\n' in text
    assert "date-released: 2026-01-02\n" in text
    assert f'title: "Question: {QUESTION.text}"\n' in text


def test_sources_are_cited_in_the_order_of_the_list_as_the_record_describes_them(record, made):
    items = json.loads(made["sources.csl.json"])
    assert [item["id"] for item in items] == [row.document for row in record.main.state.ranking]
    (one,) = [item for item in items if item["id"] == "L1"]
    assert (one["title"], one["archive_collection"]) == ("Title of L1", "Landbote")
    assert one["issued"] == {"date-parts": [[1887, 5, 2]]}
    assert "no text is withheld" in one["note"]


def test_a_source_whose_words_stay_is_cited_and_says_so():
    kept = a_record(statement={**STATEMENT, "kept_back": [{"document": "L1", "why": "closed"}]})
    (one,) = [item for item in json.loads(citing.sources_file(kept)) if item["id"] == "L1"]
    assert "Text withheld: closed" in one["note"]


def test_the_drawing_has_every_number_of_the_table(made, record):
    drawn = etree.fromstring(made["flow.svg"])
    said = [one.text for one in drawn.iter("{http://www.w3.org/2000/svg}text")]
    rows = list(csv.DictReader(io.StringIO(made["flow.csv"].decode("utf-8-sig"))))
    assert [int(row["number"]) for row in rows] == [p.number for f in flows(record) for s in f.steps for p in s.parts]
    for one in flows(record):
        for step in one.steps:
            assert f"{step.what}: {step.number}" in said
            assert all(f"{part.what}: {part.number}" in said for part in step.parts if not part.goes_on)


def test_words_of_people_cannot_become_mark_up_or_formulas_in_drawing_and_table():
    hostile = '<script>alert("1")</script>\x00\u202e'
    step = Step("looked at", "documents", 2, (Part(f"rejected: {hostile}", 1), Part("=1+1", 1)))
    one = Flow("run", "curation", (step,))
    drawn = as_svg([one])
    texts = [t.text for t in etree.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")]
    assert 'rejected: <script>alert("1")</script>: 1' in texts
    assert b"<script>" not in drawn
    from vestigia.app.depositing.drawing import as_csv

    assert [row[3] for row in csv.reader(io.StringIO(as_csv([one]).decode("utf-8-sig")))][2] == "'=1+1"


def test_numbers_that_do_not_add_up_or_are_not_handed_on_are_seen():
    good = Step("met", "documents", 2, (Part("kept", 1, goes_on=True), Part("lost", 1)))
    assert Flow("r", "k", (good, Step("kept", "documents", 1, (Part("all", 1),)))).adds_up
    assert not Flow("r", "k", (good, Step("kept", "documents", 2, (Part("all", 2),)))).adds_up
    assert not Flow("r", "k", (replace(good, number=3),)).adds_up
    assert not Step("met", "documents", 0, (Part("a", 1), Part("b", -1))).adds_up


def slots(sentence: str) -> set[str]:
    return {match[1] for match in re.finditer(r"\{\??(\w+)", sentence)}


@pytest.mark.parametrize("part", ["done", "undone"])
def test_every_language_says_the_same_with_the_same_numbers(part):
    english = phrases("en")[part]
    for code in LANGUAGES:
        said = phrases(code)[part]
        assert list(said) == list(english)
        assert {name: slots(text) - {"names"} for name, text in said.items()} == {
            name: slots(text) - {"names"} for name, text in english.items()
        }


@pytest.mark.parametrize(
    ("code", "number", "said"),
    [
        ("en", 0, "The list has 0 sources."),
        ("en", 1, "The list has 1 source."),
        ("de", 0, "Die Liste umfasst 0 Quellen."),
        ("de", 1, "Die Liste umfasst 1 Quelle."),
        ("fr", 0, "La liste compte 0 source."),
        ("fr", 1, "La liste compte 1 source."),
        ("fr", 2, "La liste compte 2 sources."),
    ],
)
def test_words_take_the_form_of_their_number(code, number, said):
    assert filled(phrases(code)["done"]["listed"], {"listed": number}, code) == said


def test_what_comes_out_of_the_record_is_no_mark_up():
    assert filled("asked {asked}", {"asked": "what *is*\n# this <b>?"}, "en") == "asked what \\*is\\* \\# this \\<b\\>?"


def test_the_methods_paragraph_says_what_was_done_with_the_numbers_of_the_flow(record, made):
    text = made["methods.en.md"].decode()
    (one,) = flows(record)
    put, listed = one.step("put forward"), one.step("listed")
    assert f"the question “{QUESTION.text}” was put to an archive of 9 documents" in text
    assert f"The searches met {one.step('met by a search').number} documents, of which {put.number} were" in text
    assert f"{put.part('accepted by the machine')} documents were accepted" in text
    assert f"A language model (scripted) read in {one.step('calls of models').number} calls." in text
    assert "people (Ada) put 1 document away or on hold and added 0" in text
    assert f"The list has {listed.number} sources." in text
    assert record.main.head in text


def test_it_says_what_was_not_done(made):
    undone = made["methods.en.md"].decode().partition("## What was not done")[2]
    assert "How much was missed" in undone
    assert "No person decided" not in undone
    assert "language model and no person" not in undone
    assert made["methods.de.md"].decode().partition("## Was nicht getan wurde")[2].count("\n- ") == undone.count("\n- ")
    assert made["methods.fr.md"].decode().partition("## Ce qui n’a pas été fait")[2].count("\n- ") == undone.count(
        "\n- "
    )


def test_all_languages_have_the_same_numbers(record):
    told = {name: sorted(re.findall(r"\d+", text.decode())) for name, text in paragraphs(record).items()}
    assert told["methods.en.md"] == told["methods.de.md"] == told["methods.fr.md"]


def entries_without(kind: str) -> tuple[Entry, ...]:
    whole = golden_run().entries
    return tuple(entry for entry in whole if type(getattr(entry.body, "event", None)).__name__ != kind)


def test_a_run_that_is_not_finished_a_gap_in_its_texts_and_a_lost_origin_are_said():
    run = DepositedRun(RUN, entries_without("Closed"), (3, 4), frozenset())
    text = paragraphs(a_record(runs=(run,), statement={**STATEMENT, "missing": ["2025-lost"]}))[
        "methods.en.md"
    ].decode()
    assert f"{RUN} was not finished when it was deposited" in text
    assert f"In {RUN} the texts of 2 entries are withheld" in text
    assert "2025-lost, which a deposited run came from, is no longer in the archive" in text


def test_a_limit_that_was_reached_searches_that_failed_and_calls_that_gave_nothing_are_said():
    ended = finished(scripted(), Rules(budget=Budget(calls=6))).entries
    failed = Entry(len(ended), digest("b"), digest("c"), "2026-01-02T11:00:00Z", "code", Recorded(full(SearchFailed)))
    asked = replace(failed, number=failed.number + 1, body=Recorded(replace(full(Consulted), outcome=Outcome.REFUSED)))
    run = DepositedRun(RUN, (*ended, failed, asked), (), frozenset())
    text = paragraphs(a_record(runs=(run,)))["methods.en.md"].decode()
    assert f"{RUN} is partial: the budget of 6 model calls was reached" in text
    assert f"In {RUN} 1 search failed" in text
    assert f"In {RUN} 1 call of a model gave nothing" in text
    assert f"No person decided about any document of {RUN}" in text
    assert "documents are on hold, decided by nobody" in text
    assert "Dans" in paragraphs(a_record(runs=(run,)))["methods.fr.md"].decode()


def test_a_blind_sample_that_was_judged_is_told():
    ended = golden_run().entries
    audited = Audited((Assessment("L4", "L4#0-1", "unfound", False),), (("unfound", 1),), digest("seed"), "Cy")
    entry = Entry(len(ended), digest("b"), digest("c"), "2026-01-02T11:00:00Z", "person:Cy", Recorded(audited))
    text = paragraphs(a_record(runs=(DepositedRun(RUN, (*ended, entry), (), frozenset()),)))["methods.en.md"].decode()
    assert "Of a blind sample Cy judged 1 document" in text
    assert "was not estimated by a sample" not in text
