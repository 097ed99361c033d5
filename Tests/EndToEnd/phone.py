# SPDX-License-Identifier: Apache-2.0
"""A phone without a browser: sends commands as the page of flipclock-web does."""

import http.client
import json
import threading
import time

# A stream that is silent for so many seconds may be dead.
STALE = 5
# How many seconds a command waits for its answer before it is sent again.
PATIENCE = 6


class Phone:
    """A paired phone with the address (host, port) of its wall. `close` ends it."""

    def __init__(self, name, address, code):
        self.name = name
        self.address = address
        self.own = {"Origin": f"http://{address[0]}:{address[1]}", "Content-Type": "text/plain;charset=UTF-8"}
        status, headers, body = self._post(self._connection(), "/pair", code, {})
        assert status == 200, body
        self.own["Cookie"] = headers["Set-Cookie"].split(";")[0]
        # The last match, and when the last event came.
        self.match, self.heard = None, 0
        self._is_connected, self._is_fresh = False, False
        # By how many milliseconds the wall's clock is ahead of ours.
        self._ahead = None
        self._commands = 0
        self._sender = None
        self._ends = threading.Event()
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()

    def close(self):
        self._ends.set()
        self._reader.join(2 * STALE)

    @property
    def is_live(self):
        """Whether the page would let a person tap."""
        return bool(self._is_fresh and self._is_connected and self._ahead is not None
                    and time.monotonic() - self.heard < STALE)

    def _connection(self):
        return http.client.HTTPConnection(*self.address, timeout=PATIENCE)

    def _post(self, connection, path, text, headers):
        connection.request("POST", path, text.encode(), {**self.own, **headers})
        response = connection.getresponse()
        return response.status, response.headers, response.read()

    def _listen(self):
        while not self._ends.is_set():
            connection = http.client.HTTPConnection(*self.address, timeout=STALE)
            try:
                connection.request("GET", "/events?as=scorer", headers={"Cookie": self.own["Cookie"]})
                self._read(connection.getresponse())
            except (OSError, ValueError, http.client.HTTPException):
                pass
            finally:
                self._is_fresh = False
                connection.close()
            self._ends.wait(0.5)

    def _read(self, response):
        event = None
        while not self._ends.is_set() and (line := response.readline()):
            if line.startswith(b"event: "):
                event = line[7:].strip().decode()
            elif line.startswith(b"data: "):
                self._receive(event, json.loads(line[6:]))

    def _receive(self, event, value):
        self.heard = time.monotonic()
        if event == "beat":
            self._ahead = value["clock"] - self.heard * 1000
        elif event == "link":
            self._is_connected = value["connected"]
        elif event == "match":
            self.match, self._is_fresh = value["match"], True

    def perform(self, command, revision=None):
        """Sends a command until it has an answer: returns the status, the reply, and how often it was sent.

        `revision`: the revision that the match must have, if given.
        """
        self._commands += 1
        headers = {"Idempotency-Key": f'"{self.name}-{self._commands}"',
                   "Flipclock-Time": str(int(time.monotonic() * 1000 + self._ahead))}
        if revision is not None:
            headers["If-Match"] = f'"{revision}"'
        attempts = 0
        while not self._ends.is_set():
            attempts += 1
            try:
                self._sender = self._sender or self._connection()
                status, _, body = self._post(self._sender, "/commands", command, headers)
                reply = json.loads(body)
                # A refusal that is not final says nothing about earlier attempts.
                if status < 500 and status != 429 and (attempts == 1 or reply.get("final", True)):
                    return status, reply, attempts
            except (OSError, ValueError, http.client.HTTPException):
                # The kernel may still deliver what the connection has sent.
                self._sender.close()
                self._sender = None
            self._ends.wait(1)
            while not self.is_live and not self._ends.is_set():
                time.sleep(0.05)
        return 0, {}, attempts
