"""The query language of the word channel, read into a tree. It is spoken only where it was asked for (`--syntax`).

    port blocus          either; what holds both stands first
    port AND blocus      both     port OR blocus      at least one     NOT port, -port    not this
    +port blocus         the first must be there, the second helps     ( )              grouping
    "free port"          these words in this form and order
    Spinn*  *fabrik      words that begin, that end so           port~1           one letter may differ
    port NEAR/5 blocus   at most five words on, either way round
    title:port  person:Herzl  place:Wien  source:Minutes  text:port  title:(port blocus)

NOT binds closest, then NEAR, AND, OR, and mere juxtaposition last. Operators are written in capitals.
"""

import re
from dataclasses import dataclass

from vestigia.domain.errors import UsageError
from vestigia.domain.text import words

FIELDS = ("title", "person", "place", "source", "text")
NEAR = 10
"""Words apart where NEAR names no number."""
_LEAST_STEM = 2
_MOST_NESTED = 50
_TOKEN = re.compile(
    r'\s*(?:(?P<open>\()|(?P<close>\))|(?P<quote>")(?P<quoted>[^"]*)(?P<end>"?)|(?P<sign>[+-])(?=[^\s)])'
    r"|(?P<field>[^\W\d_]+):(?=[^\s)])|(?P<word>[^\s()\"]+))"
)
_NEAR = re.compile(r"NEAR(?:/(\d{1,3}))?")


