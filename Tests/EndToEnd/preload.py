# SPDX-License-Identifier: Apache-2.0
"""Libraries for LD_PRELOAD that change what system calls return to a program."""

import shutil
import subprocess

# Delays each fsync while the file that the variable SLOW_DISK names exists.
SLOW_DISK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
int fsync(int descriptor) {
  static int (*next)(int);
  if (!next) next = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  while (access(getenv("SLOW_DISK"), F_OK) == 0) usleep(20000);
  return next(descriptor);
}
"""

# Fails each fsync with ENOSPC while the file that the variable BROKEN_DISK names exists.
BROKEN_DISK = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
int fsync(int descriptor) {
  static int (*next)(int);
  if (!next) next = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  if (access(getenv("BROKEN_DISK"), F_OK)) return next(descriptor);
  errno = ENOSPC;
  return -1;
}
"""

# A time of day that is ahead by WRONG_CLOCK milliseconds, although the kernel says that it is synchronized.
WRONG_CLOCK = """
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = syscall(SYS_clock_gettime, clock, time);
  if (result == 0 && clock == CLOCK_REALTIME) {
    long nanoseconds = time->tv_nsec + atol(getenv("WRONG_CLOCK")) % 1000 * 1000000 + 1000000000;
    time->tv_sec += atol(getenv("WRONG_CLOCK")) / 1000 + nanoseconds / 1000000000 - 1;
    time->tv_nsec = nanoseconds % 1000000000;
  }
  return result;
}
int adjtimex(struct timex *state) { *state = (struct timex){0}; return TIME_OK; }
"""


def preload(directory, source):
    """Compiles a library, and returns its path for LD_PRELOAD."""
    compiler = shutil.which("gcc") or shutil.which("clang")
    assert compiler, "neither gcc nor clang found; run: scripts/setup build"
    text, library = directory / "preload.c", directory / "preload.so"
    text.write_text(source)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, text, "-ldl"], check=True)
    return str(library)
