# SPDX-License-Identifier: Apache-2.0
"""The heap allocations of a frame, in the release build."""

import re
import subprocess
import sys
import unittest

from EndToEnd.daemon import PROJECT, environment

sys.dont_write_bytecode = True


class Frames(unittest.TestCase):
    """Runs `frame-allocations`, which composes and presents the frames of every animation."""

    def test_only_the_first_frame_of_an_animation_allocates(self):
        result = subprocess.run(
            [PROJECT / ".build/release/frame-allocations"], capture_output=True, text=True, timeout=120, env=environment(),
            check=False)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        counts = [(int(frames), int(bad)) for frames, bad in re.findall(r": (\d+) frames, (\d+) allocate", result.stdout)]
        self.assertGreaterEqual(len(counts), 30, result.stdout)
        self.assertTrue(all(frames >= 10 and bad == 0 for frames, bad in counts), result.stdout)
