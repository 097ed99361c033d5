# SPDX-License-Identifier: Apache-2.0
"""Runs jobs at the same time, as many as the processors allow."""

import json
import math
import os
import pathlib
import subprocess
import tempfile
import threading
import time
import xml.etree.ElementTree

from Runner import jobs

# How many jobs of a kind run at a time for each processor.
LIMITS = {"unit": 1, "end to end": 2, "machine": 1.5}

# Where files are in memory, and how many bytes must be free there to use it.
MEMORY = "/dev/shm"
ENOUGH = 2 << 30


def run(found, processors, report):
    """Runs jobs, of each kind the longest first."""
    jobs.prepare(found)
    waiting = {kind: sorted((job for job in found if job.kind == kind), key=lambda job: -job.seconds) for kind in jobs.KINDS}
    threads = []
    for kind, pending in waiting.items():
        pending = iter(pending)
        lock = threading.Lock()
        count = 1 if kind == "unit" else math.ceil(LIMITS[kind] * processors)
        for _ in range(count):
            # Not awaited by a Runner that is interrupted: they would begin the next jobs.
            threads.append(threading.Thread(target=work, args=(pending, lock, report), daemon=True))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def work(pending, lock, report):
    """Runs jobs until there are no more."""
    while True:
        with lock:
            job = next(pending, None)
        if job is None:
            return
        begin = time.monotonic()
        processor = (run_swift if job.kind == "unit" else run_python)(job, report)
        report.add_time(job.kind, job.name, time.monotonic() - begin, processor)


def start(job, errors, **options):
    """Starts a job's process."""
    return subprocess.Popen(
        ["nice", "-n", str(job.nice), *job.command], cwd=job.directory, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=errors, encoding="utf-8", errors="replace", **options)


def end(process):
    """Waits for a process; returns how much processor time it and the processes for which it has waited have
    used, in seconds."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def in_memory():
    """Returns a directory whose files are in memory; None if there is none. On a disk that other programs
    keep busy, a save that normally takes milliseconds may take half a minute, and the programs' time limits
    are shorter."""
    try:
        system = os.statvfs(MEMORY)
    except OSError:
        return None
    is_usable = os.access(MEMORY, os.W_OK) and not system.f_flag & os.ST_NOEXEC
    return MEMORY if is_usable and system.f_bavail * system.f_frsize >= ENOUGH else None


def run_python(job, report):
    """Runs a worker, whose lines are results. A test without a result has failed, unless its class was
    skipped. Returns the processor time in seconds."""
    missing, skipped = dict.fromkeys(job.tests), {}
    with tempfile.NamedTemporaryFile("w+", encoding="utf-8", errors="replace", prefix="flipclock-tests-") as errors:
        environment = {**os.environ, "FLIPCLOCK_FAILURES": str(report.failures)}
        if job.kind == "end to end" and (directory := in_memory()):
            environment.setdefault("TMPDIR", directory)
        with start(job, errors, env=environment) as process:
            for line in process.stdout:
                record = json.loads(line)
                if record["test"] not in missing and record["outcome"] == "skipped":
                    # "setUpClass (EndToEnd.test_web.LoadTests)"
                    skipped[record["test"].partition("(")[2].rstrip(")")] = record["details"]
                    continue
                missing.pop(record["test"], None)
                report.add(job.kind, **record)
            processor = end(process)
        errors.seek(0)
        output = errors.read()
    for test in missing:
        if reason := skipped.get(test.rpartition(".")[0]):
            report.add(job.kind, test, "skipped", 0, reason)
        else:
            details = f"it did not run: its process ended with {process.returncode}"
            report.add(job.kind, test, "failed", 0, details, output[-8000:])
    return processor


def run_swift(job, report):
    """Runs `swift test`, and reads its results from the file that it writes: its output is mixed with the
    tests' own. Returns the processor time in seconds."""
    with tempfile.TemporaryDirectory(prefix="flipclock-tests-") as directory:
        job.command += ["--xunit-output", f"{directory}/results.xml"]
        with start(job, subprocess.STDOUT) as process:
            output = process.stdout.read()
            processor = end(process)
        # Those of Swift Testing are in a file of their own.
        for path in pathlib.Path(directory).glob("*.xml"):
            for case in xml.etree.ElementTree.parse(path).iter("testcase"):
                outcome, details = "passed", ""
                for child in case:
                    outcome = "skipped" if child.tag == "skipped" else "failed"
                    details += f"{child.get('message') or child.text or 'no reason was given'}\n"
                name, seconds = f"{case.get('classname')}/{case.get('name')}", float(case.get("time") or 0)
                report.add(job.kind, name, outcome, seconds, details, output if outcome == "failed" else "")
    if process.returncode != 0 and not report.has_failed(job.kind):
        report.add(job.kind, "swift test", "failed", 0, f"it ended with {process.returncode}", output)
    return processor
