# SPDX-License-Identifier: Apache-2.0
"""The service under a real systemd when something is wrong: it hangs, cannot start, loses its power, has no
card, no terminal or no space for the score, or is called by a user without permission."""

import json
import os
import random
import time
import unittest

from VM.debian import BOOT_TIMEOUT, SOCKET, UNIT
from VM.scenario import CARDS
from VM.service import STATE, InstalledService

LONG = "FLIPCLOCK_LONG" in os.environ
POWER_CUTS = 20 if LONG else 1
# More than the five starts in ten seconds that systemd allows by default.
FAILED_STARTS = 40 if LONG else 7
# The watchdog's timeout in seconds. In the unit it is a minute.
WATCHDOG = 60 if LONG else 15

DROP_IN = f"/run/systemd/system/{UNIT}.d"

# The mount options of a file system for the saved scores that belongs to the service.
OWNED = "uid=$(id -u flipclock),gid=$(id -g flipclock)"

# Two clients, one for each team, that set scores from 1 upwards as fast as they are answered. Before and
# after each call they write a line to the host.
CLIENTS = r"""
use strict;
use Socket;
open(my $host, ">", "/dev/virtio-ports/calls") or die "the port: $!";
my $team = fork ? "home" : "guest";
socket(my $daemon, PF_UNIX, SOCK_STREAM, 0) or die "socket: $!";
connect($daemon, pack_sockaddr_un("/run/flipclock/control.sock")) or die "connect: $!";
for my $score (1 .. 999) {
  syswrite($host, "sent $team $score\n") or die "the port: $!";
  my $call = qq({"method":"org.flipclock.Control.SetScore","parameters":{"team":"$team","score":$score}}\0);
  syswrite($daemon, $call) or die "write: $!";
  my $reply = "";
  until ($reply =~ /\0\z/) { sysread($daemon, $reply, 65536, length $reply) or die "read: $!" }
  die $reply if $reply =~ /"error"/;
  syswrite($host, "saved $team $score\n") or die "the port: $!";
}
"""

# Prints the time in seconds since the start of the kernel at which the first frame was on the display. Calls
# the daemon only after the service's control group exists, because a call before that would start the
# service.
FIRST_FRAME = f"""
until [ -d /sys/fs/cgroup/system.slice/{UNIT} ]; do busybox usleep 200000; done
until get-status | busybox grep -q '"framesPresented":[1-9]'; do busybox usleep 50000; done
busybox cut -d ' ' -f 1 /proc/uptime
"""

# Owns tty7 as a graphical session does, and does not release it until it is killed: VT_SETMODE with
# VT_PROCESS. systemd starts no login prompt on that terminal.
SESSION = """
open(my $terminal, "+<", "/dev/tty7") or die "tty7: $!";
$SIG{USR1} = $SIG{USR2} = sub {};
my $mode = pack("CCsss", 1, 0, 10, 12, 0);
ioctl($terminal, 0x5602, $mode) or die "VT_SETMODE: $!";
open(my $ready, ">", "/run/session-ready");
sleep 1000 while 1;
"""

# The boots after power cuts.
_boots = []


class Boot:
    """The times of a boot, in seconds since the start of the kernel."""

    def __init__(self, machine):
        """Waits for the first frame. Call it as soon as the agent is ready."""
        self.frame = float(machine.run(FIRST_FRAME, timeout=BOOT_TIMEOUT).text)
        self.user_space = self._stamp(machine, "UserspaceTimestampMonotonic", "")
        self.service = self._stamp(machine, "ExecMainStartTimestampMonotonic")
        # The daemon reports READY after it has set the mode, before or after the first frame.
        self.ready = machine.wait_for("READY", lambda: self._stamp(machine, "ActiveEnterTimestampMonotonic"), 120)

    @staticmethod
    def _stamp(machine, name, unit=UNIT):
        return int(machine.show(name, unit)) / 1e6

    def __str__(self):
        return (f"first frame {self.frame:.1f} s after the kernel's start: kernel {self.user_space:.1f} s, other "
                f"units {self.service - self.user_space:.1f} s, flipclockd {self.frame - self.service:.1f} s; ready "
                f"after {self.ready - self.service:.1f} s")


