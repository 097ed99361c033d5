# SPDX-License-Identifier: Apache-2.0
"""Pacing with real 60 Hz vblanks: every frame of an animation is on its vblank, and the daemon sleeps in
between."""

import collections
import json
import os
import statistics

from VM import trace
from VM.scenario import CLOCK_AND_SCORE, SECONDS, Scenario, on_cards

LONG = "FLIPCLOCK_LONG" in os.environ
# How long a clock with seconds is observed, in seconds, and one without, in minutes.
DURATION = 600 if LONG else 60
MINUTES = 100 if LONG else 5
# How often each page transition is repeated.
TURNS = 4 if LONG else 2
# How often a command is measured.
POINTS = 20


# The guest runs on virtual time: a processor of a fixed speed, independent of the host's load, so a missed
# vblank is caused by the daemon. Commands that belong together are in one script, because time stops between
# scripts.


class Pacing(Scenario):
    """Compares the daemon's own statistics with the kernel's record."""

    def record(self, seconds):
        """Records for some seconds; returns (status before, status after, trace)."""
        self.machine.wait_for("frames", self.has_frames, 60)
        # The first picture and the loading of fonts are not measured.
        script = f"""
            sleep 3
            flipclockctl --json status >/run/before
            {trace.START}
            sleep {seconds}
            {trace.STOP}
            flipclockctl --json status >/run/after"""
        self.machine.run(script, timeout=60 + 20 * seconds)
        recorded = trace.read(self.machine)
        return (*(json.loads(self.machine.pull(f"/run/{name}")) for name in ("before", "after")), recorded)

    def report(self, what, seconds, before, after, seen):
        """Prints the figures, and returns the increase of each counter in the status."""
        output, grown = after["outputs"][0], {"wakeups": after["wakeups"] - before["wakeups"]}
        for key in ("framesPresented", "flipsMissed", "bytesCopied"):
            grown[key] = output[key] - before["outputs"][0][key]
        print(f"""
{what}: {seconds} s on vkms, {output['mode']}
  status: {grown['framesPresented']} frames presented, {grown['flipsMissed']} flips missed, \
{grown['bytesCopied'] / 1e6:.1f} MB copied, frame time {output['frameTimeMicroseconds']} µs, {grown['wakeups']} wakeups
  kernel: {len(seen.flips)} flips in {len(seen.animations())} animations, {seen.missed()} vblanks missed, \
{len(seen.wakes)} wakeups; wakeups in a pause: {dict(collections.Counter(seen.idle_wakes()))} (wakeups: number of pauses)""")
        return grown


    def measure(self, what, command="set-score home {}".format, crowd=""):
        """Runs a command with the numbers from 1 upwards, at irregular times; returns the sorted times from the
        daemon's wakeup to the first changed frame, the vblank period and the 99th percentile of the frame time, in
        milliseconds."""
        # The times are not multiples of the vblank period, and further apart than a flip animation lasts.
        turns = "\n".join(
            f"echo score >{trace.TRACING}/trace_marker; flipclockctl {command(point)}; usleep {700_000 + 1_731 * point}"
            for point in range(1, POINTS + 1))
        self.machine.run(f"""
            flipclockctl {command(0)}; sleep 1
            {crowd}
            {trace.START}
            {turns}
            {trace.STOP}
            flipclockctl --json status >/run/after""", timeout=600)
        seen, after = trace.read(self.machine), json.loads(self.machine.pull("/run/after"))
        latencies = seen.latencies("score")
        self.assertEqual(len(latencies), POINTS)
        started, shown = ([1000 * pair[index] for pair in latencies] for index in (0, 1))
        frame = after["outputs"][0]["frameTimeMicroseconds"]["p99"] / 1000
        print(f"""
{what}, to the first changed frame on vkms, {POINTS} times
  from the daemon's wakeup: median {statistics.median(shown):.1f} ms, maximum {max(shown):.1f} ms; frame time p99 {frame:.1f} ms
  all: {" ".join(f"{each:.0f}" for each in shown)}
  from the command's start to that wakeup: median {statistics.median(started):.1f} ms, maximum {max(started):.1f} ms""")
        return sorted(shown), 1000 / 60, frame


@on_cards("vkms")
class Seconds(Pacing):
    """The picture changes each second."""

    config = SECONDS

    def test_a_clock_with_seconds_hits_every_vblank_and_sleeps_in_between(self):
        self.launch()
        before, after, seen = self.record(DURATION)
        grown = self.report("a clock with seconds", DURATION, before, after, seen)
        self.assertGreaterEqual(len(seen.animations()), DURATION - 1)
        self.assertEqual(grown["flipsMissed"], 0)
        self.assertEqual(seen.missed(), 0, "the kernel saw a vblank without a frame inside an animation")
        self.assertEqual(set(seen.idle_wakes()), {1}, "the daemon woke up between animations other than at a second's boundary")
        # The flip event of each frame wakes the daemon once, and so does each second. The status calls wake
        # it a few times.
        self.assertLessEqual(grown["wakeups"], grown["framesPresented"] + DURATION + 20)


