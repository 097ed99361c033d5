# SPDX-License-Identifier: Apache-2.0
"""Countdowns that are set while the daemon runs."""

import datetime
import json

from EndToEnd.daemon import DaemonTestCase

CONFIG = """
motion = "none"
[widgets.score]
type = "score"
[widgets.doors]
type = "timer"
source = "countdown"
countdown = "doors"
[pages.scores]
rows = ["score"]
[pages.doors]
rows = ["doors"]
"""


class Countdowns(DaemonTestCase):
    def setUp(self):
        super().setUp()
        self.config.write_text(CONFIG)

    def countdowns(self):
        reply = json.loads(self.control("countdown", "--json").stdout)
        return {countdown["name"]: countdown for countdown in reply["countdowns"]}

    def test_a_command_changes_the_picture(self):
        self.start()
        self.control("show", "doors")
        self.rest()
        empty = self.picture()
        said = self.control("countdown", "doors", "15:00", "--label", "DOORS OPEN").stdout
        self.assertEqual(said, "doors: 15:00, 'DOORS OPEN'\n")
        self.control("countdown", "doors", "--pause")
        self.rest()
        paused = self.picture()
        self.assertNotEqual(paused, empty)
        self.assertIn(self.status()["widgets"]["doors"]["text"], ("15:00", "14:59", "14:58", "14:57"))
        self.control("countdown", "doors", "--add", "-5:00")
        self.rest()
        self.assertNotEqual(self.picture(), paused)
        self.control("countdown", "doors", "--clear")
        self.rest()
        self.assertEqual(self.picture(), empty)

    def test_the_page_is_shown_and_undo_does_nothing(self):
        self.start()
        self.assertEqual(self.status()["page"], "scores")
        self.control("countdown", "doors", "--until", "23:59", "--show", "--from", "desk")
        self.assertEqual(self.status()["page"], "doors")
        self.assertEqual(self.control("undo", check=False).returncode, 2)
        countdown = self.countdowns()["doors"]
        self.assertTrue(countdown["running"])
        self.assertEqual(countdown["from"], "desk")
        self.assertIn("doors: ", self.control("status").stdout)

    def test_a_restart_lets_it_go_on(self):
        self.start()
        self.control("countdown", "doors", "1h")
        # Within a minute of the save before, so that only the end of the program saves it.
        self.control("countdown", "doors", "30min", "--label", "DOORS OPEN")
        self.control("countdown", "talk", "5:00")
        self.control("countdown", "talk", "--pause")
        before = self.countdowns()
        self.stop()
        self.start()
        after = self.countdowns()
        self.assertEqual(after["doors"]["label"], "DOORS OPEN")
        self.assertTrue(after["doors"]["running"])
        self.assertLess(after["doors"]["milliseconds"], before["doors"]["milliseconds"])
        self.assertGreater(after["doors"]["milliseconds"], 0)
        self.assertEqual(after["talk"], before["talk"])

    def test_an_end_is_reported_and_a_hidden_countdown_wakes_nothing(self):
        self.start()
        self.control("countdown", "doors", "2s")
        self.wait_for("the end", lambda: self.countdowns()["doors"]["ended"])
        self.control("countdown", "doors", "1h")
        self.rest()

    def test_a_time_of_day_is_that_of_the_wall_s_zone(self):
        """In zones without summer time, with and without a schedule, whose times are of the same zone."""
        for zone, hours in (("XXX-9", 9), ("YYY+5", -5)):
            for schedule in ("", "[schedule.night]\nfrom = \"22:30\"\nto = \"06:00\"\nbrightness = \"20%\"\n"):
                with self.subTest(zone, schedule=schedule):
                    self.config.write_text(CONFIG + schedule)
                    self.start(TZ=zone)
                    self.control("countdown", "doors", "--until", "19:30")
                    until = datetime.datetime.fromisoformat(self.countdowns()["doors"]["until"].replace("Z", "+00:00"))
                    local = until + datetime.timedelta(hours=hours)
                    self.assertEqual((local.hour, local.minute, local.second), (19, 30, 0))
                    # Finished matches have the times of the same zone.
                    self.control("set-score", "home", "1")
                    self.control("new-game")
                    ended = json.loads(self.control("--json", "matches").stdout)["finished"][0]["ended"]
                    self.assertEqual(datetime.datetime.fromisoformat(ended).utcoffset(), datetime.timedelta(hours=hours))
                    self.kill()

    def test_mistakes(self):
        self.start()
        for words, status, said in (
            (("countdown", "doors"), 64, "missing <time>"),
            (("countdown", "doors", "15"), 64, "has no unit"),
            (("countdown", "doors", "15:00", "--pause"), 64, "exclude each other"),
            (("countdown", "doors", "15:00", "--until", "19:30"), 64, "exclude each other"),
            (("countdown", "doors", "--until", "25:00"), 64, "a time of day such as 19:30"),
            (("countdown", "doors", "--pause", "--label", "A"), 64, "belong to a countdown that is set"),
            (("countdown", "a b", "1min"), 2, "cannot be the name of a countdown"),
            (("countdown", "doors", "100h"), 2, "up to 99:59:59"),
            (("countdown", "doors", "--resume"), 2, "unknown countdown 'doors'"),
            (("countdown", "talk", "1min", "--show"), 2, "no page shows the countdown 'talk'"),
        ):
            with self.subTest(words):
                result = self.control(*words, check=False)
                self.assertEqual(result.returncode, status, result.stdout)
                self.assertIn(said, result.stderr)
        self.assertNotIn("milliseconds", self.countdowns()["doors"])
