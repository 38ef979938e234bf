"""Checking what was asked before anything is searched: each refusal says what there is instead."""

from dataclasses import replace
from unicodedata import category, normalize

from vestigia.corpus.languages import language_code
from vestigia.domain.archive import SubCorpus
from vestigia.domain.errors import UsageError
from vestigia.domain.periods import label, overlaps
from vestigia.domain.ports import Corpus
from vestigia.domain.question import Question
from vestigia.domain.text import words

LONGEST = 4000
"""Characters a question may have: a page and a half."""


_JOINERS = "\u200c\u200d "
"""Signs that cannot be seen and are part of names in some scripts, between letters; and the space."""


def checked(question: Question, corpus: Corpus) -> Question:
    """Return the question with its languages as codes.

    Raises UsageError for a question without a word, longer than `LONGEST` characters or of broken characters, for an
    unknown sub-corpus or language, and for a period in which nothing is dated.
    """
    _check_text(question.text)
    known = {sub_corpus.name: sub_corpus for sub_corpus in corpus.sub_corpora()}
    for name in question.sub_corpora:
        if name not in known:
            raise UsageError(f"there is no sub-corpus {name!r}.", remedy=f"There are: {'; '.join(known)}.")
    searched = [known[name] for name in (question.sub_corpora or known)]
    languages = tuple(language_code(language) for language in question.languages)
    spoken = dict.fromkeys(code for sub_corpus in searched for code in sub_corpus.languages)
    for code in languages:
        if code not in spoken:
            raise UsageError(
                f"nothing here is known to be in the language {code!r}.",
                remedy=f"There are: {', '.join(spoken) or 'no stated languages'}.",
            )
    asked = replace(question, languages=languages)
    _check_period(asked, searched)
    return asked


def legible(what: str, text: str) -> None:
    """Raise UsageError for a text with halves of characters, as a terminal of another encoding hands them over."""
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise UsageError(
            f"{what} holds broken characters.",
            remedy="Type it in a terminal that is set to UTF-8, or leave these characters out.",
        )


def signed(name: str) -> str:
    """Return the name of a person as it is recorded: who writes it with other accents or spaces is the same person.

    Raises UsageError for a name with broken characters or such that steer a terminal.
    """
    legible("the name of who decides", name)
    written = " ".join(normalize("NFC", name).split())
    if any(category(sign) == "Cc" for sign in written):
        raise UsageError("the name of who decides holds characters that cannot be seen.", remedy="Write it anew.")
    return "".join(sign for sign in written if category(sign) != "Cf" or sign in _JOINERS).strip(_JOINERS)


def _check_text(text: str) -> None:
    if not text.strip():
        raise UsageError("the question is empty.", remedy="Write what is to be found.")
    legible("the question", text)
    if len(text) > LONGEST:
        raise UsageError(
            f"the question is {len(text)} characters long; at most {LONGEST} are read.",
            remedy="Ask for one thing at a time.",
        )
    if not words(text):
        raise UsageError("the question holds no word.", remedy="Use words, names or a year.")


def _check_period(question: Question, searched: list[SubCorpus]) -> None:
    period = question.period
    if period is None:
        return
    dated = [sub_corpus.period for sub_corpus in searched if sub_corpus.period is not None]
    if any(overlaps(period, extent) for extent in dated):
        return
    extents = "; ".join(f"{s.name}: {label(s.period)}" for s in searched if s.period is not None)
    raise UsageError(
        f"no document is dated in {label(period)}.",
        where="--between",
        remedy=f"The dates here: {extents or 'none at all'}.",
    )
