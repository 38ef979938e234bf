"""The fictional archive of the package: what it promises to a reader, a reviewer and an evaluator."""

import datetime
import json
import re
import unicodedata
from importlib.resources import files
from pathlib import Path

import pytest
from lxml import etree

DEMO = Path(str(files("vestigia.app") / "demo"))
COUNCIL, NEWSPAPER, LETTERS = "Conseil municipal", "Grenzbote", "Correspondance Vautrin"
TEI = {"t": "http://www.tei-c.org/ns/1.0"}
XML_ID = "{http://www.w3.org/XML/1998/namespace}id"
REPRINTS = [("1887-03-14", "1887-03-17"), ("1893-08-21", "1893-08-24"), ("1897-11-18", "1897-11-22")]

RECORDS = [json.loads(line) for line in (DEMO / "council.jsonl").read_text(encoding="utf-8").splitlines()]
ISSUES = {path.stem: path.read_text(encoding="utf-8") for path in sorted((DEMO / "Grenzbote").iterdir())}
TREES = {path.stem: etree.parse(path).getroot() for path in sorted((DEMO / "Correspondance_Vautrin").iterdir())}
QUESTIONS = json.loads((DEMO / "questions.json").read_text(encoding="utf-8"))["questions"]
BY_ID = {question["id"]: question for question in QUESTIONS}


def sub_corpus_of() -> dict[str, str]:
    return (
        {record["id"]: COUNCIL for record in RECORDS}
        | dict.fromkeys(ISSUES, NEWSPAPER)
        | {tree.get(XML_ID): LETTERS for tree in TREES.values()}
    )


def sent_date(tree):
    return tree.find(".//t:correspAction[@type='sent']/t:date", TEI)


def letter_text(tree) -> str:
    return " ".join("".join(tree.find(".//t:body", TEI).itertext()).split())


def day_of_issue(stem: str) -> datetime.date | None:
    match = re.match(r"\d{4}-\d\d-\d\d", stem)
    return datetime.date.fromisoformat(match.group()) if match else None


def folded_words(text: str) -> list[str]:
    """Words with the confusions of the README folded into one letter each."""
    text = text.replace("-\n", "").lower().replace("ß", "sz")
    text = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    for seen, meant in (("f", "s"), ("ii", "u"), ("u", "n"), ("rn", "m"), ("c", "e"), ("b", "h"), ("l", "1")):
        text = text.replace(seen, meant)
    return re.findall(r"\w+", text)


def shingles(text: str) -> set[tuple[str, ...]]:
    words = folded_words(text.split("\n", 1)[1])  # the masthead differs by right
    return {tuple(words[n : n + 5]) for n in range(len(words) - 4)}


def named(question: dict, kind: str) -> set[str]:
    return {item["document"] for item in question[kind]}


# --- what there is ---


def test_three_sub_corpora_of_the_sizes_the_readme_states():
    readme = (DEMO / "README.md").read_text(encoding="utf-8")
    for name, count in ((COUNCIL, len(RECORDS)), (NEWSPAPER, len(ISSUES)), (LETTERS, len(TREES))):
        assert re.search(rf"^\| {name} \|.*\| {count} \|$", readme, re.MULTILINE), (name, count)
        assert 25 <= count <= 35


def test_every_id_is_used_once():
    assert len(sub_corpus_of()) == len(RECORDS) + len(ISSUES) + len(TREES)


def test_nothing_else_lies_in_the_folder():
    assert sorted(path.name for path in DEMO.iterdir()) == [
        "Correspondance_Vautrin",
        "Grenzbote",
        "README.md",
        "council.jsonl",
        "questions.json",
    ]


def test_file_names_are_plain_ascii():
    assert all(path.name.isascii() and " " not in path.name for path in DEMO.rglob("*"))


def test_every_text_is_in_composed_unicode_without_control_characters():
    texts = [r["text"] for r in RECORDS] + list(ISSUES.values()) + [letter_text(t) for t in TREES.values()]
    for text in texts:
        assert unicodedata.is_normalized("NFC", text)
        assert not [c for c in text if unicodedata.category(c) in {"Cc", "Co", "Cn"} and c != "\n"]


