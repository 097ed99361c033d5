# SPDX-License-Identifier: Apache-2.0
"""The Debian packages under a real systemd: dpkg installs, upgrades, removes and purges them. `make test-deb`
runs this; the packages are those of FLIPCLOCK_PACKAGES."""

import json
import re
import shlex
import shutil
import unittest

from VM import debian, image, packages, root
from VM.debian import SOCKET, UNIT
from VM.scenario import ARTIFACTS, CARDS, Guest

# Where the packages are in the machine.
PLACE = "/var/tmp/packages"

# Lists all files, except in directories whose files change without packages, the backups that the tools of
# passwd write, and the cache of fontconfig, which root's first program with fonts writes (`flipclockctl
# check`).
LIST = f"""
find / -xdev \\( -path /proc -o -path /sys -o -path /run -o -path /tmp -o -path /dev -o -path {PLACE} \\
  -o -path /var/log -o -path /var/cache/ldconfig -o -path /var/cache/fontconfig -o -path '/var/lib/systemd/[!d]*' -o -path /root \\
  -o -path '/var/tmp/systemd-private-*' \\) -prune -o -print |
  grep -v -x -e '/etc/[a-z]*-' -e '/etc/.*\\.lock' -e '/var/lib/dpkg/.*-old' -e '/var/cache/man/.*' | sort
"""
USERS = "sort /etc/passwd /etc/group /etc/shadow /etc/gshadow"

WEB = ("flipclock-web.socket", "flipclock-web.service")
# The directory that belongs to Avahi, which is not installed in the machine, and the announcement.
AVAHI = "/etc/avahi/services"
ANNOUNCEMENT = f"{AVAHI}/flipclock-web.service"
# Units may have an exposure of at most 1.5.
THRESHOLD = 15


class PackageMachine(debian.DebianMachine):
    """A machine with Debian, without the project; its second disk has the packages, and those of a higher
    version."""

    def installation(self, programs):
        stage = self.work / "packages"
        for version in ("old", "new"):
            (stage / version).mkdir(parents=True)
        for name in packages.NAMES:
            original = packages.package(name, root.release())
            shutil.copy(original, stage / f"old/{name}.deb")
            packages.repack(original, packages.field(original, "Version") + "+1", stage / f"new/{name}.deb")
        return image.archive_of(stage, self.work / "stage.tar")


