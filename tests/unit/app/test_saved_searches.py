"""Saved searches: kept for one person, run anew, what is new since; a file that names no document."""

import pytest

from vestigia.app.saved_searches import FOLDER, LONGEST, MOST, delete, named, run_anew, save, saved
from vestigia.domain.errors import ArchiveError, UsageError

FIELDS = (("q", "Brücke"), ("sub_corpus", "Letters"), ("sub_corpus", "Minutes"), ("windows", "10y"))


def kept(workspace, person="1 Ada"):
    (path,) = (workspace.root / FOLDER).glob("*.json")
    return path


def test_a_search_is_found_again_by_who_saved_it_with_all_its_fields(workspace):
    made = save(workspace, "1 Ada", "  Die   Brücke ", FIELDS, ["V1"])
    assert (made.number, made.name, made.fields) == (1, "Die Brücke", FIELDS)
    assert saved(workspace, "1 Ada") == [made]
    assert named(workspace, "1 Ada", 1) == made
    assert saved(workspace, "2 Ada") == []
    with pytest.raises(UsageError, match="no such saved search"):
        named(workspace, "2 Ada", 1)


def test_what_is_new_is_what_the_list_of_last_time_lacked(workspace):
    first = save(workspace, "Ada", "a", FIELDS, ["V1"])
    assert first.new(["V1", "V2"]) == [], "until it is run anew there is no last time"
    again = run_anew(workspace, "Ada", 1, ["V1", "V2"])
    assert again.new(["V2", "V1"]) == ["V2"]
    assert again.before_at == first.run_at
    assert named(workspace, "Ada", 1) == again
    assert run_anew(workspace, "Ada", 1, ["V2"]).new(["V2", "V3"]) == ["V3"]


def test_the_file_names_neither_the_person_nor_a_document(workspace):
    save(workspace, "Ada", "a", FIELDS, ["V1", "geheim/V9"])
    run_anew(workspace, "Ada", 1, ["geheim/V9"])
    path = kept(workspace)
    assert "V9" not in path.read_text()
    assert "Ada" not in path.read_text() + path.name


def test_a_name_is_one_search_of_a_person(workspace):
    save(workspace, "Ada", "Brücke", FIELDS, [])
    with pytest.raises(UsageError, match="there is a search 'BRÜCKE' already"):
        save(workspace, "Ada", "BRÜCKE", FIELDS, [])
    save(workspace, "Bo", "Brücke", FIELDS, [])
    for name in ("", "  ", "x" * (LONGEST + 1)):
        with pytest.raises(UsageError, match="needs a name"):
            save(workspace, "Ada", name, FIELDS, [])
    with pytest.raises(UsageError, match="broken characters"):
        save(workspace, "Ada", "\ud800", FIELDS, [])
    with pytest.raises(UsageError, match="too long"):
        save(workspace, "Ada", "long", (("q", "x" * 9000),), [])


def test_a_deleted_one_is_gone_and_its_number_does_not_come_back_while_a_later_one_stands(workspace):
    for name in ("a", "b"):
        save(workspace, "Ada", name, FIELDS, [])
    assert delete(workspace, "Ada", 1).name == "a"
    assert [one.name for one in saved(workspace, "Ada")] == ["b"]
    for refused in (delete, lambda *who: run_anew(*who, [])):
        with pytest.raises(UsageError, match="no such saved search"):
            refused(workspace, "Ada", 1)
    assert save(workspace, "Ada", "c", FIELDS, []).number == 3


def test_there_is_an_end_to_how_many(workspace, monkeypatch):
    assert MOST == 200
    monkeypatch.setattr("vestigia.app.saved_searches.MOST", 1)
    save(workspace, "Ada", "a", FIELDS, [])
    with pytest.raises(UsageError, match="Delete some first"):
        save(workspace, "Ada", "b", FIELDS, [])


@pytest.mark.parametrize("content", ["{broken", '{"a": 1}', '[{"number": 1}]', "[1]"])
def test_a_file_that_is_none_of_ours_is_named_and_not_written_over(workspace, content):
    save(workspace, "Ada", "a", FIELDS, [])
    kept(workspace).write_text(content)
    for doing in (lambda: saved(workspace, "Ada"), lambda: save(workspace, "Ada", "b", FIELDS, [])):
        with pytest.raises(ArchiveError, match="it holds no saved searches"):
            doing()
    assert kept(workspace).read_text() == content
