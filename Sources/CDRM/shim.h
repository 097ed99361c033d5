// libdrm, and the console ioctls used with it. Swift does not import function-like macros, which define
// fourcc codes and ioctl numbers, so those are constants here.
#pragma once
#include <linux/kd.h>
#include <linux/vt.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <xf86drm.h>
#include <xf86drmMode.h>
#include <drm_fourcc.h>

static const uint32_t cdrm_format_xrgb8888 = DRM_FORMAT_XRGB8888;
static const uint32_t cdrm_format_argb8888 = DRM_FORMAT_ARGB8888;
static const uint32_t cdrm_format_rgb565 = DRM_FORMAT_RGB565;
static const uint32_t cdrm_format_xrgb2101010 = DRM_FORMAT_XRGB2101010;

static const unsigned long cdrm_ioctl_mode_atomic = DRM_IOCTL_MODE_ATOMIC;

static const uint32_t cdrm_object_crtc = DRM_MODE_OBJECT_CRTC;
static const uint32_t cdrm_object_connector = DRM_MODE_OBJECT_CONNECTOR;
static const uint32_t cdrm_object_plane = DRM_MODE_OBJECT_PLANE;

// The console ioctls (ioctl_console(2), ioctl_vt(2)) with an integer argument and with a pointer.
static inline int cdrm_console_set(int fd, unsigned long request, unsigned long value) {
  return ioctl(fd, request, value);
}
static inline int cdrm_console_exchange(int fd, unsigned long request, void *argument) {
  return ioctl(fd, request, argument);
}

// Returns N if the descriptor is /dev/ttyN (device 4:N in the kernel's devices.txt), or -1 if it is not a
// virtual terminal.
static inline int cdrm_console_number(int fd) {
  struct stat status;
  if (fstat(fd, &status) != 0 || !S_ISCHR(status.st_mode) || major(status.st_rdev) != 4) return -1;
  return minor(status.st_rdev) >= 1 && minor(status.st_rdev) <= 63 ? (int)minor(status.st_rdev) : -1;
}
