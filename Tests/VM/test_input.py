# SPDX-License-Identifier: Apache-2.0
"""Keys as input: a number pad created with uinput, through the kernel's event devices."""

from VM.scenario import CLOCK_AND_SCORE, Scenario, on_cards

KP1, KP4, KP7, A = 79, 75, 71, 30

INPUT = """
[input]
enabled = true
devices = ["*Number Pad*"]
[input.keys]
KP1 = "add-score home +1"
KP4 = { do = "add-score home +1", repeat = true }
KP7 = "add-score nobody +1"
"""


@on_cards("virtio_gpu")
class Keys(Scenario):
    """A key changes the score as a client does."""

    config = CLOCK_AND_SCORE + INPUT

    def setUp(self):
        super().setUp()
        self.machine.run("load evdev; load uinput; rm -f /run/keys.*")

    def tearDown(self):
        self.unplug()
        super().tearDown()

    def plug(self, name="Test Number Pad"):
        """Plugs a keyboard in."""
        self.machine.run(f"""
            rm -f /run/keys.in; mkfifo /run/keys.in
            keys '{name}' </run/keys.in >/run/keys.out 2>&1 & echo $! >/run/keys.pid
            (while [ -e /run/keys.in ]; do sleep 1; done) >/run/keys.in 2>/dev/null &""")

    def unplug(self):
        self.machine.run("rm -f /run/keys.in; [ ! -e /run/keys.pid ] || kill $(cat /run/keys.pid); rm -f /run/keys.pid",
                         check=False)

    def press(self, code, how="press"):
        self.machine.run(f"echo {code} {how} >/run/keys.in; usleep 400000")

    def wait_for_score(self, score):
        self.machine.wait_for(f"a score of {score}", lambda: self.score() == score, 15)

    def wait_for_log(self, words):
        self.machine.wait_for(words, lambda: words in self.log(), 15)

    def test_a_pad_can_be_plugged_in_and_removed_at_any_time(self):
        self.start()
        self.plug()
        self.wait_for_log("listening to keys from Test Number Pad")
        self.press(KP1)
        self.wait_for_score(1)
        self.press(A)
        self.press(KP1, "hold")
        self.wait_for_score(2)
        self.press(KP4, "hold")
        self.wait_for_score(5)
        self.unplug()
        self.wait_for_log("Test Number Pad was removed")
        self.assertEqual(self.score(), 5)
        self.plug()
        self.machine.wait_for(
            "the pad again", lambda: self.log().count("listening to keys from Test Number Pad") == 2, 15)
        self.press(KP1)
        self.wait_for_score(6)

    def test_other_devices_are_ignored_and_refused_commands_are_logged(self):
        self.plug("Other Keyboard")
        self.start()
        self.press(KP1)
        self.assertEqual(self.score(), 0)
        self.unplug()
        self.plug()
        self.wait_for_log("listening to keys from Test Number Pad")
        self.assertNotIn("Other Keyboard", self.log())
        self.press(KP7)
        self.wait_for_log("a key was refused: unknown team 'nobody'")
        self.press(KP1)
        self.wait_for_score(1)
