# SPDX-License-Identifier: Apache-2.0
"""Weeks of use in minutes: at the end the daemon has no more descriptors and memory than after the first
part."""

import os
import random
import statistics
import time

from EndToEnd.process import memory
from EndToEnd.test_match import MatchTestCase

ROUNDS = 5000 if "FLIPCLOCK_LONG" in os.environ else 100
SAMPLES = 10
# In KiB. The heap's size varies with its fragmentation, and a page transition takes one more buffer.
TOLERANCE = 1024

CONFIGS = ("""
[widgets.time]
type = "flip-clock"
seconds = true
[widgets.match]
type = "score"
[pages.first]
rows = ["time", "match"]
[pages.second]
rows = ["match"]
""", """
[widgets.world]
type = "world-clock"
cities = ["Berlin = Europe/Berlin", "Kolkata = Asia/Kolkata", "New York = America/New_York"]
[widgets.hands]
type = "analog-clock"
[widgets.match]
type = "score"
[pages.first]
rows = ["world", "hands"]
[pages.second]
rows = ["match"]
""", "[widgets.time\ntype = 'flip-clock'\n")


class Soak(MatchTestCase):
    """Clients, changes of the score, the page and the light, screenshots, and saved configs, one of them with
    an error, in random order."""

    size = "640x360"

    def use(self):
        """Brings the daemon into the same state each time, and returns its anonymous memory in KiB and its
        number of open descriptors."""
        self.replace_config(CONFIGS[0])
        for method, parameters in (
                ("Reload", {}), ("Show", {"page": "first"}), ("Unblank", {}), ("SetBrightness", {"percent": 100}),
                ("ClearMessage", {}), ("NewGame", {})):
            self.call(self.client, method, **parameters)
        time.sleep(1)
        return memory(self.process, "RssAnon"), len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def round(self, dice):
        """Uses the daemon once, in a random way."""
        match dice.randrange(10):
            case 0:
                self.replace_config(dice.choice(CONFIGS))
                time.sleep(dice.uniform(0, 0.2))
            case 1:
                self.call(self.client, "Reload")
            case 2:
                self.call(self.client, "Show", page=dice.choice(("first", "second", "third")))
            case 3:
                self.call(self.client, "Screenshot")
            case 4:
                self.call(self.client, dice.choice(("ToggleBlank", "Unblank")))
                self.call(self.client, "SetBrightness", percent=dice.randrange(10, 101))
            case 5:
                # Clients that go away in the middle of a message.
                for length in (0, 1, 40, 70_000):
                    with self.connect() as visitor:
                        visitor.sendall((b'{"method":"org.flipclock.Control.Show' + b"x" * length)[:length])
            case 6:
                with self.connect() as watcher:
                    watcher.sendall(b'{"method":"org.flipclock.Control.Subscribe","more":true}\0')
                    self.reply(watcher)
                    self.call(self.client, "AddScore", team="home", points=1)
            case 7:
                self.call(self.client, "ShowMessage", text="x" * dice.randrange(1, 100), milliseconds=1000)
            case 8:
                self.call(self.client, "NewGame")
            case _:
                for _ in range(10):
                    self.call(self.client, "AddScore", team=dice.choice(("home", "guest")), points=1)
                for _ in range(dice.randrange(12)):
                    self.call(self.client, dice.choice(("Undo", "Redo")))

    def test_memory_and_descriptors_are_flat(self):
        self.config.write_text(CONFIGS[0])
        self.start()
        self.client = self.connect()
        dice = random.Random(3)
        samples = []
        for number in range(1, ROUNDS + 1):
            self.round(dice)
            if number % (ROUNDS // SAMPLES) == 0:
                samples.append(self.use())
        text = ", ".join(f"{size} KiB" for size, _ in samples)
        print(f"soak: {ROUNDS} rounds, {samples[-1][1]} descriptors; anonymous memory {text}")
        self.assertEqual({descriptors for _, descriptors in samples}, {samples[0][1]})
        # The first sample does not count, because caches are filled until then.
        sizes = [size for size, _ in samples[1:]]
        growth = statistics.median(sizes[-3:]) - statistics.median(sizes[:3])
        self.assertLess(growth, TOLERANCE, text)
