# SPDX-License-Identifier: Apache-2.0
"""Pictures of files: logos and images, their reload, and files that cannot be shown."""

import json
import re
import struct
import subprocess
import textwrap
import time
import unittest

from EndToEnd.daemon import DAEMON, PROJECT, DaemonTestCase, environment
from VM import picture

RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)

IMAGE = """
[widgets.time]
type = "flip-clock"
[widgets.logo]
type = "image"
%s
[layout]
rows = ["logo", "time"]
"""


def png(color, width=40, height=40):
    """Returns a PNG of one colour."""
    return picture.Picture(width, height, bytes(color) * (width * height)).png()


class Images(DaemonTestCase):
    """A headless daemon whose config names pictures."""

    def put(self, name, data):
        path = self.directory / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)

    def shown(self, color):
        """Returns how many pixels have exactly this colour."""
        rgb = picture.from_png(self.picture()).rgb
        return sum(rgb[at:at + 3] == bytes(color) for at in range(0, len(rgb), 3))

    def wait_for_color(self, color):
        self.wait_for(f"the colour {color}", lambda: self.shown(color) > 500)

    def check(self):
        result = subprocess.run([DAEMON, "check", "--json", self.config], capture_output=True, text=True, timeout=30,
                                env=environment(), check=False)
        found = json.loads(result.stdout)["diagnostics"]
        return [(entry["line"], entry["column"], entry["message"]) for entry in found]

    def test_a_picture_is_shown_beside_the_config_and_read_again_at_a_reload(self):
        self.put("logo.png", png(RED))
        self.config.write_text(IMAGE % 'file = "logo.png"')
        self.start()
        self.wait_for_color(RED)
        self.assertEqual(self.status()["widgets"]["logo"]["text"], "logo.png")
        self.put("logo.png", png(GREEN, 41))
        self.control("reload")
        self.wait_for_color(GREEN)
        self.assertEqual(self.shown(RED), 0)
        self.assertEqual(self.check(), [])

    def test_the_pictures_of_a_folder_take_turns(self):
        for name, color in (("b.png", GREEN), ("a.png", RED), ("ignored.txt", BLUE)):
            self.put(f"sponsors/{name}", png(color))
        self.config.write_text(IMAGE % 'folder = "sponsors"\nevery = "1s"')
        self.start()
        for color in (RED, GREEN, RED):
            self.wait_for_color(color)
        self.put("sponsors/c.png", png(BLUE))
        (self.directory / "sponsors/a.png").unlink()
        self.control("reload")
        for color in (BLUE, GREEN):
            self.wait_for_color(color)

    def test_files_that_cannot_be_shown_leave_the_rest_of_the_page_whole(self):
        good = png(RED)
        animated = good[:33] + struct.pack(">I", 8) + b"acTL" + bytes(8) + struct.pack(">I", 0) + good[33:]
        huge = good[:16] + struct.pack(">II", 5000, 3) + good[24:]
        broken = {
            "missing.png": (None, "cannot be read: No such file or directory"),
            "jpeg.png": (b"\xff\xd8\xff\xe0" + bytes(100), "is a JPEG, not a PNG"),
            "animated.png": (animated, "is an animated PNG"),
            "huge.png": (huge, "has 5000x3 pixels; at most 4096x4096 are allowed"),
            "large.png": (good + bytes(4 << 20), "has more than 4 MiB"),
            "empty.png": (b"", "is empty"),
            "damaged.png": (good[:-20], "is damaged: the file ends too early"),
        }
        self.put("good.png", good)
        self.config.write_text(IMAGE % 'file = "good.png"')
        self.start()
        self.wait_for_color(RED)
        self.rest()
        for name, (data, message) in broken.items():
            with self.subTest(name):
                if data is not None:
                    self.put(name, data)
                self.replace_config(IMAGE % f'file = "{name}"')
                expected = f"the picture '{self.directory}/{name}' {message}"
                self.assertEqual(self.check(), [(6, 8, expected)])
                self.wait_for("the reload", lambda n=name: self.status()["widgets"]["logo"]["text"] == n)
                self.assertEqual(self.shown(RED), 0)
                # Only reading the whole file shows that it is damaged.
                def said(text=message):
                    status = self.status()
                    return text in "\n".join(status["warnings"] + status["config"]["lastReload"]["warnings"])
                self.wait_for("the problem", said)
                self.assertIn(message, self.log.read_text())
                self.assertIn(":", self.status()["widgets"]["time"]["text"])
        self.replace_config(IMAGE % 'file = "good.png"')
        self.wait_for_color(RED)

    def test_the_sponsors_are_shown_in_a_time_out(self):
        self.size = "640x360"
        text = (PROJECT / "docs/match-day.md").read_text(encoding="utf-8")
        blocks = re.findall(r"(?:^(?: {4}.*)?\n)+", text, re.MULTILINE)
        self.config.write_text(textwrap.dedent(next(block for block in blocks if "show-during" in block)))
        for name, color in (("lions.png", RED), ("sharks.png", GREEN), ("sponsors/one.png", BLUE)):
            self.put(name, png(color))
        self.assertEqual(self.check(), [])
        self.start()
        self.wait_for_color(RED)
        self.wait_for_color(GREEN)
        self.assertEqual(self.status()["page"], "match")
        self.control("time-out", "home")
        self.assertEqual(self.status()["page"], "sponsors")
        self.wait_for_color(BLUE)
        self.kill()
        # A restart continues the break.
        self.start()
        self.wait_for_color(BLUE)
        self.control("show", "match")
        self.wait_for_color(RED)
        self.kill()
        self.start()
        self.assertEqual(self.status()["page"], "match")
        self.control("break", "end")
        self.control("time-out", "guest")
        self.wait_for_color(BLUE)
        self.control("undo")
        self.assertEqual(self.status()["page"], "match")

    def test_the_largest_picture_delays_neither_the_start_nor_a_command(self):
        noise = bytes(range(256)) * 26
        rgb = b"".join(bytes(RED) * 2048 + noise[y % 256:y % 256 + 3 * 2048] for y in range(4096))
        self.put("logo.png", picture.Picture(4096, 4096, rgb).png())
        self.config.write_text(IMAGE % 'file = "logo.png"')
        self.start()
        self.assertEqual(self.check(), [])
        begin = time.monotonic()
        self.control("reload")
        answered = time.monotonic() - begin
        self.wait_for_color(RED)
        print(f"the largest picture: answered after {answered:.2f} s, shown after {time.monotonic() - begin:.2f} s")


if __name__ == "__main__":
    unittest.main()
