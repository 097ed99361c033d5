# SPDX-License-Identifier: Apache-2.0
"""Frames on virtual time, the preview in a terminal, and the cost of an unchanged picture."""

import datetime
import fcntl
import hashlib
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest
import zoneinfo

from EndToEnd.daemon import CONTROL, DAEMON, DaemonTestCase, environment

sys.dont_write_bytecode = True


class Render(DaemonTestCase):
    """`flipclockd render`."""

    def render(self, *options, out="frames", check=True):
        directory = self.directory / out
        result = subprocess.run(
            [DAEMON, "render", "--config", self.config, "--size", "480x320", "--at", "2026-11-20T09:59:59Z", "--fps", "20",
             "--frames", "50", "--out", directory, *options],
            capture_output=True, text=True, timeout=120, env=environment(), check=False)
        if check:
            self.assertEqual(result.returncode, 0, result.stderr)
            return [hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(directory.iterdir())]
        return result

    def test_the_same_input_gives_the_same_bytes(self):
        first = self.render("--event", "0.5 set-score home 3")
        self.assertEqual(len(first), 50)
        self.assertEqual(first, self.render("--event", "0.5 set-score home 3", out="again"))
        self.assertNotEqual(first, self.render("--event", "0.5 set-score home 4", out="other"))

    def test_the_machines_time_zone_is_ignored_and_the_given_one_is_used(self):
        def frames(zone, *options):
            out = f"{zone}{options}".replace("/", "-")
            result = subprocess.run(
                [DAEMON, "render", "--config", self.config, "--size", "480x320", "--at", "2026-11-20T09:59:59Z",
                 "--frames", "2", "--out", self.directory / out, *options],
                capture_output=True, text=True, timeout=120, env=environment(TZ=zone), check=False)
            self.assertEqual(result.returncode, 0, result.stderr)
            return [path.read_bytes() for path in sorted((self.directory / out).iterdir())]

        zones = ("UTC", "Europe/Berlin", "Asia/Tokyo", "America/St_Johns", "EST5EDT", "nonsense")
        self.assertEqual(len({tuple(frames(zone)) for zone in zones}), 1)
        tokyo = {tuple(frames(zone, "--zone", "Asia/Tokyo")) for zone in zones}
        self.assertEqual(len(tokyo), 1)
        self.assertNotEqual(tokyo, {tuple(frames("UTC"))})
        self.assertEqual(self.render("--zone", "Asia/Tokio", check=False).returncode, 64)

    def test_the_zone_of_the_config_is_that_of_the_whole_picture(self):
        """Also of the refresh of [burn-in], the schedule and countdowns, on both sides of a change to summer time."""
        text = ("[burn-in]\nrefresh = \"{0}:30\"\nrefresh-duration = \"10s\"\n"
                "[schedule.dim]\nfrom = \"{0}:30\"\nto = \"{0}:31\"\nbrightness = \"40%\"\n"
                "[widgets.clock]\ntype = \"flip-clock\"\n[widgets.doors]\ntype = \"timer\"\nsource = \"countdown\"\n"
                "until = {1}T12:00:00\n")
        for zone in ("Europe/Zurich", "America/New_York", "Asia/Tokyo"):
            for date in ("2026-03-28", "2026-03-30"):
                hour = datetime.datetime.fromisoformat(f"{date}T05:29:58+00:00").astimezone(zoneinfo.ZoneInfo(zone)).hour
                frames = []
                for chosen in ("", f"[locale]\nzone = \"{zone}\"\n"):
                    self.config.write_text(chosen + text.format(f"{hour:02}", date))
                    options = ["--at", f"{date}T05:29:58Z", "--fps", "2", "--frames", "14"]
                    if not chosen:
                        options += ["--zone", zone]
                    frames.append(self.render(*options, out=f"{zone}{date}{bool(chosen)}".replace("/", "-")))
                self.assertEqual(*frames)
                # The refresh has begun.
                self.assertGreater(len(set(frames[0])), 4, (zone, date))

    def test_events_can_do_everything_that_keys_can(self):
        still = self.render("--frames", "12")
        for event in ("set home name LIONS", "message HELLO --for 2s", "blank", "brightness 30%", "add-score home +1"):
            with self.subTest(event):
                out = event.replace(" ", "-")
                frames = self.render("--frames", "12", "--event", f"0.2 {event}", out=out)
                self.assertEqual(frames[:4], still[:4])
                self.assertNotEqual(frames[-1], still[-1])
        undone = self.render("--frames", "30", "--event", "0.1 set home name LIONS", "--event", "0.5 undo", out="undone")
        self.assertEqual(undone[-1], self.render("--frames", "30", out="rest")[-1])

    def test_the_hour_changes_at_its_second_and_then_rests(self):
        frames = self.render()
        self.assertEqual(len(set(frames[:20])), 1, "nothing moves before the hour")
        self.assertGreater(len(set(frames[20:36])), 12, "the flaps are in flight")
        self.assertEqual(len(set(frames[36:])), 1, "nothing moves once they have landed")
        self.assertNotEqual(frames[0], frames[-1])

    def test_an_event_has_no_effect_before_its_time(self):
        frames = self.render("--event", "0.2 add-score guest +1")
        self.assertEqual(len(set(frames[:5])), 1)
        self.assertGreater(len(set(frames[5:14])), 7)

    def test_bad_arguments_have_their_exit_status(self):
        for options, code in [(("--event", "soon set-score home 3"), 64), (("--event", "1 set-score nobody 3"), 64),
                              (("--size", "0x0"), 64), (("--at", "yesterday"), 64), (("--fps", "nan"), 64),
                              (("--out", "/proc/nowhere"), 1)]:
            with self.subTest(options):
                self.assertEqual(self.render(*options, check=False).returncode, code)


