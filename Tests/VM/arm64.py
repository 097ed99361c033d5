# SPDX-License-Identifier: Apache-2.0
"""The arm64 package in Debian 13 for arm64, on QEMU's `virt` machine with the processor of a Raspberry Pi 4.

    cd Tests && python3 -m unittest -v VM.arm64

These tests are not among those of `make test`, because they need the arm64 package (`make deb ARCH=arm64`)
and because this processor is emulated several times slower than an amd64 one.
"""

import unittest

from VM import debian, image
from VM.errors import KernelError, command
from VM.machine import PACE_OF_THE_HOST
from VM.service import InstalledService

# The last picture is stored here, to be looked at.
PICTURE = image.PROJECT / ".build/vm/arm64.png"


class ARM64Machine(debian.DebianMachine):
    """The machine. Its second disk has the package."""

    architecture = "arm64"
    compiler = "aarch64-linux-gnu-gcc"
    timing = PACE_OF_THE_HOST

    def installation(self, programs):
        package = newest_package()
        archive = self.work / "stage.tar"
        command("tar", "-cf", archive, "--transform=s|.*|root/flipclock.deb|", "-C", package.parent, package.name)
        return archive


def newest_package():
    """Returns the arm64 package that was built last."""
    packages = (image.PROJECT / ".build/deb").glob("flipclock_*_arm64.deb")
    found = sorted(packages, key=lambda path: path.stat().st_mtime)
    if not found:
        raise KernelError("no .build/deb/flipclock_*_arm64.deb: run `make deb ARCH=arm64`")
    return found[-1]


class Package(InstalledService, unittest.TestCase):
    """One machine for all tests, in which the package is installed."""

    machine_name = "arm64"
    machine_class = ARM64Machine

    def install(self):
        self.assertIn(self.machine.settle(), ("running", "degraded"))
        self.assertEqual(self.machine.run("uname -m; dpkg --print-architecture").text.split(), ["aarch64", "arm64"])
        self.machine.unpack()
        print(self.machine.run("dpkg -i /root/flipclock.deb", timeout=600).text)

    def test_1_the_installation_ends_with_the_clock_on_the_display(self):
        self.assertEqual(self.states(), ["active", "active"])
        self.assert_scanout_is_screenshot()

    def test_2_a_score_changes_the_picture(self):
        before = self.assert_scanout_is_screenshot()
        self.control("set-score home 7")
        self.assertNotEqual(self.assert_scanout_is_screenshot(), before)

    def test_3_a_restart_and_a_reboot_keep_the_score(self):
        self.control("set-score home 12")
        self.control("set-score guest 5")
        self.restart()
        self.assertEqual((self.score("home"), self.score("guest")), (12, 5))
        self.machine.reboot()
        self.assertEqual(self.states(), ["active", "active"])
        self.wait_for_picture(180)
        self.assertEqual((self.score("home"), self.score("guest")), (12, 5))
        shown = self.assert_scanout_is_screenshot()
        PICTURE.parent.mkdir(parents=True, exist_ok=True)
        PICTURE.write_bytes(shown.png())
        print(f"the picture after the reboot is in {PICTURE}")

    def test_4_the_time_of_the_start_is_known(self):
        print(self.machine.run("systemd-analyze; systemd-analyze critical-chain flipclockd.service", check=False).text)
        print(self.machine.journal("-b -n 20"))


if __name__ == "__main__":
    unittest.main()
