# SPDX-License-Identifier: Apache-2.0
"""The memory limit of the unit, compared with the needs of the largest display."""

import re
import time

from EndToEnd.daemon import PROJECT, DaemonTestCase
from EndToEnd.process import memory
from VM.scenario import WORST_CASE

WIDTH, HEIGHT = 7680, 4320
BUFFER = WIDTH * HEIGHT * 4


class Memory(DaemonTestCase):
    """A headless daemon with as many buffers as a KMS display has: the shadow and two scanout buffers."""

    size = f"{WIDTH}x{HEIGHT}"

    def control(self, *arguments, check=True, **variables):
        """Asks again if the daemon draws for longer than flipclockctl waits, as on a busy machine."""
        def answer():
            result = super(Memory, self).control(*arguments, check=False, **variables)
            return None if "no reply within" in result.stderr else result
        result = self.wait_for(f"answer to {arguments}", answer, 60)
        if check:
            self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def test_the_largest_page_transition_fits_the_units_limit(self):
        self.config.write_text(WORST_CASE)
        self.start()
        for page in ("two", "one"):
            before = self.status()["outputs"][0]["framesPresented"]
            self.control("show", page)
            self.wait_for("the change", lambda n=before: self.status()["outputs"][0]["framesPresented"] > n + 2, 60)
            # A screenshot takes one more buffer.
            self.control("screenshot", str(self.directory / "shot.png"))
            time.sleep(1.5)
        peak = memory(self.process, "VmHWM") * 1024
        # Recovering a display takes two more scanout buffers.
        needed = peak + 2 * BUFFER
        unit = (PROJECT / "systemd/flipclockd.service").read_text(encoding="utf-8")
        limit = int(re.search(r"^MemoryMax=(\d+)M$", unit, re.MULTILINE).group(1)) << 20
        print(f"memory: {peak >> 20} MiB at {self.size}, {needed >> 20} with recovery, limit {limit >> 20}")
        self.assertLess(needed * 1.1, limit, "the limit would kill the daemon")
        self.assertGreater(needed * 2, limit, "the limit no longer follows from what is needed")
