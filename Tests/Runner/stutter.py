# SPDX-License-Identifier: Apache-2.0
"""Stops the processes of the tests at random moments for a while each, as a busy machine would.

A program does not notice that it was stopped, except by the time: the kernel's freezer (cgroup-v2.rst, "Core
Interface Files") sends no signal. But a stop ends a wait, and is a voluntary context switch: a test that counts wakeups
may fail. Most of these count those of a program at rest, so only a process that has something to do is stopped.
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
# How many of the kernel's ticks a process has run since it was last stopped.
WORK = 1


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
            ran = descendants(self._root)
            found = [process for process, ticks in ran.items()
                     if self._free.get(process, 0) <= now and ticks - self._ran.get(process, 0) >= WORK]
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


def descendants(root):
    """Returns the numbers of all processes below one, and for how many ticks each has run (proc_pid_stat(5))."""
    children, ran = {}, {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                # The name before the state is in parentheses, and may contain any character.
                fields = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] != "Z":
            children.setdefault(int(fields[1]), []).append(int(name))
            ran[int(name)] = int(fields[11]) + int(fields[12])
    found, rest = {}, [root]
    while rest:
        for child in children.get(rest.pop(), []):
            found[child] = ran[child]
            rest.append(child)
    return found