class FaultyService(InstalledService):
    """The common part: changes to the machine that are undone after the test, and assertions about the
    service."""

    machine_name = "systemd faults"

    def setUp(self):
        super().setUp()
        shown = self.machine.run("journalctl -q -n 0 --show-cursor").text
        self.cursor = shown.partition("-- cursor: ")[2]

    def install(self):
        """Installs the service, without a reboot. What is installed must survive power cuts."""
        self.machine.settle()
        super().install()
        self.machine.run("sync", timeout=120)

    def log(self):
        """Returns the journal of the service since the start of the test."""
        return self.machine.journal(f"--after-cursor='{self.cursor}'")

    def assert_logged(self, *lines):
        """Waits until the journal contains the lines."""
        for line in lines:
            self.machine.wait_for(f"'{line}' in the journal", lambda line=line: line in self.log())

    def assert_works(self, restarts=0, **scores):
        """Asserts that the service runs after a number of automatic restarts, that it has the scores, and
        that the display shows the screenshot. Returns the screenshot."""
        self.machine.wait_for("the service", lambda: self.states() == ["active", "active"], 180)
        self.wait_for_picture(180)
        self.assertEqual(int(self.machine.show("NRestarts")), restarts)
        self.assertEqual(self.machine.show("Result"), "success")
        for team, score in scores.items():
            self.assertEqual(self.score(team), score, team)
        return self.assert_scanout_is_screenshot()

    def drop_in(self, *settings):
        """Adds settings to the unit, which apply from its next start."""
        self.machine.push(f"{DROP_IN}/test.conf", "\n".join(("[Service]", *settings, "")))
        self.addCleanup(self.machine.run, f"rm -rf {DROP_IN}; systemctl daemon-reload", timeout=120)
        self.machine.run("systemctl daemon-reload", timeout=120)

    def mount_state(self, options):
        """Stops the service and mounts an empty file system in memory on the state directory."""
        self.machine.run(f"systemctl stop {UNIT}; mount -t tmpfs -o {options} scores {STATE}", timeout=120)
        self.addCleanup(
            self.machine.run, f"systemctl stop {UNIT}; umount -l {STATE}; systemctl start {UNIT}", timeout=180)

    def assert_not_saved(self, arguments, reason):
        """Asserts that a change is shown but reported as not saved, and that the reason is logged."""
        result = self.control(arguments, check=False)
        self.assertEqual(result.status, 2, result.text)
        self.assertIn("shown, but not saved", result.error_text)
        self.assertIn(reason, result.error_text)
        self.assert_logged(f"is shown but not saved: {result.error_text.partition('lose it: ')[2]}")


