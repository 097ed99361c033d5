# SPDX-License-Identifier: Apache-2.0
"""The common part of all scenarios: a machine for each card, the daemon in it, and assertions about its
picture."""

import json
import os
import shlex
import sys
import unittest

from VM import image, picture
from VM.machine import Machine, SharedMachines

CONFIG = "/etc/flipclock/test.toml"
LOG = "/run/flipclockd.log"

# The clock has no seconds, so the picture is at rest for most of a minute.
CLOCK_AND_SCORE = """
[widgets.time]
type = "flip-clock"

[widgets.match]
type = "score"

[layout]
rows = [["time"], ["match"]]
"""

SECONDS = """
[widgets.time]
type = "flip-clock"
seconds = true

[layout]
rows = [["time"]]
"""

# The most expensive page transition: everything moves, on two full pages with 90 degrees rotation.
WORST_CASE = """
[display]
rotation = 90

[widgets.time]
type = "flip-clock"
seconds = true

[widgets.hands]
type = "analog-clock"

[widgets.match]
type = "score"

[widgets.cities]
type = "world-clock"
cities = [
  "Asia/Tokyo", "Europe/London", "America/New_York", "Australia/Sydney", "Europe/Berlin", "Africa/Cairo",
  "Europe/Moscow", "America/Los_Angeles",
]

[pages.one]
rows = [["time"], ["hands"], ["match"], ["cities"]]

[pages.two]
rows = [["cities"], ["match"], ["hands"], ["time"]]

[page-transition]
type = "flip"
"""

# FLIPCLOCK_VM_CARDS=vkms runs only the scenarios for vkms.
CARDS = os.environ.get("FLIPCLOCK_VM_CARDS", "virtio_gpu,vkms,cirrus,simpledrm").split(",")

# Pictures for people to look at.
ARTIFACTS = image.PROJECT / ".build/vm"

_shared = SharedMachines()


def shared_machine(card, virtual_time=False):
    """Returns the card's machine, which is shared by the whole run."""
    return _shared.get((card, virtual_time), lambda: Machine(card, virtual_time=virtual_time))


def machine_of(test):
    """Returns the name of the machine that a test shares with others; tests with the same name run in one
    process."""
    if name := getattr(test, "machine_name", None):
        return name
    virtual_time = getattr(test, "virtual_time", False)
    return f"{getattr(test, 'card', None) or 'no card'}{' on virtual time' if virtual_time else ''}"


def on_cards(*cards):
    """Creates a test case for each card from a class of scenarios; the class itself is not a test case."""

    def decorate(base):
        module = vars(sys.modules[base.__module__])
        for card in cards:
            name = f"{base.__name__}_{card}"
            attributes = {"card": card, "__module__": base.__module__, "__qualname__": name}
            case = type(name, (base, unittest.TestCase), attributes)
            module[name] = unittest.skipUnless(card in CARDS, "not in FLIPCLOCK_VM_CARDS")(case)
        return base

    return decorate


def shown(status):
    """Returns the displays of a status that have a mode; the others are dark."""
    return [output for output in status["outputs"] if output["mode"]]


def presented(status):
    """Returns how many frames each display that is not dark has presented."""
    return {output["connector"]: output["framesPresented"] for output in shown(status)}


