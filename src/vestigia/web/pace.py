"""How much one may ask: a bucket for each visitor that a request takes from and time fills again.

It is kept in memory: it guards the processor, and after a restart everybody begins anew.
"""

import math
from collections import OrderedDict
from threading import Lock

_MOST = 10_000
"""Visitors remembered; of whoever was not here for longest the bucket is full anyway."""


class Pace:
    """`burst` requests at once, `rate` a second in the long run, for each visitor."""

    def __init__(self, burst: int, rate: float) -> None:
        self._burst, self._rate = burst, rate
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def wait(self, who: str, now: float) -> int:
        """Take a request at a time in seconds; returns 0, or after how many seconds to come again."""
        with self._lock:
            left, at = self._left.pop(who, (float(self._burst), now))
            left = min(float(self._burst), left + (now - at) * self._rate)
            taken = left >= 1
            self._left[who] = (left - 1 if taken else left, now)
            while len(self._left) > _MOST:
                self._left.popitem(last=False)
        return 0 if taken else max(1, math.ceil((1 - left) / self._rate))
