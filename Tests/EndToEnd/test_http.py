# SPDX-License-Identifier: Apache-2.0
"""Programs with a token: what each request is answered for each role, the recipes of docs/http.md, and floods."""

import http.client
import json
import re
import shutil
import socket
import subprocess
import threading
import time

from EndToEnd.daemon import PATIENCE, PROJECT
from EndToEnd.pace import Pace
from EndToEnd.process import memory
from EndToEnd.test_web import LONG, WebTestCase

BOARDS = """
[widgets.hall]
type = "board"
columns = 12
rows = 2
[widgets.line]
type = "text"
text = "Club evening"
[widgets.match]
type = "score"
[pages.match]
rows = ["match", "line"]
[pages.boards]
rows = ["hall"]
"""


class ProgramTestCase(WebTestCase):
    def setUp(self):
        super().setUp()
        remote = self.config.read_text().partition("[remote]")[2]
        self.config.write_text(f"{BOARDS}[remote]{remote}")

    def token(self, name, role, *board):
        words = ("remote", "token", name, "--role", role, *(("--board", *board) if board else ()))
        return self.web_control(*words).stdout.strip()

    def boards(self):
        return {board["name"]: board for board in json.loads(self.control("board", "--json").stdout)["boards"]}

    def recipes(self):
        """The commands of the document, with this test's address and token."""
        self.start_both()
        text = (PROJECT / "docs/http.md").read_text()
        text = text.replace("192.168.1.20:8080", f"127.0.0.1:{self.port}").replace("TOKEN", self.token("s", "scorer"))
        return dict(re.findall(r"^### (.+)\n((?:.|\n)+?)(?=^##|\Z)", text, re.MULTILINE))

    @staticmethod
    def code(section):
        return "".join(line[4:] + "\n" for line in section.splitlines() if line.startswith("    "))


