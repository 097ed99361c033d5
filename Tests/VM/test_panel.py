# SPDX-License-Identifier: Apache-2.0
"""The firmware's frame buffer as a card (simpledrm): formats that no other card here supports, drivers that
show only reported damage, and the native driver that replaces it."""

import hashlib
import re
import unittest

from VM import picture, trace
from VM.machine import Machine
from VM.scenario import CARDS, CLOCK_AND_SCORE, CONFIG, Scenario, on_cards

# The firmware's mode, see machine.PARAMETERS.
WIDTH, HEIGHT, STRIDE = 640, 480, 2560
BYTES = {"x8r8g8b8": 4, "x2r10g10b10": 4, "r5g6b5": 2}
FOURCC = {"x8r8g8b8": "XR24", "x2r10g10b10": "XR30", "r5g6b5": "RG16"}


class Panel(Scenario):
    """A frame buffer in memory, as the firmware left it. The scanout is read from the machine's memory,
    independent of the kernel and the daemon."""

    page = CLOCK_AND_SCORE
    driver = "simpledrm"
    panel = "x8r8g8b8"
    format = "auto"

    @property
    def config(self):
        # Without `card` the daemon would wait for a native driver.
        return self.page + f"[display]\ncard = 'simpledrm'\nformat = '{self.format}'\n"

    def setUp(self):
        machine = self.get_machine()
        base, end = machine.run("""
            for card in /sys/bus/pci/devices/*; do
              [ "$(cat $card/class)" != 0x030000 ] || { read -r first last rest <$card/resource; echo $first $last; }
            done""").text.split()
        self.base = int(base, 16)
        machine.run(f"""
            killall -q -9 flipclockd; while pidof flipclockd >/dev/null; do usleep 20000; done
            echo vesa-framebuffer.0 2>/dev/null >/sys/bus/platform/drivers/vesa-framebuffer/unbind
            rmmod panel 2>/dev/null
            load {self.driver}
            insmod /modules/panel.ko driver={self.driver} base={base} size={int(end, 16) + 1 - self.base} \
              width={WIDTH} height={HEIGHT} stride={STRIDE} format={self.panel} && ls /dev/dri/card0""")
        super().setUp()

    def memory(self):
        """Returns the panel's memory, rows without padding."""
        memory = self.machine.memory(self.base, STRIDE * HEIGHT)
        width = WIDTH * BYTES[self.panel]
        return b"".join(memory[y * STRIDE:y * STRIDE + width] for y in range(HEIGHT))

    def scanout(self):
        return picture.from_scanout(WIDTH, HEIGHT, FOURCC[self.panel], self.memory())

    def set_display(self, lines):
        """Changes `[display]` at run time."""
        reloads = self.log().count("config reloaded")
        self.machine.push(CONFIG, self.config + lines)
        self.machine.wait_for("the reload", lambda: self.log().count("config reloaded") > reloads, 15)

    def assert_frames_in_mid_flip_are_complete(self):
        """Asserts that during animations the display shows exactly the daemon's buffer, so all damage was
        reported to the driver."""
        seen = set()
        for number in range(4):
            # Stops the daemon while it is in epoll_wait (system call 232) or epoll_pwait (281), and so not
            # between a page flip and its DIRTYFB. The queued frame is then the last one that reaches the
            # display.
            sums = self.machine.run(f"""
                flipclockctl set-score home {11 * (number + 1)}; usleep {30_000 + 61_000 * number}
                daemon=$(pidof flipclockd)
                until kill -STOP $daemon; usleep 1000; read -r call rest </proc/$daemon/syscall
                  [ $call = 232 ] || [ $call = 281 ]
                do kill -CONT $daemon; usleep 3000; done
                usleep 60000
                kms dump /dev/dri/card0 | tail -n +2 | md5sum""").text
            try:
                shown = self.memory()
                if hashlib.md5(shown).hexdigest() != sums.split()[0]:
                    self.assert_same_picture(self.machine.framebuffer(), self.scanout())
            finally:
                self.machine.run("killall -CONT flipclockd; usleep 200000")
            seen.add(shown)
        self.assertGreater(len(seen), 2, "the picture did not change between the checks")


@on_cards("simpledrm")
class TenBits(Panel):
    """A panel with ten bits per channel."""

    panel = "x2r10g10b10"
    format = "xrgb2101010"

    def test_the_scanout_is_the_screenshot(self):
        self.start()
        self.assertIn("640x480@60, XRGB2101010, atomic commits", self.log())
        before = self.assert_scanout_is_screenshot()
        self.control("set-score home 7")
        self.assertNotEqual(self.assert_scanout_is_screenshot(), before)

        self.assert_frames_in_mid_flip_are_complete()
        self.assert_scanout_is_screenshot()
        self.set_display("rotation = 270\n")
        before = self.assert_scanout_is_screenshot(turned=270)
        self.control("set-score guest 8")
        self.assertNotEqual(self.assert_scanout_is_screenshot(turned=270), before)


@on_cards("simpledrm")
class SixteenBitPanel(Panel):
    """A panel like an SPI panel: 16 bits, and the driver sends only damage."""

    panel = "r5g6b5"
    format = "rgb565"

    def test_the_scanout_is_the_screenshot_dithered(self):
        self.start()
        self.assertIn("RGB565, dithered, atomic commits", self.log())
        before = self.assert_scanout_is_screenshot(in_565=True)
        self.control("set-score home 7")
        self.assertNotEqual(self.assert_scanout_is_screenshot(in_565=True), before)


