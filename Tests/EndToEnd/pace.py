# SPDX-License-Identifier: Apache-2.0
"""How promptly programs run on this machine at the moment."""

import os
import threading
import time

# For how long a process may be stopped (`make test STUTTER=2`), in seconds.
STUTTER = float(os.environ.get("FLIPCLOCK_STUTTER", "0"))


class Pace:
    """A context in which a thread wakes up every few milliseconds and records how late it was.

    A test of how long something takes adds `allowance` to its limit. It is a millisecond on a machine at
    rest, so the test is strict there, and on a busy machine it is as long as other programs wait for a
    processor.
    """

    INTERVAL = 0.005

    def __init__(self):
        self._lateness = []
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._measure, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ends.set()
        self._thread.join()

    def _measure(self):
        while not self._ends.is_set():
            begin = time.monotonic()
            time.sleep(self.INTERVAL)
            self._lateness.append(time.monotonic() - begin - self.INTERVAL)

    def allowance(self, turns, share=0.95):
        """Returns how long, in seconds, a program waits for a processor in so many turns. Each turn counts as
        late as the `share` quantile of the turns recorded so far."""
        ordered = sorted(self._lateness)
        late = ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0
        return turns * late + STUTTER
