# SPDX-License-Identifier: Apache-2.0
"""The kernel's record of the daemon's wakeups and completed flips, to check the daemon's statistics."""

import re

TRACING = "/sys/kernel/tracing"
# Flips that are further apart than this (seconds) belong to different animations.
PAUSE = 0.1


class Trace:
    """`wakes` and `flips` are seconds on CLOCK_MONOTONIC; `sequences` are the vblanks of the flips.

    `marks` are the texts that scripts wrote to trace_marker, with their times.
    """

    def __init__(self, text):
        self.wakes, self.flips, self.sequences, self.marks = [], [], [], []
        for time, event in re.findall(r"\s(\d+\.\d+): (.*)$", text, re.MULTILINE):
            if event.startswith("sys_epoll"):
                self.wakes.append(float(time))
            elif event.startswith("drm_vblank_event_delivered"):
                self.flips.append(float(time))
                self.sequences.append(int(re.search(r"seq=(\d+)", event).group(1)))
            elif event.startswith("tracing_mark_write: "):
                self.marks.append((float(time), event.split(": ", 1)[1].strip()))

    def latencies(self, mark):
        """Returns for each mark of that name the seconds until the daemon woke, and from then until the first
        flip."""
        pairs = []
        for time in (time for time, name in self.marks if name == mark):
            wake = min(wake for wake in self.wakes if wake > time)
            pairs.append((wake - time, min(flip for flip in self.flips if flip > wake) - wake))
        return pairs

    def animations(self):
        """Returns for each animation the range of the indices of its flips."""
        ranges, start = [], 0
        for index in range(1, len(self.flips) + 1):
            if index == len(self.flips) or self.flips[index] - self.flips[index - 1] > PAUSE:
                ranges.append(range(start, index))
                start = index
        return ranges

    def missed(self):
        """Returns the number of vblanks within animations without a new frame."""
        return sum(
            self.sequences[part[-1]] - self.sequences[part[0]] + 1 - len(part) for part in self.animations())

    def idle_wakes(self, settle=0.004):
        """Returns for each pause between animations how often the daemon woke.

        A pause is from just after the last flip's event to the first flip's event of the next animation. The
        wakeup that starts that animation is included.
        """
        parts = self.animations()
        counts = []
        for before, after in zip(parts, parts[1:]):
            start, end = self.flips[before[-1]] + settle, self.flips[after[0]]
            counts.append(sum(start < wake < end for wake in self.wakes))
        return counts


# Scripts for the guest that start and stop recording the daemon's returns from epoll_wait and all delivered
# flips.
START = f"""
    echo 0 >{TRACING}/tracing_on; echo >{TRACING}/trace
    echo mono >{TRACING}/trace_clock; echo 8192 >{TRACING}/buffer_size_kb
    pid=$(pidof flipclockd) || exit 1
    for event in {TRACING}/events/syscalls/sys_exit_epoll_wait {TRACING}/events/syscalls/sys_exit_epoll_pwait; do
      echo "common_pid == $pid" >$event/filter; echo 1 >$event/enable
    done
    echo 1 >{TRACING}/events/drm/drm_vblank_event_delivered/enable
    echo 1 >{TRACING}/tracing_on"""
STOP = f"echo 0 >{TRACING}/tracing_on; echo 0 >{TRACING}/events/enable"


def read(machine):
    """Reads the last recording."""
    return Trace(machine.run(f"cat {TRACING}/trace", timeout=240).output.decode())
