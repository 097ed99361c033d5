# SPDX-License-Identifier: Apache-2.0
"""Scores entered by hand: acknowledged changes are never lost, and errors affect only their sender."""

import json
import signal
import subprocess
import threading
import time

from EndToEnd.daemon import CONTROL, DaemonTestCase, environment


class Scores(DaemonTestCase):
    """One operator."""

    def test_a_score_is_set_and_added_to_and_shown(self):
        self.start()
        before = self.picture()
        self.assertEqual(self.control("set-score", "home", "7").stdout.strip(), "HOME 7")
        self.control("add-score", "guest", "+3")
        self.control("add-score", "guest", "-1")
        self.assertEqual(self.scores(), {"home": 7, "guest": 2})
        self.rest()
        self.assertNotEqual(self.picture(), before)
        self.assertEqual(self.status()["widgets"]["match"], {"type": "score", "text": "7 : 2"})

    def test_an_acknowledged_score_survives_kill_and_restart(self):
        self.start()
        for score in (1, 12, 123):
            self.control("set-score", "home", str(score))
            self.kill()
            self.start()
            self.assertEqual(self.scores()["home"], score)

    def test_refusals_name_the_remedy_and_change_nothing(self):
        self.start()
        self.control("set-score", "home", "5")
        for arguments, code, words in [
            (("set-score", "hom", "3"), 2, ("hom", "home", "guest")),
            (("set-score", "home", "1000"), 2, ("1000", "999")),
            (("add-score", "home", "-6"), 2, ("-1", "999")),
            (("set-score", "home", "x"), 64, ("x",)),
            (("set-scor", "home", "1"), 64, ("set-score",)),
            (("set-score", "home"), 64, ()),
        ]:
            with self.subTest(arguments):
                result = self.control(*arguments, check=False)
                self.assertEqual(result.returncode, code, result.stderr)
                for word in words:
                    self.assertIn(word, result.stderr)
        self.assertEqual(self.scores(), {"home": 5, "guest": 0})

    def test_without_a_daemon_the_client_says_where_it_looked(self):
        result = self.control("status", check=False)
        self.assertEqual(result.returncode, 1)
        self.assertIn(str(self.socket), result.stderr)

    def test_a_truncated_state_file_is_set_aside_and_reported(self):
        self.state.mkdir()
        for content in (b"", b'{"version":1,"scoreboard":{"teams":[{"id":"ho', b'{"version":99}', b"\xff\xfe",
                        b'{"version":1,"scoreboard":{"teams":[{"id":"home","name":"H","score":12345}]}}'):
            with self.subTest(content):
                (self.state / "state.json").write_bytes(content)
                self.start()
                self.assertEqual(self.scores(), {"home": 0, "guest": 0})
                self.assertIn("set aside", self.log.read_text())
                self.assertTrue(any(path.read_bytes() == content for path in self.state.glob("state.json.bad-*")))
                self.kill()
                for path in self.state.glob("*"):
                    path.unlink()

    def test_a_second_daemon_does_not_take_the_socket(self):
        self.start()
        first = self.process
        self.start(check=False)
        self.assertNotEqual(self.process.wait(10), 0)
        self.assertIn("control.sock", self.log.read_text())
        self.process = first
        self.assertEqual(self.scores()["home"], 0)


class Pages(DaemonTestCase):
    """Several pages."""

    CONFIG = """
[widgets.time]
type = "flip-clock"
[widgets.match]
type = "score"
[pages.clock]
rows = ["time"]
[pages.match]
rows = ["match"]
[page-transition]
type = "shutter"
duration = "300ms"
"""

    def test_show_changes_the_page_and_refusals_list_the_pages(self):
        self.config.write_text(self.CONFIG)
        self.start()
        self.rest()
        before = self.picture()
        status = self.status()
        self.assertEqual((status["page"], status["pages"]), ("clock", ["clock", "match"]))
        self.assertEqual(self.control("show", "match").stdout.strip(), "match")
        self.rest()
        self.assertEqual(self.status()["page"], "match")
        self.assertNotEqual(self.picture(), before)
        self.control("set-score", "home", "3")
        self.assertEqual(self.status()["widgets"]["match"]["text"], "3 : 0")
        result = self.control("show", "mach", check=False)
        self.assertEqual(result.returncode, 2)
        for word in ("mach", "did you mean 'match'", "clock"):
            self.assertIn(word, result.stderr)
        self.assertEqual(self.status()["page"], "match")

    def test_a_reload_keeps_the_page_if_its_name_still_exists(self):
        self.config.write_text(self.CONFIG)
        self.start()
        self.control("show", "match")
        self.replace_config(self.CONFIG.replace("300ms", "200ms"))
        self.control("reload")
        self.assertEqual(self.status()["page"], "match")
        self.replace_config(self.CONFIG.replace("pages.match", "pages.score"))
        self.control("reload")
        self.assertEqual(self.status()["page"], "clock")

    def test_pages_rotate(self):
        self.config.write_text(self.CONFIG + '[rotation]\nevery = "1s"\n')
        self.start()
        for page in ("match", "clock", "match"):
            self.wait_for(f"page {page}", lambda wanted=page: self.status()["page"] == wanted)


