// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <nettle/memops.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

enum { FLIPCLOCK_SHA256_BYTES = SHA256_DIGEST_SIZE };

// Writes the SHA-256 of the bytes to `digest`, which has FLIPCLOCK_SHA256_BYTES bytes. Nettle 4 changes the
// arguments of its function.
static inline void flipclock_sha256(const uint8_t *bytes, size_t count, uint8_t *digest) {
  struct sha256_ctx state;
  sha256_init(&state);
  sha256_update(&state, count, bytes);
#if NETTLE_VERSION_MAJOR >= 4
  sha256_digest(&state, digest);
#else
  sha256_digest(&state, SHA256_DIGEST_SIZE, digest);
#endif
}

// Whether `count` bytes are equal; takes the same time wherever they differ.
static inline int flipclock_equal(const uint8_t *one, const uint8_t *other, size_t count) {
  return memeql_sec(one, other, count);
}
