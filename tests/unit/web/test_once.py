"""A form that begins something and is sent twice begins one thing, whoever is impatient."""

import threading

import pytest
from starlette.responses import RedirectResponse, Response

from fakes.sites import visiting
from vestigia.web.once import LASTS, Once

ASK = "/archives/letters/ask"
QUESTION = {"q": "Wer beschließt den Bau der neuen Brücke?"}


class Begins:
    """What begins a thing each time it is called, and says where it lies."""

    def __init__(self, status=303):
        self.status, self.times = status, 0

    def __call__(self):
        self.times += 1
        return RedirectResponse(f"/things/{self.times}", 303) if self.status == 303 else Response("no", self.status)


@pytest.fixture
def clock():
    return [100.0]


@pytest.fixture
def once(clock):
    return Once(lambda: clock[0])


def test_the_same_form_leads_where_it_led_and_another_begins_its_own(once):
    begins = Begins()
    assert [once.answer(form, begins).headers["location"] for form in ("a", "a", "b", "a")] == [
        "/things/1",
        "/things/1",
        "/things/2",
        "/things/1",
    ]
    assert begins.times == 2


def test_who_wants_the_same_once_more_gets_it_a_little_later(once, clock):
    begins = Begins()
    once.answer("a", begins)
    clock[0] += LASTS - 0.01
    assert once.answer("a", begins).headers["location"] == "/things/1"
    clock[0] += 0.02
    assert once.answer("a", begins).headers["location"] == "/things/2"


def test_a_form_that_was_refused_is_tried_anew(once):
    refused, begins = Begins(400), Begins()
    assert once.answer("a", refused).status_code == 400
    with pytest.raises(ZeroDivisionError):
        once.answer("a", lambda: 1 / 0)
    assert once.answer("a", begins).headers["location"] == "/things/1"


@pytest.mark.parametrize(("first", "begun"), [(303, 1), (400, 2)])
def test_the_second_of_two_that_come_at_once_waits_for_the_first(once, first, begun):
    at_work, go, answers = threading.Event(), threading.Event(), []
    slow, begins = Begins(first), Begins()

    def slowly():
        at_work.set()
        assert go.wait(60)
        return slow()

    threads = [threading.Thread(target=lambda: answers.append(once.answer("a", slowly)))]
    threads[0].start()
    assert at_work.wait(60)
    threads.append(threading.Thread(target=lambda: answers.append(once.answer("a", begins))))
    threads[1].start()
    go.set()
    for thread in threads:
        thread.join()
    assert slow.times + begins.times == begun
    assert {answer.headers.get("location") for answer in answers} - {None} == {"/things/1"}


def test_a_button_that_is_clicked_twice_begins_one_run(workspace):
    site, before = visiting({"letters": workspace}), set(workspace.run_names())
    led = [site.submit(ASK, QUESTION, follow_redirects=False).headers["location"] for _ in range(2)]
    assert len(set(led)) == 1
    assert len(set(workspace.run_names()) - before) == 1
    other = site.submit(ASK, {**QUESTION, "calls": "7"}, follow_redirects=False).headers["location"]
    theirs = visiting({"letters": workspace}).submit(ASK, QUESTION, follow_redirects=False).headers["location"]
    assert len({*led, other, theirs}) == 3
    assert len(set(workspace.run_names()) - before) == 3
