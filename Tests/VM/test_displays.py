# SPDX-License-Identifier: Apache-2.0
"""Several displays: two or three heads of one card, two or three cards. In one process of the daemon,
displays are unplugged and cards are unbound, removed or taken by another program, repeatedly."""

import json
import os
import re
import time
import unittest

from VM import image
from VM.scenario import CARDS, CLOCK_AND_SCORE, SECONDS, WORST_CASE, Scenario, shown

# Whether each event is repeated many times; otherwise a few times.
IS_LONG = bool(os.environ.get("FLIPCLOCK_LONG"))

# The directory of the virtio cards' driver, with the files `bind` and `unbind`.
VIRTIO_DRIVER = "/sys/bus/virtio/drivers/virtio_gpu"

SMALL = """
[display]
mode = "640x480"
"""


class Displays(Scenario):
    """The common part: the displays of the status, and counts of descriptors and framebuffers, which must not
    grow."""

    config = SMALL + SECONDS

    def descriptors(self):
        """Returns the number of the daemon's open descriptors, without its connections: the daemon closes
        those of earlier calls when it has time."""
        return int(self.machine.run(f"ls -l /proc/{self.pid()}/fd | grep -vc socket:").text)

    def framebuffers(self):
        """Returns the number of framebuffers of all cards."""
        text = self.machine.run("cat /sys/kernel/debug/dri/*/framebuffer", check=False).text
        return len(re.findall(r"^framebuffer\[", text, re.MULTILINE))

    def connector(self, name):
        """Returns the directory of a connector in sysfs."""
        return self.machine.run(f"echo /sys/class/drm/card*-{name}").text

    def plug(self, name, state):
        """Plugs a display in ("on" or "detect") or out ("off"), with the event that a driver sends."""
        directory = self.connector(name)
        card = directory.rsplit("/", 1)[1].split("-")[0]
        self.machine.run(f"echo {state} >{directory}/status; echo change >/sys/class/drm/{card}/uevent")

    def virtio_device(self):
        """Returns the name of the virtio card's device, as in VIRTIO_DRIVER."""
        return self.machine.run(f"basename $(ls -d {VIRTIO_DRIVER}/virtio*)").text

    def displays(self):
        """Returns the displays that show something, by connector."""
        status = self.try_status()
        return {output["connector"]: output for output in shown(status)} if status else {}

    def wait_for_displays(self, *names, timeout=30):
        """Waits until exactly these displays show something."""
        self.machine.wait_for(f"pictures on {names}", lambda: set(self.displays()) == set(names), timeout)

    def assert_right(self, output, scanout, attempts=60):
        """Asserts that a display shows its screenshot. The clock shows seconds, so the two are compared until
        they were made in the same second."""
        for attempt in range(attempts):
            shot = self.screenshot(output)
            if shot.difference(scanout()) is None:
                self.assertFalse(shot.is_blank(), "the picture has only one colour")
                return shot
            time.sleep(0.05)
        self.assert_same_picture(shot, scanout())
        return shot


