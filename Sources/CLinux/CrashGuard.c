// The crash handler: restores the console and the terminal, then passes the signal to its previous handler.
// The values to restore are atomic, or are stored while the atomic descriptor is -1; with -1, the handler
// restores nothing. It calls only async-signal-safe functions (signal-safety(7)) and ioctl(2); no Swift code
// runs in it.
#define _GNU_SOURCE
#include "CLinux.h"

#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

// Swift traps are SIGILL (x86-64) and SIGTRAP (arm64). The last three end a process deliberately: Ctrl-\, a
// CPU time limit, a forbidden system call.
static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGTRAP, SIGQUIT, SIGXCPU, SIGSYS};
enum { CRASH_SIGNALS = sizeof crash_signals / sizeof crash_signals[0] };

static struct sigaction previous_actions[CRASH_SIGNALS];
static atomic_bool installed;
static atomic_flag crashing = ATOMIC_FLAG_INIT;

static atomic_int console_fd = -1;
static atomic_int console_keyboard_mode;
static bool console_has_attributes;
static struct termios console_attributes;

static atomic_int terminal_fd = -1;
static uint8_t terminal_bytes[CLINUX_CRASH_RESET_LIMIT];
static size_t terminal_count;
static int terminal_has_attributes;
static struct termios terminal_attributes;

// After a stack overflow there is no space for the handler on the original stack.
static uint8_t alternate_stack[64 * 1024] __attribute__((aligned(16)));

static void restore_terminal(void) {
  int fd = atomic_exchange(&terminal_fd, -1);
  if (fd < 0) return;
  // A terminal stopped with Ctrl-S, or a dead SSH link, must not block this handler.
  int flags = fcntl(fd, F_GETFL);
  if (flags >= 0) fcntl(fd, F_SETFL, flags | O_NONBLOCK);
  size_t done = 0;
  for (int tries = 0; done < terminal_count && tries < 8;) {
    ssize_t count = write(fd, terminal_bytes + done, terminal_count - done);
    if (count > 0) {
      done += (size_t)count;
    } else {
      if (count < 0 && errno != EAGAIN && errno != EINTR) break;
      struct pollfd writable = {.fd = fd, .events = POLLOUT};
      poll(&writable, 1, 50);
      tries++;
    }
  }
  if (terminal_has_attributes) tcsetattr(fd, TCSANOW, &terminal_attributes);
  if (flags >= 0) fcntl(fd, F_SETFL, flags);
}

static void restore_console(void) {
  int fd = atomic_exchange(&console_fd, -1);
  if (fd < 0) return;
  struct vt_mode automatic = {.mode = VT_AUTO};
  if (console_has_attributes) {
    // A shell must not read what was typed before the crash.
    tcflush(fd, TCIFLUSH);
    tcsetattr(fd, TCSANOW, &console_attributes);
  }
  ioctl(fd, KDSKBMODE, (long)atomic_load(&console_keyboard_mode));
  ioctl(fd, KDSETMODE, (long)KD_TEXT);
  ioctl(fd, VT_SETMODE, &automatic);
}

static void crashed(int number, siginfo_t *info, void *context) {
  (void)info;
  (void)context;
  int saved = errno;
  if (!atomic_flag_test_and_set(&crashing)) {
    restore_terminal();
    restore_console();
  }
  // The previous handler (the Swift runtime's backtracer, or the default) now gets the signal. The signal is
  // blocked while this handler runs, so it is delivered on return, with the registers of the crash.
  for (int i = 0; i < CRASH_SIGNALS; i++) {
    if (crash_signals[i] != number) continue;
    struct sigaction action = previous_actions[i];
    if (!(action.sa_flags & SA_SIGINFO) && action.sa_handler == SIG_IGN) action.sa_handler = SIG_DFL;
    sigaction(number, &action, NULL);
  }
  raise(number);
  errno = saved;
}

void clinux_ignore_stray_signals(void) {
  static const int stray[] = {SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT, SIGUSR1, SIGUSR2, SIGPIPE, SIGXFSZ};
  for (size_t i = 0; i < sizeof stray / sizeof stray[0]; i++) signal(stray[i], SIG_IGN);
  for (int number = SIGRTMIN; number <= SIGRTMAX; number++) signal(number, SIG_IGN);
}

int clinux_crash_install(void) {
  if (atomic_exchange(&installed, true)) return 0;
  stack_t stack = {.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack};
  stack_t existing;
  // An alternate stack that is already set (by a sanitizer or the Swift runtime) is good enough.
  if (sigaltstack(NULL, &existing) == 0 && (existing.ss_flags & SS_DISABLE)) sigaltstack(&stack, NULL);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = crashed;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < CRASH_SIGNALS; i++) {
    if (sigaction(crash_signals[i], &action, &previous_actions[i]) != 0) return -1;
  }
  return 0;
}

void clinux_crash_set_console(int fd, int keyboard_mode, const struct termios *attributes) {
  atomic_store(&console_fd, -1);
  atomic_store(&console_keyboard_mode, keyboard_mode);
  console_has_attributes = attributes != NULL;
  if (attributes) console_attributes = *attributes;
  atomic_store(&console_fd, fd);
}

void clinux_crash_clear_console(void) { atomic_store(&console_fd, -1); }

int clinux_crash_set_terminal(int fd, const uint8_t *bytes, size_t count, const struct termios *attributes) {
  if (count > CLINUX_CRASH_RESET_LIMIT) {
    errno = EMSGSIZE;
    return -1;
  }
  atomic_store(&terminal_fd, -1);
  if (count > 0) memcpy(terminal_bytes, bytes, count);
  terminal_count = count;
  terminal_has_attributes = attributes != NULL;
  if (attributes) terminal_attributes = *attributes;
  atomic_store(&terminal_fd, fd);
  return 0;
}

void clinux_crash_clear_terminal(void) { atomic_store(&terminal_fd, -1); }
