# SPDX-License-Identifier: Apache-2.0
"""The virtual terminal: the keys of a local keyboard, and switches to and from other terminals."""

import os
import random

from VM.scenario import CLOCK_AND_SCORE, CONFIG, LOG, Scenario, on_cards

# The long version switches for several minutes.
SWITCHES = 500 if "FLIPCLOCK_LONG" in os.environ else 50


class Terminal(Scenario):
    """The common part: the daemon owns tty1, as under its unit, and tty2 has a text console."""

    def setUp(self):
        super().setUp()
        # Without a login manager nothing has allocated tty2, and the kernel switches only to allocated
        # terminals.
        self.machine.run("printf '\\033[2J\\033[Hthe other console' >/dev/tty2")

    def launch(self, options="--display kms"):
        """Starts the daemon as the leader of a session on tty1, as systemd does."""
        self.machine.run(
            f"setsid -c flipclockd --config {CONFIG} --state-dir /var/lib/flipclock {options} "
            f"</dev/tty1 >>{LOG} 2>&1 &")

    def wait_for_terminal(self, number):
        """Waits until a terminal is active."""
        self.machine.wait_for(f"tty{number} in front", lambda: self.machine.console()[2] == number, 10)


@on_cards("virtio_gpu")
class Keyboard(Terminal):
    """A keyboard switches terminals and restarts the machine, but does not type into a shell."""

    # On virtual time the keys of QEMU's keyboard do not arrive.
    virtual_time = False

    def type_line(self):
        """Types a line."""
        for key in ("o", "o", "ret"):
            self.machine.press(key)

    def hold_terminal(self):
        """Keeps tty1 open, because the kernel resets a terminal that nobody has open; returns its
        settings."""
        self.machine.run("setsid sleep 1000 </dev/tty1 >/dev/null 2>&1 & echo $! >/run/holder")
        self.addCleanup(self.machine.run, "kill $(cat /run/holder)", check=False)
        return self.terminal_settings()

    def terminal_settings(self):
        """Returns the settings of tty1."""
        return self.machine.run("stty -g </dev/tty1").text

    def typed(self):
        """Returns what a program that now reads tty1 receives."""
        return self.machine.run("timeout 1 cat </dev/tty1", check=False).text

    def test_ctrl_alt_f2_reaches_another_terminal_and_ctrl_alt_f1_returns(self):
        self.start()
        mine = self.assert_scanout_is_screenshot()
        self.machine.press("ctrl", "alt", "f2")
        self.wait_for_terminal(2)
        self.assertNotEqual(self.scanout(), mine)
        self.machine.press("ctrl", "alt", "f1")
        self.wait_for_terminal(1)
        self.assertEqual(self.machine.console()[0], "graphics")
        self.assert_scanout_is_screenshot()

    def test_ctrl_alt_del_reaches_the_first_process(self):
        # With 0 in /proc/sys/kernel/ctrl-alt-del, Ctrl-Alt-Del makes the kernel send SIGINT to the first
        # process. In this guest that is a shell, for which the kernel drops the signal, so only the kernel's
        # trace shows it.
        tracing = "/sys/kernel/tracing"
        self.machine.run(f"echo 0 >/proc/sys/kernel/ctrl-alt-del; echo 'sig == 2 && pid == 1' >"
                         f"{tracing}/events/signal/signal_generate/filter; echo 1 >"
                         f"{tracing}/events/signal/signal_generate/enable; echo >{tracing}/trace")
        self.addCleanup(self.machine.run, f"echo 0 >{tracing}/events/signal/signal_generate/enable")
        self.start()
        self.machine.press("ctrl", "alt", "delete")
        self.assertIn("sig=2", self.machine.run(f"grep -v '^#' {tracing}/trace", check=False).text)

    def test_what_is_typed_reaches_neither_the_daemon_nor_a_shell(self):
        for signal in ("TERM", "SEGV"):
            with self.subTest(signal):
                settings = self.hold_terminal()
                self.start()
                self.type_line()
                self.machine.press("ctrl", "c")
                self.machine.press("ctrl", "s")
                self.assertTrue(self.is_alive())
                # The clock may have changed meanwhile.
                self.assert_scanout_is_screenshot()
                self.machine.run(f"killall -{signal} flipclockd")
                self.machine.wait_for("the end", lambda: not self.is_alive(), 15)
                self.assertEqual(self.typed(), "")
                self.assertEqual(self.terminal_settings(), settings)
                self.assertEqual(self.machine.console(), ("text", "auto", 1))

    def test_started_from_a_shell_only_ctrl_c_reaches_it(self):
        command = f"flipclockd --config {CONFIG} --state-dir /var/lib/flipclock --display kms"
        self.machine.run(f"setsid -c sh -c '{command} >>{LOG} 2>&1; cat >/run/typed' </dev/tty1 >/dev/null 2>&1 &")
        self.addCleanup(self.machine.run, "killall cat", check=False)
        self.wait_for_picture()
        self.type_line()
        self.machine.press("ctrl", "z")
        self.assertTrue(self.status())
        self.machine.press("ctrl", "c")
        self.machine.wait_for("the end", lambda: not self.is_alive(), 15)
        for key in ("k", "ret"):
            self.machine.press(key)
        self.machine.wait_for("a line", lambda: self.machine.run("cat /run/typed", check=False).text, 10)
        self.assertEqual(self.machine.run("cat /run/typed").text, "k")


