# SPDX-License-Identifier: Apache-2.0
"""The interface to systemd: readiness, watchdog, reload, termination, and socket activation."""

import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time
import unittest

from EndToEnd.daemon import DAEMON, DaemonTestCase, environment
from EndToEnd.process import processor_time


class Notifications(DaemonTestCase):
    """The messages of sd_notify(3)."""

    daemon = DAEMON

    def setUp(self):
        super().setUp()
        self.path = str(self.directory / "notify")
        self.notifications = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notifications.bind(self.path)
        self.notifications.settimeout(20)
        self.addCleanup(self.notifications.close)

    def next_with(self, word):
        """Returns the fields of the next message with a line `word`."""
        while True:
            lines = self.notifications.recv(4096).decode().splitlines()
            if word in lines:
                return dict(line.split("=", 1) for line in lines)

    def test_ready_is_sent_once_it_serves_and_stopping_before_it_ends(self):
        self.start(check=False, NOTIFY_SOCKET=self.path)
        self.next_with("READY=1")
        self.control("status")
        self.process.send_signal(signal.SIGTERM)
        self.next_with("STOPPING=1")
        self.assertEqual(self.process.wait(20), 0)
        self.assertFalse(self.socket.exists(), "a socket of its own is removed")

    def test_restart_saves_answers_and_ends_it_only_if_something_starts_it_again(self):
        self.start()
        self.control("set-score", "home", "7")
        done = self.control("restart", check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("nothing would start it again", done.stderr)
        self.assertIsNone(self.process.poll())
        self.kill()
        self.start(NOTIFY_SOCKET=self.path)
        self.next_with("READY=1")
        self.assertEqual(self.control("restart").stdout, "flipclockd starts again\n")
        self.next_with("STOPPING=1")
        self.assertEqual(self.process.wait(20), 0)
        self.start(NOTIFY_SOCKET=self.path)
        self.assertEqual(self.status()["scoreboard"]["teams"]["home"]["score"], 7)

    def test_a_restart_that_would_lose_scores_is_refused(self):
        self.start(NOTIFY_SOCKET=self.path)
        self.control("set-score", "home", "7")
        saved = self.state / "state.json"
        saved.unlink()
        saved.mkdir()
        done = self.control("restart", check=False)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("not saved yet, so a restart would lose it", done.stderr)
        self.assertIsNone(self.process.poll())
        report = json.loads(self.varlink_examine())
        self.assertIn("unsaved", [finding.get("kind") for finding in report["findings"]])
        saved.rmdir()
        self.control("restart")
        self.assertEqual(self.process.wait(20), 0)
        self.start(NOTIFY_SOCKET=self.path)
        self.assertEqual(self.status()["scoreboard"]["teams"]["home"]["score"], 7)

    def varlink_examine(self):
        client = socket.socket(socket.AF_UNIX)
        self.addCleanup(client.close)
        client.connect(str(self.socket))
        client.sendall(b'{"method":"org.flipclock.Control.Examine"}\0')
        answer = b""
        while not answer.endswith(b"\0"):
            answer += client.recv(1 << 16)
        return json.dumps(json.loads(answer[:-1])["parameters"])

    def test_a_second_daemon_with_the_same_scores_names_the_first_and_exits(self):
        self.start()
        self.control("set-score", "home", "7")
        second = subprocess.run(
            [DAEMON, "--config", self.config, "--display", "headless", "--socket", self.directory / "other.sock",
             "--state-dir", self.state], capture_output=True, text=True, env=environment(), timeout=30, check=False)
        self.assertEqual(second.returncode, 75, second.stderr)
        for words in (f"process {self.process.pid}", "flipclockd", str(self.state), "--state-dir"):
            self.assertIn(words, second.stderr)
        self.assertEqual(self.scores()["home"], 7)
        # A start removes temporary files that a killed daemon has left.
        self.kill()
        (self.state / ".flipclock-1abc.tmp").write_text("torn")
        self.start()
        self.assertEqual(self.scores()["home"], 7)
        self.assertEqual([name for name in os.listdir(self.state) if name.endswith(".tmp")], [])

    def refused(self, status, *words, **variables):
        """Asserts that the daemon ends at the start, with these words in its one message."""
        options = ["--config", self.config, "--display", "headless", "--socket", self.socket]
        options += ["--state-dir", self.state] if "HOME" not in variables else []
        user = variables.pop("user", None)
        ended = subprocess.run(
            [self.daemon, *options], capture_output=True, text=True, env=environment(**variables), timeout=30,
            check=False, user=user)
        self.assertEqual(ended.returncode, status, ended.stderr)
        for word in words:
            self.assertIn(word, ended.stderr)
        self.assertEqual(ended.stderr.count("\n"), 1, ended.stderr)

    def test_a_state_directory_that_others_may_write_to_is_refused(self):
        self.state.mkdir()
        self.state.chmod(0o777)
        self.refused(77, str(self.state), "every user may write", f"chmod o-w {self.state}", "--state-dir")
        self.assertEqual(os.listdir(self.state), [])
        self.state.chmod(0o755)
        self.start()
        self.stop()
        if os.geteuid() == 0:
            os.chown(self.state, 12345, 0)
            self.refused(77, str(self.state), "belongs to another user (12345)", f"chown USER {self.state}")

    @unittest.skipUnless(os.geteuid() == 0, "needs root, to be another user")
    def test_without_home_an_ordinary_user_needs_a_directory(self):
        # The other user may have no access to the build directory.
        self.directory.chmod(0o755)
        self.daemon = shutil.copy(DAEMON, self.directory)
        self.refused(78, "HOME is not set", "--state-dir", HOME="", user=65534)

    def test_a_change_is_logged_with_its_client(self):
        self.start()
        self.control("set-score", "home", "7")
        self.control("status")
        self.control("set-score", "nobody", "7", check=False)
        lines = [line for line in self.log.read_text().splitlines() if "SetScore" in line]
        self.assertEqual(len(lines), 1, lines)
        user = pwd.getpwuid(os.geteuid()).pw_name
        self.assertRegex(lines[0], rf"flipclockctl \(process \d+, user {user}\): SetScore .*7")
        for score in range(60):
            self.control("set-score", "home", str(score))
        lines = [line for line in self.log.read_text().splitlines() if "SetScore" in line]
        self.assertEqual(len(lines), 20)

    def test_stray_signals_end_neither_the_daemon_nor_its_picture(self):
        self.start()
        ends = {signal.SIGKILL, signal.SIGTERM, signal.SIGINT}
        stops = {signal.SIGSTOP, signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU}
        # These signals crash the daemon, as intended. Unit tests check that the console is then restored.
        crashes = {signal.SIGQUIT, signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE,
                   signal.SIGSEGV, signal.SIGXCPU, signal.SIGSYS}
        for number in sorted(signal.valid_signals() - ends - stops - crashes):
            with self.subTest(number):
                self.process.send_signal(number)
                status = self.status()
                self.assertTrue(status["outputs"])
                self.assertFalse(status["blanked"])

    def test_the_watchdog_is_fed(self):
        self.start(check=False, NOTIFY_SOCKET=self.path, WATCHDOG_USEC="1000000")
        self.next_with("READY=1")
        begin = time.monotonic()
        for _ in range(3):
            self.next_with("WATCHDOG=1")
        self.assertGreater(time.monotonic() - begin, 0.5, "it is no busy loop")

    def test_a_reload_is_announced_with_its_timestamp(self):
        self.start(NOTIFY_SOCKET=self.path)
        self.next_with("READY=1")
        for ask in (lambda: self.process.send_signal(signal.SIGHUP), lambda: self.control("reload")):
            before = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
            ask()
            fields = self.next_with("RELOADING=1")
            self.assertGreaterEqual(int(fields["MONOTONIC_USEC"]), before)
            self.next_with("READY=1")

    def listener(self):
        """Creates a listening socket as systemd does for a socket unit. It stays open across daemons."""
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(self.socket))
        listener.listen(16)
        self.addCleanup(listener.close)
        return listener

    def start_with(self, listener):
        """Starts the daemon with the socket passed to it (sd_listen_fds(3))."""
        # LISTEN_PID must be the daemon's own, which only the process that executes it knows.
        launch = ("import os, sys; os.dup2(int(sys.argv[1]), 3); os.set_inheritable(3, True); "
                  "os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS='1'); os.execv(sys.argv[2], sys.argv[2:])")
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-c", launch, str(listener.fileno()), DAEMON, "--config", self.config, "--display",
                 "headless", "--size", self.size, "--state-dir", self.state],
                pass_fds=[listener.fileno()], stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=environment())
        self.addCleanup(self.kill)
        self.wait_for("a picture", lambda: (self.try_status() or {}).get("outputs"))

    def test_a_socket_from_systemd_serves_one_daemon_after_the_other(self):
        listener = self.listener()
        for points in range(3):
            self.start_with(listener)
            self.assertEqual(self.scores()["home"], points)
            self.control("add-score", "home", "1")
            self.assertEqual(self.stop(), 0)
            self.assertTrue(os.path.exists(self.socket), "systemd's socket stays")
            # No daemon is running, but a call waits instead of being refused.
            self.connect().close()

    def test_an_inherited_socket_that_was_shut_down_is_opened_again(self):
        listener = self.listener()
        listener.shutdown(socket.SHUT_RDWR)
        self.start_with(listener)
        self.assertIn("has shut the socket down", self.log.read_text())
        self.control("add-score", "home", "1")
        self.rest()
        before = processor_time(self.process)
        time.sleep(2)
        self.assertLess(processor_time(self.process) - before, 0.6, "the daemon spins")
        self.assertEqual(self.log.read_text().count("trying again"), 1)
        self.assertEqual(self.stop(), 0)

    def test_a_socket_that_cannot_be_opened_yet_is_opened_later(self):
        place = self.directory / "later"
        self.socket = place / "control.sock"
        self.start(check=False)
        self.wait_for("the message", lambda: str(place) in self.log.read_text())
        time.sleep(0.5)
        self.assertIsNone(self.process.poll(), "no socket, and it shows the clock all the same")
        place.mkdir()
        self.wait_for("the socket", self.try_status)
        self.assertEqual(self.log.read_text().count("trying again"), 1)
        self.assertEqual(self.stop(), 0)

    def test_the_socket_of_another_daemon_is_taken_over_when_it_exits(self):
        self.start()
        first = self.process
        self.state = self.directory / "other"
        self.start(check=False)
        self.wait_for("the reason", lambda: "another program is listening there" in self.log.read_text())
        self.assertEqual(self.scores()["home"], 0)
        first.send_signal(signal.SIGTERM)
        self.assertEqual(first.wait(10), 0)
        self.wait_for("the socket", self.try_status)
        self.assertEqual(self.stop(), 0)
