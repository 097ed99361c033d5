// SPDX-License-Identifier: Apache-2.0
//
// The tests' independent view of a card and of the console, using only ioctls:
//
//   kms dump CARD     prints the scanout of the first active CRTC: a line "WIDTH HEIGHT FOURCC", then its rows (root
//                     only)
//   kms hold CARD     becomes master, prints "holding", and stays master until it is killed
//   kms sequence CARD prints the number of the last vertical blank of the first active CRTC: "0x0000002a"
//   kms rate CARD N   flips between two buffers, N times after a first flip, and prints "HZ FLIPS VBLANKS MODE" from
//                     the events of the flips
//   kms console       prints KD mode, VT mode and number of the active VT: "text auto 1"
//   kms restore       sets the active VT to text mode with switching by the kernel, as for a login

#include <errno.h>
#include <fcntl.h>
#include <linux/kd.h>
#include <linux/vt.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <drm.h>
#include <drm_fourcc.h>
#include <drm_mode.h>

static void die(const char *what) {
  fprintf(stderr, "kms: %s: %s\n", what, strerror(errno));
  exit(1);
}

static int call(int fd, unsigned long request, void *argument) {
  int result;
  do {
    result = ioctl(fd, request, argument);
  } while (result < 0 && (errno == EINTR || errno == EAGAIN));
  return result;
}

static void must(int fd, unsigned long request, void *argument, const char *what) {
  if (call(fd, request, argument) < 0) die(what);
}

#define MAXIMUM 16
struct resources {
  uint32_t crtcs[MAXIMUM], connectors[MAXIMUM], encoders[MAXIMUM];
  int crtc_count, connector_count;
};

static struct resources resources(int fd) {
  struct resources found;
  struct drm_mode_card_res r = {
    .crtc_id_ptr = (uintptr_t)found.crtcs,
    .connector_id_ptr = (uintptr_t)found.connectors,
    .encoder_id_ptr = (uintptr_t)found.encoders,
    .count_crtcs = MAXIMUM,
    .count_connectors = MAXIMUM,
    .count_encoders = MAXIMUM,
  };
  must(fd, DRM_IOCTL_MODE_GETRESOURCES, &r, "GETRESOURCES");
  found.crtc_count = r.count_crtcs;
  found.connector_count = r.count_connectors;
  return found;
}

static void *map(int fd, uint32_t handle, size_t size, int protection) {
  struct drm_mode_map_dumb m = {.handle = handle};
  must(fd, DRM_IOCTL_MODE_MAP_DUMB, &m, "MAP_DUMB");
  void *address = mmap(NULL, size, protection, MAP_SHARED, fd, m.offset);
  if (address == MAP_FAILED) die("mmap");
  return address;
}

static int dump(int fd) {
  struct resources r = resources(fd);
  for (int i = 0; i < r.crtc_count; i++) {
    struct drm_mode_crtc crtc = {.crtc_id = r.crtcs[i]};
    must(fd, DRM_IOCTL_MODE_GETCRTC, &crtc, "GETCRTC");
    if (!crtc.mode_valid || !crtc.fb_id) continue;
    struct drm_mode_fb_cmd2 fb = {.fb_id = crtc.fb_id};
    must(fd, DRM_IOCTL_MODE_GETFB2, &fb, "GETFB2");
    uint32_t bytes = fb.pixel_format == DRM_FORMAT_RGB565 ? 2 : 4;
    uint32_t width = crtc.mode.hdisplay, height = crtc.mode.vdisplay;
    const uint8_t *pixels = map(fd, fb.handles[0], (size_t)fb.pitches[0] * fb.height, PROT_READ);
    printf("%u %u %.4s\n", width, height, (char *)&fb.pixel_format);
    for (uint32_t y = 0; y < height; y++) {
      fwrite(pixels + fb.offsets[0] + (size_t)(crtc.y + y) * fb.pitches[0] + crtc.x * bytes, bytes, width, stdout);
    }
    return fflush(stdout) ? 1 : 0;
  }
  fprintf(stderr, "kms: no active CRTC\n");
  return 1;
}

static int sequence(int fd) {
  struct resources r = resources(fd);
  for (int i = 0; i < r.crtc_count; i++) {
    struct drm_crtc_get_sequence last = {.crtc_id = r.crtcs[i]};
    if (call(fd, DRM_IOCTL_CRTC_GET_SEQUENCE, &last) < 0 || !last.active) continue;
    printf("0x%08llx\n", (unsigned long long)last.sequence);
    return 0;
  }
  fprintf(stderr, "kms: no active CRTC\n");
  return 1;
}

static _Noreturn void hold(int fd) {
  must(fd, DRM_IOCTL_SET_MASTER, NULL, "SET_MASTER");
  puts("holding");
  fflush(stdout);
  for (;;) pause();
}

