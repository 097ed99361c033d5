# SPDX-License-Identifier: Apache-2.0
"""The command line: python3 -m Runner [--kind KIND]… [WORD]…, in the directory Tests."""

import argparse
import contextlib
import os
import pathlib
import shutil
import signal
import sys

from Runner import jobs, schedule
from Runner.report import Report
from Runner.stutter import Stutter

PROJECT = pathlib.Path(__file__).resolve().parents[2]


def main():
    """Exits with 1 if a test failed, or if a process ended before the results of its tests."""
    parser = argparse.ArgumentParser(prog="make test", description=__doc__)
    parser.add_argument("words", nargs="*", metavar="WORD", help="only tests whose name contains one of these words")
    parser.add_argument(
        "--kind", action="append", choices=jobs.KINDS, help="only these tests; more than one --kind adds up")
    parser.add_argument("--prefix", default="", help="only those of Tests/EndToEnd in files with this prefix")
    parser.add_argument(
        "--stutter", type=float, metavar="SECONDS", help="stop the tests' processes at random, each for so long at most")
    arguments = parser.parse_args()
    build = PROJECT / ".build"
    failures = build / "failures"
    shutil.rmtree(failures, ignore_errors=True)
    report = Report(failures, build / "test-times.json")
    found = jobs.find(PROJECT, arguments.kind or jobs.KINDS, arguments.words, arguments.prefix, report.times)
    if not found:
        sys.exit(f"no test has a name with {' or '.join(arguments.words)}")
    # Each line is written at once, also to a file.
    sys.stdout.reconfigure(line_buffering=True)
    if arguments.stutter:
        # No process stays stopped if this one is ended.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
        os.environ["FLIPCLOCK_STUTTER"] = str(arguments.stutter)
    with Stutter(os.getpid(), arguments.stutter, build) if arguments.stutter else contextlib.nullcontext():
        schedule.run(found, os.cpu_count() or 1, report)
    sys.exit(report.finish(arguments.words))


if __name__ == "__main__":
    main()
