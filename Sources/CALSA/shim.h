// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <alsa/asoundlib.h>
#include <errno.h>
#include <stdbool.h>

static inline void calsa_ignore(const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file;
  (void)line;
  (void)function;
  (void)error;
  (void)format;
}

// Keeps the library from writing to stderr. All its functions also return the error.
static inline void calsa_silence(void) { snd_lib_error_set_handler(calsa_ignore); }

// Opens a device for playback without waiting for it.
static inline int calsa_open(snd_pcm_t **pcm, const char *name) {
  return snd_pcm_open(pcm, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
}

// Sets interleaved S16 in the byte order of the machine; a device of the type `plug` converts it. `latency`
// is the length of the device's buffer in microseconds.
static inline int calsa_configure(snd_pcm_t *pcm, unsigned int channels, unsigned int rate, unsigned int latency) {
  return snd_pcm_set_params(pcm, SND_PCM_FORMAT_S16, SND_PCM_ACCESS_RW_INTERLEAVED, channels, rate, 1, latency);
}

static inline bool calsa_is_prepared(snd_pcm_t *pcm) { return snd_pcm_state(pcm) == SND_PCM_STATE_PREPARED; }
static inline bool calsa_is_disconnected(snd_pcm_t *pcm) { return snd_pcm_state(pcm) == SND_PCM_STATE_DISCONNECTED; }
