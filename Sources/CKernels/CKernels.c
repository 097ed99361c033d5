// SPDX-License-Identifier: Apache-2.0
#include "CKernels.h"

// These kernels are in C because Swift can neither compile a single function for AVX2 and select it at run
// time nor express NEON's widening multiplications and rounding narrowing. Per frame of 1920x1080, Swift
// (SSE2) against AVX2, on a Sapphire Rapids Xeon, in milliseconds:
//
//   over              1.21  0.85    copy-565           0.73  0.54    bilinear           2.56  1.44
//   over-translucent  1.37  0.63    copy-565-dither    1.53  0.78    copy-rotated       2.71  1.59
//   over by opacity   2.03  1.25    copy-2101010       1.33  0.88    five flaps       16.65 10.78
//   colour through a8 2.31  0.98    fill               0.38  0.33    memcpy             0.61
//
// AArch64 instructions per pixel, Swift against NEON (`make arm64`):
//
//   over              3.72  2.21    copy-565           3.46  1.45    bilinear          18.47  9.91
//   over-translucent  7.03  4.38    copy-565-dither   14.71  2.25    copy-rotated       3.18  2.37
//   over by opacity   8.44  4.22    copy-2101010       5.85  3.82    a flap            28.88 16.80
//   colour through a8 3.46  1.91

#if defined(__x86_64__)
bool ckernels_is_wide = false;

__attribute__((constructor)) static void find_avx2(void) { ckernels_set_wide(true); }

void ckernels_set_wide(bool enabled) {
  __builtin_cpu_init();
  ckernels_is_wide = enabled && __builtin_cpu_supports("avx2");
}
#elif defined(__aarch64__)
bool ckernels_is_wide = true;

void ckernels_set_wide(bool enabled) { ckernels_is_wide = enabled; }
#endif
