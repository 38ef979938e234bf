"""Windows: quotas hold, and one pass gives each window exactly what a search of that window alone gives."""

import math
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.pairs import document
from vestigia.domain.effects import CHARACTERS, DATE, EXACT, WORDS, Found, Lane, Scope, Search
from vestigia.domain.errors import UsageError
from vestigia.domain.evidence import Hit
from vestigia.domain.ids import DocumentId, PassageId, digest
from vestigia.domain.periods import DatePeriod, Precision, day_number, overlaps
from vestigia.index.build import IndexWriter
from vestigia.index.encode import encode
from vestigia.index.snapshot import Snapshot
from vestigia.inquiry.fusion import fuse
from vestigia.inquiry.windows import FUSED, by_count, by_years, fuse_lanes, prices, trimmed
from vestigia.models.encoders.hashing import HashingEncoder

VOCABULARY = ("bridge", "river", "harbour", "mayor", "council", "letter", "ship", "water", "stone")
FIRST, LAST = day_number(1880), day_number(1899, 12, 31)
ENCODER = HashingEncoder(32)
MEANING = "meaning:hashing"
CHANNELS = (WORDS, CHARACTERS, EXACT, MEANING, DATE)
often = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def archive():
    """200 documents of one or two passages by arithmetic: most in the nineties, a sixth undated, some of many years."""
    pairs = []
    for n in range(200):
        texts = [
            " ".join(VOCABULARY[(n * 5 + p * 3 + w * (n % 4 + 1)) % 9] for w in range(3 + n % 5))
            for p in range(n % 2 + 1)
        ]
        first = LAST - int((n * 37 % 200 / 200) ** 3 * (LAST - FIRST))
        width = (0, 0, 0, 364, 2_500)[n % 5]
        period = None if n % 6 == 0 else DatePeriod(first, first + width, Precision.RANGE)
        pairs += document(f"d{n:03}", *texts, sub="Minutes" if n % 3 else "Journal", period=period)
    return pairs


ARCHIVE = archive()
CARDS = {card.id: card for _, card in ARCHIVE}


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("index")
    with IndexWriter(folder) as writer:
        writer.add(ARCHIVE)
        writer.commit(1, digest("catalogue"))
    encode(folder, ENCODER, ARCHIVE)
    return Snapshot.open(folder, [ENCODER])


def days(size=3_000):
    return st.builds(
        lambda first, width: DatePeriod(first, first + width, Precision.RANGE),
        st.integers(FIRST - 400, LAST + 400),
        st.integers(0, size),
    )


windows = st.lists(days(), min_size=1, max_size=6).map(tuple)
scopes = st.builds(
    Scope,
    sub_corpora=st.sampled_from(((), ("Journal",), ("Maps",))),
    without=st.lists(st.sampled_from([passage.id for passage, _ in ARCHIVE]), max_size=20).map(tuple),
)

sub_corpora = st.lists(st.sampled_from(("Journal", "Minutes", "Maps")), min_size=1, max_size=3, unique=True).map(tuple)


def text_of(channel):
    return "er" if channel == EXACT else "river bridge mayor"


@often
@given(st.sampled_from(CHANNELS), windows, scopes, st.integers(1, 12), st.integers(1, 60), days(400))
def test_one_pass_gives_what_a_search_of_each_window_alone_gives(index, channel, asked, scope, quota, limit, period):
    near = period if channel == DATE else None
    search = Search(channel, text_of(channel), scope, limit, near, windows=asked, quota=quota)
    found = index.search(search)
    assert found.hits == index.search(Search(channel, text_of(channel), scope, limit, near)).hits
    assert [lane.window for lane in found.lanes] == list(asked)
    for lane, window in zip(found.lanes, asked, strict=True):
        inside = Scope(scope.sub_corpora, window, without=scope.without)
        assert lane.hits == index.search(Search(channel, text_of(channel), inside, quota, near)).hits
        assert lane.short == quota - len(lane.hits)


