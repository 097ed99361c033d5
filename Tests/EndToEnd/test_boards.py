# SPDX-License-Identifier: Apache-2.0
"""Texts that are put on boards while the daemon runs."""

import json
import random
import subprocess

from EndToEnd.daemon import CONTROL, DaemonTestCase, environment

CONFIG = """
motion = "none"
[widgets.hall]
type = "board"
columns = 10
rows = 2
text = "WELCOME"
[widgets.line]
type = "text"
text = "Club evening"
[widgets.score]
type = "score"
[pages.scores]
rows = ["score"]
[pages.texts]
rows = ["hall", "line"]
"""


class Boards(DaemonTestCase):
    def setUp(self):
        super().setUp()
        self.config.write_text(CONFIG)

    def boards(self):
        return {board["name"]: board for board in json.loads(self.control("board", "--json").stdout)["boards"]}

    def texts(self):
        return {name: board["text"] for name, board in self.boards().items()}

    def test_a_text_is_shown_until_it_is_cleared(self):
        self.start()
        self.assertEqual(self.texts(), {"hall": "WELCOME", "line": "Club evening"})
        self.assertEqual(self.control("board", "hall", "DOORS", "OPEN").stdout, "shown on hall\n")
        self.assertEqual(self.texts()["hall"], "DOORS OPEN")
        self.assertEqual(self.status()["widgets"]["hall"]["text"], "DOORS OPEN")
        self.control("board", "line", "Quiz at 8", "--from", "kitchen", "--stale-after", "5min")
        line = self.boards()["line"]
        self.assertEqual((line["text"], line["from"], line["stale"]), ("Quiz at 8", "kitchen", False))
        self.assertIn("line: from kitchen, since ", self.control("board").stdout)
        self.assertEqual(self.control("undo", check=False).returncode, 2)
        self.assertEqual(self.texts()["hall"], "DOORS OPEN")
        self.control("board", "hall", "--clear")
        self.control("board", "line", "--clear")
        self.assertEqual(self.texts(), {"hall": "WELCOME", "line": "Club evening"})

    def test_standard_input_with_its_lines(self):
        self.start()
        done = subprocess.run([CONTROL, "--socket", self.socket, "board", "hall", "-"], input=b"ZURICH\r\n12:30\n",
                              capture_output=True, env=environment(), timeout=30, check=True)
        self.assertEqual(done.stdout, b"shown on hall\n")
        self.assertEqual(self.texts()["hall"], "ZURICH\n12:30")

    def test_what_does_not_fit_is_printed(self):
        self.start()
        said = self.control("board", "hall", "one two three four five six 中").stdout
        self.assertEqual(said, "shown on hall; no place for: five six 中\n")
        reply = json.loads(self.control("--json", "board", "hall", "a\nb\nc").stdout)
        self.assertEqual(reply, {"board": "hall", "page": "texts", "leftOut": ["c"], "cut": [], "missing": []})

    def test_the_page_of_the_board_is_shown(self):
        self.start()
        self.assertEqual(self.status()["page"], "scores")
        self.control("board", "hall", "LATE", "--show", "--for", "2s")
        self.assertEqual(self.status()["page"], "texts")
        self.wait_for("the page before", lambda: self.status()["page"] == "scores")
        self.assertEqual(self.texts()["hall"], "WELCOME")

    def test_mistakes(self):
        self.start()
        for words, status, said in (
            (("board", "hal", "X"), 2, "unknown board 'hal'; did you mean 'hall'?"),
            (("board", "score", "X"), 2, "unknown board 'score'"),
            (("board", "hall"), 64, "missing <text>"),
            (("board", "hall", "X", "--clear"), 64, "takes nothing more"),
            (("board", "hall", "--failed"), 64, "missing <text>"),
            (("board", "hall", "--failed", "X", "--show"), 64, "takes nothing more"),
            (("board", "hall", "--failed", "X", "--clear"), 64, "takes nothing more"),
            (("board", "hall", "--failed", "x" * 121), 2, "120"),
            (("board", "hal", "--failed", "X"), 2, "unknown board 'hal'"),
            (("board", "hall", "X", "--for", "0s"), 2, "--for accepts times from 1 second"),
            (("board", "hall", "x" * 4001), 2, "4000"),
            (("board", "hall", "a\x1bb"), 2, "control character"),
        ):
            with self.subTest(words):
                result = self.control(*words, check=False)
                self.assertEqual(result.returncode, status, result.stdout)
                self.assertIn(said, result.stderr)
        self.assertEqual(self.texts()["hall"], "WELCOME")

    def test_a_restart_keeps_the_texts(self):
        self.start()
        self.control("board", "hall", "KEPT", "--for", "1h")
        self.stop()
        self.start()
        self.assertEqual(self.texts()["hall"], "KEPT")

    def test_kills_at_random_moments_while_texts_and_scores_arrive(self):
        generator = random.Random(7)
        self.start()
        (score, number), sent = (0, 0), {"WELCOME"}
        for _ in range(10):
            for _ in range(generator.randrange(1, 12)):
                number += 1
                sent.add(f"N {number}")
                self.control("board", "hall", f"N {number}")
                if generator.random() < 0.3:
                    score += 1
                    self.control("set-score", "home", str(score))
            self.kill()
            self.start()
            self.assertIn(self.texts()["hall"], sent, "the board shows an acknowledged text")
            self.assertEqual(self.status()["scoreboard"]["teams"]["home"]["score"], score)