class Clients(DaemonTestCase):
    """Several clients at once, including misbehaving ones."""

    def call(self, client, message):
        client.sendall(json.dumps(message).encode() + b"\0")
        return self.reply(client)

    def reply(self, client):
        received = b""
        while not received.endswith(b"\0"):
            piece = client.recv(65536)
            if not piece:
                return None
            received += piece
        return json.loads(received[:-1])

    def test_incomplete_messages_garbage_and_floods_affect_only_their_sender(self):
        self.start()
        half = self.connect()
        half.sendall(b'{"method":"org.flipclock.Control.SetScore","param')
        garbage = self.connect()
        garbage.sendall(b"GET / HTTP/1.1\r\n\r\n\0")
        flood = self.connect()
        try:
            flood.sendall(b"[" * 200_000)
        except OSError:
            pass
        polite = self.connect()
        answer = self.call(polite, {"method": "org.flipclock.Control.AddScore", "parameters": {"team": "home", "points": 2}})
        self.assertEqual(answer["parameters"]["team"]["score"], 2)
        answer = self.call(polite, {"method": "org.flipclock.Control.SetScore", "parameters": {"team": "nobody", "score": 2}})
        self.assertEqual(answer["error"], "org.flipclock.Control.UnknownTeam")
        answer = self.call(polite, {"method": "org.varlink.service.GetInfo"})
        self.assertIn("org.flipclock.Control", answer["parameters"]["interfaces"])

    def test_two_hundred_idle_clients_do_not_delay_a_score(self):
        self.start()
        crowd = [self.connect() for _ in range(200)]
        self.control("set-score", "guest", "9")
        self.assertEqual(self.scores()["guest"], 9)
        self.assertEqual(len(crowd), 200)

    def test_scores_from_many_clients_all_count(self):
        self.start()

        def add():
            for _ in range(10):
                subprocess.run([CONTROL, "--socket", self.socket, "add-score", "home", "1"], check=True,
                               capture_output=True, env=environment(), timeout=30)

        hands = [threading.Thread(target=add) for _ in range(4)]
        for hand in hands:
            hand.start()
        for hand in hands:
            hand.join()
        self.assertEqual(self.scores()["home"], 40)
        self.kill()
        self.start()
        self.assertEqual(self.scores()["home"], 40)

    def test_a_kill_during_many_changes_loses_nothing_acknowledged(self):
        self.start()
        for _ in range(5):
            acknowledged = self.scores()["home"]
            stop = time.monotonic() + 0.7
            client = self.connect()
            killer = threading.Timer(0.5, self.process.kill)
            killer.start()
            try:
                while time.monotonic() < stop:
                    answer = self.call(client, {"method": "org.flipclock.Control.AddScore",
                                                "parameters": {"team": "home", "points": 1}})
                    if answer is None:
                        break
                    acknowledged = answer["parameters"]["team"]["score"]
            except OSError:
                pass
            killer.join()
            self.kill()
            self.start()
            # One more change may have been saved before its acknowledgement arrived.
            self.assertIn(self.scores()["home"], (acknowledged, acknowledged + 1))


class Leaving(DaemonTestCase):
    """Ways to end the daemon."""

    def test_sigterm_and_sigint_end_it_cleanly(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(number):
                self.start()
                self.assertEqual(self.stop(number), 0)
                self.assertFalse(self.socket.exists())
