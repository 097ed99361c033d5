// Functions that Swift's Glibc module does not import, such as epoll, timerfd, signalfd, inotify, the console
// ioctls and variadic calls. Also the crash handler, which is C because it must be async-signal-safe.
#ifndef CLINUX_H
#define CLINUX_H

#include <errno.h>
#include <fcntl.h>
#include <linux/kd.h>
#include <linux/vt.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static inline int clinux_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }
static inline int clinux_fcntl(int fd, int command, int argument) { return fcntl(fd, command, argument); }
static inline int clinux_ioctl(int fd, unsigned long request, void *argument) { return ioctl(fd, request, argument); }

// The program's arguments, with its name at index 0; NULL after the last one. Swift's `CommandLine` reads
// them from /proc, so it has no arguments where /proc is not mounted.
const char *clinux_argument(int index);
// Writes the process and the user that connected a unix socket (SO_PEERCRED). Returns 0, or -1 with errno
// set.
int clinux_peer(int fd, int32_t *process, uint32_t *user);
// accept4(2), a GNU extension that Swift's Glibc module does not import.
int clinux_accept(int fd);
/// mallopt(3) with M_MMAP_THRESHOLD: allocations of at least this size get their own mapping.
void clinux_map_large_allocations(int bytes);
/// Returns unused pages of the heap to the system (malloc_trim(3)).
void clinux_release_free_memory(void);
/// Releases the pages of the code and the constants of the program and its libraries (madvise(2),
/// MADV_DONTNEED). A page is read from its file again when it is used; pages that are used only at startup
/// stay released.
void clinux_release_program(void);
// memfd_create(2) with MFD_CLOEXEC.
int clinux_memfd(const char *name);
// Sets a battery clock to a time in UTC; returns -1 with errno if it fails. The corresponding ioctl is RTC_SET_TIME
// (rtc(4)).
int clinux_set_hardware_clock(int fd, const struct tm *time);

// Whether CLOCK_REALTIME is synchronized, for example by an NTP client: adjtimex(2) without STA_UNSYNC.
// -1: this process may not ask.
int clinux_clock_is_synchronized(void);
// flock(LOCK_EX | LOCK_NB). A wrapper, because the C name is both a function and a struct.
int clinux_lock(int fd);

// Ignores the signals that end a process by default and that this process does not use: those of timers,
// SIGIO, SIGPWR, SIGSTKFLT, SIGUSR1, SIGUSR2 and the real-time signals. Also ignores SIGPIPE and SIGXFSZ;
// `write` reports these conditions as errors. A signalfd still receives these signals if they are blocked.
void clinux_ignore_stray_signals(void);
// The crash guard: installs the handlers; a second call does nothing. Returns 0, or -1 with errno set.
int clinux_crash_install(void);
// Registers the console to restore: KD_TEXT, VT_AUTO, this keyboard mode (K_XLATE, K_UNICODE, ...) and these
// attributes. With attributes, unread input is discarded too; NULL: leave both unchanged.
void clinux_crash_set_console(int fd, int keyboard_mode, const struct termios *attributes);
void clinux_crash_clear_console(void);
// Registers what to write to the terminal, and the attributes to restore (NULL: leave them). Returns -1 with
// EMSGSIZE for more than CLINUX_CRASH_RESET_LIMIT bytes.
enum { CLINUX_CRASH_RESET_LIMIT = 256 };
int clinux_crash_set_terminal(int fd, const uint8_t *bytes, size_t count, const struct termios *attributes);
void clinux_crash_clear_terminal(void);

#endif
