# SPDX-License-Identifier: Apache-2.0
"""The SD card of `make image BOARD=pi` in QEMU's `virt` machine.

QEMU has no Raspberry Pi with a display, so the kernel and the initramfs of the image's boot partition are
started without the Pi's firmware, and the display is a virtio card. The hardware watchdog is not the Pi's.
"""

import base64
import json
import re
import shlex
import socket
import subprocess
import time

from VM import image, picture, root
from VM.channel import QMP, Agent, ChannelError
from VM.errors import command

IMAGE = image.PROJECT / ".build/image/flipclock-pi.img"
PICTURES = image.PROJECT / ".build/vm"
BOOT_TIMEOUT = 900
SECTOR = 512


class Card:
    """A copy of the image that can be changed, and the machine that runs it."""

    def __init__(self, work):
        self.work = work
        self.disk = work / "card.img"
        command("cp", "--sparse=always", IMAGE, self.disk)
        self.partitions = partitions(self.disk)
        self.key = work / "key"
        command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.key)
        for name in ("vmlinuz", "initrd.img"):
            found = re.search(rf"{name}-\S+", self.mtools("mdir", "-b", "::")).group()
            self.mtools("mcopy", f"::{found}", work / name)
        self.arguments = self.mtools("mtype", "::cmdline.txt").strip() + " console=ttyAMA0"
        self._process = self.qmp = None
        self.port = None

    @property
    def public_key(self):
        return self.key.with_suffix(".pub").read_text()

    def mtools(self, tool, *arguments):
        """Runs a tool of mtools on the boot partition."""
        return command(tool, *(("-i", f"{self.disk}@@{self.partitions[0][0]}") + arguments))

    def write_boot(self, name, text):
        """Writes a file to the boot partition, as a user would on a PC."""
        (self.work / name).write_text(text, encoding="utf-8")
        self.mtools("mcopy", "-o", self.work / name, f"::{name}")

    def write_running(self, name, text):
        """Writes a file to the boot partition of the running machine, as a user would over SSH."""
        status, output = self.run(
            f"mount -o remount,rw /boot/firmware && printf %s {shlex.quote(text)} >/boot/firmware/{name} && "
            "mount -o remount,ro /boot/firmware")
        assert status == 0, output

    def start(self):
        """Switches the machine on."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        (self.work / "qmp").unlink(missing_ok=True)
        with open(self.work / "qemu", "wb") as log:
            self._process = subprocess.Popen(
                ["qemu-system-aarch64", "-nodefaults", "-no-user-config", "-machine", "virt", "-cpu", "cortex-a72",
                 "-accel", "tcg,tb-size=256", "-smp", "2", "-m", "1024", "-display", "none",
                 "-kernel", self.work / "vmlinuz", "-initrd", self.work / "initrd.img",
                 "-append", self.arguments,
                 "-device", "virtio-gpu-pci,xres=640,yres=480",
                 "-drive", f"file={self.disk},format=raw,if=virtio,cache=writeback",
                 "-netdev", f"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-:22",
                 "-device", "virtio-net-pci,netdev=net,romfile=", "-device", "i6300esb",
                 "-serial", f"file:{self.work}/console", "-qmp", f"unix:{self.work}/qmp,server=on,wait=off", *self.options()],
                stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        self.qmp = QMP(self.work / "qmp", self.is_running)

    def options(self):
        """Further options of QEMU."""
        return []

    def is_running(self):
        return self._process.poll() is None

    def stop(self):
        """Ends QEMU without a shutdown: a power cut."""
        if self._process is not None:
            self.qmp.close()
            self._process.kill()
            self._process.wait()
            self._process = None

    def ssh(self, *arguments):
        """Returns the command line that runs a script in the machine, or has other arguments of ssh."""
        return ["ssh", "-q", "-i", self.key, "-p", str(self.port), "-o", "StrictHostKeyChecking=no", "-o", "BatchMode=yes",
                "-o", f"UserKnownHostsFile={self.work}/hosts", "-o", "ConnectTimeout=20", "root@127.0.0.1", *arguments]

    def run(self, script, timeout=120):
        """Runs a script in the machine; returns its status and its output."""
        done = subprocess.run(
            self.ssh(script), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=timeout, check=False)
        return done.returncode, done.stdout.strip()

    def wait_for(self, what, script, wanted=lambda text: True, timeout=BOOT_TIMEOUT):
        """Runs a script until it succeeds with the wanted output, and returns the output."""
        deadline = time.monotonic() + timeout
        while True:
            status, text = 255, ""
            try:
                status, text = self.run(script)
            except subprocess.TimeoutExpired:
                pass
            if status == 0 and wanted(text):
                return text
            if time.monotonic() > deadline or not self.is_running():
                console = (self.work / "console").read_text(errors="replace")[-3000:]
                raise AssertionError(f"waited {timeout} s for {what}: {status} {text}\n{console}")
            time.sleep(1)

    def score(self):
        """Returns the home team's score."""
        text = self.wait_for("the score", "flipclockctl --json status", lambda text: '"teams"' in text)
        return json.loads(text)["scoreboard"]["teams"]["home"]["score"]

    def wait_until_up(self):
        """Waits until systemd has started everything; returns its state and the failed units."""
        state = self.wait_for("the boot", "systemctl is-system-running || :", lambda text: text and text != "starting")
        return state, self.run("systemctl --failed --no-legend")[1]

    def screendump(self):
        """Returns the picture on the display."""
        self.qmp.execute("screendump", filename=str(self.work / "screen.ppm"))
        return picture.from_ppm((self.work / "screen.ppm").read_bytes())

    def check_data(self):
        """Replays the journal of the partition for the scores, as a mount does, and then checks it. Works on
        a copy."""
        start, size = self.partitions[2]
        copy = self.work / "data"
        command("dd", f"if={self.disk}", f"of={copy}", "bs=1M", "iflag=skip_bytes,count_bytes", f"skip={start}",
                f"count={size}", "status=none")
        command("/sbin/e2fsck", "-E", "journal_only", "-p", copy)
        return command("/sbin/e2fsck", "-fn", copy)


