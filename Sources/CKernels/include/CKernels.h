// SPDX-License-Identifier: Apache-2.0
// The pixel kernels that Swift has no name for.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef uint16_t CKernelsLanes __attribute__((ext_vector_type(8)));
typedef uint32_t CKernelsFour __attribute__((ext_vector_type(4)));
typedef uint32_t CKernelsWideLanes __attribute__((ext_vector_type(8)));

/// The upper halves of the eight 32-bit products: `pmulhuw` on x86-64.
static inline CKernelsLanes ckernels_high_products(CKernelsLanes a, CKernelsLanes b) {
  CKernelsWideLanes product = __builtin_convertvector(a, CKernelsWideLanes) *
                              __builtin_convertvector(b, CKernelsWideLanes);
  return __builtin_convertvector(product >> 16, CKernelsLanes);
}

/// `value` without its fraction, for what an `intptr_t` can hold: one instruction, where Swift's `Int` looks
/// first whether it does.
static inline intptr_t ckernels_whole(double value) { return (intptr_t)value; }

#if defined(__x86_64__)
typedef char CKernelsBytes __attribute__((vector_size(16)));
typedef short CKernelsShorts __attribute__((vector_size(16)));
typedef int CKernelsInts __attribute__((vector_size(16)));
#endif

/// Whether the alpha of four pixels is 255.
static inline bool ckernels_are_opaque(CKernelsLanes pixels) {
#if defined(__x86_64__)
  const CKernelsInts ones = {-1, -1, -1, -1};
  CKernelsBytes full = (CKernelsBytes)((CKernelsBytes)pixels == (CKernelsBytes)ones);
  return (__builtin_ia32_pmovmskb128(full) & 0x8888) == 0x8888;
#else
  return (pixels[1] & pixels[3] & pixels[5] & pixels[7]) >= 0xff00;
#endif
}

/// Whether four pixels are all zero.
static inline bool ckernels_are_zero(CKernelsLanes pixels) {
#if defined(__x86_64__)
  const CKernelsInts zero = {0, 0, 0, 0};
  CKernelsBytes none = (CKernelsBytes)((CKernelsBytes)pixels == (CKernelsBytes)zero);
  return __builtin_ia32_pmovmskb128(none) == 0xffff;
#else
  typedef uint64_t Pairs __attribute__((ext_vector_type(2)));
  return (((Pairs)pixels)[0] | ((Pairs)pixels)[1]) == 0;
#endif
}

/// The four bytes of a word, each in the two lanes of its pixel.
static inline CKernelsLanes ckernels_doubled(uint32_t bytes) {
  typedef uint8_t Bytes __attribute__((ext_vector_type(16)));
  Bytes four = (Bytes)(CKernelsFour){bytes, 0, 0, 0};
  return (CKernelsLanes)__builtin_shufflevector(four, four, 0, 4, 0, 4, 1, 4, 1, 4, 2, 4, 2, 4, 3, 4, 3, 4);
}

/// XRGB8888 to RGB565, twice four pixels.
static inline CKernelsLanes ckernels_packed_565(CKernelsLanes first, CKernelsLanes second) {
#if defined(__x86_64__)
  // A multiplication brings red and blue together, on both sides of green: red · 2^13 + blue · 2^2.
  const CKernelsInts ends = {0xf800f8, 0xf800f8, 0xf800f8, 0xf800f8};
  const CKernelsInts middle = {0xfc00, 0xfc00, 0xfc00, 0xfc00};
  const CKernelsShorts factors = {4, 0x2000, 4, 0x2000, 4, 0x2000, 4, 0x2000};
  CKernelsInts a = (CKernelsInts)first, b = (CKernelsInts)second;
  a = (CKernelsInts)__builtin_ia32_pmaddwd128((CKernelsShorts)(a & ends), factors) | (a & middle);
  b = (CKernelsInts)__builtin_ia32_pmaddwd128((CKernelsShorts)(b & ends), factors) | (b & middle);
  // The sixteen bits from the fifth on, signed, so that they are packed as they are.
  return (CKernelsLanes)__builtin_ia32_packssdw128((a << 11) >> 16, (b << 11) >> 16);
#else
  CKernelsWideLanes p;
  p.lo = (CKernelsFour)first;
  p.hi = (CKernelsFour)second;
  return __builtin_convertvector((p >> 8 & 0xf800) | (p >> 5 & 0x07e0) | (p >> 3 & 0x001f), CKernelsLanes);
#endif
}

// Rows by AVX2, where the processor has it, and by NEON: each returns the number of pixels that are done, from
// the first on: all, or those of whole vectors. The rest, and on other processors all, is the Swift kernel's of
// the same name; both give the same bits. What they gain stands in CKernels.c.
// A `mask` is zero or the alpha byte.

