# SPDX-License-Identifier: Apache-2.0
"""A booted machine: QEMU without KVM, with the cards of an entry of CARDS, in which commands can be run."""

import atexit
import base64
import contextlib
import pathlib
import shlex
import shutil
import subprocess
import tempfile
import time

from VM import image, kernel, picture
from VM.channel import Agent, ChannelError, QMP
from VM.snapshot import Snapshot, overlay, padded

# For each kind of machine, QEMU's options and the modules that drive its cards. vkms needs no device. Most
# displays are small, because an emulated processor spends most of its time drawing.
CARDS = {
    "virtio_gpu": (["-device", "virtio-gpu-pci,id=gpu,xres=640,yres=480"], "virtio_gpu"),
    # The second head has no display until its connector is forced on.
    "virtio_two_heads": (["-device", "virtio-gpu-pci,id=gpu,max_outputs=2,xres=640,yres=480"], "virtio_gpu"),
    # For three displays of 3840x2160.
    "virtio_three_heads": (
        ["-m", "3072", "-device", "virtio-gpu-pci,id=gpu,max_outputs=3,max_hostmem=2G,xres=640,yres=480"], "virtio_gpu"),
    "virtio_little_memory": (
        ["-m", "320", "-device", "virtio-gpu-pci,id=gpu,xres=1920,yres=1080"], "virtio_gpu"),
    "vkms": ([], "vkms"),
    # Two cards, vkms as card0.
    "vkms_and_virtio_gpu": (["-device", "virtio-gpu-pci,id=gpu,xres=640,yres=480"], "vkms,virtio_gpu"),
    # Three cards for three daemons, vkms as card0.
    "three_cards": (
        ["-device", "virtio-gpu-pci,id=gpu,xres=320,yres=240", "-device", "virtio-gpu-pci,id=gpu2,xres=320,yres=240"],
        "vkms,virtio_gpu"),
    "bochs": (["-device", "bochs-display,vgamem=16M"], "bochs"),
    "cirrus": (["-device", "cirrus-vga"], "cirrus"),
    # A VGA that the firmware has set to 640x480 with 32 bits; bochs is its native driver.
    "simpledrm": (["-device", "VGA,vgamem_mb=16"], "simpledrm"),
}

# QEMU translates a program's code for the address at which it runs. With random addresses it would translate the
# libraries again for each process: a short program then takes four times as long.
FIXED_ADDRESSES = "norandmaps"

# Additional kernel parameters.
PARAMETERS = {"simpledrm": "vga=0x342"}

# QEMU's program and processor for each architecture of Debian, and the kernel's parameters. A kernel that checks the
# timer's interrupts while the host is busy finds none in its short time, and panics.
PROCESSORS = {
    # The library of Debian's Swift needs SSSE3, which QEMU's usual processor does not have.
    "amd64": (["qemu-system-x86_64", "-cpu", "qemu64,+ssse3"], "console=ttyS0 no_timer_check"),
    # The processor of a Raspberry Pi 4.
    "arm64": (["qemu-system-aarch64", "-machine", "virt", "-cpu", "cortex-a72"], "console=ttyAMA0"),
}

# A nanosecond per instruction, about the speed of a Raspberry Pi 3's cores.
VIRTUAL_TIME = ["-smp", "1", "-icount", "shift=0,sleep=off", "-rtc", "clock=vm"]

# While the processor works, a nanosecond passes per instruction; while it waits, time passes as on the host.
# So the guest's programs keep their own time limits, however slow the host is. QEMU also needs a quarter less of the
# host's processor than for two processors by the host's clock. A guest with a program that never waits is slow then:
# its minute has sixty thousand million instructions.
OWN_PACE = ["-smp", "1", "-icount", "shift=0"]
# The same with a quarter of the speed, for tests in which the processor works for a certain time: it is a quarter of
# the work for the host.
SLOW_PACE = ["-smp", "1", "-icount", "shift=2"]
# For machines for which programs on the host wait.
PACE_OF_THE_HOST = ["-smp", "2"]

# Booting takes ten seconds on an idle host. On a busy one the tests of other kinds come first (Runner.schedule).
BOOT_TIMEOUT = 900


class CommandFailed(Exception):
    """A command in the guest ended with an unexpected status."""