class TwoHeads(Displays, unittest.TestCase):
    """Two heads of one virtio card."""

    card = machine_name = "virtio_two_heads"

    def setUp(self):
        if "virtio_gpu" not in CARDS:
            self.skipTest("not in FLIPCLOCK_VM_CARDS")
        super().setUp()
        for name in ("Virtual-1", "Virtual-2"):
            self.plug(name, "on")

    def scanout_of(self, head):
        """Returns a function that returns the picture of a head."""
        return lambda: self.machine.screendump(head, "gpu")

    def assert_both_right(self):
        """Asserts the right picture on both heads."""
        return [self.assert_right(f"Virtual-{head + 1}", self.scanout_of(head)) for head in range(2)]

    def test_both_heads_show_the_same_picture(self):
        self.launch()
        self.wait_for_displays("Virtual-1", "Virtual-2")
        first, second = self.assert_both_right()
        self.assertEqual((first.width, first.height), (second.width, second.height))
        self.control("set-score home 3")
        self.assert_both_right()

    def test_each_head_has_its_own_page_rotation_light_and_brightness(self):
        self.machine.push("/etc/flipclock/test.toml", """
[widgets.time]
type = "flip-clock"
[widgets.match]
type = "score"
[pages.clock]
rows = [["time"]]
[pages.match]
rows = [["match"]]
[outputs.Virtual-1]
mode = "640x480"
[outputs.Virtual-2]
mode = "800x600"
rotation = 90
page = "match"
""")
        self.launch()
        self.wait_for_displays("Virtual-1", "Virtual-2")
        self.wait_for_picture(displays=2)
        self.assert_right("Virtual-1", self.scanout_of(0))
        second = self.screenshot("Virtual-2")
        self.assertEqual((second.width, second.height), (600, 800))
        self.assert_same_picture(second.turned(90), self.scanout_of(1)())
        outputs = self.displays()
        self.assertEqual(outputs["Virtual-2"]["page"], "match")
        self.assertEqual(outputs["Virtual-2"]["settings"], "Virtual-2")
        # The common page changes; the second head keeps its own.
        self.control("show match")
        self.wait_for_picture(displays=2)
        self.assert_same_picture(self.screenshot("Virtual-2").turned(90), self.scanout_of(1)())
        self.control("brightness 30% --output Virtual-2")
        self.wait_for_picture(displays=2)
        self.assertNotEqual(self.screenshot("Virtual-2"), second)
        self.assertEqual(self.displays()["Virtual-1"]["brightness"], 100)
        self.control("blank --output Virtual-1")
        self.control("set-score home 8")
        self.wait_for_picture(displays=2)
        self.assert_same_picture(self.screenshot("Virtual-2").turned(90), self.scanout_of(1)())
        self.control("unblank --output Virtual-1")
        self.wait_for_picture(displays=2)
        self.assert_right("Virtual-1", self.scanout_of(0))

    def test_unplugs(self):
        self.launch()
        self.wait_for_displays("Virtual-1", "Virtual-2")
        self.assert_both_right()
        pid, descriptors, framebuffers = self.pid(), self.descriptors(), self.framebuffers()
        for count in range(50 if IS_LONG else 4):
            name, other = ("Virtual-2", "Virtual-1") if count % 2 else ("Virtual-1", "Virtual-2")
            self.plug(name, "off")
            self.wait_for_displays(other)
            dark = [output for output in self.status()["outputs"] if output["connector"] == name]
            self.assertIn("no display is connected", dark[0]["problem"])
            self.assert_right(other, self.scanout_of(0 if count % 2 else 1))
            self.plug(name, "on")
            self.wait_for_displays("Virtual-1", "Virtual-2")
            self.assert_both_right()
        # Both displays are unplugged at once, and then plugged in again.
        for state in ("off", "on"):
            self.plug("Virtual-1", state)
            self.plug("Virtual-2", state)
            self.machine.wait_for(state, lambda: len(self.displays()) == (2 if state == "on" else 0))
        self.assert_both_right()
        self.assertEqual((self.pid(), self.descriptors(), self.framebuffers()), (pid, descriptors, framebuffers))

    def test_terminal_switches(self):
        self.launch()
        self.wait_for_displays("Virtual-1", "Virtual-2")
        pid, descriptors, framebuffers = self.pid(), self.descriptors(), self.framebuffers()
        for _ in range(50 if IS_LONG else 4):
            self.machine.run("chvt 2; usleep 200000; chvt 1")
            self.wait_for_displays("Virtual-1", "Virtual-2")
        self.assert_both_right()
        self.assertEqual((self.pid(), self.descriptors(), self.framebuffers()), (pid, descriptors, framebuffers))


