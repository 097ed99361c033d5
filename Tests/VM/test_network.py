# SPDX-License-Identifier: Apache-2.0
"""flipclock-host, flipclock-web and the daemon with Debian's NetworkManager and virtual radios (mac80211_hwsim) in one
machine. A network namespace is the router at home (hostapd, dnsmasq), another a phone (wpa_supplicant)."""

import json
import os
import unittest

from EndToEnd.test_web_setup import PORTALS, REQUESTS
from VM import debian, image, root
from VM.radios import ADDRESSES, LEASE, LINK, NETWORK, PASSWORD, PHONE, RADIOS, REQUEST, ROUTER, WRONG
from VM.scenario import Guest

IS_LONG = "FLIPCLOCK_LONG" in os.environ


ACCESS_POINT = "10.42.0.1"
# Where NetworkManager has the profiles that it stores, and those that programs make at each start, like boot-files.
STORED = "/etc/NetworkManager/system-connections"
MADE = "/run/NetworkManager/system-connections"

# As on the image.
CONFIG = """
[remote]
set-up = true
"""


class RadioMachine(debian.DebianMachine):
    """Debian with NetworkManager and three radios."""

    @property
    def base(self):
        return root.get(more=root.RADIO_PACKAGES)


class NetworkTests(Guest, unittest.TestCase):
    """What acceptance asks of Wi-Fi without files. The tests run in their order: each begins in the state in which the
    one before has left the machine. So after one that failed, the others are skipped: each would wait for minutes, and say
    nothing about its own subject."""

    card = "virtio_gpu"
    machine_name = "radios"
    # Together they take longer than all others, so they must begin first, also where no times are known.
    usual_seconds = 40
    # With a machine's usual priority they would also end last.
    nice = 0
    # The first test that failed.
    failed = None

    def run(self, result=None):
        result = super().run(result)
        if not result.wasSuccessful():
            type(self).failed = self.failed or self._testMethodName

    def setUp(self):
        if self.failed:
            self.skipTest(f"it begins where {self.failed} ends, which failed")

    @classmethod
    def setUpClass(cls):
        cls.machine = debian.shared(cls.machine_name, RadioMachine)
        if cls.machine.is_installed:
            return
        cls.machine.unpack()
        for line in debian.readme_commands()[1:]:
            cls.machine.run(line, timeout=120)
        tool = image.tool("call-host", cls.machine.compiler)
        cls.machine.push("/usr/local/bin/call-host", tool.read_bytes())
        cls.machine.run("chmod 755 /usr/local/bin/call-host")
        # As on the image: all names lead to the machine.
        shared = "etc/NetworkManager/dnsmasq-shared.d/flipclock.conf"
        cls.machine.push(f"/{shared}", (image.PROJECT / "image/root" / shared).read_bytes())
        cls.machine.push("/etc/flipclock/config.toml.d/10-test.toml", CONFIG.encode())
        cls.machine.run("systemctl start flipclock-web.socket flipclock-web-setup.socket", timeout=60)
        cls.machine.run(RADIOS)
        cls.machine.is_installed = True

    # Helpers

    def call(self, method, check=True, **parameters):
        reply = json.loads(self.machine.run(
            f"call-host {method} '{json.dumps(parameters)}'", timeout=60).text)
        if check:
            self.assertNotIn("error", reply)
        return reply.get("parameters", {}) if check else reply

    def state(self):
        return self.call("GetState")["state"]

    def wait_for_phase(self, phase, timeout, **fields):
        """Waits for a phase; returns how long it took, in seconds of the guest."""
        begin = self.uptime()

        def reached():
            state = self.state()
            return state["phase"] == phase and all(state.get(name) == value for name, value in fields.items())
        try:
            self.machine.wait_for(f"{phase} {fields}", reached, timeout)
        except AssertionError:
            print(self.state(), self.machine.run(
                "journalctl -b -n 60 -o short-monotonic --no-pager -u flipclock-host -u NetworkManager", check=False).text)
            raise
        return self.uptime() - begin

    def uptime(self):
        return float(self.machine.run("cut -d ' ' -f 1 /proc/uptime").text)

    def router(self, channel=6, name=NETWORK, password=PASSWORD):
        self.machine.run(ROUTER.format(channel=channel, name=name, password=password))

    def router_off(self):
        self.machine.run("kill $(cat /run/hostapd.pid); sleep 1")

    def request(self, method, path, address=ACCESS_POINT, port=80, host=None, place="phone", body="", **fields):
        """Sends a request; returns its status, its header and its body. The status is 0 if nobody answers."""
        host = host or f"{address}:{port}"
        usual = {"Host": host, "Connection": "close"}
        if method == "POST":
            usual.update({"Origin": f"http://{host}", "Content-Type": "application/json", "Content-Length": len(body)})
        fields = {**usual, **fields}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
        text = self.machine.run(REQUEST.format(
            request="\\r\\n".join(lines), body=body, place=place, address=address, port=port), check=False, timeout=60).text
        header, _, reply = text.partition("\n\n")
        return (int(header.split()[1]) if header.startswith("HTTP/") else 0), header, reply

    def log(self):
        return self.machine.run(
            "journalctl -b -o cat --no-pager -u flipclock-host -u flipclockd -u flipclock-host-country").text

    def identity(self):
        return json.loads(self.machine.pull("/var/lib/flipclock-host/state.json"))["accessPoint"]

    # The tests

    def test_1_without_a_network_the_access_point_opens_and_a_phone_joins_it(self):
        self.machine.run("systemctl start flipclock-host", timeout=120)
        begin = self.uptime()
        self.wait_for_phase("access_point", 200, address="10.42.0.1")
        print(f"network: the access point is open {self.uptime() - begin:.0f} s after the start of the service")
        identity = self.identity()
        self.machine.run(PHONE.format(**identity))
        self.machine.wait_for(
            "the phone", lambda: "Connected" in self.machine.run(LINK).text, 60)
        self.machine.run(LEASE + "ip netns exec phone ping -c 3 -W 5 10.42.0.1", timeout=60)

    def test_1a_the_page_opens_on_the_phone_by_itself(self):
        """The addresses that phones ask for, by the name server that the access point gives them."""
        names = " ".join(sorted({name for name, _ in PORTALS}))
        server = self.machine.run("cut -d ' ' -f 2 /run/phone/resolv.conf").text
        self.assertEqual(server, ACCESS_POINT)
        answers = self.machine.run(
            f"for name in {names}; do ip netns exec phone busybox nslookup -type=a $name {server} | grep -A 2 Name; done").text
        self.assertEqual(answers.count(f"Address: {ACCESS_POINT}"), len(names.split()), answers)
        for name, path in PORTALS:
            status, header, _ = self.request("GET", path, host=name)
            self.assertEqual((status, f"Location: http://{ACCESS_POINT}/setup" in header.splitlines()), (302, True), name)
        status, _, page = self.request("GET", "/setup", host=ACCESS_POINT)
        self.assertEqual((status, page.startswith("<!DOCTYPE html>")), (200, True))
        # There is no owner yet, so this phone may choose a network.
        status, _, reply = self.request("GET", "/network.json", host=ACCESS_POINT)
        self.assertEqual((status, json.loads(reply)["mayJoin"], json.loads(reply)["phase"]), (200, True, "access_point"))

    def test_1b_the_page_answers_only_on_the_access_point(self):
        password = self.identity()["password"]
        # A machine of another network, whose packets the access point's machine would answer.
        self.machine.run(f"""
            ip -n phone addr add 192.168.99.2/32 dev wlan2; ip route add 192.168.99.2/32 dev wlan0
            ip -n phone route add {ACCESS_POINT}/32 dev wlan2 src 192.168.99.2""")
        try:
            for path in ("/setup", "/network.json", "/generate_204"):
                status, _, reply = self.request("GET", path, host=ACCESS_POINT)
                self.assertEqual((status, "access point" in reply), (403, True), path)
        finally:
            self.machine.run(f"""
                ip -n phone route del {ACCESS_POINT}/32; ip -n phone addr del 192.168.99.2/32 dev wlan2
                ip route del 192.168.99.2/32 dev wlan0""")
        for host in ("evil.example", "10.42.0.2", "localhost"):
            for _, (method, path, body, _) in REQUESTS.items():
                if method == "GET":
                    status, header, reply = self.request("GET", path, host=host)
                    self.assertEqual((status, reply), (302, ""), (host, path))
                else:
                    status, _, reply = self.request("POST", path, host=host, body=json.dumps(body or {}))
                    self.assertEqual(status, 405, (host, path))
        # A page of another site on the phone.
        status, _, _ = self.request("POST", "/network", host=ACCESS_POINT, Origin="http://evil.example",
                                    body=json.dumps({"network": NETWORK, "password": PASSWORD}))
        self.assertEqual(status, 403)
        # The address of the other pages: no cookie, no network and no settings.
        self.assertEqual(self.request("GET", "/network.json", port=8080)[0], 403)
        for name in ("evil.example", "detectportal.firefox.com"):
            self.assertEqual(self.request("GET", "/", port=8080, host=name)[0], 403, name)
        self.assert_nothing_for_strangers((80, 8080), password)
        self.assertEqual(self.state()["phase"], "access_point")

    def assert_nothing_for_strangers(self, ports, *secrets, address=ACCESS_POINT, place="phone"):
        """A device without a cookie is refused what owners may do, and no answer has a password."""
        fields = {"If-Match": '"0"', "Idempotency-Key": '"1"', "Flipclock-Time": 1}
        settings = json.dumps({"settings": [{"key": "teams.home.name", "value": "EVIL"}]})
        for port in ports:
            for method, path, body in (
                    ("GET", "/settings.json", ""), ("GET", "/settings.toml", ""), ("GET", "/devices.json", ""),
                    ("GET", "/health.json", ""), ("POST", "/settings", settings), ("POST", "/restart", ""),
                    ("POST", "/fallback", '{"allowed": true}'), ("POST", "/pairing", "owner"),
                    ("GET", "/", ""), ("GET", "/settings", "")):
                kind = {"Content-Type": "text/plain"} if path == "/pairing" else {}
                status, _, reply = self.request(method, path, address, port, body=body, place=place,
                                                host=address if port == 80 else None, **fields, **kind)
                refused = {"GET": (302,), "POST": (405,)}[method] if port == 80 else (401, 403)
                # The pages themselves have no data.
                is_page = port == 8080 and method == "GET" and path in ("/", "/settings")
                self.assertIn(status, (200,) if is_page else refused, (port, path))
                for secret in secrets:
                    self.assertFalse(secret in reply, f"{path} names a password")
        self.assertFalse(self.state()["fallback"])
        self.assertNotIn("EVIL", self.machine.run("flipclockctl settings export").text)

    def test_2_a_wrong_password_is_named_and_the_access_point_open_again(self):
        self.machine.run(ADDRESSES)
        self.router()
        self.call("Join", network=NETWORK, password=WRONG, country="DE")
        seconds = self.wait_for_phase("access_point", 200, problem="wrong_password", failed=NETWORK)
        print(f"network: a wrong password: the access point is open again after {seconds:.0f} s")
        self.machine.wait_for(
            "the country", lambda: "country DE" in self.machine.run("iw reg get").text, 30)

    def test_3_a_network_that_is_not_there_is_named(self):
        self.call("Join", network="Nowhere", password=PASSWORD)
        seconds = self.wait_for_phase("access_point", 250, failed="Nowhere")
        self.assertIn(self.state()["problem"], ("not_found", "failed"))
        print(f"network: no such network ({self.state()['problem']}): the access point is open again after {seconds:.0f} s")

    def test_4_the_right_password_joins_and_is_stored_for_root_only(self):
        names = [network["name"] for network in self.call("Scan")["networks"]]
        self.assertIn(NETWORK, names)
        # The supplicant of a very slow guest misses the router's time limits; a person then tries again.
        for _ in range(4):
            begin = self.uptime()
            self.call("Join", network=NETWORK, password=PASSWORD)
            state = self.machine.wait_for(
                "the end of the trial", lambda: (state := self.state())["phase"] != "joining" and state, 200)
            if state["phase"] == "online":
                break
            print(f"network: not joined ({state.get('problem')}) after {self.uptime() - begin:.0f} s")
        self.assertEqual((state["phase"], state.get("network")), ("online", NETWORK))
        print(f"network: joined after {self.uptime() - begin:.0f} s, address {self.state().get('address')}")
        self.machine.wait_for("the profile", lambda: self.machine.run(
            "ls /etc/NetworkManager/system-connections", check=False).text, 30)
        modes = self.machine.run("busybox stat -c '%a %U' /etc/NetworkManager/system-connections/*").text
        self.assertEqual(set(modes.splitlines()), {"600 root"})
        self.assertEqual(len(modes.splitlines()), 1, "profiles of trials are left")

    def test_4a_in_the_home_network_the_page_is_only_for_owners(self):
        address = self.state()["address"]
        route = f"ip -n home route {{}} {ACCESS_POINT}/32 via {address}"
        self.machine.run(route.format("add"))
        try:
            for target in (address, ACCESS_POINT):
                self.assertEqual(self.request("GET", "/setup", target, place="home")[0], 0, target)
        finally:
            self.machine.run(route.format("del"))
        for path in ("/setup", "/setup.json", "/network.json", "/networks.json"):
            for host in (f"{address}:8080", ACCESS_POINT):
                status, _, reply = self.request("GET", path, address, 8080, host, "home")
                # The page and its texts say that others may not use it.
                expected = 403 if path.startswith("/network") else 200
                self.assertEqual((status, NETWORK in reply), (expected, False), (path, host))
        self.assert_nothing_for_strangers((8080,), PASSWORD, address=address, place="home")

    def test_4b_the_access_point_is_asked_for_by_the_command(self):
        self.assertIn(f"online in the network '{NETWORK}'", self.machine.run("flipclockctl network").text)
        self.machine.run("flipclockctl network fallback on")
        self.assertTrue(self.state()["fallback"])
        self.machine.run("flipclockctl network fallback off; flipclockctl network open")
        self.wait_for_phase("access_point", 60)
        self.machine.run("flipclockctl network close")
        self.wait_for_phase("online", 120, network=NETWORK)

    def test_4c_a_radio_that_is_plugged_in_later_gets_the_country(self):
        # As many changes of other kinds as switch a unit off that starts for each of them.
        for state in ("on", "off") * 4:
            self.machine.run(f"flipclockctl network fallback {state}")
        self.machine.run("iw reg set 00")
        self.machine.wait_for("no country", lambda: "country 00" in self.machine.run("iw reg get").text, 30)
        self.machine.run("udevadm trigger --action=add --subsystem-match=ieee80211 --settle")
        self.machine.wait_for("the country", lambda: "country DE" in self.machine.run("iw reg get").text, 60)
        self.assertEqual(self.machine.run("systemctl is-failed flipclock-host-country.path", check=False).text.strip(), "active")

    def test_5_the_channel_changes(self):
        self.router_off()
        self.router(channel=11)
        begin = self.uptime()
        self.machine.wait_for(
            "the other channel", lambda: "2462" in self.machine.run("iw dev wlan0 link").text and self.machine.run(
                "ping -c 1 -W 1 192.168.77.1", check=False).status == 0, 120)
        seconds = self.uptime() - begin
        self.wait_for_phase("online", 60, network=NETWORK)
        print(f"network: the router on another channel: online again after {seconds:.0f} s")

    def test_6_the_router_is_off_and_back(self):
        """Off for an hour in the long tests, else for two minutes: no rule has a limit in between, and the simulation has
        the hour."""
        self.router_is_off_for(3600 if IS_LONG else 120)

    def router_is_off_for(self, seconds):
        self.router_off()
        self.wait_for_phase("offline", 60)
        end = self.uptime() + seconds
        while self.uptime() < end:
            self.assertEqual(self.state()["phase"], "offline", "an access point by itself")
            self.machine.pause(10 if IS_LONG else 2)
        self.router()
        seconds = self.wait_for_recovery()
        print(f"network: the router was off: online again {seconds:.0f} s after it was back")

    def test_7_the_router_refuses_the_right_password_for_a_while(self):
        """NetworkManager then gives the network up, and waits for a person."""
        self.router_off()
        self.wait_for_phase("offline", 60)
        self.router(password="while-it-starts")
        self.machine.pause(60)
        self.router_off()
        self.router()
        seconds = self.wait_for_recovery(400)
        print(f"network: refused for a minute: online again after {seconds:.0f} s")

    def test_7a_the_same_with_a_profile_in_run(self):
        """Like that of wifi.txt, which NetworkManager reports as unsaved."""
        self.move_profile(STORED, MADE)
        try:
            self.assertEqual(self.machine.run(f"ls {STORED}").text, "")
            self.router_is_off_for(20)
            self.test_7_the_router_refuses_the_right_password_for_a_while()
        finally:
            self.move_profile(MADE, STORED)

    def move_profile(self, source, target):
        # NetworkManager keeps a profile of the loopback device in /run, which stays there.
        self.machine.run(
            f"mkdir -p {target}; for file in {source}/*.nmconnection; do if grep -q type=wifi \"$file\"; then "
            f"mv \"$file\" {target}/; fi; done; nmcli connection reload", timeout=60)
        self.wait_for_phase("online", 120, network=NETWORK)

    def test_7b_what_a_person_ends_stays_ended(self):
        """For longer than the service waits before it helps NetworkManager."""
        profile = self.machine.run("nmcli -g NAME,TYPE connection show --active | sed -n 's/:802-11-wireless$//p'").text.strip()
        for end, begin in ((f"connection down '{profile}'", f"connection up '{profile}'"),
                           ("device disconnect wlan0", "device connect wlan0")):
            with self.subTest(end):
                self.wait_for_phase("online", 60, network=NETWORK)
                self.machine.run(f"nmcli {end}")
                until = self.uptime() + 45
                while self.uptime() < until:
                    self.assertEqual(self.machine.run("nmcli -g GENERAL.STATE device show wlan0").text[:2], "30")
                    self.machine.pause(2)
                self.assertEqual(self.state()["phase"], "offline")
                self.machine.run(f"nmcli {begin}", timeout=120)
        self.wait_for_phase("online", 60, network=NETWORK)

    def test_8_networkmanager_and_the_service_restart(self):
        for unit in ("NetworkManager", "flipclock-host"):
            self.machine.run(f"systemctl restart {unit}", timeout=120)
            seconds = self.wait_for_recovery()
            print(f"network: {unit} restarted: online again after {seconds:.0f} s")

    def wait_for_recovery(self, timeout=250):
        self.machine.wait_for("the service", lambda: self.machine.run(
            "test -S /run/flipclock-host/control.sock", check=False).status == 0, 60)
        self.machine.pause(3)
        return self.wait_for_phase("online", timeout, network=NETWORK)

    def test_9_nothing_names_a_password(self):
        secrets = (PASSWORD, WRONG, self.identity()["password"])
        places = {
            "the journal": self.machine.run("journalctl -b -o cat --no-pager").text,
            "the status": self.machine.run("systemctl status --no-pager -l flipclock-host", check=False).text,
            "the state": json.dumps(self.state()),
            "flipclockctl status": self.machine.run("flipclockctl --json status", check=False).text,
            "arguments": self.machine.run("cat /proc/[0-9]*/cmdline | tr '\\0' ' '").text,
        }
        for place, text in places.items():
            for secret in secrets:
                self.assertFalse(secret in text, f"{place} names a password")
        # What other users can read.
        found = self.machine.run(
            "setpriv --reuid=65534 --regid=65534 --clear-groups grep -rlsF "
            + " ".join(f"-e {secret}" for secret in (PASSWORD, self.identity()["password"]))
            + " /etc /var /run --exclude=hostapd.conf --exclude=phone.conf --exclude=agent.* || true", timeout=120).text
        self.assertEqual(found, "")
        refused = self.machine.run(
            "setpriv --reuid=65534 --regid=65534 --clear-groups call-host GetState", check=False)
        self.assertNotEqual(refused.status, 0, "everybody may call it")

    def test_a_the_clock_is_set_once(self):
        self.machine.run(
            "udevadm control --reload && udevadm trigger --settle --action=add --subsystem-match=rtc"
            " && systemctl start flipclock-host; synchronized no")
        # Like a board without a battery clock, which has a device tree. The service may have a /sys of its own,
        # which mounts of the guest do not reach.
        enter = f"nsenter --mount --target {self.machine.show('MainPID', 'flipclock-host')}"
        self.machine.run(
            f"{enter} mount -t tmpfs tmpfs /sys/class/rtc && {enter} mount -t tmpfs tmpfs /sys/firmware"
            f" && {enter} mkdir -p /sys/firmware/devicetree/base")
        try:
            self.assertFalse(self.state()["time_confirmed"])
            self.call("SetTime", microseconds=1_800_000_000_000_000)
            self.assertTrue(self.state()["time_confirmed"])
        finally:
            self.machine.run(f"{enter} umount /sys/class/rtc /sys/firmware")
        self.assertEqual(self.machine.run("date -u +%F; cat /sys/class/rtc/rtc0/date").text.split(), ["2027-01-15"] * 2)
        again = self.call("SetTime", check=False, microseconds=1_800_000_000_000_000)
        self.assertEqual(again["error"], "org.flipclock.Host.TimeIsKnown")

    def test_b_networks_are_forgotten(self):
        self.call("ForgetNetworks")
        seconds = self.wait_for_phase("access_point", 250)
        self.assertEqual(self.machine.run("ls /etc/NetworkManager/system-connections").text, "")
        print(f"network: forgotten: the access point is open after {seconds:.0f} s")