# Reads the second disk before NetworkManager starts. Credentials on the kernel's command line make systemd run it,
# so that nothing on the card is changed (systemd-debug-generator(8)).
UNIT = """[Unit]
DefaultDependencies=no
After=local-fs.target systemd-udev-trigger.service
Before=NetworkManager.service
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/sh -c "mkdir -p /run/tools && mount -o ro /dev/vdb /run/tools && exec sh /run/tools/start"
"""

# wlan0 is the machine's radio. The only network card belongs to the phone, whose SSH server connects programs of the
# host with what the phone can reach.
START = """
export PATH=/run/tools/bin:$PATH
mkdir -p /run/phone /run/sshd
modprobe -a virtio_console virtio_net
setsid sh /run/tools/agent >/run/agent.log 2>&1 &
{radios}
until [ -e /sys/class/net/eth0 ]; do sleep 0.1; done
ip link set eth0 netns phone
ip -n phone addr add 10.0.2.15/24 dev eth0
ip -n phone link set eth0 up
"""

# Runs in the network namespace of the phone, with the name servers of the network that the phone has joined.
SERVER = """
cp /run/tools/key /run/phone/key && chmod 600 /run/phone/key && touch /run/phone/resolv.conf
ip netns exec phone sh -c '
  mount --bind /run/phone/resolv.conf /run/systemd/resolve/stub-resolv.conf
  exec /usr/sbin/sshd -f /dev/null -h /run/phone/key -o AuthorizedKeysFile=/run/tools/authorized_keys -o StrictModes=no \
    -o UsePAM=yes -o PidFile=none'
"""


class RadioCard(Card):
    """A card to which nothing was added, in a machine without a cable and with radios: one of its own, one of a router at
    home, one of a phone."""

    def __init__(self, work, radios):
        """`radios`: a script that makes the radios, the router, and its DHCP server."""
        super().__init__(work)
        stage = work / "tools"
        command("cp", "-a", root.tools("arm64", ("hostapd", "busybox-static")), stage)
        files = {
            "start": START.format(radios=radios),
            "agent": (image.HERE / "guest/agent").read_text(),
            "authorized_keys": self.public_key,
            "key": self.key.read_text(),
            "bin/busybox": "#!/bin/sh\nexec /run/tools/usr/bin/busybox \"$@\"\n",
            "bin/hostapd": "#!/bin/sh\nLD_LIBRARY_PATH=/run/tools/usr/lib/aarch64-linux-gnu exec /run/tools/usr/sbin/hostapd \"$@\"\n",
        }
        for name, text in files.items():
            path = stage / name
            path.parent.mkdir(exist_ok=True)
            path.unlink(missing_ok=True)
            path.write_text(text)
            path.chmod(0o755)
        command("/sbin/mke2fs", "-q", "-t", "ext4", "-d", stage, work / "tools.ext4", "128M")
        credential = base64.b64encode(UNIT.encode()).decode()
        # A Pi has no battery clock.
        self.arguments += " modprobe.blacklist=rtc_pl031 initcall_blacklist=pl031_driver_init"
        self.arguments += f" systemd.set_credential_binary=systemd.extra-unit.radios.service:{credential} systemd.wants=radios.service"
        self._agent = None

    def options(self):
        return ["-drive", f"file={self.work}/tools.ext4,format=raw,if=virtio,readonly=on",
                "-device", "virtio-serial-pci", "-chardev", f"socket,id=agent,path={self.work}/agent,server=on,wait=off",
                "-device", "virtserialport,chardev=agent,name=flipclock"]

    def start(self):
        (self.work / "agent").unlink(missing_ok=True)
        super().start()
        self._agent = Agent(self.work / "agent", self.is_running)
        try:
            self._agent.wait_until_ready(BOOT_TIMEOUT)
        except ChannelError as error:
            raise AssertionError((self.work / "console").read_text(errors="replace")[-3000:]) from error

    def stop(self):
        if self._agent is not None:
            self._agent.close()
            self._agent = None
        super().stop()

    def run(self, script, timeout=120):
        done = self._agent.run(f"export PATH=/run/tools/bin:$PATH\n{script}", timeout)
        return done.status, (done.output + done.errors).decode(errors="replace").strip()


def partitions(disk):
    """Returns the start and the size of each partition of a disk with an MBR, in bytes."""
    with open(disk, "rb") as file:
        table = file.read(SECTOR)[446:510]
    entries = [table[index:index + 16] for index in range(0, 64, 16)]
    return [tuple(int.from_bytes(entry[at:at + 4], "little") * SECTOR for at in (8, 12)) for entry in entries if entry[4]]