class Machine:
    """A context manager: `with Machine("vkms") as machine: machine.run("ls /dev/dri")`."""

    boot_timeout = BOOT_TIMEOUT
    architecture = "amd64"
    # QEMU's options for the processors and their clock.
    timing = OWN_PACE
    # The tests' time limits are multiplied by this factor, because the host may be busy. A machine that does
    # not answer, which is rare, is therefore noticed later.
    patience = 20

    def __init__(
            self, card, load=True, programs=image.PROGRAMS, display=("-display", "none"), virtual_time=False):
        """Boots the machine. `virtual_time` derives the guest's clock from its executed instructions and
        skips its sleep, which gives a processor with a fixed speed, independent of the host's load. The
        guest's time passes only while a command runs."""
        self.card = card
        self.virtual_time = virtual_time
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="flipclock-vm-"))
        self._process = self.qmp = self._agent = None
        # False after a command to which the guest did not answer: its agent runs one command at a time.
        self.is_usable = True
        try:
            self._boot(load, programs, display, virtual_time)
        except BaseException as error:
            diagnosis = self.diagnosis()
            self.close()
            if isinstance(error, ChannelError):
                raise ChannelError(f"the machine did not boot: {error}\n{diagnosis}") from error
            raise

    def _boot(self, load, programs, display, virtual_time):
        booted = kernel.get(self.architecture)
        processor, parameters = PROCESSORS[self.architecture]
        initramfs = self._initramfs(booted)
        devices, module = CARDS[self.card]
        clock = VIRTUAL_TIME if virtual_time else self.timing
        arguments = [
            *processor, "-nodefaults", "-no-user-config", "-accel", "tcg,tb-size=256",
            *self._options(), *clock, "-vga", "none", *devices, *display,
            "-kernel", str(booted.image), "-initrd", str(initramfs),
            "-append", " ".join([
                f"console=tty0 {parameters} quiet panic=-1 vt.global_cursor_default=0 {FIXED_ADDRESSES}",
                PARAMETERS.get(self.card, ""), f"cards={module}" if load else "",
                "virtual_time=1" if virtual_time else ""]),
            "-serial", f"file:{self.work}/console",
            "-qmp", f"unix:{self.work}/qmp,server=on,wait=off",
            "-device", "virtio-serial-pci",
            "-chardev", f"socket,id=agent,path={self.work}/agent,server=on,wait=off",
            "-device", "virtserialport,chardev=agent,name=flipclock",
            "-device", "virtio-keyboard-pci",
        ]
        name = f"{type(self).__name__} {self.card}{' on virtual time' if virtual_time else ''}"
        snapshot = Snapshot(name, [*arguments, str(self.base)], initramfs, self.work)
        programs = self._programs_disk(programs)
        with snapshot.lock():
            if snapshot.exists():
                try:
                    self._start([*arguments, *self._disk(snapshot), *programs, *snapshot.options])
                    self._continue()
                except ChannelError:
                    snapshot.discard()
                    raise
            else:
                self._start([*arguments, *self._disk(None), *programs])
                self._agent.wait_until_ready(self.boot_timeout)
                self._booted()
                snapshot.save(self.qmp, self.base and self.work / "disk.qcow2")
        self._unpack_programs()
        if virtual_time:
            self.qmp.execute("stop")

    def _start(self, arguments):
        """Starts QEMU, and connects to it and to the agent's port."""
        with open(self.work / "qemu", "wb") as log:
            self._process = subprocess.Popen(
                arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        # Connect to the agent first, because what the guest sends before a connection is lost.
        self._agent = Agent(self.work / "agent", self.is_running)
        self.qmp = QMP(self.work / "qmp", self.is_running)

    def _continue(self):
        """Waits until a machine continues from its snapshot, and sets its clock, which stood still."""
        deadline = time.monotonic() + self.boot_timeout
        while self.qmp.execute("query-status")["status"] != "running":
            if time.monotonic() > deadline:
                raise ChannelError("the machine does not continue from its snapshot")
            time.sleep(0.02)
        self._agent.run(f"date -s @{time.time():.0f}", self.boot_timeout)

    def _initramfs(self, booted):
        """Writes the initramfs to boot; returns its path."""
        return image.build(booted, self.work)

    def _options(self):
        """Returns QEMU's options for memory, and for ending at a reboot."""
        return ["-no-reboot", "-m", "512"]

    # The image of the guest's disk, if it has one. It is never written to.
    base = None

    def _disk(self, snapshot):
        """Returns QEMU's options for the guest's disk as it is in a snapshot, or without one as it is in the
        image."""
        if self.base is None:
            return []
        # With `snapshot=on`, what the guest writes is kept elsewhere.
        path, keep = (snapshot.disk, "on") if snapshot else (overlay(self.base, self.work / "disk.qcow2"), "off")
        return ["-drive", f"file={path},format=qcow2,if=virtio,index=0,snapshot={keep}"]

    def _programs_disk(self, programs):
        """Returns QEMU's options for the disk with the project's programs."""
        archive = padded(image.programs(self.work, programs))
        return ["-drive", f"file={archive},format=raw,if=virtio,readonly=on"]

    def _booted(self):
        """Waits for what belongs to the boot besides the agent."""

    def _unpack_programs(self):
        """Makes the project's programs available."""
        # Drops the cached contents of the disk, because tests with little memory need that memory.
        unpacked = self._agent.run("tar -xf /dev/vda -C / && echo 1 >/proc/sys/vm/drop_caches", self.boot_timeout)
        if unpacked.status != 0:
            raise ChannelError(f"the programs could not be unpacked: {unpacked.error_text}")

    def diagnosis(self):
        """Returns the end of QEMU's output and of the guest's console."""
        outputs = []
        for name in ("qemu", "console"):
            path = self.work / name
            if path.exists():
                outputs.append(f"--- {name}\n{path.read_text(errors='replace')[-8000:]}")
        return "\n".join(outputs)

    def list_tasks(self):
        """Has the guest's kernel write to its console which tasks are blocked, what the processors do, and
        all tasks (Documentation/admin-guide/sysrq.rst). The kernel answers although no program does."""
        for key in ("9", "w", "l", "t"):
            with contextlib.suppress(ChannelError, OSError):
                self._send_keys("alt", "sysrq", key)
            time.sleep(0.5)

    def keep(self, target):
        """Keeps what explains a failure in a directory: the guest's console with its tasks, the states of its
        processors and of QEMU's threads, QEMU's output, and the picture of each of QEMU's displays."""
        with contextlib.suppress(ChannelError, OSError):
            if self.virtual_time:
                self.qmp.execute("cont")
            self.list_tasks()
            (target / "processors").write_text("\n".join(self.processors() for _ in range(3)), encoding="utf-8")
            if self.virtual_time:
                self.qmp.execute("stop")
        for name in ("console", "qemu", "calls"):
            if (self.work / name).exists():
                shutil.copy(self.work / name, target)
        # vkms has no display of QEMU's, and a card may have more heads than displays.
        for head in range(3):
            with contextlib.suppress(ChannelError, OSError, ValueError):
                (target / f"display-{head}.png").write_bytes(self.screendump(head).png())

    def processors(self):
        """Returns the registers of the guest's processors, and the states and processor times of QEMU's
        threads (proc_pid_stat(5)). A guest whose kernel does not answer shows there whether it waits or is in
        a loop."""
        threads = sorted(pathlib.Path(f"/proc/{self._process.pid}/task").iterdir())
        states = [f"{(thread / 'stat').read_text()} {(thread / 'wchan').read_text()}" for thread in threads]
        registers = self.qmp.execute("human-monitor-command", **{"command-line": "info registers -a"})
        return "\n".join([*states, registers])

    def is_running(self):
        """Returns whether QEMU is running."""
        return self._process is not None and self._process.poll() is None

    def wait(self):
        """Waits until QEMU ends."""
        self._process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Kills the machine; no shutdown is needed."""
        for channel in (self._agent, self.qmp):
            if channel is not None:
                channel.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self.work, ignore_errors=True)

    def run(self, script, check=True, timeout=60):
        """Runs a shell script in the guest, as root."""
        if not self.is_usable:
            raise ChannelError(f"`{script[:200]}`: the machine did not answer an earlier command")
        try:
            if self.virtual_time:
                self.qmp.execute("cont")
            begin = time.monotonic()
            result = self._agent.run(script, timeout * self.patience)
            if (seconds := time.monotonic() - begin) > timeout:
                print(f"the machine needed {seconds:.0f} s instead of {timeout} s for `{script.strip()[:80]}`")
            if self.virtual_time:
                # The clock of an idle guest would advance by years, and QEMU would use a whole core of the
                # host.
                self.qmp.execute("stop")
        except ChannelError as error:
            self.is_usable = False
            self.list_tasks()
            raise ChannelError(f"`{script[:200]}`: {error}\n{self.diagnosis()}") from error
        if check and result.status != 0:
            raise CommandFailed(f"`{script[:200]}` ended with {result.status}: {result.error_text or result.text}")
        return result

    def push(self, path, contents):
        """Puts a file into the guest by writing a new file and renaming it."""
        if isinstance(contents, str):
            contents = contents.encode()
        name = shlex.quote(path)
        self.run(f"mkdir -p $(dirname {name}) && base64 -d >{name}.new <<'EOF' && mv {name}.new {name}\n"
                 f"{base64.b64encode(contents).decode()}\nEOF\n")

    def pull(self, path):
        """Returns the contents of a file in the guest."""
        return self.run(f"cat {shlex.quote(path)}").output

    def wait_for(self, what, condition, timeout=30):
        """Calls `condition` until it returns a true value, and returns that. On virtual time, `timeout` is
        the machine's.

        The longer it has waited, the longer it pauses, up to a second: a command costs an emulated processor a tenth of
        a second, and what the test waits for would have to wait for the commands.
        """
        begin, waited, pause = time.monotonic(), 0, 0.1
        patience = 1 if self.virtual_time else self.patience
        while True:
            answer = condition()
            if answer:
                return answer
            if waited > timeout * patience:
                raise AssertionError(f"waited {timeout} s for {what}")
            if self.virtual_time:
                self.pause(pause)
                waited += pause
            else:
                time.sleep(pause)
                waited = time.monotonic() - begin
            pause = min(max(waited / 5, 0.1), 1)

    def pause(self, seconds):
        """Waits for a time of the guest's."""
        self.run(f"sleep {seconds}", timeout=seconds + 60)

    def press(self, *keys):
        """Presses keys on the machine's keyboard, all at the same time, by QEMU's names (QKeyCode)."""
        self._send_keys(*keys)
        self.pause(0.1)

    def _send_keys(self, *keys):
        # Not send-key: it has pauses between the keys, by a clock that jumps when a busy host delays QEMU.
        order = [*((True, key) for key in keys), *((False, key) for key in reversed(keys))]
        self.qmp.execute("input-send-event", events=[
            {"type": "key", "data": {"down": down, "key": {"type": "qcode", "data": key}}} for down, key in order])

    def screendump(self, head=0, device=None):
        """Returns the picture on QEMU's display, which is the real scanout. Not for vkms, which has no QEMU
        device. `device` is the id of the card; without it, the first head of the first card is meant."""
        path = self.work / "screen.ppm"
        where = {"device": device, "head": head} if device else {}
        self.qmp.execute("screendump", filename=str(path), **where)
        return picture.from_ppm(path.read_bytes())

    def framebuffer(self, card="/dev/dri/card0"):
        """Returns the picture that the first active CRTC scans out, read from its framebuffer."""
        size, _, pixels = self.run(f"kms dump {card}").output.partition(b"\n")
        width, height, fourcc = size.split()
        return picture.from_scanout(int(width), int(height), fourcc.decode(), pixels)

    def memory(self, address, size):
        """Returns bytes of the machine's physical memory, including its cards' memory."""
        path = self.work / "memory"
        self.qmp.execute("pmemsave", val=address, size=size, filename=str(path))
        return path.read_bytes()

    def crcs(self, seconds=None, count=4, during=""):
        """Returns the CRCs of frames that vkms composes: of `count` frames, or of those in the next
        `seconds`.

        `during` is a script that runs at the same time. On a busy machine vkms needs seconds for a frame, and
        a frame that it began for an earlier call appears in this one. Therefore frames of earlier vertical
        blanks are skipped.
        """
        crc = "/sys/kernel/debug/dri/0/crtc-0/crc"
        enough = "0" if seconds else f"++lines == {count}"
        # Both numbers have a fixed width, so that they compare as texts.
        reader = f"""awk -v start=$start '$1 "" > start "" {{ print $2; fflush(); if ({enough}) exit }}' {crc}/data"""
        script = (f"start=$(kms sequence /dev/dri/card0)\necho auto >{crc}/control\n"
                  f"{f'timeout {seconds} ' if seconds else ''}{reader} >/run/crcs & reader=$!\n"
                  f"{{ :\n{during}\n}} >/dev/null\nwait $reader\ncat /run/crcs")
        return [int(word, 16) for word in self.run(script, check=False, timeout=300).text.split()]

    def console(self):
        """Returns (KD mode, VT mode, active VT), e.g. ("text", "auto", 1)."""
        kd, mode, number = self.run("kms console").text.split()
        return kd, mode, int(number)


class SharedMachines:
    """Machines that the tests of a run share, because booting takes long. All are closed when Python
    exits."""

    def __init__(self):
        self._machines = {}

    def get(self, key, boot):
        """Returns the machine for `key`. Calls `boot` if there is none yet or it no longer answers."""
        machine = self._machines.get(key)
        if machine is not None and not machine.is_usable:
            machine.close()
            machine = None
        if machine is None:
            machine = self._machines[key] = boot()
            atexit.register(machine.close)
        return machine
