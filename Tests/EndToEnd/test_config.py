# SPDX-License-Identifier: Apache-2.0
"""Editing the config: the picture follows valid saves and survives invalid ones."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from EndToEnd.daemon import CONFIG, CONTROL, DAEMON, PROJECT, DaemonTestCase, environment


def check(*arguments):
    """Runs `flipclockd check`."""
    return subprocess.run([DAEMON, "check", *arguments], capture_output=True, text=True, timeout=30, env=environment(),
                          check=False)


class Shipped(unittest.TestCase):
    """The config files of the Debian package and of the SD card image."""

    CARD = PROJECT / "image/boot"
    FILES = (PROJECT / "debian/config.toml", CARD / "config.toml")

    def test_their_commented_keys_are_valid(self):
        for path in self.FILES:
            with self.subTest(path), tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
                text = path.read_text(encoding="utf-8")
                self.assertEqual([line for line in text.splitlines() if line and not line.startswith("#")], [])
                keys = re.sub(r"(?m)^#(?=[^ :#])", "", text)
                self.assertGreater(keys.count("="), text.count("#:schema"))
                file.write(keys)
                file.flush()
                result = check(file.name)
                self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)

    def test_the_card_names_only_what_it_contains(self):
        image = (PROJECT / "scripts/image").read_text(encoding="utf-8")
        missing = [path.rstrip("*") for path in re.findall(r"path-exclude=([^']+)", image)]
        self.assertIn("/usr/share/doc/", missing)
        links = re.findall(r'"\$root(/etc/flipclock/[a-z-]+)"', image)
        self.assertIn("/etc/flipclock/mqtt-password", links)
        for path in sorted(self.CARD.iterdir()):
            with self.subTest(path.name):
                text = path.read_text(encoding="utf-8")
                # The root is read-only, so nobody can add a file to /etc; but there are links to files of the card.
                for link in links:
                    text = text.replace(link, "")
                self.assertEqual([prefix for prefix in [*missing, "/etc/"] if prefix in text], [])


class Reload(DaemonTestCase):
    """Reloading while the daemon runs."""

    def last_reload(self):
        return self.status()["config"]["lastReload"]

    def test_a_saved_config_changes_the_picture(self):
        self.start()
        before = self.picture()
        self.replace_config(CONFIG + '\n[theme]\nsymbol = "#ff8800"\n')
        self.wait_for("changed picture", lambda: self.picture() != before)
        self.replace_config(CONFIG + '\n[widgets.note]\ntype = "text"\ntext = "HALL 3"\n')
        self.wait_for("new widget", lambda: self.status()["widgets"].get("note", {}).get("text") == "HALL 3")

    def test_invalid_configs_keep_the_last_valid_picture_and_say_why(self):
        self.start()
        self.rest()
        for text in BROKEN:
            with self.subTest(text[:40]):
                self.replace_config(text)
                self.wait_for("refused reload", lambda: not self.last_reload()["ok"])
                errors = "\n".join(self.last_reload()["errors"])
                self.assertIn(str(self.config), errors)
                self.assertRegex(errors, r":\d+:\d+: error: ")
                self.assertEqual(self.status()["widgets"]["match"]["text"], "0 : 0")
                result = self.control("reload", check=False)
                self.assertEqual(result.returncode, 78, result.stderr)
                self.assertEqual(check(self.config).returncode, 78)
                self.replace_config(CONFIG)
                self.wait_for("mended config", lambda: self.last_reload()["ok"])

    def test_an_unknown_key_is_a_warning_while_running_and_an_error_in_check(self):
        self.start()
        self.replace_config(CONFIG + '\n[flip]\nduratoin = "1s"\n')
        self.wait_for("warning", lambda: "duratoin" in self.log.read_text())
        self.assertTrue(self.last_reload()["ok"])
        result = check(self.config)
        self.assertEqual(result.returncode, 78)
        self.assertIn("did you mean 'duration'", result.stdout + result.stderr)

    def test_warnings_are_in_reload_and_status_and_cause_no_failure(self):
        mistakes = ('[flip]\nduratoin = "1s"\n', '[theme]\nlabel-font = "Intre"\n',
                    '[widgets.zone]\ntype = "date"\nzone = "Europe/Berln"\n',
                    '[input.keys]\nKP1 = "add-score hme +1"\n')
        self.start()
        self.replace_config(CONFIG + "".join(mistakes))
        result = self.control("reload")
        self.assertEqual(result.stdout, "config reloaded\n")
        warnings = self.last_reload()["warnings"]
        self.assertEqual((self.last_reload()["ok"], self.last_reload()["errors"]), (True, []))
        for words in ("unknown key 'duratoin'", "unknown font 'Intre'; did you mean 'Inter'?",
                      "unknown time zone 'Europe/Berln'; did you mean 'Europe/Berlin'?",
                      "unknown team 'hme'; did you mean 'home'?"):
            with self.subTest(words):
                self.assertEqual(len([line for line in warnings if "warning: " in line and words in line]), 1)
                self.assertIn(words, result.stderr)
                self.assertIn(words, self.control("status").stdout)
                self.assertIn(words, self.log.read_text())
        self.replace_config(CONFIG)
        self.wait_for("the mended config", lambda: not self.last_reload()["warnings"])

    def test_check_finds_references_to_missing_things(self):
        for mistake, words in (
                ('[theme]\nsymbol-font = "Bebas Neu"\n', ":9:15: error: unknown font 'Bebas Neu'; did you mean"),
                ('[theme]\nsymbol-font = "/nowhere.ttf"\n', ":9:15: error: the font file '/nowhere.ttf' cannot be"),
                ('[theme]\nsymbol-font = "Roboto Flexible"\n', ":9:15: error: unknown font 'Roboto Flexible'"),
                ('[input.keys]\nKP2 = "show nopage"\n', ":9:7: error: 'KP2' in [input.keys]: unknown page 'nopage'"),
                ('[widgets.w]\ntype = "world-clock"\ncities = ["Tokio"]\n', "did you mean 'Asia/Tokyo'?")):
            with self.subTest(words):
                self.config.write_text(CONFIG + "\n" + mistake)
                result = check(self.config)
                self.assertEqual(result.returncode, 78)
                self.assertIn(words, result.stdout)
                self.assertNotIn("apt install fonts-bebas", result.stdout)

    def test_without_flipclockd_check_and_doctor_say_what_they_could_not_run(self):
        alone = self.directory / "flipclockctl"
        shutil.copy(CONTROL, alone)
        for words in (["check"], ["doctor"], ["--json", "check", self.config]):
            with self.subTest(words):
                done = subprocess.run([alone, *words], capture_output=True, text=True, timeout=30,
                                      env=environment(PATH="/nowhere"), check=False)
                self.assertEqual((done.returncode, done.stdout), (1, ""), done.stderr)
                self.assertIn(f"cannot run {self.directory}/flipclockd: No such file or directory", done.stderr)

    def test_declared_teams_replace_the_built_in_ones_everywhere(self):
        self.start()
        self.control("set-score", "home", "7")
        self.replace_config(CONFIG + '\n[teams.lions]\n[teams.falcons]\n')
        self.wait_for("the teams", lambda: set(self.scores()) == {"lions", "falcons"})
        self.control("set-score", "lions", "3")
        self.assertEqual(self.status()["widgets"]["match"]["text"], "3 : 0")
        self.assertEqual(self.control("complete", "teams").stdout.split(), ["lions", "falcons"])
        refused = self.control("set-score", "home", "1", check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("known: lions, falcons", refused.stderr)
        with subprocess.Popen([CONTROL, "--socket", self.socket, "--json", "watch"], stdout=subprocess.PIPE, text=True,
                              env=environment()) as watch:
            teams = json.loads(watch.stdout.readline())["teams"]
            watch.kill()
        self.assertEqual([team["id"] for team in teams], ["lions", "falcons"])
        # The old teams keep their scores, over a restart too.
        self.stop()
        self.start()
        self.assertEqual(self.scores(), {"lions": 3, "falcons": 0})
        self.replace_config(CONFIG)
        self.wait_for("the built-in teams", lambda: self.scores() == {"home": 7, "guest": 0})

    def test_flipclockctl_checks_like_flipclockd_and_needs_no_daemon(self):
        for text in (CONFIG, *BROKEN, CONFIG + '\n[flip]\nduratoin = "1s"\n',
                     CONFIG + '[input.keys]\nKP1 = "add-scor home 1"\n'):
            with self.subTest(text[-40:]):
                self.replace_config(text)
                result = self.control("check", str(self.config), check=False)
                wanted = check(self.config)
                self.assertEqual((result.returncode, result.stdout, result.stderr),
                                 (wanted.returncode, wanted.stdout, wanted.stderr))
                report = json.loads(self.control("--json", "check", str(self.config), check=False).stdout)
                self.assertEqual(report["ok"], wanted.returncode == 0)
                self.assertEqual(report["ok"], not report["diagnostics"])
                for diagnostic in report["diagnostics"]:
                    self.assertEqual(diagnostic["severity"], "error")
                    self.assertIn(f"{self.config}:{diagnostic['line']}:{diagnostic['column']}: error: ", wanted.stdout)
        result = self.control("check", str(self.directory / "none.toml"), check=False)
        self.assertEqual(result.returncode, 78)
        self.assertIn("none.toml", result.stdout)
        self.assertEqual(self.control("check", "", check=False).returncode, 64)

    def test_a_directory_or_a_fifo_as_config_is_an_error_not_a_hang(self):
        self.start()
        for make in (os.mkdir, os.mkfifo):
            with self.subTest(make.__name__):
                self.config.unlink()
                make(self.config)
                result = self.control("reload", check=False)
                self.assertEqual(result.returncode, 78, result.stderr)
                self.assertEqual(check(self.config).returncode, 78)
                (os.rmdir if self.config.is_dir() else os.unlink)(self.config)
                self.replace_config(CONFIG)
                self.wait_for("mended config", lambda: self.last_reload()["ok"])

    def test_sighup_reloads(self):
        self.start()
        self.replace_config(CONFIG + '\n[widgets.note]\ntype = "text"\ntext = "x"\n')
        self.process.send_signal(signal.SIGHUP)
        self.wait_for("new widget", lambda: "note" in self.status()["widgets"])

    def test_a_score_stays_when_the_config_renames_its_team(self):
        self.start()
        self.control("set-score", "home", "21")
        self.replace_config(CONFIG + '\n[teams.home]\nname = "LIONS"\n')
        self.wait_for("new name", lambda: self.status()["scoreboard"]["teams"]["home"]["name"] == "LIONS")
        self.assertEqual(self.scores()["home"], 21)


class Following(DaemonTestCase):
    """The daemon follows changes of its files and directories, both slow and fast ones."""

    NOTE = '[widgets.note]\ntype = "text"\ntext = "{}"\n'

    def note(self):
        return self.status()["widgets"].get("note", {}).get("text")

    def shows(self, text):
        self.wait_for(f"the note {text!r}", lambda: self.note() == text)

    def test_a_drop_in_directory_created_later_is_followed(self):
        self.start()
        directory = self.directory / "flipclock.toml.d"
        for _ in range(2):
            directory.mkdir()
            time.sleep(1)
            for text in ("one", "two"):
                (directory / "50-mine.toml").write_text(self.NOTE.format(text))
                self.shows(text)
            shutil.rmtree(directory)
            self.wait_for("no note", lambda: self.note() is None)

    def test_a_config_directory_moved_away_and_replaced_by_a_link_is_followed(self):
        home = self.directory / "conf"
        home.mkdir()
        self.config = home / "flipclock.toml"
        self.config.write_text(CONFIG + self.NOTE.format("first"))
        self.start()
        self.shows("first")
        home.rename(self.directory / "away")
        time.sleep(0.5)
        other = self.directory / "other"
        other.mkdir()
        (other / "flipclock.toml").write_text(CONFIG + self.NOTE.format("second"))
        home.symlink_to(other)
        self.shows("second")
        time.sleep(0.3)
        (other / "flipclock.toml").write_text(CONFIG + self.NOTE.format("third"))
        self.shows("third")

    def test_the_default_page_is_never_shown_between_two_saves(self):
        self.config.write_text(CONFIG + self.NOTE.format("start"))
        self.start()
        with self.connect() as client:
            for number in range(12):
                for part in range(2):
                    with open(self.config, "w", encoding="utf-8") as file:
                        time.sleep(0.1 if number % 2 else 0.03)
                        file.write(CONFIG + self.NOTE.format(f"{number}.{part}"))
                    end = time.monotonic() + 0.1
                    while time.monotonic() < end:
                        client.sendall(b'{"method":"org.flipclock.Control.GetStatus"}\0')
                        answer = b""
                        while not answer.endswith(b"\0"):
                            answer += client.recv(65536)
                        widgets = json.loads(answer[:-1])["parameters"]["status"]["widgets"]
                        self.assertIn("note", widgets)
                        self.assertNotIn("date", widgets)
                self.shows(f"{number}.1")


class Start(DaemonTestCase):
    """Starting with an invalid config, and with none."""

    def test_an_invalid_config_at_the_start_shows_the_built_in_picture(self):
        self.config.write_text("[widgets.time\n")
        self.start()
        status = self.status()
        self.assertEqual(set(status["widgets"]), {"time", "date", "score"})
        self.assertFalse(status["config"]["lastReload"]["ok"])

    def test_check_reports_every_error_with_its_line_and_column(self):
        self.config.write_text("[theme]\n\n  symbool = '#ffffff'\n[flip]\nduration = '5 parsecs'\n")
        result = check(self.config)
        self.assertEqual(result.returncode, 78)
        for words in (f"{self.config}:3:3: error:", f"{self.config}:5:", "did you mean 'symbol"):
            self.assertIn(words, result.stdout + result.stderr)

    def test_the_shipped_configs_are_valid(self):
        for path in sorted((PROJECT / "config").rglob("*.toml")):
            with self.subTest(path.name):
                result = check(path)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


# Files that must be rejected wherever they are read.
BROKEN = (
    b"[widgets.time\n",
    b"[widgets.time]\ntype = 'no-such-widget'\n",
    b"[widgets.time]\ntype = 7\n",
    b"[flip]\nduration = nan\n",
    b"[flip]\nduration = inf\n",
    b"[flip]\nduration = '1e300s'\n",
    b"[flip]\nduration = 99999999999999999999999\n",
    b"[flip]\nduration = 3\n",
    b"[flip]\nduration = '-1s'\n",
    b"[theme]\nsymbol = '#12345'\n",
    b"[layout]\nrows = [['nobody']]\n",
    b"[layout]\nrows = 'time'\n",
    b"title = '\xff\xfe'\n",
    b"a = 1\na = 2\n",
    b"# " + b"x" * (10 << 20) + b"\n",
    b"x = " + b"[" * 100000 + b"\n",
)