@unittest.skipUnless("virtio_gpu" in CARDS, "not in FLIPCLOCK_VM_CARDS")
class Restarts(FaultyService, unittest.TestCase):
    """A daemon that hangs, does not start, or is cut off from its power."""

    # The watchdog

    def test_the_watchdog_restarts_a_daemon_that_hangs(self):
        self.assertEqual(self.machine.show("WatchdogUSec"), "1min")
        self.drop_in(f"WatchdogSec={WATCHDOG}s")
        self.restart()
        self.control("set-score home 7")
        pid = self.machine.show("MainPID")
        self.machine.run(f"kill -STOP {pid}")
        self.machine.wait_for(
            "another process", lambda: self.machine.show("MainPID") not in ("0", pid), WATCHDOG + 120)
        self.assert_works(restarts=1, home=7)
        self.assert_logged("Watchdog timeout", "Failed with result 'watchdog'")

    # Starts that fail

    def assert_survives(self, cause, *lines, remedy):
        """Asserts that the service is restarted again and again while `cause` makes its starts fail, that it
        works after `remedy`, and that the journal contains `lines`."""
        # Instead of the unit's five seconds, so that systemd's default limit of starts would be reached.
        self.drop_in("RestartSec=100ms")
        self.restart()
        self.control("set-score home 4")
        self.addCleanup(self.machine.run, remedy, check=False)
        self.machine.run(cause)
        begin = time.monotonic()
        self.machine.wait_for(
            "restarts", lambda: int(self.machine.show("NRestarts")) >= FAILED_STARTS, 30 * FAILED_STARTS)
        print(f"systemd: {FAILED_STARTS} failed starts in {time.monotonic() - begin:.0f} s")
        self.assertNotEqual(self.machine.show("ActiveState"), "failed")
        # No login prompt has replaced the clock, not even between two starts.
        self.assertNotEqual(self.machine.show("ActiveState", "getty@tty1.service"), "active")
        self.assertNotIn("Triggering OnFailure", self.log())
        self.machine.run(remedy)
        self.wait_for_picture(180)
        self.assert_works(restarts=int(self.machine.show("NRestarts")), home=4)
        self.assert_logged(*lines)

    def test_a_drop_in_with_an_unknown_option(self):
        self.machine.push(f"{DROP_IN}/mistake.new", """
            [Service]
            ExecStart=
            ExecStart=/usr/bin/flipclockd --display kms --crad virtio_gpu""")
        self.assert_survives(
            f"cd {DROP_IN}; mv mistake.new mistake.conf; systemctl daemon-reload; systemctl restart --no-block {UNIT}",
            "unknown option '--crad'", "status=64/USAGE", remedy=f"rm {DROP_IN}/mistake.conf; systemctl daemon-reload")

    def test_a_state_directory_that_systemd_cannot_prepare(self):
        # The directory belongs to root, which systemd cannot change on a read-only file system.
        self.assert_survives(
            f"mount -t tmpfs -o ro scores {STATE}; systemctl restart --no-block {UNIT}",
            "status=238/STATE_DIRECTORY", remedy=f"umount -l {STATE}")

    @unittest.skipUnless(LONG, "only with FLIPCLOCK_LONG")
    def test_a_process_that_is_killed_at_each_start(self):
        self.machine.run("rm -f /run/remedied")
        self.machine.push("/run/killer.sh", """
            while [ ! -e /run/remedied ]; do busybox killall -q -9 flipclockd; busybox usleep 50000; done""")
        self.assert_survives(
            "setsid sh /run/killer.sh </dev/null >/dev/null 2>&1 &", "status=9/KILL", remedy="touch /run/remedied")

    # The power

    def boot_after_power_cut(self):
        """Cuts the power and returns the times of the boot."""
        self.machine.cut_power()
        boot = Boot(self.machine)
        _boots.append(boot)
        print(f"systemd: {boot}")
        return boot

    def reported(self, since):
        """Returns what the clients have written to the host: for each team the last score that was saved and
        the last that was sent."""
        last = {"sent": {}, "saved": {}}
        text, _, _ = self.machine.calls.read_text(encoding="utf-8")[since:].rpartition("\n")
        for line in text.splitlines():
            verb, team, score = line.split()
            last[verb][team] = int(score)
        return last

    def test_power_cuts_lose_no_acknowledged_score(self):
        dice = random.Random(5)
        acknowledged = 0
        for _ in range(POWER_CUTS):
            self.control("new-game")
            since = self.machine.calls.stat().st_size
            self.machine.push("/run/clients.pl", CLIENTS)
            self.machine.run("setsid perl /run/clients.pl </dev/null >/dev/null 2>&1 &")
            self.machine.wait_for("calls", lambda since=since: len(self.reported(since)["saved"]) == 2, 120)
            time.sleep(dice.uniform(0, 4))
            self.boot_after_power_cut()
            reported = self.reported(since)
            for team in ("home", "guest"):
                saved, sent = reported["saved"][team], reported["sent"][team]
                self.assertTrue(saved <= self.score(team) <= sent, f"{team}: {saved} <= {self.score(team)} <= {sent}")
                acknowledged += saved
            document = json.loads(self.machine.pull(f"{STATE}/state.json"))
            teams = {team["id"]: team["score"] for team in document["scoreboard"]["teams"]}
            self.assert_works(**teams)
            # There is neither a damaged file that was set aside nor a temporary file.
            # The list of finished matches exists from the second match on.
            files = set(self.machine.run(f"cd {STATE}; busybox ls -A").text.split()) - {"matches.json"}
            self.assertEqual(files, {".cache", "fonts", "lock", "state.json"})
            for word in ("set aside", "damaged", "cannot be read", "not saved"):
                self.assertNotIn(word, self.machine.journal())
        print(f"systemd: {POWER_CUTS} power cuts, {acknowledged} acknowledged scores, none lost")
        self.assertEqual(self.machine.settle(), "running")

    def test_the_time_from_the_kernel_to_the_picture(self):
        boot = _boots[-1] if _boots else self.boot_after_power_cut()
        self.machine.settle()
        print(f"systemd: {self.machine.run('systemd-analyze').text.splitlines()[0]}")
        self.assertTrue(0 < boot.user_space < boot.service < boot.frame, str(boot))
        # An emulated processor on a busy host is slow, but the service must be a small part of the boot.
        self.assertLess(boot.frame - boot.service, boot.frame / 2, str(boot))
        self.assertLess(boot.ready - boot.service, boot.frame / 2, str(boot))

    # The unit

    def test_systemd_finds_no_fault_in_the_installed_units(self):
        verified = self.machine.run(f"systemd-analyze verify --man=no {UNIT} {SOCKET}", check=False, timeout=120)
        self.assertEqual((verified.status, verified.text, verified.error_text), (0, "", ""))
        report = self.machine.run(f"systemd-analyze security --no-pager {UNIT}", timeout=120).text
        exposure = float(report.rpartition(f"Overall exposure level for {UNIT}: ")[2].split()[0])
        print(f"systemd: exposure {exposure}")
        self.assertLessEqual(exposure, 1.2)


