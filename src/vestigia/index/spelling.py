"""What text recognition and old spelling make of words in this archive: learnt from itself, shown wherever it is used.

A rare word that differs from a frequent one in one place inside (`minislre`, `ministre`) is as a rule that word,
misread or spelt in an older way. What stood there and what is read there (`t`, `l`; `m`, `rn`) is a confusion; those
that are met often enough are kept with their count. From then on a query's word is looked for in the forms its
confusions give it, as far as these stand in the archive and are much rarer than the word. A difference at either end of
a word teaches nothing, for that is grammar.
"""

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from vestigia.domain.ids import Digest, digest
from vestigia.index.durable import write_text
from vestigia.index.oneplace import one_place_apart

FILE = "spelling.json"
RARER = 10
"""A form must be held by this many times fewer passages than the word to be taken for a misreading of it."""
LEAST_LETTERS = 4
"""Of a shorter word nothing is taken for a misreading."""
_LEARNT_FROM = range(5, 21)
"""Letters of the words that teach."""
_FREQUENT, _MOST_FREQUENT = 5, 10_000
_RARE, _MOST_RARE = 2, 10_000
_KEPT_FROM, _KEPT = 3, 80
_RENEWED = 10
"""They are learnt anew when the archive has changed by one part in so many."""
MUCH = 0.05
"""Where this share of the words is misread, or more, the archive counts as damaged (measured on damaged copies)."""
_WATCHED_LETTERS, _WATCHED, _WATCHED_FROM, _WATCHED_RARER = 6, 2_000, 3, 3
"""The words by which the damage is told: how long, how many, in how many passages, how much rarer their misreadings."""
_LOOK_ALIKE = """m rn, rn m, m in, e c, c e, e o, o e, c o, o c, a o, o a, n u, u n, n ii, u ii, i l, l i, i j, j i,
    u v, v u, h b, b h, s f, f s, t l, l t, t f, f t, t r, r t, r n, d cl"""

Terms = Iterable[tuple[str, int]]
"""Words and the number of passages that hold them."""


@dataclass(frozen=True, slots=True)
class Confusion:
    """`seen` is read where `meant` stands, each of at most two letters; `times` counts the rare words that show it."""

    meant: str
    seen: str
    times: int

    @property
    def distance(self) -> float:
        """How far apart the two are: 1 for the rarest that is kept, less the more often it is met."""
        return 1 / (1 + math.log2(self.times / _KEPT_FROM))


LOOK_ALIKES = tuple(Confusion(meant, seen, _KEPT_FROM) for meant, seen in map(str.split, _LOOK_ALIKE.split(",")))
"""Letters that readers of print confuse everywhere, long s and old u, v, i, j among them: known before anything is
learnt, and kept with what is. A small archive teaches little."""


class Spelling:
    """The confusions of an archive, the most frequent first, learnt when it had so many `passages`.

    `misread` is the share of its longer words' occurrences that is misread as far as look-alikes tell, 0 to 1.
    """

    def __init__(self, confusions: Sequence[Confusion] = (), passages: int = 0, misread: float = 0.0) -> None:
        self.confusions = tuple(confusions)
        self.passages = passages
        self.misread = misread
        self._by_letter = _by_letter(self.confusions)

    @classmethod
    def load(cls, folder: Path) -> "Spelling":
        """Read the confusions of a generation. Raises OSError or ValueError when they are not there or damaged."""
        written = json.loads((folder / FILE).read_text(encoding="utf-8"))
        return cls([Confusion(*one) for one in written["confusions"]], written["passages"], written["misread"])

    def save(self, folder: Path) -> None:
        """Write the confusions into a generation's folder."""
        write_text(folder / FILE, self._written)

    @property
    def fingerprint(self) -> Digest:
        """Digest of the confusions: they decide what is searched beside a word."""
        return digest(self._written)

    def is_due(self, passages: int) -> bool:
        """Whether an archive of so many passages has changed by a tenth or more since these were learnt."""
        return abs(passages - self.passages) * _RENEWED >= self.passages

    @property
    def _written(self) -> str:
        confusions = [[c.meant, c.seen, c.times] for c in self.confusions]
        written = {"passages": self.passages, "misread": self.misread, "confusions": confusions}
        return json.dumps(written, ensure_ascii=False)

    def forms(self, word: str) -> dict[str, float]:
        """Return the forms a folded word becomes by one confusion, and how far each is from it."""
        if len(word) < LEAST_LETTERS:
            return {}
        forms: dict[str, float] = {}
        added = self._by_letter.get("", ())
        for place in range(len(word) + 1):
            before = word[:place]
            for meant, seen, distance in (*self._by_letter.get(word[place : place + 1], ()), *added):
                if len(meant) < 2 or word.startswith(meant, place):
                    form = before + seen + word[place + len(meant) :]
                    if distance < forms.get(form, 2.0):
                        forms[form] = distance
        forms.pop(word, None)
        return forms


