# SPDX-License-Identifier: Apache-2.0
"""The schedule on real KMS: off, a black picture, brightness and theme at their times of day; and the real
service with a backlight."""

import datetime
import unittest

from VM.debian import UNIT
from VM.scenario import CARDS, CLOCK_AND_SCORE, Scenario, on_cards
from VM.service import InstalledService

ENTRY = """
[schedule.night]
from = "22:30"
to = "06:30"
"""


# The picture does not change with the time.
CONFIG = """
[display]
backlight = "lamp"

[widgets.sign]
type = "text"
text = "NIGHT"

[layout]
rows = [["sign"]]
"""


@on_cards("virtio_gpu", "vkms")
class Schedule(Scenario):
    """The daemon has a time zone of its own, in which a switch is near."""

    def start_at(self, clock, entry):
        """Starts the daemon so that its clocks show HH:MM:SS when it is launched."""
        self.machine.push("/etc/flipclock/test.toml", CLOCK_AND_SCORE + ENTRY + entry)
        now = datetime.datetime.strptime(self.machine.run("date -u +%H:%M:%S").text, "%H:%M:%S")
        east = int((datetime.datetime.strptime(clock, "%H:%M:%S") - now).total_seconds())
        east = (east + 43200) % 86400 - 43200
        west = abs(east)
        zone = f"XXX{'-' if east > 0 else '+'}{west // 3600}:{west // 60 % 60:02}:{west % 60:02}"
        self.launch(environment=f"TZ={zone}")

    def test_the_display_is_switched_off_on_time_and_on_by_command(self):
        self.start_at("22:29:40", 'display = "off"\n')
        self.wait_for_picture()
        self.assertEqual(self.active_crtcs(), 1)
        self.machine.wait_for("the night", lambda: self.status()["blanked"], 60)
        self.assertEqual(self.active_crtcs(), 0)
        self.assertEqual(self.status()["schedule"]["entries"], ["night"])
        self.control("unblank")
        self.wait_for_picture()
        self.assertEqual(self.active_crtcs(), 1)
        self.assert_scanout_is_screenshot()

    def test_a_black_picture_is_black_on_the_display(self):
        self.start_at("23:00:00", 'display = "black"\n')
        self.wait_for_picture()
        self.assertEqual(self.active_crtcs(), 1)
        self.assertTrue(self.scanout().is_blank())
        self.control("unblank")
        self.wait_for_picture()
        self.assert_scanout_is_screenshot()

    def test_brightness_and_theme_are_on_the_display(self):
        self.start_at("12:00:00", 'brightness = "20%"\ntheme = "paper"\n')
        self.wait_for_picture()
        day = self.assert_scanout_is_screenshot()
        self.signal("TERM")
        self.start_at("23:00:00", 'brightness = "20%"\ntheme = "paper"\n')
        self.wait_for_picture()
        night = self.assert_scanout_is_screenshot()
        self.assertNotEqual(night, day)
        self.control("brightness 100%")
        self.wait_for_picture()
        self.assertNotEqual(self.assert_scanout_is_screenshot(), night)


@unittest.skipUnless("virtio_gpu" in CARDS, "not in FLIPCLOCK_VM_CARDS")
class BacklightOfTheService(InstalledService, unittest.TestCase):
    """A backlight of the kernel, which the sandboxed service dims."""

    machine_name = "systemd faults"
    config = "/etc/flipclock/config.toml"
    brightness = "/sys/class/backlight/lamp/brightness"

    def setUp(self):
        super().setUp()
        self.machine.run("modprobe lamp; udevadm settle", timeout=120)
        # The service notices that the backlight is gone when it sets the brightness.
        self.addCleanup(
            self.machine.run, "rmmod lamp; flipclockctl brightness 50%; flipclockctl brightness default", check=False)

    def lamp(self):
        """Returns the value of the backlight, 0 to 20."""
        return int(self.machine.run(f"cat {self.brightness}").text)

    def set(self, percent):
        """Sets the brightness and returns the value of the backlight and the picture."""
        self.control(f"brightness {percent}%")
        self.wait_for_picture()
        return self.lamp(), self.assert_scanout_is_screenshot()

    def test_it_is_dimmed_instead_of_the_picture_and_restored(self):
        self.assertEqual(self.machine.run(f"stat -L -c %G:%a {self.brightness}").text, "video:664")
        self.assertEqual(self.lamp(), 16)
        self.machine.push(self.config, CONFIG)
        self.machine.wait_for("the backlight", lambda: self.status()["outputs"][0].get("backlight") == "lamp")
        value, full = self.set(100)
        self.assertEqual(value, 20)
        self.assertEqual(self.set(50), (10, full))
        self.assertEqual(self.set(5), (1, full))
        # This is darker than the lowest value of the backlight, so the picture is darkened, too.
        value, dark = self.set(2)
        self.assertEqual(value, 1)
        self.assertNotEqual(dark, full)
        self.assertIn("backlight lamp", self.control("status").text)
        self.assertIn("lamp, up to 20", self.control("doctor", check=False).text)
        # The brightness survives a restart, and the backlight is restored while the service is stopped.
        self.set(50)
        self.machine.run(f"systemctl stop {UNIT}", timeout=120)
        self.assertEqual(self.lamp(), 16)
        self.machine.run(f"systemctl start {UNIT}", timeout=180)
        self.machine.wait_for("the backlight", lambda: self.lamp() == 10)
        # Without the device, the picture is darkened instead.
        self.machine.run("rmmod lamp")
        self.control("brightness 40%")
        self.wait_for_picture()
        self.assertNotEqual(self.assert_scanout_is_screenshot(), full)
        self.assertNotIn("backlight", self.status()["outputs"][0])
        self.machine.run("modprobe lamp; udevadm settle", timeout=120)
        self.control("reload")
        self.machine.wait_for("the backlight", lambda: self.lamp() == 8)
        self.control("brightness default")

    def test_without_permission_the_picture_is_darkened_and_the_doctor_says_why(self):
        self.machine.run(f"chmod 644 {self.brightness}")
        full = self.assert_scanout_is_screenshot()
        self.machine.push(self.config, '[display]\nbacklight = "lamp"\nbrightness = "30%"\n')
        self.machine.wait_for("the reload", lambda: self.status()["brightness"] == 30)
        self.wait_for_picture()
        self.assertNotEqual(self.assert_scanout_is_screenshot(), full)
        self.assertEqual(self.lamp(), 16)
        self.assertIn("its backlight cannot be set", self.machine.journal("-b -n 40"))
        report = self.control("doctor", check=False).text
        self.assertIn("the service may not set it", report)
        # The udev rule does not run at events of a changed brightness, which the service causes itself.
        self.machine.run(f"echo 12 >{self.brightness}; udevadm settle", timeout=120)
        self.assertEqual(self.machine.run(f"stat -L -c %a {self.brightness}").text, "644")
        self.machine.run("udevadm trigger --settle --subsystem-match=backlight", timeout=120)
        self.assertEqual(self.machine.run(f"stat -L -c %G:%a {self.brightness}").text, "video:664")
        self.control("reload")
        self.machine.wait_for("the backlight", lambda: self.lamp() == 6)
