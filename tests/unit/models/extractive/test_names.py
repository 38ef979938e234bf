"""Names by their capitals alone: what is returned is a name; what is doubtful is not returned."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vestigia.domain.text import fold
from vestigia.models.extractive.names import is_known_not_german, names

FRENCH = [
    ("Quelle est la position de d'Estournelles sur le blocus ?", ["Estournelles"]),
    ("Quelle est la position de Paul d’Estournelles de Constant sur le blocus ?", ["Paul d’Estournelles de Constant"]),
    ("Que pensait Jean de La Fontaine de la cour ?", ["Jean de La Fontaine"]),
    ("Quels étaient les rapports entre l'Allemagne et l’Italie ?", ["Allemagne", "Italie"]),
    ("Quel rôle joua le Conseil municipal de Metz sous Louis XIV ?", ["Conseil", "Metz", "Louis XIV"]),
    ("Que dit M. Perrin de la gare ?", ["Perrin"]),
    ("Qu'est-ce que les ouvriers du XIXe siècle demandaient au maire ?", []),
    ("Quels arguments a-t-on fait valoir pour et contre la gare de la rive gauche ?", []),
    ("Comment Le Matin et la Gazette de Lausanne ont-ils jugé Zola ?", ["Le Matin", "Gazette de Lausanne", "Zola"]),
    ("Où est né Émile Zola ? Et où est mort Victor Hugo ?", ["Émile Zola", "Victor Hugo"]),
]
ENGLISH = [
    ("What did the Prime Minister think of Churchill's speech?", ["Prime Minister", "Churchill"]),
    ("What did French and British workers want in May and on Monday?", []),
    ("What did the British Museum buy from Egypt?", ["British Museum", "Egypt"]),
    ("Where were the Bank of England and O’Brien mentioned?", ["Bank of England", "O’Brien"]),
    ("Bridges: what did the council decide on them?", []),
    ("What does the report say: The bridge is closed?", []),
    ("What was said by I. K. Brunel of the Great Western?", ["Brunel", "Great Western"]),
    ("Why did Mr. Smith leave? Because of Mrs. Jones?", ["Smith", "Jones"]),
]
GERMAN = [
    ("Welche Rolle spielte die Eisenbahn für den Handel mit Getreide?", []),
    ("Was schrieb Karl Kraus über die Wiener Presse?", ["Karl Kraus", "Wiener Presse"]),
    ("Wie stand Kaiser Wilhelm zum Bau der Brücke?", ["Kaiser Wilhelm"]),
    ("Wie urteilt d’Estournelles über den Krieg?", ["Estournelles"]),
    ("Wie beurteilt Schnitzler Hofmannsthals Dramen?", []),
    ("Welche von Schnitzlers Dramen wurden im Burgtheater gespielt?", []),
    ("Was geschah Ende Juli und Anfang März in der Stadt?", []),
    ("Die Verteidigung von Paris und der Bau von Häusern", []),
    ("Wann beschloss der Rat den Bau einer Schule?", []),
]
UNTOLD = [
    ("Streit Brücke Kosten", []),
    ("QUELLE EST LA POSITION DE PARIS ?", []),
    ("What Was The Role Of Paris In The War", []),
    ("Napoleon", []),
    ("Winston Churchill", []),
    ("", []),
    ("?!", []),
    ("1887", []),
]


@pytest.mark.parametrize(("question", "found"), FRENCH)
def test_french(question: str, found: list[str]) -> None:
    assert names(question) == found


@pytest.mark.parametrize(("question", "found"), ENGLISH)
def test_english(question: str, found: list[str]) -> None:
    assert names(question) == found


@pytest.mark.parametrize(("question", "found"), GERMAN)
def test_german_where_a_capital_makes_no_name(question: str, found: list[str]) -> None:
    assert names(question) == found


@pytest.mark.parametrize(("question", "found"), UNTOLD)
def test_a_language_that_cannot_be_told_counts_as_german(question: str, found: list[str]) -> None:
    assert names(question) == found


@pytest.mark.parametrize("rows", [FRENCH, ENGLISH])
def test_french_and_english_are_told_from_german(rows: list[tuple[str, list[str]]]) -> None:
    assert all(is_known_not_german(question) for question, _ in rows)


@pytest.mark.parametrize("rows", [GERMAN, UNTOLD[4:]])
def test_german_and_what_cannot_be_told(rows: list[tuple[str, list[str]]]) -> None:
    assert not any(is_known_not_german(question) for question, _ in rows)


def test_a_name_is_returned_once() -> None:
    assert names("What did Zola say of Dreyfus, and what did Dreyfus say of Zola?") == ["Zola", "Dreyfus"]


@given(st.text(st.sampled_from("aAéÉßdDlL'’-.:?«» \n1IV\u0301\u00ad"), max_size=60) | st.text(max_size=60))
def test_whatever_is_returned_stands_in_the_question_has_a_capital_and_a_letter_more(question: str) -> None:
    found = names(question)
    assert len(found) == len(set(found))
    for name in found:
        assert name in question
        assert fold(name) in fold(question), "the planner compares folded texts"
        assert name[0].isupper()
        assert len(name) > 1


@pytest.mark.parametrize(
    "text",
    [
        "A" * 40_000,
        "Aa " * 15_000,
        "Paul de " * 8_000,
        "d'" * 20_000,
        "a. A" * 12_000,
        "le Paul de la " * 5_000,
        " " * 40_000,
        "L’" * 20_000,
        "«" * 40_000,
        "-A" * 20_000,
    ],
)
def test_no_question_takes_long(text: str) -> None:
    began = time.perf_counter()
    names(text)
    assert time.perf_counter() - began < 3
