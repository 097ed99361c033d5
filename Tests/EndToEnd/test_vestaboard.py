# SPDX-License-Identifier: Apache-2.0
"""Programs that are written for the Vestaboard Local API put texts on boards: the requests of its documentation, and
unmodified clients from PyPI (`scripts/vestaboard`)."""

import http.client
import itertools
import json
import pathlib
import subprocess
import sys
import unittest

from EndToEnd.daemon import PROJECT, environment, free_port
from EndToEnd.test_http import ProgramTestCase

BOARDS = """
motion = "none"
[widgets.large]
type = "board"
columns = 22
rows = 6
[widgets.note]
type = "board"
columns = 15
rows = 3
[widgets.hall]
type = "board"
columns = 30
rows = 8
align = "left"
[widgets.line]
type = "text"
[layout]
rows = ["large", "note", "hall", "line"]
"""


class VestaboardTestCase(ProgramTestCase):
    def setUp(self):
        super().setUp()
        remote = self.config.read_text().partition("[remote]")[2]
        self.config.write_text(f"{BOARDS}[remote]{remote}")
        self.api = ("127.0.0.1", free_port())

    def start_both(self, *options):
        super().start_both("--vestaboard", "{}:{}".format(*self.api), *options)

    def key(self, board):
        return self.token(f"for {board}", "board", board)

    def call(self, method, key=None, body=None, path="/local-api/message", **headers):
        """Returns the status and the answer."""
        connection = http.client.HTTPConnection(*self.api, timeout=30)
        try:
            own = {"X-Vestaboard-Local-Api-Key": key} if key else {}
            connection.request(method, path, body if body is None or isinstance(body, str) else json.dumps(body),
                               {**own, **headers})
            response = connection.getresponse()
            return response.status, json.loads(response.read())
        finally:
            connection.close()


