# SPDX-License-Identifier: Apache-2.0
"""Phones and a wall: Chromium on the host, flipclock-web under systemd in the machine. The phones are paired
with the code that is on the machine's display."""

import pathlib
import shutil
import statistics
import subprocess
import time
import unittest

from EndToEnd.browser import Driver
from EndToEnd.daemon import free_port
from VM.debian import DebianMachine
from VM.machine import PACE_OF_THE_HOST
from VM.scenario import ARTIFACTS, CARDS
from VM.service import InstalledService

SCREENS = {"portrait": (360, 740), "landscape": (740, 360), "tablet": (1024, 768)}
LIVE = "document.body?.dataset.state === 'live'"
WEB_UNIT = "flipclock-web.service"

CONFIG = """
[game]
preset = "volleyball"

[teams.home]
name = "LIONS"
color = "#d8434e"

[teams.guest]
name = "TIGERS"
color = "#2f7fe0"

[widgets.match]
type = "score"

[remote]
name = "Hall 1"
address = "127.0.0.1"
port = {port}
"""


class NetworkedMachine(DebianMachine):
    """A machine whose port 8080 is a port of the host."""

    timing = PACE_OF_THE_HOST

    def __init__(self):
        self.port = free_port()
        super().__init__()

    def _options(self):
        return [
            *super()._options(), "-netdev", f"user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{self.port}-:8080",
            "-device", "virtio-net-pci,id=nic,netdev=net"]

    def connect(self):
        """Configures the network in the guest, which has no programs for that but systemd's."""
        self.push("/etc/systemd/network/90-test.network", """
            [Match]
            Type=ether
            [Network]
            Address=10.0.2.15/24
            Gateway=10.0.2.2
            """.replace("            ", ""))
        self.run("modprobe virtio_net; systemctl start systemd-networkd")
        self.wait_for("a network", lambda: "routable" in self.run("networkctl --no-pager", check=False).text, 60)

    def set_link(self, is_up):
        """Cuts the network cable, or connects it."""
        self.qmp.execute("set_link", name="nic", up=is_up)


