# SPDX-License-Identifier: Apache-2.0
"""A network in which packets are lost."""

import os
import shutil
import subprocess

# An Ethernet address that no machine has.
NOBODY = "02:00:00:00:00:99"
# The machine on which the tests run.
HERE = "here"


class Network:
    """A network of `HERE` and up to 13 network namespaces with these names. A process has one network at a
    time.

    A test is skipped if the system does not allow that. A direction is the names of a sender and of a
    receiver.
    """

    def __init__(self, test, names):
        if os.geteuid() != 0 or not shutil.which("ip"):
            test.skipTest("network namespaces need root and iproute2")
        # 198.18.0.0/15 is for tests (RFC 2544), and has 8,192 networks of 16 addresses.
        number = os.getpid() % 8192
        self.switch = f"fc{number}"
        self.addresses = {name: f"198.{18 + number // 4096}.{number // 16 % 256}.{number % 16 * 16 + host}"
                          for host, name in enumerate([HERE, *names], 1)}
        self._lost = set()
        try:
            self._ip("link", "add", self.switch, "type", "bridge")
        except subprocess.CalledProcessError as error:
            test.skipTest(f"this system allows no bridges: {error.stderr}")
        test.addCleanup(self._ip, "link", "del", self.switch)
        self._ip("address", "add", f"{self.addresses[HERE]}/28", "dev", self.switch)
        self._ip("link", "set", self.switch, "up")
        for index, name in enumerate(names):
            namespace, link = self._namespace(name), f"{self.switch}-{index}"
            self._ip("netns", "add", namespace)
            test.addCleanup(self._ip, "netns", "del", namespace)
            self._ip("link", "add", link, "type", "veth", "peer", "name", "lan", "netns", namespace)
            # Without this, the link would disappear only some time after its namespace.
            test.addCleanup(self._ip, "link", "del", link)
            self._ip("link", "set", link, "master", self.switch, "up")
            self._ip("-n", namespace, "address", "add", f"{self.addresses[name]}/28", "dev", "lan")
            self._ip("-n", namespace, "link", "set", "lan", "up")
            self._ip("-n", namespace, "link", "set", "lo", "up")

    def _namespace(self, name):
        return f"{self.switch}-{name}"

    @staticmethod
    def _ip(*words):
        subprocess.run(["ip", *words], check=True, capture_output=True, text=True)

    def inside(self, name):
        """The words before a command line that is to run in a namespace."""
        return () if name == HERE else ("ip", "netns", "exec", self._namespace(name))

    def cut(self, *directions):
        """Sends the packets of these directions to an address that no machine has, so that they are lost."""
        for direction in set(directions) - self._lost:
            self._neighbour("replace", *direction, "lladdr", NOBODY, "nud", "permanent")
            self._lost.add(direction)

    def restore(self, *directions):
        """Ends the cuts of these directions, or of all."""
        for direction in self._lost & set(directions or self._lost):
            self._neighbour("del", *direction)
            self._lost.remove(direction)

    def _neighbour(self, verb, sender, receiver, *words):
        place, device = ([], self.switch) if sender == HERE else (["-n", self._namespace(sender)], "lan")
        self._ip(*place, "neighbour", verb, self.addresses[receiver], "dev", device, *words)

    def connections(self, name, *condition):
        """The lines of ss(8) for the TCP connections in a namespace whose ports meet a condition."""
        result = subprocess.run(
            [*self.inside(name), "ss", "-HOtni", *condition], capture_output=True, text=True, check=True)
        return result.stdout.splitlines()
