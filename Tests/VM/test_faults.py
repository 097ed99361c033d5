# SPDX-License-Identifier: Apache-2.0
"""What stands in the way at the start: one clear line, and on it goes when the way is free."""

import json
import unittest

from VM.machine import Machine
from VM.scenario import CARDS, Scenario, on_cards

# The daemon also looks by itself, at least this often, as some changes send no event.
PATIENCE = 60


class Faults(Scenario):
    """Common to all: the daemon lives, answers, and says what is missing."""

    def assert_waits(self, *words):
        """It is alive and without an output, and one of the words is in what it says."""
        def said():
            log = self.log().lower()
            return any(word in log for word in words)

        self.machine.wait_for(f"one of {words} in the log", said, 20)
        self.assertTrue(self.is_alive())
        status = self.machine.wait_for("an answer", self.try_status, 20)
        self.assertFalse([output for output in status["outputs"] if output["framesPresented"]], json.dumps(status))
        lines = [line for line in self.log().splitlines() if any(word in line.lower() for word in words)]
        self.assertLessEqual(len(lines), 3, "it repeats itself")
        print(f"{self.card}: {lines[0]}")


@on_cards("virtio_gpu", "vkms")
class CardBusy(Faults):
    """Another program is master."""

    def test_it_takes_the_card_when_the_other_lets_go(self):
        self.run_in_background("kms hold /dev/dri/card0")
        self.machine.wait_for("the holder", lambda: self.machine.run("cat /run/background").text == "holding")
        self.launch()
        self.assert_waits("busy", "master", "another")
        # The score can be kept although nobody sees it.
        self.control("set-score home 3")
        self.machine.run("killall -9 kms")
        self.wait_for_picture(PATIENCE)
        self.assertEqual(self.score(), 3)
        self.assert_scanout_is_screenshot()


@on_cards("virtio_gpu")
class NoDisplay(Faults):
    """The cable is out."""

    connector = "/sys/class/drm/card0-Virtual-1/status"

    def tearDown(self):
        self.machine.run(f"echo detect >{self.connector}")
        super().tearDown()

    def test_it_waits_for_a_display(self):
        self.machine.run(f"echo off >{self.connector}")
        self.launch()
        self.assert_waits("display", "connector", "connected")
        self.machine.run(f"echo detect >{self.connector}; echo change >/sys/class/drm/card0/uevent")
        self.wait_for_picture(PATIENCE)
        self.assert_scanout_is_screenshot()

    def test_a_cable_that_comes_back_brings_the_picture_back(self):
        self.start()
        self.machine.run(f"echo off >{self.connector}; echo change >/sys/class/drm/card0/uevent; sleep 3")
        self.assertTrue(self.is_alive())
        self.control("set-score home 9")
        self.machine.run(f"echo detect >{self.connector}; echo change >/sys/class/drm/card0/uevent; sleep 2")
        self.machine.wait_for("the display", lambda: self.status()["outputs"], PATIENCE)
        self.assert_scanout_is_screenshot()
        self.assertEqual(self.score(), 9)


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
    """The daemon is there before the card's driver."""

    card = "virtio_gpu"

    def get_machine(self):
        machine = Machine(self.card, load=False)
        self.addCleanup(machine.close)
        return machine

    @unittest.skipUnless("virtio_gpu" in CARDS, "not in FLIPCLOCK_VM_CARDS")
    def test_it_takes_a_card_that_appears(self):
        self.launch()
        self.assert_waits("card", "display", "/dev/dri")
        self.machine.run("load virtio_gpu")
        self.wait_for_picture(PATIENCE)
        self.assert_scanout_is_screenshot()
