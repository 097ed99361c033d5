# SPDX-License-Identifier: Apache-2.0
"""What the kernel counts for a process (`subprocess.Popen`)."""

import os
import pathlib
import re
import time


def memory(process, field):
    """Returns a size from proc_pid_status(5) in KiB, such as VmHWM."""
    text = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
    return int(re.search(rf"^{field}:\s+(\d+) kB", text, re.MULTILINE).group(1))


def processor_time(process):
    """Returns the seconds that all its threads have used the processors (proc_pid_stat(5))."""
    text = pathlib.Path(f"/proc/{process.pid}/stat").read_text(encoding="ascii")
    # The name of the program may have spaces.
    user, system = text.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def wakeups(process, seconds, wait=time.sleep):
    """Returns how often its threads gave up the processor to sleep while `wait(seconds)` ran, and so how often they
    woke up. Asking costs the process nothing."""
    def slept():
        files = pathlib.Path(f"/proc/{process.pid}/task").glob("*/status")
        return sum(int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", file.read_text(encoding="ascii"), re.MULTILINE)
                       .group(1)) for file in files)
    before = slept()
    wait(seconds)
    return slept() - before
