// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <malloc.h>
#include <sys/file.h>
#include <sys/timex.h>

int clinux_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

void clinux_map_large_allocations(int bytes) { mallopt(M_MMAP_THRESHOLD, bytes); }

int clinux_memfd(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int clinux_lock(int fd) { return flock(fd, LOCK_EX | LOCK_NB); }

int clinux_clock_is_synchronized(void) {
  struct timex state = {0};
  int result = adjtimex(&state);
  return result >= 0 && result != TIME_ERROR && !(state.status & STA_UNSYNC);
}
