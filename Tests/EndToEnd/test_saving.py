# SPDX-License-Identifier: Apache-2.0
"""Scores that a disk cannot save for a while."""

import json

from EndToEnd.daemon import DaemonTestCase, call
from EndToEnd.preload import BROKEN_DISK, preload


class SavingTests(DaemonTestCase):
    """The daemon says that scores are not saved until they are."""

    def setUp(self):
        super().setUp()
        self.broken = self.directory / "broken"
        self.variables = {"LD_PRELOAD": preload(self.directory, BROKEN_DISK), "BROKEN_DISK": str(self.broken)}

    def saved(self):
        """Returns the home team's score in the state file."""
        document = json.loads((self.state / "state.json").read_text())
        return document["scoreboard"]["teams"][0]["score"]

    def test_a_score_is_saved_when_the_disk_works_again(self):
        self.start(**self.variables)
        self.control("set-score", "home", "1")
        plain = self.picture()
        self.broken.touch()
        result = self.control("set-score", "home", "7", check=False)
        self.assertEqual(result.returncode, 2)
        self.assertIn("not saved yet", result.stderr)
        self.assertIn("No space left on device", self.status()["unsaved"]["reason"])
        self.assertRegex(self.control("status").stdout, r"saving .*fsync .*No space left on device, since .*trying again")
        log = self.log.read_text()
        self.assertRegex(log, r'flipclockctl \(process \d+, user \w+\): SetScore .*not saved: fsync .*No space left')
        # A command with an id is not confirmed before it is saved, and counts once.
        client = self.connect()
        for _ in range(2):
            reply = call(client, "AddScore", team="home", points=1, terms={"id": "phone-1"})
            self.assertEqual(reply.get("error"), "org.flipclock.Control.StateNotSaved", reply)
        self.rest()
        self.assertNotEqual(self.picture(), plain)
        self.broken.unlink()
        # The retry comes after ten seconds.
        self.wait_for("saved scores", lambda: "unsaved" not in self.status(), 30)
        self.assertEqual(self.saved(), 8)
        self.assertNotIn("error", call(client, "AddScore", team="home", points=1, terms={"id": "phone-1"}))
        self.kill()
        self.start(**self.variables)
        self.assertEqual(self.scores()["home"], 8)
        self.assertNotIn("saving", self.control("status").stdout)

    def test_a_stop_saves_what_was_not_saved(self):
        self.start(**self.variables)
        self.broken.touch()
        self.control("set-score", "home", "7", check=False)
        self.broken.unlink()
        self.assertEqual(self.stop(), 0)
        self.assertEqual(self.saved(), 7)
        self.start(**self.variables)
        self.broken.touch()
        self.control("set-score", "home", "9", check=False)
        self.assertEqual(self.stop(), 0)
        self.assertIn("the last changes of the scores are lost: fsync", self.log.read_text())

    def test_a_setting_is_saved_when_the_disk_works_again(self):
        """By the next attempt, or by a stop."""
        self.start(**self.variables)
        self.control("settings", "set", "teams.home.name", "LIONS")
        self.broken.touch()
        self.assertIn("not saved yet", self.control("settings", "set", "teams.home.name", "TIGERS", check=False).stderr)
        self.assertIn("No space left on device", self.status()["unsaved"]["reason"])
        self.broken.unlink()
        # The next score is saved; the setting is not saved by that.
        self.control("set-score", "home", "1")
        self.assertIn("unsaved", self.status())
        self.wait_for("saved settings", lambda: "unsaved" not in self.status(), 30)
        self.kill()
        self.start(**self.variables)
        self.assertEqual(self.status()["match"]["teams"][0]["name"], "TIGERS")
        self.broken.touch()
        self.control("settings", "set", "teams.home.name", "WOLVES", check=False)
        self.broken.unlink()
        self.assertEqual(self.stop(), 0)
        self.start(**self.variables)
        self.assertEqual(self.status()["match"]["teams"][0]["name"], "WOLVES")

    def test_a_match_that_cannot_be_set_aside_goes_on(self):
        basketball = '[game]\npreset = "basketball"\n'
        self.config.write_text(basketball)
        self.start(**self.variables)
        self.control("set-score", "home", "77")
        self.broken.touch()
        self.config.write_text(basketball.replace("basketball", "handball"))
        reply = self.control("reload")
        self.assertIn("the match of basketball could not be set aside", reply.stdout + reply.stderr)
        self.assertIn("the match of basketball could not be set aside", self.control("status").stdout)
        self.assertEqual(self.status()["scoreboard"]["period"], "QUARTER 1")
        self.assertEqual(self.scores()["home"], 77)
        self.broken.unlink()
        self.control("reload")
        self.assertEqual(self.status()["scoreboard"]["period"], "HALF 1")
        self.assertEqual(self.scores()["home"], 0)
        self.assertNotIn("could not be set aside", self.control("status").stdout)
        [match] = json.loads(self.control("--json", "match", "list").stdout)["matches"]
        self.assertIn("HOME 77 : 0", match["text"])
