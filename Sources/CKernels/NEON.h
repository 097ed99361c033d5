// SPDX-License-Identifier: Apache-2.0
// Shared by the NEON kernels.
#pragma once

#include "CKernels.h"

#if defined(__aarch64__)
#include <arm_neon.h>

/// Four pixels.
typedef uint8x16_t Four;

static inline Four load(const void *from) { return vld1q_u8(from); }
static inline void store(void *to, Four pixels) { vst1q_u8(to, pixels); }
static inline Four splat(uint32_t pixel) { return vreinterpretq_u8_u32(vdupq_n_u32(pixel)); }

/// Byte `index` of each pixel, in all four of its bytes.
static inline Four spread(Four pixels, uint8_t index) {
  const uint8_t a = index, b = 4 + index, c = 8 + index, d = 12 + index;
  return vqtbl1q_u8(pixels, (Four){a, a, a, a, b, b, b, b, c, c, c, c, d, d, d, d});
}
#endif
