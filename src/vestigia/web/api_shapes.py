"""What the REST interface takes and gives, for its description: a field that is not named here may come, too."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

LONGEST = 10_000
Words = Annotated[str, Field(max_length=LONGEST)]


class _Given(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Told(BaseModel):
    model_config = ConfigDict(extra="allow")


class Asking(_Given):
    """A question to be answered by a run."""

    question: Words
    sub_corpora: list[Words] = []
    between: Words = ""
    languages: list[Words] = []
    windows: Words | None = None
    model: Words = ""
    pause: Words = Field(default="", description="Checkpoints to wait at: plan, holds, briefs, final; or none.")
    calls: int | None = Field(default=None, ge=0, le=10**6)
    tokens: int | None = Field(default=None, ge=0, le=10**12)
    steps: int | None = Field(default=None, ge=1, le=15)
    cost: float | None = Field(default=None, gt=0, le=10**6)
    minutes: float | None = Field(default=None, gt=0, le=10**6)


class Gathering(_Given):
    """A set to be gathered, the same number of sources from each window of time."""

    description: Words
    windows: Words
    quota: int = Field(default=20, ge=1, le=1000)
    undated: int | None = Field(default=None, ge=0, le=1000)
    sub_corpora: list[Words] = []
    between: Words = ""
    languages: list[Words] = []


class Deciding(_Given):
    """A person's decision about a document of a run; it outranks the machine's."""

    document: Words
    decision: Literal["accept", "reject", "hold"]
    reason: Words = ""


class Acting(_Given):
    """What a person does to a source of a curation."""

    document: Words
    act: Literal["accept", "reject", "flag", "note", "tag"]
    reason: Words = ""
    note: Words = ""
    tag: Words = ""
    resolves: bool = False


class Problem(_Told):
    """What went wrong, where, and what to do next (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str
    where: str | None
    remedy: str | None


class Portion(_Told):
    """A portion of a list; `next` is the cursor of the one after it, null behind the last."""

    items: list[dict[str, Any]]
    next: str | None


class Found(Portion):
    """Hits of a search, best first, with what was searched beside the query and what could not be."""

    query: str
    passport: list[dict[str, Any]]
    missing: list[str]
    failures: list[str]


class Source(_Told):
    """A source: text in passages, dates, citations, neighbours, uses."""

    document: str
    title: str
    date: str | None
    sub_corpus: str
    passages: list[dict[str, Any]]
    citations: dict[str, str]
    withheld: str | None


class Run(_Told):
    """A run and how it stands."""

    run: str
    kind: str
    question: str
    standing: dict[str, Any]


class Begun(_Told):
    """A run that was begun; it is carried out by the server."""

    run: str
    href: str


class Plain(_Told):
    """Data that this interface gives as the pages and the terminal do."""