@often
@given(st.sampled_from((WORDS, CHARACTERS, EXACT, MEANING)), windows, st.integers(1, 12), days(2_000))
def test_windows_within_a_period_keep_to_both(index, channel, asked, quota, period):
    scope = Scope(period=period)
    found = index.search(Search(channel, text_of(channel), scope, 300, windows=asked, quota=quota))
    for lane, window in zip(found.lanes, asked, strict=True):
        inside = [hit for hit in found.hits if overlaps(CARDS[hit.document].period, window)]
        assert [(hit.passage, hit.score) for hit in lane.hits] == [(hit.passage, hit.score) for hit in inside[:quota]]


@often
@given(st.sampled_from((WORDS, CHARACTERS, EXACT, MEANING)), st.integers(1, 50), scopes)
def test_the_undated_have_a_lane_of_their_own(index, channel, undated, scope):
    whole = DatePeriod(FIRST, LAST, Precision.RANGE)
    found = index.search(Search(channel, text_of(channel), scope, 300, windows=(whole,), quota=5, undated=undated))
    lane = found.lanes[-1]
    expected = [hit for hit in found.hits if CARDS[hit.document].period is None]
    assert lane.window is None
    assert [(hit.passage, hit.score) for hit in lane.hits] == [(h.passage, h.score) for h in expected[:undated]]
    assert lane.short == undated - len(lane.hits)


@often
@given(st.sampled_from(CHANNELS), sub_corpora, scopes, st.integers(1, 12), st.integers(1, 60), days(400))
def test_one_pass_gives_what_a_search_of_each_sub_corpus_alone_gives(index, channel, each, scope, quota, limit, period):
    near = period if channel == DATE else None
    found = index.search(Search(channel, text_of(channel), scope, limit, near, each=each, quota=quota))
    assert found.hits == index.search(Search(channel, text_of(channel), scope, limit, near)).hits
    assert [lane.sub_corpus for lane in found.lanes] == list(each)
    for lane, name in zip(found.lanes, each, strict=True):
        assert lane.hits == (alone(index, channel, scope, quota, near, name).hits if allowed(scope, name) else ())
        assert lane.short == quota - len(lane.hits)


@often
@given(st.sampled_from(CHANNELS), sub_corpora, windows, scopes, st.integers(1, 12), days(400))
def test_one_pass_gives_what_a_search_of_each_window_in_each_sub_corpus_alone_gives(
    index, channel, each, asked, scope, quota, period
):
    near = period if channel == DATE else None
    found = index.search(Search(channel, text_of(channel), scope, 5, near, windows=asked, quota=quota, each=each))
    assert [(lane.sub_corpus, lane.window) for lane in found.lanes] == [(name, one) for name in each for one in asked]
    for lane in found.lanes:
        inside = Scope(scope.sub_corpora, lane.window, without=scope.without)
        expected = alone(index, channel, inside, quota, near, lane.sub_corpus).hits
        assert lane.hits == (expected if allowed(scope, lane.sub_corpus) else ())
        assert lane.short == quota - len(lane.hits)


@often
@given(st.sampled_from((WORDS, CHARACTERS, EXACT, MEANING)), sub_corpora, st.integers(1, 50))
def test_each_sub_corpus_has_a_lane_for_its_undated(index, channel, each, undated):
    whole = DatePeriod(FIRST, LAST, Precision.RANGE)
    search = Search(channel, text_of(channel), Scope(), 300, windows=(whole,), quota=5, undated=undated, each=each)
    found = index.search(search)
    lanes = {lane.sub_corpus: lane for lane in found.lanes if lane.window is None}
    assert list(lanes) == list(each)
    for name, lane in lanes.items():
        expected = [h for h in found.hits if CARDS[h.document].period is None and CARDS[h.document].sub_corpus == name]
        assert [(hit.passage, hit.score) for hit in lane.hits] == [(h.passage, h.score) for h in expected[:undated]]


