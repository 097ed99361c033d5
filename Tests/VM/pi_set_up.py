# SPDX-License-Identifier: Apache-2.0
"""From the box to a match without a keyboard: the image of `make image BOARD=pi`, a phone, a wireless network at home, and
power cuts.

    cd Tests && python3 -m unittest -v VM.pi_set_up

Nothing is added to the card. Radios, router and phone are network namespaces in the machine; the phone's browser is
Chromium on the host, which reaches what the phone reaches. FLIPCLOCK_CUTS is the number of power cuts.
"""

import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import tempfile
import time
import unittest

from EndToEnd.browser import BrowserError, Driver
from EndToEnd.daemon import free_port
from VM.card import PICTURES, SERVER, RadioCard
from VM.radios import ADDRESSES, LEASE, LINK, NETWORK, PASSWORD, PHONE, RADIOS, ROUTER, WRONG

CUTS = int(os.environ.get("FLIPCLOCK_CUTS", 20))

READY = "document.body?.dataset.state === 'live' && !document.querySelector('#form').hidden"
# How long anything may take, in seconds: the processor is emulated, and others use the host's too.
LIMIT = 600
STATUS = "document.querySelector('#status').textContent"

# The beginning of the second code on the display while the access point is open.
PAGE = "http://10.42.0.1/#"

# Changes a setting again and again, each time to the next number, and counts the answers.
CHANGES = """
window.tried = window.acknowledged = arguments[0];
(async () => {
  for (;;) {
    const count = made.length;
    await change({ "teams.home.name": `LIONS ${++window.tried}` });
    if (made.length === count) return;
    window.acknowledged = window.tried;
  }
})();
"""
# Adds points until the power fails; prints the score after each acknowledged point.
POINTS = "while flipclockctl add-score home +1; do :; done"