@unittest.skipUnless("virtio_gpu" in CARDS, "not in FLIPCLOCK_VM_CARDS")
class Phones(InstalledService, unittest.TestCase):
    """Two phones, and a wall in the machine."""

    machine_name = "phones"
    # Few tests, and long ones: they begin early, also where no times are known.
    usual_seconds = 40
    # The browsers on the host wait for the machine.
    nice = 0
    machine_class = NetworkedMachine

    @classmethod
    def setUpClass(cls):
        if not shutil.which("zbarimg"):
            raise AssertionError("no zbarimg: scripts/setup vm installs it")
        cls.driver = Driver()
        cls.addClassCleanup(cls.driver.close)

    def install(self):
        self.machine.settle()
        super().install()
        self.machine.connect()
        self.machine.run("systemctl enable --now flipclock-web.socket")

    def setUp(self):
        super().setUp()
        self.machine.push("/etc/flipclock/config.toml", CONFIG.format(port=self.machine.port))
        self.machine.wait_for(
            "the config", lambda: self.status()["scoreboard"]["teams"]["home"]["name"] == "LIONS")
        self.control("new-game")

    def scanned(self):
        """Returns the address in the QR code on the machine's display, as a camera reads it."""
        path = pathlib.Path(self.machine.work, "display.png")

        def read():
            path.write_bytes(self.machine.screendump().png())
            found = subprocess.run(
                ["zbarimg", "--quiet", "--raw", "-Sdisable", "-Sqrcode.enable", path], capture_output=True, text=True,
                check=False)
            return found.stdout.strip()
        return self.machine.wait_for("a code on the display", read, 30)

    def phone(self, width=360, height=740):
        """A browser that has scanned the code."""
        self.control("remote")
        browser = self.driver.browser(width, height)
        self.addCleanup(browser.close)
        browser.open(self.scanned())
        browser.wait_for(f"{LIVE} && ['owner', 'scorer'].includes(document.body.dataset.role)", 60)
        # The code counts its seconds down, so the picture would not be at rest.
        self.control("remote close")
        return browser

    def shown(self, browser):
        return browser.run("return [...document.querySelectorAll('.card > .figure')].map(node => node.textContent)")

    def wait_for_scores(self, browser, *scores):
        self.machine.wait_for(
            f"{scores} in the page", lambda: self.shown(browser) == [str(score) for score in scores], 30)

    def keep(self, browser, name):
        """Keeps a screenshot for people."""
        ARTIFACTS.mkdir(parents=True, exist_ok=True)
        browser.screenshot(ARTIFACTS / f"phone-{name}.png")

    def points(self):
        return [team["score"] for team in self.status()["scoreboard"]["teams"].values()]

    def test_a_set_with_two_phones(self):
        self.machine.run(f"systemctl stop {WEB_UNIT}")
        self.assertEqual(self.machine.run(f"systemctl is-active {WEB_UNIT}", check=False).text, "inactive")
        first, second = self.phone(), self.phone()
        # There may also be the phones of other tests.
        self.assertGreaterEqual(int(self.machine.run("flipclockctl remote list | grep -cE 'owner|scorer'").text), 2)
        times = []
        for point in range(1, 26):
            begin = time.monotonic()
            first.click(".team:first-child .big")
            self.machine.wait_for("the point", lambda count=point: self.shown(first)[0] == str(count), 30)
            times.append(time.monotonic() - begin)
            # The last point wins the set.
            if point % 5 == 0 and point < 25:
                second.click(".team:last-child .big")
                self.wait_for_scores(first, point, point // 5)
        print(f"\na point, from the click to its figure in the page: median {statistics.median(times) * 1e3:.0f} ms "
              "(emulated processor)")
        won = {name: team["won"] for name, team in self.status()["scoreboard"]["teams"].items()}
        self.assertEqual(won, {"home": 1, "guest": 0})
        self.keep(first, "set-won")
        with self.subTest("undo from the other phone"):
            second.wait_for("!document.querySelector('#undo').disabled")
            second.click("#undo")
            self.wait_for_scores(first, 24, 4)
        with self.subTest("the display shows what the phones show"):
            self.assertEqual(sorted(self.points()), [4, 24])
            self.assert_scanout_is_screenshot()
        for name, (width, height) in SCREENS.items():
            first.resize(width, height)
            time.sleep(1)
            self.keep(first, name)
        self.assertEqual(first.problems() + second.problems(), [])

    def test_a_cut_network(self):
        phone = self.phone()
        phone.click(".team:first-child .big")
        self.wait_for_scores(phone, 1, 0)
        self.machine.set_link(False)
        self.addCleanup(self.machine.set_link, True)
        phone.wait_for("document.body?.dataset.state !== 'live'", 30)
        self.keep(phone, "cut-off")
        # The wall's score changes meanwhile.
        self.control("set-score home 9")
        self.assertEqual(self.shown(phone), ["1", "0"])
        self.assertTrue(phone.run("return document.querySelector('.team:first-child .big').matches(':disabled')"))
        self.machine.set_link(True)
        self.wait_for_scores(phone, 9, 0)
        phone.wait_for(LIVE, 60)
        phone.click(".team:first-child .big")
        self.wait_for_scores(phone, 10, 0)

    def test_the_clock(self):
        self.machine.push("/etc/flipclock/config.toml", CONFIG.format(port=self.machine.port).replace(
            "volleyball", "basketball"))
        self.machine.wait_for("the game", lambda: "quarter" in self.machine.run(
            "flipclockctl --json status").text.lower())
        phone = self.phone()
        phone.wait_for("document.querySelector('.run')", 30)
        phone.click(".run")
        time.sleep(5)
        phone.click(".run")
        phone.wait_for("!document.querySelector('.game').classList.contains('running')", 30)
        shown = phone.run("return document.querySelector('.clock > .figure').textContent")
        minutes, seconds = map(int, shown.split(":"))
        left = self.machine.run(
            "timeout 5 flipclockctl --json watch | head -1 | grep -o '\"game\":{[^}]*' | "
            "grep -o 'milliseconds\":[0-9]*' | grep -o '[0-9]*'").text
        self.assertAlmostEqual(minutes * 60 + seconds, int(left) / 1000, delta=1)
        self.assertLess(int(left), 597_000)
        self.keep(phone, "clock")

    def test_attackers_on_the_network_do_not_reach_the_daemon(self):
        """Checks that flipclock-web, which the network can reach, has only the permissions that phones
        need."""
        self.phone()
        pid = self.machine.run(f"systemctl show -P MainPID {WEB_UNIT}").text
        self.assertNotEqual(pid, "0")
        status = self.machine.run(f"cat /proc/{pid}/status").text
        self.assertIn("CapEff:\t0000000000000000", status)
        self.assertIn("NoNewPrivs:\t1", status)
        # It is in an empty network namespace, because it has inherited the socket.
        self.assertNotEqual(
            self.machine.run(f"readlink /proc/{pid}/ns/net").text, self.machine.run("readlink /proc/1/ns/net").text)
        exposure = self.machine.run(f"systemd-analyze security --no-pager {WEB_UNIT} | tail -1").text
        print(f"\n{exposure}")
        self.assertLessEqual(float(exposure.split(":")[1].split()[0]), 1.5)

