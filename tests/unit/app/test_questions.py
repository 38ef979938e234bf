"""What cannot be asked is refused with what can."""

from dataclasses import replace

import pytest

from fakes.corpus import MemoryCorpus, a_day, a_document
from vestigia.app.questions import LONGEST, checked
from vestigia.domain.errors import UsageError
from vestigia.domain.periods import DatePeriod, Precision, day_number
from vestigia.domain.question import Question


class Dated(MemoryCorpus):
    """Its sub-corpora say from when to when they are dated, as a catalogue's do."""

    def sub_corpora(self):
        extent = DatePeriod(day_number(1887), day_number(1889, 12, 31), Precision.RANGE)
        return tuple(replace(s, period=extent) if s.name == "Zeitung" else s for s in super().sub_corpora())


CORPUS = Dated([a_document("a", "Text", "Zeitung", a_day(1887, 1, 1)), a_document("b", "Text", "Briefe")])


def year(number):
    return DatePeriod(day_number(number), day_number(number, 12, 31), Precision.YEAR)


def test_a_good_question_comes_back_with_its_languages_as_codes():
    question = Question("Wer war da?", ("Zeitung",), year(1888), ("German",))
    assert checked(question, CORPUS) == Question("Wer war da?", ("Zeitung",), year(1888), ("de",))


@pytest.mark.parametrize(
    ("question", "what"),
    [
        (Question("  "), "is empty"),
        (Question("???!!…"), "holds no word"),
        (Question("pont \ud800"), "broken characters"),
        (Question("a" * (LONGEST + 1)), f"at most {LONGEST} are read"),
        (Question("Wer?", ("Zeitungen",)), "no sub-corpus 'Zeitungen'"),
        (Question("Wer?", languages=("klingon",)), "in the language 'klingon'"),
        (Question("Wer?", period=year(1700)), "no document is dated in 1700"),
        (Question("Wer?", ("Briefe",), year(1888)), "no document is dated in 1888"),
    ],
)
def test_what_cannot_be_asked_is_refused(question, what):
    with pytest.raises(UsageError, match=what) as refused:
        checked(question, CORPUS)
    assert refused.value.remedy


def test_a_refusal_names_what_there_is():
    with pytest.raises(UsageError, match="There are: Briefe; Zeitung"):
        checked(Question("Wer?", ("x",)), CORPUS)
    with pytest.raises(UsageError, match="Zeitung: 1887-01-01/1889-12-31"):
        checked(Question("Wer?", period=year(1700)), CORPUS)
