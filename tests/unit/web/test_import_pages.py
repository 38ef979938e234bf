"""Taking sources in by the browser: looked at first, in the background, file by file; nothing unsafe lands anywhere."""

import errno
import io
import json
import re
import threading
import time
import zipfile

import pytest

from fakes.sites import is_well_made, visiting, words_of
from unit.web.conftest import EVIL
from vestigia.app import import_jobs
from vestigia.app.import_jobs import UPLOADS
from vestigia.app.taking_in import MOST, lay_down, safe_name
from vestigia.app.workspace import init, open_workspace
from vestigia.domain.errors import UsageError
from vestigia.ledger.lock import lock

IMPORT = "/archives/own/import"
LINE = json.dumps({"id": "N1", "title": f"Neu {EVIL}", "text": f"Ein neuer Text {EVIL} über Brücken.", "date": "1888"})


@pytest.fixture
def own(tmp_path):
    return init(tmp_path / "own")


@pytest.fixture
def here(own):
    return visiting({"own": own})


def send(site, *files, **fields):
    """Send files and wait until they are looked at; returns (answer, the twin of the import)."""
    answer = site.submit(IMPORT, fields, files=[("file", one) for one in files])
    return answer, rested(site, answer.url.path)


def rested(site, path):
    for _ in range(600):
        told = site.get(f"{path}.json").json()
        if not told.get("moving"):
            return told
        time.sleep(0.05)
    raise AssertionError(told)


def ids(workspace):
    catalogue = workspace.catalogue()
    try:
        return list(catalogue.ids())
    finally:
        catalogue.close()


def test_files_are_looked_at_before_anything_goes_in_and_then_taken_in(here, own):
    answer, looked = send(here, ("neu.jsonl", LINE.encode()), sub_corpus="Neues", language="de")
    assert looked["state"] == "looked"
    assert looked["files"][0]["first"][0]["title"] == f"Neu {EVIL}"
    assert ids(own) == []
    page = here.get(answer.url.path)
    is_well_made(page.text)
    assert EVIL not in page.text
    assert "Nothing has gone in yet." in words_of(page.text)
    here.submit(answer.url.path)
    taken = rested(here, answer.url.path)
    assert (taken["state"], taken["told"]["documents"]) == ("taken", 1)
    assert ids(own) == ["N1"]
    assert "1 document" in words_of(here.get(answer.url.path).text)
    assert here.get("/archives/own/search.json?q=Br%C3%BCcken").json()["hits"][0]["document"] == "N1"
    assert here.submit(answer.url.path).status_code == 400
    assert str(own.root) not in json.dumps(taken)


def test_each_file_is_reported_on_and_a_bad_one_stops_nothing(here, own):
    answer, _ = send(here, ("gut.jsonl", LINE.encode()), ("schlecht.jsonl", b"{broken\n"), ("leer.txt", b""))
    here.submit(answer.url.path)
    taken = rested(here, answer.url.path)
    told = {one["file"].rpartition("/")[2]: one for one in taken["files"]}
    assert told["gut.jsonl"]["documents"] == 1
    assert told["schlecht.jsonl"]["refused"] or told["schlecht.jsonl"]["failure"]
    assert told["leer.txt"]["failure"] or told["leer.txt"]["skipped"]
    assert ids(own) == ["N1"]


@pytest.mark.parametrize(
    "name", [f"{EVIL}.jsonl", "../../escape.jsonl", "..\\..\\escape.jsonl", "/etc/cron.d/x.jsonl", ".hidden.jsonl"]
)
def test_a_file_lands_in_one_folder_whatever_it_is_called_and_its_name_is_text(here, own, name):
    answer, looked = send(here, (name, LINE.encode()))
    assert looked["files"][0]["documents"] == 1
    there = [path for path in own.root.parent.rglob("*") if path.is_file() and path.read_bytes() == LINE.encode()]
    assert [path.parent for path in there] == [own.root / UPLOADS]
    for path in (answer.url.path, IMPORT):
        assert "<script>alert" not in here.get(path).text


def test_a_zip_that_leads_out_or_swells_is_refused(here, own):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("../../out.jsonl", LINE)
        made.writestr("bombe.txt", "0" * 400_000_000)
        made.writestr("in.jsonl", LINE)
    answer, _ = send(here, ("viele.zip", packed.getvalue()))
    here.submit(answer.url.path)
    taken = rested(here, answer.url.path)
    assert sum(bool(one["failure"]) for one in taken["files"]) >= 1
    assert not (own.root.parent / "out.jsonl").exists()
    assert not list(own.root.rglob("bombe*"))


def test_a_name_that_is_there_is_not_written_over_unless_it_is_a_new_version(here, own):
    answer, _ = send(here, ("neu.jsonl", LINE.encode()))
    here.submit(answer.url.path)
    rested(here, answer.url.path)
    other = LINE.replace("neuer", "anderer").encode()
    refused = here.submit(IMPORT, {}, files=[("file", ("neu.jsonl", other))])
    assert refused.status_code == 400
    assert "a file of that name was brought before" in words_of(refused.text).lower()
    answer, _ = send(here, ("neu.jsonl", other), update="true")
    here.submit(answer.url.path)
    assert rested(here, answer.url.path)["told"]["updated"] == 1


