// SPDX-License-Identifier: Apache-2.0
// A library for LD_PRELOAD that gives a program its own clocks, as if the programs of one machine ran on
// several. CLOCK_BOOTTIME and CLOCK_REALTIME are ahead by CLOCK_OFFSET (ms), and run faster by CLOCK_DRIFT
// (ppm). CLOCK_MONOTONIC, by which the kernel times the displays' flips, is not changed.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <time.h>

enum { DESCRIPTORS = 1024 };
static clockid_t clocks[DESCRIPTORS];

static int differs(clockid_t clock) { return clock == CLOCK_BOOTTIME || clock == CLOCK_REALTIME; }

static double number(const char *name) {
  const char *text = getenv(name);
  return text ? atof(text) : 0;
}

static long long nanoseconds(struct timespec time) { return time.tv_sec * 1000000000LL + time.tv_nsec; }

static struct timespec timespec_of(long long time) {
  return (struct timespec){.tv_sec = time / 1000000000, .tv_nsec = time % 1000000000};
}

static int actual(clockid_t clock, struct timespec *time) {
  static int (*next)(clockid_t, struct timespec *);
  if (!next) next = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  return next(clock, time);
}

// By how many nanoseconds the program's clocks are ahead of the kernel's now.
static long long ahead(void) {
  struct timespec boot;
  actual(CLOCK_BOOTTIME, &boot);
  return (long long)(number("CLOCK_OFFSET") * 1e6 + nanoseconds(boot) * number("CLOCK_DRIFT") / 1e6);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int result = actual(clock, time);
  if (result == 0 && differs(clock)) *time = timespec_of(nanoseconds(*time) + ahead());
  return result;
}

int timerfd_create(clockid_t clock, int flags) {
  static int (*next)(clockid_t, int);
  if (!next) next = (int (*)(clockid_t, int))dlsym(RTLD_NEXT, "timerfd_create");
  int descriptor = next(clock, flags);
  if (descriptor >= 0 && descriptor < DESCRIPTORS) clocks[descriptor] = clock;
  return descriptor;
}

int timerfd_settime(int descriptor, int flags, const struct itimerspec *value, struct itimerspec *old) {
  static int (*next)(int, int, const struct itimerspec *, struct itimerspec *);
  if (!next) {
    next = (int (*)(int, int, const struct itimerspec *, struct itimerspec *))dlsym(RTLD_NEXT, "timerfd_settime");
  }
  struct itimerspec changed = *value;
  long long time = nanoseconds(value->it_value);
  if ((flags & TFD_TIMER_ABSTIME) && time > 0 && descriptor < DESCRIPTORS && differs(clocks[descriptor])) {
    struct timespec now;
    clock_gettime(clocks[descriptor], &now);
    // The time that is left, on a clock that runs faster. A deadline that never comes must stay one: it would
    // overflow on a slower clock, and a moment in the past expires at once, again and again.
    double left = (time - nanoseconds(now)) / (1 + number("CLOCK_DRIFT") / 1e6);
    actual(clocks[descriptor], &now);
    if (left < LLONG_MAX - nanoseconds(now)) {
      time = nanoseconds(now) + (long long)left;
      changed.it_value = timespec_of(time > 0 ? time : 1);
    }
  }
  return next(descriptor, flags, &changed, old);
}