# --- minutes ---


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["id"])
def test_a_minute_has_its_fields_and_one_kind_of_date(record):
    assert set(record) - {"date", "date_text"} == {"id", "source", "title", "lang", "text"}
    assert record["source"] == COUNCIL
    assert record["lang"] in {"fr", "de"}
    assert ("date" in record) != ("date_text" in record)
    assert 80 <= len(record["text"].split()) <= 350


@pytest.mark.parametrize("record", [r for r in RECORDS if "date" in r], ids=lambda record: record["id"])
def test_the_council_sits_on_a_saturday_of_the_period(record):
    day = datetime.date.fromisoformat(record["date"])
    assert day.strftime("%w") == "6"
    assert 1880 <= day.year <= 1914
    assert record["date"] in record["id"]
    assert str(day.year) in record["title"]


def test_the_minutes_are_mostly_french():
    german = sum(record["lang"] == "de" for record in RECORDS)
    assert 3 <= german < len(RECORDS) / 3


# --- newspaper ---


@pytest.mark.parametrize("stem", [stem for stem in ISSUES if day_of_issue(stem)])
def test_the_newspaper_comes_out_on_mondays_and_thursdays(stem):
    day = day_of_issue(stem)
    name = {"1": "Montag", "4": "Donnerstag"}[day.strftime("%w")]
    assert ISSUES[stem].splitlines()[0].startswith(f"Der Grenzbote. — Lörwingen, {name}, {day.day}. ")
    assert f" {day.year}. — Nr. " in ISSUES[stem].splitlines()[0]


@pytest.mark.parametrize("stem", [stem for stem in ISSUES if day_of_issue(stem)])
def test_an_issue_bears_the_number_of_its_monday_or_thursday_in_the_year(stem):
    day = day_of_issue(stem)
    days = (datetime.date(day.year, 1, 1) + datetime.timedelta(n) for n in range(day.timetuple().tm_yday))
    assert f"Nr. {sum(d.strftime('%w') in '14' for d in days)}." in ISSUES[stem].splitlines()[0]


@pytest.mark.parametrize(("first", "again"), REPRINTS)
def test_a_reprint_is_the_same_article_read_differently(first, again):
    one, two = ISSUES[f"{first}_Grenzbote"], ISSUES[f"{again}_Grenzbote"]
    a, b = shingles(one), shingles(two)
    assert len(a & b) / min(len(a), len(b)) >= 0.70
    lines_one, lines_two = set(one.splitlines()), set(two.splitlines())
    assert len(lines_one & lines_two) < len(lines_one) / 2


def test_other_issues_share_almost_nothing():
    known = {frozenset(f"{day}_Grenzbote" for day in pair) for pair in REPRINTS}
    stems = list(ISSUES)
    for n, one in enumerate(stems):
        for two in stems[n + 1 :]:
            if frozenset((one, two)) not in known:
                assert len(shingles(ISSUES[one]) & shingles(ISSUES[two])) <= 4, (one, two)


def test_part_of_the_newspaper_is_badly_damaged_and_part_is_clean():
    def misread_s(text: str) -> int:
        return len(re.findall(r"\b(?:fich|fie|fein|feine|fcit|fechs)\b|fz\b|fz[ei]|ft\b", text))

    counts = {stem: misread_s(text) for stem, text in ISSUES.items()}
    assert counts["1893-08-21_Grenzbote"] >= 8
    assert counts["1888-03-12_Grenzbote"] <= 4  # "Geschäft" and the like
    assert sum("-\n" in text for text in ISSUES.values()) >= 15


def test_both_languages_stand_in_one_issue():
    text = ISSUES["1882-03-02_Grenzbote"]
    assert "Gemeinderat" in text
    assert "Tribune libre" in text


# --- letters ---


@pytest.mark.parametrize("stem", TREES)
def test_a_letter_is_tei_with_writer_reader_and_text(stem):
    tree = TREES[stem]
    assert tree.tag == "{http://www.tei-c.org/ns/1.0}TEI"
    assert tree.get(XML_ID) == stem
    assert tree.findtext(".//t:title[@level='s']", namespaces=TEI) == LETTERS
    assert len(tree.findall(".//t:correspAction/t:persName", TEI)) == 2
    language = tree.find(".//t:langUsage/t:language", TEI).get("ident")
    assert language == tree.get("{http://www.w3.org/XML/1998/namespace}lang")
    assert len(letter_text(tree).split()) >= 70