class Requests(VestaboardTestCase):
    def test_a_message_is_shown_and_read_again(self):
        self.start_both()
        key = self.key("large")
        rows = [[0] * 22 for _ in range(6)]
        rows[2][5:16] = [8, 5, 12, 12, 15, 0, 23, 15, 18, 12, 4]
        rows[5] = list(range(63, 72)) + [62] + [0] * 12
        for body in (rows, {"characters": rows}, {"characters": rows, "strategy": None}):
            self.assertEqual(self.call("POST", key, body)[0], 201)
            self.assertEqual(self.call("GET", key), (200, {"message": rows}))
        text = self.boards()["large"]["text"].split("\n")
        self.assertEqual((len(text), text[2]), (6, "     HELLO WORLD      "))
        self.assertEqual(text[5].rstrip(), "🟥🟧🟨🟩🟦🟪⬜⬛█°")
        self.assertEqual(self.boards()["large"]["from"], "for large")
        self.assertEqual(self.boards()["note"]["text"], "", "another board")

    def test_every_code_of_both_grids(self):
        self.start_both()
        codes = [code for code in range(72) if code not in (43, 45, 51, 57, 58, 61)]
        for board, rows, columns in (("large", 6, 22), ("note", 3, 15), ("hall", 8, 30), ("hall", 6, 22)):
            key = self.key(board)
            shown = self.boards()[board]
            for begin in range(0, len(codes), rows * columns):
                part = codes[begin:begin + rows * columns]
                part += [0] * (rows * columns - len(part))
                message = [part[row * columns:(row + 1) * columns] for row in range(rows)]
                self.assertEqual(self.call("POST", key, message)[0], 201, board)
                read = self.call("GET", key)[1]["message"]
                self.assertEqual((len(read), {len(row) for row in read}), (shown["rows"], {shown["columns"]}))
                self.assertEqual([row[:columns] for row in read[:rows]], message)
        self.assertIn("♥", self.boards()["note"]["text"])

    def test_what_is_no_message_is_refused_with_its_place(self):
        self.start_both()
        key = self.key("note")
        good = [[0] * 15 for _ in range(3)]
        for body, said in (
                ("", "not JSON"), ("[[1,2", "at byte"), ("{}", "characters"), ("[]", "rows"), ("[[]]", "Row 1"),
                ("7", "rows"), ([[0] * 15, "x"], "Row 2"), ([[0] * 15, [0] * 14, [0] * 15], "Row 2 has 14"),
                ([[0] * 16] * 3, "16"), ([[0] * 15] * 4, "4 rows"),
                *(([[0] * 15, [0] * 4 + [code] + [0] * 10, [0] * 15], f"Row 2, column 5: {code} is not a code")
                  for code in (43, 45, 51, 57, 58, 61, 72, -1, 1000, 1.5)),
                ([[0] * 14 + [None]] * 3, "Row 1, column 15"), ([[0] * 14 + ["A"]] * 3, "Row 1, column 15")):
            status, answer = self.call("POST", key, body)
            self.assertEqual(status, 400, body)
            self.assertIn(said, answer["error"])
        self.assertEqual(self.call("POST", key, "[" * 17_000)[0], 413)
        self.assertEqual(self.call("POST", key, good)[0], 201)

    def test_keys(self):
        self.start_both()
        key = self.key("large")
        rows = [[1] * 22] * 6
        for wrong in (None, "", "x", "A" * 43, key[:-1]):
            for method, body in (("GET", None), ("POST", rows)):
                self.assertEqual(self.call(method, wrong, body)[0], 401, wrong)
        self.assertEqual(self.boards()["large"]["text"], "")
        # A key that is for no board, and a token in another field.
        self.assertEqual(self.call("GET", self.token("all", "board"))[0], 403)
        self.assertEqual(self.call("GET", self.token("s", "scorer"))[0], 403)
        self.assertEqual(self.call("GET", None, Authorization=f"Bearer {key}")[0], 401)
        # Programs that ask for a key first get that of the token.
        field = {"X-Vestaboard-Local-Api-Enablement-Token": key}
        self.assertEqual(self.call("POST", path="/local-api/enablement", **field),
                         (200, {"message": "Local API enabled", "apiKey": key}))
        field = {"X-Vestaboard-Local-Api-Enablement-Token": "x" * 43}
        self.assertEqual(self.call("POST", path="/local-api/enablement", **field)[0], 401)
        self.assertEqual(self.call("PUT", key, rows)[0], 405)
        self.assertEqual(self.call("GET", key, path="/")[0], 404)
        self.assertEqual(self.call("GET", key, path="/state.json")[0], 404)
        self.assertEqual(self.request("GET", "/local-api/message", headers={"X-Vestaboard-Local-Api-Key": key})[0], 404)
        devices = json.loads(self.web_control("remote", "list", "--json").stdout)["devices"]
        self.web_control("remote", "forget", next(each["id"] for each in devices if each["board"] == "large"))
        self.assertEqual(self.call("GET", key)[0], 401)

    def test_wrong_keys_and_texts_are_limited(self):
        self.start_both()
        key = self.key("large")
        self.assertEqual(self.assert_limited(lambda: self.call("GET", "A" * 43)[0], 20, 20), {401})
        codes = itertools.cycle(range(1, 11))
        self.assertEqual(self.assert_limited(
            lambda: self.call("POST", key, [[next(codes)] * 22] * 6)[0], 30, 600, threads=8), {201})

    def test_a_text_of_another_kind_is_read_as_codes(self):
        self.start_both()
        self.control("board", "hall", "Zürich 12:30\nhé {}")
        message = self.call("GET", self.key("hall"))[1]["message"]
        self.assertEqual(message[0][:12], [26, 0, 18, 9, 3, 8, 0, 27, 28, 50, 29, 36])
        self.assertEqual(message[1][:3], [8, 0, 0])
        # Where the letters are, as the alignment of the board says, and without the markup of colours.
        self.control("board", "large", "{red}HI{/} 🟥\nTHERE")
        message = self.call("GET", self.key("large"))[1]["message"]
        self.assertEqual([len(row) for row in message], [22] * 6)
        self.assertEqual(message[2], [0] * 9 + [8, 9, 0, 63] + [0] * 9)
        self.assertEqual(message[3], [0] * 8 + [20, 8, 5, 18, 5] + [0] * 9)
        # What is sent smaller than the board is read where the board shows it.
        self.assertEqual(self.call("POST", self.key("large"), [[1, 2]])[0], 201)
        self.assertEqual(self.call("GET", self.key("large"))[1]["message"][2], [0] * 10 + [1, 2] + [0] * 10)
        self.assertEqual(self.call("POST", self.key("line"), [[8, 9, 37]])[0], 201)
        self.assertEqual(self.boards()["line"]["text"], "HI!")