class SetUp(unittest.TestCase):
    """One card for all tests, in order."""

    @classmethod
    def setUpClass(cls):
        if not shutil.which("zbarimg"):
            raise AssertionError("no zbarimg: scripts/setup vm installs it")
        cls.work = pathlib.Path(tempfile.mkdtemp(prefix="flipclock-pi-"))
        cls.addClassCleanup(shutil.rmtree, cls.work, True)
        router = ROUTER.format(name=NETWORK, password=PASSWORD, channel=6)
        cls.card = RadioCard(cls.work, RADIOS + router + ADDRESSES)
        cls.addClassCleanup(cls.card.stop)
        cls.driver = Driver()
        cls.addClassCleanup(cls.driver.close)
        cls.tunnel, cls.proxy = None, free_port()
        cls.addClassCleanup(cls.cut_tunnel)
        cls.phone = cls.driver.browser(360, 740, proxy=f"socks5://127.0.0.1:{cls.proxy}")
        cls.addClassCleanup(cls.phone.close)
        cls.begin = time.monotonic()
        cls.card.start()

    def run(self, result=None):
        """Skips the tests after one that has failed: each begins where the one before has ended."""
        if result and any(isinstance(test, SetUp) for test, _ in result.failures + result.errors):
            result.addSkip(self, "a test before has failed")
            return result
        return super().run(result)

    # The machine

    def state(self):
        status, text = self.card.run("varlinkctl call /run/flipclock-host/control.sock org.flipclock.Host.GetState {}")
        return json.loads(text)["state"] if status == 0 else {}

    def wait_for(self, what, condition, timeout=LIMIT):
        """Waits until a condition is true; returns its value."""
        end = time.monotonic() + timeout
        while not (value := condition()):
            # Only then, because the machine may be starting.
            if time.monotonic() > end:
                self.fail(f"waited {timeout} s for {what}: {self.state()}")
            time.sleep(1)
        return value

    def wait_for_phase(self, phase, **fields):
        begin = time.monotonic()
        wanted = {"phase": phase, **fields}
        self.wait_for(wanted, lambda: wanted.items() <= self.state().items())
        return time.monotonic() - begin

    def show(self, name):
        """Writes the picture on the display to .build/vm; fails if it is blank. Returns the texts of its QR codes."""
        shown = self.card.screendump()
        path = PICTURES / f"pi-{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(shown.png())
        self.assertFalse(shown.is_blank())
        return subprocess.run(["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", path],
                              capture_output=True, text=True, check=False).stdout.split("\n")

    def is_drawn(self):
        """Whether the display shows more colours than a console has."""
        shown = self.card.screendump().rgb
        return len({shown[at:at + 3] for at in range(0, len(shown), 3)}) > 64

    def code(self, name, begin):
        """Waits for a QR code on the display whose text begins so, and returns the text."""
        return self.wait_for(f"a code {begin}", lambda: next((code for code in self.show(name) if code.startswith(begin)), ""))

    def settings(self):
        status, text = self.card.run("flipclockctl settings --json")
        self.assertEqual(status, 0, text)
        return {setting["key"]: setting.get("value") for setting in json.loads(text)["settings"]}

    # The phone

    def join(self, name, password):
        """Connects the phone with a wireless network."""
        self.card.run("[ ! -e /run/phone.pid ] || kill $(cat /run/phone.pid); sleep 1")
        status, text = self.card.run(PHONE.format(name=name, password=password))
        self.assertEqual(status, 0, text)
        self.wait_for("the phone's network", lambda: "Connected" in self.card.run(LINK)[1])
        status, text = self.card.run(LEASE)
        self.assertEqual(status, 0, text)

    def join_access_point(self, name):
        """Connects the phone with the access point on the display."""
        self.join(*re.fullmatch("WIFI:T:WPA;S:(.*);P:(.*);;", self.code(name, "WIFI:")).groups())

    @classmethod
    def connect(cls):
        """Connects the browser with the phone."""
        cls.cut_tunnel()
        status, text = cls.card.run(SERVER)
        assert status == 0, text
        cls.tunnel = subprocess.Popen(cls.card.ssh("-N", "-D", str(cls.proxy)), stdin=subprocess.DEVNULL)

    @classmethod
    def cut_tunnel(cls):
        if cls.tunnel:
            cls.tunnel.kill()
            cls.tunnel.wait()

    def open(self, address):
        """Opens a page, and tries again while the network is not there."""
        def opened():
            try:
                self.phone.open(address)
                # An error page of the browser, for example because the connection was closed.
                return not self.phone.run("return document.URL.startsWith('chrome-error:')")
            except BrowserError:
                return False
        self.wait_for(address, opened)

    def give(self, password):
        """Chooses the network at home and gives its password, on the page for that."""
        self.phone.wait_for("document.querySelectorAll('[name=network]').length > 1", LIMIT)
        self.phone.run("[...document.querySelectorAll('[name=network]')]"
                       ".find(node => node.closest('label').textContent.startsWith(arguments[0])).click()", NETWORK)
        self.phone.type("#password", password)
        self.phone.run("document.querySelector('#country').value = 'DE'")
        self.phone.click("#join")

    # The tests

    def test_1_without_a_network_it_opens_one_of_its_own(self):
        self.wait_for("the clock", self.is_drawn)
        print(f"\nthe clock is shown {time.monotonic() - self.begin:.0f} s after power-on", flush=True)
        self.show("first-start")
        self.wait_for_phase("access_point", address="10.42.0.1", time_confirmed=False)
        print(f"the access point is open {time.monotonic() - self.begin:.0f} s after power-on", flush=True)
        type(self).page = self.code("access-point", PAGE)
        self.join_access_point("access-point")
        self.connect()

    def test_2_a_phone_gives_it_a_network(self):
        # What an Android phone asks for after it has joined.
        self.open("http://connectivitycheck.gstatic.com/generate_204")
        self.phone.wait_for("location.href === 'http://10.42.0.1/setup'", LIMIT)
        # What a phone opens that does not ask.
        self.open(self.page)
        self.phone.wait_for("location.href === 'http://10.42.0.1/setup'", LIMIT)
        # The phone gives the time: nothing else has one.
        self.wait_for("the time", lambda: self.state()["time_confirmed"])
        self.assertAlmostEqual(float(self.card.run("date +%s")[1]), time.time(), delta=30)
        begin = time.monotonic()
        self.phone.wait_for("document.querySelectorAll('[name=network]').length > 1", LIMIT)
        print(f"\nthe page lists networks after {time.monotonic() - begin:.0f} s", flush=True)
        begin = time.monotonic()
        self.give(WRONG)
        self.phone.wait_for(f"{STATUS} === 'The password of {NETWORK} is wrong.'", LIMIT)
        print(f"a wrong password: the page says so after {time.monotonic() - begin:.0f} s", flush=True)
        self.assertEqual(self.state()["problem"], "wrong_password")
        self.show("wrong-password")
        begin = time.monotonic()
        self.give(PASSWORD)
        self.wait_for_phase("online", network=NETWORK)
        print(f"the right password: online after {time.monotonic() - begin:.0f} s", flush=True)
        self.show("online")

    def test_3_the_phone_becomes_the_owner_and_sets_a_game(self):
        self.join(NETWORK, PASSWORD)
        self.open(self.code("owner", f"http://{self.state()['address']}:8080/"))
        self.phone.wait_for("document.body?.dataset.state === 'live' && document.body.dataset.role === 'owner'", LIMIT)
        host = self.phone.run("return location.host")
        self.assertEqual(host, f"{self.state()['address']}:8080")
        self.open(f"http://{host}/settings")
        self.phone.wait_for(READY, LIMIT)
        self.phone.run("document.querySelector(\"input[value='basketball']\").click()")
        wanted = {"game.preset": "basketball", "teams.home.name": "LIONS", "teams.guest.name": "TIGERS",
                  "teams.home.color": "#ffb000", "teams.guest.color": "#2f7fe0", "locale.language": "de",
                  "locale.zone": "Asia/Tokyo"}
        for key, value in list(wanted.items())[1:]:
            self.phone.wait_for(READY, LIMIT)
            self.phone.run("const node = document.getElementById(arguments[0]); node.focus(); node.value = arguments[1];"
                           "node.dispatchEvent(new Event('change'))", f"set-{key}", value)
            # The page would be locked if the emulated machine were silent for some seconds.
            self.wait_for(key, lambda key=key, value=value: self.settings()[key] == value)
        self.wait_for("the settings", lambda: wanted.items() <= self.settings().items())
        self.assertIn("LIONS", self.card.run("flipclockctl status")[1])
        time.sleep(5)
        self.assertEqual([code for code in self.show("match") if code], [], "a code although there is an owner")
        # The access point was closed while its page asked for the state.
        self.assertEqual([problem for problem in self.phone.problems() if "//10.42.0.1/network.json" not in problem], [])
        self.assertEqual(self.card.run("systemctl is-system-running; systemctl --failed --no-legend")[1], "running")
        print("\n" + self.card.run("systemctl show -P MemoryCurrent flipclockd flipclock-web flipclock-host NetworkManager "
                                   "avahi-daemon; free -m; systemd-analyze")[1], flush=True)

    def test_3b_the_owners_phone_gives_a_moved_machine_another_network(self):
        status, text = self.card.run("flipclockctl network open")
        self.assertEqual(status, 0, text)
        self.wait_for_phase("access_point", address="10.42.0.1")
        self.join_access_point("moved")
        # The cookie of the owner's phone belongs to the address at home.
        self.open("http://connectivitycheck.gstatic.com/generate_204")
        self.phone.wait_for(f"{STATUS}.startsWith('Only an owner’s phone may choose a network.')", LIMIT)
        self.assertTrue(self.phone.run("return document.querySelector('#form').hidden"))
        self.open(self.code("moved", PAGE))
        self.phone.wait_for("state?.mayJoin && !document.querySelector('#form').hidden", LIMIT)
        self.give(PASSWORD)
        self.wait_for_phase("online", network=NETWORK)
        self.join(NETWORK, PASSWORD)
        self.assertEqual([code for code in self.show("moved-again") if code.startswith("http")], [], "a code although there is an owner")
        # The page for the next test, with the cookie from before.
        self.open(f"http://{self.state()['address']}:8080/settings")
        self.phone.wait_for(READY, LIMIT)

    def test_4_power_cuts_keep_settings_and_scores(self):
        random.seed(CUTS)
        number, lost = 0, []
        for cut in range(CUTS):
            before = self.card.score()
            # A team has at most 999 points.
            if before > 800:
                self.assertEqual(self.card.run("flipclockctl set-score home 0")[0], 0)
                before = 0
            self.phone.wait_for(f"{READY} && !isBusy", LIMIT)
            self.phone.run(CHANGES, number)
            with subprocess.Popen(
                    self.card.ssh(POINTS), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as points:
                time.sleep(random.uniform(2, 15))
                self.card.stop()
                answers = points.stdout.read().split("\n")
            scores = [int(found.group(1)) for found in map(re.compile(r"(\d+)$").search, answers[:-1]) if found]
            acknowledged, tried = self.phone.run("return [acknowledged, tried]")
            last = scores[-1] if scores else before
            self.card.check_data()
            self.card.start()
            # Every fourth time the power fails again while the system starts.
            if cut % 4 == 3:
                time.sleep(random.uniform(1, 40))
                self.card.stop()
                self.card.check_data()
                self.card.start()
            self.wait_for("the clock", self.is_drawn)
            self.show("cut")
            after, settings = self.card.score(), self.settings()
            number = int(settings["teams.home.name"].split()[-1]) if " " in settings["teams.home.name"] else 0
            print(f"cut {cut + 1}: {len(scores)} points, {last} acknowledged, {after} after the start; "
                  f"{acknowledged} settings acknowledged, {number} after the start", flush=True)
            # One point, and one setting, may be on the disk without its answer.
            if not (last <= after <= last + 1 and acknowledged <= number <= tried):
                lost.append((last, after, acknowledged, number, tried))
            self.assertEqual((settings["game.preset"], settings["teams.guest.color"], settings["locale.zone"]),
                             ("basketball", "#2f7fe0", "Asia/Tokyo"))
            self.wait_for_phase("online", network=NETWORK)
            self.join(NETWORK, PASSWORD)
            self.connect()
        self.assertEqual(lost, [])
        self.assertEqual(self.card.wait_until_up(), ("running", ""))
        self.show("cuts")

    def test_5_nothing_names_a_password(self):
        for secret in (PASSWORD, WRONG):
            for place in ("journalctl -b -o cat", "flipclockctl --json status", "cat /proc/[0-9]*/cmdline | tr '\\0' ' '"):
                # The phone and the router of this test have the password in files that only root reads.
                self.assertNotIn(secret, self.card.run(f"{place} | grep -v agent")[1], place)


if __name__ == "__main__":
    unittest.main()
