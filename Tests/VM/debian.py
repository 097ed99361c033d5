# SPDX-License-Identifier: Apache-2.0
"""The machine with a real systemd: Debian on a disk, with the project installed as in README, booted once for
all tests."""

import atexit
import re
import shutil

from VM import image, root
from VM.errors import KernelError, command
from VM.machine import Machine

UNIT = "flipclockd.service"
SOCKET = "flipclockd.socket"

# Booting takes half a minute on an idle host.
BOOT_TIMEOUT = 900

# Units that the tests do not need; each takes seconds on an emulated processor.
MASKED = (
    "apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer", "fstrim.timer",
    "e2scrub_reap.service", "ldconfig.service", "proc-sys-fs-binfmt_misc.automount", "serial-getty@ttyS0.service",
    "systemd-firstboot.service", "systemd-hwdb-update.service", "systemd-journal-catalog-update.service",
    "systemd-pstore.service", "systemd-update-done.service",
)


class DebianMachine(Machine):
    """virtio-gpu, whose module udev loads, and two disks: Debian, and the installation as an archive."""

    def __init__(self):
        super().__init__("virtio_gpu", load=False)

    def _boot_from(self, booted, programs):
        archive = image.base(booted, "init-disk")
        archive.file("guest/usr/local/sbin/agent", (image.HERE / "guest/agent").read_bytes(), 0o755)
        archive.copy(shutil.which("busybox"), "guest/usr/local/bin/busybox")
        archive.file("guest/usr/local/bin/get-status", image.tool(self.work, "get-status").read_bytes(), 0o755)
        archive.copy(image.HERE / "guest/agent.service", "guest/etc/systemd/system/agent.service")
        archive.directory("guest/etc/systemd/system/sysinit.target.wants")
        for unit in MASKED:
            archive.link(f"guest/etc/systemd/system/{unit}", "/dev/null")
        # Without a machine ID every boot counts as the first one.
        archive.file("guest/etc/machine-id", b"f11bc10cf11bc10cf11bc10cf11bc10c\n")
        path = self.work / "initramfs"
        archive.write(path)
        stage = installation(self.work, programs)
        return path, [
            "-m", "1024",
            # Every start draws a picture; a small one takes an emulated processor a quarter of the time.
            "-global", "virtio-gpu-device.xres=640", "-global", "virtio-gpu-device.yres=480",
            "-drive", f"file={root.get()},format=raw,if=virtio,snapshot=on",
            "-drive", f"file={stage},format=raw,if=virtio,readonly=on",
        ]

    boot_timeout = BOOT_TIMEOUT

    def settle(self, timeout=BOOT_TIMEOUT):
        """Waits until systemd has finished starting units; returns the machine's state, such as "running"."""
        return self.run("systemctl is-system-running --wait", check=False, timeout=timeout).text

    def unpack(self):
        """Installs the project. The guest has no make, so this unpacks the files that `make install DESTDIR=…` created
        on the host."""
        self.run("tar -xf /dev/vdb -C /", timeout=120)

    def reboot(self):
        """Reboots the machine and waits until systemd is up again."""
        self.run("systemctl --no-block reboot")
        self._agent.wait_until_ready(BOOT_TIMEOUT)
        return self.settle()

    def show(self, property_name, unit=UNIT):
        """Returns one property from `systemctl show`."""
        return self.run(f"systemctl show -P {property_name} {unit}").text

    def ticks(self):
        """Returns the CPU time used by the daemon, in hundredths of a second."""
        pid = self.show("MainPID")
        fields = self.run(f"cat /proc/{pid}/stat").text.rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    def journal(self, arguments="-b"):
        """Returns the journal of the daemon and systemd's messages about it."""
        return self.run(f"journalctl -o cat --no-pager -u {UNIT} -u {SOCKET} {arguments}").text


def installation(work, programs):
    """Runs `make install DESTDIR=…` and returns an archive of its files, owned by root."""
    for name in programs:
        if not (image.RELEASE / name).exists():
            raise image.MissingBinary(f"{image.RELEASE / name} is missing: run `make build` first")
    stage = work / "stage"
    command("make", "-s", "-C", image.PROJECT, "install", f"DESTDIR={stage}", "PREFIX=/usr")
    archive = work / "stage.tar"
    command("tar", "-cf", archive, "--owner=0", "--group=0", "--numeric-owner", "-C", stage, ".")
    shutil.rmtree(stage)
    return archive


def readme_commands():
    """Returns the commands of README's section Install without sudo; the first is `make …`."""
    text = (image.PROJECT / "README.md").read_text(encoding="utf-8")
    section = re.search(r"^## Install$(.*?)^## ", text, re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^    (\S.*)$", section.group(1), re.MULTILINE) if section else []
    if not lines or "make install" not in lines[0]:
        raise KernelError("README's section Install does not start with `make install`")
    return [line.replace("sudo ", "") for line in lines]


_machine = None


def shared():
    """Returns the one machine of the whole run, at first without the installation."""
    global _machine  # pylint: disable=global-statement
    if _machine is None:
        _machine = DebianMachine()
        atexit.register(_machine.close)
    return _machine