@on_cards("virtio_gpu")
class KeysWithAlt(Terminal):
    """[input] ignores keys on which the kernel acts, and all keys while another terminal is active."""

    virtual_time = False
    config = CLOCK_AND_SCORE + """
[input]
enabled = true
[input.keys]
F2 = "add-score home +1"
K = "add-score guest +1"
"""

    def setUp(self):
        super().setUp()
        self.machine.run("load evdev")

    def test_no_key_acts_twice(self):
        self.start()
        self.machine.press("k")
        self.machine.press("f2")
        self.machine.wait_for("the keys", lambda: (self.score(), self.score("guest")) == (1, 1), 10)
        self.machine.press("ctrl", "alt", "f2")
        self.wait_for_terminal(2)
        self.machine.press("k")
        self.machine.press("f2")
        self.machine.press("ctrl", "alt", "f1")
        self.wait_for_terminal(1)
        self.assert_scanout_is_screenshot()
        self.assertEqual((self.score(), self.score("guest")), (1, 1))
        self.machine.press("k")
        self.machine.wait_for("the key", lambda: self.score("guest") == 2, 10)


@on_cards("virtio_gpu")
class Switches(Terminal):
    """The picture is on tty1, and only there, whatever the order of switches and signals was."""

    def test_a_stray_signal_does_not_stop_the_picture(self):
        self.start()
        for signal in ("USR1", "USR2", "USR1", "USR1"):
            self.machine.run(f"killall -{signal} flipclockd; usleep 300000")
        self.control("set-score home 3")
        self.assert_scanout_is_screenshot()
        self.assertEqual(self.machine.console(), ("graphics", "process", 1))

    def test_a_stray_signal_does_not_hide_the_kernels(self):
        self.start()
        # While the daemon is stopped, the kernel's SIGUSR1 is merged with the stray one.
        self.machine.run("killall -STOP flipclockd; killall -USR1 flipclockd; timeout 20 chvt 2 & usleep 500000; "
                         "killall -CONT flipclockd")
        self.wait_for_terminal(2)
        self.machine.run("chvt 1")
        self.assert_scanout_is_screenshot()

    def test_two_switches_at_once_do_not_draw_over_the_other_terminal(self):
        self.start()
        self.machine.run("chvt 2; usleep 500000")
        other = self.scanout()
        self.machine.run("killall -STOP flipclockd; chvt 1; timeout 20 chvt 2 & usleep 500000; "
                         "killall -CONT flipclockd; usleep 500000")
        self.control("set-score home 5")
        self.machine.run("usleep 500000")
        self.assertEqual(self.machine.console(), ("text", "auto", 2))
        self.assert_same_picture(other, self.scanout())
        self.machine.run("chvt 1")
        self.assert_scanout_is_screenshot()

    def test_the_picture_is_right_after_many_switches_and_stray_signals(self):
        self.start()
        generator = random.Random(7)
        lines = ["printf x >/dev/tty3"]
        for _ in range(SWITCHES):
            lines.append(f"timeout 20 chvt {generator.randint(1, 3)} &")
            lines.append(f"usleep {int(1000 * 2 ** generator.uniform(0, 8))}")
            if generator.random() < 0.5:
                lines.append(f"killall -{generator.choice(('USR1', 'USR2'))} flipclockd")
                lines.append(f"usleep {int(1000 * 2 ** generator.uniform(0, 8))}")
        self.machine.run("\n".join([*lines, "wait"]), timeout=300)
        self.machine.run("timeout 20 chvt 2; usleep 500000")
        self.assertEqual(self.machine.console(), ("text", "auto", 2))
        self.control("set-score home 8")
        self.machine.run("timeout 20 chvt 1; usleep 500000")
        self.assertEqual(self.machine.console(), ("graphics", "process", 1))
        self.assert_scanout_is_screenshot()
