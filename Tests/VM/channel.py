# SPDX-License-Identifier: Apache-2.0
"""The two sockets of a machine: QMP to QEMU, and the virtio port of the guest's agent."""

import base64
import json
import socket
import time

# How long QEMU may need to start or to answer, in seconds. It needs milliseconds, unless the host is very busy.
PATIENCE = 120


class ChannelError(Exception):
    """The other side did not answer as expected."""


class Lines:
    """A Unix socket read by lines and blocks, with a deadline for each."""

    def __init__(self, path, alive):
        self._buffer = b""
        self._alive = alive
        deadline = time.monotonic() + PATIENCE
        while True:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                self._socket.connect(str(path))
                return
            except OSError as error:
                self._socket.close()
                if not alive() or time.monotonic() > deadline:
                    raise ChannelError(f"cannot connect to {path}: {error}") from error
                time.sleep(0.02)

    def send(self, line):
        """Sends one line, given without its line end."""
        self._socket.settimeout(PATIENCE)
        try:
            self._socket.sendall(line + b"\n")
        except ConnectionError as error:
            raise ChannelError("the machine has ended") from error

    def receive(self, deadline):
        """Returns the next line without its line end; `deadline` is a time of time.monotonic()."""
        while b"\n" not in self._buffer:
            self._buffer += self._more(deadline)
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.rstrip(b"\r")

    def receive_block(self, size, deadline):
        """Returns the next `size` bytes; `deadline` is a time of time.monotonic()."""
        parts, rest = [self._buffer], size - len(self._buffer)
        while rest > 0:
            parts.append(self._more(deadline))
            rest -= len(parts[-1])
        block = b"".join(parts)
        self._buffer = block[size:]
        return block[:size]

    def _more(self, deadline):
        self._socket.settimeout(max(deadline - time.monotonic(), 0.001))
        try:
            data = self._socket.recv(1 << 20)
        except TimeoutError as error:
            raise ChannelError("no answer in time") from error
        except ConnectionError:
            data = b""
        if not data:
            raise ChannelError("the machine has ended")
        return data

    def close(self):
        """Closes the connection."""
        self._socket.close()


class QMP:
    """QEMU's control protocol."""

    def __init__(self, path, alive):
        self._lines = Lines(path, alive)
        self._lines.receive(time.monotonic() + PATIENCE)
        self.execute("qmp_capabilities")

    def execute(self, command, **arguments):
        """Runs a command and returns its result; skips events in between."""
        self._lines.send(json.dumps({"execute": command, "arguments": arguments}).encode())
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = json.loads(self._lines.receive(deadline))
            if "error" in answer:
                raise ChannelError(f"{command}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]

    def close(self):
        """Closes the connection."""
        self._lines.close()


class Result:
    """The result of a command in the guest: exit status, output and errors as bytes."""

    def __init__(self, status, output, errors):
        self.status = status
        self.output = output
        self.errors = errors

    @property
    def text(self):
        """The output as text, without surrounding white space."""
        return self.output.decode(errors="replace").strip()

    @property
    def error_text(self):
        """The errors as text, without surrounding white space."""
        return self.errors.decode(errors="replace").strip()


class Agent:
    """The connection to guest/agent: sends scripts and receives their results."""

    def __init__(self, path, alive):
        self._lines = Lines(path, alive)

    def wait_until_ready(self, timeout):
        """Waits until the guest has booted and loaded its modules."""
        line = self._lines.receive(time.monotonic() + timeout)
        if line != b"ready":
            raise ChannelError(f"the guest said {line!r}")

    def run(self, script, timeout):
        """Runs a shell script in the guest."""
        deadline = time.monotonic() + timeout
        self._lines.send(base64.b64encode(script.encode()))
        status, output, errors = map(int, self._lines.receive(deadline).split())
        return Result(
            status, self._lines.receive_block(output, deadline), self._lines.receive_block(errors, deadline))

    def close(self):
        """Closes the connection."""
        self._lines.close()
