# SPDX-License-Identifier: Apache-2.0
"""Texts that are put on boards while the daemon runs."""

import json
import os
import random
import subprocess
import threading
import time

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
        self.control("board", "hall", "LATE", "--show", "--for", "6s")
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

    def call(self, client, method, **parameters):
        """Calls a method, and returns the reply; None if the daemon was killed."""
        try:
            client.sendall(json.dumps({"method": f"org.flipclock.Control.{method}", "parameters": parameters}).encode() + b"\0")
            reply = b""
            while not reply.endswith(b"\0"):
                received = client.recv(65536)
                if not received:
                    return None
                reply += received
            return json.loads(reply[:-1])
        except OSError:
            return None

    def test_kills_at_random_moments_while_texts_and_scores_arrive(self):
        generator = random.Random(7)
        self.start()
        self.control("board", "hall", "FIRST")
        # What the board may show: texts that were acknowledged, and one whose reply was lost.
        texts, text, scores = {"FIRST"}, 0, {"saved": 0, "sent": 0}

        def push_texts():
            nonlocal text
            while True:
                text += 1
                reply = self.call(texts_client, "SetBoard", board="hall", text=f"N {text}")
                # A refused text (the board gets too many) is not shown.
                if reply is None or "error" not in reply:
                    texts.add(f"N {text}")
                if reply is None:
                    return

        def set_scores():
            while True:
                scores["sent"] = scores["sent"] % 999 + 1
                reply = self.call(scores_client, "SetScore", team="home", score=scores["sent"])
                if reply is None:
                    return
                scores["saved"] = scores["sent"]

        for round_number in range(200 if "FLIPCLOCK_LONG" in os.environ else 50):
            texts_client, scores_client = self.connect(), self.connect()
            threads = [threading.Thread(target=push_texts), threading.Thread(target=set_scores)]
            for thread in threads:
                thread.start()
            time.sleep(0.4 * generator.random())
            self.kill()
            for thread in threads:
                thread.join()
            # The file is whole before a daemon has repaired anything.
            document = json.loads((self.state / "state.json").read_bytes())
            self.assertIn("scoreboard", document)
            self.start()
            with self.subTest(round_number):
                self.assertNotRegex(self.log.read_text(), "damaged|not a flipclock state file")
                shown = self.texts()["hall"]
                self.assertIn(shown, texts)
                self.assertEqual(document["boards"]["hall"]["text"], shown)
                score = self.scores()["home"]
                self.assertIn(score, scores.values())
            scores = {"saved": score, "sent": score}
        self.assertGreater(len(texts), 50)