static int rate(int fd, int flips) {
  struct resources r = resources(fd);
  struct drm_mode_modeinfo modes[128];
  uint32_t properties[64], encoders[MAXIMUM];
  uint64_t values[64];
  struct drm_mode_get_connector c = {.connector_id = r.connectors[0]};
  c.modes_ptr = (uintptr_t)modes;
  c.props_ptr = (uintptr_t)properties;
  c.prop_values_ptr = (uintptr_t)values;
  c.encoders_ptr = (uintptr_t)encoders;
  // The first call probes the connector and counts its modes.
  struct drm_mode_get_connector probe = {.connector_id = r.connectors[0]};
  must(fd, DRM_IOCTL_MODE_GETCONNECTOR, &probe, "GETCONNECTOR");
  c.count_modes = probe.count_modes > 128 ? 128 : probe.count_modes;
  c.count_props = 64;
  c.count_encoders = MAXIMUM;
  must(fd, DRM_IOCTL_MODE_GETCONNECTOR, &c, "GETCONNECTOR");
  if (c.count_modes == 0) {
    fprintf(stderr, "kms: no mode\n");
    return 1;
  }
  uint32_t frames[2];
  for (int i = 0; i < 2; i++) {
    struct drm_mode_create_dumb d = {.width = modes[0].hdisplay, .height = modes[0].vdisplay, .bpp = 32};
    must(fd, DRM_IOCTL_MODE_CREATE_DUMB, &d, "CREATE_DUMB");
    struct drm_mode_fb_cmd2 fb = {
      .width = d.width, .height = d.height, .pixel_format = DRM_FORMAT_XRGB8888,
      .handles = {d.handle}, .pitches = {d.pitch},
    };
    must(fd, DRM_IOCTL_MODE_ADDFB2, &fb, "ADDFB2");
    memset(map(fd, d.handle, d.size, PROT_READ | PROT_WRITE), i ? 0x40 : 0xc0, d.size);
    frames[i] = fb.fb_id;
  }
  struct drm_mode_crtc set = {
    .crtc_id = r.crtcs[0], .fb_id = frames[0], .mode_valid = 1, .mode = modes[0],
    .set_connectors_ptr = (uintptr_t)&r.connectors[0], .count_connectors = 1,
  };
  must(fd, DRM_IOCTL_MODE_SETCRTC, &set, "SETCRTC");

  struct drm_event_vblank first = {0}, last = {0};
  for (int i = 0; i <= flips; i++) {
    struct drm_mode_crtc_page_flip flip = {
      .crtc_id = r.crtcs[0], .fb_id = frames[(i + 1) % 2], .flags = DRM_MODE_PAGE_FLIP_EVENT,
    };
    must(fd, DRM_IOCTL_MODE_PAGE_FLIP, &flip, "PAGE_FLIP");
    struct pollfd wait = {.fd = fd, .events = POLLIN};
    if (poll(&wait, 1, 2000) != 1) die("no flip event");
    if (read(fd, &last, sizeof last) != sizeof last) die("short event");
    if (i == 0) first = last;
  }
  double seconds = (double)last.tv_sec - first.tv_sec + ((double)last.tv_usec - first.tv_usec) / 1e6;
  // Drivers without vblanks leave the sequence at 0.
  unsigned vblanks = last.sequence - first.sequence;
  printf("%.3f %d %u %s@%u\n", (vblanks ? (int)vblanks : flips) / seconds, flips, vblanks, modes[0].name,
         modes[0].vrefresh);
  return 0;
}

static int open_console(void) {
  int fd = open("/dev/tty0", O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (fd < 0) die("/dev/tty0");
  return fd;
}

static int restore(void) {
  int fd = open_console();
  struct vt_mode mode = {.mode = VT_AUTO};
  must(fd, VT_SETMODE, &mode, "VT_SETMODE");
  // KDSETMODE takes its argument by value.
  if (ioctl(fd, KDSETMODE, KD_TEXT) < 0) die("KDSETMODE");
  return 0;
}

static int console(void) {
  int fd = open_console();
  int kd = -1;
  struct vt_mode mode;
  struct vt_stat state;
  must(fd, KDGETMODE, &kd, "KDGETMODE");
  must(fd, VT_GETMODE, &mode, "VT_GETMODE");
  must(fd, VT_GETSTATE, &state, "VT_GETSTATE");
  printf("%s %s %u\n", kd == KD_TEXT ? "text" : kd == KD_GRAPHICS ? "graphics" : "other",
         mode.mode == VT_AUTO ? "auto" : "process", state.v_active);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "console") == 0) return console();
  if (argc == 2 && strcmp(argv[1], "restore") == 0) return restore();
  if (argc < 3) {
    fprintf(stderr, "usage: kms dump|hold|sequence CARD | rate CARD N | console | restore\n");
    return 64;
  }
  int fd = open(argv[2], O_RDWR | O_CLOEXEC);
  if (fd < 0) die(argv[2]);
  if (strcmp(argv[1], "dump") == 0) return dump(fd);
  if (strcmp(argv[1], "hold") == 0) hold(fd);
  if (strcmp(argv[1], "sequence") == 0) return sequence(fd);
  if (strcmp(argv[1], "rate") == 0 && argc == 4) return rate(fd, atoi(argv[3]));
  fprintf(stderr, "kms: unknown command %s\n", argv[1]);
  return 64;
}
