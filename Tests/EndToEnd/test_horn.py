# SPDX-License-Identifier: Apache-2.0
"""flipclock-horn with ALSA devices that need no hardware."""

import array
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import threading
import time
import unittest

from EndToEnd.daemon import PROJECT, DaemonTestCase, environment
from EndToEnd.pace import Pace
from EndToEnd.process import memory

HORN = PROJECT / ".build/release/flipclock-horn"
PLUGIN = pathlib.Path(__file__).with_name("alsa") / "paced.c"
# Bytes per frame, and frames of the two sounds.
FRAME, PERIOD, SHOT = 4, 86_400, 33_600
CONFIG = """
[game]
preset = "basketball"

[widgets.time]
type = "flip-clock"

[horn]
on = true
device = "card"
"""


def boottime():
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class HornTestCase(DaemonTestCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.plugin = PROJECT / ".build" / f"paced-{os.getpid()}.so"
        compiler = shutil.which("gcc") or shutil.which("clang")
        assert compiler, "neither gcc nor clang found; run: scripts/setup build"
        subprocess.run(
            [compiler, "-shared", "-fPIC", "-DPIC", "-O1", "-o", str(cls.plugin), str(PLUGIN), "-lasound"], check=True)
        cls.addClassCleanup(cls.plugin.unlink)

    def setUp(self):
        super().setUp()
        self.config.write_text(CONFIG)
        self.tape = self.directory / "tape"
        self.alsa = self.directory / "alsa.conf"
        self.horn_log = self.directory / "horn.log"
        self.horn = None
        self.write_alsa()

    def write_alsa(self, fault="", after=0, has_card=True):
        lines = [
            'pcm.silent { type null }',
            f'pcm.file {{ type file slave.pcm silent file "{self.tape}" format raw }}',
            f'pcm_type.paced {{ lib "{self.plugin}" }}',
        ]
        if has_card:
            lines.append(f'pcm.card {{ type paced file "{self.tape}" fault "{fault}" after {after} }}')
        self.alsa.write_text("\n".join(lines) + "\n")

    def start_horn(self):
        with open(self.horn_log, "ab") as log:
            self.horn = subprocess.Popen(
                [HORN, "--socket", self.socket], stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, env=environment(ALSA_CONFIG_PATH=str(self.alsa)))
        self.addCleanup(self.stop_horn)
        self.wait_for("the horn", lambda: self.logged("the daemon is connected"))

    def stop_horn(self):
        if self.horn.poll() is None:
            self.horn.send_signal(signal.SIGTERM)
        return self.horn.wait(10)

    def logged(self, text):
        return text in self.horn_log.read_text(errors="replace")

    def begin(self, device="card"):
        self.config.write_text(self.config.read_text().replace('"card"', f'"{device}"'))
        self.start()
        self.start_horn()

    def frames(self):
        return self.tape.stat().st_size // FRAME if self.tape.exists() else 0

    def run_clock(self, seconds, *options):
        """Sets a clock to this time, and starts it."""
        self.control("timer", "set", f"0:{seconds:04.1f}" if seconds % 1 else f"0:{seconds:02}", *options)
        self.control("timer", "start")

    def watch_clock(self):
        """Returns a function that returns when the running game clock ends, computed from the daemon's last
        state."""
        client = self.connect()
        client.sendall(b'{"method":"org.flipclock.Control.Subscribe","more":true}\0')
        ends = []

        def read():
            buffer = b""
            while True:
                try:
                    data = client.recv(65536)
                except OSError:
                    return
                if not data:
                    return
                buffer += data
                now = boottime()
                *messages, buffer = buffer.split(b"\0")
                for message in messages:
                    timer = json.loads(message)["parameters"]["state"]["timers"]["game"]
                    if timer["running"] and "limit" in timer:
                        ends.append(now + abs(timer["milliseconds"] - timer["limit"]) / 1000)

        threading.Thread(target=read, daemon=True).start()
        return lambda: ends[-1]

    def first_growth(self, seconds, size=0):
        """Waits until more than `size` frames are recorded, and returns the time."""
        end = boottime() + seconds
        while boottime() < end:
            if self.frames() > size:
                return boottime()
            time.sleep(0.0005)
        self.fail(f"no sound within {seconds} s; the log:\n{self.horn_log.read_text()}")
        return None

    def assert_prompt(self, start, count):
        """Runs the clock `count` times from `start` to its end, which comes after two seconds. No sound may
        begin early. Single ones may be late, because other programs use the processors, too. Returns how many sounds
        there were."""
        clock = self.watch_clock()
        delays, sounds = [], 0
        with Pace() as pace:
            while len(delays) < count:
                size = self.frames()
                self.control("timer", "set", start)
                begin = boottime()
                self.control("timer", "start")
                # On a busy machine the command may return after the end.
                is_watched = boottime() < begin + 2
                begun = self.first_growth(5, size)
                if is_watched:
                    delays.append(begun - clock())
                sounds += 1
                self.wait_for("the whole sound", lambda size=size: self.frames() == size + PERIOD)
                self.control("timer", "reset")
        print(f"\n  from the clock's end to the sound: {', '.join(f'{1000 * delay:.1f} ms' for delay in delays)}")
        # The test notices both the end of the clock and the beginning of the sound late.
        self.assertGreater(min(delays), -0.005 - pace.allowance(2, 1))
        self.assertLess(statistics.median(delays), 0.02 + pace.allowance(3, 0.99))
        self.assertLess(max(delays), 0.2 + pace.allowance(3, 1))
        return sounds


class SoundTests(HornTestCase):
    def test_the_sound_begins_at_the_end(self):
        self.begin()
        sounds = self.assert_prompt("0:02", 5)
        self.assertEqual(self.frames(), sounds * PERIOD)
        samples = array.array("h", self.tape.read_bytes()[:PERIOD * FRAME])
        self.assertEqual(samples[0::2], samples[1::2])
        self.assertTrue(28_000 < max(map(abs, samples)) < 32_767)
        self.assertEqual(self.horn_log.read_text().count("end of the period"), sounds)
        self.assertEqual(self.stop_horn(), 0)

    def test_the_file_device_gets_the_same(self):
        self.begin(device="file")
        self.run_clock(2)
        begun = self.first_growth(5)
        self.assertIsNotNone(begun)
        self.wait_for("the whole sound", lambda: self.frames() == PERIOD)

    def test_a_clock_that_counts_up(self):
        self.config.write_text(CONFIG.replace('"basketball"', '"handball"'))
        self.begin()
        sounds = self.assert_prompt("29:58", 3)
        self.assertEqual(self.frames(), sounds * PERIOD)

    def test_the_shot_clock_has_its_own_sound(self):
        self.begin()
        self.run_clock(1, "--shot")
        self.wait_for("the buzzer", lambda: self.frames() == SHOT)
        time.sleep(1)
        self.assertEqual(self.frames(), SHOT)
        with self.subTest("both clocks end at once"):
            self.control("timer", "pause")
            self.control("timer", "set", "0:02")
            self.control("timer", "set", "0:02", "--shot")
            self.control("timer", "start")
            self.wait_for("the horn", lambda: self.frames() == SHOT + PERIOD)
            time.sleep(1)
            self.assertEqual(self.frames(), SHOT + PERIOD)

    def test_a_pause_a_new_time_and_undo_are_silent(self):
        self.begin()
        for change in (["timer", "pause"], ["timer", "set", "0:00"], ["timer", "add", "5:00"], ["undo"],
                       ["set", "period", "+1"]):
            with self.subTest(change=change):
                self.change_before_the_end(*change)
                self.assertEqual(self.frames(), 0)
                self.control("new-game")

    def change_before_the_end(self, *change):
        """Changes a running clock before its end, and waits until that would have been. On a busy machine the clock
        may end before the horn knows the change, with a sound; then the same is done with a slower clock."""
        seconds = 1.5
        while True:
            with Pace() as pace:
                begin = time.monotonic()
                self.run_clock(seconds)
                end = time.monotonic() + seconds
                time.sleep(seconds * 0.6)
                self.control(*change)
                changed = time.monotonic()
                time.sleep(max(end + 0.6 - changed, 0))
            if changed + pace.allowance(5, 1) < begin + seconds:
                return
            time.sleep(3)
            self.control("new-game")
            self.tape.unlink(missing_ok=True)
            seconds *= 2

    def test_settings_are_followed_at_once(self):
        self.config.write_text(CONFIG.replace("on = true", ""))
        self.start()
        self.start_horn()
        self.run_clock(1)
        time.sleep(1.5)
        self.assertEqual(self.frames(), 0)
        self.wait_for_sleep(self.horn, 2)
        with self.subTest("switched on while the clock runs"):
            self.control("timer", "reset")
            self.run_clock(5)
            self.control("settings", "set", "horn.on", "true")
            self.wait_for("the horn", lambda: self.frames() == PERIOD)
        with self.subTest("the volume"):
            loudest = max(map(abs, array.array("h", self.tape.read_bytes())))
            self.control("settings", "set", "horn.volume", "20%")
            self.tape.unlink()
            self.control("timer", "reset")
            self.run_clock(1)
            self.wait_for("the horn", lambda: self.frames() == PERIOD)
            self.assertAlmostEqual(max(map(abs, array.array("h", self.tape.read_bytes()))) / loudest, 0.2, delta=0.01)
        with self.subTest("switched off during the sound"):
            is_early = False
            # On a busy machine the sound may end before the horn knows of the change.
            while not is_early:
                self.control("settings", "set", "horn.on", "true")
                self.tape.unlink()
                self.control("timer", "reset")
                self.run_clock(1)
                with Pace() as pace:
                    self.wait_for("the sound's beginning", lambda: self.frames() > 0)
                    begun = time.monotonic()
                    self.control("settings", "set", "horn.on", "false")
                    changed = time.monotonic()
                    time.sleep(2.5)
                is_early = changed + pace.allowance(5, 1) < begun + 1.5
            self.assertLess(self.frames(), PERIOD)
        with self.subTest("a device that a file names, and that does not exist"):
            self.config.write_text(CONFIG.replace('"card"', '"nowhere"'))
            self.control("reload")
            self.wait_for("a message", lambda: self.logged("cannot open the sound device 'nowhere'"))

    def test_the_past_is_silent(self):
        self.start()
        self.run_clock(1)
        time.sleep(1.3)
        self.start_horn()
        with self.subTest("an end before the start"):
            time.sleep(1)
            self.assertEqual(self.frames(), 0)
        with self.subTest("a reload"):
            self.control("reload")
            time.sleep(0.5)
            self.assertEqual(self.frames(), 0)
        with self.subTest("a killed daemon"):
            self.control("timer", "reset")
            self.run_clock(4)
            self.kill()
            time.sleep(5)
            self.start()
            self.wait_for("the daemon", lambda: self.horn_log.read_text().count("daemon is connected") == 2)
            time.sleep(1.5)
            self.assertEqual(self.frames(), 0)
        with self.subTest("afterwards it sounds"):
            self.control("timer", "reset")
            self.run_clock(1)
            self.wait_for("the horn", lambda: self.frames() == PERIOD)

    def test_rest_costs_nothing(self):
        self.begin()
        self.run_clock(1)
        self.wait_for("the horn", lambda: self.frames() == PERIOD)
        self.wait_for_sleep(self.horn, 10)
        print(f"\n  at rest: {memory(self.horn, 'VmRSS')} KiB")
        maps = pathlib.Path(f"/proc/{self.horn.pid}/fd")
        self.assertFalse([path for path in maps.iterdir() if os.readlink(path) == str(self.tape)])
        with self.subTest("while a clock runs"):
            self.control("timer", "reset")
            self.control("timer", "start")
            self.wait_for_sleep(self.horn, 5)


class FaultTests(HornTestCase):
    def sound(self):
        self.control("timer", "reset")
        self.run_clock(1)

    def test_the_whole_sound_in_spite_of_an_underrun_a_suspend_or_a_slow_device(self):
        for fault in ("xrun", "suspend", "slow"):
            with self.subTest(fault=fault):
                self.write_alsa(fault, 20_000)
                self.tape.unlink(missing_ok=True)
                self.begin()
                self.sound()
                self.wait_for("the whole sound", lambda: self.frames() == PERIOD)
                self.assertFalse(self.logged("cannot"))
                self.stop_horn()
                self.stop()
                self.horn_log.unlink()

    def test_a_missing_device_is_logged_once_and_tried_again(self):
        self.write_alsa(has_card=False)
        self.begin()
        for _ in range(3):
            self.sound()
            time.sleep(1.3)
        self.assertEqual(self.horn_log.read_text().count("cannot open the sound device 'card'"), 1)
        self.write_alsa()
        self.sound()
        self.wait_for("the horn", lambda: self.frames() == PERIOD)
        self.assertTrue(self.logged("works again"))

    def test_a_busy_device_is_logged_once_and_tried_again(self):
        self.write_alsa("busy")
        self.begin()
        for _ in range(2):
            self.sound()
            time.sleep(1.3)
        log = self.horn_log.read_text()
        self.assertEqual(log.count("cannot open the sound device 'card': Device or resource busy; stop the program"), 1)
        self.write_alsa()
        self.sound()
        self.wait_for("the horn", lambda: self.frames() == PERIOD)

    def test_an_unplugged_device_is_used_when_it_returns(self):
        self.write_alsa("unplug", 20_000)
        self.begin()
        self.sound()
        self.wait_for("a message", lambda: self.logged("No such device"))
        self.assertIsNone(self.horn.poll())
        self.write_alsa()
        self.tape.unlink()
        self.sound()
        self.wait_for("the horn", lambda: self.frames() == PERIOD)

    def test_a_device_that_hangs_is_given_up(self):
        self.write_alsa("hang", 20_000)
        self.begin()
        self.sound()
        self.wait_for("a message", lambda: self.logged("timed out"))
        self.wait_for_sleep(self.horn, 3)


class CommandLineTests(HornTestCase):
    def run_horn(self, *words):
        return subprocess.run(
            [HORN, *words], capture_output=True, text=True, timeout=20, check=False,
            env=environment(ALSA_CONFIG_PATH=str(self.alsa)))

    def test_command_line(self):
        self.assertRegex(self.run_horn("--help").stdout, "(?m)^USAGE: flipclock-horn")
        self.assertRegex(self.run_horn("--version").stdout, r"^flipclock-horn \d")
        wrong = self.run_horn("--volume", "11%%")
        self.assertEqual((wrong.returncode, wrong.stdout), (64, ""))
        self.assertEqual(self.run_horn("--play", "shot", "--device", "file").returncode, 0)
        self.assertEqual(self.frames(), SHOT)
        missing = self.run_horn("--play", "shot", "--device", "nowhere")
        self.assertEqual(missing.returncode, 1)
        self.assertRegex(missing.stderr, "cannot open the sound device 'nowhere': .*--device")


if __name__ == "__main__":
    unittest.main()
