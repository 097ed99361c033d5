# SPDX-License-Identifier: Apache-2.0
"""Prints the results of the tests, and keeps the output of those that failed."""

import collections
import json
import re
import sys
import threading
import time

OUTCOMES = ("passed", "failed", "skipped")


def file_name(test):
    """Returns the name of a failed test's directory."""
    return re.sub(r"[^\w.-]+", "-", test).strip("-")[:120]


def reason(details):
    """Returns the line that says best why a test failed: that of the last exception, which follows the frames of its
    traceback, else the first line. A test in Swift goes on after a failure, and what follows may be due to it."""
    lines = [line for line in details.rpartition("Traceback (most recent call last):\n")[2].splitlines() if line.strip()]
    return ([line for line in lines if not line.startswith(" ")] + [""])[0][:300]


class Report:
    """Prints a line for each test when it ends, and at the end how many passed, failed and were skipped, and
    why. Its methods may be called from several threads."""

    def __init__(self, failures, times):
        self._failures = failures
        self._times_file = times
        self._lock = threading.Lock()
        self._begin = time.monotonic()
        self._counts = collections.Counter()
        self._seconds = collections.Counter()
        # Processor time by kind and by job, in seconds.
        self._processor = collections.Counter()
        self._jobs = collections.Counter()
        self._skipped = collections.Counter()
        # The directories of the failed tests, and why each failed.
        self._failed = []
        # How long each test took the last time, in seconds.
        try:
            self.times = json.loads(times.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            self.times = {}

    @property
    def failures(self):
        """The directory with a directory for each test that failed."""
        return self._failures

    def add(self, kind, test, outcome, seconds, details="", output=""):
        """Records a test that has ended. `details` says why it failed or was skipped; `output` is what it
        printed."""
        with self._lock:
            self._counts[kind, outcome] += 1
            if outcome != "skipped":
                self.times[test] = round(seconds, 2)
            if outcome == "skipped":
                self._skipped[details.strip()] += 1
            if outcome == "failed":
                path = self._failures / file_name(test)
                path.mkdir(parents=True, exist_ok=True)
                (path / "log").write_text(f"{test}\n\n{details}\n{output}", encoding="utf-8")
                self._failed.append((path, reason(details)))
            if kind != "unit" or outcome == "failed":
                sys.stdout.write(f"{outcome:7} {test} ({seconds:.1f} s)\n")
            for text in (output, details if outcome == "failed" else ""):
                # A failed test's whole output is in its log.
                sys.stdout.write("".join(f"  {line}\n" for line in text.splitlines()[-100:]))

    def has_failed(self, kind):
        """Returns whether a test of this kind has failed."""
        return self._counts[kind, "failed"] > 0

    def add_time(self, kind, job, seconds, processor):
        """Records how long a process with tests ran, and how much processor time it used."""
        with self._lock:
            self._seconds[kind] += seconds
            self._processor[kind] += processor
            self._jobs[job] += processor
            if kind == "unit":
                self.times["unit"] = round(seconds, 2)

    def finish(self, words):
        """Prints the totals; returns the exit status."""
        if not words:
            self._times_file.parent.mkdir(exist_ok=True)
            self._times_file.write_text(json.dumps(self.times, indent=0, sort_keys=True), encoding="utf-8")
        total = collections.Counter()
        print()
        for kind in dict.fromkeys(kind for kind, _ in self._counts):
            counts = {outcome: self._counts[kind, outcome] for outcome in OUTCOMES}
            total.update(counts)
            words = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
            print(f"{kind} tests: {words} ({self._seconds[kind]:.0f} s, of the processors {self._processor[kind]:.0f} s)")
        costly = ", ".join(f"{job} {seconds:.0f} s" for job, seconds in self._jobs.most_common(12))
        print(f"most of the processors' time: {costly}")
        for reason, count in self._skipped.most_common():
            print(f"skipped {count}: {reason}")
        print(f"all in {time.monotonic() - self._begin:.0f} s")
        print(", ".join(f"{total[outcome]} {outcome}" for outcome in OUTCOMES))
        if not sum(total.values()):
            print("no test has such a name")
            return 1
        for path, why in self._failed:
            print(f"failed: {path}/: {why}" if why else f"failed: {path}/")
        return 1 if self._failed else 0
