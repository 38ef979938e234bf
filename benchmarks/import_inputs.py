"""The same invented documents in every format that can be imported: words of the demo archive, shuffled."""

import csv
import html
import json
import random
import re
import textwrap
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
LINE, LINES_A_PAGE, PAGES = 60, 55, 4


@dataclass(frozen=True, slots=True)
class Text:
    """A document to be written down: an id, a day (ISO), a title and sentences without line breaks."""

    id: str
    day: str
    title: str
    text: str

    @property
    def lines(self) -> list[str]:
        """Its text as lines of print."""
        return textwrap.wrap(self.text, LINE)

    @property
    def record(self) -> dict[str, str]:
        """It as a record."""
        return {"id": self.id, "title": self.title, "date": self.day, "lang": "de", "text": self.text}


def texts(number: int, length: int = 3000, seed: int = 7) -> Iterator[Text]:
    """Yield documents of about `length` characters, the mean of a newspaper page's article."""
    demo = files("vestigia.app") / "demo"
    found = [
        one.read_text(encoding="utf-8")
        for folder in sorted(demo.iterdir(), key=str)
        if folder.is_dir()
        for one in sorted(folder.iterdir(), key=str)
        if one.name.endswith(".txt")
    ]
    sentences = [" ".join(one.split()) for text in found for one in re.split(r"(?<=[.!?])\s", text) if len(one) > 20]
    chance = random.Random(seed)  # noqa: S311 - no secret
    for at in range(number):
        said: list[str] = []
        while sum(map(len, said)) < length:
            words = chance.choice(sentences).split()
            chance.shuffle(words)  # else all documents were near-duplicates
            said.append(" ".join(words))
        day = f"{1850 + at // 336 % 60}-{at // 28 % 12 + 1:02}-{at % 28 + 1:02}"
        yield Text(f"T{at:06}", day, f"Nr. {at}", " ".join(said))


def _groups(found: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    return (found[at : at + size] for at in range(0, len(found), size))


def jsonl(folder: Path, found: Sequence[Text]) -> None:
    """JSON Lines."""
    with (folder / "texts.jsonl").open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(one.record, ensure_ascii=False) + "\n" for one in found)


def json_array(folder: Path, found: Sequence[Text]) -> None:
    """One JSON array."""
    (folder / "texts.json").write_text(
        json.dumps([one.record for one in found], ensure_ascii=False, indent=1), encoding="utf-8"
    )


def csv_table(folder: Path, found: Sequence[Text]) -> None:
    """A CSV table."""
    with (folder / "texts.csv").open("w", encoding="utf-8", newline="") as out:
        table = csv.DictWriter(out, ["id", "title", "date", "lang", "text"])
        table.writeheader()
        table.writerows(one.record for one in found)


def xlsx(folder: Path, found: Sequence[Text]) -> None:
    """An Excel workbook."""
    from openpyxl import Workbook  # noqa: PLC0415 - an extra

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Texte")
    sheet.append(["id", "title", "date", "lang", "text"])
    for one in found:
        sheet.append(list(one.record.values()))
    book.save(folder / "texts.xlsx")


def parquet(folder: Path, found: Sequence[Text]) -> None:
    """A Parquet file."""
    import pyarrow as arrow  # noqa: PLC0415 - an extra
    from pyarrow import parquet as saved  # noqa: PLC0415

    saved.write_table(arrow.Table.from_pylist([one.record for one in found]), folder / "texts.parquet")


def text_files(folder: Path, found: Sequence[Text]) -> None:
    """A text file for each document, named by its day."""
    for one in found:
        (folder / f"{one.day}_{one.id}.txt").write_text("\n".join(one.lines), encoding="utf-8")


def tei(folder: Path, found: Sequence[Text]) -> None:
    """A TEI letter for each document, with line beginnings."""
    for one in found:
        lines = "".join(f'<lb n="{at}"/>{html.escape(line)}\n' for at, line in enumerate(one.lines, 1))
        (folder / f"{one.id}.xml").write_text(
            f'<TEI xmlns="http://www.tei-c.org/ns/1.0" xml:id="{one.id}"><teiHeader><fileDesc><titleStmt>'
            f"<title>{one.title}</title></titleStmt><publicationStmt><p/></publicationStmt><sourceDesc><p/></sourceDesc>"
            f'</fileDesc><profileDesc><correspDesc><correspAction type="sent"><persName>Anna</persName>'
            f'<date when="{one.day}"/></correspAction></correspDesc><langUsage><language ident="de"/></langUsage>'
            f'</profileDesc></teiHeader><text><body><div><pb n="1"/><p>{lines}</p></div></body></text></TEI>',
            encoding="utf-8",
        )


