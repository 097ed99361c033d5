# SPDX-License-Identifier: Apache-2.0
"""The service under a real systemd: installation as in README, a reboot, restarts under load, an upgrade."""

import json
import os
import unittest

from VM import debian, sandbox
from VM.debian import SOCKET, UNIT
from VM.scenario import CARDS, WORST_CASE
from VM.service import InstalledService

# The long version has more restarts.
LONG = "FLIPCLOCK_LONG" in os.environ
RESTARTS = 100 if LONG else 5
CRASHES = 8 if LONG else 4

# Adds points until it is stopped. Writes one line per call: its exit status and its output.
CALLS = """
rm -f /run/calls /run/no-more-calls
cat >/run/call.sh <<'EOF'
while [ ! -e /run/no-more-calls ]; do
  output=$(flipclockctl add-score home +1 2>&1)
  echo "$?" $output
done >/run/calls
EOF
setsid sh /run/call.sh </dev/null >/dev/null 2>&1 &
"""

_state = {}


@unittest.skipUnless("virtio_gpu" in CARDS, "not in FLIPCLOCK_VM_CARDS")
class Service(InstalledService, unittest.TestCase):
    """Each scenario starts with the service installed and started by a reboot, and a score of 0 to 0."""

    machine_name = "systemd"

    def install(self):
        """Installs as in README and reboots; records the results for the scenarios that check them."""
        _state["boot"] = self.machine.settle()
        super().install()
        _state["enabled"] = self.states()
        _state["first"] = self.machine.run("flipclockctl status", check=False)
        self.control("set-score home 7")
        _state["reboot"] = self.machine.reboot()
        _state["rebooted"] = self.states()
        _state["score"] = self.score()

    def tearDown(self):
        super().tearDown()
        self.machine.run("touch /run/no-more-calls")

    def assert_idle(self, seconds=4):
        """Asserts that the daemon has no busy loop: a clock without seconds uses almost no CPU time."""
        used = []
        # The cards may flip at a full minute, and the guest also counts the time in which a busy host does
        # not run its processor. A busy loop uses 100 ticks per second in each measurement.
        while not used or min(used) >= 30 * seconds and len(used) < 4:
            self.wait_for_picture()
            before = self.machine.ticks()
            self.machine.pause(seconds)
            used.append(self.machine.ticks() - before)
        self.assertLess(min(used), 30 * seconds, f"{used} ticks in {seconds} s")

    # Installation

    def test_the_installation_leaves_service_and_socket_active(self):
        self.assertEqual(_state["enabled"], ["active", "active"])
        # The first call starts the daemon, which may take a busy machine longer than flipclockctl waits.
        if _state["first"].status != 0:
            self.assertIn("no reply within 15 s", _state["first"].error_text)
            self.machine.wait_for("the daemon", lambda: self.machine.run("flipclockctl status", check=False).status == 0, 60)
        self.assertEqual(self.machine.run(f"systemctl is-enabled {UNIT} {SOCKET}").text.split(), ["enabled"] * 2)

    def test_after_a_reboot_it_runs_and_keeps_the_score(self):
        self.assertEqual(_state["reboot"], "running")
        self.assertEqual(_state["rebooted"], ["active", "active"])
        self.assertEqual(_state["score"], 7)

    def test_the_display_shows_the_screenshot(self):
        shot = self.assert_scanout_is_screenshot()
        self.control("set-score guest 21")
        self.assertNotEqual(self.assert_scanout_is_screenshot(), shot)

    def test_the_start_waits_neither_for_the_network_nor_for_the_time(self):
        # All loaded units with what they are ordered after.
        units = {}
        for block in self.machine.run("systemctl show --all -p Id -p After '*'").text.split("\n\n"):
            values = dict(line.split("=", 1) for line in block.splitlines())
            units[values["Id"]] = values.get("After", "").split()
        # A login prompt never starts together with the service.
        units["getty@tty1.service"] = []
        earlier, found = [UNIT], {UNIT}
        while earlier:
            new = set(units.get(earlier.pop(), ())) - found
            found |= new
            earlier += new
        self.assertIn("sysinit.target", found)
        late = ("network.target", "network-online.target", "time-sync.target", "systemd-user-sessions.service",
                "rc-local.service", "multi-user.target")
        self.assertEqual([unit for unit in late if unit in found], [])

    def test_the_config_belongs_to_root_and_is_read(self):
        self.assertEqual(self.machine.run("stat -c %U:%G:%a /etc/flipclock").text, "root:root:755")
        self.machine.push("/etc/flipclock/config.toml", '[teams.home]\nname = "LIONS"\n')
        self.machine.wait_for(
            "the config", lambda: self.status()["scoreboard"]["teams"]["home"]["name"] == "LIONS")
        self.assertNotEqual(
            self.machine.run("runuser -u flipclock -- touch /etc/flipclock/x", check=False).status, 0)

    def test_the_doctor_finds_no_problems(self):
        report = self.control("doctor", check=False)
        self.assertEqual(report.status, 0, report.text)
        for words in ("(virtio_gpu)", "flipclockd.socket is active", "no NTP client is installed", "tty1 is in front"):
            self.assertIn(words, report.text)
        self.machine.run(f"systemctl stop {SOCKET} {UNIT}")
        report = self.control("doctor", check=False)
        self.assertNotEqual(report.status, 0)
        self.assertIn("enable --now flipclockd", report.text)

    def test_config_errors_are_in_the_journal_and_the_status(self):
        self.machine.push("/etc/flipclock/config.toml", "[display]\nmode = 7\n")
        self.machine.wait_for(
            "the error", lambda: "the config has errors" in self.machine.show("StatusText"))
        self.assertIn("config.toml:2:8", self.machine.show("StatusText"))
        journal = self.machine.journal("-b -n 20")
        self.assertIn("config.toml:2:8: error", journal)
        self.assertNotIn(r"\n", journal)
        self.assertIn("must be a string", self.control("status").text)

    # Restarts

    def test_after_a_restart_the_daemon_answers_and_sleeps(self):
        self.control("set-score home 12")
        for _ in range(2):
            self.restart()
            self.assertEqual(self.score(), 12)
            self.assert_idle()
        self.assertEqual(self.states(), ["active", "active"])
        self.assert_scanout_is_screenshot()

    def test_flipclockctl_restart_brings_the_picture_back(self):
        self.control("set-score home 14")
        self.machine.push("/etc/flipclock/config.toml", "[theme]\nname = \"paper\"\n")
        before = self.machine.show("MainPID")
        self.assertEqual(self.control("restart").text, "flipclockd starts again")
        self.machine.wait_for("another process", lambda: self.machine.show("MainPID") not in ("0", before), 60)
        self.machine.wait_for("the score", lambda: self.control("status", check=False).status == 0, 60)
        self.assertEqual(self.score(), 14)
        self.assertEqual(self.states(), ["active", "active"])
        self.assert_scanout_is_screenshot()

    def test_the_daemon_examines_itself_from_its_sandbox(self):
        if self.machine.run("command -v varlinkctl", check=False).status != 0:
            self.skipTest("no varlinkctl: it comes with systemd 255 and later (Debian 13)")
        call = "varlinkctl call --json=short unix:/run/flipclock/control.sock org.flipclock.Control.Examine '{}'"
        report = json.loads(self.machine.run(call).text)
        problems = [finding for finding in report["findings"] if finding["level"] == "problem"]
        self.assertEqual(problems, [])
        texts = "\n".join(finding["text"] for finding in report["findings"])
        for words in ("(virtio_gpu)", "starts with the machine", "it is active", "/var/lib/flipclock", "tty1 is in front"):
            self.assertIn(words, texts)

    def test_restarts_under_load_lose_no_calls(self):
        self.machine.run(CALLS)
        for _ in range(RESTARTS):
            self.restart()
            self.score()
        self.machine.run("touch /run/no-more-calls; while pgrep -f /run/call.sh >/dev/null; do sleep 0.1; done")
        calls = [line.split(" ", 1) for line in self.machine.run("cat /run/calls").text.splitlines()]
        unanswered = [output for status, output in calls if status != "0"]
        print(f"systemd: {RESTARTS} restarts, {len(calls)} calls, {len(unanswered)} not answered")
        self.assertGreater(len(calls), RESTARTS)
        # A start may take longer than the client waits, but only on an emulated processor of a busy host.
        self.assertEqual(
            [output for output in unanswered if "no reply within 15 s" not in output], [], "a call was lost to a restart")
        self.assertLessEqual(len(unanswered), len(calls) / 10)
        # Every acknowledged point must be counted; one without a reply may be.
        acknowledged = len(calls) - len(unanswered)
        self.assertTrue(acknowledged <= self.score() <= len(calls), f"{self.score()} of {acknowledged}")
        self.assertEqual(self.states(), ["active", "active"])
        self.assert_idle()

    def test_it_stops_and_starts_and_the_socket_stays(self):
        self.control("set-score home 3")
        self.machine.run(f"systemctl stop {UNIT}")
        self.assertEqual(self.states(), ["inactive", "active"])
        # A call starts the service again through the socket.
        self.machine.wait_for("an answer", self.try_status, 60)
        self.assertEqual(self.score(), 3)
        self.machine.run(f"systemctl stop {SOCKET} {UNIT}")
        self.assertEqual(self.states(), ["inactive", "inactive"])
        refused = self.control("status", check=False)
        self.assertEqual(refused.status, 1)
        self.assertIn("flipclockd", refused.error_text)
        self.machine.run(f"systemctl start {UNIT}")
        self.assertEqual(self.states(), ["active", "active"])
        self.assertEqual(self.score(), 3)
        self.assert_idle()

    def test_an_upgrade_in_place_keeps_the_score(self):
        self.control("set-score home 5")
        before = self.machine.run("stat -c %i /usr/bin/flipclockd").text
        self.machine.unpack()
        self.assertEqual(self.score(), 5, "the old version runs until the restart")
        for line in debian.readme_commands()[1:]:
            self.machine.run(line, timeout=120)
        self.machine.run("systemctl daemon-reload")
        self.restart()
        self.assertNotEqual(self.machine.run("stat -c %i /usr/bin/flipclockd").text, before)
        running = self.machine.run(f"stat -L -c %i /proc/{self.machine.show('MainPID')}/exe").text
        self.assertEqual(running, self.machine.run("stat -c %i /usr/bin/flipclockd").text)
        self.assertEqual(self.score(), 5)
        self.assert_idle()

    # The keyboard

    def test_ctrl_alt_f2_reaches_a_login_prompt(self):
        mine = self.assert_scanout_is_screenshot()
        self.machine.press("ctrl", "alt", "f2")
        self.machine.wait_for(
            "a login prompt",
            lambda: self.machine.run("systemctl is-active getty@tty2", check=False).text == "active", 60)
        self.assertEqual(self.machine.run("cat /sys/class/tty/tty0/active").text, "tty2")
        self.control("set-score home 9")
        self.machine.wait_for("the prompt's picture", lambda: self.machine.screendump() != mine)
        self.machine.press("ctrl", "alt", "f1")
        self.machine.wait_for("tty1", lambda: self.machine.run("cat /sys/class/tty/tty0/active").text == "tty1")
        self.assert_scanout_is_screenshot()

    def test_ctrl_alt_del_reaches_systemd_and_ctrl_c_does_not_stop_the_service(self):
        pid = self.machine.show("MainPID")
        # Replace the target that reboots the machine.
        self.machine.push("/etc/systemd/system/ctrl-alt-del.target", "[Unit]\nWants=ctrl-alt-del-test.service\n")
        self.machine.push(
            "/etc/systemd/system/ctrl-alt-del-test.service", "[Service]\nType=oneshot\nExecStart=touch /run/pressed\n")
        self.addCleanup(
            self.machine.run, "rm /etc/systemd/system/ctrl-alt-del*; rm -f /run/pressed; systemctl daemon-reload")
        self.machine.run("systemctl daemon-reload")
        for keys in (("x",), ("ret",), ("ctrl", "c"), ("ctrl", "backslash"), ("ctrl", "alt", "delete")):
            self.machine.press(*keys)
        self.machine.wait_for(
            "the target", lambda: self.machine.run("test -e /run/pressed", check=False).status == 0, 60)
        self.assertEqual(self.machine.show("MainPID"), pid)
        self.assert_scanout_is_screenshot()

    # The card

    def test_a_card_whose_driver_is_loaded_after_the_start_is_allowed(self):
        # Without the module there is no device class `char-drm` in /proc/devices.
        self.unload_card("drm_shmem_helper drm_kms_helper drm")
        self.assertNotIn("226 drm", self.machine.run("cat /proc/devices").text)
        self.machine.run(f"systemctl start {UNIT}", timeout=120)
        self.machine.run("modprobe virtio_gpu", timeout=120)
        self.wait_for_picture(120)
        self.assert_scanout_is_screenshot()

    # The journal

    def test_the_journal_names_who_changed_a_score(self):
        self.control("set-score guest 33")
        self.machine.wait_for("the line", lambda: "user root): SetScore" in self.machine.journal("-b -n 30"))

    def test_an_edit_with_a_reload_is_one_line_with_one_warning(self):
        def lines(word):
            return [line for line in self.machine.journal("-b").splitlines() if word in line]
        seconds = 10
        while seconds >= 9:
            # Reloads the config, because the files of an earlier test were removed.
            self.machine.run("rm -f /etc/flipclock/config.toml")
            self.control("reload")
            before, warnings = len(lines("reloaded")), len(lines("unknown"))
            # Only a repetition within ten seconds is not logged, which a busy host may exceed: then tries again.
            seconds = float(self.machine.run(
                "read begin rest < /proc/uptime; echo 'oops = 1' > /etc/flipclock/config.toml; "
                f"systemctl reload {UNIT}; systemctl reload {UNIT}; read end rest < /proc/uptime; "
                "echo $((${end%.*} - ${begin%.*}))").text)
        self.machine.wait_for("the warning", lambda: len(lines("unknown")) > warnings)
        # The daemon has read the files by itself by the time of a later edit.
        self.machine.push("/etc/flipclock/config.toml", '[teams.home]\nname = "LIONS"\n')
        self.machine.wait_for(
            "the config", lambda: self.status()["scoreboard"]["teams"]["home"]["name"] == "LIONS")
        self.assertEqual(len(lines("reloaded")) - before, 2, lines(""))
        self.assertEqual(len(lines("unknown")) - warnings, 1, lines(""))

    # The sandbox

    def test_what_the_programs_read_is_readable_under_their_units(self):
        named = sandbox.named()
        new = {path: files for path, files in named.items() if path not in sandbox.PATHS}
        self.assertEqual(new, {}, "say in sandbox.py what a service does with these")
        self.assertEqual(set(sandbox.PATHS) - set(named), set(), "no source names these any more")
        self.machine.push("/etc/flipclock/mqtt.toml", "[broker]\nhost = \"127.0.0.1\"\n")
        # Avahi and ca-certificates are not installed in the machine; a file takes the place of Avahi's
        # socket.
        self.machine.run("mkdir -p /etc/ssl/certs /run/avahi-daemon && echo >/run/avahi-daemon/socket")
        units = [unit for unit in sandbox.ALL if unit != sandbox.WALL]
        self.machine.run(f"systemctl start {' '.join(units)}", timeout=180)
        self.addCleanup(self.machine.run, f"systemctl stop {' '.join(units)}; rm -r /run/avahi-daemon", check=False)
        wrong = []
        for unit in sandbox.ALL:
            readable = sandbox.tried(self.machine, unit)
            for path, may_be_hidden in sandbox.examples(unit).items():
                state = "readable" if readable[path] else "hidden"
                reason = next((reason for _, example, reason in sandbox.PATHS.values() if example == path), "")
                print(f"systemd: {unit}: {path}: {state}" + (f"; {reason}" if not readable[path] else ""))
                if not readable[path] and not may_be_hidden:
                    wrong.append((unit, path))
        self.assertEqual(wrong, [])

    def test_the_socket_of_programs_for_the_vestaboard_local_api(self):
        web, socket = "flipclock-web.service", "flipclock-web-vestaboard.socket"
        self.machine.push("/etc/flipclock/config.toml", "[widgets.hall]\ntype = \"board\"\ncolumns = 3\nrows = 1\n"
                          "[layout]\nrows = [\"hall\"]\n")
        self.restart()
        self.assertEqual(self.machine.run(f"systemctl is-active {socket}", check=False).text, "inactive")
        self.machine.run("systemctl start flipclock-web.socket", timeout=120)
        self.addCleanup(self.machine.run, f"systemctl stop {socket} flipclock-web.socket {web}", check=False)
        key = self.control("remote token x --role board --board hall").text.splitlines()[0]
        fetch = (f"busybox wget -q -O - --header 'X-Vestaboard-Local-Api-Key: {key}' %s "
                 "http://127.0.0.1:7000/local-api/message")
        self.assertNotEqual(self.machine.run(fetch % "", check=False).status, 0, "port 7000 is open")
        # The service runs now, and systemd adds no socket to it.
        self.machine.run(f"systemctl stop {web} && systemctl start {socket}", timeout=120)
        self.machine.run(fetch % "--post-data '[[8,9,37]]'", timeout=120)
        self.assertEqual(json.loads(self.machine.run(fetch % "").text), {"message": [[8, 9, 37]]})
        self.assertEqual(self.machine.run(f"systemctl is-active {web}").text, "active")

    def test_the_socket_of_phones_on_the_access_point(self):
        web, socket = "flipclock-web.service", "flipclock-web-setup.socket"
        address = "busybox ip address %s 10.42.0.1/24 dev lo"
        self.machine.run(f"systemctl start flipclock-web.socket {socket}", timeout=120)
        self.addCleanup(self.machine.run, f"{address % 'del'}; systemctl stop {socket} flipclock-web.socket {web}",
                        check=False)
        ask = "printf 'GET %s HTTP/1.0\\r\\nHost: %s\\r\\n\\r\\n' | busybox nc -w 30 %s 80"
        # Without the access point, nobody reaches the socket.
        for host in ("10.42.0.1", "127.0.0.1"):
            self.assertEqual(self.machine.run(ask % ("/setup", host, host), check=False).text, "")
        self.machine.run(address % "add")
        self.assertEqual(self.machine.run(ask % ("/setup", "127.0.0.1", "127.0.0.1"), check=False).text, "")
        portal = self.machine.run(ask % ("/generate_204", "connectivitycheck.gstatic.com", "10.42.0.1"), timeout=120).text
        self.assertIn(" 302 ", portal.splitlines()[0])
        self.assertIn("Location: http://10.42.0.1/setup", portal)
        self.assertIn("<!DOCTYPE html>", self.machine.run(ask % ("/setup", "10.42.0.1", "10.42.0.1")).text)
        # flipclock-host is not installed.
        self.assertIn('"NoHost"', self.machine.run(ask % ("/network.json", "10.42.0.1", "10.42.0.1")).text)

    def test_with_little_memory_the_service_uses_a_smaller_mode(self):
        def available():
            return int(self.machine.run("grep MemAvailable /proc/meminfo").text.split()[1]) >> 10
        def size():
            width, height = self.status()["outputs"][0]["mode"].split("@")[0].split("x")
            return int(width) * int(height)
        self.machine.run(f"systemctl stop {UNIT}; mkdir -p /run/ballast && mount -t tmpfs -o size=100% none /run/ballast",
                         timeout=120)
        self.addCleanup(self.machine.run, "umount /run/ballast", check=False)
        self.machine.push("/etc/flipclock/config.toml", '[display]\nmode = "3840x2160"\n')
        self.machine.run(f"dd if=/dev/zero of=/run/ballast/file bs=1M count={available() - 100}", timeout=120)
        self.restart()
        self.wait_for_picture(120)
        output = self.status()["outputs"][0]
        self.assertLess(size(), 3840 * 2160)
        self.assertIn("too little memory", output["problem"])
        self.assertRegex(" ".join(output["tried"]), r"\d+ MiB of memory are available")
        self.machine.run("umount /run/ballast")
        self.restart()
        self.machine.wait_for("4K", lambda: size() == 3840 * 2160, 120)

    # Crashes

    def test_a_wall_leads_its_board_in_the_sandboxes(self):
        """A wall leads its shared match, also without a synchronized clock."""
        self.machine.push("/etc/flipclock/config.toml", "[walls]\nlead = \"hall\"\n")
        # The machine has no /etc/hosts with the name of the broker.
        self.machine.push("/etc/flipclock/mqtt.toml", "[broker]\nhost = \"127.0.0.1\"\n")
        self.machine.run("""
            synchronized no
            setsid mosquitto -p 1883 </dev/null >/run/mosquitto.log 2>&1 &
            systemctl start flipclock-mqtt""")
        self.addCleanup(self.machine.run, "systemctl stop flipclock-mqtt; pkill mosquitto", check=False)
        expected = {"board": "hall", "role": "leader", "reachable": True, "synchronized": True, "setAside": 0}
        try:
            self.machine.wait_for("the lead", lambda: self.status().get("wall") == expected, 60)
        except AssertionError:
            print(self.status().get("wall"), self.machine.run(
                "cat /run/mosquitto.log; journalctl -b -n 20 -o cat --no-pager -u flipclock-mqtt", check=False).text)
            raise
        self.control("add-score home 1")

    def test_it_is_restarted_after_every_crash(self):
        self.assertEqual(self.machine.show("StartLimitIntervalUSec"), "0", "systemd would stop restarting it")
        self.control("set-score home 4")
        for _ in range(CRASHES):
            # Without systemctl, which takes an emulated processor a second.
            self.machine.run("""
                killed=$(pidof flipclockd); kill -SEGV $killed
                until new=$(pidof flipclockd) && [ "$new" != "$killed" ]; do sleep 0.1; done""", timeout=120)
        # Each process was killed soon after its start; the last one may still be starting.
        self.machine.wait_for("the service", lambda: self.states() == ["active", "active"], 60)
        self.assertEqual(self.score(), 4)
        self.assert_scanout_is_screenshot()

    # Memory

    def test_a_page_transition_at_4k_stays_below_the_units_limit(self):
        self.machine.push("/etc/flipclock/config.toml", WORST_CASE.replace("[display]", '[display]\nmode = "3840x2160"'))
        self.machine.wait_for(
            "4K", lambda: any(output["mode"].startswith("3840x2160") for output in self.status()["outputs"]), 60)
        pid = self.machine.show("MainPID")
        # Earlier tests may have crashed the service.
        restarts = self.machine.show("NRestarts")
        for page in ("two", "one"):
            before = self.status()["outputs"][0]["framesPresented"]
            # An emulated processor may need longer for a picture than the client waits.
            self.machine.wait_for("the page", lambda n=page: self.control(f"show {n}", check=False).status == 0, 180)
            # A screenshot needs one more buffer. Then wait for frames, because a clock with seconds is never at rest for long.
            self.machine.run("flipclockctl screenshot /run/shot.png", check=False, timeout=180)
            self.machine.wait_for(
                "frames", lambda n=before: self.status()["outputs"][0]["framesPresented"] > n + 3, 180)
        group = self.machine.show("ControlGroup")
        peak = int(self.machine.run(f"cat /sys/fs/cgroup{group}/memory.peak").text)
        limit = int(self.machine.show("MemoryMax"))
        print(f"systemd: {peak >> 20} MiB of {limit >> 20} at 3840x2160")
        self.assertEqual(self.machine.show("MainPID"), pid, "the service was killed")
        self.assertEqual(self.machine.show("NRestarts"), restarts)
        self.assertNotIn("oom-kill", self.machine.journal("-b -n 50"))
