"""Copies: an archive and a server's accounts as one file and back, while others work; no damaged copy is restored."""

import hashlib
import json
import sqlite3
import threading
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from vestigia.app import archive, backups
from vestigia.app.asking import ask
from vestigia.app.backups import backup, restore
from vestigia.app.people.door import People
from vestigia.app.searching import search
from vestigia.app.workspace import Workspace, init, open_workspace
from vestigia.cli.commands import app
from vestigia.domain.errors import ArchiveError, UsageError
from vestigia.domain.question import Question
from vestigia.index.durable import only_writer
from vestigia.ledger.deposit import MANIFEST
from vestigia.ledger.log import FileLedger

QUESTION = Question("Was geschah mit der Brücke?")


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def repacked(source: Path, out: Path, change) -> Path:
    """A copy whose members were changed by somebody who knows how a manifest is written."""
    with zipfile.ZipFile(source) as file:
        members = {name: file.read(name) for name in file.namelist() if name != MANIFEST}
    change(members)
    listed = "".join(f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in members.items())
    with zipfile.ZipFile(out, "w") as file:
        for name, content in {**members, MANIFEST: listed.encode()}.items():
            file.writestr(name, content)
    return out


@pytest.fixture
def copy(workspace: Workspace, tmp_path: Path) -> Path:
    """A copy of the archive of two letters with one run."""
    ask(workspace, QUESTION)
    backup(workspace.root, tmp_path / "copy.zip")
    return tmp_path / "copy.zip"


class TestAnArchive:
    def test_what_was_restored_is_searched_and_its_runs_verify(self, workspace: Workspace, copy: Path, tmp_path: Path):
        said = restore(copy, tmp_path / "again")
        assert (said.kind, said.with_index, said.left_out) == ("archive", False, ())
        again = open_workspace(tmp_path / "again")
        assert again.run_names() == workspace.run_names()
        (run,) = again.run_names()
        assert FileLedger.read(again.runs, run).entries() == FileLedger.read(workspace.runs, run).entries()
        assert not again.index.exists()
        archive.encode(again, "hashing")
        found = [one.document for one in search(again, QUESTION, "words", 10).candidates]
        assert found == [one.document for one in search(workspace, QUESTION, "words", 10).candidates] != []

    def test_everything_that_cannot_be_made_again_is_in_it_byte_by_byte(self, workspace: Workspace, tmp_path: Path):
        ask(workspace, QUESTION)
        (workspace.root / "rubrics").mkdir()
        (workspace.root / "rubrics" / "Brücken und Wege.md").write_text("# Brücken", encoding="utf-8")
        (workspace.root / "prompts").mkdir()
        (workspace.root / "prompts" / "plan.md").write_text("own", encoding="utf-8")
        (workspace.root / "corrections.jsonl").write_bytes(b'{"one": 1}\n{"torn')
        backup(workspace.root, tmp_path / "c.zip")
        restore(tmp_path / "c.zip", tmp_path / "again")
        before, after = contents(workspace.root), contents(tmp_path / "again")
        made_again = {name for name in before if name.startswith(("index/", "open-part/")) or name.endswith("lock")}
        passing = {name for name in before if name.endswith(("-wal", "-shm"))}
        assert after.keys() == before.keys() - made_again - passing
        different = {name for name in after if after[name] != before[name]}
        assert different <= {"catalogue.sqlite", "corrections.jsonl"}
        assert after["corrections.jsonl"] == b'{"one": 1}\n', "of what grows by lines the whole lines"

    def test_the_index_comes_along_when_asked_for(self, workspace: Workspace, tmp_path: Path):
        backup(workspace.root, tmp_path / "c.zip", with_index=True)
        assert restore(tmp_path / "c.zip", tmp_path / "again").with_index
        found = search(open_workspace(tmp_path / "again"), QUESTION, "words", 10).candidates
        assert [one.document for one in found]

    def test_an_index_that_is_being_written_is_not_copied(self, workspace: Workspace, tmp_path: Path):
        with only_writer(workspace.index, "importing"), pytest.raises(ArchiveError, match="another program"):
            backup(workspace.root, tmp_path / "c.zip", with_index=True)
        assert not list(tmp_path.glob("*.zip*"))

    def test_links_are_named_and_not_followed(self, workspace: Workspace, tmp_path: Path):
        (tmp_path / "secret").write_text("of another folder", encoding="utf-8")
        (workspace.root / "images").symlink_to(tmp_path)
        said = backup(workspace.root, tmp_path / "c.zip")
        assert said.left_out == ("images",)
        assert b"of another folder" not in (tmp_path / "c.zip").read_bytes()

    def test_it_is_packed(self, copy: Path):
        with zipfile.ZipFile(copy) as file:
            assert copy.stat().st_size < sum(info.file_size for info in file.infolist()) / 2

    def test_the_file_is_its_owners_alone(self, copy: Path):
        assert copy.stat().st_mode & 0o077 == 0


