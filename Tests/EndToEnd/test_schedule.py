# SPDX-License-Identifier: Apache-2.0
"""The schedule of the real daemon, whose time zone is chosen so that its clocks are near a switch."""

import datetime
import time

from EndToEnd.daemon import DaemonTestCase
from EndToEnd.pace import Pace

CONFIG = """
[pages.clock]
rows = ["time"]

[pages.match]
rows = ["score"]

[schedule.night]
from = "22:30"
to = "06:30"
brightness = "97%"
page = "match"

[schedule.dark]
from = "22:30"
to = "06:30"
display = "DISPLAY"
"""


def zone(clock):
    """Returns a POSIX time zone whose clocks show HH:MM:SS now."""
    hours, minutes, seconds = map(int, clock.split(":"))
    now = datetime.datetime.now(datetime.timezone.utc)
    east = hours * 3600 + minutes * 60 + seconds - (now.hour * 3600 + now.minute * 60 + now.second)
    east = (east + 43200) % 86400 - 43200
    west = abs(east)
    return f"XXX{'-' if east > 0 else '+'}{west // 3600}:{west // 60 % 60:02}:{west % 60:02}"


class ScheduleTest(DaemonTestCase):
    def begin(self, clock, display="on", text=CONFIG):
        self.config.write_text(text.replace("DISPLAY", display))
        self.start(TZ=zone(clock))

    def entries(self):
        return self.status()["schedule"]["entries"]

    def test_a_switch_happens_on_time_and_once(self):
        pace = self.enterContext(Pace())
        self.begin("22:29:50")
        before = self.status()
        self.assertEqual((before["page"], before["brightness"]), ("clock", 100))
        self.assertEqual(before["schedule"]["entries"], [])
        due = datetime.datetime.fromisoformat(before["schedule"]["nextSwitch"]).timestamp()
        self.wait_for("the night", self.entries, 20)
        self.assertTrue(due <= time.time() < due + 1 + pace.allowance(6))
        after = self.status()
        self.assertEqual((after["page"], after["brightness"]), ("match", 97))
        self.assertEqual(self.log.read_text().count("entries in effect: night, dark"), 1)

    def test_at_the_start_the_state_of_the_moment_holds_at_once(self):
        self.begin("23:15:00", "black")
        status = self.status()
        self.assertEqual((status["page"], status["brightness"], status["blanked"]), ("match", 97, True))
        self.assertIn("unblank", self.control("status").stdout)
        self.rest()
        dark = self.picture()
        self.assertIn("lit", self.control("blank", "--toggle").stdout)
        self.rest()
        self.assertNotEqual(self.picture(), dark)
        self.assertFalse(self.status()["blanked"])

    def test_a_display_may_be_off_from_the_start(self):
        for display in ("off", "off-and-black"):
            with self.subTest(display):
                self.begin("23:15:00", display)
                self.wait_for("the dark", lambda: self.status()["blanked"], 3)
                self.stop()

    def test_a_game_is_left_alone(self):
        self.begin("22:29:55", "off")
        due = datetime.datetime.fromisoformat(self.status()["schedule"]["nextSwitch"]).timestamp()
        self.control("timer", "start")
        self.wait_for("the night", lambda: time.time() > due + 0.5, 10)
        self.control("reload")
        status = self.status()
        self.assertEqual((status["page"], status["brightness"], status["blanked"]), ("clock", 100, False))
        self.assertIn("waits until the game clock is paused", self.control("status").stdout)
        self.control("timer", "pause")
        self.wait_for("the dark", lambda: self.status()["blanked"], 10)
        status = self.status()
        self.assertEqual((status["page"], status["brightness"]), ("match", 97))
        self.assertEqual(status["schedule"]["entries"], ["night", "dark"])

    def test_a_manual_setting_holds_for_its_time_and_over_a_restart(self):
        self.begin("23:15:00")
        self.control("brightness", "50%", "--for", "1h")
        [held] = self.status()["schedule"]["held"]
        self.assertEqual(held["what"], "brightness")
        self.kill()
        self.start(TZ=zone("23:16:00"))
        self.assertEqual(self.status()["brightness"], 50)
        self.control("brightness", "40%", "--for", "6s")
        self.control("show", "clock", "--for", "6s")
        self.control("blank", "--for", "6s")
        status = self.status()
        self.assertEqual((status["brightness"], status["page"], status["blanked"]), (40, "clock", True))
        self.wait_for("the schedule", lambda: not self.status()["schedule"]["held"], 10)
        status = self.status()
        self.assertEqual((status["brightness"], status["page"], status["blanked"]), (97, "match", False))

    def test_a_page_comes_back_after_a_kill(self):
        pages = CONFIG.partition("[schedule")[0]
        # With CONFIG, the schedule shows the match.
        for text, page, held in ((pages, "match", []), (pages, "match", ["--for", "1h"]), (CONFIG, "clock", [])):
            with self.subTest(page=page, held=held):
                self.begin("23:15:00", text=text)
                self.control("show", page, *held)
                for minute in (16, 17):
                    self.kill()
                    self.start(TZ=zone(f"23:{minute}:00"))
                    self.assertEqual(self.status()["page"], page)
                self.stop()
                (self.state / "state.json").unlink()

    def test_a_reload_follows_the_new_schedule(self):
        self.begin("23:15:00")
        self.assertEqual(self.status()["page"], "match")
        self.replace_config(CONFIG.partition("[schedule")[0])
        self.wait_for("no schedule", lambda: "schedule" not in self.status())
        self.assertEqual((self.status()["page"], self.status()["brightness"]), ("clock", 100))

    def test_a_night_at_rest_costs_no_more_than_a_day(self):
        # 30 seconds each, in which no minute begins.
        wakeups = []
        for clock in ("12:00:10", "23:15:10"):
            self.begin(clock)
            self.rest()
            first = self.status()["wakeups"]
            time.sleep(30)
            wakeups.append(self.status()["wakeups"] - first)
            self.stop()
        day, night = wakeups
        self.assertLessEqual(night, day + 1, wakeups)
