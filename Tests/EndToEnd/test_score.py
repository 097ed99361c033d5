# SPDX-License-Identifier: Apache-2.0
"""`flipclockctl score`: running a match from a terminal, and restoring the terminal."""

import fcntl
import os
import pty
import re
import select
import shlex
import signal
import struct
import subprocess
import termios
import time

from EndToEnd.daemon import CONFIG, CONTROL, DAEMON, PATIENCE, environment
from EndToEnd.pace import Pace
from EndToEnd.process import wakeups
from EndToEnd.test_match import BASKETBALL, MatchTestCase

SEQUENCE = re.compile(rb"\x1b\[([?\d;]*)([A-Za-z])|\x18|([^\x1b\x18]+)")


class Desk:
    """A terminal that runs the program as a shell would. What it shows is in `lines`."""

    def __init__(self, socket, size=(24, 80), arguments=(), **variables):
        self.master, self.slave = pty.openpty()
        self.resize(*size)
        self.before = termios.tcgetattr(self.slave)
        self.seen = b""
        self.lines = []
        self.process = subprocess.Popen(
            [CONTROL, "--socket", socket, "score", *arguments], stdin=self.slave, stdout=self.slave, stderr=self.slave,
            # Swift's own backtracer would prompt on the terminal.
            env=environment(TERM="xterm", SWIFT_BACKTRACE="enable=no", **variables), start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))

    def resize(self, rows, columns):
        self.size = (rows, columns)
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def press(self, keys, pause=0.3):
        """Types keys one after the other, at a human pace. The program may be busy when a key comes; two that wait
        for it came at once."""
        for key in keys:
            os.write(self.master, key.encode())
            end = time.monotonic() + 15 * PATIENCE
            while self.waiting() and self.process.poll() is None and time.monotonic() < end:
                time.sleep(0.01)
            time.sleep(pause)

    def waiting(self):
        """Returns how many bytes the program has not read yet."""
        return struct.unpack("i", fcntl.ioctl(self.slave, termios.FIONREAD, bytes(4)))[0]

    def send(self, data):
        os.write(self.master, data)

    def read(self, seconds=0.1):
        """Reads output until it is quiet."""
        while select.select([self.master], [], [], seconds)[0]:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                return
            if not data:
                return
            self.seen += data
        self.draw()

    def draw(self):
        """Sets `lines` to the screen that the output in `seen` draws."""
        rows, columns = self.size
        grid = [[" "] * columns for _ in range(rows)]
        row = column = 0
        for match in SEQUENCE.finditer(self.seen):
            parameters, final, text = match.groups()
            if final == b"H":
                row, column = (int(part) - 1 for part in parameters.split(b";"))
            elif final == b"K" and row < rows:
                grid[row] = [" "] * columns
            elif text:
                for character in text.decode(errors="replace"):
                    if row < rows and column < columns:
                        grid[row][column] = character
                    column += 1
        self.lines = ["".join(line).rstrip() for line in grid]

    @property
    def text(self):
        return "\n".join(self.lines)

    def end(self, number=signal.SIGTERM):
        """Sends a signal, and returns the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        status = self.process.wait(10)
        self.read()
        return status

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(10)
        for terminal in (self.master, self.slave):
            try:
                os.close(terminal)
            except OSError:
                pass  # closed already


class Score(MatchTestCase):
    """One operator at a keyboard."""

    def sit_down(self, config=BASKETBALL, **options):
        self.config.write_text(config)
        self.start()
        return self.desk(**options)

    def desk(self, **options):
        desk = Desk(self.socket, **options)
        self.addCleanup(desk.close)
        self.shows(desk, "HOME")
        return desk

    def shows(self, desk, words, seconds=15):
        """Waits until the screen shows the words."""
        def look():
            desk.read()
            return words in desk.text
        try:
            self.wait_for(f"'{words}' on the screen", look, seconds)
        except AssertionError:
            self.fail(f"'{words}' is not on the screen:\n{desk.text}")

    def test_keys_score_and_undo_for_the_side_shown_on_the_screen(self):
        desk = self.sit_down()
        desk.press("aasl")
        self.shows(desk, "+1: GUEST 1")
        self.assertEqual(self.scores(), {"home": 4, "guest": 1})
        desk.press("kS")
        self.shows(desk, "-2: HOME 2")
        self.assertEqual(self.scores(), {"home": 2, "guest": 3})
        desk.press("uu")
        self.shows(desk, "undone: score of guest: 1 → 3")
        desk.press("r")
        self.shows(desk, "redone: score of guest: 1 → 3")
        self.assertEqual(self.scores(), {"home": 4, "guest": 3})
        # Swapping sides needs a confirmation; afterwards the left keys belong to the other team.
        desk.press("\t")
        self.shows(desk, "Enter to have the teams change sides")
        self.assertFalse(self.match()["sidesSwapped"])
        desk.press("\r")
        self.shows(desk, "sides swapped")
        desk.press("a")
        self.shows(desk, "+1: GUEST 4")
        desk.press("xg")
        self.shows(desk, "ball: guest")
        state = self.match()
        self.assertEqual((state["teams"][0]["counters"]["fouls"], state["serving"]), (1, "guest"))
        desk.press(" ")
        self.shows(desk, "runs")
        self.assertTrue(self.match()["timers"]["game"]["running"])
        self.shows(desk, "9:58")
        desk.press(" ")
        self.shows(desk, "game timer paused")

    def test_bursts_and_unknown_keys_are_refused(self):
        desk = self.sit_down()
        for name, data, words in [
            ("a burst", b"asdlkjasdlkj" * 20, "all were ignored"),
            ("a paste", b"\x1b[200~aaa\rlll\x1b[201~", "it was ignored"),
            ("two keys at once", b"al", "all were ignored"),
            ("arrows", b"\x1b[A\x1b[B", "arrows and function keys"),
            ("an unknown key", b"!", "'!' does nothing"),
            ("a key with Alt", b"\x1ba", "arrows and function keys"),
            ("a capital of no key", b"U", "Caps Lock"),
            ("Enter", b"\r", "nothing to confirm"),
        ]:
            with self.subTest(name):
                desk.send(data)
                self.shows(desk, words)
                time.sleep(0.6)
                self.assertEqual(self.match()["revision"], 0)
        # A key that is held down counts once; keyboards begin to repeat it only after a delay. If the machine
        # stops for as long as a person needs between two presses, the repeats count as presses.
        for _ in range(20):
            before = self.scores()["home"]
            with Pace() as pace:
                desk.press("a", 0.5)
                for _ in range(30):
                    desk.send(b"a")
                    time.sleep(0.03)
                time.sleep(0.3)
            if pace.allowance(1, 1) < 0.1:
                break
        self.shows(desk, "held down")
        self.assertEqual(self.scores()["home"], before + 1)
        desk.press("s")
        self.shows(desk, f"+2: HOME {before + 3}")

    def test_unconfirmed_actions_are_not_performed_and_refusals_are_shown(self):
        desk = self.sit_down()
        desk.press(".")
        self.shows(desk, "Enter to begin QUARTER 2")
        self.shows(desk, "not confirmed: nothing was done")
        self.assertEqual(self.match()["period"], 1)
        desk.press(".")
        self.shows(desk, "Enter to begin QUARTER 2")
        desk.send(b"\x1b")
        self.shows(desk, "not confirmed: nothing was done", 3)
        desk.press("=12\x1b")
        self.shows(desk, "the number was ignored")
        self.assertEqual((self.match()["period"], self.scores()["home"]), (1, 0))
        desk.press(".\r")
        self.shows(desk, "period: 1 → 2")
        desk.press("A")
        self.shows(desk, "-1 is not a score")
        desk.press("\x0e")
        self.shows(desk, "begin a new game")
        desk.press("a")
        self.shows(desk, "+1: HOME 1")
        desk.press("\r")
        self.shows(desk, "nothing to confirm")
        self.assertEqual(self.match()["period"], 2)

    def test_a_time_out_its_clock_and_its_limit(self):
        desk = self.sit_down(CONFIG + '\n[game]\npreset = "handball"\n')
        counts = lambda: self.match()["teams"][0]["counters"]["timeouts"]
        desk.press(" x")
        self.shows(desk, "time-out of HOME 0:5")
        self.shows(desk, "^B end the break")
        self.assertFalse(self.match()["timers"]["game"]["running"])
        desk.press("\x02")
        self.wait_for("the end of the time-out", lambda: "gameBreak" not in self.match())
        desk.press("x")
        self.wait_for("the second one", lambda: counts() == 2)
        # The third one in a half must be confirmed.
        time.sleep(0.3)
        desk.press("x")
        self.shows(desk, "Enter to give")
        self.assertEqual(counts(), 2)
        desk.press("\r")
        self.wait_for("the third one", lambda: counts() == 3)

    def test_an_interval_and_the_end_of_a_match(self):
        desk = self.sit_down(CONFIG + '\n[game]\npreset = "volleyball"\n')
        for number in range(1, 4):
            self.control("set-score", "home", "24")
            self.shows(desk, "24")
            desk.press("a")
            if number < 3:
                self.shows(desk, "set over: . begins the next")
                self.shows(desk, "interval 2:5")
                desk.press("a")
                self.shows(desk, f"SET {number} is over")
                desk.press(".\r")
                self.shows(desk, f"SET {number + 1}")
                self.assertNotIn("gameBreak", self.match())
        self.shows(desk, "match over: ^N begins the next")
        self.assertNotIn("gameBreak", self.match())
        desk.press("a")
        self.shows(desk, "the match is over, 3 : 0")
        desk.press("\x0e\r")
        self.wait_for("the next match", lambda: self.scores() == {"home": 0, "guest": 0})
        desk.read()
        self.assertNotIn("match over", desk.text)

    def test_with_more_than_two_teams_one_is_chosen_first(self):
        desk = self.sit_down(CONFIG + '\n[teams.home]\n[teams.guest]\n[teams.third]\nname = "THIRD"\n')
        desk.press("a")
        self.shows(desk, "select a team first, 1 to 3")
        desk.press("3")
        self.shows(desk, "keys are for THIRD")
        desk.press("aa")
        self.shows(desk, "+1: THIRD 2")
        self.assertEqual(self.scores(), {"home": 0, "guest": 0, "third": 2})

    def test_the_terminal_is_restored_however_it_ends(self):
        desk = self.sit_down()
        desk.close()
        for name, leave in [
            ("Ctrl-C", lambda desk: desk.send(b"\x03")),
            ("SIGTERM", lambda desk: desk.process.send_signal(signal.SIGTERM)),
            ("SIGINT", lambda desk: desk.process.send_signal(signal.SIGINT)),
        ]:
            with self.subTest(name):
                desk = self.desk()
                self.assertNotEqual(termios.tcgetattr(desk.slave)[3], desk.before[3])
                leave(desk)
                self.assertEqual(desk.process.wait(10), 0)
                desk.read()
                self.assertEqual(termios.tcgetattr(desk.slave), desk.before)
                self.assertTrue(desk.seen.endswith(b"\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l"), desk.seen[-80:])
        with self.subTest("a crash"):
            desk = self.desk()
            desk.end(signal.SIGSEGV)
            self.assertEqual(termios.tcgetattr(desk.slave), desk.before)
            self.assertIn(b"\x1b[?1049l", desk.seen[-4000:])

    def test_it_exits_when_its_terminal_closes(self):
        desk = self.sit_down()
        os.close(desk.slave)
        os.close(desk.master)
        self.assertIn(desk.process.wait(10), (1, -signal.SIGHUP))

    def test_in_the_background_it_does_not_touch_the_terminal(self):
        self.start()
        other = self.directory / "other"
        for words in ([CONTROL, "--socket", self.socket, "score"],
                      [DAEMON, "--config", self.config, "--display", "terminal", "--socket", other / "socket",
                       "--state-dir", other]):
            with self.subTest(words[0]):
                master, slave = pty.openpty()
                self.addCleanup(os.close, master)
                self.addCleanup(os.close, slave)
                before = termios.tcgetattr(slave)
                command = shlex.join(map(str, words))
                shell = subprocess.Popen(
                    ["bash", "--norc", "-mc", f"{command} & wait $!; echo status $?."],
                    stdin=slave, stdout=slave, stderr=slave, env=environment(TERM="xterm"), start_new_session=True,
                    preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
                shell.wait(20)
                text = ""
                # The terminal delivers what the shell has written in parts.
                while not text.endswith("status 1.\r\n") and select.select([master], [], [], 20)[0]:
                    text += os.read(master, 65536).decode()
                self.assertIn("run it in the foreground", text)
                self.assertIn("status 1.", text)
                self.assertNotIn("lost the connection", text)
                self.assertEqual(termios.tcgetattr(slave), before)

    def test_it_can_be_stopped_and_continued(self):
        desk = self.sit_down()
        for stop in (lambda: desk.send(b"\x1a"), lambda: desk.process.send_signal(signal.SIGTSTP)):
            stop()
            _, status = os.waitpid(desk.process.pid, os.WUNTRACED)
            self.assertTrue(os.WIFSTOPPED(status))
            self.assertEqual(termios.tcgetattr(desk.slave), desk.before)
            desk.read()
            desk.seen = b""
            desk.process.send_signal(signal.SIGCONT)
            self.shows(desk, "HOME")
            desk.press("a")
            self.shows(desk, "+1: HOME")
        self.assertEqual(self.scores()["home"], 2)

    def test_without_the_daemon_keys_do_nothing_and_it_reconnects(self):
        desk = self.sit_down()
        desk.press("a")
        self.shows(desk, "+1: HOME 1")
        self.kill()
        self.shows(desk, "not connected: trying again")
        desk.press("aaa")
        self.start()
        self.shows(desk, "there is no connection to the daemon: nothing was done")
        self.assertEqual(self.scores()["home"], 1)
        desk.press("a")
        self.shows(desk, "+1: HOME 2")

    def test_a_daemon_that_does_not_answer_is_not_flooded(self):
        desk = self.sit_down()
        self.process.send_signal(signal.SIGSTOP)
        try:
            desk.press("alalal")
            self.shows(desk, "has not answered the last keys yet")
        finally:
            self.process.send_signal(signal.SIGCONT)
        self.shows(desk, "GUEST 2")
        self.assertEqual(self.scores(), {"home": 2, "guest": 2})

    def test_two_operators_see_the_same_screen(self):
        one = self.sit_down()
        two = self.desk()
        one.press("a")
        self.shows(two, "last: score of home: 0 → 1")
        self.control("set-score", "guest", "77")
        for desk in (one, two):
            self.shows(desk, "77")
        two.press("u")
        self.shows(one, "last: score of home: 0 → 1")
        self.assertEqual(self.scores(), {"home": 1, "guest": 0})

    def test_it_uses_no_processor_time_while_nothing_happens(self):
        desk = self.sit_down()
        desk.press("a")
        desk.read(1)

        def rests():
            seen = len(desk.seen)
            return wakeups(desk.process, 1.5, desk.read) == 0 and len(desk.seen) == seen
        self.wait_for("rest", rests)

    def test_it_fits_terminals_of_any_size(self):
        self.config.write_text(BASKETBALL)
        self.start()
        self.control("set", "home", "name", "獅子の町の獅子たち👨‍👩‍👧‍👦é")
        self.control("set", "guest", "name", "W" * 40)
        self.control("set-score", "guest", "999")
        desk = Desk(self.socket, size=(8, 40), NO_COLOR="1")
        self.addCleanup(desk.close)
        self.shows(desk, "999")
        self.assertIn("獅子の町", desk.text)
        self.assertIn("W…", desk.text)
        self.assertIn("clock 10:00", desk.text)
        self.assertNotRegex(desk.seen, rb"\x1b\[[0-9;]*[34][0-7]m")
        for rows, columns in ((30, 100), (1, 1), (3, 20), (8, 40)):
            desk.resize(rows, columns)
            desk.seen = b""
            self.wait_for("a picture of the new size", lambda: desk.read() or desk.seen)
        self.shows(desk, "999")

    def test_missing_requirements_are_reported(self):
        for arguments, variables, status, words in [
            (("score",), {"TERM": "xterm"}, 64, "needs a terminal"),
            (("--json", "score"), {"TERM": "xterm"}, 64, "watch --json"),
        ]:
            done = self.control(*arguments, check=False, **variables)
            self.assertEqual((done.returncode, done.stdout), (status, ""))
            self.assertIn(words, done.stderr)
        desk = Desk(self.socket)
        self.addCleanup(desk.close)
        self.assertEqual(desk.process.wait(10), 1)
        desk.read()
        self.assertIn(b"is flipclockd running?", desk.seen)
        self.assertNotIn(b"\x1b", desk.seen)