class Statuses(ProgramTestCase):
    TEXT = {"Content-Type": "text/plain"}
    JSON = {"Content-Type": "application/json"}

    # The senders, in the order of the statuses below: without a token, with a wrong one, with one of a role, and
    # with one that is only for the board 'hall'.
    SENDERS = ("none", "wrong", "viewer", "board", "hall", "scorer")

    TABLE = (
        ("GET", "/state.json", {}, "", (200, 401, 200, 200, 200, 200)),
        ("GET", "/state.json?as=array", {}, "", (200, 401, 200, 200, 200, 200)),
        ("GET", "/state.json?as=xml", {}, "", (400, 401, 400, 400, 400, 400)),
        ("POST", "/state.json", TEXT, "x", (405, 401, 405, 405, 405, 405)),
        ("GET", "/matches.csv", {}, "", (401, 401, 200, 200, 200, 200)),
        ("PUT", "/boards/hall", TEXT, "ZURICH", (401, 401, 403, 200, 200, 200)),
        ("PUT", "/boards/line", TEXT, "ZURICH", (401, 401, 403, 200, 403, 200)),
        ("PUT", "/boards/hall", JSON, '{"text": "A", "for": "2h"}', (401, 401, 403, 200, 200, 200)),
        ("PUT", "/boards/hall", JSON, '{"text": "A", "show": true}', (401, 401, 403, 403, 403, 200)),
        ("PUT", "/boards/hall", JSON, '{"clear": true}', (401, 401, 403, 200, 200, 200)),
        ("DELETE", "/boards/hall", {}, "", (401, 401, 403, 200, 200, 200)),
        ("DELETE", "/boards/line", {}, "", (401, 401, 403, 200, 403, 200)),
        ("PUT", "/boards/none", TEXT, "A", (401, 401, 403, 404, 403, 404)),
        ("PUT", "/boards/a.b", TEXT, "A", (404, 401, 404, 404, 404, 404)),
        ("GET", "/nothing", {}, "", (404, 401, 404, 404, 404, 404)),
        ("GET", "/boards/hall", {}, "", (405, 401, 405, 405, 405, 405)),
        ("PUT", "/boards/hall", {"Content-Type": "text/html"}, "A", (401, 401, 415, 415, 415, 415)),
        ("PUT", "/boards/hall", {}, "A", (401, 401, 415, 415, 415, 415)),
        ("PUT", "/boards/hall", JSON, '{"text": }', (401, 401, 400, 400, 400, 400)),
        ("PUT", "/boards/hall", JSON, '{"texts": "A"}', (401, 401, 400, 400, 400, 400)),
        ("PUT", "/boards/hall", TEXT, "a\x1bb", (401, 401, 400, 400, 400, 400)),
        ("PUT", "/boards/hall", TEXT, "x" * 4001, (401, 401, 400, 400, 400, 400)),
        ("PUT", "/boards/hall", TEXT, "x" * 17_000, (413, 413, 413, 413, 413, 413)),
        ("PUT", "/boards/hall", TEXT, "x" * 100_000, (413, 413, 413, 413, 413, 413)),
        ("POST", "/commands", TEXT, "add-score home 1", (401, 401, 403, 403, 403, 200)),
        ("POST", "/commands", TEXT, "board hall 'A B'", (401, 401, 403, 200, 200, 200)),
        ("POST", "/commands", TEXT, "board line 'A B'", (401, 401, 403, 200, 403, 200)),
        ("POST", "/commands", TEXT, "add-score nobody 1", (401, 401, 403, 403, 403, 409)),
        ("POST", "/commands", TEXT, "nonsense", (401, 401, 400, 400, 400, 400)),
        ("POST", "/commands", JSON, "undo", (401, 401, 415, 415, 415, 415)),
        ("POST", "/pair", TEXT, "123456", (403, 401, 403, 403, 403, 403)),
    )

    def test_every_request_of_every_role(self):
        self.start_both()
        tokens = {"viewer": self.token("v", "viewer"), "board": self.token("b", "board"),
                  "hall": self.token("h", "board", "hall"), "scorer": self.token("s", "scorer")}
        # Wrong tokens are limited for each address, so each request comes from another one.
        source = 10
        for method, path, headers, body, statuses in self.TABLE:
            for sender, expected in zip(self.SENDERS, statuses):
                token = {"none": None, "wrong": "A" * 43}.get(sender) or tokens.get(sender)
                own = {**headers, **({"Authorization": f"Bearer {token}"} if token else {})}
                source += 1
                with self.subTest(f"{method} {path} {body[:20]} {sender}"):
                    status, fields, answer = self.request(
                        method, path, body.encode(), own, source=f"127.0.{source // 200}.{source % 200 + 1}")
                    self.assertEqual(status, expected, answer)
                    if status >= 400:
                        self.assertEqual(fields["Content-Type"], "application/json")
                        self.assertGreater(len(json.loads(answer)["error"]), 20)
                    self.assertEqual("WWW-Authenticate" in fields, status == 401)
                    if status == 429:
                        self.assertIn("Retry-After", fields)
        self.assertEqual(self.scores()["home"], 1)

    def test_with_an_origin_the_rule_of_pages_applies(self):
        self.start_both()
        own = {**self.TEXT, "Authorization": f"Bearer {self.token('s', 'scorer')}"}
        for origin, status in (("http://evil.example", 403), ("null", 403), (f"http://127.0.0.1:{self.port}", 428)):
            self.assertEqual(self.request("POST", "/commands", "undo", {**own, "Origin": origin})[0], status)
        self.assertEqual(self.request("POST", "/commands", "add-score home 1", {**own, **self.own})[0], 200)

    def test_tokens_are_listed_kept_and_revoked(self):
        self.start_both()
        result = self.web_control("remote", "token", "kitchen", "--role", "board", "--board", "hall")
        token = result.stdout.strip()
        self.assertRegex(token, r"\A[A-Za-z0-9_-]{43}\Z")
        self.assertIn("remote forget", result.stderr)
        self.assertRegex(self.web_control("remote", "list").stdout, r"board hall +kitchen ")
        for file in (self.directory / "web").iterdir():
            self.assertNotIn(token, file.read_text())
        self.assertNotIn(token, self.web_text())
        self.stop_web()
        self.start_web()
        own = {**self.TEXT, "Authorization": f"Bearer {token}"}
        # The first request after the start waits for the connection to the daemon.
        self.assertEqual(self.request("PUT", "/boards/hall", "A", own)[0], 200)
        self.assertEqual(self.boards()["hall"]["from"], "kitchen")
        device = json.loads(self.web_control("remote", "list", "--json").stdout)["devices"][0]
        self.assertEqual((device["role"], device["board"], device["name"]), ("board", "hall", "kitchen"))
        self.web_control("remote", "forget", device["id"])
        self.assertEqual(self.request("PUT", "/boards/hall", "A", own)[0], 401)
        for words, status, said in ((("kitchen",), 64, "--role"), (("kitchen", "--role", "admin"), 64, "admin"),
                                    (("kitchen", "--role", "scorer", "--board", "hall"), 64, "--board"),
                                    (("", "--role", "viewer"), 64, "empty"),
                                    (("x", "--role", "board", "--board", "hal"), 2, "did you mean 'hall'?")):
            result = self.web_control("remote", "token", *words, check=False)
            self.assertEqual(result.returncode, status, words)
            self.assertIn(said, result.stderr)

    def test_a_connection_serves_many_requests(self):
        self.start_both()
        own = {**self.TEXT, "Authorization": f"Bearer {self.token('s', 'scorer')}"}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.connect()
        end = connection.sock.getsockname()
        for number in range(40):
            for method, path, body, headers, expected in (
                    ("GET", "/state.json", None, {}, 200), ("PUT", "/boards/line", f"N {number}", own, 200),
                    ("PUT", "/boards/line", "A", {}, 401), ("PUT", "/boards/none", "A", own, 404),
                    ("PUT", "/boards/line", "x" * 17_000, own, 413), ("GET", "/nothing", None, own, 404)):
                connection.request(method, path, body, headers)
                response = connection.getresponse()
                body = response.read()
                self.assertEqual(response.status, expected, body)
            self.assertEqual(connection.sock.getsockname(), end, "another connection")
            time.sleep(0.11)
        connection.close()
        self.assertEqual(self.boards()["line"]["text"], "N 39")

    def test_an_id_is_performed_once(self):
        self.start_both()
        own = {**self.TEXT, "Authorization": f"Bearer {self.token('s', 'scorer')}"}
        for _ in range(3):
            terms = {"Idempotency-Key": '"once"'}
            self.assertEqual(self.request("POST", "/commands", "add-score home 1", {**own, **terms})[0], 200)
        self.assertEqual(self.scores()["home"], 1)
        late = {**own, "Flipclock-Time": self.terms(age=60)["Flipclock-Time"]}
        self.assertEqual(self.request("POST", "/commands", "add-score home 1", late)[0], 410)


