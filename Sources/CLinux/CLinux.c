// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <link.h>
#include <linux/rtc.h>
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/file.h>
#include <sys/timex.h>

static int argument_count;
static char **argument_values;

// The C library passes them to constructors.
__attribute__((constructor)) static void keep_arguments(int count, char **values) {
  argument_count = count;
  argument_values = values;
}

const char *clinux_argument(int index) { return index < argument_count ? argument_values[index] : NULL; }

int clinux_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC); }

void clinux_map_large_allocations(int bytes) { mallopt(M_MMAP_THRESHOLD, bytes); }

// Releases the pages of the segments that are never written; they are read from the file again when they are
// used.
static int unmap_text(struct dl_phdr_info *object, size_t size, void *unused) {
  (void)size;
  (void)unused;
  uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) continue;
    uintptr_t start = ((uintptr_t)object->dlpi_addr + segment->p_vaddr) & ~(page - 1);
    uintptr_t end = ((uintptr_t)object->dlpi_addr + segment->p_vaddr + segment->p_memsz + page - 1) & ~(page - 1);
    madvise((void *)start, end - start, MADV_DONTNEED);
  }
  return 0;
}

void clinux_release_free_memory(void) { malloc_trim(0); }

void clinux_release_program(void) { dl_iterate_phdr(unmap_text, NULL); }

int clinux_memfd(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int clinux_lock(int fd) { return flock(fd, LOCK_EX | LOCK_NB); }

int clinux_set_hardware_clock(int fd, const struct tm *time) {
  struct rtc_time value = {
      .tm_sec = time->tm_sec,
      .tm_min = time->tm_min,
      .tm_hour = time->tm_hour,
      .tm_mday = time->tm_mday,
      .tm_mon = time->tm_mon,
      .tm_year = time->tm_year,
  };
  return ioctl(fd, RTC_SET_TIME, &value);
}

int clinux_clock_is_synchronized(void) {
  struct timex state = {0};
  int result = adjtimex(&state);
  if (result < 0) return -1;
  return result != TIME_ERROR && !(state.status & STA_UNSYNC);
}

int clinux_peer(int fd, int32_t *process, uint32_t *user) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
  *process = peer.pid;
  *user = peer.uid;
  return 0;
}