#if defined(__x86_64__) || defined(__aarch64__)
/// Whether the processor has them and they are not turned off.
extern bool ckernels_is_wide;
/// Turns them off, or on again where the processor has them: for tests and measurements.
void ckernels_set_wide(bool enabled);
#define CKERNELS_ROW(name, parameters, ...)                          \
  intptr_t name##_wide parameters;                                   \
  static inline intptr_t name parameters {                           \
    return ckernels_is_wide ? name##_wide(__VA_ARGS__) : 0;          \
  }
#else
static inline void ckernels_set_wide(bool enabled) { (void)enabled; }
#define CKERNELS_ROW(name, parameters, ...)                           \
  _Pragma("clang diagnostic push")                                    \
  _Pragma("clang diagnostic ignored \"-Wunused-parameter\"")          \
  static inline intptr_t name parameters { return 0; }                \
  _Pragma("clang diagnostic pop")
#endif

/// Premultiplied `source` over `destination`; the bits of `mask` are set.
CKERNELS_ROW(ckernels_over,
             (uint32_t *destination, const uint32_t *source, intptr_t count, uint32_t mask),
             destination, source, count, mask)

/// `source` with the bits of `source_mask` set, times `opacity` / 255, over `destination`.
CKERNELS_ROW(ckernels_over_opacity,
             (uint32_t *destination, const uint32_t *source, intptr_t count, uint8_t opacity,
              uint32_t source_mask, uint32_t mask),
             destination, source, count, opacity, source_mask, mask)

/// As that, the colour first times `light` / 256, rounded; `light` is 256 at most.
CKERNELS_ROW(ckernels_over_light,
             (uint32_t *destination, const uint32_t *source, intptr_t count, uint8_t opacity,
              uint16_t light, uint32_t source_mask, uint32_t mask),
             destination, source, count, opacity, light, source_mask, mask)

/// A premultiplied colour over `destination`.
CKERNELS_ROW(ckernels_over_colour,
             (uint32_t *destination, uint32_t colour, intptr_t count, uint32_t mask),
             destination, colour, count, mask)

/// A premultiplied colour, times each byte of `coverage` / 255, over `destination`.
CKERNELS_ROW(ckernels_over_coverage,
             (uint32_t *destination, uint32_t colour, const uint8_t *coverage, intptr_t count,
              uint32_t mask),
             destination, colour, coverage, count, mask)

/// Stores `pixel` `count` times.
CKERNELS_ROW(ckernels_fill, (uint32_t *destination, uint32_t pixel, intptr_t count),
             destination, pixel, count)

/// XRGB8888 to RGB565; `dither` is what is added to each of eight pixels before its low bits are cut
/// off, or null.
CKERNELS_ROW(ckernels_copy_565,
             (uint16_t *destination, const uint32_t *source, intptr_t count, const uint32_t *dither),
             destination, source, count, dither)

/// XRGB8888 to XRGB2101010.
CKERNELS_ROW(ckernels_copy_2101010, (uint32_t *destination, const uint32_t *source, intptr_t count),
             destination, source, count)

/// The sum of two rows by weights in 1/256, `first_odd` and `second_odd` those of green below and of
/// alpha above, rounded. `every` is given the bits that all pixels made have.
CKERNELS_ROW(ckernels_sum_two,
             (uint32_t *destination, const uint32_t *first, uint32_t first_odd, const uint32_t *second,
              uint32_t second_odd, intptr_t count, uint32_t mask, uint32_t *every),
             destination, first, first_odd, second, second_odd, count, mask, every)

/// What `Kernels.RowWeight` is.
typedef struct {
  CKernelsLanes even;
  CKernelsLanes odd;
  intptr_t byte_offset;
} CKernelsRowWeight;

/// The sum of rows by weights, rounded.
CKERNELS_ROW(ckernels_sum_rows,
             (uint32_t *destination, const void *rows, const void *weights, intptr_t row_count,
              intptr_t count, uint32_t mask, uint32_t *every),
             destination, rows, weights, row_count, count, mask, every)

/// A row between pixel centres, for steps of 0 … 1 pixel: pixel k lies at `position` + k·`step`, in
/// 1/65536. Reads no pixel that those do not need.
CKERNELS_ROW(ckernels_resample,
             (uint32_t *destination, const uint32_t *source, intptr_t count, uint32_t position,
              uint32_t step),
             destination, source, count, position, step)

/// Turns whole blocks of eight by eight pixels over the diagonal; `width` and `height` are multiples of
/// eight, strides in pixels, and may be negative. Returns 0 where nothing is done.
CKERNELS_ROW(ckernels_transpose,
             (uint32_t *destination, intptr_t stride, const uint32_t *source, intptr_t source_stride,
              intptr_t width, intptr_t height, uint32_t mask),
             destination, stride, source, source_stride, width, height, mask)