@dataclass(frozen=True, slots=True)
class Word:
    """A word, or several written as one (`Aix-la-Chapelle`); `distance` is how many letters may differ."""

    words: tuple[str, ...]
    field: str = ""
    distance: int = 0


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words in this form and order."""

    words: tuple[str, ...]
    field: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """Words of which the beginning, the end or the middle is known: `spinn*`; folded, stars kept."""

    pattern: str
    field: str = ""


@dataclass(frozen=True, slots=True)
class Near:
    """Two words at most `apart` words on, either way round."""

    one: str
    other: str
    apart: int
    field: str = ""


@dataclass(frozen=True, slots=True)
class Not:
    """What must not be there."""

    part: "Node"


@dataclass(frozen=True, slots=True)
class And:
    """All of it must be there."""

    parts: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Or:
    """At least one must be there."""

    parts: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Some:
    """`must` must be there, `may` helps, `never` must not be; without `must` one of `may` is there."""

    must: "tuple[Node, ...]"
    may: "tuple[Node, ...]"
    never: "tuple[Node, ...]"


Node = Word | Phrase | Part | Near | Not | And | Or | Some


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    at: int


def parse(query: str) -> Node:
    """Read a query. Raises UsageError that shows the place and says what to do."""
    reader = _Reader(query, _tokens(query))
    tree = reader.loose("", 0)
    if reader.token.kind == "close":
        raise reader.problem("nothing is open that this could close", "Take it out, or open it before.")
    if not _finds(tree):
        raise reader.problem("this says only what must not be there", "Add a word that must.", 0)
    return tree


def _tokens(query: str) -> list[_Token]:
    tokens, place = [], 0
    while place < len(query) and (match := _TOKEN.match(query, place)):
        kind = next(name for name in ("open", "close", "quote", "sign", "field", "word") if match[name] is not None)
        at = match.start(kind)
        if kind == "quote":
            if not match["end"]:
                raise error(query, at, "the quotation is not closed", 'Add a second ".')
            tokens.append(_Token("quote", match["quoted"], at))
        elif kind == "word" and (match[kind] in {"AND", "OR", "NOT"} or _NEAR.fullmatch(match[kind])):
            tokens.append(_Token("NEAR" if match[kind].startswith("NEAR") else match[kind], match[kind], at))
        else:
            tokens.append(_Token(kind, match[kind], at))
        place = match.end()
    return [*tokens, _Token("end", "", len(query.rstrip()))]


def error(query: str, at: int, what: str, remedy: str) -> UsageError:
    """Show the place of a mistake in a query under the line itself."""
    line = "".join(" " if letter.isspace() else letter for letter in query)
    return UsageError(
        f"the query cannot be read: {what}, at letter {at + 1}.\n    {line}\n    {' ' * at}^\n", remedy=remedy
    )


class _Reader:
    """Reads tokens by descent, the loosest binding first."""

    def __init__(self, query: str, tokens: list[_Token]) -> None:
        self._query = query
        self._tokens = tokens
        self._place = 0

    @property
    def token(self) -> _Token:
        """The next token."""
        return self._tokens[self._place]

    def problem(self, what: str, remedy: str, at: int | None = None) -> UsageError:
        """A mistake at the next token, or at a place."""
        return error(self._query, self.token.at if at is None else at, what, remedy)

    def loose(self, field: str, depth: int) -> Node:
        """Parts side by side, each with or without a sign."""
        must, may, never = list[Node](), list[Node](), list[Node]()
        if depth > _MOST_NESTED:
            raise self.problem("this is nested too deeply", f"Use at most {_MOST_NESTED} levels of brackets.")
        while self.token.kind not in {"end", "close"}:
            sign = self._take().text if self.token.kind == "sign" else ""
            part = self._either(field, depth)
            if isinstance(part, Not) and not sign:
                never.append(part.part)
            else:
                {"+": must, "-": never, "": may}[sign].append(part)
        if not (must or may or never):
            raise self.problem("something to look for is missing", "Write a word here.")
        if len(may) == 1 and not must and not never:
            return may[0]
        return Some(tuple(must), tuple(may), tuple(never))

    def _either(self, field: str, depth: int) -> Node:
        parts = [self._both(field, depth)]
        while self.token.kind == "OR":
            self._take()
            parts.append(self._both(field, depth))
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def _both(self, field: str, depth: int) -> Node:
        parts = [self._one(field, depth)]
        while self.token.kind == "AND":
            self._take()
            parts.append(self._one(field, depth))
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _one(self, field: str, depth: int) -> Node:
        if self.token.kind in {"NOT", "sign"}:
            return self._signed(field, depth)
        at = self.token.at
        parts = [self._unit(field, depth)]
        apart = []
        while self.token.kind == "NEAR":
            number = _NEAR.fullmatch(self._take().text)
            apart.append(int(number[1]) if number and number[1] else NEAR)
            parts.append(self._unit(field, depth))
        if not apart:
            return parts[0]
        if 0 in apart:
            raise self.problem("words cannot be 0 words apart", "Use NEAR/1 for neighbours.", at)
        near = tuple(
            self._near(one, other, words_, at) for one, other, words_ in zip(parts, parts[1:], apart, strict=False)
        )
        return near[0] if len(near) == 1 else And(near)

    def _signed(self, field: str, depth: int) -> Node:
        token = self._take()
        if depth > _MOST_NESTED:
            raise self.problem("this is nested too deeply", f"Use at most {_MOST_NESTED} levels.")
        part = self._one(field, depth + 1)
        return part if token.text == "+" else Not(part)

    def _near(self, one: Node, other: Node, apart: int, at: int) -> Near:
        for part in (one, other):
            if not isinstance(part, Word) or len(part.words) > 1 or part.distance or part.field not in {"", "text"}:
                raise self.problem(
                    "NEAR stands between two single words of the text",
                    "Write `one NEAR/5 other` with a plain word on each side.",
                    at,
                )
        assert isinstance(one, Word)  # noqa: S101  (just looked at)
        assert isinstance(other, Word)  # noqa: S101
        return Near(one.words[0], other.words[0], apart, "text")

    def _unit(self, field: str, depth: int) -> Node:
        token = self.token
        if token.kind == "open":
            self._take()
            inside = self.loose(field, depth + 1)
            if self.token.kind != "close":
                raise self.problem("a bracket is not closed", "Add `)`.", token.at)
            self._take()
            return inside
        if token.kind == "field":
            return self._in_field(field, depth)
        if token.kind not in {"word", "quote"}:
            what = "the query ends" if token.kind == "end" else f"{token.text!r} stands"
            raise self.problem(f"{what} where a word must be", "Write a word, a phrase or a bracket here.")
        self._take()
        return self._phrase(token, field) if token.kind == "quote" else self._word(token, field)

    def _in_field(self, field: str, depth: int) -> Node:
        token = self._take()
        name = token.text.casefold()
        if name not in FIELDS:
            raise self.problem(
                f"there is no field {token.text!r}",
                f"There are: {', '.join(FIELDS)}. To look for the words themselves, put a blank after the colon.",
                token.at,
            )
        if field:
            raise self.problem("a field stands inside another", "Name one field only.", token.at)
        return self._unit(name, depth)

    def _phrase(self, token: _Token, field: str) -> Node:
        found = tuple(words(token.text))
        if not found:
            raise self.problem("the quotation holds no word", "Write words between the marks.", token.at)
        return Phrase(found, field)

    def _word(self, token: _Token, field: str) -> Node:
        written, _, distance = token.text.partition("~")
        if "*" in written:
            return self._part(token, written, field)
        found = tuple(words(written))
        if not found:
            raise self.problem(f"{token.text!r} holds no letter or digit", "Take it out, or write a word.", token.at)
        if distance and distance not in {"1", "2"}:
            raise self.problem("after ~ stands how many letters may differ", "Write ~1 or ~2.", token.at + len(written))
        return Word(found, field, int(distance or ("~" in token.text)))

    def _part(self, token: _Token, written: str, field: str) -> Node:
        pieces = [words(piece) for piece in written.split("*")]
        if any(len(piece) > 1 for piece in pieces) or sum(len(p[0]) for p in pieces if p) < _LEAST_STEM:
            raise self.problem(
                f"beside * stand at least {_LEAST_STEM} letters of one word",
                "Write more of the word, such as Spinn*.",
                token.at,
            )
        return Part("*".join(piece[0] if piece else "" for piece in pieces), field)

    def _take(self) -> _Token:
        self._place += 1
        return self._tokens[self._place - 1]


def _finds(node: Node) -> bool:
    """Whether a query names something that is to be found, not only what is not."""
    match node:
        case Not():
            return False
        case And(parts):
            return any(_finds(part) for part in parts)
        case Or(parts):
            return all(_finds(part) for part in parts)
        case Some(must, may, _):
            return any(_finds(part) for part in (*must, *may))
        case _:
            return True
