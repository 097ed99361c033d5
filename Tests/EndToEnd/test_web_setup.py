# SPDX-License-Identifier: Apache-2.0
"""The network and the time over HTTP: flipclock-web, the daemon, and a double of flipclock-host."""

import http.client
import itertools
import json
import subprocess
import time

from EndToEnd.daemon import call, free_port
from EndToEnd.pace import Pace
from EndToEnd.host import HostDouble
from EndToEnd.test_web_owners import OwnersTestCase

PASSWORD = "correct horse"
# What phones ask for when they have joined a network: Android, Apple, Windows, Firefox, GNOME.
PORTALS = (
    ("connectivitycheck.gstatic.com", "/generate_204"), ("www.google.com", "/gen_204"),
    ("captive.apple.com", "/hotspot-detect.html"), ("www.apple.com", "/library/test/success.html"),
    ("www.msftconnecttest.com", "/connecttest.txt"), ("www.msftncsi.com", "/ncsi.txt"),
    ("detectportal.firefox.com", "/success.txt"), ("detectportal.firefox.com", "/canonical.html"),
    ("nmcheck.gnome.org", "/check_network_status.txt"), ("example.org", "/setup"), ("example.org", "/network.json"),
)
# The requests of the page, each with the method of flipclock-host that it calls besides GetState.
REQUESTS = {
    "words": ("GET", "/setup.json", None, None),
    "state": ("GET", "/network.json", None, None),
    "networks": ("GET", "/networks.json", None, "Scan"),
    "join": ("POST", "/network", {"network": "Home", "password": PASSWORD, "country": "CH"}, "Join"),
    "time": ("POST", "/time", None, "SetTime"),
    "fallback": ("POST", "/fallback", {"allowed": True}, "SetFallback"),
}
# What only owners may do, and not at the address of the access point's page.
FOR_OWNERS = ("fallback",)


def report(test, client, network):
    """Reports the state of the network to the daemon, as flipclock-host does."""
    test.assertEqual(call(client, "ReportNetwork", network=network), {"parameters": {}})


def report_access_point(test, client, port):
    report(test, client, {"phase": "access_point", "accessPoint": {
        "name": "flipclock-7Q2K", "password": "MXK4WQ7R", "url": f"http://127.0.0.1:{port}/"}})


def page_code(test):
    """The QR code on the display that leads to the page and pairs a phone; nothing if there is none."""
    shot = test.directory / "codes.png"
    shot.write_bytes(test.picture())
    codes = subprocess.run(["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", shot], capture_output=True,
                           text=True, check=False).stdout.split()
    return next((code for code in codes if code.startswith(f"http://127.0.0.1:{test.portal}/#")), "")


class SetupTestCase(OwnersTestCase):
    def setUp(self):
        super().setUp()
        self.host = HostDouble(self.host_socket)
        self.addCleanup(self.host.close)
        self.portal = free_port()
        self.portal_host = "127.0.0.1"

    def start_web(self, *options, **arguments):
        super().start_web("--setup", f"{self.portal_host}:{self.portal}", *options, **arguments)

    def send(self, name, over_access_point, cookie=None, body=None, source=1, **headers):
        """Sends a request of the page; returns the status and the reply."""
        method, path, usual, _ = REQUESTS[name]
        port = self.portal if over_access_point else self.port
        body = body if body is not None else self.phone_time() if name == "time" else usual
        fields = {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "application/json",
                  **({"Cookie": cookie} if cookie else {}), **headers}
        connection = http.client.HTTPConnection(
            "127.0.0.1", port, timeout=30, source_address=(f"127.0.0.{source}", 0))
        connection.request(method, path, json.dumps(body) if method == "POST" else None, fields)
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        return response.status, json.loads(text) if text.startswith("{") else text

    def phone_time(self, ahead=0, age=0, zone="Asia/Tokyo"):
        """The time of a phone that is `ahead` of ours, in seconds, as it was `age` seconds ago."""
        return {"time": round((time.time() + ahead - age) * 1000),
                "clock": round((time.clock_gettime(time.CLOCK_BOOTTIME) - age) * 1000), "zone": zone}


