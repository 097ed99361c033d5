# SPDX-License-Identifier: Apache-2.0
"""The code for the first phone, and what the display shows about the network."""

import json
import shutil
import signal
import subprocess

from EndToEnd.daemon import call
from EndToEnd.test_web import WebTestCase

NETWORK = {
    "phase": "access_point",
    "accessPoint": {"name": 'flipclock;"1"', "password": "SECRET:7\\X", "url": "http://10.42.0.1:8080/"}}
WIFI = r'WIFI:T:WPA;S:flipclock\;\"1\";P:SECRET\:7\\X;;'


class SetUp(WebTestCase):
    def setUp(self):
        super().setUp()
        if not shutil.which("zbarimg"):
            self.skipTest("no zbarimg")
        self.size = "1280x720"
        self.config.write_text(self.config.read_text() + "set-up = true\n")

    def codes(self):
        """Returns the contents of the QR codes on the display."""
        shot = self.directory / "set-up.png"
        shot.write_bytes(self.picture())
        return sorted(subprocess.run(
            ["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", shot], capture_output=True, text=True,
            check=False).stdout.split())

    def wait_for_code(self):
        codes = self.wait_for("a code", self.codes)
        self.assertEqual(len(codes), 1)
        self.assertTrue(codes[0].startswith(f"http://127.0.0.1:{self.port}/pair#"), codes)
        return codes[0].split("#")[1]

    def test_the_code_changes_when_it_is_shown_again_and_later(self):
        text = self.config.read_text()
        self.start_both()
        first = self.wait_for_code()
        self.config.write_text(text.replace("set-up = true", "set-up = false"))
        self.control("reload")
        self.wait_for_no_code()
        self.config.write_text(text)
        self.control("reload")
        self.wait_for("another code", lambda: self.codes() and self.wait_for_code() != first)
        self.assertEqual(self.request("POST", "/pair", first, self.own)[0], 403)
        self.assertEqual(self.request("POST", "/pair", self.wait_for_code(), self.own)[0], 200)

    def wait_for_no_code(self):
        self.wait_for("no code", lambda: not self.codes())

    def roles(self):
        devices = json.loads(self.web_control("remote", "list", "--json").stdout)["devices"]
        return sorted(device["role"] for device in devices)

    def test_the_first_phone_becomes_the_owner_and_the_code_returns_without_one(self):
        self.start_both()
        first = self.wait_for_code()
        # Another invitation is shown in its place, and pairs no owner beside it.
        digits = self.code("viewer")
        self.assertEqual(self.request("POST", "/pair", first, self.own)[0], 403)
        self.assertEqual(self.request("POST", "/pair", digits, self.own)[0], 200)
        self.assertEqual(self.wait_for_code(), first)
        self.assertEqual(self.request("POST", "/pair", first, self.own)[0], 200)
        self.assertEqual(self.roles(), ["owner", "viewer"])
        self.wait_for_no_code()
        self.assertEqual(self.request("POST", "/pair", first, self.own)[0], 403)
        self.stop(signal.SIGKILL)
        self.start()
        self.wait_for("connection to the daemon", lambda: self.web_text().count("connected to the daemon") == 2)
        self.assertEqual(self.codes(), [])
        self.web_control("remote", "forget", "all")
        second = self.wait_for_code()
        self.assertNotEqual(second, first)
        # flipclock-web loses its list.
        self.assertEqual(self.request("POST", "/pair", second, self.own)[0], 200)
        self.wait_for_no_code()
        self.stop_web()
        (self.directory / "web/devices.json").write_text("{}")
        self.start_web()
        self.assertNotIn(self.wait_for_code(), (first, second))

    def report(self, client, network):
        return call(client, "ReportNetwork", network=network)

    def are_both_shown(self):
        codes = self.codes()
        return WIFI in codes and any(code.startswith(NETWORK["accessPoint"]["url"] + "#") for code in codes)

    def test_the_access_point_is_shown_while_its_program_is_connected_and_its_password_nowhere_else(self):
        self.start()
        with self.connect() as client:
            self.assertEqual(self.report(client, NETWORK), {"parameters": {}})
            self.wait_for("both codes", self.are_both_shown)
            self.control("add-score", "home", "2")
            # In a match, they are smaller.
            self.wait_for("both codes", self.are_both_shown)
            self.control("reload")
            self.control("undo")
            seen = self.control("--json", "status").stdout + self.log.read_text()
            for path in self.directory.rglob("*"):
                if path.is_file() and path.suffix != ".png":
                    seen += path.read_text(errors="replace")
            self.assertNotIn("SECRET", seen)
            self.assertIn("InvalidParameter", self.report(client, {"phase": "joined"})["error"])
            self.report(client, {"phase": "joining", "network": "Home"})
            self.wait_for("no codes", lambda: not self.codes())
            self.report(client, NETWORK)
            self.wait_for("both codes", lambda: len(self.codes()) == 2)
        self.wait_for("no codes", lambda: WIFI not in self.codes())
