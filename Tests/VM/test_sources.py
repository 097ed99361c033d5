# SPDX-License-Identifier: Apache-2.0
"""Sources of boards under a real systemd: their results reach the board, and none of their failures harms anything."""

import unittest

from VM import debian
from VM.machine import SLOW_PACE
from VM.scenario import CARDS
from VM.service import InstalledService

CONFIG = """
[widgets.time]
type = "flip-clock"
[widgets.hall]
type = "board"
columns = 20
rows = 4
text = "WELCOME"
[layout]
rows = ["time", "hall"]
"""
CONFIG_WITH_SECONDS = CONFIG.replace('type = "flip-clock"', 'type = "flip-clock"\nseconds = true')
SOURCE = "/etc/flipclock/sources/hall"
# What a source that does harm tries. Each line ends with the word that says whether it could.
ATTEMPTS = r"""
if flipclockctl status >/dev/null 2>&1; then echo control YES; else echo control NO; fi
if ls /run/flipclock >/dev/null 2>&1; then echo directory YES; else echo directory NO; fi
if ln -sf /etc/shadow /run/flipclock-source/hall 2>/dev/null; then echo link YES; else echo link NO; fi
if touch /etc/flipclock/x /var/lib/x /var/tmp/../lib/flipclock/x 2>/dev/null; then echo write YES; else echo write NO; fi
"""


class SlowMachine(debian.DebianMachine):
    """A source without end works until its time limit."""

    timing = SLOW_PACE


