"""An order without a language model: reciprocal ranks over the recorded places (T14)."""

from vestigia.domain.requests import Contender, RankRequest
from vestigia.domain.text import mentions

K = 60


def rank(request: RankRequest) -> dict[str, object]:
    """Order a group: by the orientation; where the question names a document's sub-corpus, by its place there too."""
    question = request.reading.question.text
    ordered = sorted(request.group, key=lambda c: (-weight(c, question), -c.passages, c.document))
    return {
        "thought": "No language model was used: the order is that of the recorded places.",
        "order": [contender.document for contender in ordered],
    }


def weight(contender: Contender, question: str) -> float:
    """The sum of 1/(60 + place): over all lists if the question names the sub-corpus, else of the orientation first."""
    orientation, *others = contender.places or (0,)
    inverse = [1 / (K + place) for place in others if place]
    first = 1 / (K + orientation) if orientation else 0.0
    if mentions(question, contender.sub_corpus):
        return first + max(inverse, default=0.0)
    return first or max(inverse, default=0.0) / K
