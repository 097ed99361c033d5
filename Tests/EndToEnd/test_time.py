# SPDX-License-Identifier: Apache-2.0
"""Time zones that change while the daemon runs, and the clock of the match."""

import datetime
import json
import pathlib
import re
import shutil
import subprocess
import time
import unittest
import zoneinfo

from EndToEnd.daemon import DaemonTestCase
from EndToEnd.pace import Pace
from EndToEnd.test_match import MatchTestCase

ZONES = pathlib.Path("/usr/share/zoneinfo")

# The zones in these tests never change to summer time.
WORLD = """
[widgets.here]
type = "flip-clock"

[widgets.world]
type = "world-clock"
cities = ["Test/City", "UTC"]
"""


def time_in(hours):
    """Returns the times of day that a clock may show now, with this offset from UTC."""
    now = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=hours)
    return {(now - datetime.timedelta(seconds=late)).strftime("%H:%M") for late in (0, 2)}


@unittest.skipUnless((ZONES / "Asia/Tokyo").exists(), "needs tzdata")
class Zones(DaemonTestCase):
    """A package upgrade replaces the files of the zones that are shown."""

    def setUp(self):
        super().setUp()
        self.config.write_text(WORLD)
        self.zones = self.directory / "zoneinfo"
        (self.zones / "Test").mkdir(parents=True)
        shutil.copy(ZONES / "UTC", self.zones / "UTC")
        for name in ("City", "Home"):
            shutil.copy(ZONES / "Asia/Tokyo", self.zones / "Test" / name)

    def install(self, zone, name):
        """Replaces a zone file like dpkg."""
        fresh = self.zones / "Test" / f"{name}.dpkg-new"
        shutil.copy(ZONES / zone, fresh)
        fresh.rename(self.zones / "Test" / name)

    def text(self, widget):
        return self.status()["widgets"][widget]["text"]

    def start_here(self):
        self.start(TZ="Test/Home", TZDIR=str(self.zones))

    def assert_shown(self, home, city):
        """Asserts that these offsets from UTC are shown, after a while."""
        def shown():
            return self.text("here") in time_in(home) and any(
                f"CITY {text}" in self.text("world") for text in time_in(city))
        self.wait_for(f"the offsets {home} and {city}", shown)

    def test_new_files_are_shown(self):
        self.start_here()
        self.assert_shown(9, 9)
        self.rest()
        before = self.picture()
        self.install("Asia/Dubai", "City")
        self.assert_shown(9, 4)
        self.rest()
        self.assertNotEqual(self.picture(), before)
        self.install("Asia/Dubai", "Home")
        self.assert_shown(4, 4)
        # The whole directory is replaced.
        shutil.copytree(self.zones, self.directory / "new")
        shutil.copy(ZONES / "Asia/Bangkok", self.directory / "new/Test/City")
        self.zones.rename(self.directory / "old")
        (self.directory / "new").rename(self.zones)
        self.assert_shown(4, 7)
        self.assertFalse(self.status().get("warnings"))
        self.assertIn("the time zone 'Test/City' has changed", self.log.read_text())

    def test_a_damaged_or_missing_file_leaves_the_time_and_is_reported(self):
        self.start_here()
        self.assert_shown(9, 9)
        for damage in (lambda path: path.write_bytes(b"TZif2"), lambda path: path.unlink()):
            damage(self.zones / "Test/City")
            [warning] = self.wait_for("the warning", lambda: self.status().get("warnings"))
            self.assertIn("Test/City", warning)
            self.assertIn("the last known data", warning)
            self.assertIn(warning, self.log.read_text())
            self.assert_shown(9, 9)
            self.install("Asia/Tokyo", "City")
            self.wait_for("the warning's end", lambda: not self.status().get("warnings"))
        self.install("Asia/Dubai", "City")
        self.assert_shown(9, 4)

    def test_a_zone_that_is_installed_later_is_no_longer_marked(self):
        (self.zones / "Test/City").unlink()
        self.start_here()
        self.assertIn("CITY (UTC)", self.text("world"))
        self.install("Asia/Dubai", "City")
        self.assert_shown(9, 4)
        self.assertNotIn("(UTC)", self.text("world"))


