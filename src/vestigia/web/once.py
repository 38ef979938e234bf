"""A form that begins something and is sent twice begins one thing: the second sending is led where the first was.

A browser without a script sends a form for every click on its button and shows only the last answer: the run that was
begun by the click before would go on unseen, and cost. Forms are the same where session, address and every field are.
"""

from collections.abc import Callable
from concurrent.futures import Future
from threading import Lock
from time import monotonic

from starlette.responses import RedirectResponse, Response

LASTS = 10.0
"""Seconds for which the same form leads to the same place; who wants the same once more wants it later."""


class Once:
    """The forms of a site that began something just now. Every method may be called from any thread."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._lock = clock, Lock()
        self._sent: dict[str, tuple[float, Future[str]]] = {}

    def answer(self, form: str, begin: Callable[[], Response]) -> Response:
        """What `begin` answers; where the same form is being answered or was just now, the way to what it began.

        A form that was refused began nothing: it is tried anew.
        """
        while True:
            with self._lock:
                self._forget()
                if form not in self._sent:
                    mine: Future[str] = Future()
                    self._sent[form] = (float("inf"), mine)
                    break
                _, first = self._sent[form]
            if to := first.result():
                return RedirectResponse(to, 303)
        to = ""
        try:
            answered = begin()
            to = answered.headers.get("location", "") if answered.status_code == 303 else ""
            return answered
        finally:
            with self._lock:
                if to:
                    self._sent[form] = (self._clock() + LASTS, mine)
                else:
                    del self._sent[form]
            mine.set_result(to)

    def _forget(self) -> None:
        now = self._clock()
        for form in [one for one, (until, _) in self._sent.items() if until <= now]:
            del self._sent[form]