class Recipes(ProgramTestCase):
    """Runs what docs/http.md tells people to write."""

    def test_curl(self):
        if not shutil.which("curl"):
            self.skipTest("no curl")
        commands = self.code(self.recipes()["curl"]).replace("\\\n", " ").splitlines()
        self.assertEqual(len(commands), 6)
        shown = []
        for command in commands:
            reply = subprocess.run(["sh", "-c", command.replace("curl ", "curl -fsS ", 1) if "|" not in command
                                    else command.replace("| curl ", "| curl -fsS ")],
                                   capture_output=True, text=True, timeout=60, check=False)
            self.assertEqual(reply.returncode, 0, (command, reply.stderr))
            self.assertIsInstance(json.loads(reply.stdout), dict)
            shown.append(self.boards()["hall"]["text"])
        self.assertEqual(shown, ["", "ZURICH 12:30", "ZURICH 12:30\nBERN   12:45", "DOORS OPEN", "", ""])
        self.assertEqual(self.scores()["home"], 2)

    def test_the_requests_of_the_other_programs(self):
        """Home Assistant, OBS, vMix and Companion send these requests; the programs are not run."""
        recipes = self.recipes()
        home = self.code(recipes["Home Assistant"])
        found = {key: re.search(rf'{key}: "?([^"\n]+)', home).group(1)
                 for key in ("url", "method", "Authorization", "content_type", "resource")}
        # Home Assistant adds no Origin.
        status, _, body = self.request(
            found["method"].upper(), found["url"].partition(str(self.port))[2], "DOORS OPEN",
            {"Authorization": found["Authorization"], "Content-Type": found["content_type"]})
        self.assertEqual(status, 200, body)
        self.assertEqual(self.boards()["hall"]["text"], "DOORS OPEN")
        state = json.loads(self.request("GET", found["resource"].partition(str(self.port))[2])[2])
        for member in re.findall(r"value_json\.(\w+)", home) + ["period_text", "game_clock", "winner"]:
            self.assertIn(member, state)
        self.assertIn("`/game_clock`", recipes["OBS Studio"])
        for recipe in ("OBS Studio", "vMix"):
            for path in re.findall(rf"`http://127\.0\.0\.1:{self.port}(\S+)`", recipes[recipe]):
                status, _, body = self.request("GET", path)
                self.assertEqual(status, 200, path)
        rows = json.loads(self.request("GET", "/state.json?as=array")[2])
        self.assertEqual([row["team1_score"] for row in rows], [0])
        fields = dict(re.findall(r"^\| (.+?) \| `(.+)` \|$", recipes["Bitfocus Companion, Stream Deck"], re.MULTILINE))
        status, _, body = self.request(
            "POST", fields["URI"].partition(str(self.port))[2], fields["Body"],
            {**json.loads(fields["Header input (JSON)"]), "Content-Type": fields["Content type"]})
        self.assertEqual(status, 200, body)
        self.assertEqual(self.scores()["home"], 1)


