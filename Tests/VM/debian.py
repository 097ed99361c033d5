# SPDX-License-Identifier: Apache-2.0
"""The machines with a real systemd: Debian on a disk, with the project installed as in README. Each is booted
once for all tests that name it."""

import re
import time

from VM import image, packages, root
from VM.errors import KernelError, command
from VM.machine import PACE_OF_THE_HOST, Machine, SharedMachines
from VM.snapshot import padded

UNIT = "flipclockd.service"
SOCKET = "flipclockd.socket"

# Booting takes half a minute on an idle host.
BOOT_TIMEOUT = 900

# Units that the tests do not need; each takes seconds on an emulated processor.
MASKED = (
    "apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer", "fstrim.timer",
    "e2scrub_reap.service", "ldconfig.service", "mosquitto.service", "proc-sys-fs-binfmt_misc.automount",
    "serial-getty@ttyAMA0.service", "serial-getty@ttyS0.service", "systemd-firstboot.service",
    "systemd-hwdb-update.service", "systemd-journal-catalog-update.service", "systemd-pstore.service",
    "systemd-update-done.service",
)

# For a machine at the pace of the host, which may be busy: systemd's time limits for services and for calls on D-Bus
# (https://systemd.io/ENVIRONMENT/).
LONG_LIMITS = """
[Service]
TimeoutStartSec=1h
TimeoutStopSec=1h
WatchdogSec=1h
Environment=SYSTEMD_BUS_TIMEOUT=1h
"""


class DebianMachine(Machine):
    """A machine with virtio-gpu, whose module udev loads, and two disks: Debian, and the installation as an
    archive."""

    # Whether the tests have installed the project.
    is_installed = False
    compiler = "gcc"

    def __init__(self):
        super().__init__("virtio_gpu", load=False)

    @property
    def base(self):
        return root.get(self.architecture)

    def _initramfs(self, booted):
        archive = image.base(booted, "init-disk")
        archive.file("guest/usr/local/sbin/agent", (image.HERE / "guest/agent").read_bytes(), 0o755)
        archive.copy(booted.busybox, "guest/usr/local/bin/busybox")
        for tool in ("get-status", "synchronized"):
            archive.file(f"guest/usr/local/bin/{tool}", image.tool(tool, self.compiler).read_bytes(), 0o755)
        archive.copy(image.HERE / "guest/agent.service", "guest/etc/systemd/system/agent.service")
        archive.directory("guest/etc/systemd/system/sysinit.target.wants")
        for unit in MASKED:
            archive.link(f"guest/etc/systemd/system/{unit}", "/dev/null")
        if self.timing is PACE_OF_THE_HOST:
            archive.directory("guest/etc/systemd/system/service.d")
            archive.file("guest/etc/systemd/system/service.d/limits.conf", LONG_LIMITS.encode())
        # Without a machine ID every boot counts as the first one.
        archive.file("guest/etc/machine-id", b"f11bc10cf11bc10cf11bc10cf11bc10c\n")
        path = self.work / "initramfs"
        archive.write(path)
        return path

    def _options(self):
        return [
            "-m", "1024",
            # Every start draws a picture; a small one takes an emulated processor a quarter of the time.
            "-global", "virtio-gpu-device.xres=640", "-global", "virtio-gpu-device.yres=480",
            # What the guest writes to this port is on the host when the write returns.
            "-device", "virtio-serial-pci,id=calls", "-chardev", f"file,id=calls,path={self.calls}",
            "-device", "virtserialport,bus=calls.0,chardev=calls,name=calls",
        ]

    def _programs_disk(self, programs):
        stage = padded(self.installation(programs))
        return ["-drive", f"file={stage},format=raw,if=virtio,index=1,readonly=on"]

    def _booted(self):
        self.settle()

    def _unpack_programs(self):
        """Does nothing, because the tests install the programs."""

    def installation(self, programs):
        """Returns an archive of what the tests install."""
        return installation(self.work, programs)

    @property
    def calls(self):
        """The file on the host with what the guest has written to /dev/virtio-ports/calls."""
        return self.work / "calls"

    boot_timeout = BOOT_TIMEOUT

    def settle(self, timeout=BOOT_TIMEOUT):
        """Waits until systemd has finished starting units; returns the machine's state, such as "running".

        Asks every second. `is-system-running --wait` would block the agent if it missed the end of the boot,
        and would not show which unit the boot waits for.
        """
        deadline = time.monotonic() + timeout
        while True:
            state = self.run("systemctl is-system-running", check=False).text
            if state not in ("", "unknown", "offline", "initializing", "starting"):
                return state
            if time.monotonic() > deadline:
                jobs = self.run("systemctl list-jobs --no-pager", check=False).text
                raise AssertionError(f"the machine was {state or 'unknown'} for {timeout} s\n{jobs}")
            time.sleep(1)

    def unpack(self):
        """Installs the project. The guest has no make, so this unpacks the files that `make install
        DESTDIR=…` created on the host."""
        self.run("tar -xf /dev/vdb -C /", timeout=120)

    def reboot(self):
        """Reboots the machine and waits until systemd is up again."""
        self.run("systemctl --no-block reboot")
        self._agent.wait_until_ready(BOOT_TIMEOUT)
        return self.settle()

    def cut_power(self):
        """Cuts the power without a shutdown, switches it on again, and waits for the agent, which starts
        before the service.

        A reset stops the processors at any instruction and abandons the guest's memory, and with it
        everything that the guest's kernel has not yet written to the disk. Without fsync a file is then
        missing, empty or old. Writes that the kernel has sent to the disk are kept, because QEMU runs on. A
        disk with a volatile cache could also lose those that no flush has followed; that would test only the
        kernel, which flushes the cache at each fsync.
        """
        self.qmp.execute("system_reset")
        self._agent.wait_until_ready(BOOT_TIMEOUT)

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
    for name in (*programs, *packages.REMOTES):
        if not (image.RELEASE / name).exists():
            raise image.MissingBinary(f"{image.RELEASE / name} is missing: run `make build` first")
    stage = work / "stage"
    command("make", "-s", "-C", image.PROJECT, "install", f"DESTDIR={stage}", "PREFIX=/usr")
    return image.archive_of(stage, work / "stage.tar")


def readme_commands():
    """Returns the commands of README's section Install without sudo; the first is `make …`."""
    text = (image.PROJECT / "README.md").read_text(encoding="utf-8")
    section = re.search(r"^## Install$(.*?)^## ", text, re.MULTILINE | re.DOTALL)
    lines = re.findall(r"^    (\S.*)$", section.group(1), re.MULTILINE) if section else []
    if not lines or "make install" not in lines[0]:
        raise KernelError("README's section Install does not start with `make install`")
    return [line.replace("sudo ", "") for line in lines]


_machines = SharedMachines()


def shared(name, machine=DebianMachine):
    """Returns the machine called `name`, which all tests of a run share. A new machine lacks the
    installation."""
    return _machines.get(name, machine)
