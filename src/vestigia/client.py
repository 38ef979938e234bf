"""A Vestigia server from a notebook or a script: search, read, ask, decide.

    from vestigia.client import connect

    letters = connect("http://127.0.0.1:8321").archive("letters")
    for hit in letters.search("Brücke", between="1887/1891"):
        print(hit["date"], hit["title"], hit["citation"])
    run = letters.ask("Wer ließ die Brücke sprengen?")
    for entry in run.follow():
        print(entry["what"])
    ranking = frame(run.result()["ranking"])

Rows are dictionaries as the REST interface gives them; `frame` makes a DataFrame of them where pandas is installed.
Nothing of the server is imported, so the package can be used against one of another machine.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, NotRequired, TypedDict, cast

import httpx2

PREFIX = "/api/v1"
Json = dict[str, Any]
_TRIES = 5
"""Times that a stream which broke is taken up again without anything new."""


class VestigiaProblem(Exception):  # noqa: N818  it is called as RFC 9457 calls it
    """What a server refused or could not do: status, what, where, and what to do next."""

    def __init__(self, status: int, what: str, where: str = "", remedy: str = "") -> None:
        super().__init__(" ".join(part for part in (f"{status}: {what}", where, remedy) if part))
        self.status, self.what, self.where, self.remedy = status, what, where, remedy


class ArchiveRow(TypedDict):
    """An archive of the server; `documents` is None where it cannot be opened."""

    archive: str
    name: str
    documents: int | None
    sub_corpora: list[str]
    problem: NotRequired[str]


class SourceRow(TypedDict):
    """A source without its text."""

    document: str
    title: str
    date: str | None
    date_as_written: str | None
    sub_corpus: str
    citation: str
    link: str | None
    rights: str | None
    access: str | None
    withheld: str | None
    language: NotRequired[str | None]


class Hit(SourceRow):
    """A source that was found, the passage that carried it, and by which channels at which ranks."""

    score: float
    found_by: list[Json]
    passage: Json
    copies: list[Json]


class Source(SourceRow):
    """A source with a part of its text."""

    dates: list[Json]
    details: list[list[str]]
    passages: list[Json]
    part: int
    parts: int
    citations: dict[str, str]
    corrections: list[Json]
    used: list[Json]


class RunRow(TypedDict):
    """A run in a list."""

    run: str
    kind: str
    state: str
    question: str
    opened_at: str
    model: str
    accepted: int
    entries: int


class Standing(TypedDict):
    """How a run stands; `moving` while something can change by itself."""

    state: str
    checkpoint: str
    why: str
    moving: bool
    problem: Json | None


class Entry(TypedDict):
    """An entry of the record of a run, in words."""

    entry: int
    time: str
    by: str
    what: str


def connect(
    address: str, token: str = "", timeout: float = 60.0, transport: httpx2.BaseTransport | None = None
) -> "Vestigia":
    """A server at an address, e.g. `http://127.0.0.1:8321`; one with accounts asks for a token of yours."""
    headers = {"authorization": f"Bearer {token}"} if token else {}
    return Vestigia(httpx2.Client(base_url=address, headers=headers, timeout=timeout, transport=transport), bool(token))


def frame(rows: Iterable[Mapping[str, Any]]) -> Any:  # noqa: ANN401  pandas is no dependency
    """Rows as a pandas DataFrame, objects in cells taken apart (`passage.text`). Raises ImportError without pandas."""
    import pandas as pd  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: PLC0415

    return pd.json_normalize([dict(row) for row in rows])


class Vestigia:
    """A server. Use it with `with`, or `close` it."""

    def __init__(self, http: httpx2.Client, by_token: bool) -> None:
        self._http, self._by_token = http, by_token
        self._form = ""

    def __enter__(self) -> "Vestigia":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._http.close()

    def archives(self) -> Iterator[ArchiveRow]:
        """The archives in which you have a role."""
        return cast("Iterator[ArchiveRow]", self.listed("/archives"))

    def archive(self, name: str) -> "Archive":
        """One archive, by its short name in addresses."""
        return Archive(self, name)

    def get(self, path: str, **fields: Any) -> Json:  # noqa: ANN401
        """Ask for data under `/api/v1`. Raises VestigiaProblem."""
        given = {name: value for name, value in fields.items() if value not in (None, "", (), [])}
        return _read(self._http.get(PREFIX + path, params=given))

    def post(self, path: str, body: Json | None = None) -> Json:
        """Change something. Raises VestigiaProblem."""
        headers = {}
        if not self._by_token:
            self._form = self._form or str(self.get("/session")["csrf"])
            headers["x-csrf-token"] = self._form
        return _read(self._http.post(PREFIX + path, json=body, headers=headers))

    def listed(self, path: str, **fields: Any) -> Iterator[Json]:  # noqa: ANN401
        """The rows of a list, portion by portion, as they are wanted."""
        cursor = ""
        while True:
            found = self.get(path, cursor=cursor, **fields)
            yield from found["items"]
            cursor = found["next"] or ""
            if not cursor:
                return

    def stream(self, path: str, after: int) -> Iterator[tuple[str, str, Json]]:
        """Server-sent events as (event, id, data), once, until the connection ends."""
        with self._http.stream("GET", PREFIX + path, params={"after": after}) as answer:
            if answer.status_code >= 400:
                answer.read()
                _read(answer)
            yield from _events(answer.iter_lines())


class Archive:
    """An archive of a server."""

    def __init__(self, server: Vestigia, name: str) -> None:
        self._server, self.name = server, name
        self._path = f"/archives/{name}"

    def about(self) -> Json:
        """What it covers: sub-corpora, time, files."""
        return self._server.get(self._path)

    def search(self, query: str, limit: int = 20, **fields: Any) -> list[Hit]:  # noqa: ANN401
        """The best hits; `fields` are those of the interface: channel, between, sub_corpus, language, windows …"""
        found = self._server.listed(f"{self._path}/search", q=query, limit=max(1, min(limit, 200)), **fields)
        return [cast("Hit", hit) for _, hit in zip(range(limit), found, strict=False)]

    def vocabulary(self, *terms: str, **fields: Any) -> Json:  # noqa: ANN401
        """When words are attested, how often, and what stands near them."""
        return self._server.get(f"{self._path}/vocabulary", term=list(terms), **fields)

    def sources(self, *sub_corpora: str) -> Iterator[SourceRow]:
        """All sources, or those of some sub-corpora, without their texts."""
        return cast("Iterator[SourceRow]", self._server.listed(f"{self._path}/sources", sub_corpus=list(sub_corpora)))

    def source(self, document: str, passage: str = "", part: int = 1) -> Source:
        """A source with a part of its text, or with the part in which a passage stands."""
        return cast("Source", self._server.get(f"{self._path}/source", document=document, passage=passage, part=part))

    def text(self, document: str) -> str:
        """The whole text of a source; `start` and `end` of passages hold in it. Raises VestigiaProblem if withheld."""
        first = self.source(document)
        if first["withheld"]:
            raise VestigiaProblem(403, f"the text is {first['withheld']} and not shown.", document)
        parts = [first, *(self.source(document, part=number) for number in range(2, first["parts"] + 1))]
        text, at = "", 0
        for passage in (one for part in parts for one in part["passages"]):
            text += "\n" * (passage["start"] > at > 0) + passage["text"]
            at = passage["end"]
        return text

    def runs(self, kind: str = "") -> Iterator[RunRow]:
        """The runs, the one opened last first."""
        return cast("Iterator[RunRow]", self._server.listed(f"{self._path}/runs", kind=kind))

    def sets(self) -> Iterator[RunRow]:
        """The sets that were gathered, and what judged them."""
        return cast("Iterator[RunRow]", self._server.listed(f"{self._path}/sets"))

    def curations(self) -> Iterator[RunRow]:
        """The sets that are curated."""
        return cast("Iterator[RunRow]", self._server.listed(f"{self._path}/curations"))

    def dossiers(self) -> Iterator[RunRow]:
        """The curations of which a person sealed a dossier."""
        return cast("Iterator[RunRow]", self._server.listed(f"{self._path}/dossiers"))

    def dossier(self, run: str, windows: str = "") -> Json:
        """The newest dossier of a curation, window by window, with key sentences."""
        return self._server.get(f"{self._path}/dossiers/{run}", windows=windows)

    def run(self, name: str = "last") -> "Run":
        """A run by its name, a beginning of it, or the last."""
        return Run(self._server, self._path, str(self._server.get(f"{self._path}/runs/{name}")["run"]))

    def ask(self, question: str, **fields: Any) -> "Run":  # noqa: ANN401
        """Put a question; the server carries the run out. `fields` are those of the interface: between, model …"""
        return self._begun("runs", {"question": question, **fields})

    def gather(self, description: str, windows: str, **fields: Any) -> "Run":  # noqa: ANN401
        """Gather a set, the same number of sources from each window of time."""
        return self._begun("sets", {"description": description, "windows": windows, **fields})

    def _begun(self, what: str, body: Json) -> "Run":
        return Run(self._server, self._path, str(self._server.post(f"{self._path}/{what}", body)["run"]))


class Run:
    """A run of an archive."""

    def __init__(self, server: Vestigia, archive: str, name: str) -> None:
        self._server, self.name = server, name
        self._path = f"{archive}/runs/{name}"
        self._curation = f"{archive}/curations/{name}"

    def standing(self) -> Standing:
        """How it stands now."""
        return cast("Standing", self._server.get(self._path)["standing"])

    def result(self) -> Json:
        """What it has come to: for a question its `ranking`."""
        return self._server.get(f"{self._path}/result")

    def entries(self) -> Iterator[Entry]:
        """Every entry of its record."""
        return cast("Iterator[Entry]", self._server.listed(f"{self._path}/entries"))

    def calls(self, entry: int) -> list[Json]:
        """What models were sent at an entry, and their replies."""
        return cast("list[Json]", self._server.get(f"{self._path}/entries/{entry}")["items"])

    def follow(self, after: int = -1) -> Iterator[Entry]:
        """The entries as they are written, until nothing more comes by itself; a connection that breaks is taken up."""
        tries = 0
        while tries < _TRIES:
            tries += 1
            try:
                for event, _, told in self._server.stream(f"{self._path}/stream", after):
                    if event == "end":
                        return
                    after, tries = int(told["entry"]), 0
                    yield cast("Entry", told)
            except httpx2.TransportError:
                if tries == _TRIES:
                    raise

    def wait(self, heard: Callable[[Entry], object] = lambda _entry: None) -> Standing:
        """Wait until nothing more comes by itself: finished, stopped, or waiting for a person."""
        for entry in self.follow():
            heard(entry)
        return self.standing()

    def decide(self, document: str, decision: Literal["accept", "reject", "hold"], reason: str = "") -> Json:
        """Decide about a document; it outranks the machine's decision."""
        return self._server.post(
            f"{self._path}/decisions", {"document": document, "decision": decision, "reason": reason}
        )

    def act(self, document: str, act: Literal["accept", "reject", "flag", "note", "tag"], **fields: Any) -> Json:  # noqa: ANN401
        """Act on a source of a curation."""
        return self._server.post(f"{self._curation}/acts", {"document": document, "act": act, **fields})

    def stop(self) -> None:
        """Stop it between two steps."""
        self._server.post(f"{self._path}/stop")

    def go_on(self) -> None:
        """Let it go on."""
        self._server.post(f"{self._path}/go-on")


def _read(answer: httpx2.Response) -> Json:
    """The data of an answer. Raises VestigiaProblem."""
    try:
        told = answer.json()
    except ValueError:
        told = None
    if answer.is_redirect:
        raise VestigiaProblem(answer.status_code, "the server leads elsewhere, e.g. to where one signs in.")
    if not isinstance(told, dict):
        raise VestigiaProblem(answer.status_code, "the server gave no answer that can be read.")
    if answer.status_code >= 400:
        what, where, remedy = (str(told.get(name) or "") for name in ("title", "where", "remedy"))
        raise VestigiaProblem(answer.status_code, what, where, remedy)
    return told


def _events(lines: Iterable[str]) -> Iterator[tuple[str, str, Json]]:
    """Take server-sent events apart: (event, id, data) of each that has data."""
    event, name, data = "message", "", list[str]()
    for line in lines:
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            data.append(value)
        elif field == "event":
            event = value
        elif field == "id":
            name = value
        elif not line and data:
            yield event, name, json.loads("\n".join(data))
            event, data = "message", []
