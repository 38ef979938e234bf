"""TREC files, read back by the field's own library."""

import ir_measures

from fakes.trials import a_query, ranked
from vestigia.evaluate.collection import Collection
from vestigia.evaluate.measures import scores
from vestigia.evaluate.runfiles import write_qrels, write_run

COLLECTION = Collection("my letters", (a_query("1", "a", "b", grade=2), a_query("2", "c")), (a_query("3"),))
TRIAL = {"1": ranked("x", "b", "a"), "2": ranked("c"), "3": ranked("x")}


def test_other_programs_measure_on_the_files_what_we_measure(tmp_path):
    run = list(ir_measures.read_trec_run(str(write_run(tmp_path, COLLECTION, "hybrid+date", TRIAL))))
    gold = list(ir_measures.read_trec_qrels(str(write_qrels(tmp_path, COLLECTION))))
    assert [(line.query_id, line.doc_id) for line in run] == [
        ("1", "x"),
        ("1", "b"),
        ("1", "a"),
        ("2", "c"),
        ("3", "x"),
    ]
    measures = [ir_measures.nDCG @ 10, ir_measures.R @ 10]
    found = {(str(m.measure), m.query_id): m.value for m in ir_measures.iter_calc(measures, gold, run)}
    ours = scores(COLLECTION.queries, TRIAL)
    assert {key: value for key, value in found.items() if key[1] != "3"} == {
        (name, query): ours[name][query] for name in ("nDCG@10", "R@10") for query in ("1", "2")
    }


def test_files_are_named_after_collection_and_system_and_hold_no_space_in_a_name(tmp_path):
    spaced = Collection("a/b", (a_query("q 1", "100 %/1 May.txt"),))
    path = write_run(tmp_path, spaced, "meaning:e5", {"q 1": ranked("100 %/1 May.txt")})
    assert path.name == "a-b.meaning-e5.run"
    assert path.read_text(encoding="utf-8") == "q%201 Q0 100%20%25/1%20May.txt 1 1 meaning:e5\n"
    assert write_qrels(tmp_path, spaced).read_text(encoding="utf-8") == "q%201 0 100%20%25/1%20May.txt 1\n"
