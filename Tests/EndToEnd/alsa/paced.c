// SPDX-License-Identifier: Apache-2.0
//
// An ALSA device for tests. It consumes frames at their rate, like hardware, and writes each accepted frame to `file`
// at once. `fault` makes it fail when `after` frames were written: "xrun", "suspend" (both once), "unplug" (for good)
// or "hang" (nothing is consumed any more). With the fault "busy" it cannot be opened, with "slow" it consumes frames at
// half their rate.

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <fcntl.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

struct paced {
  snd_pcm_ioplug_t io;
  int file;
  const char *fault;
  long after;
  snd_pcm_uframes_t written;  // since the last prepare
  snd_pcm_uframes_t total;
  struct timespec started;
  int failed;
  long long frozen;
};

static long long elapsed(struct paced *device) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  long long nanoseconds = (now.tv_sec - device->started.tv_sec) * 1000000000LL + now.tv_nsec - device->started.tv_nsec;
  return nanoseconds * device->io.rate / 1000000000LL / (strcmp(device->fault, "slow") ? 1 : 2);
}

static int due(struct paced *device, const char *fault) {
  return !strcmp(device->fault, fault) && (long)device->total >= device->after;
}

static int set_timer(struct paced *device, long nanoseconds) {
  struct itimerspec timer = {{0, nanoseconds}, {0, nanoseconds}};
  return timerfd_settime(device->io.poll_fd, 0, &timer, NULL);
}

static int paced_start(snd_pcm_ioplug_t *io) {
  struct paced *device = io->private_data;
  clock_gettime(CLOCK_MONOTONIC, &device->started);
  return set_timer(device, 10000000);
}

static int paced_stop(snd_pcm_ioplug_t *io) { return set_timer(io->private_data, 0); }

static int paced_prepare(snd_pcm_ioplug_t *io) {
  struct paced *device = io->private_data;
  device->written = 0;
  return due(device, "unplug") ? -ENODEV : 0;
}

static snd_pcm_sframes_t paced_pointer(snd_pcm_ioplug_t *io) {
  struct paced *device = io->private_data;
  if (io->state != SND_PCM_STATE_RUNNING) return 0;
  if (due(device, "unplug")) {
    snd_pcm_ioplug_set_state(io, SND_PCM_STATE_DISCONNECTED);
    return -ENODEV;
  }
  if (due(device, "xrun") && !device->failed) {
    device->failed = 1;
    return -EPIPE;
  }
  long long consumed = elapsed(device);
  if (due(device, "hang")) {
    if (!device->frozen) device->frozen = consumed;
    consumed = device->frozen;
  }
  if (consumed > (long long)device->written) return -EPIPE;
  return consumed % io->buffer_size;
}

static snd_pcm_sframes_t paced_transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas,
                                        snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
  struct paced *device = io->private_data;
  if (due(device, "suspend") && !device->failed) {
    device->failed = 1;
    snd_pcm_ioplug_set_state(io, SND_PCM_STATE_SUSPENDED);
    return -ESTRPIPE;
  }
  if (due(device, "unplug")) return -ENODEV;
  const char *bytes = (const char *)areas->addr + (areas->first + areas->step * offset) / 8;
  ssize_t count = write(device->file, bytes, size * 4);
  if (count != (ssize_t)size * 4) return -EIO;
  device->written += size;
  device->total += size;
  return size;
}

static int paced_revents(snd_pcm_ioplug_t *io, struct pollfd *descriptors, unsigned int count,
                         unsigned short *revents) {
  struct paced *device = io->private_data;
  unsigned long long expirations;
  (void)descriptors;
  (void)count;
  if (read(io->poll_fd, &expirations, sizeof expirations) < 0) expirations = 0;
  *revents = due(device, "unplug") ? POLLERR : due(device, "hang") ? 0 : POLLOUT;
  return 0;
}

static int paced_close(snd_pcm_ioplug_t *io) {
  struct paced *device = io->private_data;
  close(device->file);
  close(io->poll_fd);
  free(device);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = paced_start,
    .stop = paced_stop,
    .prepare = paced_prepare,
    .pointer = paced_pointer,
    .transfer = paced_transfer,
    .poll_revents = paced_revents,
    .close = paced_close,
};

SND_PCM_PLUGIN_DEFINE_FUNC(paced) {
  const char *file = "/dev/null", *fault = "";
  long after = 0;
  snd_config_iterator_t i, next;
  (void)root;
  snd_config_for_each(i, next, conf) {
    snd_config_t *entry = snd_config_iterator_entry(i);
    const char *id;
    if (snd_config_get_id(entry, &id) < 0) continue;
    if (!strcmp(id, "file")) snd_config_get_string(entry, &file);
    if (!strcmp(id, "fault")) snd_config_get_string(entry, &fault);
    if (!strcmp(id, "after")) snd_config_get_integer(entry, &after);
  }
  if (!strcmp(fault, "busy")) return -EBUSY;
  struct paced *device = calloc(1, sizeof *device);
  if (!device) return -ENOMEM;
  device->fault = strdup(fault);
  device->after = after;
  device->file = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  device->io.version = SND_PCM_IOPLUG_VERSION;
  device->io.name = "paced";
  device->io.callback = &callbacks;
  device->io.private_data = device;
  device->io.poll_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  device->io.poll_events = POLLIN;
  int result = snd_pcm_ioplug_create(&device->io, name, stream, mode);
  if (result < 0) return result;
  static const unsigned int access[] = {SND_PCM_ACCESS_RW_INTERLEAVED}, format[] = {SND_PCM_FORMAT_S16};
  snd_pcm_ioplug_set_param_list(&device->io, SND_PCM_IOPLUG_HW_ACCESS, 1, access);
  snd_pcm_ioplug_set_param_list(&device->io, SND_PCM_IOPLUG_HW_FORMAT, 1, format);
  snd_pcm_ioplug_set_param_minmax(&device->io, SND_PCM_IOPLUG_HW_CHANNELS, 2, 2);
  snd_pcm_ioplug_set_param_minmax(&device->io, SND_PCM_IOPLUG_HW_RATE, 48000, 48000);
  snd_pcm_ioplug_set_param_minmax(&device->io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 1024, 32768);
  snd_pcm_ioplug_set_param_minmax(&device->io, SND_PCM_IOPLUG_HW_BUFFER_BYTES, 4096, 131072);
  snd_pcm_ioplug_set_param_minmax(&device->io, SND_PCM_IOPLUG_HW_PERIODS, 2, 16);
  *pcmp = device->io.pcm;
  return 0;
}
SND_PCM_PLUGIN_SYMBOL(paced);
