# SPDX-License-Identifier: Apache-2.0
"""The common part of the scenarios with a real systemd: the service installed as in README."""

from VM import debian
from VM.debian import SOCKET, UNIT
from VM.scenario import Guest

STATE = "/var/lib/flipclock"


class InstalledService(Guest):
    """Each scenario starts with the service installed and active, and a score of 0 to 0. A mixin for a
    TestCase."""

    card = "virtio_gpu"
    # Test cases with the same `machine_name` share a machine.
    machine_name = None
    machine_class = debian.DebianMachine
    # On an emulated processor systemd needs seconds for each start. The machines with the most work begin first.
    usual_seconds = 15

    def setUp(self):
        self.machine = debian.shared(self.machine_name, self.machine_class)
        if not self.machine.is_installed:
            self.install()
            self.machine.is_installed = True
        reset = self.machine.run(
            f"rm -rf /etc/flipclock/*; systemctl is-active -q {UNIT} && systemctl is-active -q {SOCKET} && "
            "flipclockctl new-game", check=False)
        if reset.status != 0:
            # Clean up after the previous scenario.
            self.machine.run(f"systemctl stop {UNIT}; rm -rf {STATE}/*; systemctl reset-failed")
            self.machine.run(f"systemctl start {SOCKET} {UNIT}")
        self.wait_for_picture()

    def log(self):
        """Returns the journal of this boot."""
        return self.machine.journal()

    def install(self):
        """Installs as in README. Called once for each machine."""
        self.machine.unpack()
        for line in debian.readme_commands()[1:]:
            self.machine.run(line, timeout=120)

    def states(self):
        """Returns the states of the service and of the socket, such as "active"."""
        return self.machine.run(f"systemctl is-active {UNIT} {SOCKET}", check=False).text.split()

    def restart(self):
        """Runs `systemctl restart`, which returns when the daemon is ready. Also starts a service that is
        stopped, and sets its counter of automatic restarts to 0."""
        self.machine.run(f"systemctl restart {UNIT}", timeout=180)

    def unload_card(self, libraries=""):
        """Stops the service and unloads the card's driver, and further modules that only it used. The driver
        is loaded again after the test."""
        self.addCleanup(self.machine.run, "systemctl unmask --runtime modprobe@drm.service; modprobe virtio_gpu")
        self.machine.run(f"""
            systemctl stop {SOCKET} {UNIT}
            systemctl mask --runtime modprobe@drm.service
            for console in /sys/class/vtconsole/vtcon*; do
              if grep -q 'frame buffer' $console/name; then echo 0 >$console/bind; fi
            done
            modprobe -r virtio_gpu
            for module in {libraries}; do
              if grep -q "^$module " /proc/modules; then rmmod $module; fi
            done""", timeout=120)
