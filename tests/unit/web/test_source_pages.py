"""A source: text, dates, picture, neighbours, citations, where it was used; what readers correct; what is closed."""

import json
import re
import struct
import zipfile
import zlib
from io import BytesIO

import pytest
from PIL import Image

from fakes.site_servers import Server
from fakes.sites import is_well_made, visiting, words_of
from unit.web.conftest import EVIL
from vestigia.app import asking, curating, deciding, judging_by_hand
from vestigia.app.access import view
from vestigia.app.archive import add
from vestigia.app.corrections import FILE, corrections_of
from vestigia.app.people.roles import Role
from vestigia.app.workspace import init, open_workspace
from vestigia.corpus.importing import ImportOptions
from vestigia.domain.acts import Act, Curated
from vestigia.domain.events import Overruled
from vestigia.domain.evidence import Decision
from vestigia.domain.ids import DocumentId
from vestigia.domain.question import Question
from vestigia.ledger.chain import LEDGER
from vestigia.web.addresses import source_at

PAGE = """<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15">
<Page imageFilename="{image}" imageWidth="400" imageHeight="600">
<TextRegion id="r1"><Coords points="20,30 380,30 380,90 20,90"/>
<TextLine id="l1"><Coords points="20,30 380,30 380,60 20,60"/>
<TextEquiv conf="0.8"><Unicode>{first}</Unicode></TextEquiv></TextLine>
<TextLine id="l2"><Coords points="20,60 380,60 380,90 20,90"/>
<TextEquiv conf="0.8"><Unicode>{second}</Unicode></TextEquiv></TextLine>
</TextRegion></Page></PcGts>"""
SOURCES = "/archives/letters/sources"


@pytest.fixture(scope="module")
def paged(tmp_path_factory, encoder):
    """Pages with a picture beside them, in the folder above, on another host, outside, and none at all."""
    root = tmp_path_factory.mktemp("paged")
    made = init(root / "archive", "Pages")
    images = {
        "beside": "beside.png",
        "above": "above.jpg",
        "remote": "https://images.example/iiif/1/full/full/0/default.jpg",
        "outside": "../../secret.png",
        "none": "",
        "broken": "broken.png",
    }
    for name, image in images.items():
        (root / "scans" / "page").mkdir(parents=True, exist_ok=True)
        text = PAGE.format(image=image, first=f"Die erste Zeile von {name}", second="und hier die zweite Zeile.")
        (root / "scans" / "page" / f"{name}.xml").write_text(text, encoding="utf-8")
    for path in ("secret.png", "scans/page/beside.png", "scans/above.jpg"):
        Image.new("RGB", (800, 1200), "white").save(root / path)
    (root / "scans/page/broken.png").write_text("no picture")
    add(made, [root / "scans"], ImportOptions(sub_corpus="Scans", language="de"))
    return made


@pytest.fixture
def pages(paged):
    return visiting({"pages": paged})