class TestWhileOthersWork:
    def test_a_catalogue_that_is_written_meanwhile_is_copied_as_of_one_moment(self, workspace: Workspace, tmp_path):
        """Two rows are always written together: a copy has both or none."""
        path, ended = workspace.root / "catalogue.sqlite", threading.Event()
        with sqlite3.connect(path) as made:
            made.execute("CREATE TABLE pairs (half INTEGER, number INTEGER)")
        made.close()

        def write():
            database = sqlite3.connect(path, timeout=20)
            number = 0
            while not ended.is_set():
                number += 1
                with database:
                    database.executemany("INSERT INTO pairs VALUES (?, ?)", [(0, number), (1, number)])
            database.close()

        writer = threading.Thread(target=write)
        writer.start()
        try:
            for number in range(3):
                backup(workspace.root, tmp_path / f"{number}.zip")
        finally:
            ended.set()
            writer.join()
        for number in range(3):
            restore(tmp_path / f"{number}.zip", tmp_path / f"again{number}")
            database = sqlite3.connect(tmp_path / f"again{number}" / "catalogue.sqlite")
            halves = [
                database.execute("SELECT count(*) FROM pairs WHERE half = ?", [half]).fetchone() for half in (0, 1)
            ]
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            database.close()
            assert halves[0] == halves[1]

    def test_what_stands_in_the_log_beside_a_database_is_copied(self, workspace: Workspace, tmp_path: Path):
        writer = sqlite3.connect(workspace.root / "catalogue.sqlite")
        writer.execute("INSERT INTO facts VALUES ('late', 'yes')")
        writer.commit()
        backup(workspace.root, tmp_path / "c.zip")
        writer.close()
        restore(tmp_path / "c.zip", tmp_path / "again")
        database = sqlite3.connect(tmp_path / "again" / "catalogue.sqlite")
        assert database.execute("SELECT value FROM facts WHERE name = 'late'").fetchone() == ("yes",)
        database.close()

    def test_a_record_that_is_being_written_is_copied_up_to_its_last_whole_line(self, workspace: Workspace, tmp_path):
        run = ask(workspace, QUESTION).run
        whole = (workspace.runs / run / "ledger.jsonl").read_bytes()
        (workspace.runs / run / "ledger.jsonl").write_bytes(whole + b'{"half of')
        backup(workspace.root, tmp_path / "c.zip")
        restore(tmp_path / "c.zip", tmp_path / "again")
        assert (tmp_path / "again" / "runs" / run / "ledger.jsonl").read_bytes() == whole

    def test_a_decision_taken_in_meanwhile_is_in_the_record_or_waits_for_it(self, workspace, tmp_path, monkeypatch):
        run = workspace.runs / ask(workspace, QUESTION).run
        (run / "inbox").mkdir()
        (run / "inbox" / "a.json").write_text("{}", encoding="utf-8")
        whole, read = (run / "ledger.jsonl").read_bytes(), backups._content

        def taken_in(path):
            """The writer takes the decision in between the two looks."""
            content = read(path)
            if path == run / "ledger.jsonl" and (run / "inbox" / "a.json").exists():
                path.write_bytes(whole + b'{"act": 1}\n')
                (run / "inbox" / "a.json").unlink()
            return content

        monkeypatch.setattr(backups, "_content", taken_in)
        backup(workspace.root, tmp_path / "c.zip")
        names = zipfile.ZipFile(tmp_path / "c.zip").namelist()
        assert not any("inbox" in name for name in names)
        with zipfile.ZipFile(tmp_path / "c.zip") as file:
            assert file.read(f"runs/{run.name}/ledger.jsonl") == whole + b'{"act": 1}\n'


