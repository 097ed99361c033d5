# SPDX-License-Identifier: Apache-2.0
"""Settings without a file: they change the picture, and survive kills; files have precedence."""

import json
import random
import re
import subprocess
import threading
import unittest

from EndToEnd.daemon import CONTROL, DaemonTestCase, call, environment


class Settings(DaemonTestCase):

    def settings(self):
        """The keys that are set, with their values and what sets them."""
        listed = json.loads(self.control("--json", "settings").stdout)["settings"]
        return {item["key"]: (item["value"], item["source"]) for item in listed if "value" in item}

    def refusal(self, *arguments):
        """The message about a command that is refused and changes nothing."""
        before = self.control("settings", "export").stdout
        result = self.control("settings", *arguments, check=False)
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertEqual(self.control("settings", "export").stdout, before)
        return result.stderr

    def test_settings_change_the_picture_and_stay(self):
        self.start()
        before = self.picture()
        self.control("settings", "set", "game.preset", "basketball", "teams.home.name", "LIONS",
                     "teams.home.color", "#30a46c", "theme.name", "paper")
        self.wait_for("another picture", lambda: self.picture() != before)
        names = [team["name"] for team in self.status()["match"]["teams"]]
        self.assertEqual(names, ["LIONS", "GUEST"])
        self.assertEqual(self.settings()["game.preset"], ("basketball", "settings"))
        self.control("set-score", "home", "7")
        self.kill()
        self.start()
        self.assertEqual(self.settings()["theme.name"], ("paper", "settings"))
        self.assertEqual(self.status()["match"]["teams"][0]["score"], 7)
        # The file has them, and another machine gets them from it.
        file = self.control("settings", "export").stdout
        self.assertEqual(file, (self.state / "settings.toml").read_text(encoding="utf-8"))
        self.control("settings", "reset", "game.preset", "teams.home.name", "teams.home.color", "theme.name")
        self.assertEqual(self.settings(), {})
        subprocess.run([CONTROL, "--socket", self.socket, "settings", "import", "-"], input=file, text=True, check=True,
                       capture_output=True, env=environment(), timeout=30)
        self.assertEqual(self.control("settings", "export").stdout, file)
        self.assertEqual(self.status()["match"]["teams"][0]["name"], "LIONS")

    def test_files_have_precedence_and_refusals_change_nothing(self):
        self.config.write_text(self.config.read_text() + "\n[teams.guest]\nname = \"SHARKS\"\n")
        line = self.config.read_text().splitlines().index("name = \"SHARKS\"") + 1
        self.start()
        self.log.with_name("nothing").touch()
        self.control("settings", "set", "teams.home.name", "LIONS")
        self.assertIn(f"{self.config}:{line}", self.refusal("set", "teams.guest.name", "BEARS"))
        self.assertIn("did you mean 'teams.ID.color'?", self.refusal("set", "teams.home.colour", "red"))
        self.assertIn("from 1 to 99", self.refusal("set", "teams.home.name", "TIGERS", "game.periods", "100"))
        self.assertIn("the file:1:", self.refusal("import", "/etc/passwd"))
        self.assertIn("the file is empty", self.refusal("import", str(self.log.with_name("nothing"))))
        # The setting comes into force where the file no longer has the key.
        self.config.write_text(self.config.read_text().replace("SHARKS", "BEARS"))
        self.wait_for("the file", lambda: self.settings()["teams.guest.name"] == ("BEARS", "config"))
        self.assertEqual(self.settings()["teams.home.name"], ("LIONS", "settings"))

    def test_a_file_that_is_edited_is_read_again(self):
        self.start()
        file = self.state / "settings.toml"

        def edit(text):
            # As editors do it: in place, or as a new file.
            if text.startswith("#"):
                file.write_text(text)
            else:
                file.with_name("new").write_text(text)
                file.with_name("new").replace(file)
        for before in ("", "display.brightness"):
            if before:
                self.control("settings", "set", before, "90%")
            with self.subTest(f"reload, {before}"):
                edit('[teams.home]\nname = "LIONS"\n')
                self.control("reload")
                self.assertEqual(self.settings(), {"teams.home.name": ("LIONS", "settings")})
                self.assertEqual(self.status()["match"]["teams"][0]["name"], "LIONS")
            with self.subTest(f"another setting, {before}"):
                edit('# By hand.\n[teams.home]\nname = "TIGERS"\n')
                self.control("settings", "set", "teams.guest.name", "SHARKS")
                both = {"teams.home.name": ("TIGERS", "settings"), "teams.guest.name": ("SHARKS", "settings")}
                self.assertEqual(self.settings(), both)
                self.assertEqual([team["name"] for team in self.status()["match"]["teams"]], ["TIGERS", "SHARKS"])
                self.wait_for("the file", lambda: file.read_text() == self.control("settings", "export").stdout)
            with self.subTest(f"damaged, {before}"):
                edit("[teams.home\n")
                self.assertIn("settings.toml:1", self.control("reload").stderr)
                self.assertIn("settings.toml:1", self.refusal("set", "teams.home.name", "BEARS"))
                self.assertEqual((self.settings(), file.read_text()), (both, "[teams.home\n"))
            with self.subTest(f"a value that is refused, {before}"):
                edit('[teams.home]\nname = "WOLVES"\n[game]\nperiods = 100\n')
                self.assertIn("from 1 to 99", self.control("reload", check=False).stderr)
                self.assertEqual(self.status()["match"]["teams"][0]["name"], "WOLVES")
                self.assertIn("these settings are not used: game.periods: ", " ".join(self.status()["warnings"]))
                self.control("settings", "reset", "game.periods")
            with self.subTest(f"removed, {before}"):
                file.unlink()
                self.control("reload")
                self.assertEqual(self.settings(), {})
        # Changes by flipclockctl are not taken for edits.
        for number in range(40):
            self.control("settings", "set", "teams.home.name", f"N {number}")
        self.assertNotIn("N 39", self.log.read_text())
        self.assertLess(self.log.read_text().count("was edited"), 12)

    def test_a_damaged_file_is_set_aside(self):
        self.start()
        self.control("settings", "set", "teams.home.name", "LIONS")
        self.kill()
        file = self.state / "settings.toml"
        file.write_text(file.read_text()[:-4])
        self.start()
        self.assertEqual(self.settings(), {})
        self.assertIn("was set aside as", self.log.read_text())
        self.assertEqual(len(list(self.state.glob("settings.toml.bad-*"))), 1)
        self.assertIn("is set aside", " ".join(self.status()["warnings"]))
        self.control("settings", "set", "teams.home.name", "TIGERS")
        self.assertEqual(self.settings()["teams.home.name"], ("TIGERS", "settings"))

    def test_settings_that_do_not_fit_a_file_are_told_and_can_be_removed(self):
        self.config.write_text("[widgets.notice]\ntype = \"text\"\ntext = \"HELLO\"\n")
        self.start()
        self.control("settings", "set", "layout.rows", "[\"notice\"]", "teams.home.name", "LIONS", "theme.name", "paper")
        self.kill()
        file = self.state / "settings.toml"
        file.write_text("# By hand.\n\n" + file.read_text().replace("paper", "glass"))
        self.config.write_text("")
        self.start()
        warning = " ".join(self.status()["warnings"])
        self.assertIn("these settings are not used: theme.name, layout.rows: ", warning)
        self.assertEqual(self.status()["match"]["teams"][0]["name"], "LIONS")
        # The line is that of the file, which is written again with its comment.
        self.wait_for("the file", lambda: file.read_text().startswith("# Settings"))
        line = int(re.search(r"settings\.toml:(\d+):", warning).group(1))
        self.assertRegex(file.read_text().splitlines()[line - 1], "rows|glass")
        self.control("settings", "reset", "layout.rows")
        self.assertIn("glass", " ".join(self.status()["warnings"]))
        self.control("settings", "reset", "theme")
        self.assertEqual(self.status()["warnings"], [])
        self.assertEqual(self.status()["match"]["teams"][0]["name"], "LIONS")

    def test_what_was_exported_can_be_imported(self):
        """Although one of these settings has a warning because of another."""
        self.start()
        self.control("settings", "set", "widgets.time.hours", "12")
        self.control("settings", "set", "layout.rows", '[["match"]]')
        file = self.directory / "copy.toml"
        file.write_text(self.control("settings", "export").stdout)
        before = self.settings()
        self.control("settings", "reset", "widgets", "layout")
        self.control("settings", "import", str(file))
        self.assertEqual(self.settings(), before)
        # A file that somebody has damaged is set aside by an import, which replaces everything.
        stored = self.state / "settings.toml"
        stored.write_text("x")
        self.assertEqual(self.control("settings", "set", "teams.home.name", "X", check=False).returncode, 2)
        self.control("settings", "import", str(file))
        self.assertEqual(self.settings(), before)
        self.assertEqual(len(list(self.state.glob("settings.toml.bad-*"))), 1)

    def test_an_edited_file_is_used_although_the_change_after_it_is_refused(self):
        self.start()
        self.control("settings", "set", "teams.home.name", "LIONS")
        file = self.state / "settings.toml"
        file.write_text(file.read_text().replace("LIONS", "TIGERS"))
        self.assertEqual(self.control("settings", "set", "game.periods", "100", check=False).returncode, 2)
        self.assertEqual(self.settings()["teams.home.name"], ("TIGERS", "settings"))
        self.assertEqual(self.status()["match"]["teams"][0]["name"], "TIGERS")

    def test_answers_that_are_kept_are_small(self):
        """An answer to an import has hundreds of keys; it must not fill the file with the match."""
        self.start()
        file = self.directory / "copy.toml"
        file.write_text("".join(f'[teams.t{n}]\nname = "{"N" * 20}{n}"\n' for n in range(8)))
        client = self.connect()
        replies = []
        for number in range(12):
            for _ in range(2):
                reply = call(client, "ImportSettings", text=file.read_text(), terms={"id": f"phone-{number}"})
                replies.append(reply["parameters"])
        self.assertEqual({len(reply["settings"]) for reply in replies}, {8})
        self.control("set-score", "t1", "1")
        self.assertLess((self.state / "state.json").stat().st_size, 12_000)

    def test_a_match_that_is_replaced_is_told(self):
        self.start()
        self.control("set-score", "home", "5")
        said = self.control("settings", "set", "game.preset", "tennis")
        self.assertIn("game.preset  tennis", said.stdout)
        self.assertIn("set aside", said.stderr)
        # A restart does not count as something that has happened in the new match.
        self.kill()
        self.start()
        reply = json.loads(self.control("--json", "settings", "reset", "game.preset").stdout)
        self.assertEqual(reply["match"], "brought_back")
        self.assertEqual(self.status()["match"]["teams"][0]["score"], 5)
        self.assertNotIn("set aside", self.control("status").stdout)

    def test_a_setting_does_not_change_the_order_of_tables(self):
        self.config.write_text('[teams.red]\n[teams.blue]\n[schedule.day]\nfrom = "00:00"\nto = "12:00"\ndisplay = "on"\n'
                               '[schedule.night]\nfrom = "12:00"\nto = "00:00"\ndisplay = "on"\n'
                               '[widgets.match]\ntype = "score"\n[widgets.time]\ntype = "flip-clock"\n')
        self.start()
        before = self.status()["match"]["teams"]
        self.control("settings", "set", "teams.blue.short-name", "X", "schedule.night.brightness", "10%",
                     "widgets.time.hours", "12")
        after = self.status()["match"]["teams"]
        self.assertEqual([(team["id"], team["color"]) for team in after], [(team["id"], team["color"]) for team in before])
        self.assertEqual([team["id"] for team in after], ["red", "blue"])
        listed = [item["key"] for item in json.loads(self.control("--json", "settings").stdout)["settings"]]
        self.assertLess(listed.index("teams.red.name"), listed.index("teams.blue.name"))
        self.assertLess(listed.index("schedule.day.from"), listed.index("schedule.night.from"))

    def test_a_mistake_in_a_file_is_named_and_what_is_in_force_is_listed(self):
        good = self.config.read_text() + "\n[teams.guest]\nname = \"SHARKS\"\n"
        self.config.write_text(good)
        self.start()
        self.control("settings", "set", "display.rotation", "90")
        before = self.settings()
        self.config.write_text(good.replace("SHARKS", "BEARS") + "[game]\nperiods = 1000\n")
        self.control("reload", check=False)
        self.assertEqual(self.settings(), before)
        line = len(self.config.read_text().splitlines())
        client = self.connect()
        for method, parameters in (("SetSettings", {"settings": [{"key": "display.rotation", "value": "180"}]}),
                                   ("SetSettings", {"settings": [{"key": "display.rotation"}]}),
                                   ("ImportSettings", {"text": "# nothing\n"})):
            reply = call(client, method, **parameters)
            self.assertEqual(reply["error"], "org.flipclock.Control.BadConfig")
            self.assertEqual(reply["parameters"]["place"], f"{self.config}:{line}")
        self.assertIn(f"{self.config}:{line}", self.refusal("reset", "display.rotation"))
        self.config.write_text(good)
        self.wait_for("the file", lambda: self.control("settings", "reset", "display.rotation", check=False).returncode == 0)

    def test_what_is_not_set_can_be_reset(self):
        self.start()
        for key in ("teams", "teams.home", "teams.home.name", "schedule", "widgets", "widgets.time"):
            self.assertEqual(self.control("settings", "reset", key).returncode, 0)
        for key in ("team", "teams.home.logo", "input"):
            self.assertIn(f"there is no setting '{key}'", self.refusal("reset", key))

    def test_kills_lose_no_setting_that_was_acknowledged(self):
        """Kills the daemon at random moments while a client sets a name again and again."""
        seed = random.randrange(1 << 32)
        rng = random.Random(seed)
        number = 0
        for _ in range(12):
            self.start()
            acknowledged, sent, stop = number, number, threading.Event()

            def change():
                nonlocal acknowledged, sent
                while not stop.is_set():
                    sent += 1
                    result = self.control("settings", "set", "teams.home.name", f"T{sent}", check=False)
                    if result.returncode != 0:
                        return
                    acknowledged = sent

            thread = threading.Thread(target=change)
            thread.start()
            stop.wait(rng.uniform(0.05, 0.6))
            self.kill()
            stop.set()
            thread.join()
            self.start()
            value = self.settings().get("teams.home.name", ("T0", ""))[0]
            with self.subTest(f"seed {seed}"):
                self.assertIn(int(value[1:]), range(acknowledged, sent + 1))
            number = int(value[1:])
            self.kill()


if __name__ == "__main__":
    unittest.main()
