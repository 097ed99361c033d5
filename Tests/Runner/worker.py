# SPDX-License-Identifier: Apache-2.0
"""Runs the tests that its arguments name, one after another, and writes a line of JSON for each to standard
output.

What the tests print is in their lines. What they leave behind when they fail is in FLIPCLOCK_FAILURES/NAME.
"""

import json
import os
import pathlib
import sys
import time
import traceback
import unittest

from Runner.report import file_name


class Result(unittest.TestResult):
    """Writes the results."""

    def __init__(self, output, log):
        super().__init__()
        self._output = output
        self._log = log
        self._failures = pathlib.Path(os.environ["FLIPCLOCK_FAILURES"])
        self._begin = None
        self._outcome, self._details = "passed", []

    def startTest(self, test):
        super().startTest(test)
        self._begin = time.monotonic()
        self._outcome, self._details = "passed", []

    def stopTest(self, test):
        super().stopTest(test)
        self._write(test)
        self._begin = None

    def _write(self, test):
        sys.stdout.flush()
        sys.stderr.flush()
        record = {
            "test": test.id(), "outcome": self._outcome, "details": "\n".join(self._details), "output": self._log.read(),
            "seconds": time.monotonic() - self._begin if self._begin else 0}
        self._output.write(json.dumps(record) + "\n")
        self._output.flush()

    def _failed(self, test, error):
        self._details.append("".join(traceback.format_exception(*error)))
        is_first, self._outcome = self._outcome != "failed", "failed"
        if self._begin is None:
            # It happened before or after the tests of a class.
            self._write(test)
            self._outcome, self._details = "passed", []
        elif is_first and (keep := getattr(test, "keep_evidence", None)):
            # The test has not cleaned up yet.
            directory = self._failures / file_name(test.id())
            directory.mkdir(parents=True, exist_ok=True)
            try:
                keep(directory)
            except Exception:  # pylint: disable=broad-exception-caught
                self._details.append("while its files were kept:\n" + traceback.format_exc())

    def addError(self, test, err):
        super().addError(test, err)
        self._failed(test, err)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self._failed(test, err)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self._details.append(subtest._subDescription())  # pylint: disable=protected-access
            self._failed(test, err)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        if self._outcome == "passed":
            self._outcome, self._details = "skipped", [reason]
        if self._begin is None:
            # All tests of the class are skipped.
            self._write(test)
            self._outcome, self._details = "passed", []

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self._outcome, self._details = "failed", ["it was expected to fail"]


def main():
    """Exits with 0 if all results were written."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    # Standard error is a file; this reads what was written to it since the last test.
    with open("/proc/self/fd/2", encoding="utf-8", errors="replace") as log:
        log.seek(0, os.SEEK_END)
        unittest.defaultTestLoader.loadTestsFromNames(sys.argv[1:]).run(Result(output, log))
    output.close()


if __name__ == "__main__":
    main()
