"""A plan without a language model: the question itself, put to each sub-corpus that it names or that answers it."""

import re

from vestigia.domain.requests import PlanRequest, ReplanRequest
from vestigia.domain.text import mentions

_NAME = re.compile(
    r"(?<![.!?»\"] )(?<!^)\b[^\W\d_a-zà-ÿ][\w’'-]+(?:\s+(?:de|von|of|du|d’|d')?\s*[^\W\d_a-zà-ÿ][\w’'-]+)*"
)


def plan(request: PlanRequest) -> dict[str, object]:
    """Fan the question out (T1): the sub-corpora it names, else those holding most of the orientation's candidates."""
    question = request.reading.question.text
    known = [sub_corpus.name for sub_corpus in request.sub_corpora]
    named = [name for name in known if mentions(question, name)]
    fitting = named or [share.sub_corpus for share in request.shares] or known
    targets = fitting[: request.max_sub_questions]
    why = "the question names them" if named else "they hold most of what the orientation found"
    return {
        "thought": f"No language model was used. The question is put to {len(targets)} sub-corpora because {why}.",
        "sub_questions": [
            {"text": question, "sub_corpus": target, "entities": [{"text": name} for name in names(question)]}
            for target in targets
        ],
    }


def replan(request: ReplanRequest) -> dict[str, object]:
    """Leave what remains as it is (T13)."""
    return {
        "thought": "No language model was used. The plan stays as it is.",
        "sub_questions": [
            {
                "text": sub_question.text,
                "sub_corpus": sub_question.sub_corpus,
                "entities": [{"text": entity.text, "added": entity.added} for entity in sub_question.entities],
            }
            for sub_question in request.remaining
        ],
    }


def names(question: str) -> list[str]:
    """Return what looks like a name: capitalised words that do not begin a sentence, as written, once each."""
    return list(dict.fromkeys(match.group().strip() for match in _NAME.finditer(question)))
