# SPDX-License-Identifier: Apache-2.0
"""`flipclockctl network` with a double of flipclock-host."""

import json
import subprocess

from EndToEnd.daemon import CONTROL, DaemonTestCase, environment
from EndToEnd.host import HostDouble


class NetworkCommand(DaemonTestCase):
    def setUp(self):
        super().setUp()
        self.host = HostDouble(self.directory / "host.sock")
        self.addCleanup(self.host.close)

    def network(self, *words, status=0):
        result = subprocess.run(
            [CONTROL, "network", *words], capture_output=True, text=True, check=False, timeout=30,
            env=environment(FLIPCLOCK_HOST_SOCKET=self.host.path))
        self.assertEqual(result.returncode, status, result.stderr)
        return result

    def test_each_form_is_one_call(self):
        for words, call in (
                (("open",), ("OpenAccessPoint", {})), (("close",), ("CloseAccessPoint", {})),
                (("forget",), ("ForgetNetworks", {})), (("fallback", "on"), ("SetFallback", {"allowed": True})),
                (("fallback", "off"), ("SetFallback", {"allowed": False})), ((), ("GetState", {}))):
            for json_option in ((), ("--json",)):
                self.host.calls.clear()
                text = self.network(*words, *json_option).stdout
                self.assertEqual(self.host.calls, [call])
                if json_option:
                    self.assertEqual(json.loads(text), {} if words else self.host.state)
                else:
                    self.assertTrue(text.endswith("\n"))
                    self.assertEqual(text.count("\n"), 1 if words else len(text.splitlines()))

    def test_the_state_in_words(self):
        off = "without a network for ten minutes: no access point is opened"
        on = "without a network for ten minutes: an access point is opened"
        for changes, lines in (
                ({}, ["the access point 'flipclock-7Q2K' is open, address 10.42.0.1", off]),
                ({"phase": "online", "network": "Home", "address": "192.168.1.23", "fallback": True, "country": "CH"},
                 ["online in the network 'Home', address 192.168.1.23", on, "country: CH"]),
                ({"phase": "online", "address": None}, ["online by cable", off]),
                ({"phase": "joining", "network": "Home"}, ["tries the network 'Home'", off]),
                ({"phase": "offline", "problem": "wrong_password", "failed": "Home"},
                 ["offline: in no network", "the network 'Home' was not joined: the password is wrong", off]),
                ({"phase": "offline", "wireless_off": True},
                 ["offline: in no network", "the Wi-Fi is switched off; 'rfkill unblock wifi' switches it on", off]),
                ({"phase": "offline", "wireless_taken": True},
                 ["offline: in no network", "another connection uses the Wi-Fi, so no access point is opened by itself",
                  off]),
                ({"phase": "starting", "has_wireless": False, "time_confirmed": False},
                 ["starting: no network yet", "this machine has no Wi-Fi that can be used", off,
                  "nothing has confirmed the time since the machine started"])):
            self.host.state = {**HostDouble.STATE, **changes}
            self.assertEqual(self.network().stdout.splitlines(), lines)

    def test_refusals_and_a_missing_program_are_explained(self):
        for error, values, reason in (
                ("NoWireless", {}, "no Wi-Fi that can be used"), ("Busy", {}, "a network is being tried"),
                ("Failed", {"operation": "OpenAccessPoint", "reason": "it is late"}, "it is late")):
            self.host.failures["OpenAccessPoint"] = (error, values)
            self.assertIn(reason, self.network("open", status=2).stderr)
            report = json.loads(self.network("open", "--json", status=2).stderr)["error"]
            self.assertEqual(report["name"], f"org.flipclock.Host.{error}")
        self.host.close()
        result = self.network("open", status=1)
        self.assertIn("systemctl enable --now flipclock-host", result.stderr)
        self.assertIn(str(self.host.path), result.stderr)