def _alto(one: Text, image: str) -> str:
    rows = []
    for at, line in enumerate(one.lines):
        words = "<SP/>".join(
            f'<String ID="w{at}_{n}" CONTENT="{html.escape(word)}" HPOS="{100 + 90 * n}" VPOS="{40 * at}" WIDTH="80" '
            f'HEIGHT="30" WC="0.87"/>'
            for n, word in enumerate(line.split())
        )
        rows.append(f'<TextLine ID="l{at}" HPOS="100" VPOS="{40 * at}" WIDTH="900" HEIGHT="30">{words}</TextLine>')
    return (
        '<alto xmlns="http://www.loc.gov/standards/alto/ns-v3#"><Description><MeasurementUnit>pixel'
        f"</MeasurementUnit><sourceImageInformation><fileName>{image}</fileName></sourceImageInformation>"
        '</Description><Layout><Page ID="p" PHYSICAL_IMG_NR="1" WIDTH="1000" HEIGHT="3000"><PrintSpace>'
        f'<TextBlock ID="b">{"".join(rows)}</TextBlock></PrintSpace></Page></Layout></alto>'
    )


def alto(folder: Path, found: Sequence[Text]) -> None:
    """An ALTO page for each document."""
    for one in found:
        (folder / f"{one.day}_{one.id}.xml").write_text(_alto(one, f"{one.id}.tif"), encoding="utf-8")


def mets(folder: Path, found: Sequence[Text]) -> None:
    """Issues of four ALTO pages, each page an article."""
    for number, issue in enumerate(_groups(found, PAGES)):
        place = folder / f"issue{number:05}"
        (place / "text").mkdir(parents=True)
        named, pages, articles = [], [], []
        for at, one in enumerate(issue, 1):
            (place / "text" / f"{at}.xml").write_text(_alto(one, f"{at}.tif"), encoding="utf-8")
            named.append(
                f'<file ID="f{at}" MIMETYPE="text/xml"><FLocat LOCTYPE="URL" xlink:href="text/{at}.xml"/></file>'
            )
            pages.append(f'<div TYPE="page" ORDER="{at}"><fptr FILEID="f{at}"/></div>')
            articles.append(
                f'<div ID="a{at}" TYPE="ARTICLE" LABEL="{one.title}"><fptr><area FILEID="f{at}" BEGIN="b" '
                'BETYPE="IDREF"/></fptr></div>'
            )
        (place / f"{issue[0].day}-mets.xml").write_text(
            '<mets xmlns="http://www.loc.gov/METS/" xmlns:xlink="http://www.w3.org/1999/xlink"><fileSec><fileGrp>'
            f'{"".join(named)}</fileGrp></fileSec><structMap TYPE="PHYSICAL"><div TYPE="issue">{"".join(pages)}</div>'
            f'</structMap><structMap TYPE="LOGICAL"><div TYPE="ISSUE">{"".join(articles)}</div></structMap></mets>',
            encoding="utf-8",
        )


def page(folder: Path, found: Sequence[Text]) -> None:
    """A PAGE file for each document."""
    for one in found:
        lines = "".join(
            f'<TextLine id="l{at}" custom="readingOrder {{index:{at};}}"><Coords points="0,{40 * at} 900,{40 * at} '
            f'900,{40 * at + 30} 0,{40 * at + 30}"/><Baseline points="0,{40 * at} 900,{40 * at}"/>'
            f'<TextEquiv conf="0.9"><Unicode>{html.escape(line)}</Unicode></TextEquiv></TextLine>'
            for at, line in enumerate(one.lines)
        )
        (folder / f"{one.day}_{one.id}.xml").write_text(
            '<PcGts xmlns="http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"><Page imageFilename="'
            f'{one.id}.jpg"><ReadingOrder><OrderedGroup id="g"><RegionRefIndexed index="0" regionRef="r"/>'
            '</OrderedGroup></ReadingOrder><TextRegion id="r"><Coords points="0,0 900,0 900,3000 0,3000"/>'
            f"{lines}</TextRegion></Page></PcGts>",
            encoding="utf-8",
        )


def hocr(folder: Path, found: Sequence[Text]) -> None:
    """An hOCR page for each document."""
    for one in found:
        rows = []
        for at, line in enumerate(one.lines):
            words = " ".join(
                f'<span class="ocrx_word" title="bbox {90 * n} {40 * at} {90 * n + 80} {40 * at + 30}; x_wconf 87">'
                f"{html.escape(word)}</span>"
                for n, word in enumerate(line.split())
            )
            rows.append(f'<span class="ocr_line" title="bbox 0 {40 * at} 900 {40 * at + 30}">{words}</span>')
        (folder / f"{one.day}_{one.id}.hocr").write_text(
            '<html><head><meta name="ocr-system" content="none"/></head><body><div class="ocr_page" title="image '
            f'{one.id}.tif; bbox 0 0 900 3000"><p class="ocr_par" lang="de">{" ".join(rows)}</p></div></body></html>',
            encoding="utf-8",
        )


