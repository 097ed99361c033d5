# SPDX-License-Identifier: Apache-2.0
"""Mistakes of a new user: each error says what failed and what to do."""

import json
import os
import re
import socket
import subprocess
import tempfile

from EndToEnd.daemon import CONTROL, DAEMON, DaemonTestCase, environment
from EndToEnd.test_match import BASKETBALL

# Arguments for verbs. A verb that is not listed is run without arguments, and skipped if that is a usage
# error.
EXAMPLES = {
    "set-score": ("home", "1"), "add-score": ("home", "1"), "set": ("period", "2"), "timer": ("start",),
    "penalty": ("home",), "show": ("main",), "screenshot": ("shot.png",), "message": ("HELLO",), "brightness": ("60%",),
}
# Verbs that work without the daemon, or check something else first.
OWN = {"doctor", "score", "check", "network"}

# Arguments, exit status, and what the answer must contain: the problem, then the remedy.
MISTAKES = [
    (("set-score", "hom", "1"), 2, "unknown team 'hom'", "did you mean 'home'", "guest"),
    (("set-score", "nobody", "1"), 2, "unknown team 'nobody'", "home, guest"),
    (("set-score", "home", "1000"), 2, "1000 is not a score", "between 0 and 999"),
    (("add-score", "home", "-1"), 2, "-1 is not a score", "between 0 and 999"),
    (("set-score", "home", "x"), 64, "'x' is not a whole number", "0 to 999"),
    (("set-score", "home", "+1"), 64, "'+1' is relative", "add-score home +1"),
    (("set-score", "home"), 64, "<score>", "Usage: flipclockctl set-score <team> <score>"),
    (("set-score",), 64, "<team>", "home, guest", "Usage"),
    (("set-score", "home", "1", "2"), 64, "'2'", "Usage"),
    (("add-score", "home", "1.5"), 64, "'1.5' is not a whole number", "2, +2, -1"),
    (("add-score", "home", "9" * 20), 64, "is not a whole number", "2, +2, -1"),
    (("set",), 64, "'set' takes", "set home name LIONS"),
    (("set", "home"), 64, "'set home' lacks", "set home name LIONS"),
    (("set", "home", "fouls"), 64, "lacks the value", "set home fouls +1"),
    (("set", "home", "name", "RED", "LIONS"), 64, "too many words", "in quotes"),
    (("set", "home", "name", ""), 2, "empty", "at least one letter"),
    (("set", "home", "name", "a\tb"), 2, "control character", "without tabs"),
    (("set", "home", "name", "x" * 100), 2, "too long", "40"),
    (("set", "home", "nmae", "LIONS"), 64, "'nmae'", "did you mean 'name'"),
    (("set", "home", "foulz", "1"), 2, "unknown counter 'foulz'", "did you mean 'fouls'", "timeouts"),
    (("set", "home", "fouls", "6"), 2, "6 is not a number of FOULS", "0 and 5"),
    (("set", "home", "color", "red"), 64, "'red' is not a colour", "#ff8800"),
    (("set", "home", "score", "x"), 64, "'x' is not a whole number", "+1"),
    (("set", "home", "period-score", "1"), 64, "takes a period and a score", "period-score 2 25"),
    (("set", "home", "period-score", "1", "+1"), 64, "'+1' is relative", "period-score 2 25"),
    (("set", "home", "period-score", "9", "9"), 2, "no period 9", "period 1 is the only one so far"),
    (("set", "period"), 64, "takes a number", "set period +1"),
    (("set", "period", "100"), 2, "no period 100", "between 1 and 99"),
    (("set", "serve"), 64, "takes a team", "set serve home"),
    (("set", "serve", "gest"), 2, "unknown team 'gest'", "did you mean 'guest'"),
    (("timer",), 64, "missing <action>", "start, pause, toggle, reset"),
    (("timer", "strat"), 64, "'strat'", "did you mean 'start'"),
    (("timer", "start", "5"), 64, "takes no time", "timer set 10:00"),
    (("timer", "set"), 64, "takes", "10:00"),
    (("timer", "set", "abc"), 64, "'abc' is not a time", "10:00"),
    (("timer", "set", "11:00:00:00"), 64, "'11:00:00:00' is not a time", "99:59:59"),
    (("blank", "--output", "DP-9"), 2, "no display 'DP-9'", "Headless-1"),
    (("brightness", "--output", "DP-9"), 2, "no display 'DP-9'", "Headless-1"),
    (("brightness", "50%", "--output", "DP-9"), 2, "no display 'DP-9'", "Headless-1"),
    (("screenshot", "shot.png", "--output", "DP-9"), 2, "no display 'DP-9'", "Headless-1"),
    (("unblank", "--output"), 64, "--output takes a name", "Usage"),
    (("timer", "start", "--shott"), 64, "--shott", "did you mean '--shot'"),
    (("timer", "start", "--shot"), 2, "runs with the game clock", "timer start"),
    (("undo",), 2, "nothing to undo"),
    (("undo", "red"), 64, "takes how many changes", "undo 3"),
    (("undo", "0"), 64, "takes how many changes", "undo 3"),
    (("swap", "\x1b[31mred"), 64, r"'\u{1B}[31mred'", "Usage"),
    (("redo",), 2, "nothing to redo"),
    (("history", "--limit", "-1"), 64, "'-1'", "from 1"),
    (("history", "--limit", "0"), 64, "'0'", "from 1"),
    (("history", "--limit", "x"), 64, "'x' is not a whole number", "from 1"),
    (("show",), 64, "<page>", "Usage: flipclockctl show <page>"),
    (("show", "mian"), 2, "unknown page 'mian'", "did you mean 'main'"),
    (("screenshot",), 64, "<file>", "standard output", "Usage"),
    (("screenshot", "/nonexistent/shot.png"), 1, "/nonexistent/shot.png: No such file", "mkdir"),
    (("screenshot", "/tmp"), 1, "/tmp: Is a directory", "name the file too"),
    (("watch", "x"), 64, "'x'", "Usage: flipclockctl watch"),
    (("statsu",), 64, "unknown command 'statsu'", "did you mean 'status'"),
    (("foo",), 64, "unknown command 'foo'", "set-score"),
    ((), 64, "no command given", "set-score", "--help"),
    (("--jsn", "status"), 64, "--jsn", "did you mean '--json'"),
    (("status", "--verbose"), 64, "--verbose", "Usage: flipclockctl status"),
    (("score",), 64, "needs a terminal", "add-score"),
]