def alone(index, channel, scope, quota, near, name):
    """A search of one sub-corpus and nothing else."""
    inside = Scope((name,), scope.period, without=scope.without)
    return index.search(Search(channel, text_of(channel), inside, quota, near))


def allowed(scope, name):
    return not scope.sub_corpora or name in scope.sub_corpora


def test_a_quota_of_nothing_is_refused(index):
    with pytest.raises(UsageError, match="is none"):
        index.search(Search(WORDS, "river", Scope(), 5, windows=(DatePeriod(0, 1, Precision.RANGE),)))
    with pytest.raises(UsageError, match="is none"):
        index.search(Search(WORDS, "river", Scope(), 5, each=("Minutes",)))


def test_every_window_is_heard_where_a_plain_list_holds_one_decade(index):
    decades = by_years(DatePeriod(FIRST, LAST, Precision.RANGE), 10)
    plain = index.search(Search(WORDS, "river bridge mayor", Scope(), 20)).hits
    lanes = index.search(Search(WORDS, "river bridge mayor", Scope(), 20, windows=decades, quota=10)).lanes
    assert [len(lane.hits) for lane in lanes] == [10, 10]
    eighties = [hit for hit in plain if CARDS[hit.document].period and overlaps(CARDS[hit.document].period, decades[0])]
    assert len(eighties) < 10


hits = st.lists(st.sampled_from([f"d{n}" for n in range(12)]), unique=True, max_size=8).map(
    lambda names: tuple(
        Hit(PassageId(f"{name}#0-1"), DocumentId(name), rank, 1 / rank) for rank, name in enumerate(names, 1)
    )
)
WEIGHTS = {"words": 1.0, "meaning:x": 0.5}
YEARS = (DatePeriod(0, 364, Precision.YEAR), DatePeriod(365, 729, Precision.YEAR), None)


@given(st.lists(st.tuples(hits, hits), min_size=3, max_size=3), st.integers(8, 12))
def test_the_lists_of_a_window_are_fused_like_any_others(lists, quota):
    found = {
        channel: Found(
            lanes=tuple(
                Lane(window, pair[place], quota - len(pair[place])) for window, pair in zip(YEARS, lists, strict=True)
            )
        )
        for place, channel in enumerate(WEIGHTS)
    }
    fused = fuse_lanes(found, WEIGHTS, 60)
    for lane, window, pair in zip(fused, YEARS, lists, strict=True):
        assert lane.window == window
        assert lane.candidates == fuse(dict(zip(WEIGHTS, pair, strict=True)), WEIGHTS, 60, quota)
        assert lane.short == quota - len(lane.candidates) >= 0


@given(
    st.lists(st.tuples(hits, hits), min_size=len(YEARS), max_size=len(YEARS)),
    st.integers(8, 12),
    st.integers(0, 8),
    st.dictionaries(st.sampled_from([f"d{n}" for n in range(12)]), st.sampled_from("xyz")),
)
def test_b4_in_a_window_what_says_the_same_takes_one_place_and_the_next_fill_the_quota(lists, asked, spare, clusters):
    found = {
        channel: Found(
            lanes=tuple(
                Lane(window, pair[place], asked - len(pair[place])) for window, pair in zip(YEARS, lists, strict=True)
            )
        )
        for place, channel in enumerate(WEIGHTS)
    }
    for lane, pair in zip(fuse_lanes(found, WEIGHTS, 60, clusters, spare), lists, strict=True):
        expected, said = [], set()
        for candidate in fuse(dict(zip(WEIGHTS, pair, strict=True)), WEIGHTS, 60, 100):
            says = clusters.get(candidate.document, candidate.document)
            if says not in said:
                expected.append(candidate)
            said.add(says)
        assert lane.candidates == tuple(expected[: asked - spare])
        assert lane.short == asked - spare - len(lane.candidates)


