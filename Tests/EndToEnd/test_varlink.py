# SPDX-License-Identifier: Apache-2.0
"""Other Varlink clients can discover the whole interface by introspection, and use all of it."""

import json
import os
import pty
import re
import select
import shutil
import subprocess

from EndToEnd.daemon import PROJECT, environment
from EndToEnd.test_match import BASKETBALL, MatchTestCase

CLIENT = PROJECT / "Tests/Varlink/varlink-client.py"
INTERFACE = "org.flipclock.Control"
# Two boards, of which the page has one.
BOARDS = """
[widgets.score]
type = "score"
style = "scoreboard"
[widgets.hall]
type = "board"
[widgets.unseen]
type = "text"
[layout]
rows = ["score", "hall"]
"""


class Strangers(MatchTestCase):
    """Clients of other projects, which get the description of the interface from the daemon's socket."""

    def setUp(self):
        super().setUp()
        self.config.write_text(BASKETBALL + BOARDS)

    def test_the_varlink_package_from_pypi_calls_every_method_and_gets_every_error(self):
        """Skipped if scripts/varlink-python cannot fetch the client, except on Debian, where that is a
        failure."""
        found = subprocess.run([PROJECT / "scripts/varlink-python"], capture_output=True, text=True, check=False)
        if found.returncode != 0 and not shutil.which("dpkg-query"):
            self.skipTest(found.stderr)
        self.assertEqual(found.returncode, 0, found.stderr)
        self.start()
        before = self.match()
        done = subprocess.run([found.stdout.strip(), CLIENT, "--every-error", self.socket], capture_output=True,
                              text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)
        self.assertIn("ok: every method was called", done.stdout)
        self.assertIn("ok: every error occurred", done.stdout)
        after = self.match()
        for what in ("teams", "period", "serving", "sidesSwapped"):
            self.assertEqual(after.get(what), before.get(what), "the match is as it was")

    # A method that is not here is called without parameters, and must give a reply or the expected error.
    PARAMETERS = {
        "SetScore": {"team": "home", "score": 3}, "AddScore": {"team": "home", "points": 2},
        "SetPeriodScore": {"team": "home", "period": 1, "score": 4}, "SetPeriod": {"period": 2},
        "AddPeriod": {"periods": 1}, "SetTeam": {"team": "home", "name": "LÖWEN"}, "SetServing": {"team": "home"},
        "SetCounter": {"team": "home", "counter": "fouls", "value": 2},
        "AddCounter": {"team": "home", "counter": "fouls", "value": 1},
        "SetTimer": {"timer": "shot", "milliseconds": 14000}, "AddTimer": {"milliseconds": -1500},
        "GetHistory": {"limit": 2}, "Show": {"page": "none"}, "ReportWalls": {"reachable": True},
        "ReportOwners": {"count": 0}, "ReportNetwork": {"network": {"phase": "joining", "network": "Home"}},
        "SetBoard": {"board": "hall", "text": "DOORS OPEN"}, "ClearBoard": {"board": "hall"},
        "ReportBoardProblem": {"board": "hall", "problem": "no connection"},
    }

    def varlinkctl(self, *arguments):
        return subprocess.run(["varlinkctl", *arguments], capture_output=True, text=True, timeout=60,
                              env=environment(), check=False)

    def test_varlinkctl_calls_every_method(self):
        if not shutil.which("varlinkctl"):
            self.skipTest("no varlinkctl: it comes with systemd 255 and later (Debian 13)")
        self.start()
        address = f"unix:{self.socket}"
        info = self.varlinkctl("info", address)
        self.assertIn(INTERFACE, info.stdout, info.stderr)
        described = self.varlinkctl("introspect", address, INTERFACE)
        self.assertEqual(described.returncode, 0, described.stderr)
        methods = re.findall(r"(?m)^method ([A-Za-z]+)", described.stdout)
        self.assertGreaterEqual(len(methods), 26)
        self.assertEqual(set(self.PARAMETERS) - set(methods), set())
        # These come last, because they need a change to undo or redo.
        last = ["Undo", "Redo"]
        streams = ["Subscribe", "SubscribeDisplay", "JoinWalls"]
        for method in [name for name in methods if name not in [*last, *streams]] + last:
            with self.subTest(method):
                parameters = self.PARAMETERS.get(method, {})
                done = self.varlinkctl("call", address, f"{INTERFACE}.{method}", json.dumps(parameters))
                if done.returncode == 0:
                    self.assertIsInstance(json.loads(done.stdout), dict)
                else:
                    # Nothing listens for phones here, the config shares no match, and nothing would start it again.
                    refused = {
                        "Show": "UnknownPage", "ShowPairing": "NoRemote", "Lead": "NoSharedBoard",
                        "Restart": "NotAService", "EndBreak": "NoBreak"}.get(method, "InvalidParameter")
                    self.assertIn(refused, done.stderr)
                    self.assertTrue(method == "Show" or method not in self.PARAMETERS, done.stderr)
        self.watch_with_varlinkctl(address)
        for method, parameters, error, detail in [
            ("SetScore", {"team": "nobody", "score": 1}, "UnknownTeam", "home"),
            ("SetScore", {"team": "home", "score": 1000}, "ScoreOutOfRange", "999"),
            ("SetTeam", {"team": "home", "name": ""}, "BadText", "empty"),
        ]:
            with self.subTest(error):
                done = self.varlinkctl("call", address, f"{INTERFACE}.{method}", json.dumps(parameters))
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(f"{INTERFACE}.{error}", done.stderr)
                self.assertIn(detail, done.stdout)
        done = self.varlinkctl("call", address, f"{INTERFACE}.NoSuchMethod", "{}")
        self.assertIn("org.varlink.service.MethodNotFound", done.stderr)

    def watch_with_varlinkctl(self, address):
        """Checks the first state from Subscribe. Uses a terminal, because varlinkctl would buffer output to a
        pipe."""
        master, slave = pty.openpty()
        watcher = subprocess.Popen(
            ["varlinkctl", "--no-pager", "--more", "--json=short", "call", address, f"{INTERFACE}.Subscribe", "{}"],
            stdin=subprocess.DEVNULL, stdout=slave, env=environment(SYSTEMD_COLORS="0"))
        os.close(slave)
        try:
            text = b""
            while b"\n" not in text:
                self.assertTrue(select.select([master], [], [], 20)[0], text)
                text += os.read(master, 65536)
            # A JSON sequence (RFC 7464): a record separator comes first.
            line = re.sub(rb"\x1b\[[0-9;]*m|\x1e", b"", text).partition(b"\n")[0]
            self.assertEqual(json.loads(line)["state"]["preset"], "basketball")
        finally:
            watcher.kill()
            watcher.wait(10)
            os.close(master)
