"""What machines are told that look after a server: health, readiness, counts. Nobody learns from them what is in it."""

import json
import shutil

import pytest
from prometheus_client.parser import text_string_to_metric_families
from starlette.testclient import TestClient

from fakes.site_servers import Server
from fakes.sites import ADDRESS, visiting
from vestigia.app.archive import add
from vestigia.app.people.roles import Role, Scope
from vestigia.app.workspace import init, open_workspace
from vestigia.corpus.importing import ImportOptions, import_path
from vestigia.web import health
from vestigia.web.meters import BOUNDS, Meters


@pytest.fixture
def own(tmp_path, workspace):
    """A copy of the archive that a test may harm, and a server of it that looks anew each time."""
    shutil.copytree(workspace.root, tmp_path / "letters")
    return Server({"letters": open_workspace(tmp_path / "letters")}, tmp_path / "people")


@pytest.fixture
def at_once(monkeypatch):
    monkeypatch.setattr(health, "AGAIN", 0.0)


def break_(path):
    """Make a database none, with all that SQLite could mend it from."""
    for beside in path.parent.glob(f"{path.name}-*"):
        beside.unlink()
    path.write_bytes(b"this is no database, whatever it was before " * 200)


class TestHealth:
    def test_who_is_not_signed_in_learns_that_the_server_lives_and_can_be_used(self, own):
        site = own.browser()
        assert (site.get("/health").status_code, site.get("/health").json()) == (200, {"status": "ok"})
        assert (site.get("/ready").status_code, site.get("/ready").json()) == (200, {"status": "ready"})

    @pytest.mark.parametrize(
        "path", ["/health", "/ready", "/login", "/archives/letters", "/archives/letters/runs/none"]
    )
    def test_whoever_asks_for_the_head_only_is_answered_alike(self, own, path):
        site = own.browser()
        whole, head = (getattr(site, method)(path, follow_redirects=False) for method in ("get", "head"))
        assert head.status_code == whole.status_code != 405
        assert head.headers.get("content-type") == whole.headers.get("content-type")

    def test_an_archive_without_a_document_can_be_used(self, empty):
        assert empty.get("/ready").status_code == 200

    def test_asking_for_it_is_no_visit_of_anybody(self, own):
        site = own.browser()
        for path in ("/health", "/ready"):
            site.get(path)
        assert own.people.log.newest() == ()
        site.get("/login")
        assert [one.path for one in own.people.log.newest()] == ["/login"]

    def test_a_server_whose_accounts_cannot_be_read_lives(self, own):
        break_(own.folder / "people.sqlite")
        site = own.browser()
        assert site.get("/health").status_code == 200
        assert site.get("/login").status_code >= 500


@pytest.mark.usefixtures("at_once")
class TestReadiness:
    def why(self, server):
        answer = server.browser().get("/ready")
        assert answer.status_code == 503
        assert answer.json()["status"] == "not ready"
        return answer.json()["why"]

    def test_an_archive_without_its_index_is_not_open_until_it_has_one(self, own, caplog):
        held = own.app.state.holdings.get("letters").workspace
        shutil.move(held.root / "index", held.root / "kept")
        assert self.why(own) == ["an archive cannot be opened"]
        assert str(held.root) in caplog.text, "the log says which"
        shutil.move(held.root / "kept", held.root / "index")
        assert own.browser().get("/ready").status_code == 200

    def test_a_document_that_is_not_indexed_yet(self, own, tmp_path):
        (tmp_path / "new.jsonl").write_text(json.dumps({"id": "V9", "text": "Eine Brücke."}), encoding="utf-8")
        with own.app.state.holdings.get("letters").catalogue() as catalogue:
            import_path(catalogue, tmp_path / "new.jsonl", ImportOptions())
        assert self.why(own) == ["an index is older than its archive"]

    def test_a_catalogue_that_cannot_be_opened(self, own):
        workspace = own.app.state.holdings.get("letters").workspace
        break_(workspace.root / "catalogue.sqlite")
        assert self.why(own) == ["an archive cannot be opened"]

    def test_a_disk_without_room_takes_no_more(self, own, monkeypatch):
        monkeypatch.setattr(health, "ROOM", 2**62)
        assert self.why(own) == ["an archive cannot be written", "the folder of accounts cannot be written"]

    def test_a_folder_of_accounts_that_is_gone(self, own):
        site = own.browser()
        shutil.rmtree(own.folder)
        assert site.get("/ready").json()["why"] == ["the folder of accounts cannot be written"]

    def test_a_server_that_ends_takes_nobody_in(self, own):
        own.app.state.live.leave()
        assert self.why(own) == ["the server ends"]

    def test_what_is_wrong_names_nothing_that_is_there(self, own, monkeypatch):
        monkeypatch.setattr(health, "ROOM", 2**62)
        break_(own.app.state.holdings.get("letters").workspace.root / "catalogue.sqlite")
        said = own.browser().get("/ready").text
        assert not any(word in said for word in ("letters", "sqlite", str(own.folder.parent), "Letters"))


def test_a_look_holds_for_a_while(own, monkeypatch):
    """Whoever asks a hundred times a second makes no work."""
    assert own.browser().get("/ready").status_code == 200
    monkeypatch.setattr(health, "ROOM", 2**62)
    assert own.browser().get("/ready").status_code == 200