@unittest.skipUnless("virtio_gpu" in CARDS, "not in FLIPCLOCK_VM_CARDS")
class Obstacles(FaultyService, unittest.TestCase):
    """The daemon starts, but has no display, cannot save, or is called by a user without permission."""

    # The display

    def test_without_a_card_it_answers_and_waits_for_one(self):
        self.unload_card()
        self.assertEqual(self.machine.run("busybox ls /dev/dri", check=False).text, "")
        self.restart()
        reason = "no display device in /dev/dri; waiting for one"
        self.machine.wait_for("the reason", lambda: reason in self.machine.show("StatusText"))
        self.assertIn(f'Status: "{reason}', self.machine.run(f"systemctl status --no-pager {UNIT}").text)
        self.assert_logged(reason)
        self.assertEqual(self.states(), ["active", "active"])
        self.control("set-score home 6")
        self.assertEqual(self.status()["outputs"], [])
        self.machine.run("modprobe virtio_gpu", timeout=120)
        self.assert_works(home=6)
        self.assertIn("showing on Virtual-1", self.machine.show("StatusText"))

    def front(self):
        """Returns the active virtual terminal."""
        return self.machine.run("cat /sys/class/tty/tty0/active").text

    def test_it_comes_to_the_front_when_a_login_prompt_is_there(self):
        self.control("set-score home 2")
        self.machine.run(f"systemctl stop {UNIT}; busybox chvt 2", timeout=120)
        self.assertEqual(self.front(), "tty2")
        self.restart()
        self.assert_works(home=2)
        self.assertEqual(self.front(), "tty1")

    def test_it_waits_while_another_program_keeps_its_terminal_in_front(self):
        self.machine.push("/run/session.pl", SESSION)
        self.machine.run(f"systemctl stop {UNIT}; busybox chvt 7; rm -f /run/session-ready", timeout=120)
        self.addCleanup(self.machine.run, "kill $(cat /run/session.pid); busybox chvt 1", check=False)
        self.machine.run("setsid perl /run/session.pl </dev/null >/dev/null 2>&1 & echo $! >/run/session.pid")
        self.machine.wait_for(
            "the session", lambda: self.machine.run("test -e /run/session-ready", check=False).status == 0)
        self.restart()
        reason = "another virtual terminal is active; waiting for a switch back"
        self.machine.wait_for("the reason", lambda: self.machine.show("StatusText") == reason)
        self.assert_logged(reason)
        self.assertEqual(self.states(), ["active", "active"])
        self.assertEqual(self.front(), "tty7")
        theirs = self.machine.screendump()
        self.control("set-score home 8")
        self.assertEqual(self.machine.screendump(), theirs)
        # The session ends.
        self.machine.run("kill $(cat /run/session.pid)")
        self.machine.run("busybox chvt 1")
        self.assert_works(home=8)
        self.assertEqual(self.front(), "tty1")
        self.assertIn("showing on Virtual-1", self.machine.show("StatusText"))

    # The saved score

    def test_a_full_disk_is_reported_and_the_next_change_after_it_is_saved(self):
        self.mount_state(f"size=1m,mode=750,{OWNED}")
        self.restart()
        self.control("set-score home 11")
        before = self.assert_works(home=11)
        self.machine.run(f"busybox dd if=/dev/zero of={STATE}/fill bs=4k", check=False)
        self.assert_not_saved("set-score home 12", "No space left on device")
        # The picture shows the new score nevertheless.
        self.assertNotEqual(self.assert_works(home=12), before)
        doctor = self.control("doctor", check=False)
        self.assertEqual(doctor.status, 2)
        self.assertIn(f"the file system of {STATE} is full", doctor.text)
        # The file still has the previous score.
        self.assertIn('"name":"HOME","score":11', self.machine.pull(f"{STATE}/state.json").decode())
        self.machine.run(f"rm {STATE}/fill")
        self.control("set-score guest 5")
        self.restart()
        self.assert_works(home=12, guest=5)

    def test_a_root_that_is_read_only_with_a_writable_state_directory(self):
        self.mount_state(f"size=1m,mode=750,{OWNED}")
        self.make_root_read_only()
        self.restart()
        self.control("set-score home 23")
        self.assert_works(home=23)
        self.restart()
        self.assert_works(home=23)
        self.assertNotIn("error", self.log().lower())

    def make_root_read_only(self):
        """Mounts the root read-only, after the journal has moved to memory."""
        self.machine.run("journalctl --relinquish-var; mount -o remount,ro /")
        self.addCleanup(self.machine.run, "mount -o remount,rw /; journalctl --flush")
        self.assertNotEqual(self.machine.run("touch /x", check=False).status, 0)

    def test_a_state_directory_that_is_read_only(self):
        self.mount_state(f"ro,size=1m,mode=750,{OWNED}")
        self.restart()
        problem = f"open {STATE}/lock: Read-only file system"
        self.assert_logged(f"scores will not survive a restart: {problem}")
        self.assert_not_saved("set-score home 31", problem)
        self.assert_works(home=31)
        doctor = self.control("doctor", check=False).text
        self.assertIn(f"{STATE} is mounted read-only: no score survives a restart", doctor)
        # A service keeps the mounts that it was started with.
        self.machine.run(f"mount -o remount,rw {STATE}")
        self.assert_not_saved("set-score home 32", problem)
        self.assertIn(f"'sudo systemctl restart {UNIT.removesuffix('.service')}'",
                      self.control("doctor", check=False).text)
        self.restart()
        self.control("set-score home 33")
        self.restart()
        self.assert_works(home=33)

    # Users

    def test_members_of_the_group_may_change_the_score_and_others_are_told_why_not(self):
        for user, options in (("member", "-G flipclock"), ("visitor", "")):
            self.machine.run(f"id {user} || useradd -M {options} {user}")

        def control(user, arguments):
            return self.machine.run(f"runuser -u {user} -- flipclockctl {arguments}", check=False)

        done = control("member", "set-score home 21")
        self.assertEqual((done.status, done.text), (0, "HOME 21"), done.error_text)
        self.assert_logged("user member): SetScore")
        self.assert_works(home=21)
        for arguments in ("set-score home 22", "status"):
            refused = control("visitor", arguments)
            self.assertEqual((refused.status, refused.text), (1, ""))
            self.assertIn("Permission denied; only members of group 'flipclock' may connect", refused.error_text)
            self.assertIn("usermod -aG flipclock", refused.error_text)
        self.assertIn("'sudo usermod -aG flipclock visitor'", control("visitor", "doctor").text)
        # Members can change the score only through the daemon; others cannot even read the saved score.
        self.assertNotEqual(
            self.machine.run(f"runuser -u member -- touch {STATE}/state.json", check=False).status, 0)
        self.assertNotEqual(
            self.machine.run(f"runuser -u visitor -- cat {STATE}/state.json", check=False).status, 0)
        self.assertEqual(self.score(), 21)
