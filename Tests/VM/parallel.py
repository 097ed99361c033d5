# SPDX-License-Identifier: Apache-2.0
"""Runs the tests on the test machine, with several machines at a time.

    python3 Tests/VM/parallel.py [-k WORD …]

Tests that share a machine run one after the other in the same process, so that the machine boots only once.
FLIPCLOCK_VM_JOBS processes run in parallel (default: the number of processors). The output of each is printed
when it ends.
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


def main():
    """Runs the tests and prints their results. Exits with 1 if a test failed or a process did not report the result
    of its tests."""
    parser = argparse.ArgumentParser()
    parser.add_argument("-k", action="append", default=[], metavar="WORD", help="only tests whose name contains WORD")
    wanted = groups(parser.parse_args().k)
    if not wanted:
        sys.exit("no test has such a name")
    # The kernel is prepared here, so that several processes do not do it at the same time.
    kernel.get()
    jobs = int(os.environ.get("FLIPCLOCK_VM_JOBS", 0)) or os.cpu_count() or 1
    counts = {"failed": 0, "skipped": 0}
    ran, is_sound, begin = 0, True, time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        pending = {pool.submit(run, group): group for group in wanted}
        for future in concurrent.futures.as_completed(pending):
            name = pending[future][0]
            status, output, seconds = future.result()
            print(f"=== {name}: {seconds:.0f} s\n{output}", flush=True)
            tests, ends = _RAN.findall(output), _ENDED.findall(output)
            is_sound = is_sound and status == 0 and bool(tests) and bool(ends)
            ran += sum(map(int, tests))
            for kind, number in re.findall(r"(\w+)=(\d+)", ends[-1] if ends else ""):
                counts["skipped" if kind == "skipped" else "failed"] += int(number)
    failed, skipped = counts["failed"], counts["skipped"]
    print(f"the test machine: {time.monotonic() - begin:.0f} s, {jobs} at a time")
    print(f"{ran - failed - skipped} passed, {failed} failed, {skipped} skipped")
    sys.exit(0 if is_sound else 1)


if __name__ == "__main__":
    main()
