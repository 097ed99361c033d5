# SPDX-License-Identifier: Apache-2.0
"""Stops the processes of the tests at random moments for a while each, as a busy machine would.

A program does not notice that it was stopped, except by the time: the kernel's freezer (cgroup-v2.rst, "Core
Interface Files") sends no signal. But a stop counts as a voluntary context switch. So only a process that has
something to do is stopped: it has run for a while since the last time.
"""

import os
import pathlib
import random
import threading
import time

HIERARCHIES = ("/sys/fs/cgroup", "/sys/fs/cgroup/unified")
# How many processes are stopped at the same time at most.
COUNT = 3
# How many times longer than it was stopped a process then runs at least.
RUNS = 3
# For how long a process has run since it was last stopped, in nanoseconds.
WORK = 2_000_000


class Stutter:
    """Stops descendants of a process until the end of a `with` statement."""

    def __init__(self, root, longest, directory):
        """`longest` is the longest stop in seconds. The directory gets a file with a line for each stop."""
        hierarchy = next((path for path in map(pathlib.Path, HIERARCHIES) if (path / "cgroup.procs").exists()), None)
        if hierarchy is None:
            raise SystemExit("--stutter needs version 2 of the kernel's control groups")
        self._root, self._longest, self._hierarchy = root, longest, hierarchy
        self._log = open(directory / "stutter.log", "w", encoding="utf-8", buffering=1)
        self._is_over = threading.Event()
        self._lock = threading.Lock()
        # When each process may be stopped again, and for how long it had run when it was last stopped.
        self._free = {}
        self._ran = {}
        self._threads = [threading.Thread(target=self._run, args=(number,)) for number in range(COUNT)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._is_over.set()
        for thread in self._threads:
            thread.join()
        self._log.close()

    def _run(self, number):
        group = self._hierarchy / f"flipclock-{self._root}-{number}"
        group.mkdir()
        while not self._is_over.wait(random.uniform(0, 0.2)):
            seconds = self._longest * random.random() ** 3
            if (process := self._choose(seconds)) is not None:
                self._stop(process, group, seconds)
        group.rmdir()

    def _choose(self, seconds):
        """Returns a process to stop for so long; None if there is none that may be stopped."""
        with self._lock:
            now = time.monotonic()
            found = [process for process in descendants(self._root) if self._free.get(process, 0) <= now]
            ran = {process: run_time(process) for process in found}
            found = [process for process in found if ran[process] - self._ran.get(process, 0) >= WORK]
            if not found:
                return None
            process = random.choice(found)
            self._free[process], self._ran[process] = now + seconds * (1 + RUNS), ran[process]
            return process

    def _stop(self, process, group, seconds):
        """Stops one process. It may end at any moment, and have children as soon as it runs again."""
        try:
            name = pathlib.Path(f"/proc/{process}/comm").read_text(encoding="utf-8").strip()
            # "0::/user.slice"
            line = pathlib.Path(f"/proc/{process}/cgroup").read_text(encoding="utf-8").splitlines()[-1]
            before = self._hierarchy / line.removeprefix("0::/")
            (group / "cgroup.procs").write_text(str(process), encoding="utf-8")
        except OSError:
            return
        self._log.write(f"{time.monotonic():.3f} {process} {name} for {seconds:.3f} s\n")
        (group / "cgroup.freeze").write_text("1", encoding="utf-8")
        self._is_over.wait(seconds)
        (group / "cgroup.freeze").write_text("0", encoding="utf-8")
        while members := (group / "cgroup.procs").read_text(encoding="utf-8").split():
            for member in members:
                try:
                    (before / "cgroup.procs").write_text(member, encoding="utf-8")
                except OSError:
                    time.sleep(0.01)


def run_time(process):
    """Returns for how long a process has run, in nanoseconds (sched-stats.rst); 0 if it has ended."""
    try:
        return int(pathlib.Path(f"/proc/{process}/schedstat").read_text(encoding="ascii").split()[0])
    except (OSError, IndexError):
        return 0


def descendants(root):
    """Returns the numbers of all processes below one."""
    children = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                # The name before the state is in parentheses, and may contain any character.
                state, parent = file.read().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if state != "Z":
            children.setdefault(int(parent), []).append(int(name))
    found, rest = [], [root]
    while rest:
        below = children.get(rest.pop(), [])
        found += below
        rest += below
    return found
