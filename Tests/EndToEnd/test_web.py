# SPDX-License-Identifier: Apache-2.0
"""flipclock-web with a headless daemon: pages, pairing, commands, event streams, attacks, memory and
latency."""

import contextlib
import datetime
import http.client
import itertools
import json
import os
import pathlib
import random
import re
import select
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time
import unittest

from EndToEnd.daemon import CONFIG, CONTROL, PATIENCE, PROJECT, DaemonTestCase, environment, free_port
from EndToEnd.pace import Pace
from EndToEnd.process import memory, processor_time, wakeups

sys.path.insert(0, str(PROJECT / "Tests"))
from VM import picture  # noqa: E402

WEB = PROJECT / ".build/release/flipclock-web"
LONG = "FLIPCLOCK_LONG" in os.environ
# A build without optimization takes more memory.
IS_RELEASE = pathlib.Path(os.path.realpath(WEB)).parent.name == "release"


class Stream:
    """An event stream, read by a thread of its own."""

    def __init__(self, port, audience="viewer", cookie=None):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        headers = {"Cookie": cookie} if cookie else {}
        self.connection.request("GET", f"/events?as={audience}", headers=headers)
        self.response = self.connection.getresponse()
        self.changed = threading.Condition()
        self.events = []
        self.is_closed = False
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        name = None
        try:
            while line := self.response.readline():
                if line.startswith(b"event: "):
                    name = line[7:].strip().decode()
                elif line.startswith(b"data: "):
                    data = json.loads(line[6:])
                    with self.changed:
                        self.events.append((time.monotonic(), name, data))
                        self.changed.notify_all()
        except (OSError, ValueError, http.client.HTTPException, AttributeError):
            pass
        with self.changed:
            self.is_closed = True
            self.changed.notify_all()

    def last(self, name):
        with self.changed:
            return next((data for _, kind, data in reversed(self.events) if kind == name), None)

    def wait(self, condition, seconds=15):
        """Waits until `condition(stream)` holds, and returns whether it does."""
        end = time.monotonic() + seconds * PATIENCE
        while not condition(self):
            with self.changed:
                if self.is_closed or not self.changed.wait(max(0.0, min(0.05, end - time.monotonic()))):
                    if self.is_closed or time.monotonic() >= end:
                        break
        return bool(condition(self))

    @property
    def score(self):
        match = self.last("match")
        return match and match["match"]["teams"][0]["score"]

    @property
    def role(self):
        role = self.last("role")
        return role and role["role"]

    def close(self):
        sock = self.connection.sock or getattr(getattr(self.response.fp, "raw", None), "_sock", None)
        if sock:
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.thread.join(5)
        self.connection.close()