class Flood:
    """Sends requests at 10,000 a second, or as fast as they are answered, on some connections."""

    RATE = 10_000
    BATCH = 50

    def __init__(self, port, requests, connections=8):
        self.statuses = {}
        self.lost = 0
        self._ends = threading.Event()
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._run, args=(port, requests, number, connections), daemon=True)
                         for number in range(connections)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._ends.set()
        for thread in self._threads:
            thread.join(60)

    @property
    def count(self):
        return sum(self.statuses.values())

    def _run(self, port, requests, number, connections):
        batch = b"".join(requests[(number + index) % len(requests)] for index in range(self.BATCH))
        begin, sent = time.monotonic(), 0
        while not self._ends.is_set():
            try:
                source = (f"127.0.0.{2 + number}", 0)
                with socket.create_connection(("127.0.0.1", port), 10, source_address=source) as client:
                    while not self._ends.is_set():
                        client.sendall(batch)
                        self._read(client)
                        sent += self.BATCH
                        time.sleep(max(0, begin + sent * connections / self.RATE - time.monotonic()))
            except OSError:
                self.lost += 1

    def _read(self, client):
        left, rest = self.BATCH, b""
        while left:
            data = client.recv(262_144)
            if not data:
                raise ConnectionError
            found = re.findall(rb"HTTP/1\.1 (\d{3}) ", rest + data)
            # A status line may be cut; at most its last 12 bytes are kept.
            whole = rest + data
            last = whole.rfind(b"HTTP/1.1 ")
            rest = whole[last:] if last > len(whole) - 13 else b""
            if rest and len(rest) == 13:
                rest = b""
            left -= len(found)
            with self._lock:
                for status in found:
                    self.statuses[int(status)] = self.statuses.get(int(status), 0) + 1