class TwoCards(Displays, unittest.TestCase):
    """vkms, which is left alone, beside virtio, which is unplugged, unbound, or taken by another program."""

    card = machine_name = "vkms_and_virtio_gpu"

    def setUp(self):
        if not {"vkms", "virtio_gpu"} <= set(CARDS):
            self.skipTest("not in FLIPCLOCK_VM_CARDS")
        super().setUp()

    # The last PCI slot used for the third card. This is a bochs-display, because QEMU's virtio cards cannot
    # be plugged in. QEMU 7.2 aborts when a bochs-display is put into a slot that has held one before, so each
    # gets a new slot.
    slot = 7

    def add_card(self):
        """Plugs the third card in, with the connector Virtual-3."""
        TwoCards.slot += 1
        self.third = f"third-{TwoCards.slot}"
        self.machine.qmp.execute("device_add", driver="bochs-display", id=self.third, addr=f"{TwoCards.slot:x}")
        self.machine.wait_for("the card", lambda: self.machine.run(
            "ls -d /sys/class/drm/card*-Virtual-3", check=False).status == 0)

    def remove_card(self):
        """Pulls the third card out."""
        self.machine.qmp.execute("device_del", id=self.third)
        self.machine.wait_for("the removal", lambda: self.machine.run(
            "ls -d /sys/class/drm/card*-Virtual-3", check=False).status != 0)

    def framebuffer_of_vkms(self):
        """Returns the picture that vkms scans out."""
        return self.machine.framebuffer("/dev/dri/card0")

    def screen_of_virtio(self):
        """Returns the picture on the virtio card's display."""
        return self.machine.screendump(0, "gpu")

    def assert_both_right(self):
        """Asserts the right picture on both displays."""
        self.assert_right("Virtual-1", self.framebuffer_of_vkms)
        self.assert_right("Virtual-2", self.screen_of_virtio)

    def missed(self):
        """Returns the number of vblanks that vkms's display missed."""
        return self.displays()["Virtual-1"]["flipsMissed"]

    def repeat(self, count, take, give):
        """Takes the virtio card or its display away and gives it back, `count` times. vkms must show the
        right picture meanwhile. Prints how many vblanks it missed."""
        self.launch()
        self.wait_for_displays("Virtual-1", "Virtual-2")
        self.assert_both_right()
        pid, descriptors, framebuffers = self.pid(), self.descriptors(), self.framebuffers()
        before = self.missed()
        self.machine.run("sleep 10")
        quiet = self.missed() - before
        started = time.monotonic()
        for _ in range(count):
            take()
            self.wait_for_displays("Virtual-1")
            self.assert_right("Virtual-1", self.framebuffer_of_vkms)
            give()
            self.wait_for_displays("Virtual-1", "Virtual-2")
        self.assert_both_right()
        disturbed = self.missed() - before - quiet
        seconds = time.monotonic() - started
        print(f"two cards: missed {quiet} vblanks in 10 quiet seconds, {disturbed} in {seconds:.0f} s with {count} events")
        self.assertEqual((self.pid(), self.descriptors(), self.framebuffers()), (pid, descriptors, framebuffers))

    def test_unplugs(self):
        self.repeat(50 if IS_LONG else 3, lambda: self.plug("Virtual-2", "off"), lambda: self.plug("Virtual-2", "on"))

    def test_unbinds(self):
        device = self.virtio_device()
        self.repeat(
            20 if IS_LONG else 3, lambda: self.machine.run(f"echo {device} >{VIRTIO_DRIVER}/unbind"),
            lambda: self.machine.run(f"echo {device} >{VIRTIO_DRIVER}/bind"))

    def test_removals(self):
        """A card that is pulled out and plugged in."""
        self.machine.run("load bochs")
        self.add_card()
        self.addCleanup(self.remove_card)
        self.launch()
        names = ("Virtual-1", "Virtual-2", "Virtual-3")
        self.wait_for_displays(*names)
        pid, descriptors, framebuffers = self.pid(), self.descriptors(), self.framebuffers()
        for _ in range(20 if IS_LONG else 3):
            self.remove_card()
            self.wait_for_displays("Virtual-1", "Virtual-2")
            self.assert_both_right()
            self.add_card()
            self.wait_for_displays(*names)
            self.assert_right("Virtual-3", lambda: self.machine.screendump(0, self.third))
        self.assert_both_right()
        self.assertEqual((self.pid(), self.descriptors(), self.framebuffers()), (pid, descriptors, framebuffers))

    def test_second_master(self):
        """Another program becomes master of the virtio card while another terminal is active, and keeps
        it."""
        self.launch()
        self.wait_for_displays("Virtual-1", "Virtual-2")
        node = self.machine.run("echo /dev/dri/$(basename /sys/class/drm/card*-Virtual-2 | cut -d- -f1)").text
        for _ in range(5 if IS_LONG else 2):
            self.machine.run("chvt 2; usleep 300000")
            self.run_in_background(f"kms hold {node}")
            self.machine.wait_for("the holder", lambda: self.machine.run("cat /run/background").text == "holding")
            self.machine.run("chvt 1")
            self.wait_for_displays("Virtual-1")
            self.assert_right("Virtual-1", self.framebuffer_of_vkms)
            problems = [output["problem"] for output in self.status()["outputs"] if not output["mode"]]
            self.assertIn("another program", problems[0])
            self.machine.run("killall -9 kms")
            self.wait_for_displays("Virtual-1", "Virtual-2")
            self.assert_both_right()


