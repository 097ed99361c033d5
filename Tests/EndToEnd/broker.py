# SPDX-License-Identifier: Apache-2.0
"""A mosquitto broker, its clients, and flipclock-mqtt, for tests with a daemon."""

import json
import os
import shutil
import signal
import socket
import subprocess
import time

from EndToEnd.daemon import PATIENCE, PROJECT, DaemonTestCase, environment, free_port
from EndToEnd.mqtt import Client

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
    # Lines of mqtt.toml in [broker] and in [board].
    remote_lines = ""
    board_lines = ""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        assert find_program("mosquitto"), "no mosquitto; run: scripts/setup test"

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

    def set_up_client(self, client):
        """Sets what a client needs to connect, such as a password, on paho's client."""

    def connect_to_broker(self, port=None):
        """Returns a connected client, for a `with` statement."""
        return Client(port or self.port, self.set_up_client)

    def mqtt_client(self):
        """Returns a client that is connected until the end of the test."""
        client = self.connect_to_broker()
        self.addCleanup(client.close)
        return client

    def publish(self, topic, payload, retain=False, port=None):
        with self.connect_to_broker(port) as client:
            client.publish(topic, payload, retain)

    def subscribe(self, topic):
        """Returns a client that receives the messages of a topic until the end of the test."""
        client = self.mqtt_client()
        client.subscribe(topic)
        return client

    def retained(self, topic="#"):
        """Returns the retained messages of a topic, by their topics."""
        with self.connect_to_broker() as client:
            return client.retained(topic)

    def value(self, entity):
        """Returns the retained value of an entity; None if there is none."""
        topic = f"flipclock/hall/entity/{entity}/state"
        return self.retained(topic).get(topic)

    def availability(self):
        return self.retained("flipclock/hall/availability").get("flipclock/hall/availability")

    def results(self, count, act):
        """Returns the results of commands that follow an action."""
        with self.connect_to_broker() as client:
            client.subscribe("flipclock/hall/result")
            act()
            return [json.loads(text) for text in client.take(count)]

    def command(self, text):
        """Sends a command, and returns its result."""
        results = self.results(1, lambda: self.publish("flipclock/hall/command", text))
        self.assertTrue(results, f"no result of {text!r}:\n{self.remote_log.read_text(errors='replace')}")
        return results[0]

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
