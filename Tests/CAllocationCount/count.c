// SPDX-License-Identifier: Apache-2.0

#include "CAllocationCount.h"

#include <errno.h>
#include <execinfo.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZER_REPLACES_MALLOC 1
#endif
#endif

#if defined(__GLIBC__) && !defined(SANITIZER_REPLACES_MALLOC)

// glibc exports these for allocators that replace its own.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

// These variables are in the program itself, because access to a shared library's thread-local variables may
// allocate.
static __thread int is_counting;
static __thread uint64_t count;
static __thread int traces;

static void note(void) {
  if (!is_counting) return;
  count += 1;
  if (traces <= 0) return;
  traces -= 1;
  is_counting = 0;
  void *frames[24];
  backtrace_symbols_fd(frames, backtrace(frames, 24), STDERR_FILENO);
  (void)!write(STDERR_FILENO, "\n", 1);
  is_counting = 1;
}

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  note();
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  note();
  return __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t number, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(number, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  note();
  return __libc_realloc(old, bytes);
}

void *memalign(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}

void *valloc(size_t size) {
  note();
  return __libc_memalign((size_t)sysconf(_SC_PAGESIZE), size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  note();
  int before = errno;
  void *memory = __libc_memalign(alignment, size);
  errno = before;
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}

void allocation_count_begin(void) {
  count = 0;
  is_counting = 1;
}

uint64_t allocation_count_end(void) {
  is_counting = 0;
  return count;
}

int allocation_count_is_possible(void) {
  // Calls through volatile pointers, because the compiler removes an allocation that is freed unused.
  void *(*volatile allocate)(size_t) = malloc;
  void (*volatile release)(void *) = free;
  allocation_count_begin();
  release(allocate(1));
  return allocation_count_end() == 1;
}

void allocation_count_trace(int allocations) {
  if (allocations <= 0) return;
  // The first call of backtrace() loads a library, which allocates.
  void *frames[1];
  backtrace(frames, 1);
  traces = allocations;
}

#else

void allocation_count_begin(void) {}

uint64_t allocation_count_end(void) { return 0; }

int allocation_count_is_possible(void) { return 0; }

void allocation_count_trace(int allocations) { (void)allocations; }

#endif
