# SPDX-License-Identifier: Apache-2.0
"""A network in which packets are lost."""

import itertools
import os
import shutil
import subprocess

# An address that no machine has.
NOBODY = "02:00:00:00:00:99"


class Link:
    """A network namespace, and a cable between it and this one that can be cut in one direction or both.

    A test is skipped if the system does not allow that. `here` and `there` are the addresses of the two ends.
    """

    _numbers = itertools.count()

    def __init__(self, test):
        if os.geteuid() != 0 or not shutil.which("ip"):
            test.skipTest("network namespaces need root and iproute2")
        number = (4 * os.getpid() + next(self._numbers)) % 16_000
        self.namespace, self.device = f"flipclock-{number}", f"fc{number}"
        self.here, self.there = (f"198.18.{number // 64}.{number % 64 * 4 + host}" for host in (1, 2))
        try:
            self.ip("netns", "add", self.namespace)
        except subprocess.CalledProcessError as error:
            test.skipTest(f"this system allows no network namespaces: {error.stderr}")
        test.addCleanup(self.ip, "netns", "del", self.namespace)
        self.ip("link", "add", self.device, "type", "veth", "peer", "name", "there", "netns", self.namespace)
        self.ip("address", "add", f"{self.here}/30", "dev", self.device)
        self.ip("-n", self.namespace, "address", "add", f"{self.there}/30", "dev", "there")
        self.ip("link", "set", self.device, "up")
        self.ip("-n", self.namespace, "link", "set", "there", "up")
        test.addCleanup(self.ip, "link", "del", self.device)
        # What runs a program at the other end: the words before its command line.
        self.wrapper = ("ip", "netns", "exec", self.namespace)
        self._lost = []

    @staticmethod
    def ip(*words):
        subprocess.run(["ip", *words], check=True, capture_output=True, text=True)

    def cut(self, to_there=True, to_here=True):
        """Sends packets to an address that nobody has, so that they are lost."""
        for is_cut, neighbour in ((to_there, ([], self.there, self.device)),
                                  (to_here, (["-n", self.namespace], self.here, "there"))):
            if is_cut:
                self._neighbour("replace", *neighbour, "lladdr", NOBODY, "nud", "permanent")
                self._lost.append(neighbour)

    def restore(self):
        while self._lost:
            self._neighbour("del", *self._lost.pop())

    def _neighbour(self, verb, place, address, device, *words):
        self.ip(*place, "neighbour", verb, address, "dev", device, *words)