class Guest:
    """Commands to a daemon in a guest and assertions about its picture. A mixin for a TestCase with a
    `machine`."""

    card = None
    machine = None
    # The last two pictures that should have been the same and were not, by their names.
    different = {}

    def keep_evidence(self, target):
        """Keeps what explains a failure (Runner.worker)."""
        if self.machine is None:
            return
        for name, shown in self.different.items():
            (target / f"{name}.png").write_bytes(shown.png())
        if self.machine.is_usable:
            (target / "daemon.log").write_text(self.log(), encoding="utf-8")
            (target / "dmesg").write_text(self.machine.run("dmesg").text, encoding="utf-8")
        self.machine.keep(target)

    def wait_for_picture(self, timeout=60, displays=1):
        """Waits until at least `displays` displays have shown frames, and all are at rest; returns the
        status."""
        def at_rest():
            replies = self.statuses(400, check=False)
            if len(replies) < 2:
                return None
            first, second = map(presented, replies)
            is_shown = len(second) >= displays and all(second.values())
            return replies[1] if is_shown and first == second else None

        return self.machine.wait_for("a picture at rest", at_rest, timeout)

    def has_frames(self):
        """Returns whether the daemon has presented frames."""
        status = self.try_status()
        return status and shown(status) and shown(status)[0]["framesPresented"] > 0

    # Control socket

    def control(self, arguments, check=True):
        """Runs flipclockctl."""
        return self.machine.run(f"flipclockctl {arguments}", check=check)

    def status(self):
        """Calls GetStatus and returns the status."""
        return json.loads(self.machine.run("get-status").output)["parameters"]["status"]

    def statuses(self, milliseconds, check=True):
        """Returns the status now and the status after a time of the guest; fewer if the daemon does not answer."""
        replies = self.machine.run(f"get-status {milliseconds}", check=check).text.splitlines()
        return [json.loads(reply)["parameters"]["status"] for reply in replies]

    def try_status(self):
        """Returns the status, or None if the daemon does not answer."""
        result = self.machine.run("get-status", check=False)
        return json.loads(result.output)["parameters"]["status"] if result.status == 0 else None

    def score(self, team="home"):
        """Returns a team's score from the status."""
        return self.status()["scoreboard"]["teams"][team]["score"]

    def time_text(self):
        """Returns the text that the clock shows."""
        return self.status()["widgets"]["time"]["text"]

    def guest_time(self, form="%H:%M"):
        """Returns the guest's time in its own time zone."""
        return self.machine.run(f"date '+{form}'").text

    # Pictures

    def screenshot(self, output=None):
        """Returns the daemon's screenshot, of `output` or of the first display that is not dark."""
        self.control(f"screenshot /run/screenshot.png {f'--output {output}' if output else ''}")
        return picture.from_png(self.machine.pull("/run/screenshot.png"))

    def scanout(self):
        """Returns the picture on the display: QEMU's screendump, or for vkms the memory that it scans out."""
        return self.machine.framebuffer() if self.card == "vkms" else self.machine.screendump()

    def active_crtcs(self):
        """Returns the number of active CRTCs."""
        return int(self.machine.run("grep -c active=1 /sys/kernel/debug/dri/0/state", check=False).text)

    def assert_scanout_is_screenshot(self, turned=0, in_565=None):
        """Asserts that at rest the display shows exactly the daemon's screenshot. Returns the screenshot.

        `turned`: the display's rotation in degrees, clockwise. `in_565`: for 16 bits, whether the picture is
        dithered.
        """
        for _ in range(4):
            before = self.wait_for_picture()
            shot, scanout = self.screenshot(), self.scanout()
            crcs = self.machine.crcs() if self.card == "vkms" else []
            # A frame is on the display up to a vblank before it counts as presented, and may be in the scanout but
            # not in the screenshot. So the frames are counted again when those in flight have arrived.
            after = self.statuses(100)[-1]
            if presented(before) == presented(after):
                break
        else:
            self.fail("the picture was never at rest long enough for the comparison")
        shown = shot.turned(turned)
        if in_565 is not None:
            shown = shown.in_565(in_565)
        self.assert_same_picture(shown, scanout)
        if self.card == "vkms":
            # Compares not only the memory, but also what vkms's composer made of it in several frames.
            self.assertTrue(crcs, "vkms reported no CRC")
            self.assertEqual({f"{crc:08x}" for crc in crcs}, {f"{shown.vkms_crc(in_565 is not None):08x}"})
        self.assertFalse(shot.is_blank(), "the picture has only one colour")
        return shot

    def assert_same_picture(self, one, other):
        """Fails with the location of the difference, and keeps both pictures."""
        difference = one.difference(other)
        if difference is not None:
            self.different = {"one": one, "other": other}
            self.fail(difference)


class Scenario(Guest):
    """A daemon in a guest. `on_cards` mixes it into a TestCase and sets the card."""

    # Whether to run on a processor of a fixed speed, see Machine. The time of a busy machine then makes no
    # difference.
    virtual_time = True
    config = CLOCK_AND_SCORE

    def setUp(self):
        self.machine = self.get_machine()
        # Clean up after the previous scenario: its daemon, its state, a VT in graphics mode.
        self.machine.run(f"""
            killall -q -9 flipclockd kms; while pidof flipclockd kms >/dev/null; do usleep 20000; done
            rm -rf /var/lib/flipclock /run/flipclock /etc/flipclock {LOG}; mkdir -p /run/flipclock /var/lib/flipclock
            kms restore; chvt 1""")
        self.machine.push(CONFIG, self.config)

    def tearDown(self):
        if self.machine.is_usable:
            self.machine.run("killall -q flipclockd; usleep 200000; killall -q -9 flipclockd kms", check=False)

    def get_machine(self):
        """Returns the machine for this scenario. A scenario that changes it permanently boots its own."""
        return shared_machine(self.card, self.virtual_time)

    # The daemon

    def launch(self, options="--display kms", environment=""):
        """Starts the daemon as its unit does, with the VT as standard input, without waiting for it."""
        command = f"{environment} flipclockd --config {CONFIG} --state-dir /var/lib/flipclock {options}"
        self.machine.run(
            f"rm -f /run/exit; setsid -c sh -c '{command}; echo $? >/run/exit' "
            f"</dev/tty1 >>{LOG} 2>&1 &")

    def start(self, options="--display kms"):
        """Starts the daemon, waits until its picture is at rest, and returns the status."""
        self.launch(options)
        return self.wait_for_picture()

    def is_alive(self):
        """Returns whether the daemon is running."""
        return self.machine.run("pidof flipclockd", check=False).status == 0

    def pid(self):
        """Returns the daemon's process."""
        return int(self.machine.run("pidof flipclockd").text)

    def signal(self, name):
        """Sends a signal and waits until the daemon ends; returns its exit status, or None if a signal ended
        it."""
        self.machine.run(f"killall -{name} flipclockd")
        self.machine.wait_for(f"the end after SIG{name}", lambda: not self.is_alive(), 15)
        status = int(self.machine.wait_for("exit status", lambda: self.machine.run("cat /run/exit", check=False).text))
        return status if status < 128 else None

    def log(self):
        """Returns the daemon's log."""
        return self.machine.run(f"cat {LOG}", check=False).text

    def run_in_background(self, command):
        """Runs a command in the guest without waiting for it."""
        self.machine.run(f"setsid sh -c {shlex.quote(command)} </dev/null >/run/background 2>&1 &")