class LeftAlone(Displays, unittest.TestCase):
    """vkms misses no vblank while virtio's display is unplugged and its driver is unbound. On virtual time,
    so a missed vblank is caused by the daemon."""

    card = "vkms_and_virtio_gpu"

    def setUp(self):
        if not {"vkms", "virtio_gpu"} <= set(CARDS):
            self.skipTest("not in FLIPCLOCK_VM_CARDS")
        super().setUp()
        self.launch()
        self.wait_for_displays("Virtual-1", "Virtual-2", timeout=60)

    def missed(self, what, count, event):
        """Runs a script `count` times, and returns the number of vblanks that vkms's display missed
        meanwhile."""
        self.machine.run(f"""
            sleep 3
            flipclockctl --json status >/run/before
            n=0; while [ $n -lt {count} ]; do {event}; n=$((n + 1)); done
            flipclockctl --json status >/run/after""", timeout=60 + 60 * count)
        before, after = ({output["connector"]: output for output in json.loads(
            self.machine.pull(f"/run/{name}"))["outputs"]} for name in ("before", "after"))
        frames, missed = (after["Virtual-1"][key] - before["Virtual-1"][key] for key in ("framesPresented", "flipsMissed"))
        print(f"two cards: {what} {count} times: {frames} frames on vkms, {missed} vblanks missed; "
              f"{after['Virtual-2']['framesPresented']} frames on virtio")
        self.assertGreater(frames, 20 * count)
        return missed

    def test_it_misses_no_vblank(self):
        connector = self.connector("Virtual-2")
        uevent = f"echo change >{connector.rsplit('/', 1)[0]}/{connector.rsplit('/', 1)[1].split('-')[0]}/uevent"
        device = self.virtio_device()
        count = 20 if IS_LONG else 4
        quiet = self.missed("nothing", count, "sleep 2.6")
        unplugs = self.missed(
            "unplugged", count,
            f"echo off >{connector}/status; {uevent}; sleep 1.3; echo on >{connector}/status; {uevent}; sleep 1.3")
        unbinds = self.missed(
            "unbound", count,
            f"echo {device} >{VIRTIO_DRIVER}/unbind; sleep 1.3; echo {device} >{VIRTIO_DRIVER}/bind; sleep 1.3")
        self.assertEqual((quiet, unplugs, unbinds), (0, 0, 0))


@unittest.skipUnless("virtio_gpu" in CARDS, "not in FLIPCLOCK_VM_CARDS")
class LittleMemory(Displays, unittest.TestCase):
    """A machine whose memory does not suffice for the display's best mode."""

    card = machine_name = "virtio_little_memory"
    config = CLOCK_AND_SCORE

    def available(self):
        """Returns the available memory in MiB."""
        return int(self.machine.run("grep MemAvailable /proc/meminfo").text.split()[1]) >> 10

    def size(self):
        """Returns the size of the display's mode in pixels."""
        width, height = re.match(r"(\d+)x(\d+)@", self.displays()["Virtual-1"]["mode"]).groups()
        return int(width) * int(height)

    def test_a_smaller_mode_is_used_until_there_is_more_memory(self):
        # The kernel frees the initramfs after the boot, when it has time.
        self.machine.wait_for("the memory of the initramfs", lambda: self.available() > 120)
        self.machine.run(f"dd if=/dev/zero of=/run/ballast bs=1M count={self.available() - 56}")
        self.addCleanup(self.machine.run, "rm -f /run/ballast")
        self.launch()
        self.wait_for_displays("Virtual-1", timeout=120)
        with_little = self.size()
        self.assertLess(with_little, 1920 * 1080)
        output = self.displays()["Virtual-1"]
        self.assertIn("too little memory", output["problem"])
        self.assertRegex(" ".join(output["tried"]), r"\d+ MiB of memory are available")
        # A machine that thrashes takes minutes for this.
        begin = time.monotonic()
        self.control("set-score home 3")
        self.assertLess(time.monotonic() - begin, 20 * self.machine.patience)
        self.assert_right("Virtual-1", self.machine.screendump)
        self.assertNotIn("Out of memory", self.machine.run("dmesg").text)
        pid = self.pid()
        self.machine.run("rm /run/ballast")
        device = self.virtio_device()
        self.machine.run(f"echo {device} >{VIRTIO_DRIVER}/unbind")
        self.wait_for_displays()
        self.machine.run(f"echo {device} >{VIRTIO_DRIVER}/bind")
        self.machine.wait_for("a larger mode", lambda: self.displays() and self.size() > with_little, 120)
        self.assert_right("Virtual-1", self.machine.screendump)
        self.assertEqual(self.pid(), pid)


