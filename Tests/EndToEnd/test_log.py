# SPDX-License-Identifier: Apache-2.0
"""A log that nothing reads, and how often something is logged."""

import fcntl
import os
import signal
import subprocess

from EndToEnd.daemon import DAEMON, DaemonTestCase, environment


class StalledLog(DaemonTestCase):
    """Standard error is a small pipe that nothing reads."""

    def test_the_clock_goes_on_and_says_later_what_is_missing(self):
        reader, writer = os.pipe()
        self.addCleanup(os.close, reader)
        fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
        self.config.write_text("oops = 1\n")
        self.process = subprocess.Popen(
            [DAEMON, "--config", self.config, "--display", "headless", "--size", self.size, "--socket", self.socket,
             "--state-dir", self.state],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=writer, env=environment())
        self.addCleanup(self.kill)
        self.wait_for("a picture", lambda: (self.try_status() or {}).get("outputs"))
        for score in range(200):
            self.replace_config(f"oops = {score}\n")
            self.control("reload")
        self.control("set-score", "home", "7")
        self.assertEqual(self.scores()["home"], 7)
        os.set_blocking(reader, False)
        text = os.read(reader, 1 << 16)
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(40)
        os.close(writer)
        rest = os.read(reader, 1 << 16).decode()
        self.assertIn("oops", text.decode())
        self.assertRegex(rest, r"\d+ messages are missing here: the log was not read\n.*stopping: received SIGTERM")


class Repetitions(DaemonTestCase):
    """What is logged once."""

    def lines(self, word):
        return [line for line in self.log.read_text().splitlines() if word in line]

    def test_an_edit_with_a_reload_is_logged_once_with_its_warning(self):
        self.start()
        self.replace_config("oops = 1\n")
        self.control("reload")
        self.wait_for("the reload", lambda: self.status()["config"]["lastReload"]["warnings"])
        self.control("reload")
        self.config.touch()
        self.config.chmod(0o644)
        self.config.chmod(0o600)
        self.replace_config("oops = 1\n")
        # If a second reload followed, it would have begun before a later edit is read.
        self.replace_config("[game]\npreset = \"free\"\n")
        self.wait_for("the reload", lambda: not self.status()["config"]["lastReload"]["warnings"])
        self.assertEqual(len(self.lines("oops")), 2, self.lines(""))  # The warning and its line of the file.
        self.assertEqual(len(self.lines("config reloaded")), 2)
        self.assertRegex(self.lines("config reloaded")[0], r"^flipclockd: (flipclockctl \(process \d+, user \w+\): )?config")