def iiif(folder: Path, found: Sequence[Text]) -> None:
    """A IIIF 3 manifest for each document, with the annotations of its canvas in it."""
    for one in found:
        canvas = f"https://example.org/{one.id}/canvas/1"
        notes = [
            {
                "id": f"{canvas}/{at}",
                "type": "Annotation",
                "motivation": "supplementing",
                "textGranularity": "line",
                "body": {"type": "TextualBody", "value": line, "language": "de"},
                "target": f"{canvas}#xywh=0,{40 * at},900,30",
            }
            for at, line in enumerate(one.lines)
        ]
        manifest = {
            "@context": "http://iiif.io/api/presentation/3/context.json",
            "id": f"https://example.org/{one.id}",
            "type": "Manifest",
            "label": {"de": [one.title]},
            "navDate": f"{one.day}T00:00:00Z",
            "items": [
                {
                    "id": canvas,
                    "type": "Canvas",
                    "width": 900,
                    "height": 3000,
                    "label": {"none": ["1"]},
                    "annotations": [{"id": f"{canvas}/page", "type": "AnnotationPage", "items": notes}],
                }
            ],
        }
        (folder / f"{one.id}.json").write_text(json.dumps(manifest, ensure_ascii=False), encoding="utf-8")


def hansard(folder: Path, found: Sequence[Text]) -> None:
    """Sittings of twenty sections each."""
    for number, sitting in enumerate(_groups(found, 20)):
        parts = "".join(
            f"<section><title>{one.title}</title><p><membercontribution>{html.escape(one.text)}"
            "</membercontribution></p></section>"
            for one in sitting
        )
        (folder / f"s{number:05}.xml").write_text(
            f'<housecommons><title>HOUSE OF COMMONS</title><date format="{sitting[0].day}">{sitting[0].day}</date>'
            f"<debates>{parts}</debates></housecommons>",
            encoding="utf-8",
        )


def pdf(folder: Path, found: Sequence[Text]) -> None:
    """A PDF with a text layer for each document."""
    for one in found:
        bodies = [
            "<</Type/Catalog/Pages 2 0 R>>",
            "",
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
        ]
        kids = []
        for lines in _groups(one.lines, LINES_A_PAGE):
            shown = " ".join("({}) Tj T*".format(re.sub(r"([()\\])", r"\\\1", line)) for line in lines)
            content = f"BT /F1 10 Tf 72 760 Td 13 TL {shown} ET".encode("cp1252", "replace").decode("cp1252")
            kids.append(f"{len(bodies) + 1} 0 R")
            bodies.append(
                "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 3 0 R>>>>"
                f"/Contents {len(bodies) + 2} 0 R>>"
            )
            bodies.append(f"<</Length {len(content)}>>stream\n{content}\nendstream")
        bodies[1] = f"<</Type/Pages/Kids[{' '.join(kids)}]/Count {len(kids)}>>"
        out, offsets = b"%PDF-1.4\n", []
        for at, body in enumerate(bodies, 1):
            offsets.append(len(out))
            out += f"{at} 0 obj\n{body}\nendobj\n".encode("cp1252")
        table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
        out += (
            f"xref\n0 {len(bodies) + 1}\n0000000000 65535 f \n{table}trailer<</Size {len(bodies) + 1}"
            f"/Root 1 0 R>>\nstartxref\n{len(out)}\n%%EOF\n"
        ).encode()
        (folder / f"{one.day}_{one.id}.pdf").write_bytes(out)


def zipped(folder: Path, found: Sequence[Text]) -> None:
    """The text files in one zip archive."""
    with zipfile.ZipFile(folder / "texts.zip", "w", zipfile.ZIP_DEFLATED) as out:
        for one in found:
            out.writestr(f"texts/{one.day}_{one.id}.txt", "\n".join(one.lines))


WRITERS: dict[str, Callable[[Path, Sequence[Text]], None]] = {
    "JSON Lines": jsonl,
    "JSON": json_array,
    "CSV": csv_table,
    "XLSX": xlsx,
    "Parquet": parquet,
    "text": text_files,
    "TEI": tei,
    "ALTO": alto,
    "METS/ALTO": mets,
    "PAGE": page,
    "hOCR": hocr,
    "IIIF": iiif,
    "Hansard": hansard,
    "PDF": pdf,
    "zip of text": zipped,
}
