# SPDX-License-Identifier: Apache-2.0
"""A headless daemon in its own directory, and its command line client."""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from EndToEnd.process import wakeups

PROJECT = pathlib.Path(__file__).resolve().parents[2]
DAEMON = PROJECT / ".build/release/flipclockd"
CONTROL = PROJECT / ".build/release/flipclockctl"

CONFIG = """
[widgets.time]
type = "flip-clock"

[widgets.match]
type = "score"
"""


def environment(**changes):
    """Returns our environment with TZ=UTC, LC_ALL=C and `changes`.

    Variables that begin with FLIPCLOCK, XDG_ or NOTIFY_ are left out.
    """
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("FLIPCLOCK", "XDG_", "NOTIFY_"))}
    kept.update({"TZ": "UTC", "LC_ALL": "C"}, **changes)
    return kept


# The tests' time limits are multiplied by this factor, because the machine may be busy. They only end a test
# that has failed.
PATIENCE = 4

# Locks of the ports that this process uses.
_ports = []


def free_port():
    """Returns a TCP port on which nothing listens, and which no other process of the tests gets while this
    one runs.

    It is below those that the kernel chooses for connections (ip_local_port_range in ip(7)). Its lock is an abstract
    address (unix(7)), which belongs to a network namespace as the port does: files would not be shared by the runs of
    two users, or in two roots.
    """
    for port in range(20_000, 30_000):
        lock = socket.socket(socket.AF_UNIX)
        try:
            lock.bind(f"\0flipclock-test-port-{port}")
            with socket.socket() as probe:
                probe.bind(("", port))
        except OSError:
            lock.close()
            continue
        _ports.append(lock)
        return port
    raise AssertionError("all ports from 20000 to 29999 are in use")


def is_still(status, gap):
    """Returns whether `status` returns the same number of frames four times, with `gap` seconds in between. Not only
    twice, because a daemon that a busy machine keeps from drawing hides its next frame from one comparison."""
    def frames():
        return status()["outputs"][0]["framesPresented"]
    first = frames()
    for _ in range(3):
        time.sleep(gap)
        if frames() != first:
            return False
    return True


def call(client, method, **parameters):
    """Calls a method of the daemon on a raw connection (`DaemonTestCase.connect`), and returns the reply."""
    message = {"method": f"org.flipclock.Control.{method}", "parameters": parameters}
    client.sendall(json.dumps(message).encode() + b"\0")
    reply = b""
    while not reply.endswith(b"\0"):
        received = client.recv(65536)
        if not received:
            raise ConnectionError("the daemon closed the connection")
        reply += received
    return json.loads(reply[:-1])


class DaemonTestCase(unittest.TestCase):
    """Starts and stops the daemon. All its files are in `self.directory`."""

    size = "320x240"
    # The words before the daemon's command line, for example a program that runs the daemon in a namespace.
    # That program must not fork.
    wrapper = ()

    def setUp(self):
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="flipclock-"))
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)
        self.config = self.directory / "flipclock.toml"
        self.config.write_text(CONFIG)
        self.socket = self.directory / "control.sock"
        self.state = self.directory / "state"
        self.log = self.directory / "log"
        self.log.touch()
        self.process = None

    def keep_evidence(self, target):
        """Copies what explains a failure: logs, configs and states, and what the daemon shows."""
        if self.process and self.process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.control("screenshot", str(self.directory / "last.png"), check=False)
        for path in self.directory.rglob("*"):
            if path.is_file() and path.stat().st_size < 4 << 20:
                copy = target / path.relative_to(self.directory)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(path, copy)

    def start(self, *options, check=True, **variables):
        """Starts the daemon. Unless `check` is false, waits until it has an output."""
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [*self.wrapper, DAEMON, "--config", self.config, "--display", "headless", "--size", self.size,
                 "--socket", self.socket, "--state-dir", self.state, *options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment(**variables))
        self.addCleanup(self.kill)
        if check:
            self.wait_for("a picture", lambda: (self.try_status() or {}).get("outputs"))

    def kill(self):
        """Kills the daemon at once, like a power failure."""
        if self.process and self.process.poll() is None:
            self.process.kill()
        if self.process:
            self.process.wait(10)

    def stop(self, number=signal.SIGTERM):
        """Asks the daemon to terminate, and returns its exit status."""
        self.process.send_signal(number)
        return self.process.wait(10 * PATIENCE)

    def control(self, *arguments, check=True, **variables):
        """Runs flipclockctl, and returns a CompletedProcess with text."""
        result = subprocess.run(
            [CONTROL, "--socket", self.socket, *arguments], capture_output=True, text=True, timeout=30 * PATIENCE,
            env=environment(**variables), check=False)
        if check:
            self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def status(self):
        return json.loads(self.control("--json", "status").stdout)

    def try_status(self):
        result = self.control("--json", "status", check=False)
        return json.loads(result.stdout) if result.returncode == 0 else None

    def scores(self):
        return {team: state["score"] for team, state in self.status()["scoreboard"]["teams"].items()}

    def picture(self):
        """Returns the bytes of a screenshot."""
        path = self.directory / "shot.png"
        self.control("screenshot", str(path))
        return path.read_bytes()

    def rest(self):
        """Waits until nothing moves."""
        self.wait_for("a picture at rest", lambda: is_still(self.status, 0.1))

    def replace_config(self, text):
        """Saves the config like careful editors: writes a new file and renames it over the old one."""
        fresh = self.directory / "flipclock.toml.new~"
        fresh.write_bytes(text if isinstance(text, bytes) else text.encode())
        fresh.rename(self.config)

    def wait_for(self, what, condition, seconds=15):
        """Waits until `condition` returns something true, and returns that. Fails after `seconds` times
        `PATIENCE`."""
        end = time.monotonic() + seconds * PATIENCE
        while time.monotonic() < end:
            result = condition()
            if result:
                return result
            time.sleep(0.05)
        self.fail(f"no {what} within {seconds} s; the log:\n{self.log.read_text(errors='replace')}")
        return None

    def wait_for_sleep(self, process, seconds, wait=time.sleep):
        """Waits until a process does not wake up while `wait(seconds)` runs. What it does before it rests takes as long
        as a busy machine likes; what wakes it again and again does so each time."""
        self.wait_for("sleep", lambda: wakeups(process, seconds, wait) == 0)

    def assert_limited(self, request, burst, per_minute, threads=1):
        """Calls `request` until its status was 429 as often as `burst`, and asserts that as many were answered as
        the limit allows: `burst` at once, and more in the time that has passed. Returns the other statuses.

        `threads` call it at the same time, because on a busy machine one request after another could be
        slower than the limit."""
        begin, statuses = time.monotonic(), []

        def send(_):
            while statuses.count(429) < burst and time.monotonic() < begin + 60 * PATIENCE:
                statuses.append(request())
        with concurrent.futures.ThreadPoolExecutor(threads) as pool:
            list(pool.map(send, range(threads)))
        seconds = time.monotonic() - begin
        answered = [status for status in statuses if status != 429]
        self.assertGreaterEqual(statuses.count(429), burst)
        self.assertGreaterEqual(len(answered), burst)
        self.assertLessEqual(len(answered), burst + 1 + per_minute * seconds / 60)
        return set(answered)

    def connect(self):
        """Opens a raw connection to the control socket."""
        client = socket.socket(socket.AF_UNIX)
        self.addCleanup(client.close)
        # The socket is blocking, so that a full backlog makes connect() wait instead of failing.
        client.connect(str(self.socket))
        client.settimeout(20 * PATIENCE)
        return client
