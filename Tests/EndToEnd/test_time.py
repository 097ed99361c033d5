# SPDX-License-Identifier: Apache-2.0
"""Time zones that change while the daemon runs."""

import datetime
import pathlib
import shutil
import unittest

from EndToEnd.daemon import DaemonTestCase

ZONES = pathlib.Path("/usr/share/zoneinfo")

# Tokyo and Kathmandu never change to summer time.
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
