// SPDX-License-Identifier: Apache-2.0
// What Swift's Glibc module does not import: epoll, timerfd, signalfd, eventfd, inotify, and the
// variadic calls.
#ifndef CLINUX_H
#define CLINUX_H

#include <errno.h>
#include <fcntl.h>
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
#include <time.h>
#include <unistd.h>

static inline int clinux_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }
static inline int clinux_fcntl(int fd, int command, int argument) { return fcntl(fd, command, argument); }
static inline int clinux_ioctl(int fd, unsigned long request, void *argument) { return ioctl(fd, request, argument); }

#endif