class Mistakes(DaemonTestCase):
    """A working daemon and a new user."""

    def check(self, done, status, *words):
        self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
        self.assertTrue(done.stderr.startswith("flipclockctl: "), done.stderr)
        # The error is reported only once, and without internal terms.
        self.assertEqual(len(re.findall(r"(?m)^flipclockctl: ", done.stderr)), 1, done.stderr)
        self.assertNotIn("org.flipclock", done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_every_mistake_is_reported_with_its_remedy(self):
        self.config.write_text(BASKETBALL)
        self.start()
        before = self.scores()
        for arguments, status, *words in MISTAKES:
            with self.subTest(" ".join(arguments)):
                self.check(self.control(*arguments, check=False), status, *words)
        self.assertEqual(self.scores(), before)
        with self.subTest("--socket without a path"):
            done = subprocess.run([CONTROL, "--socket"], capture_output=True, text=True, env=environment(), check=False)
            self.check(done, 64, "--socket takes a path")

    def test_with_json_every_mistake_is_one_line_of_json(self):
        self.config.write_text(BASKETBALL)
        self.start()
        for arguments, status, *words in MISTAKES:
            if not arguments or arguments[0] == "score":
                continue
            with self.subTest(" ".join(arguments)):
                done = self.control("--json", *arguments, check=False)
                self.assertEqual((done.returncode, done.stdout), (status, ""), done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
                error = json.loads(done.stderr)["error"]
                self.assertEqual(error["status"], status)
                # A message in JSON contains control characters themselves, not escapes such as \u{1B}.
                for word in words:
                    if "u{" not in word:
                        self.assertIn(word, error["message"])
                self.assertEqual(status == 2, "name" in error)
        error = json.loads(self.control("--json", "set-score", "hom", "1", check=False).stderr)["error"]
        self.assertEqual(error["name"], "org.flipclock.Control.UnknownTeam")
        self.assertEqual(error["parameters"]["team"], "hom")
        self.kill()
        error = json.loads(self.control("status", "--json", check=False).stderr)["error"]
        self.assertEqual(error["status"], 1)

    def test_arguments_that_are_not_utf_8_are_refused(self):
        self.start()
        for program in (CONTROL, DAEMON):
            with self.subTest(program.name):
                done = subprocess.run([program, "--socket", self.socket, "set", "home", "name", b"J\xf6rg"],
                                      capture_output=True, env=environment(), timeout=30, check=False)
                self.assertEqual((done.returncode, done.stdout), (64, b""))
                self.assertIn(rb"argument 6 is not UTF-8: 'J\xf6rg'", done.stderr)
        self.assertEqual(self.status()["scoreboard"]["teams"]["home"]["name"], "HOME")

    def test_arguments_need_no_proc(self):
        self.start()
        user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
        hide = ["unshare", *user, "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
        if subprocess.run([*hide, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("no user namespaces")
        for program, words, said in (
            (CONTROL, ["--socket", self.socket, "set-score", "home", "7"], "HOME 7\n"),
            (DAEMON, ["check", self.config], f"{self.config}: ok\n"),
        ):
            with self.subTest(program.name):
                done = subprocess.run([*hide, program, *words], capture_output=True, text=True, env=environment(),
                                      timeout=30, check=False)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, said, ""))

    def verbs(self):
        return subprocess.run([CONTROL, "complete", "verbs"], capture_output=True, text=True, check=True).stdout.split()

    def test_without_a_daemon_every_verb_says_where_it_looked_and_how_to_start_it(self):
        verbs = self.verbs()
        self.assertIn("set-score", verbs)
        for verb in verbs:
            if verb in OWN:
                continue
            with self.subTest(verb):
                done = self.control(verb, *EXAMPLES.get(verb, ()), check=False)
                if done.returncode == 64 and verb not in EXAMPLES:
                    continue  # it needs arguments that are not known here
                self.check(done, 1, str(self.socket), "No such file", "systemctl start flipclockd", "--socket")
        with self.subTest("no --socket"):
            variables = environment(XDG_RUNTIME_DIR=str(self.directory))
            if not os.path.exists("/run/flipclock/control.sock"):
                done = subprocess.run([CONTROL, "status"], capture_output=True, text=True, env=variables, check=False)
                self.check(done, 1, "/run/flipclock/control.sock or ", f"{self.directory}/flipclock/control.sock")

    def test_a_socket_that_is_not_the_daemons_is_recognized(self):
        plain = self.directory / "plain"
        plain.write_text("")
        stale = self.directory / "stale"
        left = socket.socket(socket.AF_UNIX)
        left.bind(str(stale))
        left.close()
        for path, words in [
            (plain, ("Connection refused", "it is not a socket", "--socket")),
            (self.directory, ("it is not a socket",)),
            (stale, ("nobody listens", "systemctl restart flipclockd")),
            (self.directory / "none", ("No such file", "is flipclockd running?")),
            (plain / "below", ("Not a directory", "not flipclockd's socket")),
            ("", ("not the path of a socket", "--socket")),
            ("x" * 200, ("too long", "at most 107 bytes")),
        ]:
            with self.subTest(str(path)):
                done = subprocess.run([CONTROL, "--socket", path, "status"], capture_output=True, text=True,
                                      env=environment(), check=False)
                self.check(done, 1, "cannot connect to", *words)

    def test_a_failing_output_is_reported(self):
        self.start()
        for words in (["status"], ["check", str(self.config)], ["watch"], ["doctor"]):
            with self.subTest(words=words), open("/dev/full", "wb") as full:
                result = subprocess.run(
                    [CONTROL, "--socket", self.socket, *words], stdout=full, stderr=subprocess.PIPE, text=True,
                    timeout=30, env=environment(), check=False)
                self.assertEqual(result.returncode, 1)
                program = "flipclockd" if words[0] in ("check", "doctor") else "flipclockctl"
                self.assertEqual(result.stderr, f"{program}: standard output: No space left on device\n")

    def test_a_user_without_access_is_told_the_group(self):
        self.start()
        self.directory.chmod(0o711)
        self.socket.chmod(0o660)
        options = {}
        if os.geteuid() == 0:
            options = {"user": 65534, "group": 65534, "extra_groups": []}
            reached = subprocess.run(["test", "-x", CONTROL], check=False, **options).returncode
            if reached != 0:
                self.skipTest("the programs are in a directory that nobody else may enter")
        else:
            # A daemon that a user runs accepts only this user.
            self.socket.chmod(0)
        with tempfile.TemporaryDirectory() as elsewhere:
            done = subprocess.run([CONTROL, "--socket", self.socket, "status"], capture_output=True, text=True,
                                  env=environment(), cwd=elsewhere if not options else "/", check=False, **options)
        self.check(done, 1, str(self.socket), "Permission denied", "group 'flipclock'", "usermod -aG flipclock")
