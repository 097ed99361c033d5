# SPDX-License-Identifier: Apache-2.0
"""Several walls, each a headless daemon with flipclock-mqtt, and a broker that connects them."""

import json
import pathlib
import signal
import subprocess
import time

from EndToEnd.broker import MQTT, BrokerTestCase
from EndToEnd.daemon import CONTROL, DAEMON, PATIENCE, environment, is_still

CONFIG = """
[game]
preset = "{game}"

[widgets.match]
type = "score"

[walls]
{role} = "hall"
"""


class Wall:
    """A daemon and its flipclock-mqtt, in a directory of their own."""

    def __init__(self, test, name, role, game="basketball"):
        self.test = test
        self.name = name
        self.directory = pathlib.Path(test.directory) / name
        self.directory.mkdir()
        self.config = self.directory / "flipclock.toml"
        self.configure(role, game)
        self.remote_config = self.directory / "mqtt.toml"
        self.socket = self.directory / "control.sock"
        self.log = self.directory / "log"
        # The words before its programs' command lines, and what their environment has in addition.
        self.wrapper, self.variables = (), {}
        self.broker = "127.0.0.1"
        self.daemon = None
        self.remote = None

    def configure(self, role, game="basketball"):
        self.config.write_text(CONFIG.format(game=game, role=role) if role else "[widgets.match]\ntype = \"score\"\n")

    def spawn(self, *command):
        with open(self.log, "ab") as log:
            process = subprocess.Popen(
                [*self.wrapper, *command], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=environment(FLIPCLOCK_MQTT_SOCKET=str(self.directory / "mqtt.sock"), **self.variables))
        self.test.addCleanup(self.test.stop_process, process)
        return process

    def start_daemon(self):
        self.daemon = self.spawn(
            DAEMON, "--config", self.config, "--display", "headless", "--size", "320x240", "--socket", self.socket,
            "--state-dir", self.directory / "state")
        self.test.wait_for(f"{self.name}'s daemon", lambda: self.try_status() is not None)

    def start_remote(self):
        self.remote_config.write_text(
            f"[broker]\nhost = \"{self.broker}\"\nport = {self.test.port}\n[board]\nname = \"{self.name}\"\n"
            "[home-assistant]\ndiscovery = false\n")
        self.remote = self.spawn_remote()

    def spawn_remote(self, config=None):
        """Starts flipclock-mqtt with a config that exists."""
        return self.spawn(
            MQTT, "--config", config or self.remote_config, "--socket", self.socket, "--state-dir",
            self.directory / "mqtt")

    def start(self):
        self.start_daemon()
        self.start_remote()

    def kill_daemon(self):
        """Kills the daemon alone, like a power failure."""
        self.daemon.kill()
        self.daemon.wait(10)

    def kill(self):
        self.kill_daemon()
        self.stop_remote(signal.SIGKILL)

    def stop_remote(self, number=signal.SIGTERM):
        self.test.stop_process(self.remote, number)

    def control(self, *arguments):
        """Runs flipclockctl, and returns a CompletedProcess with text."""
        return subprocess.run(
            [CONTROL, "--socket", self.socket, *arguments], capture_output=True, text=True, timeout=30 * PATIENCE,
            env=environment(), check=False)

    def run(self, *arguments):
        result = self.control(*arguments)
        self.test.assertEqual(result.returncode, 0, f"{self.name}: {result.stderr}")
        return result.stdout.strip()

    def try_status(self):
        result = self.control("--json", "status")
        return json.loads(result.stdout) if result.returncode == 0 else None

    def status(self):
        return json.loads(self.run("--json", "status"))

    def wall(self):
        return (self.try_status() or {}).get("wall") or {}

    def state(self):
        """The match without the values that change with time."""
        with subprocess.Popen(
                [CONTROL, "--socket", self.socket, "--json", "watch"], stdout=subprocess.PIPE, text=True,
                env=environment()) as process:
            state = json.loads(process.stdout.readline())
            process.kill()
        for timer in state["timers"].values():
            del timer["milliseconds"]
        return state

    def score(self):
        return {team: state["score"] for team, state in self.status()["scoreboard"]["teams"].items()}

    def clock(self):
        """Returns the earliest and the latest time, in seconds of time.monotonic(), at which the game clock
        ends."""
        begin = time.monotonic()
        left = self.milliseconds() / 1000
        return begin + left, time.monotonic() + left

    def milliseconds(self):
        with subprocess.Popen(
                [CONTROL, "--socket", self.socket, "--json", "watch"], stdout=subprocess.PIPE, text=True,
                env=environment()) as process:
            state = json.loads(process.stdout.readline())
            process.kill()
        return state["timers"]["game"]["milliseconds"]

    def picture(self):
        """Returns the bytes of a screenshot when nothing moves."""
        # A change is shown 0.15 s after it was made.
        self.test.wait_for("a picture at rest", lambda: is_still(self.status, 0.2))
        path = self.directory / "shot.png"
        self.run("screenshot", str(path))
        return path.read_bytes()


class WallsTestCase(BrokerTestCase):
    """Starts walls that share the match `hall`."""

    def begin(self, *roles, game="basketball"):
        self.start_broker()
        self.walls = [Wall(self, f"wall-{index}", role, game) for index, role in enumerate(roles)]
        for wall in self.walls:
            wall.start()
        self.wait_connected()
        return self.walls

    def wait_connected(self, walls=None, seconds=40):
        for wall in walls or self.walls:
            self.wait_for(f"connection of {wall.name}", lambda wall=wall: wall.wall().get("reachable"), seconds)

    def forget_broker(self):
        """Kills the broker, and removes its saved state."""
        self.stop_process(self.broker, signal.SIGKILL)
        for path in self.directory.glob("mosquitto.db*"):
            path.unlink()

    def start_after_a_new_card(self, leader, first):
        """Starts a leader on a new memory card, whose new match then replaces the old one of a follower."""
        leader.start()
        self.wait_connected([leader])
        leader.run("set-score", "home", "5")
        first.start()
        self.wait_connected()
        self.assertEqual(self.wait_equal()["teams"][0]["score"], 5)
        self.assertEqual((leader.wall()["role"], first.wall()["role"]), ("leader", "follower"))
        self.assertEqual(first.wall()["setAside"], 1)
        self.assertEqual(first.run("add-score", "home", "1"), "HOME 6")

    def wait_equal(self, walls=None, seconds=20):
        walls = walls or self.walls

        def are_equal():
            states = [wall.state() for wall in walls]
            return all(state == states[0] for state in states)
        self.wait_for("equal states", are_equal, seconds)
        return walls[0].state()

    def assert_equal_clocks(self, seconds=10):
        """Waits until the game clocks of all walls agree."""
        def agree():
            earliest, latest = zip(*(wall.clock() for wall in self.walls))
            return max(earliest) - min(latest) < 0.1
        self.wait_for("equal clocks", agree, seconds)

    def logs(self):
        return "\n".join(wall.log.read_text(errors="replace") for wall in self.walls)