class TestAServer:
    def test_accounts_roles_and_tokens_are_there_again(self, tmp_path: Path):
        people = People(tmp_path / "people")
        people.accounts.add("odile", "ein langer Satz von mir")
        (tmp_path / "people" / "server.toml").write_text("", encoding="utf-8")
        said = backup(tmp_path / "people", tmp_path / "c.zip")
        assert said.kind == "server"
        restore(tmp_path / "c.zip", tmp_path / "again")
        assert [one.name for one in People(tmp_path / "again").accounts.all()] == ["odile"]
        assert (tmp_path / "again" / "people.sqlite").stat().st_mode & 0o077 == 0
        assert (tmp_path / "again").stat().st_mode & 0o077 == 0


class TestWhatIsRefused:
    @pytest.fixture
    def copy(self, tmp_path: Path) -> Path:
        """A copy of what looks like an archive; what is in it matters to nobody here."""
        root = init(tmp_path / "small").root
        for name in ("a", "b"):
            (root / "runs" / name).mkdir(parents=True)
            (root / "runs" / name / "ledger.jsonl").write_text('{"entry": 1}\n' * 300, encoding="utf-8")
        backup(root, tmp_path / "copy.zip")
        return tmp_path / "copy.zip"

    def test_a_folder_that_is_there_is_never_written_over(self, copy: Path, tmp_path: Path):
        (tmp_path / "mine").mkdir()
        with pytest.raises(UsageError, match="there already"):
            restore(copy, tmp_path / "mine")
        assert list((tmp_path / "mine").iterdir()) == []

    def test_a_file_that_is_there_is_never_replaced(self, copy: Path, tmp_path: Path):
        before = copy.read_bytes()
        with pytest.raises(UsageError, match="there already"):
            backup(tmp_path / "small", copy)
        assert copy.read_bytes() == before

    def test_what_is_no_archive_is_not_copied(self, tmp_path: Path):
        with pytest.raises(UsageError, match="neither an archive"):
            backup(tmp_path, tmp_path / "c.zip")
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("place", [n / 40 for n in range(1, 40)])
    def test_a_changed_byte_is_refused_or_is_one_between_the_files(self, copy: Path, tmp_path: Path, place: float):
        content = bytearray(copy.read_bytes())
        content[int(len(content) * place)] ^= 0xFF
        (tmp_path / "bad.zip").write_bytes(content)
        try:
            restore(tmp_path / "bad.zip", tmp_path / "again")
        except (ArchiveError, UsageError):
            assert not (tmp_path / "again").exists()
        else:  # such as the time of day of a member, which nothing is made of
            restore(copy, tmp_path / "sound")
            assert contents(tmp_path / "again") == contents(tmp_path / "sound")
        assert not list(tmp_path.glob(".again*"))

    def test_a_changed_byte_in_a_file_is_refused(self, copy: Path, tmp_path: Path):
        with zipfile.ZipFile(copy) as file:
            largest = max(file.infolist(), key=lambda one: one.compress_size)
        content = bytearray(copy.read_bytes())
        content[largest.header_offset + 30 + len(largest.filename) + largest.compress_size // 2] ^= 0xFF
        (tmp_path / "bad.zip").write_bytes(content)
        with pytest.raises((ArchiveError, UsageError)):
            restore(tmp_path / "bad.zip", tmp_path / "again")
        assert not (tmp_path / "again").exists()

    def test_a_copy_whose_end_is_missing_is_not_restored(self, copy: Path, tmp_path: Path):
        (tmp_path / "bad.zip").write_bytes(copy.read_bytes()[:-500])
        with pytest.raises(UsageError, match="its end is missing"):
            restore(tmp_path / "bad.zip", tmp_path / "again")

    def test_a_file_more_or_less_than_the_manifest_says(self, copy: Path, tmp_path: Path):
        with zipfile.ZipFile(copy, "a") as file:
            file.writestr("runs/added.txt", "x")
        with pytest.raises(ArchiveError, match="were added"):
            restore(copy, tmp_path / "again")

    @pytest.mark.parametrize("name", ["../out.txt", "/out.txt", "a/../../out.txt", "a//b.txt", "./b.txt"])
    def test_a_name_that_leads_out_of_the_folder(self, copy: Path, tmp_path: Path, name: str):
        bad = repacked(copy, tmp_path / "bad.zip", lambda members: members.update({name: b"evil"}))
        with pytest.raises(ArchiveError, match="no name of a file"):
            restore(bad, tmp_path / "again")
        assert not (tmp_path / "out.txt").exists()
        assert not (tmp_path / "again").exists()

    def test_a_copy_larger_than_the_disk(self, copy: Path, tmp_path: Path, monkeypatch):
        class Full:
            free = 10

        monkeypatch.setattr(backups.shutil, "disk_usage", lambda _path: Full)
        with pytest.raises(ArchiveError, match="no room"):
            restore(copy, tmp_path / "again")

    def test_a_copy_of_a_later_format_names_the_version_that_reads_it(self, copy: Path, tmp_path: Path):
        def later(members):
            said = json.loads(members["backup.json"])
            members["backup.json"] = json.dumps({**said, "format": 2, "vestigia": "9.1"}).encode()

        with pytest.raises(UsageError, match=r"Vestigia 9\.1"):
            restore(repacked(copy, tmp_path / "later.zip", later), tmp_path / "again")

    def test_what_is_no_copy(self, tmp_path: Path):
        (tmp_path / "a.zip").write_text("nothing", encoding="utf-8")
        with pytest.raises(UsageError, match="no copy"):
            restore(tmp_path / "a.zip", tmp_path / "again")
        with pytest.raises(UsageError, match="no such file"):
            restore(tmp_path / "b.zip", tmp_path / "again")

    def test_a_copy_that_cannot_be_written_leaves_nothing(self, workspace: Workspace, tmp_path: Path):
        with pytest.raises(ArchiveError, match="cannot be made"):
            backup(workspace.root, tmp_path / "nowhere" / "c.zip")


class TestAtTheTerminal:
    def test_it_says_what_it_did_and_what_to_do_next(self, workspace: Workspace, tmp_path: Path):
        out, again = tmp_path / "c.zip", tmp_path / "again"
        made = CliRunner().invoke(app, ["backup", str(workspace.root), str(out)])
        assert made.exit_code == 0, made.stderr
        assert "archive" in made.stdout
        done = CliRunner().invoke(app, ["restore", str(out), str(again)])
        assert f"vestigia encode {again} --encoder" in " ".join(done.stdout.split())
        assert CliRunner().invoke(app, ["restore", str(out), str(again)]).exit_code == 2

    def test_as_data(self, workspace: Workspace, tmp_path: Path):
        made = CliRunner().invoke(app, ["backup", str(workspace.root), str(tmp_path / "c.zip"), "--json"])
        said = json.loads(made.stdout)
        assert (said["kind"], said["with_index"], said["left_out"]) == ("archive", False, [])
        assert said["files"] >= 2
