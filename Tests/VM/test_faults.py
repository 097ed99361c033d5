# SPDX-License-Identifier: Apache-2.0
"""Obstacles: another master, no display, no permission, no card yet. The daemon logs the obstacle and keeps
running."""

import json
import unittest

from VM.machine import Machine
from VM.scenario import CARDS, Scenario, on_cards, shown

# The daemon searches for a display at least this often, in seconds, because some changes send no event.
SEARCH_INTERVAL = 60


class Faults(Scenario):
    """The common part: the daemon runs, answers, and reports what is missing."""

    def assert_waits(self, *words):
        """Asserts that the daemon runs, has presented no frame, and has logged one of the words, in at most
        three lines."""
        def is_logged():
            log = self.log().lower()
            return any(word in log for word in words)

        self.machine.wait_for(f"one of {words} in the log", is_logged, 20)
        self.assertTrue(self.is_alive())
        status = self.machine.wait_for("an answer", self.try_status, 20)
        self.assertFalse([output for output in status["outputs"] if output["framesPresented"]], json.dumps(status))
        lines = [line for line in self.log().splitlines() if any(word in line.lower() for word in words)]
        self.assertLessEqual(len(lines), 3, "the line is repeated")
        print(f"{self.card}: {lines[0]}")


@on_cards("virtio_gpu", "vkms")
class CardBusy(Faults):
    """Another program is master."""

    def test_it_uses_the_card_when_the_other_program_exits(self):
        self.run_in_background("kms hold /dev/dri/card0")
        self.machine.wait_for("the holder", lambda: self.machine.run("cat /run/background").text == "holding")
        self.launch()
        self.assert_waits("busy", "master", "another")
        # The score can be changed without a display.
        self.control("set-score home 3")
        self.machine.run("killall -9 kms")
        self.wait_for_picture(SEARCH_INTERVAL)
        self.assertEqual(self.score(), 3)
        self.assert_scanout_is_screenshot()


@on_cards("virtio_gpu")
class NoDisplay(Faults):
    """No cable is plugged in."""

    connector = "/sys/class/drm/card0-Virtual-1/status"

    def tearDown(self):
        self.machine.run(f"echo detect >{self.connector}")
        super().tearDown()

    def test_it_waits_for_a_display(self):
        self.machine.run(f"echo off >{self.connector}")
        self.launch()
        self.assert_waits("display", "connector", "connected")
        self.machine.run(f"echo detect >{self.connector}; echo change >/sys/class/drm/card0/uevent")
        self.wait_for_picture(SEARCH_INTERVAL)
        self.assert_scanout_is_screenshot()

    def test_the_picture_returns_when_the_cable_is_plugged_in_again(self):
        self.start()
        self.machine.run(f"echo off >{self.connector}; echo change >/sys/class/drm/card0/uevent; sleep 3")
        self.assertTrue(self.is_alive())
        self.control("set-score home 9")
        self.machine.run(f"echo detect >{self.connector}; echo change >/sys/class/drm/card0/uevent; sleep 2")
        self.machine.wait_for("the display", lambda: shown(self.status()), SEARCH_INTERVAL)
        self.assert_scanout_is_screenshot()
        self.assertEqual(self.score(), 9)
        # The display was connected, disconnected and connected again: one line for each.
        lines = [line for line in self.log().splitlines() if "Virtual-1" in line]
        self.assertEqual(len(lines), 3, "\n".join(lines))


@on_cards("virtio_gpu")
class NoPermission(Faults):
    """An ordinary user who is not in the card's group."""

    def log(self):
        return self.machine.run("cat /tmp/user/log", check=False).text

    def tearDown(self):
        super().tearDown()
        self.machine.run("rm -rf /tmp/user; chmod 600 /dev/dri/card0")

    def test_it_names_the_group(self):
        self.machine.run("chgrp video /dev/dri/card0; chmod 660 /dev/dri/card0; mkdir -p /tmp/user; chmod 777 /tmp/user")
        command = ("flipclockd --config /etc/flipclock/test.toml --display kms --socket /tmp/user/socket "
                   "--state-dir /tmp/user/state")
        self.run_in_background(f"exec su nobody -s /bin/sh -c '{command} >/tmp/user/log 2>&1'")
        self.machine.wait_for("the group's name", lambda: "video" in self.log(), 20)
        self.assertTrue(self.is_alive())


class CardLater(Faults, unittest.TestCase):
    """The daemon starts before the card's driver is loaded."""

    card = "virtio_gpu"

    def get_machine(self):
        machine = Machine(self.card, load=False)
        self.addCleanup(machine.close)
        return machine

    @unittest.skipUnless("virtio_gpu" in CARDS, "not in FLIPCLOCK_VM_CARDS")
    def test_it_uses_a_card_that_appears_later(self):
        self.launch()
        self.assert_waits("card", "display", "/dev/dri")
        self.machine.run("load virtio_gpu")
        self.wait_for_picture(SEARCH_INTERVAL)
        self.assert_scanout_is_screenshot()