class Rights(SetupTestCase):
    def test_who_may_do_what(self):
        """Every request of every sender, on both servers, with and without an owner, in every phase."""
        self.start_both()
        # No trial ends.
        self.host.trial = 3600
        scorer = viewer = owner = None
        for has_owner in (False, True):
            if has_owner:
                owner = self.paired()[1]
                scorer, viewer = self.paired()[1], self.paired("viewer")[1]
                self.assertEqual(self.roles(), ["owner", "scorer", "viewer"])
            senders = {"stranger": None, "owner": owner, "scorer": scorer, "viewer": viewer}
            senders = {name: cookie for name, cookie in senders.items() if has_owner or name == "stranger"}
            phases = ("starting", "online", "offline", "access_point", "joining")
            for sender, over, phase, name in itertools.product(senders, (False, True), phases, REQUESTS):
                what = (sender, "over the access point" if over else "", phase, name, has_owner)
                self.host.state = {**self.host.state, "phase": phase, "network": "Neighbours"}
                self.host.calls.clear()
                # Requests are limited for each address.
                source = 2 * list(senders).index(sender) + over + 1
                status, reply = self.send(name, over, senders[sender], source=source)
                is_open = name == "words" or over and phase in ("access_point", "joining")
                may = sender == "owner" or is_open and not has_owner
                if name in FOR_OWNERS:
                    may = sender == "owner" and not over
                    self.assertEqual(status, 200 if may else 405 if over else 403, (*what, reply))
                elif may or is_open and name in ("state", "words"):
                    self.assertEqual(status, 200, (*what, reply))
                else:
                    self.assertEqual(status, 403, (*what, reply))
                    self.assertNotIn("Neighbours", json.dumps(reply))
                if name == "words" and not over:
                    self.assertEqual(reply["name"] != "", sender != "stranger", what)
                method = REQUESTS[name][3]
                self.assertEqual(len(self.host.methods("Scan", "Join", "SetTime", "SetFallback")), int(may and method is not None), what)
                if name == "state" and status == 200:
                    self.assertEqual(reply["mayJoin"], may, what)
                    self.assertEqual("Neighbours" in json.dumps(reply), may, what)
                    self.assertEqual("fallback" in reply, sender == "owner", what)

    def test_the_page_is_the_same_for_everybody(self):
        self.start_both()
        owner, scorer = self.paired()[1], self.paired()[1]
        answers = [self.request("GET", "/setup", headers={"Cookie": cookie} if cookie else {}) for cookie in (owner, scorer, None)]
        for status, headers, body in answers:
            self.assertEqual((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"))
            self.assertIn(b"<!DOCTYPE html>", body)
            self.assertEqual(body, answers[0][2])
        self.assertEqual([name for name, _ in self.host.calls if name != "Use"], [])

    def test_phones_of_other_networks_and_pages_of_other_sites_are_refused(self):
        self.start_both()
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.portal, timeout=30, source_address=("127.0.9.1", 0))
        connection.request("GET", "/network.json")
        self.assertEqual(connection.getresponse().status, 403)
        connection.close()
        for origin in ("http://example.org", f"http://127.0.0.1:{self.port}", "null"):
            self.assertEqual(self.send("join", True, Origin=origin)[0], 403, origin)
        forged = self.send("state", True, **{"X-Forwarded-For": "10.0.0.1"})
        self.assertEqual(forged[0], 200)
        self.assertEqual(self.host.methods("Join"), [])


class Portal(SetupTestCase):
    def test_every_address_of_a_phone_leads_to_the_page(self):
        self.start_both()
        page = f"http://127.0.0.1:{self.portal}/setup"
        for host, path in (*PORTALS, (f"127.0.0.1:{self.portal}", "/"), (f"127.0.0.1:{self.portal}", "/commands")):
            connection = http.client.HTTPConnection("127.0.0.1", self.portal, timeout=30)
            connection.request("GET", path, headers={"Host": host})
            response = connection.getresponse()
            self.assertEqual((response.status, response.headers["Location"]), (302, page), (host, path))
            self.assertEqual(response.headers["Cache-Control"], "no-store")
            connection.close()
        connection = http.client.HTTPConnection("127.0.0.1", self.portal, timeout=30)
        connection.request("GET", "/setup")
        response = connection.getresponse()
        self.assertEqual(response.status, 200)
        self.assertIn(b"<!DOCTYPE html>", response.read())
        self.assertIn("default-src 'none'", response.headers["Content-Security-Policy"])
        connection.close()


class Codes(SetupTestCase):
    """The code for an owner's phone that the display shows while the access point is open."""

    def setUp(self):
        super().setUp()
        self.size = "1280x720"

    def post_code(self, code, port=None, **headers):
        """Sends a code to the server on the access point, or to another one; returns the status and the reply."""
        port = port or self.portal
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("POST", "/pair", code, {"Origin": f"http://127.0.0.1:{port}", "Content-Type": "text/plain", **headers})
        response = connection.getresponse()
        reply = json.loads(response.read())
        connection.close()
        return response.status, reply, response.headers["Set-Cookie"]

    def open_access_point(self):
        """Has the display show an access point, until the connection is closed that is returned; and the code."""
        client = self.connect()
        report_access_point(self, client, self.portal)
        return client, self.wait_for("the code", lambda: page_code(self))

    def test_an_owners_phone_of_another_address_is_paired_by_the_code_once(self):
        self.start_both()
        self.paired()
        client, page = self.open_access_point()
        address, code = page.split("#")
        self.assertEqual(address, f"http://127.0.0.1:{self.portal}/")
        # A phone on the access point that has not read the code changes nothing.
        for guess in ("", "000000", code[:-1], "x" * len(code)):
            status, reply, cookie = self.post_code(guess)
            self.assertEqual((status, cookie), (403, None), (guess, reply))
        for name in ("networks", "join", "time"):
            self.assertEqual(self.send(name, True)[0], 403)
        self.assertFalse(self.send("state", True)[1]["mayJoin"])
        self.assertEqual(self.host.methods("Join", "Scan", "SetTime"), [])
        # Nor does a page of another site with the code.
        self.assertEqual(self.post_code(code, Origin="http://example.org")[0], 403)
        status, reply, cookie = self.post_code(code)
        self.assertEqual((status, reply["role"]), (200, "owner"))
        self.assertEqual(self.post_code(code)[0], 403)
        cookie = cookie.split(";")[0]
        self.assertTrue(self.send("state", True, cookie)[1]["mayJoin"])
        self.assertEqual(self.send("join", True, cookie)[0], 200)
        self.assertEqual(len(self.host.methods("Join")), 1)
        self.assertEqual(self.roles(), ["owner", "owner"])
        # The next phone gets another code, which ends with the access point, also if that is opened again.
        self.wait_for("another code", lambda: page_code(self) not in ("", page))
        for notice in ({"phase": "joining", "network": "Home"}, None):
            report_access_point(self, client, self.portal)
            code = self.wait_for("a code", lambda: page_code(self)).split("#")[1]
            report(self, client, notice)
            self.assertEqual(self.post_code(code)[0], 403, notice)
            report_access_point(self, client, self.portal)
            self.assertEqual(self.post_code(code)[0], 403, notice)
        self.wait_for("a code", lambda: page_code(self))
        client.close()
        self.wait_for("no code", lambda: not page_code(self))

    def test_wrong_codes_are_limited_as_on_the_other_port(self):
        self.start_both()
        self.paired()
        _, page = self.open_access_point()
        statuses = [self.post_code(f"{number:06}", port)[0] for number, port in enumerate((self.portal, self.port) * 3)]
        self.assertEqual(statuses, [403, 403, 403, 429, 429, 429])
        # The code of the picture cannot be guessed.
        self.assertEqual(self.post_code(page.split("#")[1])[0], 200)

    def test_without_an_owner_the_code_makes_the_first_one(self):
        self.start_both()
        _, page = self.open_access_point()
        self.assertEqual(self.send("join", True)[0], 200)
        self.assertEqual(self.post_code(page.split("#")[1])[1], {"role": "owner"})


class Use(SetupTestCase):
    def test_flipclock_host_is_told_at_most_once_a_minute_that_the_access_point_is_used(self):
        begin = time.monotonic()
        self.start_both()
        cookie = self.paired()[1]
        # Pairing has used the port for all phones.
        self.wait_for("the call", lambda: self.host.methods("Use"))
        stream = self.stream("scorer", cookie)
        stream.wait(lambda stream: stream.role == "owner")
        for _ in range(5):
            self.send("state", True)
            self.send("state", False, cookie)
        time.sleep(5)
        self.assertLessEqual(len(self.host.methods("Use")), 1 + (time.monotonic() - begin) // 60)

    def test_a_stream_alone_is_a_use_and_an_older_flipclock_host_is_no_fault(self):
        self.host.failures["Use"] = ("org.varlink.service.MethodNotFound", {"method": "org.flipclock.Host.Use"})
        self.start_both()
        stream = self.stream("viewer")
        stream.wait(lambda stream: stream.role is not None)
        # The call does not delay the stream.
        self.wait_for("the call", lambda: self.host.methods("Use"))
        begin = len(self.host.methods("Use"))
        self.wait_for("the next call", lambda: len(self.host.methods("Use")) > begin, 75)
        stream.close()
        self.assertEqual(self.send("state", True)[0], 200)
        self.assertNotIn("Use", self.web_text())

    def test_a_phone_that_has_only_joined_does_not_use_the_access_point(self):
        self.portal_host = "127.0.9.1"
        self.start_both()
        owner = self.paired()[1]
        own = f"127.0.9.1:{self.portal}"

        def send(method, host, path):
            connection = http.client.HTTPConnection(
                "127.0.9.1", self.portal, timeout=30, source_address=("127.0.9.2", 0))
            connection.request(method, path, headers={"Host": host})
            status = connection.getresponse().status
            connection.close()
            return status

        for method, (host, path) in itertools.product(("GET", "HEAD", "POST"), (*PORTALS, (own, "/"), (own, "/x"))):
            self.assertEqual(send(method, host, path), 405 if method == "POST" else 302, (method, host, path))
        # A call that was made before this one has arrived before it.
        self.assertEqual(self.send("state", False, owner)[0], 200)
        self.assertEqual([name for name, _ in self.host.calls], ["GetState"])
        self.assertEqual(send("GET", own, "/setup.json"), 200)
        self.wait_for("the call", lambda: self.host.methods("Use"))

    def test_only_phones_of_the_access_points_network_count_on_both_ports(self):
        for place, (address, port, path) in enumerate((
                ("127.0.0.1", self.port, "/"), ("127.0.9.1", self.portal, "/setup"))):
            with self.subTest(place):
                self.portal_host = "127.0.9.1"
                self.start_both()
                self.paired()
                for source, expected in (("127.0.8.2", 0), ("127.0.9.2", 1)):
                    connection = http.client.HTTPConnection(address, port, timeout=30, source_address=(source, 0))
                    connection.request("GET", path)
                    connection.getresponse().read()
                    connection.close()
                    time.sleep(0.5)
                    self.wait_for("the call", lambda expected=expected: len(self.host.methods("Use")) == expected)
                self.host.calls.clear()
                self.kill_web()
                self.kill()


class Joining(SetupTestCase):
    def test_a_trial_fails_and_another_succeeds_and_the_password_is_nowhere(self):
        self.start_both()
        wrong = "a wrong password"
        status, reply = self.send("join", True, body={"network": "Home", "password": wrong, "country": ""})
        self.assertEqual((status, reply), (200, {}))
        self.assertEqual(self.send("state", True)[1]["phase"], "joining")
        self.wait_for("the end of the trial", lambda: self.send("state", True)[1]["problem"] == "wrong_password", 10)
        self.assertEqual(self.send("join", True)[0], 200)
        self.wait_for("the network", lambda: self.host.state["phase"] == "online", 10)
        # The access point is closed, so its server answers nobody else any more.
        self.assertEqual(self.send("state", True)[0], 403)
        self.assertEqual(self.host.methods("Join"), [
            {"network": "Home", "password": wrong},
            {"network": "Home", "password": PASSWORD, "country": "CH"}])
        owner = self.paired()[1]
        status, reply = self.send("state", False, owner)
        self.assertEqual((reply["network"], reply["address"]), ("Home", "192.168.1.23"))
        everything = [self.web_text(), self.log.read_text(errors="replace"), json.dumps(reply),
                      json.dumps(self.status()), *(path.read_text(errors="replace")
                                                   for path in (self.directory / "web").rglob("*") if path.is_file())]
        for text in everything:
            self.assertNotIn(wrong, text)
            self.assertNotIn(PASSWORD, text)

    def test_what_is_refused_names_the_field_and_not_the_password(self):
        self.start_both()
        secret = "hunter2hunter2"
        bodies = [
            ({"network": "", "password": secret}, "network"), ({"network": "x" * 129, "password": secret}, "network"),
            ({"password": secret}, "network"), ({"network": "Home", "password": "short"}, "password"),
            ({"network": "Home", "password": secret * 5}, "password"), ({"network": "Home", "password": 7}, "password"),
            ({"network": "Home", "password": f"{secret}\n"}, "password"),
            ({"network": "Home", "password": secret, "country": "ch"}, "country"),
            ({"network": "Home", "password": secret, "country": "Switzerland"}, "country"),
            ({"network": "Home", "password": secret, "command": "x"}, None), ([secret], None), (secret, None),
        ]
        for body, field in bodies:
            status, reply = self.send("join", True, body=body)
            self.assertEqual(status, 400, body)
            self.assertEqual(reply.get("parameters", {}).get("field"), field, body)
            self.assertNotIn(secret, json.dumps(reply))
        self.assertEqual(self.host.methods("Join"), [])
        for error, parameters, status in (
                ("BadNetwork", {"field": "password", "reason": secret}, 409), ("NoWireless", {}, 409), ("Busy", {}, 409),
                ("Failed", {"operation": "Join", "reason": secret}, 409), ("Unknown", {"reason": secret}, 409)):
            self.host.failures["Join"] = (error, parameters)
            found, reply = self.send("join", True)
            self.assertEqual((found, reply["name"]), (status, "Failed" if error == "Unknown" else error))
            self.assertNotIn(secret, json.dumps(reply))
            self.assertEqual(reply.get("final"), False if error == "Busy" else None)
        self.assertNotIn(secret, self.web_text())

    def test_without_flipclock_host_the_answer_says_so(self):
        self.start_both()
        owner = self.paired()[1]
        self.host.close()
        for name in ("state", "networks", "join", "time", "fallback"):
            status, reply = self.send(name, False, owner)
            self.assertEqual((status, reply["name"]), (503, "NoHost"))
            self.assertIn("flipclock-host", reply["error"])
        self.host.open()
        self.assertEqual(self.send("networks", False, owner)[0], 200)

    def test_requests_are_limited(self):
        self.start_both()
        self.assertEqual(self.assert_limited(lambda: self.send("networks", True)[0], 60, 120), {200})


class Time(SetupTestCase):
    def settings_zone(self):
        reply = json.loads(self.control("settings", "--json").stdout)
        return next(setting for setting in reply["settings"] if setting["key"] == "locale.zone")

    def test_a_phone_gives_the_time_to_a_second_and_its_zone(self):
        self.start_both()
        with Pace() as pace:
            for ahead, age in ((0, 0), (3600, 0), (-90, 5), (0, 20)):
                self.host.state["time_confirmed"] = False
                self.assertFalse(self.send("state", True)[1]["timeConfirmed"])
                status, _ = self.send("time", True, body=self.phone_time(ahead, age))
                self.assertEqual(status, 200)
                given, ours = self.host.times[-1]
                self.assertAlmostEqual(given - ours, ahead, delta=0.5 + pace.allowance(10, 1), msg=f"{ahead} {age}")
        self.assertEqual(self.settings_zone()["value"], "Asia/Tokyo")

    def test_a_zone_that_is_set_stays_and_an_unknown_one_is_left_out(self):
        self.start_both()
        self.assertEqual(self.send("time", True, body=self.phone_time(zone="Mars/Olympus"))[1], {"zone": False})
        self.assertEqual(self.settings_zone()["source"], "default")
        self.control("settings", "set", "locale.zone", "Europe/Zurich")
        self.assertEqual(self.send("time", True)[1], {"zone": False})
        self.assertEqual(self.settings_zone()["value"], "Europe/Zurich")

    def test_a_zone_that_the_machine_has_stays(self):
        """For example from timezone.txt on the image. $TZ stands for /etc/localtime."""
        for machine, expected in (("America/New_York", False), ("Europe/London", False), ("Etc/UTC", True)):
            with self.subTest(machine):
                self.start()
                self.start_web(wrapper=("env", f"TZ={machine}"))
                # The name is the daemon's, so flipclock-web is connected with it.
                self.wait_for("the daemon", lambda: self.send("words", True)[1]["name"])
                self.assertEqual(self.send("time", True)[1], {"zone": expected})
                self.assertEqual(self.settings_zone().get("value"), "Asia/Tokyo" if expected else None)
                self.kill_web()
                self.kill()

    def test_what_is_refused(self):
        self.start_both()
        now = self.phone_time()
        for body, expected in (
                ({**now, "time": 1_000_000_000_000}, 400), ({**now, "time": 5_000_000_000_000}, 400), ({"time": now["time"]}, 400),
                ({**now, "zone": 7}, 400), ({**now, "x": 1}, 400), (self.phone_time(age=60), 410),
                ({**now, "clock": now["clock"] + 5000}, 410)):
            self.assertEqual(self.send("time", True, body=body)[0], expected, body)
        self.host.failures["SetTime"] = ("TimeIsKnown", {})
        status, reply = self.send("time", True)
        self.assertEqual((status, reply["name"]), (409, "TimeIsKnown"))
        self.assertEqual(self.host.times, [])