def png_of(width, height):
    """The beginning of a picture that says it is so large."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(99))) + chunk(b"IEND", b"")


def sheet(pages, name, more=""):
    """The page of a source at its first passage."""
    (passage,) = pages.get(f"/archives/pages/sources/page/{name}/text.json").json()["passages"]
    return pages.get(f"/archives/pages/sources/page/{name}/text?passage={passage['id'].replace('#', '%23')}{more}")


class TestText:
    def test_a_source_says_what_is_known_of_it(self, site):
        page = site.get(f"{SOURCES}/V1/text")
        is_well_made(page.text)
        said = words_of(page.text)
        for words in (f"Brief {EVIL}", "1887-03-11 · Letters", "Die Brücke über die Alzette wurde gesprengt.",
                      "Identifier V1", "/letters.jsonl, line 1", "German footnote"):  # fmt: skip
            assert words in said, words

    def test_the_twin_has_all_of_it_and_no_place_on_the_server(self, site, workspace):
        data = site.get(f"{SOURCES}/V2/text.json").json()
        assert data["passages"][0]["text"] == f"Der Gemeinderat {EVIL} beschließt den Bau einer neuen Brücke."
        assert [(one["date"], one["as_written"]) for one in data["dates"]] == [("1891-05-02", "1891-05-02")]
        assert sorted(data["citations"]) == ["apa", "archival", "author-date", "chicago", "german", "mla"]
        assert data["image"] is None
        for form in ("text", "text.json"):
            assert str(workspace.root.parent) not in site.get(f"{SOURCES}/V2/{form}").text

    def test_a_script_in_title_and_text_is_text(self, site):
        for name in ("V1", "V2"):
            page = site.get(f"{SOURCES}/{name}/text").text
            assert EVIL not in page
            assert "&lt;script&gt;" in page

    def test_its_neighbours_are_those_of_its_sub_corpus_by_date(self, site):
        data = site.get(f"{SOURCES}/V4/text.json").json()
        assert [one["document"] for one in data["before"]] == ["V1"]
        assert [one["document"] for one in data["after"]] == ["V2"]
        undated = site.get(f"{SOURCES}/V3/text.json").json()
        assert (undated["before"], undated["after"]) == ([], [])

    def test_a_passage_has_an_address_and_is_set_apart(self, site):
        page = site.get(f"{SOURCES}/V3/text?passage=V3%230-41")
        assert page.text.count('class="passage chosen" id="passage"') == 1

    def test_a_passage_that_is_no_longer_there_is_said_to_be_gone_and_the_source_is_shown(self, site):
        page = site.get(f"{SOURCES}/V3/text?passage=V3%230-5")
        assert page.status_code == 200
        assert "The passage that led here is no longer in the text" in words_of(page.text)
        assert "Le pont de bois" in page.text
        assert site.get(f"{SOURCES}/V3/text.json?passage=V3%230-5").json()["lost"] == "V3#0-5"

    @pytest.mark.parametrize("name", ["nothing", "-", "V1/text", "%3Cb%3E"])
    def test_what_is_not_there_is_not_found_nor_repeated(self, site, name):
        answer = site.get(f"{SOURCES}/{name}/text")
        assert answer.status_code == 404
        assert "<b>" not in answer.text
        assert site.get(f"{SOURCES}/{name}/text.json").headers["content-type"] == "application/problem+json"

    def test_a_long_text_is_given_in_parts(self, tmp_path):
        made = init(tmp_path / "long", passage_tokens=5)
        (tmp_path / "long.jsonl").write_text(json.dumps({"id": "L", "text": " ".join(f"Wort{n}." for n in range(100))}))
        add(made, [tmp_path / "long.jsonl"], ImportOptions())
        site = visiting({"long": made})
        first = site.get("/archives/long/sources/L/text.json").json()
        assert (first["part"], first["parts"], len(first["passages"])) == (1, 2, 12)
        last = first["passages"][-1]
        page = site.get("/archives/long/sources/L/text?part=2")
        assert "Part 2 of 2" in words_of(page.text)
        assert "Wort99." in page.text
        at = site.get(
            "/archives/long/sources/L/text.json", params={"passage": f"L#{last['start']}-{last['end']}"}
        ).json()
        assert at["part"] == 1
        assert site.get("/archives/long/sources/L/text?part=3").status_code == 404

    @pytest.mark.parametrize(
        "name", ["a b/c?d#e", "../../etc/passwd", "x//y", "/lead", "%2F%00", "é.json", "text", "a\\b", "a\nb"]
    )
    def test_a_source_of_any_name_has_an_address(self, tmp_path, name):
        made = init(tmp_path / "odd")
        (tmp_path / "odd.jsonl").write_text(json.dumps({"id": name, "text": "Ein seltsamer Name."}))
        add(made, [tmp_path / "odd.jsonl"], ImportOptions())
        site = visiting({"odd": made})
        to = source_at("odd", name, f"{name}#0-19")
        page = site.get(to)
        assert page.status_code == 200
        assert "Ein seltsamer Name." in page.text
        for link in re.findall(r'href="(/archives/odd/sources[^"]*)"', page.text):
            assert site.get(link.replace("&amp;", "&")).status_code == 200, link
        (form,) = re.findall(r'action="(/archives/odd/sources[^"]*/corrections[^"]*)"', page.text)
        fields = {"passage": f"{name}#0-19", "was": "Name", "now": "Titel"}
        assert "Titel" in site.submit(form.replace("&amp;", "&"), fields).text

    def test_copies_of_its_text_are_named(self, tmp_path):
        made = init(tmp_path / "twice")
        text = "Die Brücke über die Alzette wurde in der Nacht gesprengt, und niemand wollte davon wissen, wer es war."
        lines = [
            {"id": "A", "text": text, "date": "1887"},
            {"id": "B", "title": "Nachdruck", "text": text, "date": "1890"},
        ]
        (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, lines)))
        add(made, [tmp_path / "a.jsonl"], ImportOptions())
        site = visiting({"twice": made})
        data = site.get("/archives/twice/sources/A/text.json").json()
        assert (data["alike"]["kind"], [one["document"] for one in data["alike"]["members"]]) == ("reprint", ["B"])
        assert "The same text at other times Nachdruck 1890 100 % of it recurs" in words_of(
            site.get("/archives/twice/sources/A/text").text
        )

    def test_what_is_found_leads_to_it_at_its_passage(self, site):
        page = site.get("/archives/letters/search", params={"q": "Alzette", "channel": "words"}).text
        (to,) = re.findall(r'<h3>.*?href="([^"]+)"', page)
        assert 'class="passage chosen" id="passage"' in site.get(to.replace("&amp;", "&")).text


class TestPicture:
    @pytest.mark.parametrize("name", ["beside", "above"])
    def test_a_page_of_here_is_drawn_with_the_passage_outlined(self, pages, name):
        page = sheet(pages, name).text
        is_well_made(page)
        assert '<svg viewBox="0 0 800 1200"' in page
        assert '<rect class="outline" x="20" y="30" width="360" height="60"/>' in page
        assert "80 % sure to be read rightly" in words_of(page)
        (to,) = re.findall(r'<image href="([^"]+)"', page)
        answer = pages.get(to.replace("&amp;", "&"))
        assert answer.headers["content-type"] == "image/jpeg"
        assert Image.open(BytesIO(answer.content)).size == (800, 1200)

    def test_sizes_are_links_without_a_script(self, pages):
        page = sheet(pages, "beside", "&zoom=4").text
        assert 'class="pane zoom-4"' in page
        for size in (1, 2, 4):
            assert f"zoom={size}#sheet" in page

    def test_a_picture_is_scaled_to_one_of_a_few_widths(self, pages):
        to = "/archives/pages/sources/page/beside/image"
        for asked, wide in ((1, 400), (400, 400), (899, 400), (10**6, 800)):
            assert Image.open(BytesIO(pages.get(to, params={"width": asked}).content)).width == wide
        assert pages.get(to, params={"page": 2}).status_code == 404

    @pytest.mark.parametrize("name", ["outside", "none", "broken"])
    def test_what_is_outside_or_no_picture_is_not_served(self, pages, name):
        page = sheet(pages, name).text
        assert "<image" not in page
        assert "The page image is not at hand; these are its lines" in words_of(page)
        assert page.count('<rect class="line"') == 2
        assert pages.get(f"/archives/pages/sources/page/{name}/image").status_code == 404
        assert "secret" not in pages.get("/archives/pages/sources/page/outside/image").text.replace("secret.png", "")

    @pytest.mark.parametrize("size", [(14_000, 14_000), (2**31 - 1, 1), (2**31 - 1, 2**31 - 1)])
    def test_a_picture_that_swells_breaks_no_page(self, paged, pages, size):
        """A few bytes that say they are hundreds of millions of pixels."""
        (paged.root.parent / "scans" / "page" / "broken.png").write_bytes(png_of(*size))
        assert "The page image is not at hand; these are its lines" in words_of(sheet(pages, "broken").text)
        answer = pages.get("/archives/pages/sources/page/broken/image")
        assert answer.status_code == 404
        assert "The page image cannot be read. broken.png" in words_of(answer.text)

    def test_a_picture_in_a_damaged_zip_breaks_no_page(self, paged, tmp_path):
        files = ("page/beside.xml", "page/beside.png")
        with zipfile.ZipFile(tmp_path / "scans.zip", "w") as packed:
            for path in files:
                packed.write(paged.root.parent / "scans" / path, path)
            at = packed.getinfo(files[1]).header_offset
        made = init(tmp_path / "archive")
        add(made, [tmp_path / "scans.zip"], ImportOptions(language="de"))
        whole = bytearray((tmp_path / "scans.zip").read_bytes())
        whole[at : at + 4] = b"none"
        (tmp_path / "scans.zip").write_bytes(whole)
        site = visiting({"pages": made})
        assert sheet(site, "beside").status_code == 200
        assert site.get("/archives/pages/sources/page/beside/image").status_code == 404

    def test_a_folder_that_the_settings_name_is_looked_in(self, paged, tmp_path):
        settings = paged.root / "vestigia.toml"
        before = settings.read_text()
        Image.new("RGB", (40, 60)).save(paged.root / "secret.png")
        try:
            settings.write_text(before + '\n[images]\nfolders = ["."]\n')
            site = visiting({"pages": open_workspace(paged.root)})
            assert site.get("/archives/pages/sources/page/outside/image").headers["content-type"] == "image/jpeg"
        finally:
            settings.write_text(before)

    def test_another_host_is_asked_only_where_the_settings_name_it(self, paged):
        settings = paged.root / "vestigia.toml"
        before = settings.read_text()
        page = sheet(visiting({"pages": paged}), "remote")
        assert 'src="https://' not in page.text
        assert "It lies at images.example" in words_of(page.text)
        assert "images.example" not in page.headers["content-security-policy"]
        try:
            settings.write_text(before + '\n[images]\nhosts = ["https://images.example"]\n')
            page = sheet(visiting({"pages": open_workspace(paged.root)}), "remote")
        finally:
            settings.write_text(before)
        assert 'src="https://images.example/iiif/1/full/full/0/default.jpg"' in page.text
        assert 'src="https://images.example/iiif/1/20,30,360,60/!900,900/0/default.jpg"' in page.text
        assert "img-src 'self' https://images.example;" in page.headers["content-security-policy"]

    def test_pages_in_a_zip_archive_have_their_pictures(self, paged, tmp_path):

        with zipfile.ZipFile(tmp_path / "scans.zip", "w") as packed:
            for path in ("page/beside.xml", "page/beside.png", "page/above.xml", "above.jpg"):
                packed.write(paged.root.parent / "scans" / path, path)
        made = init(tmp_path / "archive")
        add(made, [tmp_path / "scans.zip"], ImportOptions(language="de"))
        site = visiting({"pages": made})
        for name in ("beside", "above"):
            answer = site.get(f"/archives/pages/sources/page/{name}/image")
            assert answer.headers["content-type"] == "image/jpeg", answer.text


class TestClosed:
    def test_alone_on_a_machine_it_is_shown_where_it_is_asked_for(self, site):
        page = site.get(f"{SOURCES}/V4/text").text
        assert "geheimen" not in page
        assert "The text is closed and not shown." in words_of(page)
        (to,) = re.findall(r'href="([^"]+closed=true)"', page)
        assert "Die Brücke der geheimen Akte." in site.get(to).text
        assert "geheimen" not in site.get(f"{SOURCES}/V4/text.json").text

    def test_on_a_server_nobody_learns_of_it(self, workspace, tmp_path):
        server = Server({"letters": workspace}, tmp_path / "people")
        for role in (Role.READER, Role.CURATOR):
            server.person(role.value, letters=role)
        site = server.browser("reader")
        gone, never = (site.get(f"{SOURCES}/{name}/text?closed=true") for name in ("V4", "V99"))
        assert (gone.status_code, never.status_code) == (404, 404)
        assert "V4" not in site.get(f"{SOURCES}/V1/text.json").text
        curator = server.browser("curator")
        assert curator.get(f"{SOURCES}/V4/text?closed=true").status_code == 404
        curator.submit("/archives/letters/closed", {"show": "true"})
        assert "geheimen" in curator.get(f"{SOURCES}/V4/text").text

    def test_a_picture_that_shows_a_closed_text_is_not_shown_for_the_open_one_beside_it(self, tmp_path, paged):
        made = init(tmp_path / "archive")
        folder = tmp_path / "page"
        folder.mkdir()
        Image.new("RGB", (40, 60)).save(folder / "p.png")
        for name in ("open", "shut"):
            (folder / f"{name}.xml").write_text(PAGE.format(image="p.png", first=name, second="zweite Zeile"))
        add(made, [folder / "open.xml"], ImportOptions(sub_corpus="Open", language="de"))
        site = visiting({"pages": made})
        catalogue = made.catalogue()
        (name,) = catalogue.ids()
        assert site.get(f"/archives/pages/sources/{name}/image").status_code == 200
        # an article of the same file, closed by what was said of its sub-corpus
        from dataclasses import replace

        from vestigia.corpus.rows import Description
        from vestigia.domain.archive import Access

        stored = catalogue.document(name)
        with catalogue.writing():
            catalogue.add(replace(stored, id=DocumentId("shut"), sub_corpus="Shut"))
            catalogue.describe("Shut", Description(access=Access.CLOSED))
        catalogue.close()
        assert site.get(f"/archives/pages/sources/{name}/image").status_code == 404
        assert "<image" not in site.get(f"/archives/pages/sources/{name}/text").text
        assert site.get(f"/archives/pages/sources/{name}/image?closed=true").status_code == 200


class TestUse:
    def test_the_runs_that_name_it_say_what_was_done_with_it(self, workspace):
        run = asking.ask(view(workspace).workspace, Question("Wer beschließt den Bau der Brücke?")).run
        site = visiting({"letters": workspace})
        (one,) = [one for one in site.get(f"{SOURCES}/V2/text.json").json()["used"] if one["run"] == run]
        assert one["kind"] == "question"
        assert "judged" in one["deeds"]
        assert one["decision"] in {"accept", "reject", "hold"}
        page = words_of(site.get(f"{SOURCES}/V2/text").text)
        assert "Wer beschließt den Bau der Brücke?" in page
        assert "rests on text corrected since" not in page

    @pytest.mark.parametrize(
        ("act", "word"), [(Act.ACCEPT, "accepted"), (Act.REJECT, "rejected"), (Act.FLAG, "flagged")]
    )
    def test_what_was_decided_in_a_curation_is_said_in_a_word(self, tmp_path, act, word):
        made = init(tmp_path / "a")
        (tmp_path / "a.jsonl").write_text(json.dumps({"id": "C", "text": "Der Gemeinderat beschließt die Brücke."}))
        add(made, [tmp_path / "a.jsonl"], ImportOptions(language="de"))
        work = curating.begin(made, asking.ask(made, Question("Wer beschließt die Brücke?")).run)
        curating.act(made, work.run, [Curated(DocumentId("C"), act, "Bo", "off topic" if act is Act.REJECT else "")])
        page = visiting({"letters": made}).get(f"{SOURCES}/C/text")
        assert page.status_code == 200
        assert f'<span class="badge {act}">{word}</span>' in page.text

    def test_what_was_decided_on_words_corrected_since_says_so(self, tmp_path):
        made = init(tmp_path / "a")
        (tmp_path / "a.jsonl").write_text(json.dumps({"id": "C", "text": "Der Gemeinderat beschließt die Brücke."}))
        add(made, [tmp_path / "a.jsonl"], ImportOptions(language="de"))
        asking.ask(made, Question("Wer beschließt die Brücke?"))
        site = visiting({"letters": made})
        fields = {"passage": "C#0-38", "was": "Gemeinderat", "now": "Gemeindebote"}
        site.submit(f"{SOURCES}/C/corrections", fields)
        (one,) = site.get(f"{SOURCES}/C/text.json").json()["used"]
        assert one["corrected_since"] is True
        assert "rests on text corrected since" in words_of(site.get(f"{SOURCES}/C/text").text)
        asking.ask(made, Question("Was beschließt der Gemeinderat?"))
        newest, oldest = site.get(f"{SOURCES}/C/text.json").json()["used"]
        assert (newest["corrected_since"], oldest["corrected_since"]) == (False, True)
        record = made.runs / oldest["run"] / LEDGER
        record.write_bytes(record.read_bytes().replace(b"Gemeinderat", b"Gemeindebad", 1))
        *_, altered = site.get(f"{SOURCES}/C/text.json").json()["used"]
        assert (altered["run"], altered["corrected_since"]) == (oldest["run"], None), (
            "of a broken record it is not known"
        )


class TestRested:
    """B7: verdicts that rest on text corrected since, on every page that shows them; back to hold by one act."""

    @pytest.fixture
    def council(self, tmp_path):
        made = init(tmp_path / "a")
        (tmp_path / "a.jsonl").write_text(json.dumps({"id": "C", "text": "Der Gemeinderat beschließt die Brücke."}))
        add(made, [tmp_path / "a.jsonl"], ImportOptions(language="de"))
        return made

    @pytest.fixture
    def run(self, council):
        return asking.ask(council, Question("Wer beschließt die Brücke?")).run

    def corrects(self, site, **more):
        fields = {"passage": "C#0-38", "was": "Gemeinderat", "now": f"Gemeindebote {EVIL}", **more}
        return site.submit(f"{SOURCES}/C/corrections", fields)

    def test_the_run_page_marks_the_source_and_shows_what_the_verdict_rested_on(self, council, run):
        site = visiting({"letters": council})
        before = site.get(f"/archives/letters/runs/{run}").text
        assert 'class="rested"' not in before
        assert "corrected-said" not in before, "no section without its heading"
        self.corrects(site)
        page = site.get(f"/archives/letters/runs/{run}").text
        is_well_made(page)
        assert EVIL not in page
        assert "Der <del>Gemeinderat</del><ins>Gemeindebote &lt;script&gt;" in page
        said = words_of(page)
        assert "1 source was judged on words corrected since" in said
        assert "rests on text corrected since" in said
        (one,) = site.get(f"/archives/letters/runs/{run}.json").json()["corrected"]
        assert (one["document"], one["verdict"], one["corrections"][0]["was"]) == ("C", "accept", "Gemeinderat")
        api = site.get(f"/api/v1/archives/letters/runs/{run}/result").json()
        assert api["corrected"] == [one]

    def test_one_form_puts_it_back_on_hold_and_the_record_only_grows(self, council, run):
        site = visiting({"letters": council})
        self.corrects(site)
        before = (council.runs / run / "ledger.jsonl").read_bytes()
        page = site.get(f"/archives/letters/runs/{run}").text
        (action,) = re.findall(r'action="([^"]+/hold)"', page)
        after = site.submit(action, {"document": re.findall(r'name="document" value="([^"]+)" checked', page)})
        assert "1 source is back on hold." in words_of(after.text)
        data = site.get(f"/archives/letters/runs/{run}.json").json()
        assert ([one["document"] for one in data["held"]], data["ranking"], data["corrected"]) == (["C"], [], [])
        assert (council.runs / run / "ledger.jsonl").read_bytes().startswith(before)
        again = site.submit(action, {"document": "C"})
        assert again.status_code == 400
        assert "No verdict rests on text that was corrected since." in words_of(again.text)

    def test_who_corrects_puts_them_back_with_the_same_form_unless_the_tick_is_taken_out(self, council, run):
        site = visiting({"letters": council})
        assert re.search(r'name="hold" value="true" checked', site.get(f"{SOURCES}/C/text").text)
        assert "in 1 run the source is back on hold" in words_of(self.corrects(site, hold="true").text)
        assert site.get(f"/archives/letters/runs/{run}.json").json()["corrected"] == []
        said = words_of(self.corrects(site, was="Brücke", hold="true").text)
        assert "The correction lies over the text now." in said, "nothing rests on it any more"

    def test_in_a_curation_it_is_flagged_for_all_and_the_page_says_why(self, council, run):
        work = curating.begin(council, run)
        curating.act(council, work.run, [Curated(DocumentId("C"), Act.ACCEPT, "Bo")])
        site = visiting({"letters": council})
        self.corrects(site)
        page = site.get(f"/archives/letters/curate/{work.run}").text
        is_well_made(page)
        assert EVIL not in page
        assert "text corrected" in words_of(page)
        (action,) = re.findall(r'action="([^"]+/hold)"', page)
        said = words_of(site.submit(action, {"document": "C"}).text)
        assert "1 source is flagged to be looked at again, for all." in said
        assert "the text was corrected since: “Gemeinderat” → “Gemeindebote" in said
        (one,) = site.get(f"/archives/letters/curate/{work.run}.json").json()["sources"]
        assert one["standing"] == "flagged"

    def test_who_may_not_curate_puts_back_in_questions_only_and_readers_nowhere(self, council, run, tmp_path):
        work = curating.begin(council, run)
        curating.act(council, work.run, [Curated(DocumentId("C"), Act.ACCEPT, "Bo")])
        server = Server({"letters": council}, tmp_path / "people")
        for role in (Role.READER, Role.RESEARCHER):
            server.person(role.value, letters=role)
        self.corrects(server.browser("researcher"))
        reader = server.browser("reader")
        for kind in ("runs", "curate"):
            where = f"/archives/letters/{kind}/{run if kind == 'runs' else work.run}"
            page = reader.get(where).text
            assert "1 source was judged on words corrected since" in words_of(page)
            assert f'action="{where}/hold"' not in page
            assert reader.submit(f"{where}/hold", {"document": "C"}).status_code == 403
        self.corrects(server.browser("researcher"), was="Brücke", hold="true")
        assert reader.get(f"/archives/letters/runs/{run}.json").json()["corrected"] == []
        assert len(reader.get(f"/archives/letters/curate/{work.run}.json").json()["corrected"]) == 1

    def test_a_judging_says_that_the_set_can_be_judged_anew(self, council, run):
        judged = judging_by_hand.begin(council, run, "engagement", "Ada").run
        judging_by_hand.score(council, judged, "C#0-38", 3, "It says so.", "Ada")
        site = visiting({"letters": council})
        self.corrects(site)
        page = site.get(f"/archives/letters/judgings/{judged}").text
        assert "score 3" not in words_of(page), "nobody looks over a shoulder"
        judging_by_hand.close(council, judged, "Ada")
        page = site.get(f"/archives/letters/judgings/{judged}").text
        is_well_made(page)
        assert "Scores are not put on hold; the set can be judged anew." in words_of(page)
        assert "score 3" in words_of(page)
        assert site.get(f"/archives/letters/runs/{judged}.json").json()["corrected"] == []
        assert site.submit(f"/archives/letters/runs/{judged}/hold", {"document": "C"}).status_code == 400


def test_what_is_known_is_said_in_the_readers_language_and_a_field_of_the_archives_own_as_it_is_called(tmp_path):
    made = init(tmp_path / "a")
    letter = {"id": "C", "text": "Die Brücke.", "sender": "Berg, Ada", "place of receipt": "Wien", "Zähler": "7"}
    (tmp_path / "a.jsonl").write_text(json.dumps(letter))
    add(made, [tmp_path / "a.jsonl"], ImportOptions(language="de"))
    site = visiting({"letters": made})
    said = words_of(site.get(f"{SOURCES}/C/text?lang=de").text)
    assert "Absender Berg, Ada" in said
    assert "Empfangsort Wien" in said
    assert "Zähler 7" in said


class TestTaking:
    """A source is laid beside the set of a curation from its own page."""

    @pytest.fixture
    def letters(self, tmp_path):
        made = init(tmp_path / "a")
        texts = {"C": "Der Gemeinderat beschließt die Brücke.", "D": "Ein Brief von ganz anderem."}
        (tmp_path / "a.jsonl").write_text("\n".join(json.dumps({"id": n, "text": t}) for n, t in texts.items()))
        add(made, [tmp_path / "a.jsonl"], ImportOptions(language="de"))
        return made

    @pytest.fixture
    def run(self, letters):
        asked = asking.ask(letters, Question(f"Wer beschließt die Brücke {EVIL}?")).run
        said = {"C": Decision.ACCEPT, "D": Decision.REJECT}
        deciding.decide(letters, asked, *(Overruled(DocumentId(n), one, "", "Ada") for n, one in said.items()))
        return curating.begin(letters, asked).run

    def test_the_form_has_the_open_curations_that_lack_it_and_leads_to_it_there(self, letters, run):
        site = visiting({"letters": letters})
        page = site.get(f"{SOURCES}/D/text").text
        is_well_made(page)
        assert EVIL not in page
        assert f'<option value="{run}">' in page
        after = site.submit(f"{SOURCES}/D/curate", {"run": run, "passage": "", "why": f"by chance {EVIL}"})
        assert after.url.path == f"/archives/letters/curate/{run}"
        assert "The source is laid beside the set; it waits to be decided about." in words_of(after.text)
        assert "by chance" in words_of(after.text)
        assert EVIL not in after.text
        data = site.get(f"/archives/letters/curate/{run}.json").json()
        assert ({one["document"] for one in data["sources"]}, data["counts"]["taken"]) == ({"C", "D"}, 2)

    def test_where_it_is_a_source_already_the_page_leads_there_and_does_not_offer_it(self, letters, run):
        site = visiting({"letters": letters})
        page = site.get(f"{SOURCES}/C/text").text
        assert f'href="/archives/letters/curate/{run}?at=C#reader"' in page
        assert f'<option value="{run}">' not in page
        assert "No curation is open that it could still join" in words_of(page)
        told = site.submit(f"{SOURCES}/C/curate", {"run": run})
        assert "The source is in this curation already." in words_of(told.text)

    def test_what_is_not_there_is_not_taken(self, letters, run):
        site = visiting({"letters": letters})
        asked = next(row.run for row in letters.run_rows() if row.kind == "question")
        for document, into in (("D", "nowhere"), ("D", asked), ("Z", run)):
            assert site.submit(f"{SOURCES}/{document}/curate", {"run": into}).status_code == 404
        answer = site.submit(f"{SOURCES}/D/curate", {"run": run, "passage": "D#0-3"})
        assert answer.status_code == 400
        assert "There is no such source." in words_of(answer.text)

    def test_it_is_for_who_curates(self, letters, run, tmp_path):
        server = Server({"letters": letters}, tmp_path / "people")
        for role in (Role.RESEARCHER, Role.CURATOR):
            server.person(role.value, letters=role)
        site = server.browser("researcher")
        assert "Take into a curation" not in site.get(f"{SOURCES}/D/text").text
        assert site.submit(f"{SOURCES}/D/curate", {"run": run}).status_code == 403
        assert "Take into a curation" in server.browser("curator").get(f"{SOURCES}/D/text").text


class TestCorrections:
    @pytest.fixture
    def own(self, tmp_path):
        made = init(tmp_path / "own")
        records = [
            {"id": "K", "text": "Die Brücke, die Brücke und der Steg."},
            {"id": "M", "text": "Ein anderer Text."},
        ]
        (tmp_path / "own.jsonl").write_text("\n".join(map(json.dumps, records)))
        add(made, [tmp_path / "own.jsonl"], ImportOptions(language="de"))
        return made

    @pytest.fixture
    def here(self, own):
        return visiting({"letters": own})

    def test_a_correction_lies_over_the_text_with_its_author_and_the_source_stays(self, here, own):
        fields = {"passage": "K#0-36", "was": "Steg", "now": f"Weg {EVIL}", "note": "Blatt 3"}
        page = here.submit(f"{SOURCES}/K/corrections", fields).text
        assert "<del>Steg</del><ins>Weg &lt;script&gt;" in page
        assert EVIL not in page
        data = here.get(f"{SOURCES}/K/text.json").json()
        assert data["passages"][0]["text"] == "Die Brücke, die Brücke und der Steg."
        (one,) = data["corrections"]
        assert (one["was"], one["note"], one["stands"], one["undone_by"]) == ("Steg", "Blatt 3", True, "")
        assert one["author"]
        assert one["time"].endswith("Z")

    def test_it_is_taken_back_and_stays_in_the_record(self, here, own):
        here.submit(f"{SOURCES}/K/corrections", {"passage": "K#0-36", "was": "Steg", "now": "Weg"})
        before = (own.root / FILE).read_bytes()
        page = here.submit(f"{SOURCES}/K/corrections/1/back").text
        assert "<del>Steg</del><ins>" not in page
        assert "taken back by" in page
        assert (own.root / FILE).read_bytes().startswith(before)
        assert here.submit(f"{SOURCES}/K/corrections/1/back").status_code == 400
        assert here.submit(f"{SOURCES}/M/corrections/1/back").status_code == 400

    @pytest.mark.parametrize(
        ("fields", "words"),
        [
            ({"was": "Tunnel", "now": "Steg"}, "these words do not stand in the passage."),
            ({"was": "Brücke", "now": "Furt"}, "these words stand in the passage more than once."),
            ({"was": "", "now": "Furt"}, "a correction needs the words as they stand and others."),
            ({"was": "Steg", "now": "Steg"}, "a correction needs the words as they stand and others."),
            ({"was": "Steg", "now": "x" * 3000}, "a correction needs"),
        ],
    )
    def test_what_cannot_be_corrected_is_said_beside_what_was_typed(self, here, own, fields, words):
        answer = here.submit(f"{SOURCES}/K/corrections", {"passage": "K#0-36", **fields})
        assert answer.status_code == 400
        assert words in words_of(answer.text).lower()
        assert f">{fields['was']}</textarea>" in answer.text
        assert not (own.root / FILE).exists()

    def test_a_passage_of_another_source_is_refused(self, here, own):
        answer = here.submit(f"{SOURCES}/K/corrections", {"passage": "M#0-17", "was": "Text", "now": "Brief"})
        assert answer.status_code == 400
        assert not (own.root / FILE).exists()

    def test_a_text_that_changed_leaves_the_correction_in_the_record_only(self, here, own, tmp_path):
        here.submit(f"{SOURCES}/K/corrections", {"passage": "K#0-36", "was": "Steg", "now": "Weg"})
        (tmp_path / "own.jsonl").write_text(json.dumps({"id": "K", "text": "Ganz etwas anderes steht hier."}))
        add(own, [tmp_path / "own.jsonl"], ImportOptions(language="de", update=True))
        data = here.get(f"{SOURCES}/K/text.json").json()
        assert [one["stands"] for one in data["corrections"]] == [False]
        assert "no longer fits the text" in words_of(here.get(f"{SOURCES}/K/text").text)

    def test_what_is_deleted_leaves_no_correction_that_quotes_it(self, here, own):
        from vestigia.app.care import delete

        for name, was in (("K", "Steg"), ("M", "anderer")):
            passage = {"K": "K#0-36", "M": "M#0-17"}[name]
            here.submit(f"{SOURCES}/{name}/corrections", {"passage": passage, "was": was, "now": "Weg"})
        delete(own, [DocumentId("K")])
        assert "Steg" not in (own.root / FILE).read_text()
        assert [one.was for one in corrections_of(own, DocumentId("M"))] == ["anderer"]

    def test_a_line_that_a_kill_left_is_passed_over_and_a_foreign_one_named(self, here, own):
        here.submit(f"{SOURCES}/K/corrections", {"passage": "K#0-36", "was": "Steg", "now": "Weg"})
        with (own.root / FILE).open("a") as file:
            file.write('{"document": "K", "nu')
        assert len(here.get(f"{SOURCES}/K/text.json").json()["corrections"]) == 1
        here.submit(f"{SOURCES}/K/corrections", {"passage": "K#0-36", "was": "der", "now": "den"})
        assert [one["number"] for one in here.get(f"{SOURCES}/K/text.json").json()["corrections"]] == [1, 2]
        (own.root / FILE).write_text('{"what": "is this"}\n')
        answer = here.get(f"{SOURCES}/K/text")
        assert answer.status_code == 500
        assert "line 1 is no correction." in words_of(answer.text).lower()

    def test_readers_read_and_do_not_correct(self, own, tmp_path):
        server = Server({"letters": own}, tmp_path / "people")
        server.person("reader", letters=Role.READER)
        site = server.browser("reader")
        assert "corrections" not in re.findall(r'action="([^"]+)"', site.get(f"{SOURCES}/K/text").text)
        assert (
            site.submit(f"{SOURCES}/K/corrections", {"passage": "K#0-36", "was": "Steg", "now": "Weg"}).status_code
            == 403
        )
