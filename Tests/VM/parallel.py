# SPDX-License-Identifier: Apache-2.0
"""Runs the tests on the test machine, with several machines at a time.

    python3 Tests/VM/parallel.py [-k WORD …]

Tests that share a machine run one after the other in the same process, so that the machine boots only once.
FLIPCLOCK_VM_JOBS processes run in parallel (default: the number of processors). The output of each is printed
when it ends. If a machine does not answer within a minute, its tests are run again at the end, when no other machine
uses the processors; if it does not answer then, they have failed. The output of the first run has the reason: the tasks
that are blocked in the guest (Machine.list_tasks).
"""

import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import time
import unittest

TESTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))

from VM import kernel  # noqa: E402 (the path comes first)
from VM.channel import NO_ANSWER  # noqa: E402
from VM.scenario import machine_of  # noqa: E402

# The longest first, so that the last process does not run alone. The others follow in any order.
LONGEST = ("systemd", "systemd faults", "vkms on virtual time", "virtio_gpu", "vkms", "simpledrm", "cirrus")

# The end of a test in unittest's verbose output.
_RESULT = re.compile(r"(?:^|\.\.\. )(?:ok|FAIL|ERROR|skipped .*)$")
_RAN = re.compile(r"^Ran (\d+) tests? in", re.MULTILINE)
_ENDED = re.compile(r"^(?:OK|FAILED)(?: \((.*)\))?$", re.MULTILINE)


def tests_of(suite):
    """Yields the tests of a suite and its nested suites."""
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from tests_of(test)
        else:
            yield test


def groups(words):
    """Returns the names of the tests grouped by their machine, the longest group first."""
    loader = unittest.TestLoader()
    loader.testNamePatterns = [f"*{word}*" for word in words] or None
    found = {}
    for test in tests_of(loader.discover(str(TESTS / "VM"), top_level_dir=str(TESTS))):
        found.setdefault(machine_of(test), []).append(test.id())
    if loader.errors:
        sys.exit("\n".join(loader.errors))
    order = {name: place for place, name in enumerate(LONGEST)}
    return sorted(found.items(), key=lambda group: order.get(group[0], len(order)))


def run(group):
    """Runs the tests of one machine; returns (exit status, output, seconds). Adds each test's duration to its
    line."""
    _, names = group
    begin = since = time.monotonic()
    lines = []
    with subprocess.Popen(
            [sys.executable, "-m", "unittest", "-v", *names], cwd=TESTS, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        for line in process.stdout:
            lines.append(line.decode(errors="replace"))
            if _RESULT.search(lines[-1]):
                now = time.monotonic()
                lines[-1] = f"{lines[-1].rstrip()} ({now - since:.1f} s)\n"
                since = now
    return process.returncode, "".join(lines), time.monotonic() - begin


def show(group, result):
    """Prints the result of `run`."""
    _, output, seconds = result
    print(f"=== {group[0]}: {seconds:.0f} s\n{output}", flush=True)


class Results:
    """Counts of the tests that were run."""

    def __init__(self):
        self.ran = self.failed = self.skipped = 0
        # Whether all tests passed, and all processes reported the result of their tests.
        self.is_sound = True

    def add(self, result):
        status, output, _ = result
        tests, ends = _RAN.findall(output), _ENDED.findall(output)
        self.is_sound = self.is_sound and status == 0 and bool(tests) and bool(ends)
        self.ran += sum(map(int, tests))
        for kind, number in re.findall(r"(\w+)=(\d+)", ends[-1] if ends else ""):
            if kind == "skipped":
                self.skipped += int(number)
            else:
                self.failed += int(number)

    def __str__(self):
        return f"{self.ran - self.failed - self.skipped} passed, {self.failed} failed, {self.skipped} skipped"


def main():
    """Runs the tests and prints their results. Exits with 1 unless they are sound."""
    parser = argparse.ArgumentParser()
    parser.add_argument("-k", action="append", default=[], metavar="WORD", help="only tests whose name contains WORD")
    wanted = groups(parser.parse_args().k)
    if not wanted:
        sys.exit("no test has such a name")
    # The kernel is prepared here, so that several processes do not do it at the same time.
    kernel.get()
    jobs = int(os.environ.get("FLIPCLOCK_VM_JOBS", 0)) or os.cpu_count() or 1
    results, silent, begin = Results(), [], time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        pending = {pool.submit(run, group): group for group in wanted}
        for future in concurrent.futures.as_completed(pending):
            group, result = pending[future], future.result()
            show(group, result)
            if NO_ANSWER in result[1]:
                silent.append(group)
            else:
                results.add(result)
    for group in silent:
        print(f"{group[0]}: the machine did not answer; its tests are run again")
        result = run(group)
        show(group, result)
        results.add(result)
    print(f"the test machine: {time.monotonic() - begin:.0f} s, {jobs} at a time")
    print(results)
    sys.exit(0 if results.is_sound else 1)


if __name__ == "__main__":
    main()
