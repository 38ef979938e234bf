"""The names marked up in a TEI text: each once, under what the register calls it, as details that can be searched."""

from pathlib import Path

import pytest
from lxml import etree

from fakes.pairs import document
from fakes.sources import source
from vestigia.corpus.readers.tei import TeiReader
from vestigia.corpus.readers.tei_names import names_in
from vestigia.domain.archive import Document
from vestigia.domain.effects import WORDS, Matching, Scope, Search
from vestigia.domain.ids import digest
from vestigia.index.build import IndexWriter
from vestigia.index.snapshot import Snapshot

REGISTER = (
    "<back><listPerson><person xml:id='p1'><persName><forename>Hugo von</forename> <surname>Hofmannsthal</surname>"
    "</persName><persName type='pseudonym'>Theophil Morren</persName></person></listPerson>"
    "<listPlace><place xml:id='l1'><placeName>Café Griensteidl</placeName></place>"
    "<place xml:id='p9'><placeName>Nowhere</placeName></place></listPlace></back>"
)


def tei(body: str, back: str = "") -> str:
    return f"<TEI xmlns='http://www.tei-c.org/ns/1.0'><teiHeader/><text><body><p>{body}</p></body>{back}</text></TEI>"


def names(body: str, back: str = "") -> list[tuple[str, str]]:
    kinds = {"person mentioned": "person", "place mentioned": "place"}
    text = etree.fromstring(tei(body, back)).find("{*}text")
    return [(kinds[kind], name) for kind, name in names_in(text)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("Mit <persName>Herzl</persName> in <placeName>Wien</placeName>.", [("person", "Herzl"), ("place", "Wien")]),
        ("<rs type='person'>er</rs> am <rs type='place'>See</rs>", [("person", "er"), ("place", "See")]),
        ("<name type='person'>Root</name>, <name type='ship'>Maine</name>", [("person", "Root")]),
        ("die <geogName>Donau</geogName> und <rs type='work'>Anatol</rs>", [("place", "Donau")]),
        ("<persName>Herzl</persName>, <persName>HERZL</persName>", [("person", "Herzl")]),
        ("<placeName>am <placeName>See</placeName></placeName>", [("place", "am See"), ("place", "See")]),
        ("<persName><c rendition='#langesS'>s</c>tein-<lb break='no'/>ach</persName>", [("person", "steinach")]),
        ("<persName> </persName><persName>…</persName> niemand", []),
        ("<del><persName>Falsch</persName></del><note><persName>Herausgeber</persName></note>", []),
        ("<choice><sic><persName>Hertzl</persName></sic><corr><persName>Herzl</persName></corr></choice>",
         [("person", "Hertzl")]),
    ],
)  # fmt: skip
def test_names_are_read_from_the_running_text_each_once(body: str, expected: list[tuple[str, str]]):
    assert names(body) == expected


def test_of_one_reference_the_first_form_counts_and_those_that_say_more_stand_in_brackets():
    body = "<persName ref='#w'>Wilson</persName> <persName ref='#w'>Präsident Wilson</persName> "
    body += "<persName ref='#w'>wilson</persName> <persName key='x'>Wilson</persName>"
    assert names(body) == [("person", "Wilson (Präsident Wilson)"), ("person", "Wilson")]


def test_a_register_names_whom_the_text_only_hints_at_at_all():
    body = "Lieber <rs type='person' ref='#p1'>Loris</rs>, im <rs type='place' ref='#l1'>Griensteidl</rs>"
    assert names(body, REGISTER) == [("person", "Hugo von Hofmannsthal (Loris)"), ("place", "Café Griensteidl")]
    assert names("<rs type='place' ref='#p1'>hier</rs>", REGISTER) == [("place", "hier")]


def test_a_name_of_two_persons_is_both():
    assert names("<rs type='person' ref='#p1 #p2'>das Paar</rs>", REGISTER) == [
        ("person", "Hugo von Hofmannsthal (das Paar)"),
        ("person", "das Paar"),
    ]


def test_the_person_and_the_place_are_found_by_their_fields(tmp_path: Path):
    body = "Lieber <rs type='person' ref='#p1'>Loris</rs>, morgen im <rs type='place' ref='#l1'>Griensteidl</rs>."
    (read, *_) = TeiReader().read(source("L1.xml", tei(body, REGISTER)))
    assert isinstance(read, Document)
    with IndexWriter(tmp_path) as writer:
        writer.add(document("L1", read.text, details=read.details))
        writer.add(document("L2", "Hofmannsthal war in Wien, sagt man."))
        writer.commit(1, digest("catalogue"))
    index = Snapshot.open(tmp_path)

    def found(query: str) -> list[str]:
        return [hit.document for hit in index.search(Search(WORDS, query, Scope(), 5, matching=Matching.SYNTAX)).hits]

    for query in ("person:Hofmannsthal", "person:Loris", 'person:"Hugo von Hofmannsthal"', "place:Café"):
        assert found(query) == ["L1"]
    assert found("person:Griensteidl OR place:Wien") == []
