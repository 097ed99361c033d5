# SPDX-License-Identifier: Apache-2.0
"""A double of flipclock-host: it serves org.flipclock.Host on a Unix socket, without touching the machine."""

import json
import os
import socket
import threading
import time

NAME = "org.flipclock.Host"


class HostDouble:
    """A machine with an access point, and the networks around it. `close` ends it."""

    STATE = {"phase": "access_point", "network": None, "access_point": "flipclock-7Q2K", "address": "10.42.0.1",
             "problem": None, "failed": None, "country": None, "fallback": False, "has_wireless": True,
             "wireless_off": False, "wireless_taken": False, "time_confirmed": True}

    def __init__(self, path):
        self.path = str(path)
        # The networks that are found, and the passwords of those that have one; `None`: gives no address.
        self.networks = [
            {"name": "Home", "strength": 82, "security": "wpa"},
            {"name": "Guests 5 GHz", "strength": 55, "security": "open"},
            {"name": "Campus", "strength": 30, "security": "other"},
        ]
        self.passwords = {"Home": "correct horse"}
        self.state = dict(self.STATE)
        # How long a trial takes.
        self.trial = 0.3
        # How long each method takes to answer after it was performed; none is 0.
        self.delays = {}
        # An error for each method that fails, with its parameters; a name with a dot is one of another interface.
        self.failures = {}
        # The calls, as pairs of the method and its parameters.
        self.calls = []
        # The times that were set, in seconds since 1970, each with ours at that moment.
        self.times = []
        self._lock = threading.Lock()
        self._listener = None
        self.open()

    def open(self):
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(self.path)
        self._listener.listen(16)
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()

    def close(self):
        if self._listener:
            self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            os.unlink(self.path)
        self._listener = None

    def methods(self, *names):
        """The parameters of the calls of these methods."""
        with self._lock:
            return [parameters for method, parameters in self.calls if method in names]

    def _accept(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with connection:
            received = b""
            while chunk := connection.recv(65536):
                received += chunk
                while b"\0" in received:
                    message, received = received.split(b"\0", 1)
                    call = json.loads(message)
                    reply = json.dumps(self._reply(call)).encode() + b"\0"
                    time.sleep(self.delays.get(call["method"].removeprefix(f"{NAME}."), 0))
                    try:
                        connection.sendall(reply)
                    except OSError:
                        return

    def _reply(self, call):
        method = call["method"].removeprefix(f"{NAME}.")
        parameters = call.get("parameters", {})
        with self._lock:
            self.calls.append((method, parameters))
            if method in self.failures:
                error, values = self.failures[method]
                return {"error": error if "." in error else f"{NAME}.{error}", "parameters": values}
            return {"parameters": getattr(self, f"_{method}")(**parameters) or {}}

    def _GetState(self):
        return {"state": self.state}

    def _Use(self):
        pass

    def _Scan(self):
        return {"networks": self.networks}

    def _Join(self, network, password=None, country=None):
        self.state = {**self.state, "phase": "joining", "network": network, "problem": None, "failed": None,
                      "country": country or self.state["country"]}
        timer = threading.Timer(self.trial, self._end_trial, (network, password))
        timer.daemon = True
        timer.start()

    def _end_trial(self, network, password):
        problem = None
        if network not in {found["name"] for found in self.networks}:
            problem = "not_found"
        elif self.passwords.get(network) != password:
            problem = "wrong_password"
        with self._lock:
            changes = {"phase": "access_point", "network": None, "problem": problem, "failed": network} if problem else {
                "phase": "online", "address": "192.168.1.23"}
            self.state = {**self.state, **changes}

    def _OpenAccessPoint(self):
        self.state = {**self.state, "phase": "access_point", "network": None, "access_point": "flipclock-7Q2K"}

    def _CloseAccessPoint(self):
        self.state = {**self.state, "phase": "offline", "access_point": None, "address": None}

    def _ForgetNetworks(self):
        self.state = {**self.state, "phase": "starting", "network": None, "problem": None, "failed": None}

    def _SetFallback(self, allowed):
        self.state = {**self.state, "fallback": allowed}

    def _SetTime(self, microseconds):
        self.times.append((microseconds / 1e6, time.time()))
        self.state = {**self.state, "time_confirmed": True}