def test_a_folder_is_one_that_the_settings_allow(own, tmp_path):
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "a.jsonl").write_text(LINE)
    assert 'name="folder"' not in visiting({"own": own}).get(IMPORT).text
    settings = own.root / "vestigia.toml"
    settings.write_text(settings.read_text() + f"\n[import]\nfolders = [{json.dumps(str(tmp_path / 'sources'))}]\n")
    site = visiting({"own": open_workspace(own.root)})
    page = site.get(IMPORT).text
    assert str(tmp_path) not in page
    assert ">sources</option>" in page
    answer = site.submit(IMPORT, {"folder": "0"})
    assert rested(site, answer.url.path)["files"][0]["documents"] == 1
    for folder in ("1", "-1", "/etc", "٠"):
        assert site.submit(IMPORT, {"folder": folder}).status_code == 400


@pytest.mark.parametrize(
    "fields",
    [{}, {"language": "klingonisch-x"}, {"encoding": "nix"}, {"sub_corpus": "\ud800".encode(errors="replace")}],
)
def test_what_cannot_be_is_said_beside_the_form(here, own, fields):
    files = [("file", ("a.jsonl", LINE.encode()))] if fields and "sub_corpus" not in fields else []
    answer = here.submit(IMPORT, fields, files=files or None)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    assert ids(own) == []


def test_nothing_is_replaced_unless_it_is_said(here):
    (tick,) = re.findall(r'<input type="checkbox" name="update"[^>]*>', here.get(IMPORT).text)
    assert "checked" not in tick
    (kept,) = re.findall(r'<input type="checkbox" name="update"[^>]*>', here.submit(IMPORT, {"update": "true"}).text)
    assert "checked" in kept


def test_an_import_there_is_not(here):
    assert here.get(f"{IMPORT}/99").status_code == 404
    assert here.submit(f"{IMPORT}/99").status_code == 400
    assert re.search("Take sources in", here.get("/archives/own").text)


@pytest.mark.parametrize("name", ["", "...", "  ", "\x00\x01", "con.txt", "LPT1", "/"])
def test_a_name_that_says_nothing_is_refused(name):
    if name == "\x00\x01":
        assert safe_name(name) == "__"
        return
    with pytest.raises(UsageError):
        safe_name(name)


def test_a_long_name_keeps_its_ending():
    assert safe_name("ä" * 500 + ".jsonl") == "ä" * 120 + ".jsonl"


def test_without_javascript_the_page_of_what_is_at_work_reads_itself_again(here, held_back):
    answer = here.submit(IMPORT, {}, files=[("file", ("neu.jsonl", LINE.encode()))])
    moving = here.get(answer.url.path).text
    assert '<noscript><meta http-equiv="refresh"' in moving
    assert "/static/import.js" in moving
    held_back.set()
    rested(here, answer.url.path)
    still = here.get(answer.url.path).text
    assert "http-equiv" not in still
    assert "/static/import.js" not in still


@pytest.fixture
def held_back(monkeypatch):
    """Until it is set no file is looked at."""
    go = threading.Event()
    look = import_jobs.preview

    def slow(*given):
        assert go.wait(60)
        return look(*given)

    monkeypatch.setattr(import_jobs, "preview", slow)
    yield go
    go.set()


def test_after_a_restart_the_page_says_what_became_of_the_import(here, own):
    answer, _ = send(here, ("neu.jsonl", LINE.encode()))
    here.submit(answer.url.path)
    taken = rested(here, answer.url.path)
    again = visiting({"own": open_workspace(own.root)})
    assert again.get(f"{answer.url.path}.json").json() == taken
    assert "taken in" in words_of(again.get(IMPORT).text)
    other, looked = send(again, ("mehr.jsonl", LINE.replace("N1", "N2").encode()))
    assert (other.url.path, looked["state"]) == (f"{IMPORT}/2", "looked"), "a number is given once"
    third = visiting({"own": open_workspace(own.root)})
    third.submit(other.url.path)
    assert rested(third, other.url.path)["state"] == "taken"
    assert ids(own) == ["N1", "N2"]


@pytest.mark.parametrize(
    ("state", "seen", "said", "next_state"),
    [
        ("looking", False, "Nothing has gone in; what you sent is kept.", "looked"),
        ("taking", True, "the rest follows, nothing goes in twice.", "taken"),
    ],
)
def test_an_import_that_a_kill_broke_off_says_so_and_goes_on(here, own, state, seen, said, next_state):
    answer, _ = send(here, ("neu.jsonl", LINE.encode()))
    note = own.root / "imports" / "1.json"
    note.write_text(json.dumps(json.loads(note.read_text()) | {"state": state, "seen": seen}))
    again = visiting({"own": open_workspace(own.root)})
    page = again.get(answer.url.path).text
    is_well_made(page)
    assert said in words_of(page)
    assert again.get(f"{answer.url.path}.json").json()["state"] == "broken"
    again.submit(answer.url.path)
    assert rested(again, answer.url.path)["state"] == next_state


