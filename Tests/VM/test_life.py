# SPDX-License-Identifier: Apache-2.0
"""The console and the score after the daemon has ended, and the picture after a suspension."""

import unittest

from VM.machine import SLOW_PACE, Machine
from VM.scenario import CARDS, Scenario, on_cards


@on_cards("virtio_gpu", "vkms")
class Console(Scenario):
    """The console is restored when the daemon ends."""

    def setUp(self):
        super().setUp()
        self.machine.run("printf '\\033[2J\\033[Hthe original console' >/dev/tty1; usleep 500000")
        self.console_before = self.scanout()
        self.assertFalse(self.console_before.is_blank())
        self.assertEqual(self.machine.console(), ("text", "auto", 1))

    def assert_console_is_restored(self):
        """Asserts text mode, VT switching by the kernel, and the same picture as before."""
        self.assertEqual(self.machine.console(), ("text", "auto", 1))
        self.machine.pause(0.5)
        self.assert_same_picture(self.console_before, self.scanout())
        self.machine.run("printf '\\r\\nand it takes text' >/dev/tty1; usleep 500000")
        self.assertNotEqual(self.scanout(), self.console_before)

    def test_sigterm_restores_the_console(self):
        self.start()
        self.assertEqual(self.machine.console()[0], "graphics")
        self.assertNotEqual(self.scanout(), self.console_before)
        self.assertEqual(self.signal("TERM"), 0)
        self.assert_console_is_restored()

    def test_sigint_restores_the_console(self):
        self.start()
        self.assertEqual(self.signal("INT"), 0)
        self.assert_console_is_restored()

    def test_a_crash_restores_the_console(self):
        self.start()
        self.assertIsNone(self.signal("SEGV"))
        self.assert_console_is_restored()

    def test_sigterm_during_a_flip_restores_the_console(self):
        self.start()
        self.control("set-score home 88")
        self.assertEqual(self.signal("TERM"), 0)
        self.assert_console_is_restored()

    def test_the_display_follows_the_active_vt(self):
        self.start()
        mine = self.assert_scanout_is_screenshot()
        self.machine.run("chvt 2; printf '\\033[2J\\033[Hthe other console' >/dev/tty2; usleep 500000")
        self.assertEqual(self.machine.console(), ("text", "auto", 2))
        self.assertNotEqual(self.scanout(), mine)
        # A change in the meantime is shown after the switch back.
        self.control("set-score home 31")
        self.machine.run("chvt 1; usleep 500000")
        self.assertEqual(self.machine.console()[0], "graphics")
        back = self.assert_scanout_is_screenshot()
        self.assertNotEqual(back, mine)
        self.machine.run("chvt 2; usleep 300000")
        self.assertEqual(self.signal("TERM"), 0, "it exits cleanly while another VT is active")
        self.machine.run("chvt 1")
        self.assert_console_is_restored()


@on_cards("virtio_gpu", "vkms")
class Score(Scenario):
    """An acknowledged score is durable."""

    def test_the_score_survives_kill_and_restart(self):
        self.start()
        self.control("set-score home 7")
        # The daemon is killed as soon as it has replied: the reply must mean that the score is durable.
        self.machine.run("flipclockctl set-score guest 12 && killall -KILL flipclockd")
        self.machine.wait_for("the end", lambda: not self.is_alive(), 10)
        self.start()
        self.assertEqual((self.score(), self.score("guest")), (7, 12))
        self.assert_scanout_is_screenshot()

    def test_a_truncated_state_file_is_set_aside(self):
        self.start()
        self.control("set-score home 7")
        self.assertEqual(self.signal("TERM"), 0)
        self.machine.run(
            "for f in $(find /var/lib/flipclock -type f); do head -c 9 $f >/tmp/torn; cat /tmp/torn >$f; done")
        self.start()
        self.assertEqual(self.score(), 0)
        self.control("set-score home 8")
        self.machine.run("killall -KILL flipclockd")
        self.machine.wait_for("the end", lambda: not self.is_alive(), 10)
        self.start()
        self.assertEqual(self.score(), 8)


class SlowMachine(Machine):
    """The kernel waits in a loop during a suspension."""

    timing = SLOW_PACE


@unittest.skipUnless("virtio_gpu" in CARDS, "not in FLIPCLOCK_VM_CARDS")
class Suspension(Scenario, unittest.TestCase):
    """The machine is suspended: all devices, all processors but one, and the kernel's clock. The kernel then
    does not enter the sleep state, but waits a second and resumes.

    bochs is the card, because its driver implements suspending, and restores its state with the kernel's
    helpers.
    """

    card = "bochs"
    # The kernel waits in a loop, each instruction of which would be executed on virtual time.
    virtual_time = False

    def get_machine(self):
        machine = SlowMachine(self.card)
        self.addCleanup(machine.close)
        return machine

    def test_the_picture_is_right_after_a_suspension(self):
        # Its usual five seconds in a loop are minutes on an emulated processor.
        self.machine.run("echo 1 >/sys/module/suspend/parameters/pm_test_delay")
        self.start()
        pid = self.pid()
        for score in (1, 2):
            self.machine.run("echo core >/sys/power/pm_test; echo mem >/sys/power/state", timeout=120)
            self.machine.wait_for(
                "the notice", lambda n=score: self.log().count("the machine was suspended; setting") == n, 60)
            self.control(f"set-score home {score}")
            self.wait_for_picture()
            self.assert_scanout_is_screenshot()
        self.assertEqual(self.pid(), pid)
        self.assertEqual(self.score(), 2)
