# SPDX-License-Identifier: Apache-2.0
"""The test machine itself and the helpers that the scenarios use, without the daemon."""

import time
import unittest

from VM import picture
from VM.archive import Archive
from VM.scenario import CARDS, Guest, shared_machine


class PictureFiles(unittest.TestCase):
    """Writing PNG, reading it with each row filter, and comparing pictures."""

    def gradient(self):
        """Returns a picture of 5 by 4 pixels, no two of them equal."""
        return picture.Picture(5, 4, bytes((7 * i * i + 3 * i) % 256 for i in range(60)))

    def test_a_written_png_reads_back(self):
        self.assertEqual(picture.from_png(self.gradient().png()), self.gradient())

    def test_every_row_filter_is_undone(self):
        # One row for each filter, computed with the specification's formulas.
        wanted = self.gradient().rgb + self.gradient().rgb[:15]
        rows = [wanted[15 * y:15 * y + 15] for y in range(5)]
        filtered = b""
        for kind, row in enumerate(rows):
            up = rows[kind - 1] if kind else bytes(15)
            filtered += bytes([kind])
            for x in range(15):
                left, corner = (row[x - 3], up[x - 3]) if x >= 3 else (0, 0)
                near = min((left, up[x], corner), key=lambda value, p=left + up[x] - corner: abs(p - value))
                filtered += bytes([(row[x] - (0, left, up[x], (left + up[x]) // 2, near)[kind]) % 256])
        self.assertEqual(bytes(picture._unfiltered(filtered, 15, 5, 3)), wanted)

    def test_a_difference_has_count_and_position(self):
        other = bytearray(self.gradient().rgb)
        other[3 * 7] ^= 1
        other[3 * 18] ^= 1
        found = self.gradient().difference(picture.Picture(5, 4, other))
        self.assertIn("2 pixels differ, within x 2…3, y 1…3", found)
        self.assertIsNone(self.gradient().difference(self.gradient()))

    def test_a_damaged_png_is_rejected(self):
        data = bytearray(self.gradient().png())
        data[-20] ^= 1
        with self.assertRaises(ValueError):
            picture.from_png(bytes(data))


class Archives(unittest.TestCase):
    """The archive format that the kernel unpacks."""

    def test_parents_come_before_children_and_once(self):
        archive = Archive()
        archive.file("a/b/c", b"12345")
        archive.file("a/b/d", b"")
        names = [part[110:part.index(b"\0", 110)].decode() for part in archive._parts]
        self.assertEqual(names, ["a", "a/b", "a/b/c", "a/b/d"])
        self.assertTrue(all(len(part) % 4 == 0 for part in archive._parts))


class DisplayDouble(Guest):
    """A display in the order of events of KMS: a frame is on it at once, in the screenshots after its vblank, and
    counted from then on. Calls take time, so frames fall between any two of them."""

    card = "double"
    VBLANK = 16

    def __init__(self, frames, case):
        self.frames, self.now = frames, 0
        self.machine, self.assertFalse = self, case.assertFalse

    def drawn(self, before):
        """Returns how many frames began at or before a time."""
        return 1 + sum(frame <= before for frame in self.frames)

    def passes(self, milliseconds):
        self.now += milliseconds
        return self.now

    def statuses(self, milliseconds, check=True):
        replies = []
        for wait in (1, milliseconds):
            count = self.drawn(self.passes(wait) - self.VBLANK)
            replies.append({"outputs": [{"connector": "X", "mode": "1x1", "framesPresented": count}]})
        return replies

    def wait_for(self, what, condition, timeout=30):
        """That of the machine. Frames end, so the picture is at rest at last."""
        while not (answer := condition()):
            pass
        return answer

    def shot_of(self, number):
        return picture.Picture(2, 1, bytes([number] * 3 + [0] * 3))

    def screenshot(self, output=None):
        # It waits for the frame in flight.
        while self.drawn(self.now) != self.drawn(self.now - self.VBLANK):
            self.passes(1)
        taken = self.shot_of(self.drawn(self.now))
        self.passes(3)
        return taken

    def scanout(self):
        taken = self.shot_of(self.drawn(self.now))
        self.passes(3)
        return taken

    def fail(self, message):
        raise AssertionError(message)


class Comparisons(unittest.TestCase):
    """The comparison of screenshot and scanout while animations begin and end at any time."""

    def test_a_frame_at_any_moment_is_no_difference(self):
        for begin in range(1200):
            for frames in (1, 2, 30):
                double = DisplayDouble([begin + 16 * number for number in range(frames)], self)
                with self.subTest(begin=begin, frames=frames):
                    double.assert_scanout_is_screenshot()

    def test_a_real_difference_is_found(self):
        double = DisplayDouble([], self)
        double.scanout = lambda: double.shot_of(7)
        with self.assertRaises(AssertionError):
            double.assert_scanout_is_screenshot()


class VirtioMachine(unittest.TestCase):
    """The machine with virtio-gpu: its screendumps, and the transfer of files and results."""

    card = "virtio_gpu"

    @unittest.skipUnless("virtio_gpu" in CARDS, "not in FLIPCLOCK_VM_CARDS")
    def test_the_screendump_is_what_the_card_scans_out(self):
        machine = shared_machine(self.card)
        machine.run("kms rate /dev/dri/card0 2; echo here we are >/dev/tty1; usleep 500000")
        dump = machine.screendump()
        self.assertFalse(dump.is_blank())
        self.assertIsNone(dump.difference(machine.framebuffer()))
        machine.qmp.execute("screendump", filename=str(machine.work / "screen.png"), format="png")
        self.assertEqual(picture.from_png((machine.work / "screen.png").read_bytes()), dump)

    @unittest.skipUnless("virtio_gpu" in CARDS, "not in FLIPCLOCK_VM_CARDS")
    def test_files_and_results_are_transferred_unchanged(self):
        machine = shared_machine(self.card)
        contents = bytes(range(256)) * 20
        machine.push("/tmp/with a space", contents)
        self.assertEqual(machine.pull("/tmp/with a space"), contents)
        result = machine.run("echo out; echo err >&2; exit 3", check=False)
        self.assertEqual((result.status, result.text, result.error_text), (3, "out", "err"))


class VkmsMachine(unittest.TestCase):
    """The machine with vkms."""

    card = "vkms"

    @unittest.skipUnless("vkms" in CARDS, "not in FLIPCLOCK_VM_CARDS")
    def test_vkms_runs_at_60_hertz_and_reports_the_computed_crc(self):
        machine = shared_machine(self.card)
        hertz, flips, vblanks, mode = machine.run("kms rate /dev/dri/card0 120").text.split()
        print(f"vkms: {hertz} Hz in {mode}, {flips} flips in {vblanks} vblanks")
        self.assertAlmostEqual(float(hertz), 60, delta=0.1)
        machine.run("echo here we are >/dev/tty1; usleep 500000")
        memory = machine.framebuffer()
        self.assertFalse(memory.is_blank())
        self.assertEqual(set(machine.crcs()), {memory.vkms_crc()})


@unittest.skipUnless("vkms" in CARDS, "not in FLIPCLOCK_VM_CARDS")
class VirtualTime(unittest.TestCase):
    card = "vkms"
    virtual_time = True

    def test_the_clock_of_an_idle_guest_does_not_run_away(self):
        machine = shared_machine(self.card, self.virtual_time)

        def uptime():
            return float(machine.run("cut -d ' ' -f 1 /proc/uptime").text)

        before, begin = uptime(), time.monotonic()
        # As if this program waited for a processor after a command, before it stops the machine.
        machine.qmp.execute("cont")
        time.sleep(0.5)
        machine.qmp.execute("stop")
        self.assertLess(uptime() - before, 1 + 2 * (time.monotonic() - begin))