@unittest.skipUnless("virtio_gpu" in CARDS, "not in FLIPCLOCK_VM_CARDS")
class Sources(InstalledService, unittest.TestCase):
    machine_name = "systemd sources"
    machine_class = SlowMachine
    # Few tests, and long ones: they begin early, also where no times are known.
    usual_seconds = 40

    def setUp(self):
        super().setUp()
        self.addCleanup(
            self.machine.run,
            "systemctl stop 'flipclock-source*'; rm -rf /run/systemd/system/flipclock-source*; systemctl daemon-reload; "
            "systemctl reset-failed", check=False)
        self.machine.push("/etc/flipclock/config.toml", CONFIG)
        self.machine.wait_for("the board", self.board)
        # A text is kept while its widget is not in the config.
        self.control("board hall --clear")
        self.machine.wait_for("the board's own text", lambda: self.board().get("text") == "WELCOME")
        self.machine.run("mkdir -p /etc/flipclock/sources")

    def board(self):
        return next(iter(self.status()["boards"]), {})

    def drop_in(self, unit, text):
        self.machine.push(f"/run/systemd/system/{unit}.d/test.conf", text)
        self.machine.run("systemctl daemon-reload")

    def source(self, script):
        self.machine.push(SOURCE, script)
        self.machine.run(f"chmod 755 {SOURCE}")

    def run_source(self):
        """Runs the source once; returns whether it succeeded."""
        return self.machine.run("systemctl start flipclock-source@hall.service", check=False, timeout=400).status == 0

    def wait_for_problem(self, words):
        self.machine.wait_for(f"the problem '{words}'", lambda: words in self.board().get("problem", ""), 60)

    def test_a_timer_runs_a_source_and_its_output_is_on_the_board(self):
        self.drop_in("flipclock-source@hall.timer", "[Timer]\nOnCalendar=\nOnCalendar=*:*:0/5\nRandomizedDelaySec=0\n")
        self.drop_in("flipclock-source-text@hall.service", '[Service]\nEnvironment="FLIPCLOCK_BOARD_OPTIONS=--stale-after 2h"\n')
        self.source('#!/bin/sh\nprintf "%s\\tZURICH\\nBERN\\n" "$(cat /proc/uptime)"\n')
        self.machine.run("systemctl start flipclock-source@hall.timer")
        self.machine.wait_for("a text", lambda: self.board()["text"].endswith("\tZURICH\nBERN"), 60)
        first = self.board()
        self.machine.wait_for("another text", lambda: self.board()["text"] != first["text"], 60)
        self.assertEqual((first["from"], first.get("problem")), ("source", None))
        self.assertIn("staleFrom", first)
        self.assertIn("hall: 20 × 4, from source, since ", self.control("status").text)

    def test_a_source_has_no_rights(self):
        self.source(f"#!/bin/sh\n{ATTEMPTS}")
        self.assertTrue(self.run_source())
        self.machine.wait_for("the text", lambda: self.board()["text"] != "WELCOME", 60)
        self.assertEqual(self.board()["text"].split("\n"), ["control NO", "directory NO", "link NO", "write NO"])

    def test_what_fails_keeps_the_text_and_is_in_the_status(self):
        self.source("#!/bin/sh\necho 12:30 ZURICH\n")
        self.assertTrue(self.run_source())
        self.machine.wait_for("the text", lambda: self.board()["text"] == "12:30 ZURICH", 60)
        failures = (
            ("#!/bin/sh\necho HALF\nexit 7\n", "exit status 7"),
            ("#!/bin/sh\necho HALF\nsleep 1000\n", "did not end in time"),
            # Neither the program nor what it has started may ignore the time limit.
            ("#!/bin/sh\ntrap '' TERM\nsleep 1000 & while :; do sleep 1; done\n", "did not end in time"),
            ("#!/bin/sh\nexec yes\n", "prints too much"),
            ("#!/bin/sh\nyes\n", "prints too much"),
            ("#!/bin/sh\ntrap '' XFSZ\nwhile :; do yes 2>/dev/null; done\n", "did not end in time"),
            ("#!/bin/sh\nhead -c 1000000 /dev/zero | tr '\\0' x\n", "the limit is 32768 bytes"),
            ("#!/bin/sh\nprintf 'caf\\351'\n", "not UTF-8"),
            ("#!/bin/sh\nkill -SEGV $$\n", "SEGV"),
            ("#!/bin/sh\nhead -c 300m /dev/zero | tail\n", "too much memory"),
            ("#!/does/not/exist\n", "missing or not executable"),
            ("not a program", "missing or not executable"),
        )
        for script, words in failures:
            with self.subTest(script):
                # What ends by itself has enough time on a busy host.
                limit = "3s" if "in time" in words else "5min"
                self.drop_in("flipclock-source@hall.service", f"[Service]\nTimeoutStartSec={limit}\n")
                self.source(script)
                self.run_source()
                self.wait_for_problem(words)
                self.assertEqual(self.board()["text"], "12:30 ZURICH")
        self.machine.run(f"chmod 644 {SOURCE}")
        self.run_source()
        self.wait_for_problem("missing or not executable")
        self.machine.run(f"rm {SOURCE}")
        self.run_source()
        self.wait_for_problem("missing or not executable")
        self.assertEqual(self.machine.run("pgrep -x -c 'sleep|yes'", check=False).text, "0")
        # What a source has printed takes no more memory than its limit.
        self.assertLessEqual(int(self.machine.run("du -sk /run/flipclock-source | cut -f 1").text), 1024)
        self.source("#!/bin/sh\necho 13:00 BERN\n")
        self.assertTrue(self.run_source())
        self.machine.wait_for("the text", lambda: self.board()["text"] == "13:00 BERN", 60)
        self.assertNotIn("problem", self.board())

    def test_a_source_that_prints_without_end_does_not_delay_the_clock(self):
        def frames(seconds=10):
            """How many frames the clock's flips have in so many seconds, and which seconds it shows meanwhile."""
            before, shown = self.status(), set()
            for _ in range(2 * seconds):
                self.machine.run("sleep 0.5")
                shown.add(self.status()["widgets"]["time"]["text"])
            first, last = (status["outputs"][0] for status in (before, self.status()))
            return last["framesPresented"] - first["framesPresented"], last["flipsMissed"] - first["flipsMissed"], len(shown)

        self.machine.push("/etc/flipclock/config.toml", CONFIG_WITH_SECONDS)
        self.machine.wait_for("the seconds", lambda: self.time_text().count(":") == 2)
        self.drop_in("flipclock-source@hall.timer", "[Timer]\nOnCalendar=\nOnCalendar=*:*:*\nRandomizedDelaySec=0\n")
        # Instead of the unit's minute, all of which would be the host's work.
        self.drop_in("flipclock-source@hall.service", "[Service]\nTimeoutStartSec=12s\n")
        self.source("#!/bin/sh\nwhile :; do yes; done\n")
        calm, memory = frames(), self.status()["cost"]["residentBytes"]
        self.machine.run("systemctl start flipclock-source@hall.timer")
        # Each `yes` ends soon, at the limit of what a source may print; the script that starts them stays.
        self.machine.wait_for("the source", lambda: self.machine.show("MainPID", "flipclock-source@hall.service") != "0", 60)
        busy = frames()
        print(f"frames, flips missed and seconds shown in ten seconds: {calm}, with a source that prints without end {busy}")
        self.assertGreaterEqual(busy[2], 10)
        self.assertGreater(busy[0], calm[0] / 2)
        self.wait_for_problem("in time")
        self.machine.run("systemctl stop flipclock-source@hall.timer flipclock-source@hall.service")
        self.assertLess(self.status()["cost"]["residentBytes"], memory + (4 << 20))
        self.wait_for_picture()