def learn(terms: Terms, passages: int) -> Spelling:
    """Learn the confusions of an archive of so many passages from its words and how many hold each."""
    terms = list(terms)
    usable = [(word, held) for word, held in terms if len(word) in _LEARNT_FROM and word.isalpha()]
    frequent = sorted((term for term in usable if term[1] >= _FREQUENT), key=lambda term: (-term[1], term[0]))
    rare = sorted((term for term in usable if term[1] <= _RARE), key=lambda term: _shuffled(term[0]))
    met = Counter(_readings(rare[:_MOST_RARE], frequent[:_MOST_FREQUENT]))
    met.update({(known.meant, known.seen): known.times for known in LOOK_ALIKES})
    kept = sorted((-times, meant, seen) for (meant, seen), times in met.items() if times >= _KEPT_FROM)
    confusions = [Confusion(meant, seen, -times) for times, meant, seen in kept[:_KEPT]]
    return Spelling(confusions, passages, _misread_share(usable, dict(terms)))


def _readings(rare: Sequence[tuple[str, int]], frequent: Sequence[tuple[str, int]]) -> Iterator[tuple[str, str]]:
    """What was meant and what is seen in each rare word that a frequent one explains; of several the most frequent."""
    best: dict[int, tuple[int, str, str]] = {}
    for found in one_place_apart([word for word, _ in rare], [word for word, _ in frequent]):
        often = frequent[found.other][1]
        if often >= RARER * rare[found.word][1] and _is_least(found.theirs, found.mine):
            reading = (-often, found.theirs, found.mine)
            best[found.word] = min(best.get(found.word, reading), reading)
    for _, meant, seen in best.values():
        yield meant, seen


def _misread_share(terms: list[tuple[str, int]], held: dict[str, int]) -> float:
    """Only look-alikes are counted: of what is learnt, much is grammar and old spelling."""
    spelling = Spelling(LOOK_ALIKES)
    watched = [(word, number) for word, number in terms if len(word) >= _WATCHED_LETTERS and number >= _WATCHED_FROM]
    watched = sorted(watched, key=lambda term: (-term[1], term[0]))[:_WATCHED]
    right = sum(number for _, number in watched)
    wrong = sum(
        held[form]
        for word, number in watched
        for form in spelling.forms(word)
        if form in held and held[form] * _WATCHED_RARER <= number
    )
    return round(wrong / (right + wrong), 4) if watched else 0.0


def _is_least(meant: str, seen: str) -> bool:
    """Whether two readings share neither their first nor their last letter: else a shorter difference is there."""
    return meant[:1] != seen[:1] and meant[-1:] != seen[-1:]


def _shuffled(word: str) -> bytes:
    """Bring words into an order that favours none and is always the same."""
    return sha256(word.encode("utf-8", "surrogatepass")).digest()


def _by_letter(confusions: Sequence[Confusion]) -> dict[str, list[tuple[str, str, float]]]:
    """Group confusions by the first letter that was meant; by nothing where a letter was added."""
    grouped = defaultdict(list)
    for confusion in confusions:
        grouped[confusion.meant[:1]].append((confusion.meant, confusion.seen, confusion.distance))
    return dict(grouped)
