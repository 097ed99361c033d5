# SPDX-License-Identifier: Apache-2.0
"""Snapshots of machines after their boot, kept in the user's cache. A machine continues from one in a second,
while an emulated processor needs ten seconds to boot or, with systemd, a minute.

A snapshot has no programs of the project, so it remains valid when they change.
"""

import contextlib
import fcntl
import hashlib
import pathlib
import re
import shlex
import shutil
import subprocess
import time

from VM.channel import ChannelError
from VM.errors import command
from VM.kernel import CACHE

DIRECTORY = CACHE / "snapshots"

# Part of a snapshot's key: increment it when snapshots are made differently.
LAYOUT = 1


class Snapshot:
    """A directory of the cache with a machine's memory and, if it can write to a disk, with what it has
    written.

    It belongs to QEMU's arguments, QEMU's version and the initramfs. A new one replaces older ones of the
    same name.
    """

    def __init__(self, name, arguments, initramfs, work):
        # Neither the host's ports nor the directory of this run are part of the machine.
        text = re.sub(r"(tcp:127[.]0[.]0[.]1:)\d+", r"\1", repr(arguments).replace(str(work), ""))
        version = subprocess.run([arguments[0], "--version"], stdout=subprocess.PIPE, text=True, check=True).stdout
        key = hashlib.sha256(repr((LAYOUT, version, text)).encode())
        key.update(initramfs.read_bytes())
        self.name = re.sub(r"\W+", "-", name)
        self.directory = DIRECTORY / f"{self.name}+{key.hexdigest()[:16]}"
        self.memory = self.directory / "memory"
        self.disk = self.directory / "disk.qcow2"

    @contextlib.contextmanager
    def lock(self):
        """Locks the snapshots of this name: one process makes one, and others wait for it."""
        DIRECTORY.mkdir(parents=True, exist_ok=True)
        with open(DIRECTORY / f"{self.name}.lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def exists(self):
        """Returns whether a machine can continue from it."""
        return self.memory.exists()

    @property
    def options(self):
        """QEMU's options to continue from it."""
        return ["-incoming", f"exec:cat {shlex.quote(str(self.memory))}"]

    def save(self, qmp, disk=None):
        """Saves a machine, which then continues. `disk` is the file with what it has written."""
        for old in DIRECTORY.glob(f"{self.name}+*"):
            shutil.rmtree(old, ignore_errors=True)
        self.directory.mkdir(parents=True)
        unfinished = self.directory / "unfinished"
        qmp.execute("migrate-set-parameters", **{"max-bandwidth": 1 << 40})
        qmp.execute("migrate", uri=f"exec:cat >{shlex.quote(str(unfinished))}")
        status = wait_for_migration(qmp)
        if status != "completed":
            shutil.rmtree(self.directory)
            raise ChannelError(f"the machine's memory could not be saved in {self.directory}: {status}")
        # The machine does not run now, so the disk belongs to the memory.
        if disk:
            shutil.copy(disk, self.disk)
        unfinished.rename(self.memory)
        qmp.execute("cont")

    def discard(self):
        """Removes it, so that the next machine boots."""
        shutil.rmtree(self.directory, ignore_errors=True)


def wait_for_migration(qmp):
    """Waits until QEMU has saved a machine; returns "completed" or another final status."""
    while True:
        status = qmp.execute("query-migrate").get("status")
        if status in ("completed", "failed", "cancelled"):
            return status
        time.sleep(0.05)


def overlay(image, path):
    """Creates a file for what a machine writes to a disk image, and returns its path."""
    command("qemu-img", "create", "-q", "-f", "qcow2", "-b", image, "-F", "raw", path)
    return path


def padded(archive, size=256 << 20):
    """Enlarges a tar archive for a machine's disk, without using space: the size is the same for all
    programs."""
    path = pathlib.Path(archive)
    if path.stat().st_size > size:
        raise ValueError(f"{path} has more than {size} bytes")
    with open(path, "r+b") as file:
        file.truncate(size)
    return path
