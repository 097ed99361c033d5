# SPDX-License-Identifier: Apache-2.0
"""The jobs of a run, each a process with some tests."""

import dataclasses
import pathlib
import re
import sys
import unittest

# Swift's tests are one process. The others are the directories Tests/EndToEnd and Tests/VM.
KINDS = ("unit", "end to end", "machine")

# The priority of a kind, as for nice(1); a class of tests may have its own, `nice`. End-to-end tests mostly
# wait, and must not wait for an emulated processor, which always has work.
NICE = {"unit": 0, "end to end": 0, "machine": 5}

# The tests of a class are divided among several processes if together they take longer than this, in seconds.
CHUNK = 40
# The assumed time of a test that has never run here, in seconds; a class may have a better one, `usual_seconds`.
UNKNOWN = 4


@dataclasses.dataclass
class Job:
    """A process that runs tests, and what the scheduler needs to know about it."""

    kind: str
    name: str
    command: list
    directory: pathlib.Path
    # Names of tests; those of a Swift job are not known before it runs.
    tests: list
    # How long it took the last time.
    seconds: float
    # Its priority, as for nice(1).
    nice: int


def find(project, kinds, words, prefix, times):
    """Returns the jobs with the tests whose names contain one of the words; all tests if there are none."""
    found = []
    if "unit" in kinds:
        found += unit(project, words, times)
    for kind, directory, group in (("end to end", "EndToEnd", by_class), ("machine", "VM", by_machine)):
        if kind in kinds:
            found += python(project, kind, directory, group, words, prefix, times)
    return found


def unit(project, words, times):
    """The tests in Swift, which are compiled first. `swift test` exits with 0 if no test has such a name."""
    command = ["swift", "test"]
    if words:
        command += ["--filter", "(?i)" + "|".join(map(re.escape, words))]
    return [Job("unit", "unit", command, project, [], times.get("unit", 100), NICE["unit"])]


def python(project, kind, directory, group, words, prefix, times):
    """The tests of a directory, grouped by a function of a test."""
    tests = project / "Tests"
    loader = unittest.TestLoader()
    pattern = f"{prefix or 'test_'}*.py"
    groups, times, nice = {}, dict(times), {}
    for test in flat(loader.discover(str(tests / directory), pattern, str(tests))):
        times.setdefault(test.id(), getattr(test, "usual_seconds", UNKNOWN))
        if not words or any(word.lower() in test.id().lower() for word in words):
            name = group(test)
            groups.setdefault(name, []).append(test.id())
            nice[name] = min(nice.get(name, NICE[kind]), getattr(test, "nice", NICE[kind]))
    if loader.errors:
        sys.exit("\n".join(loader.errors))
    found = []
    for name, names in groups.items():
        for part in chunks(names, times) if kind == "end to end" else [names]:
            command = [sys.executable, "-m", "Runner.worker", *part]
            seconds = sum(times[test] for test in part)
            found.append(Job(kind, name, command, tests, part, seconds, nice[name]))
    return found


def flat(suite):
    """Yields the tests of a suite and its nested suites."""
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        else:
            yield test


def by_class(test):
    """Tests of one class share what its setUpClass prepares."""
    return test.id().rpartition(".")[0]


def by_machine(test):
    """Tests of one machine share its boot."""
    from VM.scenario import machine_of  # pylint: disable=import-outside-toplevel

    return machine_of(test)


def chunks(names, times):
    """Divides the tests of a class into parts that take about CHUNK seconds."""
    part, seconds = [], 0
    for name in sorted(names, key=lambda name: -times[name]):
        if part and seconds + times[name] > CHUNK:
            yield part
            part, seconds = [], 0
        part.append(name)
        seconds += times[name]
    if part:
        yield part


def prepare(found):
    """Creates what several processes would otherwise create at the same time."""
    if any(job.kind == "machine" for job in found):
        from VM import kernel  # pylint: disable=import-outside-toplevel

        kernel.get()