@unittest.skipUnless(packages.DIRECTORY, "FLIPCLOCK_PACKAGES is not set; make test-deb runs these tests")
@unittest.skipUnless("virtio_gpu" in CARDS, "not in FLIPCLOCK_VM_CARDS")
class Package(Guest, unittest.TestCase):
    """Each scenario begins and ends without the packages."""

    card = "virtio_gpu"
    machine_name = "systemd package"
    _machines = debian.SharedMachines()

    def setUp(self):
        self.machine = self._machines.get("package", PackageMachine)
        self.machine.settle()
        self.machine.run(f"mkdir -p {PLACE} && tar -xf /dev/vdb -C {PLACE}", timeout=120)
        self.addCleanup(self.machine.run, f"dpkg --purge {' '.join(packages.NAMES)} 2>&1 || true", timeout=300)

    def log(self):
        return self.machine.run("journalctl -b -o cat --no-pager -u 'flipclock*'", check=False).text

    def dpkg(self, arguments):
        """Runs dpkg and returns its output."""
        done = self.machine.run(f"DEBIAN_FRONTEND=noninteractive dpkg {arguments} 2>&1", check=False, timeout=600)
        print(f"# dpkg {arguments}\n{done.text}")
        self.assertEqual(done.status, 0, done.text)
        return done.text

    def active(self, unit):
        """Returns a unit's state, such as "active"."""
        return self.machine.run(f"systemctl is-active {unit}", check=False).text

    def fetch(self, path, *options, port=8080):
        """Returns what flipclock-web replies to a request, or None if it is refused."""
        words = " ".join(map(shlex.quote, ("-q", "-O", "-", *options)))
        done = self.machine.run(f"busybox wget {words} http://127.0.0.1:{port}{path}", check=False, timeout=60)
        return done.text if done.status == 0 else None

    def post(self, path, body, cookie=""):
        """Sends a request as the page does; returns the headers of the reply and its body."""
        uptime = float(self.machine.run("cat /proc/uptime").text.split()[0])
        terms = f"--header 'Idempotency-Key: \"{uptime * 100:.0f}\"' --header 'Flipclock-Time: {uptime * 1000:.0f}'"
        done = self.machine.run(
            f"busybox wget -S -O - --header 'Origin: http://127.0.0.1:8080' --header 'Content-Type: text/plain' "
            f"{terms} --header 'Cookie: {cookie}' --post-data {shlex.quote(body)} http://127.0.0.1:8080{path}",
            check=False, timeout=60)
        self.assertEqual(done.status, 0, done.error_text)
        return done.error_text, done.text

    def wait_for_announcement(self, port):
        """Waits until Avahi's file has the port. `systemctl start` of the socket does not wait for it."""
        self.machine.wait_for(
            f"the announcement of port {port}",
            lambda: f"<port>{port}</port>" in self.machine.run(f"cat {ANNOUNCEMENT}", check=False).text, 60)

    def devices(self):
        """Returns the paired devices."""
        return json.loads(self.control("remote list --json").text)["devices"]

    def test_install_upgrade_remove_and_purge(self):
        files, users = (self.machine.run(script, timeout=120).text for script in (LIST, USERS))
        self.assertEqual(self.active("getty@tty1"), "active")
        self.machine.run("modprobe lamp; udevadm settle", timeout=120)
        self.addCleanup(self.machine.run, "rmmod lamp", check=False)

        self.dpkg(f"-i {PLACE}/old/flipclock.deb")
        self.assertEqual(self.machine.run("stat -L -c %G:%a /sys/class/backlight/lamp/brightness").text, "video:664")
        self.assertEqual([self.active(UNIT), self.active(SOCKET)], ["active"] * 2)
        self.assertEqual(self.machine.run(f"systemctl is-enabled {UNIT} {SOCKET}").text.split(), ["enabled"] * 2)
        self.wait_for_picture(120)
        shot = self.assert_scanout_is_screenshot()
        ARTIFACTS.mkdir(parents=True, exist_ok=True)
        (ARTIFACTS / "package.png").write_bytes(shot.png())
        self.assertEqual(self.machine.run("stat -c %U:%G:%a /etc/flipclock/config.toml").text, "root:root:644")
        self.assertEqual(self.machine.run("flipclockctl check").status, 0)
        self.control("set-score home 7")
        self.control("set-score guest 3")
        self.control("undo")

        # The config was changed by the administrator, and stays.
        self.machine.run("echo '[teams.home]\nname = \"LIONS\"' >>/etc/flipclock/config.toml")
        before = self.machine.show("MainPID")
        self.dpkg(f"-i {PLACE}/new/flipclock.deb")
        self.assertNotEqual(self.machine.show("MainPID"), before, "the service was not restarted")
        self.assertEqual([self.active(UNIT), self.active(SOCKET)], ["active"] * 2)
        self.wait_for_picture(120)
        teams = self.status()["scoreboard"]["teams"]
        self.assertEqual((teams["home"]["score"], teams["home"]["name"], teams["guest"]["score"]), (7, "LIONS", 0))
        self.control("redo")
        self.assert_scanout_is_screenshot()

        # Removing the package keeps the scores.
        self.dpkg("-r flipclock")
        self.assertEqual(self.active("getty@tty1"), "active")
        self.assertIn(self.active(UNIT), ("inactive", "unknown"))
        self.assertEqual(self.machine.run("ls -d /run/flipclock /usr/bin/flipclock*", check=False).text, "")
        self.dpkg(f"-i {PLACE}/new/flipclock.deb")
        self.wait_for_picture(120)
        self.assertEqual(self.score("guest"), 3)

        self.dpkg("-P flipclock")
        self.assertEqual(self.active("getty@tty1"), "active")
        self.machine.run("test ! -e /run/flipclock")
        after_files, after_users = (self.machine.run(script, timeout=120).text for script in (LIST, USERS))
        self.assertEqual(after_files.splitlines(), files.splitlines())
        self.assertEqual(after_users, users)
        print(f"package: {len(files.splitlines())} files and {len(users.splitlines())} lines of users before and after")

    def test_remotes_are_off_until_they_are_enabled(self):
        files, users = (self.machine.run(script, timeout=120).text for script in (LIST, USERS))
        services = [f"{name}.service" for name in packages.REMOTES]

        # After the installation nothing runs, and nothing listens.
        self.dpkg(f"-i {PLACE}/old/*.deb")
        self.wait_for_picture(120)
        for unit in (*services, *WEB):
            self.assertEqual(self.active(unit), "inactive", unit)
        enabled = self.machine.run("systemctl list-unit-files --no-legend 'flipclock-*'").text
        self.assertEqual(
            {tuple(line.split()[:2]) for line in enabled.splitlines()},
            {("flipclock-horn.service", "disabled"), ("flipclock-mqtt.service", "disabled"),
             ("flipclock-host.service", "disabled"), ("flipclock-host-country.service", "static"),
             ("flipclock-host-country.path", "static"),
             ("flipclock-web.socket", "disabled"), ("flipclock-web.service", "static"),
             ("flipclock-web-avahi.service", "static"), ("flipclock-web-vestaboard.socket", "disabled"),
             ("flipclock-web-setup.socket", "disabled"), ("flipclock-source@.service", "static"),
             ("flipclock-source-text@.service", "static"), ("flipclock-source@.timer", "disabled"),
             ("flipclock-source-failure@.service", "static")})
        self.assertIsNone(self.fetch("/"))
        self.assertEqual(self.machine.run("stat -c %G:%a /dev/rtc0").text, "flipclock:660")

        units = (UNIT, *services, "flipclock-web-avahi.service")
        for unit in units:
            report = self.machine.run(
                f"systemd-analyze security --no-pager --threshold={THRESHOLD} {unit}", check=False, timeout=120)
            self.assertEqual(report.status, 0, report.text)
            print(f"package: {report.text.splitlines()[-1]}")

        # The socket starts the service at the first request. Avahi's directory appears as if it were
        # installed.
        self.machine.run(f"systemctl enable --now {WEB[0]}")
        self.assertEqual([self.active(unit) for unit in WEB], ["active", "inactive"])
        self.assertEqual(self.active("flipclock-web-avahi"), "inactive")
        self.machine.run(f"systemctl stop {WEB[0]} && mkdir -p {AVAHI} && systemctl start {WEB[0]}")
        self.wait_for_announcement(8080)
        self.assertIn("<!DOCTYPE html>", self.fetch("/"))
        self.assertEqual([self.active(unit) for unit in WEB], ["active", "active"])

        # The machine has no network.
        self.machine.push("/etc/flipclock/config.toml.d/remote.toml", '[remote]\naddress = "127.0.0.1"\n')
        self.control("reload")
        code = json.loads(self.control("--json remote").text)["code"]
        headers, reply = self.post("/pair", code)
        self.assertEqual(json.loads(reply)["role"], "owner")
        cookie = re.search(r"Set-Cookie: ([^;\s]*)", headers).group(1)
        before = self.devices()
        self.assertEqual(len(before), 1)
        self.post("/commands", "add-score home 2", cookie)
        self.assertEqual(self.score(), 2)

        # An upgrade restarts what runs, enabled or not, and only that; the socket keeps its connections.
        self.machine.run("systemctl start flipclock-mqtt", timeout=120)
        running = ("flipclock-web.service", "flipclock-mqtt.service")
        socket = self.machine.show("ActiveEnterTimestampMonotonic", WEB[0])
        processes = [self.machine.show("MainPID", unit) for unit in running]
        self.dpkg(f"-i {PLACE}/new/*.deb")
        self.wait_for_picture(120)
        for unit, process in zip(running, processes):
            self.assertEqual(self.active(unit), "active", unit)
            self.assertNotEqual(self.machine.show("MainPID", unit), process, f"{unit} was not restarted")
        self.assertEqual(self.active("flipclock-horn"), "inactive")
        self.assertEqual(self.machine.show("ActiveEnterTimestampMonotonic", WEB[0]), socket, "the socket was restarted")
        self.assertEqual([device["id"] for device in self.devices()], [device["id"] for device in before])
        self.post("/commands", "add-score home 3", cookie)
        self.assertEqual(self.score(), 5)

        # A horn without a sound card waits for one.
        self.machine.run("systemctl start flipclock-horn", timeout=120)
        self.assertEqual(self.active("flipclock-horn"), "active")

        # The port that the administrator sets is announced.
        dropin = f"/etc/systemd/system/{WEB[0]}.d"
        self.machine.push(
            f"{dropin}/port.conf", "[Socket]\nListenStream=\nListenStream=9090\nListenStream=/run/flipclock-web/control.sock\n")
        self.machine.run(f"systemctl daemon-reload && systemctl restart {WEB[0]}")
        self.wait_for_announcement(9090)
        self.assertIn("<!DOCTYPE html>", self.fetch("/", port=9090))
        self.machine.run(f"rm -r {dropin} && systemctl daemon-reload && systemctl restart {WEB[0]}")

        # Removing the packages stops the services, and keeps the paired devices.
        self.dpkg(f"-r {' '.join(packages.REMOTES)}")
        for unit in (*services, *WEB):
            self.assertIn(self.active(unit), ("inactive", "unknown"), unit)
        self.assertIsNone(self.fetch("/"))
        self.assertEqual(self.machine.run(f"ls -d /run/flipclock-web {ANNOUNCEMENT}", check=False).text, "")
        self.assertEqual([self.active(UNIT), self.active(SOCKET)], ["active"] * 2)
        self.dpkg(f"-i {PLACE}/new/flipclock-web.deb")
        self.assertEqual(self.machine.run(f"systemctl is-enabled {WEB[0]}").text, "enabled")
        self.machine.run(f"systemctl start {WEB[0]}")
        self.assertEqual([device["id"] for device in self.devices()], [device["id"] for device in before])

        self.dpkg(f"-P {' '.join(packages.NAMES)}")
        self.machine.run("rm -r /etc/avahi")
        after_files, after_users = (self.machine.run(script, timeout=120).text for script in (LIST, USERS))
        self.assertEqual(after_files.splitlines(), files.splitlines())
        self.assertEqual(after_users, users)

    def test_a_user_at_tty1_is_not_logged_out(self):
        self.machine.run("passwd -d root")
        for key in ("r", "o", "o", "t", "ret"):
            self.machine.press(key)
        sessions = "for id in $(loginctl --no-legend list-sessions | awk '{ print $1 }'); do " \
                   "loginctl show-session -p TTY --value $id; done"
        self.machine.wait_for("a session", lambda: "tty1" in self.machine.run(sessions, check=False).text.split(), 60)
        self.assertIn("root is logged in at tty1", self.dpkg(f"-i {PLACE}/old/flipclock.deb"))
        self.assertEqual(self.active(UNIT), "inactive")
        self.assertIn("tty1", self.machine.run(sessions).text.split())
        # It is enabled, and starts on demand.
        self.machine.run(f"systemctl start {UNIT}", timeout=180)
        self.wait_for_picture(120)
        self.assertNotIn("tty1", self.machine.run(sessions, check=False).text.split())