class Floods(ProgramTestCase):
    SECONDS = 30 if LONG else 10

    def measure(self, seconds):
        """How many frames the display gets a second while the board flips, and the time of one in microseconds."""
        before = self.status()["outputs"][0]
        begin = time.monotonic()
        while time.monotonic() < begin + seconds:
            self.control("board", "hall", f"{time.monotonic():.3f}"[-12:])
            time.sleep(0.3)
        after = self.status()["outputs"][0]
        passed = time.monotonic() - begin
        return {"frames": (after["framesPresented"] - before["framesPresented"]) / passed,
                "missed": (after["flipsMissed"] - before["flipsMissed"]) / passed, **after["frameTimeMicroseconds"]}

    def test_10000_requests_a_second_while_the_board_flips(self):
        self.start_both()
        self.control("show", "boards")
        scorer, board = self.token("s", "scorer"), self.token("b", "board")
        head = f"Host: 127.0.0.1:{self.port}\r\nContent-Type: text/plain\r\n"

        def request(method, path, body="", token=None):
            own = head + (f"Authorization: Bearer {token}\r\n" if token else "")
            return f"{method} {path} HTTP/1.1\r\n{own}Content-Length: {len(body)}\r\n\r\n{body}".encode()
        requests = [
            request("GET", "/state.json"), request("GET", "/state.json", token=board),
            request("PUT", "/boards/line", "FLOOD", board), request("PUT", "/boards/line", "x" * 4000, scorer),
            request("POST", "/commands", "add-score home 1", scorer), request("PUT", "/boards/hall", "FLOOD"),
            request("PUT", "/boards/hall", "FLOOD", "A" * 43), request("PUT", "/boards/hall", "{" * 16_000, board)]
        calm = self.measure(self.SECONDS / 2)
        before = {process: memory(process, "RssAnon") for process in (self.web, self.process)}
        pace = self.enterContext(Pace())
        with Flood(self.port, requests) as flood:
            flooded = self.measure(self.SECONDS)
        rate = flood.count / self.SECONDS
        print(f"\n{rate:.0f} requests a second were answered: {flood.statuses}; calm {calm}, flooded {flooded}")
        self.assertGreater(flood.count, 1000)
        # Without a token, with a wrong one, too many, and performed.
        self.assertLessEqual(set(flood.statuses), {200, 401, 409, 429, 400, 404, 415})
        self.assertLessEqual({200, 401, 429}, set(flood.statuses))
        # The flips go on: with frames as before, each composed in the time of before, as far as the machine lets
        # programs run.
        self.assertGreater(flooded["frames"], 1 / (3 / calm["frames"] + pace.allowance(1)))
        self.assertLess(flooded["p99"], 3 * calm["p99"] + pace.allowance(6, 0.99) * 1e6)
        self.assertEqual(self.request("GET", "/state.json")[0], 200)
        self.wait_for("the memory from before", lambda: all(
            memory(process, "RssAnon") < size + 2048 for process, size in before.items()))
        # The log has a line for each reason, and not for each request.
        self.assertLess(len(self.web_text().splitlines()), 40)

    def test_slow_bodies_are_closed_and_set_nothing(self):
        self.start_both()
        token = self.token("b", "board")
        head = (f"PUT /boards/hall HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAuthorization: Bearer {token}\r\n"
                "Content-Type: text/plain\r\nContent-Length: 100\r\n\r\n").encode()
        slow = [socket.create_connection(("127.0.0.1", self.port), 5) for _ in range(8)]
        for client in slow:
            client.sendall(head)
            client.setblocking(False)
        begin, is_open = time.monotonic(), dict.fromkeys(slow, True)
        while any(is_open.values()) and time.monotonic() - begin < 20 * PATIENCE:
            for client in slow:
                try:
                    client.send(b"x")
                    is_open[client] = is_open[client] and client.recv(4096) != b""
                except BlockingIOError:
                    pass
                except OSError:
                    is_open[client] = False
            time.sleep(0.5)
        for client in slow:
            client.close()
        self.assertFalse(any(is_open.values()), "a slow request is still open")
        self.assertEqual(self.boards()["hall"]["text"], "")
