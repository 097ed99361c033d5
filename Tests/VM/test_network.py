# SPDX-License-Identifier: Apache-2.0
"""flipclock-host with Debian's NetworkManager and virtual radios (mac80211_hwsim) in one machine. A network namespace is
the router at home (hostapd, dnsmasq), another a phone (wpa_supplicant)."""

import json
import os
import time
import unittest

from VM import debian, image, root
from VM.radios import ADDRESSES, LEASE, LINK, NETWORK, PASSWORD, PHONE, RADIOS, ROUTER, WRONG
from VM.scenario import Guest

IS_LONG = "FLIPCLOCK_LONG" in os.environ


class RadioMachine(debian.DebianMachine):
    """Debian with NetworkManager and three radios."""

    @property
    def base(self):
        return root.get(more=root.RADIO_PACKAGES)


class NetworkTests(Guest, unittest.TestCase):
    """What acceptance asks of Wi-Fi without files. The tests run in their order: each begins in the state in which the
    one before has left the machine."""

    card = "virtio_gpu"
    machine_name = "radios"

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
        self.call("Join", network=NETWORK, password=PASSWORD)
        seconds = self.wait_for_phase("online", 200, network=NETWORK)
        print(f"network: joined after {seconds:.0f} s, address {self.state()['address']}")
        self.machine.wait_for("the profile", lambda: self.machine.run(
            "ls /etc/NetworkManager/system-connections", check=False).text, 30)
        modes = self.machine.run("busybox stat -c '%a %U' /etc/NetworkManager/system-connections/*").text
        self.assertEqual(set(modes.splitlines()), {"600 root"})
        self.assertEqual(len(modes.splitlines()), 1, "profiles of trials are left")

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
        self.router_off()
        self.wait_for_phase("offline", 60)
        end = self.uptime() + (3600 if IS_LONG else 120)
        while self.uptime() < end:
            self.assertEqual(self.state()["phase"], "offline", "an access point by itself")
            time.sleep(10 if IS_LONG else 2)
        self.router()
        seconds = self.wait_for_recovery()
        print(f"network: the router was off: online again {seconds:.0f} s after it was back")

    def test_7_the_router_refuses_the_right_password_for_a_while(self):
        """NetworkManager then gives the network up, and waits for a person."""
        self.router_off()
        self.wait_for_phase("offline", 60)
        self.router(password="while-it-starts")
        time.sleep(60)
        self.router_off()
        self.router()
        seconds = self.wait_for_recovery(400)
        print(f"network: refused for a minute: online again after {seconds:.0f} s")

    def test_8_networkmanager_and_the_service_restart(self):
        for unit in ("NetworkManager", "flipclock-host"):
            self.machine.run(f"systemctl restart {unit}", timeout=120)
            seconds = self.wait_for_recovery()
            print(f"network: {unit} restarted: online again after {seconds:.0f} s")

    def wait_for_recovery(self, timeout=250):
        self.machine.wait_for("the service", lambda: self.machine.run(
            "test -S /run/flipclock-host/control.sock", check=False).status == 0, 60)
        time.sleep(3)
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
        # Like a board without a battery clock, which has a device tree.
        self.machine.run(
            "udevadm control --reload && udevadm trigger --settle --action=add --subsystem-match=rtc"
            " && systemctl start flipclock-host; synchronized no"
            "; mount -t tmpfs tmpfs /sys/class/rtc && mount -t tmpfs tmpfs /sys/firmware"
            " && mkdir -p /sys/firmware/devicetree/base")
        try:
            self.assertFalse(self.state()["time_confirmed"])
            self.call("SetTime", microseconds=1_800_000_000_000_000)
            self.assertTrue(self.state()["time_confirmed"])
        finally:
            self.machine.run("umount /sys/class/rtc /sys/firmware")
        self.assertEqual(self.machine.run("date -u +%F; cat /sys/class/rtc/rtc0/date").text.split(), ["2027-01-15"] * 2)
        again = self.call("SetTime", check=False, microseconds=1_800_000_000_000_000)
        self.assertEqual(again["error"], "org.flipclock.Host.TimeIsKnown")

    def test_b_networks_are_forgotten(self):
        self.call("ForgetNetworks")
        seconds = self.wait_for_phase("access_point", 250)
        self.assertEqual(self.machine.run("ls /etc/NetworkManager/system-connections").text, "")
        print(f"network: forgotten: the access point is open after {seconds:.0f} s")