@unittest.skipUnless(IS_LONG, "takes minutes: FLIPCLOCK_LONG=1")
class ThreeAt4K(Displays, unittest.TestCase):
    """With three displays of 3840x2160 the daemon stays below the unit's memory limit, also while pages turn
    and when two of them have a page of their own."""

    card = machine_name = "virtio_three_heads"
    names = ("Virtual-1", "Virtual-2", "Virtual-3")

    def setUp(self):
        if "virtio_gpu" not in CARDS:
            self.skipTest("not in FLIPCLOCK_VM_CARDS")
        super().setUp()
        for name in self.names:
            self.plug(name, "on")

    def peak(self, config):
        """Returns the largest memory use of the daemon's control group, in MiB, while it shows a config."""
        self.machine.push("/etc/flipclock/test.toml", config)
        self.machine.run("""
            mountpoint -q /sys/fs/cgroup || mount -t cgroup2 none /sys/fs/cgroup
            echo +memory >/sys/fs/cgroup/cgroup.subtree_control; mkdir /sys/fs/cgroup/flipclock""")
        self.addCleanup(self.machine.run, "rmdir /sys/fs/cgroup/flipclock")
        command = "flipclockd --config /etc/flipclock/test.toml --state-dir /var/lib/flipclock --display kms"
        self.machine.run(
            f"setsid -c sh -c 'echo $$ >/sys/fs/cgroup/flipclock/cgroup.procs; exec {command}' "
            "</dev/tty1 >/run/flipclockd.log 2>&1 &")
        self.wait_for_displays(*self.names, timeout=120)
        for page in ("two", "one"):
            before = self.displays()["Virtual-1"]["framesPresented"]
            self.control(f"show {page}")
            self.machine.run("flipclockctl screenshot /run/shot.png", check=False, timeout=180)
            self.machine.wait_for(
                "frames", lambda n=before: self.displays()["Virtual-1"]["framesPresented"] > n + 3, 300)
        # The displays are set up again, which needs new buffers while the old ones are shown.
        for name in self.names:
            self.plug(name, "off")
            self.plug(name, "on")
        self.wait_for_displays(*self.names, timeout=120)
        peak = int(self.machine.run("cat /sys/fs/cgroup/flipclock/memory.peak").text) >> 20
        self.machine.run("killall flipclockd; while pidof flipclockd >/dev/null; do usleep 50000; done", timeout=120)
        return peak

    def limit(self):
        """Returns the unit's limit in MiB."""
        unit = (image.PROJECT / "systemd/flipclockd.service").read_text()
        return int(re.search(r"^MemoryMax=(\d+)M$", unit, re.MULTILINE).group(1))

    def test_the_common_page(self):
        peak = self.peak(WORST_CASE.replace("[display]", '[display]\nmode = "3840x2160"'))
        print(f"three displays of 3840x2160 with one page: {peak} MiB of {self.limit()}")
        self.assertLess(peak, self.limit())

    def test_a_page_each(self):
        config = WORST_CASE.replace("[display]", '[display]\nmode = "3840x2160"')
        config += '[outputs.Virtual-2]\npage = "one"\n[outputs.Virtual-3]\npage = "two"\n'
        peak = self.peak(config)
        print(f"three displays of 3840x2160 with a page each: {peak} MiB of {self.limit()}")
        self.assertLess(peak, self.limit())