class WebTestCase(DaemonTestCase):
    ids = itertools.count()

    def setUp(self):
        super().setUp()
        self.port = free_port()
        self.config.write_text(
            f'{CONFIG}\n[remote]\nname = "Hall 1"\naddress = "127.0.0.1"\nport = {self.port}\n'
            'messages = ["TIME OUT"]\n')
        self.web = None
        self.host_socket = self.directory / "host.sock"
        self.web_log = self.directory / "web.log"
        self.runtime = self.directory / "runtime"
        self.runtime.mkdir()
        self.streams = []
        self.addCleanup(lambda: [stream.close() for stream in self.streams])

    def start_web(self, *options, wrapper=(), **arguments):
        with open(self.web_log, "ab") as log:
            self.web = subprocess.Popen(
                [*wrapper, WEB, "--listen", f"127.0.0.1:{self.port}", "--socket", self.socket,
                 "--state-dir", self.directory / "web", *options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=environment(FLIPCLOCK_WEB_SOCKET=str(self.runtime / "web.sock"),
                                FLIPCLOCK_HOST_SOCKET=str(self.host_socket)), **arguments)
        self.addCleanup(self.kill_web)
        self.wait_for("page", self.is_listening)

    def start_both(self, *options):
        before = len(self.web_text())
        self.start()
        self.start_web(*options)
        self.wait_for("connection to the daemon", lambda: "connected to the daemon" in self.web_text()[before:])

    def web_text(self):
        return self.web_log.read_text(errors="replace") if self.web_log.exists() else ""

    def is_listening(self):
        self.assertIsNone(self.web.poll(), self.web_text())
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
            # It is made after the port, and a killed program leaves the file of its own.
            with socket.socket(socket.AF_UNIX) as own:
                own.connect(str(self.runtime / "web.sock"))
            return True
        except OSError:
            return False

    def kill_web(self):
        if self.web and self.web.poll() is None:
            self.web.kill()
        if self.web:
            self.web.wait(10)

    def stop_web(self):
        self.web.send_signal(signal.SIGTERM)
        return self.web.wait(10)

    def request(self, method, path, body=None, headers=None, address="127.0.0.1", source="127.0.0.1"):
        """Returns the status, the header and the body."""
        connection = http.client.HTTPConnection(address, self.port, timeout=30, source_address=(source, 0))
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    @property
    def own(self):
        """The header fields of the page's requests, with the id and the time of a command that is given
        now."""
        return {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "text/plain;charset=UTF-8", **self.terms()}

    def terms(self, age=0):
        """The id and the time of a command that was given `age` seconds ago."""
        time_given = round((time.clock_gettime(time.CLOCK_BOOTTIME) - age) * 1000)
        return {"Idempotency-Key": f'"{next(self.ids)}"', "Flipclock-Time": str(time_given)}

    def command(self, text, cookie=None, **headers):
        """Returns the status and the reply of a command."""
        all_headers = {**self.own, **({"Cookie": cookie} if cookie else {}), **headers}
        status, _, body = self.request("POST", "/commands", text.encode(), all_headers)
        return status, json.loads(body)

    def revision(self):
        """The match's revision, from the daemon."""
        with self.connect() as client:
            client.sendall(b'{"method":"org.flipclock.Control.GetState"}\0')
            reply = b""
            while not reply.endswith(b"\0"):
                reply += client.recv(65536)
        return json.loads(reply[:-1])["parameters"]["state"]["revision"]

    def code(self, *role):
        return json.loads(self.control("--json", "remote", *role).stdout)["code"]

    def pair(self, *role):
        """Pairs a device with the digits on the display, and returns its cookie."""
        status, headers, body = self.request("POST", "/pair", self.code(*role), self.own)
        self.assertEqual(status, 200, body)
        return headers["Set-Cookie"].split(";")[0]

    def web_control(self, *words, check=True):
        result = subprocess.run(
            [CONTROL, *words], capture_output=True, text=True, timeout=30, check=False,
            env=environment(FLIPCLOCK_WEB_SOCKET=str(self.runtime / "web.sock")))
        if check:
            self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def stream(self, audience="viewer", cookie=None):
        stream = Stream(self.port, audience, cookie)
        self.streams.append(stream)
        self.assertTrue(stream.wait(lambda s: s.last("link") is not None), self.web_text())
        return stream

    def raw(self, data, seconds=15):
        """Sends bytes on a connection of their own, and returns what comes until its end or a whole
        response."""
        with socket.create_connection(("127.0.0.1", self.port), seconds) as client:
            client.settimeout(seconds)
            received = b""
            try:
                client.sendall(data)
                while chunk := client.recv(65536):
                    received += chunk
                    head, _, body = received.partition(b"\r\n\r\n")
                    length = re.search(rb"(?i)content-length: (\d+)", head)
                    if length and len(body) >= int(length.group(1)):
                        break
            except (ConnectionError, TimeoutError):
                pass
            return received


class PageTests(WebTestCase):
    def test_the_page_is_whole_and_protected(self):
        self.start_both()
        for path in ("/", "/pair", "/board", "/board?overlay=1"):
            status, headers, body = self.request("GET", path)
            self.assertEqual(status, 200)
            self.assertEqual(headers["Content-Type"], "text/html; charset=utf-8")
            self.assertTrue(body.startswith(b"<!") and b"</html>" in body, body[:100])
            policy = headers["Content-Security-Policy"]
            for part in ("default-src 'none'", "script-src 'sha256-", "frame-ancestors 'none'", "form-action 'none'"):
                self.assertIn(part, policy)
            self.assertNotIn("unsafe", policy)
            self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
            self.assertEqual(self.request("GET", path, headers={"If-None-Match": headers["ETag"]})[0], 304)
            status, headers, head = self.request("HEAD", path)
            self.assertEqual((status, head), (200, b""))
            self.assertEqual(int(headers["Content-Length"]), len(body))

    def test_tricks_with_paths_reach_nothing(self):
        self.start_both()
        for path in ("/../../etc/passwd", "/..", "//", "/./board", "/%2e%2e/%2e%2e/etc/passwd", "/board/../pair",
                     "/b%6fard", "/board%00", "/\\..\\..", "/page.html",
                     "/events/", "/pair/x", "/;/board", "http:/localhost/"):
            reply = self.raw(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            self.assertRegex(reply.split(b"\r\n")[0], rb"HTTP/1.1 40[04]", path)
            self.assertNotIn(b"root:", reply)
        for line in (b"GET /x\0 HTTP/1.1", b"GET / HTTP/9.9", b"GET  /",
                     b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"):
            reply = self.raw(line + b"\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            self.assertFalse(reply.startswith(b"HTTP/1.1 2"), line)
        self.assertEqual(self.request("GET", "/")[0], 200)

    def test_the_absolute_form_of_a_target(self):
        self.start_both()
        for target, status in (("http://localhost/", b"200"), (f"http://127.0.0.1:{self.port}/board", b"200"),
                               ("http://localhost/x", b"404"), ("http://evil.example/", b"403")):
            reply = self.raw(f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            self.assertEqual(reply.split(b" ")[1], status, target)

    def test_foreign_hosts_and_origins_are_refused(self):
        self.start_both()
        cookie = self.pair()
        name = socket.gethostname().split(".")[0]
        for host in (f"127.0.0.1:{self.port}", "localhost", f"[::1]:{self.port}", name, f"{name.upper()}.local:1"):
            self.assertEqual(self.request("GET", "/", headers={"Host": host})[0], 200, host)
        for host in ("evil.example", f"evil.example:{self.port}", "127.0.0.1.evil.example",
                     "localhost.evil.example", "", "a b"):
            for method, path in (("GET", "/"), ("GET", "/events"), ("POST", "/commands"), ("POST", "/pair")):
                headers = {**self.own, "Host": host, "Origin": f"http://{host}", "Cookie": cookie}
                self.assertIn(self.request(method, path, "add-score home 1", headers)[0], (400, 403), host)
        for origin in ("http://evil.example", "null", f"http://localhost:{self.port}", "http://127.0.0.1",
                       f"https://127.0.0.1:{self.port}1"):
            self.assertEqual(self.command("add-score home 1", cookie, Origin=origin)[0], 403, origin)
        # Without an origin, cookies are not accepted.
        headers = {"Content-Type": "text/plain", "Cookie": cookie}
        self.assertEqual(self.request("POST", "/commands", "add-score home 1", headers)[0], 401)
        self.assertEqual(self.scores()["home"], 0)
        # The log has a line for each reason, and not for each request.
        self.assertLess(self.web_text().count("refused"), 8, self.web_text())

    def test_wrong_command_lines(self):
        for words, status in ((["--viewers", "all"], 64), (["--listen", "x"], 64), (["x"], 64), (["--help"], 0),
                              (["--version"], 0)):
            result = subprocess.run([WEB, *words], capture_output=True, text=True, timeout=10, check=False)
            self.assertEqual(result.returncode, status, words)
            self.assertTrue(result.stdout if status == 0 else result.stderr.startswith("flipclock-web: "))

    def test_one_program_uses_a_state_directory(self):
        self.start_both()
        other = subprocess.run(
            [WEB, "--listen", f"127.0.0.1:{free_port()}", "--state-dir", self.directory / "web"],
            capture_output=True, text=True, timeout=10, check=False, env=environment())
        self.assertEqual(other.returncode, 75, other.stderr)
        self.assertIn(str(self.web.pid), other.stderr)
        same = subprocess.run(
            [WEB, "--listen", f"127.0.0.1:{self.port}", "--state-dir", self.directory / "other"],
            capture_output=True, text=True, timeout=10, check=False, env=environment())
        self.assertEqual(same.returncode, 1)
        self.assertIn("--listen", same.stderr)


class PairingTests(WebTestCase):
    def test_devices_are_paired_listed_kept_and_forgotten(self):
        self.start_both()
        agent = {"User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)"}
        status, headers, body = self.request("POST", "/pair", self.code(), {**self.own, **agent})
        self.assertEqual((status, json.loads(body)), (200, {"role": "owner"}))
        for part in ("HttpOnly", "SameSite=Strict", "Path=/", "Max-Age="):
            self.assertIn(part, headers["Set-Cookie"])
        scorer = headers["Set-Cookie"].split(";")[0]
        viewer = self.pair("viewer")
        token = scorer.split("=")[1]
        for file in (self.directory / "web").iterdir():
            self.assertNotIn(token, file.read_text())
            self.assertEqual(file.stat().st_mode & 0o007, 0, file)
        self.assertNotIn(token, self.web_text())

        def remote(*words, check=True):
            return self.web_control("remote", *words, check=check)
        listed = json.loads(remote("list", "--json").stdout)["devices"]
        self.assertEqual([(d["role"], d["name"]) for d in listed], [("owner", "iPhone"), ("viewer", "unknown")])
        self.assertIn("iPhone", remote("list").stdout)
        self.assertEqual(self.command("add-score home 1", scorer)[0], 200)
        self.assertEqual(self.command("add-score home 1", viewer)[0], 403)

        self.assertEqual(self.stop_web(), 0)
        self.start_web()
        stream = self.stream("scorer", scorer)
        self.assertTrue(stream.wait(lambda s: s.role == "owner" and s.score == 1))
        unknown = remote("forget", "zzzzzz", check=False)
        self.assertEqual(unknown.returncode, 2)
        self.assertIn(listed[0]["id"], unknown.stderr)
        self.assertIn("iPhone", remote("forget", listed[0]["id"]).stdout)
        self.assertTrue(stream.wait(lambda s: s.role == "none"))
        status, headers, _ = self.request("POST", "/commands", "undo", {**self.own, "Cookie": scorer})
        self.assertEqual(status, 401)
        self.assertIn("Max-Age=0", headers["Set-Cookie"])
        remote("forget", "all")
        self.assertEqual(self.command("undo", viewer)[0], 401)
        self.stop_web()
        self.start_web()
        self.assertEqual(json.loads(remote("list", "--json").stdout)["devices"], [])

    def test_wrong_codes_are_limited(self):
        self.start_both()
        # While the display shows no code, attempts do not count.
        for _ in range(10):
            self.assertEqual(self.request("POST", "/pair", "123456", self.own)[0], 403)
        code = self.code()
        wrong = f"{(int(code) + 1) % 1_000_000:06}"
        statuses = [self.request("POST", "/pair", wrong, self.own)[0] for _ in range(20)]
        self.assertEqual(statuses[:3], [403, 403, 403])
        self.assertEqual(set(statuses[3:]), {429})
        # Not even the right code is accepted now.
        self.assertEqual(self.request("POST", "/pair", code, self.own)[0], 429)
        self.assertEqual(self.revision(), 0)

    def test_wrong_codes_of_others_do_not_keep_the_picture_code_from_pairing(self):
        if not shutil.which("zbarimg"):
            self.skipTest("no zbarimg")
        self.size = "1280x720"
        self.start_both()
        reply = json.loads(self.control("--json", "remote").stdout)
        wrong = f"{(int(reply['code']) + 1) % 1_000_000:06}"
        for source in ("127.0.0.2", "127.0.0.3"):
            statuses = [self.request("POST", "/pair", wrong, self.own, source=source)[0] for _ in range(4)]
            self.assertIn(429, statuses)
        self.assertEqual(self.request("POST", "/pair", reply["code"], self.own, source="127.0.0.9")[0], 429)

        def scan():
            shot = self.directory / "card.png"
            shot.write_bytes(self.picture())
            return subprocess.run(
                ["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", shot], capture_output=True, text=True,
                check=False).stdout.strip()
        secret = self.wait_for("a code that can be scanned", scan).split("#")[1]
        for _ in range(50):
            self.assertEqual(self.request("POST", "/pair", secret[::-1] + "x", self.own, source="127.0.0.2")[0], 403)
        self.assertEqual(self.request("POST", "/pair", secret, self.own, source="127.0.0.9")[0], 200)
        # Neither program writes a line for each attempt.
        self.assertLess(self.web_text().count("refused"), 8, self.web_text())
        self.assertLess(self.log.read_text().count("not paired"), 3, self.log.read_text())

    def test_the_card_lights_a_dark_display(self):
        self.start_both()

        def is_dark():
            return self.status()["blanked"], set(picture.from_png(self.picture()).rgb) == {0}

        def becomes(state):
            self.wait_for(f"a display that is {state}", lambda: is_dark() == (state == "dark", state == "dark"))
        self.control("blank")
        becomes("dark")
        self.control("remote")
        becomes("lit")
        self.control("remote", "close")
        becomes("dark")
        # 'blank' closes the box with the code.
        self.control("remote")
        becomes("lit")
        self.assertEqual(self.control("blank").stdout, "the display is dark\n")
        becomes("dark")
        self.assertEqual(self.control("remote", "close").stdout, "there was no code\n")
        self.control("unblank")
        # The same while the schedule switches the display off or shows a black picture.
        now = datetime.datetime.now(datetime.timezone.utc)
        begin, end = (f"{now + datetime.timedelta(hours=hours):%H:%M}" for hours in (-1, 1))
        config = self.config.read_text()
        for display in ("off", "black"):
            self.replace_config(f'{config}\n[schedule.night]\nfrom = "{begin}"\nto = "{end}"\ndisplay = "{display}"\n')
            self.control("reload")
            becomes("dark")
            self.control("remote")
            becomes("lit")
            self.control("remote", "close")
            becomes("dark")

    def test_guessed_tokens_are_limited(self):
        self.start_both()
        cookie = self.pair()
        numbers = itertools.count()
        self.assertEqual(self.assert_limited(
            lambda: self.command("add-score home 1", f"flipclock={next(numbers):043}")[0], 20, 20), {401})
        for value in ("", "x" * 42, "x" * 44, "x" * 2000, "é" * 43):
            cookie_of_others = f"flipclock={value}".encode().decode("latin-1")
            self.assertIn(self.command("add-score home 1", cookie_of_others)[0], (400, 401, 429, 431))
        self.assertEqual(self.scores()["home"], 0)
        self.assertEqual(self.command("add-score home 1", cookie)[0], 200)
        self.assertLess(len(self.web_text().splitlines()), 20, self.web_text())

    def test_a_damaged_file_is_set_aside(self):
        (self.directory / "web").mkdir(mode=0o700)
        (self.directory / "web/devices.json").write_text("{")
        self.start_both()
        self.assertIn("devices.json.bad", self.web_text())
        self.pair()

    def test_viewers(self):
        self.start_both("--viewers", "paired")
        stranger = self.stream()
        viewer = self.stream(cookie=self.pair("viewer"))
        self.assertEqual(stranger.role, "none")
        self.assertTrue(viewer.wait(lambda s: s.score == 0))
        self.assertIsNone(stranger.last("match"))
        self.stop_web()
        self.start_web("--viewers", "none")
        self.assertEqual(self.request("GET", "/board")[0], 404)
        self.assertEqual(self.request("GET", "/events?as=viewer")[0], 403)


class CommandTests(WebTestCase):
    def test_all_devices_see_all_changes(self):
        self.start_both()
        phones = [self.pair() for _ in range(2)]
        streams = [self.stream("scorer", cookie) for cookie in phones] + [self.stream()]
        self.assertEqual([stream.role for stream in streams], ["owner", "scorer", "viewer"])
        status, reply = self.command("add-score home 2", phones[0])
        self.assertEqual((status, reply["what"]), (200, "HOME 2"))
        for stream in streams:
            self.assertTrue(stream.wait(lambda s: s.score == 2))
            self.assertEqual(stream.last("match")["match"]["revision"], reply["revision"])
        # A change by another program, and its undo by the other phone.
        self.control("set-score", "home", "9")
        for stream in streams:
            self.assertTrue(stream.wait(lambda s: s.score == 9))
        revision = streams[1].last("match")["match"]["revision"]
        self.assertEqual(self.command("undo", phones[1], **{"If-Match": f'"{revision - 1}"'})[0], 412)
        self.assertEqual(self.command("undo", phones[1], **{"If-Match": f'"{revision}"'})[0], 200)
        for stream in streams:
            self.assertTrue(stream.wait(lambda s: s.score == 2))
        self.assertEqual(self.command('message -- "HELLO \\"YOU\\""', phones[0])[0], 200)
        self.assertTrue(streams[2].wait(lambda s: s.last("display").get("message") == 'HELLO "YOU"'))
        self.assertEqual(self.command("add-score nobody 1", phones[0])[0], 409)
        for text in ("reload", "screenshot /tmp/x", "state", "remote", "remote forget all",
                     "undo --socket /tmp/x", 'message "x', ""):
            status, reply = self.command(text, phones[0])
            self.assertEqual(status, 400, text)
            self.assertTrue(reply["error"])

    def test_of_simultaneous_undos_one_is_performed(self):
        self.start_both()
        cookie = self.pair()
        for _ in range(5):
            self.command("add-score home 1", cookie)
        for _ in range(4):
            score = self.scores()["home"]
            revision = self.revision()
            statuses = []
            threads = [
                threading.Thread(target=lambda r=revision: statuses.append(
                    self.command("undo", cookie, **{"If-Match": f'"{r}"'})[0])) for _ in range(8)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            self.assertEqual(sorted(statuses), [200] + [412] * 7)
            self.assertEqual(self.scores()["home"], score - 1)

    def test_the_daemon_is_killed_and_comes_back(self):
        self.start_both()
        cookie = self.pair()
        stream = self.stream("scorer", cookie)
        self.assertEqual(self.command("set-score home 87", cookie)[0], 200)
        self.kill()
        self.assertTrue(stream.wait(lambda s: s.last("link")["connected"] is False, 5))
        self.assertEqual(self.command("add-score home 1", cookie)[0], 503)
        late = self.stream()
        self.assertTrue(late.wait(lambda s: s.score == 87 and s.last("link")["connected"] is False))
        self.start()
        for each in (stream, late):
            self.assertTrue(each.wait(lambda s: s.last("link")["connected"] is True, 15))
        self.assertEqual(self.command("add-score home 1", cookie)[0], 200)
        for each in (stream, late):
            self.assertTrue(each.wait(lambda s: s.score == 88))
        self.assertFalse(stream.is_closed)

    def test_a_daemon_that_hangs_costs_only_its_commands(self):
        self.start_both()
        cookie = self.pair()
        stream = self.stream("scorer", cookie)
        os.kill(self.process.pid, signal.SIGSTOP)
        begin = time.monotonic()
        try:
            status, reply = self.command("add-score home 1", cookie)
            self.assertEqual(status, 504, reply)
            self.assertLess(time.monotonic() - begin, 20 * PATIENCE)
            self.assertEqual(self.request("GET", "/")[0], 200)
            self.assertFalse(stream.is_closed)
        finally:
            os.kill(self.process.pid, signal.SIGCONT)

    def test_pages_hear_of_a_daemon_that_hangs_while_a_clock_runs(self):
        self.config.write_text(f'{self.config.read_text()}\n[game]\npreset = "basketball"\n')
        self.start_both()
        stream = self.stream()
        self.control("timer", "start")
        time.sleep(3)
        self.assertTrue(stream.last("link")["connected"])
        os.kill(self.process.pid, signal.SIGSTOP)
        try:
            begin = time.monotonic()
            self.assertTrue(stream.wait(lambda s: not s.last("link")["connected"], 12))
            self.assertGreater(time.monotonic() - begin, 3)
            self.assertGreaterEqual(stream.last("link")["seconds"], 5)
            self.assertFalse(self.stream().last("link")["connected"])
        finally:
            os.kill(self.process.pid, signal.SIGCONT)
        self.assertTrue(stream.wait(lambda s: s.last("link")["connected"], 5))
        self.assertIn("answers again", self.web_text())

    def test_the_end_waits_for_no_stream(self):
        self.start_both()
        stream = self.stream()
        with Pace() as pace:
            begin = time.monotonic()
            self.assertEqual(self.stop_web(), 0)
            self.assertLess(time.monotonic() - begin, 2 + pace.allowance(20, 1))
        self.assertTrue(stream.wait(lambda s: s.is_closed, 5))


class AttackTests(WebTestCase):
    def test_slow_requests_are_closed_and_hinder_nobody(self):
        self.start_both()
        cookie = self.pair()
        slow = [socket.create_connection(("127.0.0.1", self.port), 5) for _ in range(100)]
        begin = time.monotonic()
        for number, client in enumerate(slow):
            client.sendall([b"G", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: y", b"POST /commands HTTP/1.1\r\nHost: "
                            b"localhost\r\nContent-Length: 100\r\n\r\nadd-sco", b""][number % 4])
            client.setblocking(False)
        latencies = []
        pace = self.enterContext(Pace())
        is_open = dict.fromkeys(slow, True)
        while any(is_open.values()) and time.monotonic() - begin < 20 * PATIENCE:
            start = time.monotonic()
            self.assertEqual(self.command("add-score home 1", cookie)[0], 200)
            latencies.append(time.monotonic() - start)
            for number, client in enumerate(slow):
                if not is_open[client]:
                    continue
                try:
                    if number % 4 < 3:
                        client.send(b"y")
                    if client.recv(4096) == b"":
                        is_open[client] = False
                except BlockingIOError:
                    pass
                except OSError:
                    is_open[client] = False
            time.sleep(0.5)
        for client in slow:
            client.close()
        self.assertFalse(any(is_open.values()), "a slow request is still open after 20 s")
        self.assertGreater(time.monotonic() - begin, 8)
        self.assertLess(max(latencies), 1 + pace.allowance(6, 1))

    def test_oversized_requests_are_refused(self):
        self.start_both()
        own = b"Host: localhost\r\nOrigin: http://localhost\r\nContent-Type: text/plain\r\nConnection: close\r\n"
        cases = [
            (b"POST /commands HTTP/1.1\r\n" + own + b"Content-Length: 17000\r\n\r\n" + b"x" * 17000, b"413"),
            (b"POST /commands HTTP/1.1\r\n" + own + b"Transfer-Encoding: chunked\r\n\r\n4268\r\n" + b"x" * 17000
             + b"\r\n0\r\n\r\n", b"413"),
            (b"POST /commands HTTP/1.1\r\n" + own + b"Content-Length: 4000000000\r\n\r\n" + b"x" * 100_000, b""),
            (b"POST /commands HTTP/1.1\r\n" + own + b"Content-Length: 18446744073709551617\r\n\r\n", b"4"),
            (b"POST /commands HTTP/1.1\r\n" + own + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nundo\n", b""),
            (b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n" + own + b"\r\n", b"4"),
            (b"GET / HTTP/1.1\r\n" + own + b"X: " + b"y" * 100_000 + b"\r\n\r\n", b"4"),
            (b"GET / HTTP/1.1\r\n" + own + b"X: y\r\n" * 10_000 + b"\r\n", b"4"),
            (b"GET / HTTP/1.1\r\n" + own + b"Cookie: " + b"flipclock=a; " * 10_000 + b"\r\n\r\n", b"4"),
        ]
        for data, status in cases:
            reply = self.raw(data)
            if reply:
                self.assertTrue(reply.startswith(b"HTTP/1.1 " + (status or b"4")), (data[:80], reply[:80]))
        self.assertEqual(self.request("GET", "/")[0], 200)
        self.assertLess(memory(self.web, "VmHWM"), 40_000)

    def test_a_thousand_connections_leave_those_that_are_open_alone(self):
        self.start_both()
        cookie = self.pair()
        stream = self.stream("scorer", cookie)
        clients = []
        for number in range(1000):
            client = socket.socket()
            client.setblocking(False)
            client.connect_ex(("127.0.0.1", self.port))
            clients.append(client)
            if number % 50 == 0:
                time.sleep(0.02)
        time.sleep(0.5)
        # Another address of this machine, whose share of the connections the flood cannot use.
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5 * PATIENCE, source_address=("127.0.0.2", 0))
        connection.request("POST", "/commands", "add-score home 1", {**self.own, "Cookie": cookie})
        self.assertEqual(connection.getresponse().status, 200)
        connection.close()
        self.assertTrue(stream.wait(lambda s: s.score == 1))
        descriptors = len(os.listdir(f"/proc/{self.web.pid}/fd"))
        self.assertLess(descriptors, 560)
        self.assertIn("too many connections", self.web_text())
        for client in clients:
            client.close()
        self.wait_for("free connections", lambda: len(os.listdir(f"/proc/{self.web.pid}/fd")) < 40)
        self.assertEqual(self.command("add-score home 1", cookie)[0], 200)
        self.assertTrue(stream.wait(lambda s: s.score == 2))
        self.assertFalse(stream.is_closed)

    def test_streams_of_many_addresses_keep_no_paired_phone_out(self):
        self.start_both()
        cookie = self.pair()
        own = self.stream("scorer", cookie)
        held = []
        self.addCleanup(lambda: [client.close() for client in held])
        for address in range(2, 19):
            for _ in range(33):
                client = socket.socket()
                client.settimeout(5)
                client.bind((f"127.0.0.{address}", 0))
                client.connect(("127.0.0.1", self.port))
                try:
                    client.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                    client.recv(100)
                except ConnectionError:
                    pass
                held.append(client)
        # A paired phone can connect, from its usual address and from the attackers', and stays connected.
        for source in ("127.0.0.1", "127.0.0.2", "127.0.0.77"):
            headers = {**self.own, "Cookie": cookie}
            status, _, reply = self.request("POST", "/commands", "add-score home 1", headers, source=source)
            self.assertEqual(status, 200, reply)
            self.assertEqual(self.request("GET", "/", source=source)[0], 200)
        phones = [self.stream("scorer", cookie) for _ in range(5)]
        self.assertEqual([phone.role for phone in phones], ["owner"] * 5)
        # A new phone can be paired, and a spectator at another address sees the match.
        self.assertEqual(self.request("POST", "/pair", self.code(), self.own, source="127.0.0.78")[0], 200)
        self.assertTrue(self.stream().wait(lambda s: s.score == 3))
        self.assertTrue(own.wait(lambda s: s.score == 3))
        self.assertFalse(any(stream.is_closed for stream in (own, *phones)))
        self.assertLess(len(os.listdir(f"/proc/{self.web.pid}/fd")), 640)
        self.assertLess(self.web_text().count("too many connections"), 5, self.web_text())

    def test_one_viewers_cookie_keeps_no_scorer_out(self):
        self.start_both()
        viewer, scorer = self.pair("viewer"), self.pair()
        own, spectator = self.stream("scorer", scorer), self.stream()
        # From five addresses, with and without a stream.
        for path in ("/events", "/"):
            held = []
            self.addCleanup(lambda clients=held: [client.close() for client in clients])
            for number in range(576):
                client = socket.socket()
                client.settimeout(5)
                client.bind((f"127.0.0.{2 + number % 5}", 0))
                client.connect(("127.0.0.1", self.port))
                with contextlib.suppress(ConnectionError):
                    client.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {viewer}\r\n\r\n".encode())
                    client.recv(100)
                held.append(client)
            self.assertLess(len(os.listdir(f"/proc/{self.web.pid}/fd")), 60)
            before = self.scores()["home"]
            for number in range(10):
                headers = {**self.own, "Cookie": scorer}
                status, _, reply = self.request(
                    "POST", "/commands", "add-score home 1", headers, source="127.0.0.77")
                self.assertEqual(status, 200, (number, reply))
            self.assertEqual(self.scores()["home"], before + 10)
        self.assertTrue(own.wait(lambda s: s.score == 20) and spectator.wait(lambda s: s.score == 20))
        self.assertFalse(own.is_closed or spectator.is_closed)

    def test_clients_of_a_trusted_proxy_are_told_apart(self):
        self.start_both("--trusted-proxy", "127.0.0.1")
        viewer = self.pair("viewer")
        held = []
        self.addCleanup(lambda: [client.close() for client in held])

        def get(path, client_address, cookie=""):
            client = socket.create_connection(("127.0.0.1", self.port), 5)
            held.append(client)
            client.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 9.9.9.9, {client_address}\r\n"
                           f"X-Forwarded-Proto: https\r\nCookie: {cookie}\r\n\r\n".encode())
            with contextlib.suppress(ConnectionError):
                return client.recv(100)
            return b""

        # One client's streams are closed to make room for those of another, and of spectators at other
        # addresses.
        crowd = [get("/events", "192.168.1.7") for _ in range(500)]
        self.assertIn(b"503", b"".join(crowd))
        for number in range(40):
            self.assertTrue(get("/events", f"192.168.1.{10 + number}").startswith(b"HTTP/1.1 200"), number)
        for client in held:
            client.close()
        # A client's wrong codes do not count for others, and its cookie is sent only over HTTPS.
        code = self.code()
        wrong = f"{(int(code) + 1) % 1_000_000:06}"

        def pair(digits, client_address, source="127.0.0.1"):
            headers = {**self.own, "X-Forwarded-For": client_address, "X-Forwarded-Proto": "https"}
            return self.request("POST", "/pair", digits, headers, source=source)
        self.assertEqual([pair(wrong, "192.168.1.7")[0] for _ in range(4)], [403, 403, 403, 429])
        status, headers, _ = pair(code, "192.168.1.8")
        self.assertEqual(status, 200)
        self.assertIn("; Secure", headers["Set-Cookie"])
        # The same fields from another address are ignored.
        status, headers, _ = pair(self.code(), "192.168.1.9", source="127.0.0.2")
        self.assertEqual(status, 200)
        self.assertNotIn("Secure", headers["Set-Cookie"])
        self.assertIn("127.0.0.2", self.web_text())
        self.assertEqual(self.command("undo", viewer)[0], 403)

    def test_guesses_from_many_addresses_of_one_network_count_together(self):
        """An IPv6 network (/64) belongs to one client, which can choose any address in it."""
        self.start_both("--trusted-proxy", "127.0.0.1")
        cookie = self.pair("viewer")

        def statuses(client_address, count, cookie="flipclock=" + "A" * 43):
            headers = {"Cookie": cookie, "X-Forwarded-For": client_address}
            return {self.request("POST", "/commands", "undo", {**self.own, **headers})[0] for _ in range(count)}
        self.assertEqual(set.union(*(statuses(f"2001:db8::{number:x}", 1) for number in range(20))), {401})
        self.assertEqual(set.union(*(statuses(f"2001:db8::1:{number:x}", 1) for number in range(10))), {429})
        self.assertEqual(statuses("2001:db8:0:1::1", 1), {401})
        self.assertEqual(statuses("2001:db8::1", 1, cookie), {403})

    def test_idle_connections_to_the_daemon_leave_the_pages_alone(self):
        self.start_both()
        cookie = self.pair()
        stream = self.stream("scorer", cookie)
        held = []
        self.addCleanup(lambda: [client.close() for client in held])
        for number in range(300):
            client = socket.socket(socket.AF_UNIX)
            client.connect(str(self.socket))
            held.append(client)
            if number % 30 == 0:
                self.assertEqual(self.command("add-score home 1", cookie)[0], 200)
        for _ in range(10):
            self.assertEqual(self.command("add-score home 1", cookie)[0], 200)
        self.assertTrue(stream.wait(lambda s: s.score == 20))
        self.assertEqual([data["connected"] for _, name, data in stream.events if name == "link"], [True])
        self.assertNotIn("no connection to the daemon", self.web_text())

    def test_cookies_of_other_programs_on_this_machine(self):
        self.start_both()
        cookie = self.pair()
        for size, expected in ((4000, 200), (5500, 200), (6200, 431)):
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
            connection.request("POST", "/commands", "add-score home 1",
                               {**self.own, "Cookie": f"other={'x' * size}; {cookie}"})
            self.assertEqual(connection.getresponse().status, expected, size)
            connection.close()

    def test_requests_with_two_lengths_are_refused(self):
        self.start_both()
        cookie = self.pair()
        plain, chunked = b"add-score home 1", b"10\r\nadd-score home 1\r\n0\r\n\r\n"
        for version, fields, body in (
                ("1.1", "Transfer-Encoding: chunked\r\nContent-Length: 16", chunked),
                ("1.1", "Content-Length: 4\r\nTransfer-Encoding: chunked", chunked),
                ("1.1", "Transfer-Encoding : chunked\r\nContent-Length: 16", chunked),
                ("1.1", "Transfer-Encoding : chunked\r\nContent-Length: 16", plain),
                ("1.1", "Content-Length: 16\r\nContent-Length: 17", plain),
                ("1.0", "Transfer-Encoding: chunked", chunked)):
            terms = "".join(f"{name}: {value}\r\n" for name, value in self.own.items())
            head = (f"POST /commands HTTP/{version}\r\nHost: 127.0.0.1:{self.port}\r\n{terms}"
                    f"Cookie: {cookie}\r\n{fields}\r\n\r\n")
            reply = self.raw(head.encode() + body)
            self.assertTrue(reply.startswith(b"HTTP/1.1 400"), (fields, reply[:80]))
        self.assertEqual(self.scores()["home"], 0)
        with self.subTest("and the same with one length is performed"):
            self.assertEqual(self.command("add-score home 1", cookie)[0], 200)

    def test_garbage_at_random(self):
        self.start_both()
        generator = random.Random(7)
        seed = (f"POST /commands HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nOrigin: http://127.0.0.1:{self.port}\r\n"
                "Content-Type: text/plain\r\nIdempotency-Key: \"1\"\r\nFlipclock-Time: 1\r\n"
                "Content-Length: 16\r\nConnection: close\r\n\r\nadd-score home 1").encode()
        for _ in range(5000 if LONG else 300):
            data = bytearray(seed)
            for _ in range(generator.randint(1, 6)):
                if not data:
                    break
                place = generator.randrange(len(data))
                choice = generator.randrange(4)
                if choice == 0:
                    data[place] = generator.randrange(256)
                elif choice == 1:
                    del data[place:place + generator.randint(1, 20)]
                elif choice == 2:
                    data[place:place] = data[generator.randrange(len(data)):][:40]
                else:
                    del data[place:]
                    data += b"\r\n\r\n"
            with socket.create_connection(("127.0.0.1", self.port), 5) as client:
                client.settimeout(0.02)
                try:
                    client.sendall(data)
                    client.shutdown(socket.SHUT_WR)
                    client.recv(4096)
                except OSError:
                    pass
        self.assertIsNone(self.web.poll(), self.web_text())
        self.assertEqual(self.request("GET", "/")[0], 200)
        self.assertEqual(self.scores()["home"], 0)


class RestTests(WebTestCase):
    def test_nothing_runs_while_nobody_uses_it(self):
        self.start_both()
        stream = self.stream()
        self.command("undo")
        stream.close()
        # The closed stream is noticed after at most two beats.
        self.wait_for_sleep(self.web, 5)
        if LONG:
            self.assertEqual(wakeups(self.web, 600), 0)


class InheritedSocketTests(WebTestCase):
    def start_inherited(self, wrapper=()):
        """Starts the program as systemd does, with sockets for HTTP and for flipclockctl."""
        http_socket = socket.socket(socket.AF_INET6)
        self.addCleanup(http_socket.close)
        http_socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        http_socket.bind(("::", self.port))
        http_socket.listen(64)
        control = socket.socket(socket.AF_UNIX)
        self.addCleanup(control.close)
        control.bind(str(self.runtime / "web.sock"))
        control.listen(16)

        def inherit():
            # The copies at 3 and 4 stay open in the program.
            high = [os.dup2(each.fileno(), 60 + index) for index, each in enumerate((http_socket, control))]
            for index, descriptor in enumerate(high):
                os.dup2(descriptor, 3 + index)
        script = 'exec env LISTEN_PID=$$ LISTEN_FDS=2 "$@"'
        with open(self.web_log, "ab") as log:
            self.web = subprocess.Popen(
                [*wrapper, "/bin/sh", "-c", script, "sh", WEB, "--socket", self.socket,
                 "--state-dir", self.directory / "web"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment(), preexec_fn=inherit,
                close_fds=False)
        self.addCleanup(self.kill_web)
        self.wait_for("connection to the daemon", lambda: "connected to the daemon" in self.web_text())
        return http_socket

    def test_sockets_of_systemd_also_from_another_network_namespace(self):
        wrapper = ["unshare", "--net"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "--net"]
        if subprocess.run([*wrapper, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("this system allows no network namespaces")
        self.start()
        self.start_inherited(wrapper)
        cookie = self.pair()
        self.assertEqual(self.command("add-score home 1", cookie)[0], 200)
        # The address of the client is known, as the log of refusals shows.
        self.request("GET", "/", headers={"Host": "evil.example"})
        self.wait_for("refusal in the log", lambda: "refused 127.0.0.1: " in self.web_text())
        result = subprocess.run(
            [CONTROL, "--socket", self.runtime / "web.sock", "remote", "list"], capture_output=True, text=True,
            check=False, env=environment())
        self.assertIn("owner", result.stdout, result.stderr)
        self.assertEqual(self.stop_web(), 0)

    @unittest.skipUnless(LONG, "takes ten minutes")
    def test_it_ends_after_ten_idle_minutes_and_loses_no_connection(self):
        self.start()
        listener = self.start_inherited()
        self.assertEqual(self.request("GET", "/")[0], 200)
        begin = time.monotonic()
        self.assertEqual(self.web.wait(700), 0)
        self.assertGreater(time.monotonic() - begin, 590)
        # A connection waits on the socket for the next process.
        with socket.create_connection(("127.0.0.1", self.port), 5):
            self.assertTrue(select.select([listener], [], [], 5)[0])


class Audience:
    """Many spectators on one epoll."""

    def __init__(self, port, count):
        self.poll = select.epoll()
        self.clients = {}
        self.tail = {}
        self.bytes = 0
        self.closed = 0
        self.arrivals = {}
        for _ in range(count):
            client = socket.create_connection(("127.0.0.1", port), 10)
            client.sendall(b"GET /events?as=viewer HTTP/1.1\r\nHost: localhost\r\n\r\n")
            client.setblocking(False)
            self.clients[client.fileno()] = client
            self.tail[client.fileno()] = b""
            self.poll.register(client.fileno(), select.EPOLLIN)

    def read(self, seconds):
        """Reads for a while. Returns how often each revision has arrived, with the time of the last
        arrival."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            for descriptor, _ in self.poll.poll(left):
                data = self.clients[descriptor].recv(262_144)
                now = time.monotonic()
                if not data:
                    self.closed += 1
                    self.poll.unregister(descriptor)
                    continue
                self.bytes += len(data)
                whole, mark, rest = (self.tail[descriptor] + data).rpartition(b"\n\n")
                self.tail[descriptor] = rest if mark else self.tail[descriptor] + data
                for found in re.finditer(rb'"revision":(\d+)', whole):
                    count, _ = self.arrivals.get(int(found.group(1)), (0, 0))
                    self.arrivals[int(found.group(1))] = (count + 1, now)

    def close(self):
        for client in self.clients.values():
            client.close()


class LoadTests(WebTestCase):
    def test_200_viewers_and_20_changes_a_second(self):
        self.start_both()
        audience = Audience(self.port, 200)
        self.addCleanup(audience.close)
        audience.read(1)
        seconds = 60 if LONG else 6
        changes = []
        done = threading.Event()

        def change():
            # A reply comes when the change is on disk, so several clients are needed for this rate.
            clients = [self.connect() for _ in range(8)]
            begin = time.monotonic()
            for number in range(20 * seconds):
                time.sleep(max(0, begin + number / 20 - time.monotonic()))
                client = clients[number % len(clients)]
                if number >= len(clients):
                    reply = b""
                    while not reply.endswith(b"\0"):
                        reply += client.recv(65536)
                call = {
                    "method": "org.flipclock.Control.SetScore",
                    "parameters": {"team": "home", "score": number % 100 + 1}}
                changes.append(time.monotonic())
                client.sendall(json.dumps(call).encode() + b"\0")
            done.set()
        threading.Thread(target=change, daemon=True).start()
        anonymous = 0
        while not done.is_set():
            audience.read(0.2)
            anonymous = max(anonymous, memory(self.web, "RssAnon"))
        audience.read(2)
        used = processor_time(self.web)
        revision = self.revision()
        peak = memory(self.web, "VmHWM")
        print(f"\n200 viewers, {20 * seconds} changes in {seconds} s: {anonymous / 1024:.1f} MiB, "
              f"{peak / 1024:.1f} MiB at most with files since the start, {used:.2f} s of processor time, "
              f"{audience.bytes / 1e6:.1f} MB sent, {audience.closed} dropped")
        self.assertEqual(audience.closed, 0)
        self.assertEqual(revision, 20 * seconds)
        self.assertEqual(audience.arrivals.get(revision, (0, 0))[0], 200, "viewers with the last change")
        if IS_RELEASE:
            # How much of the program's file is mapped depends on the page cache.
            self.assertLessEqual(anonymous, 5 * 1024)

    def test_latency(self):
        self.start_both()
        cookie = self.pair()
        stream = self.stream("scorer", cookie)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        acknowledged, shown = [], []
        pace = self.enterContext(Pace())
        for number in range(300 if LONG else 45):
            begin = time.monotonic()
            connection.request("POST", "/commands", "add-score home 1", {**self.own, "Cookie": cookie})
            reply = json.loads(connection.getresponse().read())
            acknowledged.append(time.monotonic() - begin)
            self.assertTrue(stream.wait(lambda s, n=number: s.score == n + 1))
            with stream.changed:
                arrival = next(
                    t for t, name, data in stream.events
                    if name == "match" and data["match"]["revision"] == reply["revision"])
            shown.append(arrival - begin)
            time.sleep(0.25 if LONG else 0.05)
        connection.close()
        print(f"\ntap to acknowledgement (on disk): {self.words(acknowledged)}; tap to event: {self.words(shown)}")
        self.assertLess(statistics.median(shown), 0.1 + pace.allowance(6))
        self.assertLess(statistics.median(acknowledged), 0.5 + pace.allowance(6))

    @staticmethod
    def words(times):
        ordered = sorted(times)
        p99 = ordered[int(len(ordered) * 0.99)]
        return f"p50 {statistics.median(ordered) * 1000:.1f} ms, p99 {p99 * 1000:.1f} ms"

    def test_a_tap_changes_the_picture(self):
        self.start_both()
        cookie = self.pair()
        status = self.connect()

        def frames():
            status.sendall(b'{"method":"org.flipclock.Control.GetStatus"}\0')
            data = b""
            while not data.endswith(b"\0"):
                data += status.recv(65536)
            return json.loads(data[:-1])["parameters"]["status"]["outputs"][0]["framesPresented"]
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.connect()
        connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        times = []
        pace = self.enterContext(Pace())
        for _ in range(300 if LONG else 12):
            # Waits until the previous flip has ended.
            self.rest()
            before = frames()
            begin = time.monotonic()
            connection.request("POST", "/commands", "add-score home 1", {**self.own, "Cookie": cookie})
            while frames() == before:
                self.assertLess(time.monotonic() - begin, 5 * PATIENCE)
            times.append(time.monotonic() - begin)
            connection.getresponse().read()
        connection.close()
        print(f"\ntap to the first changed frame, at 60 Hz: {self.words(times)}")
        self.assertLess(statistics.median(times), 0.15 + pace.allowance(6))


if __name__ == "__main__":
    unittest.main()
