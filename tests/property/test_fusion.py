"""Properties of fusion: what must hold for any lists, weights and limits (T2)."""

from hypothesis import given
from hypothesis import strategies as st

from vestigia.domain.evidence import Candidate, Hit
from vestigia.domain.ids import DocumentId, PassageId
from vestigia.domain.question import Term
from vestigia.inquiry.fusion import channel_weights, fuse

CHANNELS = ("characters", "date", "meaning:e5", "meaning:universal", "words")
K = 60

documents = st.sampled_from([DocumentId(f"d{i}") for i in range(12)])
weights = st.fixed_dictionaries({channel: st.sampled_from([0.0, 0.1, 0.5, 1.0, 2.0]) for channel in CHANNELS})


@st.composite
def hit_lists(draw: st.DrawFn) -> list[Hit]:
    """A channel's list as the index gives it: a document once, ranks from 1."""
    found = draw(st.lists(documents, unique=True, max_size=12))
    return [Hit(PassageId(f"{d}#{rank}-99"), d, rank, 1.0 / rank) for rank, d in enumerate(found, 1)]


lists = st.dictionaries(st.sampled_from(CHANNELS), hit_lists())


def by_hand(found: dict[str, list[Hit]], weight: dict[str, float], document: DocumentId) -> float:
    return sum(
        weight[channel] / (K + hit.rank)
        for channel in sorted(found)
        for hit in found[channel]
        if hit.document == document
    )


@given(lists, weights)
def test_t2_each_document_once_best_first_with_the_sum_of_its_shares(found, weight):
    fused = fuse(found, weight, K, 100)
    assert len({c.document for c in fused}) == len(fused)
    assert [c.score for c in fused] == sorted((c.score for c in fused), reverse=True)
    for candidate in fused:
        assert abs(candidate.score - by_hand(found, weight, candidate.document)) < 1e-12


@given(lists, weights)
def test_t2_nothing_a_weighted_channel_found_is_lost_and_nothing_is_added(found, weight):
    expected = {hit.document for channel, hits in found.items() if weight[channel] > 0 for hit in hits}
    assert {c.document for c in fuse(found, weight, K, 100)} == expected


@given(lists, weights)
def test_standings_are_the_channels_lists_turned_over(found, weight):
    for candidate in fuse(found, weight, K, 100):
        expected = [
            (channel, hit.rank, hit.score)
            for channel in sorted(found)
            for hit in found[channel]
            if hit.document == candidate.document
        ]
        assert [(s.channel, s.rank, s.score) for s in candidate.standings] == expected


@given(lists, weights)
def test_the_passage_was_found_by_a_channel_that_counts(found, weight):
    for candidate in fuse(found, weight, K, 100):
        counting = {
            hit.passage
            for channel, hits in found.items()
            if weight[channel] > 0
            for hit in hits
            if hit.document == candidate.document
        }
        assert candidate.passage in counting


@given(lists, weights, st.integers(0, 15))
def test_a_lower_limit_gives_the_beginning_of_the_same_list(found, weight, limit):
    assert fuse(found, weight, K, limit) == fuse(found, weight, K, 100)[:limit]


@given(lists, weights, st.randoms(use_true_random=False))
def test_the_order_in_which_channels_and_hits_are_given_does_not_matter(found, weight, random):
    names = list(found)
    random.shuffle(names)
    shuffled = {name: random.sample(found[name], len(found[name])) for name in names}
    assert fuse(shuffled, weight, K, 100) == fuse(found, weight, K, 100)


@given(hit_lists(), st.sampled_from([0.1, 1.0, 2.0]), st.integers(0, 100))
def test_one_channel_alone_keeps_its_order(hits, weight, k):
    assert [c.document for c in fuse({"words": hits}, {"words": weight}, k, 100)] == [h.document for h in hits]


@given(lists, weights)
def test_one_more_hit_never_lowers_a_documents_score(found, weight):
    found = {**found, "words": []}
    before = {c.document: c.score for c in fuse(found, weight, K, 100)}
    for document, score in before.items():
        more = {**found, "words": [Hit(PassageId(f"{document}#0-1"), document, 1, 1.0)]}
        after: dict[DocumentId, Candidate] = {c.document: c for c in fuse(more, weight, K, 100)}
        assert after[document].score >= score


@given(st.text(max_size=60), st.integers(0, 60), lists)
def test_the_measured_rule_knows_any_text_and_keeps_words_whole(text, number, found):
    terms = [Term(f"w{i}", 1, 1.0) for i in range(number)]
    measured = channel_weights("measured", text, terms, found)
    assert set(measured) == set(found)
    assert all(0.05 <= weight <= 1 for weight in measured.values())
    assert all(measured[channel] == 1 for channel in ("words", "characters") if channel in found)
    assert all(weight <= 0.3 for channel, weight in measured.items() if channel.startswith("meaning:"))
    assert fuse(found, measured, K, 20) == fuse(found, measured, K, 100)[:20]