def test_while_another_process_takes_files_in_its_import_is_at_work_and_no_second_begins(here, own):
    answer, _ = send(here, ("neu.jsonl", LINE.encode()))
    note = own.root / "imports" / "1.json"
    note.write_text(json.dumps(json.loads(note.read_text()) | {"state": "taking"}))
    with lock(own.root / "imports" / "lock"):
        assert here.get(f"{answer.url.path}.json").json()["state"] == "taking"
        for to, files in ((answer.url.path, None), (IMPORT, [("file", ("neu.jsonl", LINE.encode()))])):
            refused = here.submit(to, {}, files=files)
            assert "files of this archive are being read" in words_of(refused.text).lower()
    assert here.get(f"{answer.url.path}.json").json()["state"] == "broken"


def test_a_folder_that_may_no_longer_be_taken_in_is_not(own, tmp_path):
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources" / "a.jsonl").write_text(LINE)
    settings = own.root / "vestigia.toml"
    before = settings.read_text()
    settings.write_text(before + f"\n[import]\nfolders = [{json.dumps(str(tmp_path / 'sources'))}]\n")
    site = visiting({"own": open_workspace(own.root)})
    answer = site.submit(IMPORT, {"folder": "0"})
    rested(site, answer.url.path)
    settings.write_text(before)
    later = visiting({"own": open_workspace(own.root)})
    assert later.submit(answer.url.path).status_code == 400
    assert ids(own) == []


@pytest.mark.parametrize("note", ["", "[]", "{}", '{"options": {"name_patterns": 3}}'], ids=repr)
def test_a_note_that_a_dying_machine_left_hides_no_other(here, own, note):
    send(here, ("neu.jsonl", LINE.encode()))
    (own.root / "imports" / "7.json").write_text(note)
    assert here.get(f"{IMPORT}/7").status_code == 404
    assert [one["import"] for one in here.get(f"{IMPORT}.json").json()["imports"]] == [1]
    assert send(here, ("neu.jsonl", LINE.encode()))[0].url.path == f"{IMPORT}/8"


def test_of_very_many_imports_the_oldest_are_forgotten(here, own, monkeypatch):
    monkeypatch.setattr(import_jobs, "KEPT", 2)
    for _ in range(3):
        send(here, ("neu.jsonl", LINE.encode()))
    assert [one["import"] for one in here.get(f"{IMPORT}.json").json()["imports"]] == [3, 2]
    assert (own.root / UPLOADS / "neu.jsonl").exists()


@pytest.mark.parametrize("name", ["NUL .txt", "com¹.xml", "COM٣.txt", "conout$", "lpt².tar.gz"])
def test_a_name_that_is_a_device_elsewhere_is_refused(name):
    with pytest.raises(UsageError):
        safe_name(name)


@pytest.mark.parametrize("name", ["🜁" * 300 + ".jsonl", "🜁" * 300, "a." + "🜁" * 300, "é" * 119 + "🜁" * 9 + ".tei.xml"])
def test_a_name_is_no_longer_than_systems_take_which_count_bytes(here, own, name):
    assert 0 < len(safe_name(name).encode()) <= 255
    answer, _ = send(here, (name, LINE.encode()))
    assert answer.status_code == 200
    assert [path.name for path in (own.root / UPLOADS).iterdir()] == [safe_name(name)]


def test_of_two_files_of_one_name_that_come_at_once_one_is_kept_and_the_other_is_told(own):
    start, kept, told = threading.Barrier(8), [], []

    def bring(number):
        start.wait()
        content = f"{number}" * 100_000
        try:
            lay_down(own, "brief.txt", io.BytesIO(content.encode()))
            kept.append(content)
        except UsageError as error:
            told.append(error.what)

    threads = [threading.Thread(target=bring, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(kept), len(told)) == (1, 7)
    assert "brought before" in told[0]
    assert [(path.name, path.read_text()) for path in (own.root / UPLOADS).iterdir()] == [("brief.txt", kept[0])]


def test_a_disk_that_takes_no_more_is_said_and_leaves_nothing_behind(here, own, monkeypatch):
    def full(_stream, _file, _safe):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("vestigia.app.taking_in._copy", full)
        answer = here.submit(IMPORT, {}, files=[("file", ("a.jsonl", LINE.encode()))])
    assert "The file cannot be kept: No space left on device." in words_of(answer.text)
    assert "a.jsonl" in words_of(answer.text)
    assert list((own.root / UPLOADS).iterdir()) == []
    assert send(here, ("a.jsonl", LINE.encode()))[1]["files"][0]["documents"] == 1


def test_more_files_than_a_form_may_bring_are_refused_with_the_reason(here, own):
    files = [("file", (f"{number}.txt", b"x")) for number in range(MOST + 1)]
    answer = here.post(IMPORT, data={}, files=files, headers={"x-csrf-token": here.token()})
    assert answer.status_code == 400
    assert f"Maximum number of files is {MOST}." in words_of(answer.text)
    assert not (own.root / UPLOADS).exists()
