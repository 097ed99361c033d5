# SPDX-License-Identifier: Apache-2.0
"""Three walls with real displays in one machine, whose clocks differ and drift apart: they flip at the same
moment."""

import json
import re
import shutil
import statistics
import unittest

from VM import image
from VM.machine import Machine
from VM.scenario import CARDS
from VM.trace import TRACING

PROGRAMS = (
    *image.PROGRAMS, "flipclock-mqtt",
    *(shutil.which(name, path="/usr/bin:/usr/sbin:/sbin") or name for name in ("mosquitto", "mosquitto_sub")))
# The clock of each wall: by how many ms it is ahead, and by how many ppm it is faster.
CLOCKS = ((0, 0), (1500, 50), (-1500, -50))
WALLS = len(CLOCKS)
# The vblank period of the slowest display, in seconds.
VBLANK = 1 / 60
# By how many seconds the first flips may be apart: by a vblank, because each display has its own, and by the
# difference between the times that the walls need to draw a frame.
APART = 0.02
# How many changes are measured, and how many of them may be late because of the host.
CHANGES = 12
LATE = 2


@unittest.skipUnless("vkms" in CARDS and "virtio_gpu" in CARDS, "not in FLIPCLOCK_VM_CARDS")
class ThreeWalls(unittest.TestCase):
    """Daemons without a virtual terminal, each with a card of its own."""

    machine_name = "three walls"

    @classmethod
    def setUpClass(cls):
        # The processor has a fixed speed, so that the host's load does not delay a wall.
        cls.machine = Machine("three_cards", programs=PROGRAMS, virtual_time=True)
        cls.addClassCleanup(cls.machine.close)
        cls.machine.run("""
            ip link set lo up
            ip address add 127.0.0.1/8 dev lo || true
            chmod 666 /dev/dri/card*
            printf 'listener 1883 127.0.0.1\\nallow_anonymous true\\nuser root\\n' >/run/mosquitto.conf
            setsid mosquitto -c /run/mosquitto.conf </dev/null >/run/mosquitto.log 2>&1 &
            synchronized no""")
        cls.machine.push("/run/clock.so", image.tool("clock", linking=("-shared", "-fPIC")).read_bytes())
        for index, (ahead, drift) in enumerate(CLOCKS):
            role = "follow" if index else "lead"
            cls.machine.push(f"/run/{index}/flipclock.toml", f"""
                [game]
                preset = "basketball"
                [widgets.match]
                type = "score"
                [display]
                card = "/dev/dri/card{index}"
                mode = "auto"
                [walls]
                {role} = "hall"
                """)
            cls.machine.push(
                f"/run/{index}/mqtt.toml", f"""
                [broker]
                host = "127.0.0.1"
                [board]
                name = "wall-{index}"
                [home-assistant]
                discovery = false
                """)
            # The daemons have no virtual terminal, because they would take it from each other.
            cls.machine.run(f"""
                mkdir -p /run/{index}/state; chown -R nobody /run/{index}
                export LD_PRELOAD=/run/clock.so CLOCK_OFFSET={ahead} CLOCK_DRIFT={drift}
                setsid su -s /bin/sh nobody -c 'exec flipclockd --display kms --config /run/{index}/flipclock.toml \\
                  --socket /run/{index}/socket --state-dir /run/{index}/state' </dev/null >/run/{index}/log 2>&1 &
                FLIPCLOCK_MQTT_SOCKET=/run/{index}/mqtt.sock setsid flipclock-mqtt --config /run/{index}/mqtt.toml --socket /run/{index}/socket \\
                  --state-dir /run/{index}/mqtt </dev/null >/run/{index}/mqtt.log 2>&1 &""")
        cls.wait("for i in 0 1 2; do flipclockctl --socket /run/$i/socket --json status | grep -q "
                 "'\"reachable\":true' || exit 1; done")

    @classmethod
    def wait(cls, condition):
        """Waits until a script succeeds."""
        try:
            cls.machine.wait_for(condition, lambda: cls.machine.run(condition, check=False).status == 0, 90)
        except AssertionError:
            print(cls.machine.run("tail -n 20 /run/*/log /run/*/mqtt.log /run/mosquitto.log").text)
            raise

    def record(self, changes):
        """Returns for each change the time of the first flip of each wall, in seconds of CLOCK_MONOTONIC."""
        script = f"""
            echo 0 >{TRACING}/tracing_on; echo >{TRACING}/trace
            echo mono >{TRACING}/trace_clock
            echo 1 >{TRACING}/events/drm/drm_vblank_event_delivered/enable
            echo 1 >{TRACING}/tracing_on
            {changes}
            echo 0 >{TRACING}/tracing_on; echo 0 >{TRACING}/events/enable"""
        self.machine.run(script, timeout=600)
        text = self.machine.pull(f"{TRACING}/trace").decode()
        marks, flips = [], {}
        for time, event in re.findall(r"\s(\d+\.\d+): (.*)$", text, re.MULTILINE):
            if event.startswith("tracing_mark_write: "):
                marks.append(float(time))
            elif event.startswith("drm_vblank_event_delivered"):
                flips.setdefault(re.search(r"file=(\w+)", event).group(1), []).append(float(time))
        self.assertEqual(len(flips), WALLS, text[-2000:])
        self.assertGreaterEqual(len(marks), CHANGES)
        return [
            (mark, [min((flip for flip in times if flip > mark), default=None) for times in flips.values()])
            for mark in marks]

    def scores(self, wall):
        """Returns a script that adds points, marks the time of each command, and waits until everything is at
        rest."""
        lines = []
        for index in range(CHANGES):
            team = ("home", "guest")[index % 2]
            lines.append(f"echo change >{TRACING}/trace_marker")
            lines.append(f"flipclockctl --socket /run/{wall}/socket add-score {team} 1 >/dev/null")
            lines.append("sleep 2")
        return "\n".join(lines)

    def status(self, index):
        return json.loads(self.machine.run(f"flipclockctl --socket /run/{index}/socket --json status").text)

    def drawing(self):
        """Returns the time in which the machine draws a frame of every wall, in seconds."""
        times = [self.status(index)["outputs"][0]["frameTimeMicroseconds"]["p99"] for index in range(WALLS)]
        print(f"frames take {times} µs")
        return sum(times) / 1e6

    def wakeups(self):
        """Returns how often the daemon of each wall has woken up."""
        return [self.status(index)["wakeups"] for index in range(WALLS)]

    def report(self, what, changes):
        spreads = [max(times) - min(times) for _, times in changes]
        delays = [min(times) - mark for mark, times in changes]
        print(f"\n{what}: {len(changes)} changes; first flips of the {WALLS} walls apart: median "
              f"{statistics.median(spreads) * 1e3:.1f} ms, at most {max(spreads) * 1e3:.1f} ms; "
              f"after the command: {statistics.median(delays) * 1e3:.0f} ms")
        return spreads

    def test_walls_flip_in_the_same_frame_without_synchronized_clocks(self):
        for index, (ahead, _) in enumerate(CLOCKS[1:], 1):
            wall = self.status(index)["wall"]
            # The difference includes the time for which the last message of the leader waited for a busy host.
            self.assertAlmostEqual(wall["clockDifference"], -ahead, delta=600)
        for wall, what in ((0, "command at the leader"), (2, "command at a follower")):
            with self.subTest(what):
                spreads = self.report(what, self.record(self.scores(wall)))
                # Each wall flips at the first vblank of its own display after the moment and its drawing.
                # Here one processor draws the frames of all walls, and a frame comes a vblank late if the
                # host does not run that processor in time.
                self.assertLess(sorted(spreads)[-1 - LATE], APART)
                self.assertLess(max(spreads), 3 * VBLANK + self.drawing())
        # A wall that never sleeps, for instance because of a deadline in the past, takes the processor from the others.
        before = self.wakeups()
        self.machine.run("sleep 10")
        during = [after - first for first, after in zip(before, self.wakeups())]
        print(f"at rest the walls wake up {during} times in 10 s")
        self.assertLess(max(during), 100)
        self.wait("for i in 0 1 2; do flipclockctl --socket /run/$i/socket --json status | grep -o "
                  "'\"score\":[0-9]*' | tr -d '\\n'; echo; done | sort -u | wc -l | grep -qx 1")