@on_cards("vkms")
class Score(Pacing):
    """A point is on the display within a vblank period and a frame time, or one period more with many
    connections."""

    config = CLOCK_AND_SCORE

    def test_a_point_is_shown_within_a_vblank_and_a_frame(self):
        self.start()
        shown, vblank, frame = self.measure("set-score")
        self.assertEqual(self.score(), POINTS)
        self.assertLessEqual(shown[-2], vblank + frame)
        # The first point may take one frame longer, because its digit is drawn for the first time.
        self.assertLessEqual(shown[-1], vblank + 2 * frame)

    def test_many_connections_do_not_delay_it(self):
        self.start()
        shown, vblank, frame = self.measure(
            "set-score with 200 idle and 20 stalled connections",
            crowd="crowd /run/flipclock/control.sock 200 20 >/run/crowd &\n"
            "while ! grep -q connected /run/crowd; do usleep 10000; done; sleep 1")
        self.machine.run("killall crowd")
        self.assertLessEqual(shown[-1], 2 * vblank + frame)


BOARD = """
[widgets.match]
type = "score"

[widgets.hall]
type = "board"
columns = 22
rows = 6
# The flips are over before the next text.
symbols = "direct"

[layout]
rows = ["match", "hall"]
"""


def letters(number):
    """Returns a command with a text that fills the board, and in which every letter depends on the number."""
    return "board hall " + "".join(chr(ord("A") + (7 * index + number) % 26) for index in range(22 * 6))


@on_cards("vkms")
class Text(Pacing):
    """A text on a board needs at most one frame longer than a point."""

    config = BOARD

    def test_a_text_is_shown_as_soon_as_a_point(self):
        self.start()
        points, vblank, _ = self.measure("set-score")
        texts, _, frame = self.measure("a text that changes all letters of a board", letters)
        # The guest's processor needs several vblank periods to draw 132 cards: a frame is what it needs for these.
        # Its end is the next vblank.
        self.assertLessEqual(statistics.median(texts), statistics.median(points) + frame + vblank)


PAGES = """
[widgets.time]
type = "flip-clock"

[widgets.match]
type = "score"

[pages.clock]
rows = ["time"]

[pages.match]
rows = ["match"]

[display]
mode = "1024x768"

[page-transition]
type = "{kind}"
"""


class Pages(Pacing):
    """Each type of page transition, TURNS times in both directions."""

    kind = None

    @property
    def config(self):
        return PAGES.format(kind=self.kind)

    def test_a_page_changes(self):
        self.launch()
        self.machine.wait_for("frames", self.has_frames, 60)
        turns = "\n".join("flipclockctl show match; sleep 2; flipclockctl show clock; sleep 2" for _ in range(TURNS))
        self.machine.run(f"""
            sleep 3
            flipclockctl --json status >/run/before
            {trace.START}
            {turns}
            {trace.STOP}
            flipclockctl --json status >/run/after""", timeout=1200)
        seen = trace.read(self.machine)
        before, after = (json.loads(self.machine.pull(f"/run/{name}")) for name in ("before", "after"))
        self.report(f"page transition {self.kind}", 4 * TURNS, before, after, seen)
        self.assertGreaterEqual(len(seen.animations()), 2 * TURNS)
        # The client that requested the page exits on the same single processor while the first frames are
        # drawn.
        self.assertLessEqual(seen.missed(), 2 * TURNS, "more than one missed vblank per transition")
        self.assertEqual(after["page"], "clock")


for _kind in ("shutter", "roll", "flip", "fade", "push"):
    on_cards("vkms")(type(f"Page{_kind.title()}", (Pages,), {"kind": _kind, "__module__": __name__}))


@on_cards("vkms")
class Minutes(Pacing):
    """The picture rests between minutes."""

    def test_a_clock_without_seconds_wakes_once_a_minute(self):
        self.launch()
        before, after, seen = self.record(MINUTES * 60)
        grown = self.report("a clock and a score", MINUTES * 60, before, after, seen)
        self.assertAlmostEqual(len(seen.animations()), MINUTES, delta=1)
        self.assertEqual((grown["flipsMissed"], seen.missed()), (0, 0))
        self.assertEqual(set(seen.idle_wakes()), {1}, "the daemon woke up other than at a minute's boundary")