@pytest.mark.parametrize("stem", TREES)
def test_an_encoded_date_is_a_real_one_of_the_period(stem):
    date = sent_date(TREES[stem])
    written = [] if date is None else [date.get(n) for n in ("when", "notBefore", "notAfter") if date.get(n)]
    for value in written:
        full = value + "-01-01"[len(value) - 4 :] if len(value) < 10 else value
        assert 1879 <= datetime.date.fromisoformat(full).year <= 1914
    assert written == sorted(written)


def test_letters_are_written_in_three_languages():
    languages = [tree.get("{http://www.w3.org/XML/1998/namespace}lang") for tree in TREES.values()]
    assert min(languages.count(language) for language in ("fr", "de", "en")) >= 6


def test_one_letter_contradicts_its_encoding():
    def year_apart(tree) -> bool:
        date = sent_date(tree)
        return date is not None and date.get("when") is not None and date.get("when")[:4] not in date.text

    assert [stem for stem, tree in TREES.items() if year_apart(tree)] == ["V022"]


# --- dates over the whole archive ---


def test_some_documents_are_undated():
    records = [r["id"] for r in RECORDS if not re.search(r"\d{4}", r.get("date", "") + r.get("date_text", ""))]
    issues = [stem for stem in ISSUES if day_of_issue(stem) is None]
    letters = [stem for stem, tree in TREES.items() if sent_date(tree) is None or not sent_date(tree).attrib]
    assert records == ["CM-sd-lavoirs"]
    assert issues == ["Beilage_ohne_Datum_Grenzbote"]
    assert letters == ["V025", "V026"]


def test_many_dates_are_uncertain():
    letters = [stem for stem, tree in TREES.items() if sent_date(tree) is not None and sent_date(tree).get("notBefore")]
    records = [r["id"] for r in RECORDS if re.search(r"\d{4}", r.get("date_text", ""))]
    assert len(letters) + len(records) >= 8


# --- questions ---


def test_six_questions_two_in_each_language():
    assert sorted(question["lang"] for question in QUESTIONS) == ["de", "de", "en", "en", "fr", "fr"]
    assert len(BY_ID) == 6


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_gold_and_near_misses_exist_with_a_reason_each(question):
    where = sub_corpus_of()
    for item in question["gold"] + question["near_misses"]:
        assert where[item["document"]] == item["sub_corpus"]
        assert len(item["note"].split()) >= 4
    assert not named(question, "gold") & named(question, "near_misses")
    assert len(named(question, "gold")) == len(question["gold"]) >= 2
    assert question["near_misses"]


def test_the_date_bound_question_has_gold_only_inside_its_period():
    question = BY_ID["D1"]
    first, last = question["period"]
    dates = {r["id"]: r.get("date") for r in RECORDS} | {stem: stem[:10] for stem in ISSUES}
    dates |= {stem: sent_date(tree).get("when") for stem, tree in TREES.items() if sent_date(tree) is not None}
    assert all(first <= dates[document] <= last for document in named(question, "gold"))


def test_the_comparison_needs_all_three_sub_corpora():
    assert {item["sub_corpus"] for item in BY_ID["D2"]["gold"]} == {COUNCIL, NEWSPAPER, LETTERS}


def test_the_balloon_came_down_only_in_damaged_newspapers():
    assert {item["sub_corpus"] for item in BY_ID["D3"]["gold"]} == {NEWSPAPER}
    others = [r["text"] for r in RECORDS] + [letter_text(tree) for tree in TREES.values()]
    assert not [text for text in others if re.search("Luftballon|Comète|Ferrand", text)]


def test_the_cross_lingual_question_has_no_gold_in_its_own_language():
    languages = {r["id"]: r["lang"] for r in RECORDS}
    languages |= {stem: tree.get("{http://www.w3.org/XML/1998/namespace}lang") for stem, tree in TREES.items()}
    assert BY_ID["D4"]["lang"] == "de"
    assert {languages[document] for document in named(BY_ID["D4"], "gold")} == {"fr", "en"}


def test_a_good_part_of_the_archive_answers_no_question():
    asked = set().union(*(named(q, "gold") | named(q, "near_misses") for q in QUESTIONS))
    assert len(set(sub_corpus_of()) - asked) >= 15