@unittest.skipUnless((ZONES / "Asia/Tokyo").exists(), "needs tzdata")
class DisplayZone(DaemonTestCase):
    """`zone` in [locale] changes while the daemon runs, by a setting or a file."""

    def assert_used(self, zone):
        """Asserts that widgets, `status`, countdowns and finished matches use this zone."""
        now = datetime.datetime.now(zoneinfo.ZoneInfo(zone))
        offset = now.strftime("%z")
        offset = "Z" if offset == "+0000" else f"{offset[:3]}:{offset[3:]}"
        hours = now.utcoffset().total_seconds() / 3600
        self.wait_for(f"the time of {zone}", lambda: self.status()["widgets"]["here"]["text"] in time_in(hours))
        self.assertRegex(self.status()["now"], re.escape(offset) + "$")
        self.control("countdown", "doors", "--until", "17:45")
        [countdown] = self.status()["countdowns"]
        until = datetime.datetime.fromisoformat(countdown["until"]).astimezone(zoneinfo.ZoneInfo(zone))
        self.assertEqual(until.strftime("%H:%M"), "17:45")
        self.control("new-game")
        self.control("set-score", "home", "3")
        self.control("new-game")
        match = json.loads(self.control("--json", "matches").stdout)["finished"][0]
        self.assertRegex(match["ended"], re.escape(offset) + "$")

    def test_it_changes_everything_that_shows_or_reads_a_local_time(self):
        here = "[widgets.here]\ntype = \"flip-clock\"\n"
        self.config.write_text(here)
        self.start(TZ="Asia/Dubai")
        self.assert_used("Asia/Dubai")
        self.control("settings", "set", "locale.zone", "Asia/Tokyo")
        self.assert_used("Asia/Tokyo")
        refused = self.control("settings", "set", "locale.zone", "Europe/Zurch", check=False)
        self.assertIn("unknown time zone 'Europe/Zurch'; did you mean 'Europe/Zurich'?", refused.stderr)
        self.assert_used("Asia/Tokyo")
        self.kill()
        self.start(TZ="Asia/Dubai")
        self.assert_used("Asia/Tokyo")
        self.config.write_text("[locale]\nzone = \"Europe/Zurich\"\n" + here)
        self.control("reload")
        self.assert_used("Europe/Zurich")
        self.config.write_text(here)
        self.control("reload")
        self.control("settings", "reset", "locale.zone")
        self.assert_used("Asia/Dubai")


def time_namespace(boottime):
    """Returns words that run a program with CLOCK_BOOTTIME, but not CLOCK_MONOTONIC, `boottime` seconds
    ahead."""
    return ("unshare", "--time", "--boottime", str(boottime))


@unittest.skipUnless(subprocess.run([*time_namespace(1), "true"], capture_output=True, check=False).returncode == 0,
                     "needs time namespaces (time_namespaces(7)) and root")
class MatchTime(MatchTestCase):
    """The clocks of the match and messages use CLOCK_BOOTTIME, which here is days ahead of CLOCK_MONOTONIC,
    as on a machine that was suspended. If the daemon mixed the two, a match clock would not run, or would end
    at once."""

    def setUp(self):
        super().setUp()
        self.config.write_text(
            '[widgets.clock]\ntype = "timer"\n[widgets.match]\ntype = "score"\n'
            '[game]\npreset = "ice-hockey"\nresume = "running"\n')

    def timer(self):
        return self.match()["timers"]["game"]

    def test_clocks_run_and_end(self):
        self.wrapper = time_namespace(300_000)
        self.start()
        self.control("penalty", "home", "0:01")
        self.control("timer", "set", "0:06")
        pace = self.enterContext(Pace())
        start = time.monotonic()
        self.control("timer", "start")
        self.assertTrue(0 < self.timer()["milliseconds"] <= 6000)
        first = self.status()["widgets"]["clock"]["text"]
        self.wait_for(
            "another text of the clock", lambda: self.status()["widgets"]["clock"]["text"] != first)
        self.wait_for("the end", lambda: self.timer()["ended"])
        self.assertTrue(5.5 < time.monotonic() - start < 11 + pace.allowance(20))
        self.assertEqual(self.match()["teams"][0]["penalties"], [])

    def test_messages_end(self):
        self.wrapper = time_namespace(300_000)
        self.start()
        self.control("message", "TIME OUT", "--for", "6s")
        self.assertEqual(self.status()["message"], "TIME OUT")
        self.wait_for("the message's end", lambda: self.status().get("message") is None, 10)

    def test_instants_are_saved_in_boot_time(self):
        self.wrapper = time_namespace(300_000)
        self.start()
        self.control("set-score", "home", "1")
        state = json.loads((self.state / "state.json").read_text())
        now = time.clock_gettime(time.CLOCK_BOOTTIME) + 300_000
        for instant in (state["saved"]["clock"], state["past"][0]["time"]):
            self.assertTrue(now - 10 < instant / 1e9 < now, (instant, now))

    def test_the_history_has_the_time_of_the_change(self):
        self.wrapper = time_namespace(300_000)
        self.start()
        self.control("set-score", "home", "1")
        self.control("set-score", "home", "2")
        now = datetime.datetime.now(datetime.timezone.utc)
        text = self.control("--json", "history").stdout
        self.assertTrue(any((now - datetime.timedelta(seconds=ago)).strftime("%Y-%m-%dT%H:%M:%S") in text
                            # The daemon reads two clocks, one after the other, so the time may be of the next
                            # second.
                            for ago in range(-1, 10)), text)

    def test_a_running_clock_continues_after_a_restart_with_any_clocks(self):
        for before, after in ((0, 300_000), (300_000, 0), (300_000, 600_000)):
            with self.subTest(before=before, after=after):
                self.wrapper = time_namespace(before)
                self.start()
                self.control("timer", "set", "10:00")
                self.control("timer", "start")
                self.kill()
                self.wrapper = time_namespace(after)
                self.start()
                self.assertTrue(self.timer()["running"])
                self.assertTrue(590_000 < self.timer()["milliseconds"] < 600_000)
                self.control("timer", "pause")
                self.stop()
