# SPDX-License-Identifier: Apache-2.0
"""A mosquitto broker, its clients, and flipclock-mqtt, for tests with a daemon."""

import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time

from EndToEnd.daemon import PATIENCE, PROJECT, DaemonTestCase, environment, free_port

MQTT = PROJECT / ".build/release/flipclock-mqtt"
CONFIG = """
[game]
preset = "basketball"

[widgets.time]
type = "flip-clock"

[widgets.match]
type = "score"

[widgets.departures]
type = "board"

[pages.clock]
rows = ["time", "departures"]

[pages.match]
rows = ["match"]

[remote]
name = "Hall 1"
messages = ["TIME OUT", "BACK SOON"]
"""


def find_program(name):
    """Returns the path of a program that may be in /usr/sbin."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


class BrokerTestCase(DaemonTestCase):
    """Starts a daemon, a broker, and flipclock-mqtt for the board `hall`."""

    # Where the broker listens, and the lines of mosquitto.conf after that.
    broker_address = "127.0.0.1"
    broker_lines = "allow_anonymous true"
    # What mosquitto_pub and mosquitto_sub need to connect.
    client_options = ()
    # Lines of mqtt.toml in [broker] and in [board].
    remote_lines = ""
    board_lines = ""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        missing = [name for name in ("mosquitto", "mosquitto_pub", "mosquitto_sub") if not find_program(name)]
        assert not missing, f"{', '.join(missing)} not found; run: scripts/setup test"

    def setUp(self):
        super().setUp()
        self.config.write_text(CONFIG)
        self.port = free_port()
        self.broker = None
        self.remote = None
        self.remote_config = self.directory / "mqtt.toml"
        self.remote_log = self.directory / "mqtt.log"
        self.broker_log = self.directory / "broker.log"

    def start_broker(self):
        self.broker = self.run_broker("mosquitto", self.port, self.broker_lines)

    def run_broker(self, name, port, lines):
        """Starts a broker, whose files have this name, and returns its process."""
        config = self.directory / f"{name}.conf"
        # As root, mosquitto would drop to a user that cannot read the test's files.
        config.write_text(
            f"listener {port} {self.broker_address}\nuser root\npersistence true\npersistence_location {self.directory}/\n"
            f"persistence_file {name}.db\n{lines}\n")
        with open(self.broker_log, "ab") as log:
            process = subprocess.Popen(
                [find_program("mosquitto"), "-c", config], stdout=log, stderr=log, env=environment())
        self.addCleanup(self.stop_process, process)

        def listens():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", port)) == 0
        self.wait_for("broker", listens)
        return process

    def start_remote(self, *options, state="mqtt", **settings):
        """Starts flipclock-mqtt; `settings` are those of Popen. Each that runs has a state of its own."""
        self.remote_config.write_text(
            f"[broker]\nhost = \"localhost\"\nport = {self.port}\n{self.remote_lines}\n"
            f"[board]\nname = \"hall\"\n{self.board_lines}\n")
        with open(self.remote_log, "ab") as log:
            self.remote = subprocess.Popen(
                [MQTT, "--config", self.remote_config, *self.remote_options(state), *options], stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, env=self.remote_environment(state), **settings)
        self.addCleanup(self.stop_process, self.remote)

    def remote_options(self, state="mqtt"):
        return "--socket", self.socket, "--state-dir", self.directory / state

    def remote_environment(self, state="mqtt"):
        return environment(FLIPCLOCK_MQTT_SOCKET=str(self.directory / f"{state}.sock"))

    @staticmethod
    def stop_process(process, number=signal.SIGTERM):
        if process.poll() is None:
            process.send_signal(number)
            try:
                return process.wait(10 * PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
        return process.wait(10 * PATIENCE)

    def publish(self, topic, payload, *options, port=None):
        data = payload if isinstance(payload, bytes) else payload.encode()
        source = "-s" if data else "-n"
        subprocess.run(
            ["mosquitto_pub", "-p", str(port or self.port), *self.client_options, "-t", topic, source, "-q", "1",
             *options],
            input=data, check=True, capture_output=True, timeout=20 * PATIENCE, env=environment())

    def publisher(self, topic):
        """Returns a connected client that publishes each line of its standard input."""
        process = subprocess.Popen(
            ["mosquitto_pub", "-p", str(self.port), *self.client_options, "-t", topic, "-l", "-q", "0"],
            stdin=subprocess.PIPE, env=environment())
        self.addCleanup(process.stdin.close)
        self.addCleanup(self.stop_process, process)
        return process

    def subscribe(self, topic, *options):
        """Returns a process that prints the messages of a topic."""
        process = subprocess.Popen(
            ["mosquitto_sub", "-p", str(self.port), *self.client_options, "-t", topic, *options],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(self.stop_process, process)
        return process

    def retained(self, topic="#", seconds=1):
        """Returns the retained messages of a topic, by their topics."""
        result = subprocess.run(
            ["mosquitto_sub", "-p", str(self.port), *self.client_options, "-t", topic, "--retained-only", "-W",
             str(seconds), "-F", "%t %p"], capture_output=True, timeout=30, env=environment(), check=False)
        lines = result.stdout.decode(errors="replace").splitlines()
        return dict(line.split(" ", 1) for line in lines if " " in line)

    def value(self, entity):
        """Returns the retained value of an entity; None if there is none."""
        topic = f"flipclock/hall/entity/{entity}/state"
        result = subprocess.run(
            ["mosquitto_sub", "-p", str(self.port), *self.client_options, "-t", topic, "-C", "1", "-W", "1"],
            capture_output=True, text=True, timeout=30, env=environment(), check=False)
        return result.stdout.rstrip("\n") if result.returncode == 0 else None

    def availability(self):
        return self.retained("flipclock/hall/availability").get("flipclock/hall/availability")

    def command(self, text):
        """Sends a command, and returns its result."""
        results = self.subscribe("flipclock/hall/result", "-C", "1", "-W", str(10 * PATIENCE))
        # Gives the broker time to handle the subscription.
        time.sleep(0.3)
        self.publish("flipclock/hall/command", text)
        output, _ = results.communicate(timeout=20 * PATIENCE)
        self.assertTrue(output, f"no result of {text!r}:\n{self.remote_log.read_text(errors='replace')}")
        return json.loads(output)

    def wait_for(self, what, condition, seconds=15):
        try:
            return super().wait_for(what, condition, seconds)
        except AssertionError as error:
            logs = [path for path in (self.remote_log, self.broker_log) if path.exists()]
            text = "".join(f"\n{path.name}:\n{path.read_text(errors='replace')[-4000:]}" for path in logs)
            raise AssertionError(f"{error}{text}") from None

    def settle(self):
        """Waits until flipclock-mqtt is connected and accepts commands without a time."""
        self.wait_for("the wall", lambda: self.availability() == "online")
        time.sleep(5.5)

    def logged(self, text):
        return text in self.remote_log.read_text(errors="replace")

    def remote_memory(self):
        """Returns the resident memory of flipclock-mqtt in KiB."""
        text = pathlib.Path(f"/proc/{self.remote.pid}/status").read_text(encoding="ascii")
        return int(re.search(r"^VmRSS:\s+(\d+) kB", text, re.MULTILINE).group(1))
