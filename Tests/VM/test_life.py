# SPDX-License-Identifier: Apache-2.0
"""How the daemon goes, and what is left of it: the console, the score."""

import time

from VM.scenario import Scenario, on_cards


@on_cards("virtio_gpu", "vkms")
class Console(Scenario):
    """The display is lent: the console comes back as it was."""

    def setUp(self):
        super().setUp()
        self.machine.run("printf '\\033[2J\\033[Hthe console of before' >/dev/tty1; usleep 500000")
        self.console_before = self.scanout()
        self.assertFalse(self.console_before.is_blank())
        self.assertEqual(self.machine.console(), ("text", "auto", 1))

    def assert_console_is_back(self):
        """Text mode, the kernel switches VTs, and the same picture as before."""
        self.assertEqual(self.machine.console(), ("text", "auto", 1))
        time.sleep(0.5)
        self.assert_same_picture(self.console_before, self.scanout())
        self.machine.run("printf '\\r\\nand it takes text' >/dev/tty1; usleep 500000")
        self.assertNotEqual(self.scanout(), self.console_before)

    def test_sigterm_gives_the_console_back(self):
        self.start()
        self.assertEqual(self.machine.console()[0], "graphics")
        self.assertNotEqual(self.scanout(), self.console_before)
        self.assertEqual(self.signal("TERM"), 0)
        self.assert_console_is_back()

    def test_sigint_gives_the_console_back(self):
        self.start()
        self.assertEqual(self.signal("INT"), 0)
        self.assert_console_is_back()

    def test_a_crash_gives_the_console_back(self):
        self.start()
        self.assertIsNone(self.signal("SEGV"))
        self.assert_console_is_back()

    def test_sigterm_in_mid_flip_gives_the_console_back(self):
        self.start()
        self.control("set-score home 88")
        self.assertEqual(self.signal("TERM"), 0)
        self.assert_console_is_back()

    def test_another_vt_has_the_display_until_the_daemons_comes_back(self):
        self.start()
        mine = self.assert_scanout_is_screenshot()
        self.machine.run("chvt 2; printf '\\033[2J\\033[Hthe other console' >/dev/tty2; usleep 500000")
        self.assertEqual(self.machine.console(), ("text", "auto", 2))
        self.assertNotEqual(self.scanout(), mine)
        # What changes meanwhile is shown on the return.
        self.control("set-score home 31")
        self.machine.run("chvt 1; usleep 500000")
        self.assertEqual(self.machine.console()[0], "graphics")
        back = self.assert_scanout_is_screenshot()
        self.assertNotEqual(back, mine)
        self.machine.run("chvt 2; usleep 300000")
        self.assertEqual(self.signal("TERM"), 0, "it leaves as well when it is not in front")
        self.machine.run("chvt 1")
        self.assert_console_is_back()


@on_cards("virtio_gpu", "vkms")
class Score(Scenario):
    """Acknowledged means durable."""

    def test_the_score_survives_kill_and_restart(self):
        self.start()
        self.control("set-score home 7")
        # At once: nothing but the answer says that it is kept.
        self.machine.run("flipclockctl set-score guest 12 && killall -KILL flipclockd")
        self.machine.wait_for("the end", lambda: not self.is_alive(), 10)
        self.start()
        self.assertEqual((self.score(), self.score("guest")), (7, 12))
        self.assert_scanout_is_screenshot()

    def test_a_state_that_is_torn_is_set_aside(self):
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
