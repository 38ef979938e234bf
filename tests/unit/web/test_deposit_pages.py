"""A deposit in the browser: what it holds, that it is sound, that nothing closed leaves, and who may take it."""

import re
from io import BytesIO
from zipfile import ZipFile

import pytest

from fakes.depositing import SECRET, an_archive
from fakes.site_servers import Server
from fakes.sites import is_well_made, visiting, words_of
from vestigia.app import asking, curating, dossiers
from vestigia.app.access import view
from vestigia.app.depositing.checking import check
from vestigia.app.people.roles import Role
from vestigia.domain.acts import Act, Curated
from vestigia.domain.question import Question
from vestigia.ledger.chain import LEDGER


@pytest.fixture
def run(workspace):
    """A question to the open part of the letters."""
    return asking.ask(view(workspace).workspace, Question("Wer beschließt den Bau der Brücke?")).run


def here(run):
    return f"/archives/letters/runs/{run}/deposit"


def test_it_is_looked_at_with_its_checks_before_it_is_taken(site, run):
    page = site.get(here(run))
    is_well_made(page.text)
    assert f'href="{here(run)}"' in site.get(f"/archives/letters/runs/{run}").text
    made = site.submit(here(run), {"by": "Ada; Bo", "licence": "CC0-1.0", "then": "look"})
    is_well_made(made.text)
    assert re.search(r"All \d+ files are as they were written, and say what the record says.", words_of(made.text))
    assert "<script>alert" not in made.text
    assert 'value="Ada; Bo"' in made.text
    assert site.get(f"{here(run)}.json").json()["deposit"] is None


def test_what_is_downloaded_is_what_was_looked_at(site, run, tmp_path):
    fields = {"by": "Ada", "licence": "CC0-1.0", "with_text": "true"}
    looked = site.submit(here(run), {**fields, "then": "look"}).text
    sent = site.submit(here(run), {**fields, "then": "send"})
    assert sent.headers["content-type"] == "application/zip"
    assert sent.headers["content-disposition"] == f'attachment; filename="deposit-{run.rpartition("-")[2]}.zip"'
    (tmp_path / "d.zip").write_bytes(sent.content)
    checked = check(tmp_path / "d.zip")
    assert checked.sound
    assert checked.seal in looked
    assert (checked.record.main.run, checked.record.statement["by"]) == (run, ["Ada"])


def test_no_text_whose_rights_keep_it_here_leaves(tmp_path):
    made = an_archive(tmp_path / "rights")
    run = asking.ask(made, Question("Was geschah mit der Brücke?")).run
    site = visiting({"letters": made})
    sent = site.submit(here(run), {"with_text": "true", "then": "send"})
    with ZipFile(BytesIO(sent.content)) as packed:
        leaves = b"\n".join(packed.read(name) for name in packed.namelist()).decode()
    assert "Brief O1, wird im Mai gebaut." in leaves, "what is open goes in as asked"
    assert SECRET.strip() not in leaves
    assert "were kept back" in words_of(site.submit(here(run), {"then": "look"}).text)


def test_a_dossier_leads_to_its_deposit(site, workspace, run):
    work = curating.begin(view(workspace).workspace, run)
    first = curating.read(work).sources[0].item.document
    curating.act(workspace, work.run, [Curated(first, Act.ACCEPT, "Ada")])
    dossiers.seal(workspace, work.run, "for the deposit", "Ada")
    page = site.get(f"/archives/letters/dossiers/{work.run}").text
    assert f'href="{here(work.run)}"' in page
    made = site.submit(here(work.run), {"then": "look"}).text
    assert run in made, "the run that its set was taken from is in it"
    assert work.run in made


def test_a_record_that_was_altered_is_said_and_nothing_is_sent(workspace):
    broken = asking.ask(view(workspace).workspace, Question("Wer beschließt den Bau?")).run
    ledger = workspace.runs / broken / LEDGER
    site = visiting({"letters": workspace})
    whole = ledger.read_bytes()
    try:
        ledger.write_bytes(whole.replace(b"Bau", b"Rau", 1))
        answer = site.submit(here(broken), {"then": "send"})
        assert answer.status_code >= 400
        assert "attachment" not in answer.headers.get("content-disposition", "")
    finally:
        ledger.write_bytes(whole)


def test_it_is_for_who_may_export_and_of_runs_that_they_see(workspace, run, tmp_path):
    met = asking.ask(workspace, Question("Was steht in der geheimen Akte der Brücke?")).run
    server = Server({"letters": workspace}, tmp_path / "people")
    for role in (Role.READER, Role.RESEARCHER):
        server.person(role.value, letters=role)
    reader, researcher = server.browser("reader"), server.browser("researcher")
    assert here(run) not in reader.get(f"/archives/letters/runs/{run}").text
    assert reader.get(here(run)).status_code == 403
    assert reader.submit(here(run), {"then": "send"}).status_code == 403
    assert researcher.submit(here(met), {"then": "send"}).status_code == 404
    sent = researcher.submit(here(run), {"then": "send"})
    with ZipFile(BytesIO(sent.content)) as packed:
        assert not [name for name in packed.namelist() if b"V4" in packed.read(name)]