@on_cards("simpledrm")
class Clips(Panel):
    """FB_DAMAGE_CLIPS: the driver copies only these clips."""

    # The page has no clock, because a change of the minute between two checks would be counted in only one of
    # them.
    page = '[widgets.match]\ntype = "score"\n[layout]\nrows = [["match"]]\n'

    # A probe on the kernel's copy of one clip; the fifth argument is the rectangle.
    probe = f"""
        echo 'p:clip drm_fb_memcpy x1=+0(%r8):s32 y1=+4(%r8):s32 x2=+8(%r8):s32 y2=+12(%r8):s32' >{trace.TRACING}/kprobe_events
        echo >{trace.TRACING}/trace; echo 1 >{trace.TRACING}/events/kprobes/clip/enable; echo 1 >{trace.TRACING}/tracing_on"""

    def clips(self, script):
        """Runs a script and waits until the picture is at rest; returns the rectangles that the driver
        copied, and the status."""
        self.machine.run(self.probe + "\n" + script)
        try:
            status = self.wait_for_picture()
            text = self.machine.run(f"cat {trace.TRACING}/trace").text
        finally:
            self.machine.run(f"echo 0 >{trace.TRACING}/events/kprobes/clip/enable; echo >{trace.TRACING}/kprobe_events")
        found = re.findall(r" clip: .*x1=(\d+) y1=(\d+) x2=(\d+) y2=(\d+)", text)
        return [tuple(map(int, each)) for each in found], status

    def test_the_driver_copies_what_the_daemon_wrote(self):
        before = self.start()
        # There are several changes, because on a busy host a single one has few frames.
        clips, after = self.clips("for n in 88 71 26 40; do flipclockctl set-score home $n; usleep 800000; done")
        grown = {key: after["outputs"][0][key] - before["outputs"][0][key] for key in ("framesPresented", "bytesCopied")}
        pixels = sum((x2 - x1) * (y2 - y1) for x1, y1, x2, y2 in clips)
        print(f"simpledrm: {grown['framesPresented']} frames, {len(clips)} clips, {pixels} pixels")
        self.assertGreater(grown["framesPresented"], 3)
        self.assertLess(pixels, grown["framesPresented"] * WIDTH * HEIGHT / 2)
        self.assertEqual(pixels * 4, grown["bytesCopied"])
        self.assert_scanout_is_screenshot()


@on_cards("simpledrm")
class DirtyFB(Panel):
    """A driver without atomic commits that shows a page flip only after DIRTYFB."""

    driver = "simpledrm_told"

    def test_a_flip_alone_shows_nothing(self):
        # The first buffer is shown by the modeset; the second one is filled with 0x40.
        self.run_in_background("kms rate /dev/dri/card0 1000000")
        self.machine.wait_for("the first buffer", lambda: set(self.memory()) == {0xc0}, 10)
        for _ in range(5):
            self.machine.run("usleep 20000")
            self.assertEqual(set(self.memory()), {0xc0})

    def test_the_scanout_is_the_screenshot_also_after_blanking(self):
        self.start()
        self.assertIn("legacy commits", self.log())
        before = self.assert_scanout_is_screenshot()
        self.control("set-score home 7")
        self.assertNotEqual(self.assert_scanout_is_screenshot(), before)
        self.assert_frames_in_mid_flip_are_complete()
        lit = self.assert_scanout_is_screenshot()
        self.control("blank")
        self.assertTrue(self.scanout().is_blank())
        self.control("set-score home 41")
        self.control("unblank")
        self.assertNotEqual(self.assert_scanout_is_screenshot(), lit)


class Handover(Panel, unittest.TestCase):
    """The native driver is loaded after the daemon's start, as in many boots."""

    card = "simpledrm"
    config = CLOCK_AND_SCORE

    def get_machine(self):
        # The machine is not shared, because the native driver removes the firmware's frame buffer.
        if not hasattr(self, "own"):
            self.own = Machine(self.card)
            self.addCleanup(self.own.close)
        return self.own

    @unittest.skipUnless("simpledrm" in CARDS, "not in FLIPCLOCK_VM_CARDS")
    def test_the_picture_moves_to_the_native_driver(self):
        self.start()
        self.assertIn("is the firmware's framebuffer; waiting briefly for the native driver", self.log())
        self.assertEqual(self.status()["outputs"][0]["driver"], "simpledrm")
        self.control("set-score home 7")
        self.assert_scanout_is_screenshot()
        # The module is loaded during a flip animation.
        self.machine.run("flipclockctl set-score guest 88; usleep 100000; load bochs")
        status = self.machine.wait_for("the native driver", self.native, 20)
        self.assertNotEqual(status["outputs"][0]["mode"].split("@")[0], f"{WIDTH}x{HEIGHT}")
        self.scanout = self.machine.screendump
        self.assert_scanout_is_screenshot()
        self.assertEqual((self.score(), self.score("guest")), (7, 88))
        self.assertTrue(self.is_alive())
        self.assertEqual(self.signal("TERM"), 0)
        self.machine.pause(0.5)
        self.assertEqual(self.machine.console(), ("text", "auto", 1))

    def native(self):
        status = self.status()
        return status if status["outputs"] and status["outputs"][0]["driver"] == "bochs-drm" else None