def counted(text):
    return {
        (one.name, tuple(sorted(one.labels.items()))): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


class TestCounts:
    def test_requests_are_counted_by_the_template_of_their_route_and_their_status(self, own):
        own.person("root", everywhere=Role.ADMIN)
        site = own.browser("root")
        for document in ("V2", "V3"):
            assert site.get(f"/archives/letters/documents/{document}/text").status_code in {200, 404}
        for path in ("/archives/letters", "/archives/letters", "/archives/nope", "/no/such/V2/page"):
            site.get(path)
        found = counted(site.get("/metrics").text)
        name = "vestigia_requests_total"
        page = {"method": "GET", "route": "/archives/{archive}"}
        assert found[name, tuple(sorted({**page, "status": "200"}.items()))] == 2
        assert found[name, tuple(sorted({**page, "status": "404"}.items()))] == 1
        other = {"method": "GET", "route": "other", "status": "404"}
        assert found[name, tuple(sorted(other.items()))] >= 1
        assert found["vestigia_request_seconds_count", (("route", "/archives/{archive}"),)] == 3

    def test_they_name_no_archive_no_document_and_no_person(self, own):
        own.person("root", everywhere=Role.ADMIN)
        site = own.browser("root")
        site.get("/archives/letters/search?q=Geheim")
        site.get("/archives/letters/V2")
        said = site.get("/metrics").text
        assert not any(word in said for word in ("letters", "V2", "Geheim", "root"))

    def test_a_histogram_adds_up(self):
        meters = Meters()
        for seconds in (0.001, 0.005, 0.3, 99.0):
            meters.count("GET", "/a", 200, seconds)
        found = counted(meters.text(_Idle()))
        bucket = {dict(labels)["le"]: value for (name, labels), value in found.items() if name.endswith("_bucket")}
        assert [bucket[str(bound)] for bound in BOUNDS] == [2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3]
        assert bucket["+Inf"] == 4
        assert found["vestigia_request_seconds_sum", (("route", "/a"),)] == pytest.approx(99.306)

    def test_methods_and_routes_that_strangers_invent_make_no_rows_of_their_own(self):
        meters = Meters()
        for number in range(50):
            meters.count(f"BREW{number}", "", 404, 0.0)
        rows = [one for one in counted(meters.text(_Idle())) if one[0] == "vestigia_requests_total"]
        assert [dict(labels) for _, labels in rows] == [{"method": "other", "route": "other", "status": "404"}]

    def test_a_label_is_read_back_as_it_was(self):
        meters = Meters()
        meters.count("GET", 'a"b\\c\nd', 200, 0.0)
        rows = [dict(labels) for name, labels in counted(meters.text(_Idle())) if name == "vestigia_requests_total"]
        assert rows[0]["route"] == 'a"b\\c\nd'

    def test_runs_in_hand_and_in_the_queue(self):
        found = counted(Meters().text(_Idle(2, 5)))
        assert (found["vestigia_runs_running", ()], found["vestigia_runs_queued", ()]) == (2, 5)
        assert found["vestigia_up_seconds", ()] >= 0


class _Idle:
    def __init__(self, running=0, waiting=0):
        self.numbers = running, waiting

    def in_hand(self):
        return self.numbers


class TestWhoReadsTheCounts:
    def asked(self, server, client="127.0.0.1", address=ADDRESS, **headers):
        """A program that asks from an address, as nobody."""
        site = TestClient(server.app, base_url=address, client=(client, 5), headers=headers, follow_redirects=False)
        return site.get("/metrics").status_code

    def test_a_program_on_this_machine(self, own):
        assert self.asked(own) == 200
        assert self.asked(own, "::1", "http://localhost:8321") == 200

    def test_nobody_from_another_machine(self, own):
        assert self.asked(own, "192.0.2.7") == 303

    @pytest.mark.parametrize("header", ["x-forwarded-for", "forwarded", "x-real-ip", "via"])
    def test_nobody_through_a_proxy_on_this_machine(self, own, header):
        assert self.asked(own, **{header: "192.0.2.7"}) == 303

    def test_nobody_by_the_name_of_the_site(self, tmp_path):
        from vestigia.web.security import LOOPBACK, Limits

        server = Server({}, tmp_path, Limits(hosts=(*LOOPBACK, "lab.example.org")))
        assert self.asked(server, address="http://lab.example.org") == 303

    def test_a_token_of_the_scope_reads_them_and_nothing_else(self, own):
        own.person("root", everywhere=Role.ADMIN)
        watching = own.program("root", Scope.METRICS)
        assert watching.get("/metrics").status_code == 200
        assert watching.get("/archives/letters.json").status_code == 403
        assert own.program("root", Scope.READ).get("/metrics").status_code == 403

    def test_the_token_of_who_does_not_administer_the_server_reads_none(self, own):
        own.person("head", letters=Role.ADMIN)
        assert own.program("head", Scope.METRICS).get("/metrics").status_code == 403

    def test_without_accounts_the_person_at_this_machine_does(self, workspace):
        answer = visiting({"letters": workspace}).get("/metrics")
        assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")


def test_a_new_archive_is_not_ready_while_what_was_added_is_not_indexed(tmp_path, monkeypatch, at_once):
    made = init(tmp_path / "new")
    (tmp_path / "a.jsonl").write_text(json.dumps({"id": "a", "text": "Eine Brücke."}), encoding="utf-8")
    site = visiting({"new": made})
    assert site.get("/ready").status_code == 200
    add(made, [tmp_path / "a.jsonl"], ImportOptions())
    assert site.get("/ready").status_code == 200
    shutil.rmtree(made.index)
    assert site.get("/ready").status_code == 503
