# SPDX-License-Identifier: Apache-2.0
"""Blanking by command, on real KMS."""

from VM.scenario import Scenario, on_cards, shown


class BlankScenario(Scenario):
    """The common part of the scenarios."""

    def assert_blanked(self):
        self.assertTrue(self.status()["blanked"])
        self.assertEqual(self.active_crtcs(), 0)
        self.assertTrue(self.screenshot().is_blank())


@on_cards("virtio_gpu", "vkms")
class Blank(BlankScenario):
    """The CRTC is switched off, and on again with the current picture."""

    def test_it_is_switched_off_and_on(self):
        self.start()
        lit = self.assert_scanout_is_screenshot()
        self.assertEqual(self.active_crtcs(), 1)
        self.control("blank")
        self.assert_blanked()
        if self.card == "virtio_gpu":
            self.assertNotEqual(self.scanout(), lit)
        self.control("set-score home 41")
        before = self.status()
        self.assertEqual(self.score(), 41)
        # The voluntary context switches of the daemon's threads. A thread that wakes up makes one when it
        # sleeps again.
        slept = "cat /proc/$(pidof flipclockd)/task/*/status | grep ^voluntary"
        first, second = self.machine.run(f"usleep 500000; {slept}; sleep 2; echo; {slept}").text.split("\n\n")
        self.assertEqual(first, second, "the daemon woke up while blanked")
        after = self.status()
        self.assertEqual(before["outputs"][0]["framesPresented"], after["outputs"][0]["framesPresented"])
        self.control("unblank")
        self.wait_for_picture()
        self.assertEqual(self.active_crtcs(), 1)
        self.assertNotEqual(self.assert_scanout_is_screenshot(), lit)
        self.assertTrue(self.is_alive())

    def test_repeated_blanking_during_flips(self):
        self.start()
        for number in range(6):
            self.control(f"set-score home {number + 1}")
            self.control("blank")
            self.assertEqual(self.active_crtcs(), 0)
            self.control(f"set-score guest {number + 1}")
            self.control("unblank")
        self.wait_for_picture()
        self.assertEqual(self.active_crtcs(), 1)
        self.assert_scanout_is_screenshot()
        self.assertEqual((self.score(), self.score("guest")), (6, 6))

    def test_it_stays_blanked_after_a_vt_switch(self):
        self.start()
        self.control("blank")
        self.machine.run("chvt 2; printf '\\033[2J\\033[Hthe other console' >/dev/tty2; usleep 500000")
        self.assertEqual(self.machine.console(), ("text", "auto", 2))
        self.machine.wait_for("the console's picture", lambda: self.active_crtcs() == 1, 10)
        self.machine.run("chvt 1; usleep 700000")
        self.machine.wait_for("the display to be switched off", lambda: self.active_crtcs() == 0, 10)
        self.assert_blanked()
        self.control("unblank")
        self.wait_for_picture()
        self.assert_scanout_is_screenshot()

    def test_exit_restores_the_console(self):
        self.machine.run("printf '\\033[2J\\033[Hthe original console' >/dev/tty1; usleep 500000")
        console = self.scanout()
        self.start()
        self.control("blank")
        self.assertEqual(self.signal("TERM"), 0)
        self.machine.pause(0.5)
        self.assertEqual(self.machine.console(), ("text", "auto", 1))
        self.assertEqual(self.active_crtcs(), 1)
        self.assert_same_picture(console, self.scanout())


@on_cards("virtio_gpu")
class Cable(BlankScenario):
    """The cable is pulled and plugged in again while blanked."""

    connector = "/sys/class/drm/card0-Virtual-1/status"

    def tearDown(self):
        self.machine.run(f"echo detect >{self.connector}")
        super().tearDown()

    def test_it_stays_blanked_when_the_cable_is_plugged_in_again(self):
        self.start()
        self.control("blank")
        self.machine.run(f"echo off >{self.connector}; echo change >/sys/class/drm/card0/uevent; sleep 2")
        self.assertEqual(shown(self.status()), [])
        self.machine.run(f"echo detect >{self.connector}; echo change >/sys/class/drm/card0/uevent; sleep 1")
        self.machine.wait_for("the display", lambda: shown(self.status()), 60)
        self.assert_blanked()
        self.control("unblank")
        self.wait_for_picture()
        self.assert_scanout_is_screenshot()