class Clients(VestaboardTestCase):
    """The clients are as on PyPI. `vestaboard` connects only to port 7000, so flipclock-web listens there at an
    address of its own."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        found = subprocess.run(
            [PROJECT / "scripts/vestaboard"], capture_output=True, text=True, check=False, timeout=300)
        if found.returncode != 0:
            raise unittest.SkipTest(found.stderr.strip().splitlines()[-1])
        cls.clients = pathlib.Path(found.stdout.strip())

    def setUp(self):
        super().setUp()
        self.api = (f"127.0.77.{free_port() % 200 + 1}", 7000)

    def run_client(self, package, script, *arguments):
        """Runs a Python program with a client, and returns what it prints."""
        result = subprocess.run(
            [sys.executable, "-c", script, *arguments], capture_output=True, text=True, timeout=60, check=False,
            cwd=self.directory, env=environment(PYTHONPATH=str(self.clients / package), PYTHONDONTWRITEBYTECODE="1"))
        self.assertEqual(result.returncode, 0, result.stderr[-2000:])
        return result.stdout

    def test_vesta(self):
        self.start_both()
        address, key = "http://{}:{}".format(*self.api), self.key("large")
        script = ("import json, sys, vesta\n"
                  "client = vesta.LocalClient(base_url=sys.argv[1])\n"
                  "assert client.enable(sys.argv[2]) and client.enabled\n"
                  "rows = vesta.encode_text('Hello, {65} World!')\n"
                  "assert client.write_message(rows)\n"
                  "assert client.read_message() == rows, client.read_message()\n"
                  "wrong = vesta.LocalClient('x' * 43, base_url=sys.argv[1])\n"
                  "try:\n  wrong.read_message()\nexcept Exception as error:\n  print(error)\n")
        self.assertIn("401", self.run_client("vesta", script, address, key))
        self.assertIn("HELLO, 🟨 WORLD!", self.boards()["large"]["text"])

    def test_vestaboard(self):
        self.start_both()
        script = ("import sys, vestaboard\n"
                  "board = vestaboard.Board(localApi={'ip': sys.argv[1], 'key': sys.argv[2]}, validateKey=True)\n"
                  "board.post('Platform 4')\n"
                  "print(*map(''.join, board.read({'convert': True})))\n")
        self.assertIn("PLATFORM 4", self.run_client("vestaboard", script, self.api[0], self.key("large")).upper())
        self.assertIn("PLATFORM 4", self.boards()["large"]["text"])
        script = ("import sys, vestaboard\n"
                  "options = {'ip': sys.argv[1], 'enablementToken': sys.argv[2], 'saveToken': False}\n"
                  "vestaboard.Board(localApi=options).post('Enabled')\n")
        self.run_client("vestaboard", script, self.api[0], self.key("large"))
        self.assertIn("ENABLED", self.boards()["large"]["text"])

    def test_vestaboard_tools(self):
        self.start_both()
        for profile, board in (("flagship", "large"), ("note", "note")):
            key = self.key(board)
            for strategy in (None, "column", "reverse-column", "edges-to-center", "row", "diagonal", "random"):
                words = ["post-local", "--profile", profile, "--api-key", key,
                         "--host", "http://{}:{}".format(*self.api)]
                if strategy:
                    words += ["--strategy", strategy, "--step-interval-ms", "100", "--step-size", "2"]
                text = f"{profile} {strategy or 'PLAIN'}".replace("-", " ")[:15]
                (self.directory / "text").write_text(text)
                script = "import sys, vesta\nsys.exit(vesta.cli(sys.argv[1:]))\n"
                self.run_client("vestaboard-tools", script, *words, "--template", "text", "--input", "text")
                shown = " ".join(self.boards()[board]["text"].split())
                self.assertIn(text.split()[0].upper(), shown)
