"""A plan without a language model: the question itself, put to each sub-corpus that it names or that answers it."""

from vestigia.domain.requests import PlanRequest, ReplanRequest
from vestigia.domain.text import mentions
from vestigia.models.extractive.names import names


def plan(request: PlanRequest) -> dict[str, object]:
    """Fan the question out (T1): the sub-corpora it names, else those holding most of the orientation's candidates."""
    question = request.reading.question.text
    full = [share.sub_corpus for share in request.shares]
    known = [sub_corpus.name for sub_corpus in request.sub_corpora]
    named = [name for name in dict.fromkeys([*full, *known]) if name in known and mentions(question, name)]
    targets = (named or full or known)[: request.max_sub_questions]
    why = "the question names it" if named else "most of what the orientation found lies there"
    if not named and not full:
        why = "the orientation found nothing"
    return {
        "thought": f"No language model was used. The question is put to {_listed(targets)}: {why}.",
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


def _listed(targets: list[str]) -> str:
    return f"{len(targets)} sub-corpora ({'; '.join(targets)})" if len(targets) != 1 else targets[0]