class Terminal(DaemonTestCase):
    """The live preview, in a pty."""

    def test_it_draws_follows_the_window_size_and_restores_the_terminal(self):
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        before = termios.tcgetattr(follower)
        process = subprocess.Popen(
            [DAEMON, "--config", self.config, "--display", "terminal", "--socket", self.socket, "--state-dir", self.state],
            stdin=follower, stdout=follower, stderr=follower, start_new_session=True,
            env=environment(TERM="xterm-256color", COLORTERM="truecolor"))
        self.process = process
        self.addCleanup(self.kill)
        self.addCleanup(os.close, leader)
        drawn = self.read(leader, until="▀".encode())
        self.assertIn(b"\x1b[?1049h", drawn)
        self.assertIn(b"\x1b[38;2;", drawn)
        first = self.wait_for("a display", lambda: (self.try_status() or {}).get("outputs"))[0]["mode"]
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 120, 0, 0))
        os.kill(process.pid, signal.SIGWINCH)
        self.drain(leader)
        self.wait_for("new size", lambda: self.drain(leader) or self.status()["outputs"][0]["mode"] != first)
        os.kill(process.pid, signal.SIGINT)
        left = b""
        while process.poll() is None:
            left += self.drain(leader)
        left += self.drain(leader)
        self.assertEqual(process.returncode, 0)
        self.assertIn(b"\x1b[?1049l", left)
        self.assertIn(b"\x1b[?25h", left)
        self.assertEqual(termios.tcgetattr(follower), before)
        os.close(follower)

    def test_a_dumb_terminal_gets_no_escape_sequences(self):
        for arguments in ([DAEMON, "--display", "terminal"], [CONTROL, "score"]):
            with self.subTest(arguments[0]):
                leader, follower = pty.openpty()
                self.addCleanup(os.close, leader)
                done = subprocess.run(
                    [*arguments, "--socket", self.socket], stdin=follower, stdout=follower, stderr=follower, timeout=20,
                    start_new_session=True, check=False, env=environment(TERM="dumb"))
                output = self.drain(leader)
                os.close(follower)
                self.assertEqual(done.returncode, 64, output)
                self.assertIn(b"terminal", output)
                self.assertNotIn(b"\x1b", output)

    def drain(self, leader):
        """Returns everything written so far."""
        data = b""
        while select.select([leader], [], [], 0.1)[0]:
            data += os.read(leader, 65536)
        return data

    def read(self, leader, until):
        data, end = b"", time.monotonic() + 20
        while until not in data and time.monotonic() < end:
            data += self.drain(leader)
        return data


class Idle(DaemonTestCase):
    """The daemon while nothing changes, between two full minutes."""

    @unittest.skipUnless(os.path.exists("/proc/self/stat"), "reads /proc")
    def test_a_clock_without_seconds_does_not_wake_between_minutes(self):
        # Waits until no full minute is near, so that only this test's calls wake the daemon.
        while not 2 < time.time() % 60 < 45:
            time.sleep(0.5)
        self.start()
        self.rest()

        def fill(seconds):
            """Creates and removes directories beside the daemon's."""
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                os.rmdir(tempfile.mkdtemp())
                time.sleep(0.1)
        self.wait_for_sleep(self.process, 5, fill)