@given(hits, st.integers(1, 12), st.integers(0, 6))
def test_more_than_the_quota_is_asked_for_and_trimmed_again(found, quota, spare):
    lane = Lane(YEARS[0], found[: quota + spare], quota + spare - len(found[: quota + spare]))
    (kept,) = trimmed(Found(lanes=(lane,)), spare).lanes
    assert kept == Lane(YEARS[0], found[:quota], max(0, quota - len(found)))


@given(hits, st.lists(hits, min_size=1, max_size=3))
def test_the_price_is_what_came_in_against_what_went_out_of_a_list_of_the_same_length(plain, lists):
    found = {"words": Found(plain, lanes=tuple(Lane(None, one, 0) for one in lists))}
    came = {hit.document for one in lists for hit in one}
    shown = {hit.document for hit in plain[: len(came)]}
    price = prices(found, (), ())[0]
    assert (price.channel, price.surfaced, price.displaced) == ("words", len(came - shown), len(shown - came))
    gone = [hit.score for hit in plain[: len(came)] if hit.document not in came]
    assert price.displaced_mean == (pytest.approx(math.fsum(gone) / len(gone)) if gone else None)
    assert (price.surfaced_mean is None) == (price.surfaced == 0)
    assert prices(found, (), ())[-1].channel == FUSED


def test_channels_of_other_windows_are_not_fused():
    lanes = [(Lane(YEARS[0], (), 5),), (Lane(YEARS[1], (), 5),)]
    with pytest.raises(ValueError, match="same windows"):
        fuse_lanes({name: Found(lanes=one) for name, one in zip(WEIGHTS, lanes, strict=True)}, WEIGHTS, 60)


@given(days(20_000), st.integers(1, 40))
def test_windows_by_years_cover_the_period_without_gap_and_begin_in_january(period, years):
    cut = by_years(period, years)
    assert (cut[0].first, cut[-1].last) == (period.first, period.last)
    for before, after in pairwise(cut):
        assert after.first == before.last + 1
    for window in cut[1:]:
        assert window.first in {day_number(year) for year in range(1878, 1960)}


@given(days(20_000), st.integers(1, 200))
def test_windows_by_count_are_as_many_and_differ_by_at_most_a_day(period, count):
    length = period.last - period.first + 1
    if count > length:
        with pytest.raises(ValueError, match="cannot be cut"):
            by_count(period, count)
        return
    cut = by_count(period, count)
    sizes = [window.last - window.first + 1 for window in cut]
    assert (len(cut), sum(sizes), cut[0].first, cut[-1].last) == (count, length, period.first, period.last)
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize(
    ("cut", "says"),
    [
        (lambda: by_years(DatePeriod(0, 400, Precision.RANGE), 0), "at least 1"),
        (lambda: by_years(DatePeriod(-10_000_000, 400, Precision.RANGE), 5), "without beginning or end"),
        (lambda: by_count(DatePeriod(0, 10_000_000, Precision.RANGE), 5), "without beginning or end"),
        (lambda: by_years(DatePeriod(0, 400_000, Precision.RANGE), 1), "more than 200"),
        (lambda: by_count(DatePeriod(0, 400, Precision.RANGE), 201), "more than 200"),
    ],
)
def test_windows_nobody_can_use_are_refused(cut, says):
    with pytest.raises(ValueError, match=says):
        cut()


@pytest.mark.parametrize(("channel", "text"), [(WORDS, "?!"), (CHARACTERS, "--"), (MEANING, "\u200b")])
def test_a_search_that_finds_nothing_says_so_of_every_window(index, channel, text):
    years = by_years(DatePeriod(FIRST, LAST, Precision.RANGE), 5)
    found = index.search(Search(channel, text, Scope(sub_corpora=("Maps",)), 5, windows=years, quota=3, undated=2))
    assert [(lane.window, lane.hits, lane.short) for lane in found.lanes] == [
        *((year, (), 3) for year in years),
        (None, (), 2),
    ]
