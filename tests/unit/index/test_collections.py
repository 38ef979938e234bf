"""What the word and the character channel find on three judged collections: measured once, not to fall below."""

import json
import re
from statistics import fmean

import pytest

from fakes.pairs import document
from vestigia.domain.effects import CHARACTERS, WORDS, Scope, Search
from vestigia.domain.ids import digest
from vestigia.domain.periods import DatePeriod, Precision, day_number
from vestigia.index.build import IndexWriter
from vestigia.index.snapshot import Snapshot

PASSAGE_WORDS = 200
DETAILS = ("sender", "recipient", "place", "author", "category")


def pairs(folder):
    for line in (folder / "docs.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        parts = record["text"].split(" ")
        texts = [" ".join(parts[at : at + PASSAGE_WORDS]) for at in range(0, len(parts), PASSAGE_WORDS)]
        dated = re.match(r"(\d{4})-(\d\d)-(\d\d)", record.get("date") or "")
        day = day_number(*map(int, dated.groups())) if dated else None
        period = DatePeriod(day, day, Precision.DAY, text=record["date"]) if day is not None else None
        yield from document(
            str(record["id"]),
            *texts,
            sub=record.get("source") or "",
            period=period,
            language=record.get("lang") or "",
            title=record.get("title") or "",
            details=tuple((key, record[key]) for key in DETAILS if record.get(key)),
        )


def judged(folder):
    relevant = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").splitlines():
        query, _, wanted, grade = line.split()
        if int(grade) > 0:
            relevant.setdefault(query, set()).add(wanted)
    for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines():
        query = json.loads(line)
        if query["id"] in relevant:
            yield query["query"], relevant[query["id"]]


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(
    ("collection", "words", "characters"),
    [("schnitzler-letters-de", 0.42, 0.42), ("pec-letters-fr", 0.82, 0.83), ("multihop-rag-500-en", 0.80, 0.83)],
)
def test_recall_at_ten_does_not_fall(shared_data, tmp_path, collection, words, characters):
    with IndexWriter(tmp_path) as writer:
        writer.add(pairs(shared_data / collection))
        writer.commit(1, digest("catalogue"))
    snapshot = Snapshot.open(tmp_path)
    for channel, floor in ((WORDS, words), (CHARACTERS, characters)):
        recalls = [
            len(wanted & {hit.document for hit in snapshot.search(Search(channel, text, Scope(), 10)).hits})
            / len(wanted)
            for text, wanted in judged(shared_data / collection)
        ]
        assert fmean(recalls) >= floor
