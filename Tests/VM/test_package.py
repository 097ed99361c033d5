# SPDX-License-Identifier: Apache-2.0
"""The Debian package under a real systemd: dpkg installs, upgrades, removes and purges it. `make test-deb` runs this; the
package is that of FLIPCLOCK_PACKAGES."""

import shutil
import unittest

from VM import debian, packages, root
from VM.debian import SOCKET, UNIT
from VM.errors import command
from VM.scenario import ARTIFACTS, CARDS, Guest

# Where the packages are in the machine.
PLACE = "/var/tmp/packages"

# Directories whose files change without packages, and the backups that the tools of passwd write.
LIST = f"""
find / -xdev \\( -path /proc -o -path /sys -o -path /run -o -path /tmp -o -path /dev -o -path {PLACE} \\
  -o -path /var/log -o -path /var/cache/ldconfig -o -path '/var/lib/systemd/[!d]*' -o -path /root \\) -prune -o -print |
  grep -v -x -e '/etc/[a-z]*-' -e '/etc/.*\\.lock' -e '/var/lib/dpkg/.*-old' -e '/var/cache/man/.*' | sort
"""
USERS = "sort /etc/passwd /etc/group /etc/shadow /etc/gshadow"


class PackageMachine(debian.DebianMachine):
    """A machine with Debian, without the project; its second disk has the package and one of a higher version."""

    def installation(self, programs):
        stage = self.work / "packages"
        stage.mkdir()
        original = packages.package(root.release())
        shutil.copy(original, stage / "old.deb")
        packages.repack(original, packages.field(original, "Version") + "+1", stage / "new.deb")
        archive = self.work / "stage.tar"
        command("tar", "-cf", archive, "--owner=0", "--group=0", "--numeric-owner", "-C", stage, ".")
        return archive


@unittest.skipUnless(packages.DIRECTORY, "FLIPCLOCK_PACKAGES is not set; make test-deb runs these tests")
@unittest.skipUnless("virtio_gpu" in CARDS, "not in FLIPCLOCK_VM_CARDS")
class Package(Guest, unittest.TestCase):
    """Each scenario begins and ends without the package."""

    card = "virtio_gpu"
    machine_name = "systemd package"
    _machines = debian.SharedMachines()

    def setUp(self):
        self.machine = self._machines.get("package", PackageMachine)
        self.machine.settle()
        self.machine.run(f"mkdir -p {PLACE} && tar -xf /dev/vdb -C {PLACE}", timeout=120)
        self.addCleanup(self.machine.run, "dpkg --purge flipclock 2>&1 || true", timeout=300)

    def dpkg(self, arguments):
        """Runs dpkg and returns its output."""
        done = self.machine.run(f"DEBIAN_FRONTEND=noninteractive dpkg {arguments} 2>&1", check=False, timeout=600)
        print(f"# dpkg {arguments}\n{done.text}")
        self.assertEqual(done.status, 0, done.text)
        return done.text

    def active(self, unit):
        """Returns a unit's state, such as "active"."""
        return self.machine.run(f"systemctl is-active {unit}", check=False).text

    def test_install_upgrade_remove_and_purge(self):
        files, users = (self.machine.run(script, timeout=120).text for script in (LIST, USERS))
        self.assertEqual(self.active("getty@tty1"), "active")

        self.dpkg(f"-i {PLACE}/old.deb")
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
        self.dpkg(f"-i {PLACE}/new.deb")
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
        self.dpkg(f"-i {PLACE}/new.deb")
        self.wait_for_picture(120)
        self.assertEqual(self.score("guest"), 3)

        self.dpkg("-P flipclock")
        self.assertEqual(self.active("getty@tty1"), "active")
        self.machine.run("test ! -e /run/flipclock")
        after_files, after_users = (self.machine.run(script, timeout=120).text for script in (LIST, USERS))
        self.assertEqual(after_files.splitlines(), files.splitlines())
        self.assertEqual(after_users, users)
        print(f"package: {len(files.splitlines())} files and {len(users.splitlines())} lines of users before and after")

    def test_a_user_at_tty1_is_not_logged_out(self):
        self.machine.run("passwd -d root")
        for key in ("r", "o", "o", "t", "ret"):
            self.machine.press(key)
        sessions = "for id in $(loginctl --no-legend list-sessions | awk '{ print $1 }'); do " \
                   "loginctl show-session -p TTY --value $id; done"
        self.machine.wait_for("a session", lambda: "tty1" in self.machine.run(sessions, check=False).text.split(), 60)
        self.assertIn("root is logged in at tty1", self.dpkg(f"-i {PLACE}/old.deb"))
        self.assertEqual(self.active(UNIT), "inactive")
        self.assertIn("tty1", self.machine.run(sessions).text.split())
        # It is enabled, and starts on demand.
        self.machine.run(f"systemctl start {UNIT}", timeout=180)
        self.wait_for_picture(120)
        self.assertNotIn("tty1", self.machine.run(sessions, check=False).text.split())
