# SPDX-License-Identifier: Apache-2.0
"""The score is in the picture on displays of all sizes."""

import math
import os
import random
import re
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor

from EndToEnd.daemon import DAEMON, PROJECT, DaemonTestCase, environment

sys.dont_write_bytecode = True

TABLE = PROJECT / "Tests/WidgetsTests/CommonDisplays.swift"
RANDOM_SIZES = 2000


def common_displays():
    """Returns the list of sizes from the unit tests."""
    return [(int(width), int(height)) for width, height in re.findall(r"\((\d+), (\d+)\)", TABLE.read_text(encoding="utf-8"))]


def random_displays():
    """Yields random sizes from 320x240 to 7680x4320, small as often as large ones, a quarter with swapped
    sides."""
    chance = random.Random(11)
    for _ in range(RANDOM_SIZES):
        width = round(320 * 2 ** (chance.random() * math.log2(24)))
        height = round(240 * 2 ** (chance.random() * math.log2(18)))
        yield (height, width) if chance.random() < 0.25 else (width, height)


class Sizes(DaemonTestCase):
    """The default config, drawn with and without a score."""

    def picture(self, size, *options):
        """Returns the second of two frames, 3.3 seconds after the start."""
        name = f"{size[0]}x{size[1]}-{len(options)}"
        directory = self.directory / name
        empty = self.directory / "empty.toml"
        empty.touch()
        subprocess.run(
            [DAEMON, "render", "--config", empty, "--size", f"{size[0]}x{size[1]}", "--at", "2026-11-20T09:59:00Z",
             "--fps", "0.3", "--frames", "2", "--out", directory, *options],
            capture_output=True, timeout=120, env=environment(), check=True)
        frames = sorted(directory.iterdir())
        data = frames[-1].read_bytes()
        for frame in frames:
            frame.unlink()
        return data

    def shows_no_score(self, size):
        """Returns the size if its picture does not show the score."""
        return size if self.picture(size) == self.picture(size, "--event", "0.1 set-score home 77") else None

    def check(self, sizes):
        """Draws all sizes, two at a time."""
        with ThreadPoolExecutor(2) as pool:
            self.assertEqual([size for size in pool.map(self.shows_no_score, sizes) if size], [])

    def test_common_displays(self):
        sizes = common_displays()
        self.assertEqual(len(set(sizes)), 60)
        self.check(sizes)

    @unittest.skipUnless(os.environ.get("FLIPCLOCK_LONG"), "FLIPCLOCK_LONG=1 draws 2,000 sizes")
    def test_random_displays(self):
        self.check(random_displays())


class LeftOut(DaemonTestCase):
    """A page with more widgets than the display can show."""

    def setUp(self):
        super().setUp()
        self.config.write_text("".join(f'[widgets.w{number}]\ntype = "flip-clock"\n' for number in range(32)))

    def test_the_log_and_status_name_the_widgets_left_out(self):
        self.start()
        left_out = self.status()["leftOut"]
        self.assertTrue(0 < len(left_out) < 32, left_out)
        for widget in left_out:
            self.assertIn("no room for it at 320x240", widget["reason"])
            self.assertIn(f"the widget '{widget['name']}' is left out", self.log.read_text(encoding="utf-8"))
        self.config.write_text('[game]\npreset = "volleyball"\n')
        self.wait_for("a page that has room", lambda: self.status()["leftOut"] == [])

    def test_check_warns(self):
        def check():
            return subprocess.run(
                [DAEMON, "check", self.config], capture_output=True, text=True, timeout=30, env=environment(), check=True).stdout
        self.assertRegex(check(), r"has no room for the widget 'w\d+' at .*320x240")
        self.config.write_text('[display]\nmode = "3840x2160"\n' + self.config.read_text(encoding="utf-8"))
        self.assertNotIn("no room", check())
